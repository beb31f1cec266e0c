"""Every change the record's tables ever went through, oldest first; `upgrade` runs what a database lacks.

A released migration is never edited. A new one is a file here named after its number and what it brings.
"""
