"""The house's pages: server-rendered, live by Server-Sent Events, usable without scripts.

`PAGES` is all of them; each module holds the pages of one kind of reader.
"""

from lammer.floor.pages.coming_in import ComingIn

PAGES = (ComingIn,)
