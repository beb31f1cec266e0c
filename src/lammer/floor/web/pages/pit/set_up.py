"""The set-up of a table as a form: rulebook, layout, limits, shoe, readings. The table says what holds.

A single bet may have limits of its own; one without them goes by those of its kind. Layouts, single bets and
readings are those of one rulebook: a form says which one it was drawn for, and is drawn anew for another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from lammer.floor.web.pages.site.commanding import YES
from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.site import whole_number
from lammer.game.money import show
from lammer.rulebook.force import superseded_by
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table.setup import HOUSE_ROLES, Limits, SetUp
from lammer.table.state import Table
from lammer.wording.catalogues import ENGLISH, Language, say
from lammer.wording.figures import write_chips, write_list
from lammer.wording.rules import choice_of, reading_words
from lammer.wording.titles import title_of

KINDS: Final = ("original", "side")
CHOICES: Final = ("face_down", "high_limit", "insurance", "private", "test", "exact_chances")
NUMBERS: Final = ("boxes", "decks", "cut")
TEXTS: Final = ("rulebook", "layout", "shoe", "insurance_declined_by", "house_role")


def mark(setup: SetUp | None) -> str:
    """What a form was filled in on: changed meanwhile, it is not sent over what another person has set.

    >>> mark(None), len(mark(SetUp("x@1", "A")))
    ('', 16)
    """
    if setup is None:
        return ""
    return hashlib.sha256(msgspec.json.encode(setup, order="deterministic")).hexdigest()[:16]


def form_fields(table: Table) -> dict[str, Any]:
    """The form's fields as the table stands; a table that is not set up gets what most tables have."""
    setup = table.setup or _usual_setup(table)
    fields: dict[str, Any] = {name: getattr(setup, name) for name in (*NUMBERS, *CHOICES, *TEXTS)}
    fields |= {"box_names": ", ".join(setup.box_names), "reason": table.out_of_force}
    fields["differential"] = _amount(setup.differential)
    for kind in KINDS:
        limits = setup.limits.get(kind) or Limits(1_00)
        fields[f"{kind}_minimum"] = _amount(limits.minimum)
        fields[f"{kind}_maximum"] = _amount(limits.maximum) if limits.maximum else ""
    return fields | {"readings": dict(setup.readings), "seen": mark(table.setup)}


def _usual_setup(table: Table) -> SetUp:
    """What a table that is not set up begins with: a rulebook nothing has superseded."""
    books = table.books.values()
    book = next(book for book in books if superseded_by(books, book) is None)
    return SetUp(book.id, next(iter(book.layouts)), limits={kind: Limits(10_00) for kind in KINDS})


def drawn_for(table: Table, filled: Mapping[str, Any]) -> Rulebook:
    """The rulebook whose layouts, single bets and readings a form shows: the chosen one, or the table's."""
    chosen = table.books.get(str(filled.get("rulebook", "")))
    return chosen or table.books[(table.setup or _usual_setup(table)).rulebook]


def layout_choices(book: Rulebook, chosen: str, language: Language = ENGLISH) -> list[Choice]:
    """The layouts of a rulebook: how many boxes each may have, and its bets that not every layout has.

    >>> from lammer import rulebook
    >>> layout_choices(rulebook("tiger-buffalo-noncommission@4"), "M")[12]
    Choice(value='M', label='M, 1 to 5 boxes: Player Pair, Banker Pair, Big Tiger, Small Tiger', chosen=True)
    """
    common = set(bets_of_every_layout(book))
    labels = []
    for letter, layout in book.layouts.items():
        label = say(
            language,
            "{letter}, {fewest} to {most} boxes",
            letter=letter,
            fewest=layout.fewest,
            most=layout.most,
        )
        own = [title_of(language, bet) for bet in book.offered(layout) if bet.name not in common]
        labels.append((letter, f"{label}: {say(language, ', ').join(own)}" if own else label))
    return choices(labels, chosen)


def bets_of_every_layout(book: Rulebook) -> list[str]:
    """The bets no layout of a rulebook goes without."""
    offered = [{bet.name for bet in book.offered(layout)} for layout in book.layouts.values()]
    return [name for name in book.bets if all(name in names for names in offered)]


def common_bets(book: Rulebook, language: Language = ENGLISH) -> str:
    """The same as they are called, in a row.

    >>> from lammer import rulebook
    >>> common_bets(rulebook("tiger-buffalo-noncommission-insurance@3"))
    'Player, Banker and Tie'
    """
    return write_list(language, (title_of(language, book.bets[name]) for name in bets_of_every_layout(book)))


def _amount(cents: int) -> str:
    return show(cents).removesuffix(".00")


def readings_of(
    table: Table,
    language: Language = ENGLISH,
    book: Rulebook | None = None,
    filled: Mapping[str, Any] | None = None,
) -> list[tuple[str, str, list[Choice]]]:
    """The readings of a rulebook a table may choose: name, question, everything it may choose.

    Chosen is what somebody has, else what the table has under that rulebook, else what the document says.
    """
    book = book or drawn_for(table, {})
    own = table.setup.readings if table.setup is not None and table.setup.rulebook == book.id else {}
    return [
        (
            reading.name,
            reading_words(language, book, reading).question,
            choices(
                (
                    (choice, choice_of(language, book, choice))
                    for choice in (reading.choice, *reading.alternatives)
                ),
                (filled or {}).get(f"reading_{reading.name}", book.reading(reading.name, own)),
            ),
        )
        for reading in book.readings.values()
        if reading.alternatives
    ]


def setup_of_form(table: Table, form: Mapping[str, Any]) -> dict[str, Any]:
    """The set-up a form asks for, as the table's command takes it."""
    if str(form.get("seen", "")) != mark(table.setup):
        raise Refused(
            "table_moved_on",
            "Somebody has changed the set-up since this page was loaded.",
            next_step="Load the page again and look at it first.",
        )
    limits: dict[str, Any] = {"differential": str(form.get("differential", "")).strip()}
    for kind in KINDS:
        limits[kind] = {"minimum": str(form.get(f"{kind}_minimum", "")).strip()}
        if most := str(form.get(f"{kind}_maximum", "")).strip():
            limits[kind]["maximum"] = most
    setup: dict[str, Any] = {
        "rulebook": str(form.get("rulebook", "")),
        "layout": str(form.get("layout", "")).strip().upper(),
        "shoe": str(form.get("shoe", "virtual")),
        "limits": limits,
        "insurance_declined_by": str(form.get("insurance_declined_by", "")).strip(),
        "house_role": str(form.get("house_role", "")) or HOUSE_ROLES[0],
        "box_names": names_of(str(form.get("box_names", ""))),
    }
    for name in NUMBERS:
        text = str(form.get(name, "0")).strip() or "0"
        setup[name] = whole_number(text, 5)
        if setup[name] is None:
            raise Refused(
                "malformed_input", "{name} is a whole number, not {text}.", name=name, text=repr(text[:20])
            )
    setup |= {name: str(form.get(name, "")) in YES for name in CHOICES}
    book = table.books.get(setup["rulebook"])
    if book is not None and book.id == form.get("drawn_for", drawn_for(table, {}).id):
        limits |= _own_limits(table, book, form)
        setup["readings"] = _readings(table, book, form)
    return setup


def for_another_table(setup: SetUp) -> SetUp:
    """A set-up without what is this table's alone: that it is private, and who there plays without Insurance.

    >>> own = SetUp("snap@1", "A", private=True, insurance=False, insurance_declined_by="mei")
    >>> for_another_table(own) == SetUp("snap@1", "A")
    True
    """
    declined = bool(setup.insurance_declined_by)
    return replace(setup, private=False, insurance=setup.insurance or declined, insurance_declined_by="")


def as_asked(setup: SetUp) -> dict[str, Any]:
    """A set-up that stands, as the command takes it: for another table.

    >>> from lammer.table.decoding import setup_of
    >>> setup = SetUp("snap@1", "A", limits={"original": Limits(25_00, 500_00), "side": Limits(10_50)})
    >>> setup_of(as_asked(setup)) == setup
    True
    """
    asked: dict[str, Any] = msgspec.to_builtins(setup)
    del asked["differential"]
    limits = {name: _limits(own) for name, own in setup.limits.items()}
    return asked | {"limits": limits | {"differential": show(setup.differential)}}


def names_of(written: str) -> list[str]:
    """The names of the boxes as somebody wrote them, with commas or spaces between.

    >>> names_of("6, 5,3 2"), names_of("")
    (['6', '5', '3', '2'], [])
    """
    return written.replace(",", " ").split()


def single_bets(table: Table, book: Rulebook | None = None) -> list[tuple[str, str, str]]:
    """The bets that may have limits of their own: name, least and most; empty without them.

    They are all the bets of a rulebook, since a form may choose another layout.
    """
    book = book or drawn_for(table, {})
    limits = _limits_under(table, book)
    bets = []
    for name in book.bets:
        own = limits.get(name)
        most = _amount(own.maximum) if own is not None and own.maximum else ""
        bets.append((name, _amount(own.minimum) if own is not None else "", most))
    return bets


def _limits_under(table: Table, book: Rulebook) -> dict[str, Limits]:
    """The limits of single bets a table has under a rulebook."""
    if table.setup is None or table.setup.rulebook != book.id:
        return {}
    return {name: limits for name, limits in table.setup.limits.items() if name not in KINDS}


def _own_limits(table: Table, book: Rulebook, form: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The limits of single bets a form asks for; those it does not show stay as they are."""
    limits = {name: _limits(own) for name, own in _limits_under(table, book).items()}
    for name in book.bets:
        if f"least_{name}" not in form:
            continue
        limits.pop(name, None)
        asked = {
            "minimum": str(form[f"least_{name}"]).strip(),
            "maximum": str(form.get(f"most_{name}", "")).strip(),
        }
        if any(asked.values()):
            # A maximum alone leaves the least as it is for the bet's kind.
            kind = "original" if book.bets[name].original else "side"
            asked["minimum"] = asked["minimum"] or str(form.get(f"{kind}_minimum", "")).strip()
            limits[name] = {limit: amount for limit, amount in asked.items() if amount}
    return limits


def single_limits(
    table: Table, book: Rulebook, filled: Mapping[str, Any], language: Language = ENGLISH
) -> list[tuple[str, str, str, str]]:
    """The bets that may have limits of their own, for the form: name, title, least and most.

    The limits are as they are, or as somebody has typed them.
    """
    return [
        (
            name,
            title_of(language, book.bets[name]),
            filled.get(f"least_{name}", least),
            filled.get(f"most_{name}", most),
        )
        for name, least, most in single_bets(table, book)
    ]


def limit_lines(table: Table, language: Language = ENGLISH) -> list[tuple[str, str]]:
    """The limits of a table for whoever reads them: of what, and from how much to how much."""
    names = {"original": say(language, "Original Bets"), "side": say(language, "Side bets")}
    names |= {name: title_of(language, bet) for name, bet in table.book.bets.items()}
    setup = table.require_setup()
    lines = [
        (
            names.get(name, name),
            write_chips(language, own.minimum)
            + (f" – {write_chips(language, own.maximum)}" if own.maximum else ""),
        )
        for name, own in setup.limits.items()
    ]
    return [*lines, (say(language, "Differential"), write_chips(language, setup.differential))]


def _limits(limits: Limits) -> dict[str, str]:
    return {"minimum": show(limits.minimum)} | ({"maximum": show(limits.maximum)} if limits.maximum else {})


def _readings(table: Table, book: Rulebook, form: Mapping[str, Any]) -> dict[str, str]:
    """The readings that are not the document's own choice; those the form does not show stay."""
    chosen = dict(table.setup.readings) if table.setup and table.setup.rulebook == book.id else {}
    for name, _, _ in readings_of(table, book=book):
        choice = form.get(f"reading_{name}")
        if choice is not None:
            chosen[name] = str(choice)
    return {name: choice for name, choice in chosen.items() if choice != book.readings[name].choice}
