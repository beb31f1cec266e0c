"""Another player is known by their box: nothing that a player is given holds somebody else's name.

Every scenario is looked at event by event, as a stranger, as each of its players, as a board and as staff.
The same scenarios show that balance and felt together are all a player owns, at every moment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lammer.floor.record.revealed import RevealedEvent, reveal
from lammer.floor.record.verify.verify_replies import _same
from lammer.floor.views.viewing import Viewer, event_seen, event_sent, on_felt, table_seen, won
from lammer.rulebook.model import Rulebook
from lammer.shelf import shelf
from lammer.table import events as e
from lammer.table.fold import evolve
from lammer.table.journal import Entry, encode
from lammer.table.ledger import player as account_of, postings, purse as purse_of
from lammer.table.per_rulebook import rulebooks_of, under_rulebook
from lammer.table.script import run
from lammer.table.state import Table

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))
STRANGER, BOARD, DEALER = Viewer("nobody-known", "player"), Viewer("door", "board"), Viewer("mei", "dealer")


@cache
def books() -> dict[str, Rulebook]:
    return {book.id: book for book in shelf()}


@cache
def journal_of(file: Path) -> list[Entry]:
    """What happened in a scenario, under the first rulebook it holds under."""
    script = tomllib.loads(file.read_text("utf-8"))
    return run(books(), under_rulebook(script, next(iter(rulebooks_of(script))))).journal


def moments(file: Path) -> Iterator[tuple[Table, RevealedEvent]]:
    """A scenario event by event, with the table as it then is."""
    table = Table(books())
    for entry in journal_of(file):
        evolve(table, entry.event)
        yield table, reveal(table, entry)


def players_of(file: Path) -> set[str]:
    """Everybody a scenario moves money of, or who sat down in it."""
    names = {
        posting.account.removeprefix("player:")
        for entry in journal_of(file)
        for posting in postings(entry.event)
        if posting.account.startswith("player:")
    }
    return names | {entry.event.player for entry in journal_of(file) if isinstance(entry.event, e.SeatTaken)}


def texts_in(value: Any) -> Iterator[str]:
    """Every text in what somebody was shown, names of fields among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from texts_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_in(part)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nobody_but_staff_reads_the_name_of_another_player(file: Path) -> None:
    players = players_of(file)
    viewers = [STRANGER, BOARD, *(Viewer(name, "player") for name in sorted(players))]
    for table, revealed in moments(file):
        for viewer in viewers:
            others = players - {viewer.name}
            for shown in (event_seen(revealed, viewer), table_seen(table, viewer)):
                assert not others & set(texts_in(shown)), (viewer, shown)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_sent_is_what_is_seen_whoever_asked_first(file: Path) -> None:
    """Events are written once for all who see the same of them; nobody gets what was written for another."""
    viewers = [DEALER, STRANGER, BOARD, *(Viewer(name, "player") for name in sorted(players_of(file)))]
    for _, revealed in moments(file):
        for viewer in (*viewers, *reversed(viewers)):
            seen = event_seen(revealed, viewer)
            sent = event_sent(revealed, viewer)
            assert (b"data: " in sent) == (seen is not None)
            if seen is not None:
                assert msgspec.json.encode(seen) in sent, (viewer, type(revealed.entry.event))


def test_staff_still_read_every_name() -> None:
    named = 0
    for file in FILES:
        players = players_of(file)
        for table, revealed in moments(file):
            named += len(players & set(texts_in(event_seen(revealed, DEALER))))
            assert {seat["player"] for seat in table_seen(table, DEALER).get("seats", ())} == set(table.seats)
    assert named > 100


def test_an_answer_that_leaves_other_names_out_is_still_the_record() -> None:
    """An answer kept for a player is compared with the events, but for the names they were not told."""
    ended = e.WindowPassed("four_cards", ("anna", "ben"), "5.3")
    reduced = e.BetReduced(4, "ben", 100_00, "the seated player withdrew", "3.6")
    at = journal_of(FILES[0])[0].at
    for entry in (Entry(7, at, "anna", "player", event) for event in (ended, reduced)):
        shown = event_seen(RevealedEvent(entry), Viewer("anna", "player"))
        assert shown is not None
        assert "ben" not in set(texts_in(shown))
        assert _same(shown, encode(entry))
        wrong = {name: "eve" if value == "" else value for name, value in shown.items()}
        wrong |= {"forgone": ["anna", "eve"]} if "forgone" in shown else {}
        assert not _same(wrong, encode(entry))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_balance_and_felt_are_all_a_player_owns_at_every_moment(file: Path) -> None:
    """Stakes lie on the felt or are in the balance, never both and never in neither."""
    players = players_of(file)
    owned = dict.fromkeys(players, 0)
    for table, revealed in moments(file):
        event = revealed.entry.event
        assert sum(on_felt(table, name) for name in players) == table.accounts.get("in_play", 0), event
        for name in players:
            now = table.accounts.get(account_of(name), 0) + on_felt(table, name)
            assert won(table, name) == now + table.accounts.get(purse_of(name), 0)
            # Only a settlement, one undone or put right, and chips brought or taken change that.
            if now != owned[name]:
                paid = (e.RoundSettled, e.SettlementReopened, e.RoundCorrected, e.ChipsBrought, e.ChipsTaken)
                assert isinstance(event, paid), event
            owned[name] = now


def test_the_scenarios_hold_what_the_felt_has_to_be_counted_through() -> None:
    kinds = {type(entry.event) for file in FILES for entry in journal_of(file)}
    assert {e.InsurancePlaced, e.RoundSettled, e.RoundVoided, e.BetsReturned, e.RoundCorrected} <= kinds
