"""The set-up of a table as a form: rulebook, layout, limits, shoe, readings. The table says what holds.

A single bet may have limits of its own; one without them goes by those of its kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from lammer.floor.web.pages.commanding import YES
from lammer.floor.web.pages.frame import Choice, choices
from lammer.floor.web.pages.site import whole_number
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.table.setup import HOUSE_ROLES, Limits, SetUp
from lammer.table.state import Table
from lammer.wording.catalogues import ENGLISH, Language
from lammer.wording.rules import choice_of, reading_words

KINDS: Final = ("original", "side")
CHOICES: Final = ("face_down", "high_limit", "insurance", "private", "test")
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
    setup = table.setup or SetUp(next(iter(table.books)), "A", limits={kind: Limits(10_00) for kind in KINDS})
    fields: dict[str, Any] = {name: getattr(setup, name) for name in (*NUMBERS, *CHOICES, *TEXTS)}
    fields |= {"box_names": ", ".join(setup.box_names), "reason": table.out_of_force}
    fields["differential"] = _amount(setup.differential)
    for kind in KINDS:
        limits = setup.limits.get(kind) or Limits(1_00)
        fields[f"{kind}_minimum"] = _amount(limits.minimum)
        fields[f"{kind}_maximum"] = _amount(limits.maximum) if limits.maximum else ""
    return fields | {"readings": dict(setup.readings), "seen": mark(table.setup)}


def _amount(cents: int) -> str:
    return show(cents).removesuffix(".00")


def readings_of(table: Table, language: Language = ENGLISH) -> list[tuple[str, str, list[Choice]]]:
    """The readings a table may choose: name, question, everything it may choose."""
    if table.setup is None:
        return []
    return [
        (
            reading.name,
            reading_words(language, table.book, reading).question,
            choices(
                (
                    (choice, choice_of(language, table.book, choice))
                    for choice in (reading.choice, *reading.alternatives)
                ),
                table.reading(reading.name),
            ),
        )
        for reading in table.book.readings.values()
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
    before = table.setup
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
    if before is not None and before.rulebook == setup["rulebook"]:
        limits |= _own_limits(table, form)
        setup["readings"] = _readings(table, form)
    return setup


def names_of(written: str) -> list[str]:
    """The names of the boxes as somebody wrote them, with commas or spaces between.

    >>> names_of("6, 5,3 2"), names_of("")
    (['6', '5', '3', '2'], [])
    """
    return written.replace(",", " ").split()


def single_bets(table: Table) -> list[tuple[str, str, str]]:
    """The bets of the layout that may have limits of their own: name, least and most; empty without them."""
    if table.setup is None:
        return []
    bets = []
    for bet in table.book.offered(table.layout):
        own = table.require_setup().limits.get(bet.name)
        most = _amount(own.maximum) if own is not None and own.maximum else ""
        bets.append((bet.name, _amount(own.minimum) if own is not None else "", most))
    return bets


def _own_limits(table: Table, form: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The limits of single bets a form asks for; those it does not show stay as they are."""
    names_in_form = {name for name, _, _ in single_bets(table) if f"least_{name}" in form}
    limits = {name: _limits(own) for name, own in table.require_setup().limits.items() if name not in KINDS}
    for name in names_in_form:
        limits.pop(name, None)
        asked = {
            "minimum": str(form[f"least_{name}"]).strip(),
            "maximum": str(form.get(f"most_{name}", "")).strip(),
        }
        if any(asked.values()):
            # A maximum alone leaves the least as it is for the bet's kind.
            kind = "original" if table.book.bets[name].original else "side"
            asked["minimum"] = asked["minimum"] or str(form.get(f"{kind}_minimum", "")).strip()
            limits[name] = {limit: amount for limit, amount in asked.items() if amount}
    return limits


def single_limits(
    table: Table, titles: Mapping[str, str], filled: Mapping[str, Any]
) -> list[tuple[str, str, str, str]]:
    """The bets that may have limits of their own, for the form: name, title, least and most.

    The limits are as they are, or as somebody has typed them.
    """
    return [
        (name, titles[name], filled.get(f"least_{name}", least), filled.get(f"most_{name}", most))
        for name, least, most in single_bets(table)
    ]


def _limits(limits: Limits) -> dict[str, str]:
    return {"minimum": show(limits.minimum)} | ({"maximum": show(limits.maximum)} if limits.maximum else {})


def _readings(table: Table, form: Mapping[str, Any]) -> dict[str, str]:
    """The readings that are not the document's own choice; those the form does not show stay."""
    chosen = dict(table.require_setup().readings)
    for name, _, _ in readings_of(table):
        choice = form.get(f"reading_{name}")
        if choice is not None:
            chosen[name] = str(choice)
    return {name: choice for name, choice in chosen.items() if choice != table.book.readings[name].choice}
