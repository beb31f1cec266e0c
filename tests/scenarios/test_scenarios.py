"""Whole rounds that a pit manager can read, run under every rulebook they name.

Each file says what is done, what is refused and under which paragraph, and what must have come out; the
product compares it (`lammer.table.expectations`, tested in `tests/table/test_expectations.py`). Whatever the
file says, money balances after every event, a refused step changes nothing, and the journal alone gives back
the same table, to the byte. Money is counted a second time without the program's help.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lammer.rulebook.behaviours import IRREGULARITIES
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.shelf import shelf
from lammer.table import commands as c, events as e
from lammer.table.decoding import command_of
from lammer.table.fold import evolve
from lammer.table.journal import Entry, decode, encode, entries, replay, snapshot
from lammer.table.per_rulebook import rulebooks_of, under_rulebook
from lammer.table.script import calls, run, unmet_expectations
from lammer.table.state import Table

BOOKS: dict[str, Rulebook] = {book.id: book for book in shelf()}
FILES = sorted(Path(__file__).parent.glob("*.toml"))


def scenario(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


CASES = [
    pytest.param(file, book, id=f"{file.stem}-{book}")
    for file in FILES
    for book in rulebooks_of(scenario(file))
]


@pytest.mark.parametrize(("file", "book"), CASES)
def test_scenario(file: Path, book: str) -> None:
    script = under_rulebook(scenario(file), book)
    played = run(BOOKS, script)
    assert not [str(short) for short in unmet_expectations(played)]
    table, journal = play(script)
    assert [encode(entry) for entry in played.journal] == [encode(entry) for entry in journal]
    must_balance_and_replay(table, journal)
    must_have_paid(script["expect"], table)


def play(script: Mapping[str, Any]) -> tuple[Table, list[Entry]]:
    """Run a scenario call by call; a refused one changes nothing."""
    table, journal = Table(BOOKS), list[Entry]()
    for call in calls(BOOKS, script):
        before = snapshot(table)
        role = call.by if call.by in ROLES else "player"
        try:
            command = command_of(call.do, call.fields)
            journal.extend(entries(table, c.Call(call.by, role, call.at, command), len(journal) + 1))
        except Refused:
            assert snapshot(table) == before, f"{call.place}: refused, and yet something changed"
    return table, journal


def must_balance_and_replay(table: Table, journal: list[Entry]) -> None:
    again = Table(BOOKS)
    for entry in journal:
        evolve(again, entry.event)
        assert not sum(again.accounts.values()), f"accounts do not add up after {entry}"
    lines = [encode(entry) for entry in journal]
    read = [decode(line) for line in lines]
    assert read == journal
    assert [encode(entry) for entry in read] == lines
    assert snapshot(again) == snapshot(table) == snapshot(replay(BOOKS, read))
    must_have_kept_its_promise(journal)


def must_have_kept_its_promise(journal: list[Entry]) -> None:
    """What a virtual shoe shows at its end hashes to what it published before, and it dealt that order."""
    promised, left = "", list[str]()
    for entry in journal:
        event = entry.event
        if isinstance(event, e.ShoePrepared):
            promised, left = event.commitment, list(event.order)
        elif isinstance(event, e.CardDealt) and left and not event.carried:
            assert event.card == left.pop(0)
        elif isinstance(event, e.ShoeEnded) and promised:
            shown = f"{event.salt}:{' '.join(event.order)}"
            assert hashlib.sha256(shown.encode()).hexdigest() == promised


def must_have_paid(expect: Mapping[str, Any], table: Table) -> None:
    """What the file says of money, counted without the program's own help."""
    players = {name.removeprefix("player:"): money for name, money in table.accounts.items() if ":" in name}
    if "net" in expect:
        assert players == {name: cents(amount) for name, amount in expect["net"].items()}
    for account in ("bank", "commission"):
        if account in expect:
            assert table.accounts.get(account, 0) == cents(expect[account]), account


def cents(amount: str) -> int:
    """`-100.00` as cents, without the program's own help."""
    whole, _, part = amount.partition(".")
    value = int(whole.removeprefix("-")) * 100 + int((part + "00")[:2])
    return -value if amount.startswith("-") else value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_proves_paragraphs_that_exist(file: Path) -> None:
    script = scenario(file)
    assert script["title"]
    for book, paragraphs in rulebooks_of(script).items():
        assert paragraphs, f"{file.name} proves nothing under {book}"
        assert not set(paragraphs) - set(BOOKS[book].paragraphs), f"{file.name} under {book}"


@pytest.mark.parametrize("book", BOOKS)
def test_every_irregularity_has_a_scenario(book: str) -> None:
    proven = {number for file in FILES for number in rulebooks_of(scenario(file)).get(book, ())}
    shown = {name for number in proven for name in BOOKS[book].paragraphs[number].behaviours}
    assert not set(BOOKS[book].irregularities) - shown
    assert not (IRREGULARITIES & shown) - set(BOOKS[book].irregularities)


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 45
    titles = [scenario(file)["title"] for file in FILES]
    assert len(set(titles)) == len(titles)
