"""The house's pages: server-rendered, live by Server-Sent Events, usable without scripts.

`PAGES` is all of them; each module holds the pages of one kind of reader.
"""

from lammer.floor.web.pages.academy.academy import Academy
from lammer.floor.web.pages.academy.trainer import Trainer
from lammer.floor.web.pages.accounts.accounts import AccountPages
from lammer.floor.web.pages.accounts.administration import Administration
from lammer.floor.web.pages.accounts.many_accounts import ManyAccounts
from lammer.floor.web.pages.accounts.second_factor import SecondFactor
from lammer.floor.web.pages.audit.audit import AuditPages
from lammer.floor.web.pages.dealer.dealing import Dealing
from lammer.floor.web.pages.irregularities.something_wrong import SomethingWrong
from lammer.floor.web.pages.lab.lab import Lab
from lammer.floor.web.pages.lab.lab_work import LabWork
from lammer.floor.web.pages.lobby.board import Board
from lammer.floor.web.pages.lobby.lobby import Lobby
from lammer.floor.web.pages.lobby.several import SeveralTables
from lammer.floor.web.pages.pit.house_report import HouseReportPages
from lammer.floor.web.pages.pit.pit import Pit
from lammer.floor.web.pages.pit.stops import StopPages
from lammer.floor.web.pages.pit.table_report import TableReport
from lammer.floor.web.pages.player.history import History, OwnHistory
from lammer.floor.web.pages.player.playing import Playing
from lammer.floor.web.pages.rules.rules import Rules
from lammer.floor.web.pages.rules.workbench import WorkbenchPages
from lammer.floor.web.pages.site.coming_in import ComingIn

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
