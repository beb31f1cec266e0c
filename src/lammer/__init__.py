"""Lammer: approved baccarat Game Rules as a running system.

The public face of the core. Everything here is pure but `rulebook`, which reads a file.

>>> import lammer
>>> book = lammer.rulebook("tiger-buffalo-commission-insurance@3")
>>> cards = lammer.parse_cards("2S 9D 5H KC")
>>> settled = lammer.settle(book, "A", cards, [lammer.PlacedBet("p1", 3, "banker", 50_00)])
>>> line = settled.lines[0]
>>> line.profit, line.commission, [cite.paragraph for cite in line.cites]
(4750, 250, ['4.1.2', '4.1.1', '3.16'])
"""

from lammer.game.cards import Card, parse_cards
from lammer.game.conclusive import established, standings
from lammer.game.drawing import deal
from lammer.game.insurance import offers
from lammer.game.settlement import Line, PlacedBet, PlacedInsurance, Settlement, settle
from lammer.rulebook.citation import Citation
from lammer.rulebook.load import load
from lammer.rulebook.model import Rulebook
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import rulebook, shelf

__all__ = [
    "Card",
    "Citation",
    "DefectiveRulebook",
    "Line",
    "PlacedBet",
    "PlacedInsurance",
    "Refused",
    "Rulebook",
    "Settlement",
    "deal",
    "established",
    "load",
    "offers",
    "parse_cards",
    "rulebook",
    "settle",
    "shelf",
    "standings",
]
