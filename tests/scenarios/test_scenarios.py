"""Whole rounds that a pit manager can read, run under every rulebook they name.

Each file says what is done, what is refused and under which paragraph, and what must have come out. Whatever
the file says, money balances after every event, a refused step changes nothing, and the journal alone gives
back the same table, to the byte.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lammer.rulebook.behaviours import IRREGULARITIES
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.shelf import shelf
from lammer.table import commands as c, events as e
from lammer.table.fold import evolve
from lammer.table.journal import Entry, decode, encode, entries, replay, snapshot
from lammer.table.script import START, calls as calls_of, command_of, run
from lammer.table.state import Table

BOOKS: dict[str, Rulebook] = {book.id: book for book in shelf()}
FILES = sorted(Path(__file__).parent.glob("*.toml"))
KNOWN = {
    "net", "hands", "ends", "events", "never", "cites", "carried", "bank", "commission", "insured", "past",
    "rounds", "forgone",
}  # fmt: skip


def scenario(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def proves(script: Mapping[str, Any]) -> dict[str, list[str]]:
    """The rulebooks a scenario holds under, each with the paragraphs it proves there."""
    if "rulebooks" in script:
        return dict(script["rulebooks"])
    return {script["rulebook"]: script["proves"]}


def under(book: str, value: Any) -> Any:
    """A value that differs from rulebook to rulebook is a table by their ids."""
    if isinstance(value, dict) and value and all("@" in key for key in value):
        return value[book]
    return value


CASES = [
    pytest.param(file, book, id=f"{file.stem}-{book}") for file in FILES for book in proves(scenario(file))
]


@pytest.mark.parametrize(("file", "book"), CASES)
def test_scenario(file: Path, book: str) -> None:
    script = {**scenario(file), "rulebook": book}
    table, journal = play(script, book)
    assert [encode(entry) for entry in run(BOOKS, script).journal] == [encode(entry) for entry in journal]
    must_balance_and_replay(table, journal)
    must_expect(under(book, script["expect"]), book, table, journal)


def play(script: Mapping[str, Any], book: str) -> tuple[Table, list[Entry]]:
    """Run a scenario step by step, comparing each step with what it says of itself."""
    table, journal, at = Table(BOOKS), list[Entry](), START
    for step, calls in steps(script):
        told = f"{step.get('do')} by {step.get('by')} (line {step.get('n')})"
        refused, cite = under(book, step.get("refused")), under(book, step.get("cites"))
        for by, do, command in calls:
            at += timedelta(seconds=1)
            before = snapshot(table)
            made, no = ask(table, by, do, command, at, len(journal) + 1)
            if no is None:
                assert not refused, f"{told}: should be refused as {refused}, gave {made}"
                assert not cite or any(cite in cited(entry.event) for entry in made), f"{told}: {made}"
            else:
                assert snapshot(table) == before, f"{told}: refused, and yet something changed"
                assert refused == no.code, f"{told}: {no}"
                given = no.citation and (no.citation.rulebook, no.citation.paragraph)
                assert not cite or given == (book, cite), f"{told}: {no}"
            journal.extend(made)
    return table, journal


def ask(
    table: Table, by: str, do: str, command: Any, at: datetime, number: int
) -> tuple[tuple[Entry, ...], Refused | None]:
    """What comes of one call: entries, or the refusal."""
    try:
        asked = command if not isinstance(command, dict) else command_of(do, command)
        role = by if by in ROLES else "player"
        return entries(table, c.Call(by, role, at, asked), number), None
    except Refused as no:
        return (), no


def steps(script: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[tuple[str, str, Any]]]]:
    """The set-up, then every step of a scenario with the calls it makes."""
    opening = list(calls_of({**script, "step": []}))
    yield {"do": "set-up"}, opening
    for number, step in enumerate(script["step"], 1):
        yield {**step, "n": number}, list(calls_of({**script, "step": [step]}))[len(opening) :]


def cited(event: e.Event) -> set[str]:
    """Every paragraph an event names."""
    found = {getattr(event, "cite", ""), *getattr(event, "cites", ())}
    for part in ("lines", "posted", "offers"):
        for line in getattr(event, part, ()):
            found.update(getattr(line, "cites", ()), {getattr(line, "cite", "")})
    return found - {""}


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


def must_expect(expect: Mapping[str, Any], book: str, table: Table, journal: list[Entry]) -> None:
    assert not expect.keys() - KNOWN, f"unknown expectation: {expect.keys() - KNOWN}"
    expect = {key: under(book, value) for key, value in expect.items()}
    here, names = table.round, [type(entry.event).__name__ for entry in journal]
    if "net" in expect:
        players = {
            name.removeprefix("player:"): money for name, money in table.accounts.items() if ":" in name
        }
        wanted = {name: cents(under(book, amount)) for name, amount in expect["net"].items()}
        assert players == wanted
    for account in ("bank", "commission"):
        if account in expect:
            assert table.accounts.get(account, 0) == cents(expect[account]), account
    if "ends" in expect:
        assert here is not None
        assert here.phase == expect["ends"]
    for side, cards in expect.get("hands", {}).items():
        assert here is not None
        assert " ".join(here.values(side)) == cards, side
    if "events" in expect:
        waiting = iter(names)
        for name in expect["events"]:
            assert name in waiting, f"{name} did not happen, or not in this order: {names}"
    for name in expect.get("never", ()):
        assert name not in names
    for player, paragraphs in expect.get("cites", {}).items():
        found = {cite for entry in journal for cite in told_to(player, entry.event)}
        assert not set(under(book, paragraphs)) - found, f"{player}'s lines cite {sorted(found)}"
    if "carried" in expect:
        assert " ".join(table.carried) == expect["carried"]
    if "insured" in expect:
        assert here is not None
        stakes = {bet.player: 0 for bet in here.insured.values()}
        for bet in here.insured.values():
            stakes[bet.player] += bet.stake
        assert stakes == {name: cents(amount) for name, amount in expect["insured"].items()}
    if "forgone" in expect:
        assert here is not None
        assert sorted(here.forgone) == sorted(expect["forgone"])
    if "rounds" in expect:
        assert list(table.results) == expect["rounds"], "the rounds on the roads"
    for number, was in expect.get("past", {}).items():
        past = table.past[int(number)]
        assert [" ".join(past.player), " ".join(past.banker)] == [was["player"], was["banker"]]
        assert past.void == was["void"]


def cents(amount: str) -> int:
    """`-100.00` as cents, without the program's own help."""
    whole, _, part = amount.partition(".")
    value = int(whole.removeprefix("-")) * 100 + int((part + "00")[:2])
    return -value if amount.startswith("-") else value


def told_to(player: str, event: e.Event) -> Iterator[str]:
    """The paragraphs behind what an event gave a player or took from him."""
    if getattr(event, "player", None) == player:
        yield getattr(event, "cite", "")
    for part in ("lines", "posted", "returned"):
        for line in getattr(event, part, ()):
            if line.player == player:
                yield from getattr(line, "cites", ())
                yield from cited(event) if part == "returned" else ()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_proves_paragraphs_that_exist(file: Path) -> None:
    script = scenario(file)
    assert script["title"]
    for book, paragraphs in proves(script).items():
        assert paragraphs, f"{file.name} proves nothing under {book}"
        assert not set(paragraphs) - set(BOOKS[book].paragraphs), f"{file.name} under {book}"


@pytest.mark.parametrize("book", BOOKS)
def test_every_irregularity_has_a_scenario(book: str) -> None:
    proven = {number for file in FILES for number in proves(scenario(file)).get(book, ())}
    shown = {name for number in proven for name in BOOKS[book].paragraphs[number].behaviours}
    assert not set(BOOKS[book].irregularities) - shown
    assert not (IRREGULARITIES & shown) - set(BOOKS[book].irregularities)


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 45
    titles = [scenario(file)["title"] for file in FILES]
    assert len(set(titles)) == len(titles)
