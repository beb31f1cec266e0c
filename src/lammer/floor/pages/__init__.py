"""The house's pages: server-rendered, live by Server-Sent Events, usable without scripts.

`PAGES` is all of them; each module holds the pages of one kind of reader.
"""

from lammer.floor.pages.accounts import AccountPages
from lammer.floor.pages.audit import AuditPages
from lammer.floor.pages.board import Board
from lammer.floor.pages.coming_in import ComingIn
from lammer.floor.pages.dealing import Dealing
from lammer.floor.pages.history import History
from lammer.floor.pages.lab import Lab
from lammer.floor.pages.lab_work import LabWork
from lammer.floor.pages.lobby import Lobby
from lammer.floor.pages.pit import Pit
from lammer.floor.pages.playing import Playing
from lammer.floor.pages.rules import Rules
from lammer.floor.pages.second_factor import SecondFactor
from lammer.floor.pages.something_wrong import SomethingWrong
from lammer.floor.pages.table_report import TableReport

PAGES = (
    ComingIn,
    SecondFactor,
    Lobby,
    Playing,
    History,
    Board,
    AuditPages,
    Rules,
    Lab,
    LabWork,
    AccountPages,
    Dealing,
    SomethingWrong,
    Pit,
    TableReport,
)
