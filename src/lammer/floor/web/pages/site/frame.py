"""What templates share: the ways through the house, lists to choose from, the sides, cards and moments.

Templates only loop, test and print; what they print is worked out here and in the modules of their pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from lammer.game.cards import write_card
from lammer.wording.catalogues import Language, catalogues, say

Say = Callable[..., str]
NOT_IN_PIT: Final = ("player", "administrator", "auditor")
NOT_IN_AUDIT: Final = ("player", "administrator")
NOT_IN_ACADEMY: Final = NOT_IN_PIT


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing of a list: the value it sends, what is read of it, and whether it is chosen."""

    value: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A link at the top of every page; `current` says how near the page is to it."""

    address: str
    label: str
    current: str


@dataclass(frozen=True, slots=True)
class SideName:
    """A side: its name in the record, its name and its letter for a reader.

    `letter_alone` is true where the language has one sign for both.
    """

    name: str
    label: str
    letter: str

    @property
    def letter_alone(self) -> bool:
        return self.label == self.letter


@dataclass(frozen=True, slots=True)
class Face:
    """A card in a line of text; one that lies face down has no text."""

    text: str
    colour: str


def choices(offered: Iterable[tuple[str, str]], chosen: object = None) -> list[Choice]:
    """A list to choose from, of values and what is read of them.

    >>> [choice.chosen for choice in choices((("a", "A"), ("b", "B")), "b")]
    [False, True]
    """
    return [Choice(value, label, value == chosen) for value, label in offered]


def plain_choices(values: Iterable[str], chosen: object = None) -> list[Choice]:
    """A list whose values are read as they are sent."""
    return choices(((value, value) for value in values), chosen)


def ways(t: Say, path: str, role: str) -> list[Way]:
    """Where a reader of that role may go; an empty role is nobody signed in.

    >>> [(way.address, way.current) for way in ways(partial(say, "en"), "/lab/work", "")]
    [('/lobby', ''), ('/rules', ''), ('/lab', 'true')]
    """
    offered = [("/lobby", t("Lobby"))]
    if role == "player":
        offered.append(("/history", t("My history")))
    if role and role not in NOT_IN_PIT:
        offered.append(("/pit", t("Pit")))
    if role and role not in NOT_IN_AUDIT:
        offered.append(("/audit", t("Audit")))
    if role == "administrator":
        offered.append(("/accounts", t("Accounts")))
    if role and role not in NOT_IN_ACADEMY:
        offered.append(("/academy", t("Academy")))
    offered += [("/rules", t("Rules")), ("/lab", t("Lab"))]
    return [Way(address, label, _current(address, path)) for address, label in offered]


def _current(address: str, path: str) -> str:
    if path == address:
        return "page"
    return "true" if path.startswith(address) else ""


def other_languages(language: Language) -> list[Choice]:
    """The languages a reader may change to."""
    return [Choice(name, catalogue.name) for name, catalogue in catalogues().items() if name != language]


def sides(language: Language) -> dict[str, SideName]:
    """The sides and the tie, by their names in the record."""
    t = partial(say, language)
    return {
        "player": SideName("player", t("Player"), t("P", within="glyph")),
        "banker": SideName("banker", t("Banker"), t("B", within="glyph")),
        "tie": SideName("tie", t("Tie"), t("T", within="glyph")),
    }


def role_name(language: Language, role: str) -> str:
    """A role within a sentence; nothing for nobody.

    >>> role_name("en", "pit_manager"), role_name("en", "")
    ('pit manager', '')
    """
    return say(language, role.replace("_", " ")) if role else ""


def role_title(language: Language, role: str) -> str:
    """A role as it is written beside a name.

    >>> role_title("en", "pit_manager")
    'Pit Manager'
    """
    return say(language, role.replace("_", " ").title())


def faces(cards: Iterable[str]) -> list[Face]:
    """Cards to be printed in a line.

    >>> [(face.text, face.colour) for face in faces(("TH", "9S", ""))]
    [('10♥', 'red'), ('9♠', 'black'), ('', 'back')]
    """
    return [Face(write_card(card), _colour(card)) for card in cards]


def _colour(card: str) -> str:
    if not card:
        return "back"
    return "red" if card[1] in "HD" else "black"


def form_value(value: object) -> str:
    """A value as a form sends it.

    >>> form_value(True), form_value(False), form_value(3)
    ('yes', 'no', '3')
    """
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def key_name(key: str) -> str:
    """What is printed on a key.

    >>> key_name(" "), key_name("d")
    ('Space', 'D')
    """
    return "Space" if key == " " else key.upper()


def is_paragraph(cited: str) -> bool:
    """Whether something cited is a paragraph; a title or an appendix has no number.

    >>> is_paragraph("4.1.2"), is_paragraph("Appendix A"), is_paragraph("")
    (True, False, False)
    """
    return cited[:1].isdigit()
