"""Every sentence a person reads on a page, in every language.

English is written where it is used and is the key; any other language is one file in `languages/`. The room
knows languages and nothing of requests, pages or the record.
"""
