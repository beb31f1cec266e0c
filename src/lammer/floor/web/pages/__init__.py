"""The house's pages: server-rendered, live by Server-Sent Events, usable without scripts.

`PAGES` is all of them; each module holds the pages of one kind of reader.
"""

from lammer.floor.web.pages.academy import Academy
from lammer.floor.web.pages.accounts import AccountPages
from lammer.floor.web.pages.administration import Administration
from lammer.floor.web.pages.audit import AuditPages
from lammer.floor.web.pages.board import Board
from lammer.floor.web.pages.coming_in import ComingIn
from lammer.floor.web.pages.dealing import Dealing
from lammer.floor.web.pages.history import History, OwnHistory
from lammer.floor.web.pages.house_report import HouseReportPages
from lammer.floor.web.pages.lab import Lab
from lammer.floor.web.pages.lab_work import LabWork
from lammer.floor.web.pages.lobby import Lobby
from lammer.floor.web.pages.many_accounts import ManyAccounts
from lammer.floor.web.pages.pit import Pit
from lammer.floor.web.pages.playing import Playing
from lammer.floor.web.pages.rules import Rules
from lammer.floor.web.pages.second_factor import SecondFactor
from lammer.floor.web.pages.several import SeveralTables
from lammer.floor.web.pages.something_wrong import SomethingWrong
from lammer.floor.web.pages.stops import StopPages
from lammer.floor.web.pages.table_report import TableReport
from lammer.floor.web.pages.trainer import Trainer
from lammer.floor.web.pages.workbench import WorkbenchPages

PAGES = (
    ComingIn,
    SecondFactor,
    Lobby,
    SeveralTables,
    Playing,
    OwnHistory,
    History,
    Board,
    AuditPages,
    Rules,
    Lab,
    LabWork,
    WorkbenchPages,
    Academy,
    Trainer,
    AccountPages,
    ManyAccounts,
    Administration,
    Dealing,
    SomethingWrong,
    Pit,
    HouseReportPages,
    TableReport,
    StopPages,
)
