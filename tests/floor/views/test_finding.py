"""Finding rounds in a record, handing it out without its secrets, and long work beside the tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from threading import Event
from typing import Any

import msgspec
import pytest

from lammer.floor.record.contract import Store
from lammer.floor.views import finding
from lammer.floor.views.finding import RoundQuery, SetUps, first_since, rounds
from lammer.floor.views.round_marks import ANY, RoundMarks
from lammer.floor.views.shown_record import CountedRecord, ShownRecord
from lammer.floor.views.viewing import Viewer
from lammer.floor.web.long_work import Work, WorkQueue
from lammer.rulebook.refusal import Refused
from lammer.table.journal import encode, replay
from lammer.table.script import START
from support.at_table import BOOK, BOOKS, bets, cards, script
from support.awaited import GUARD, until
from support.houses import House, put

AUDITOR = Viewer("auditor", "auditor")
TABLE = "t1"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def played(sqlite: House) -> tuple[Store, Any]:
    """Forty rounds, a minute from event to event; a third player bets in the eleventh; one under way."""
    store = sqlite.open()
    steps: list[dict[str, Any]] = []
    for number in range(40):
        opened = bets()
        if number == 10:
            opened.insert(3, {"by": "p3", "do": "place_bet", "box": 1, "bet": "tie", "stake": "10"})
        ranks, suit = (("92K5", "83Q4")[number // 4 % 2], "SHDC"[number % 4])
        four = " ".join(f"{rank}{suit}" for rank in ranks)
        steps += [*opened, cards(four), {"by": "dealer", "do": "settle"}]
    made = script(*steps, *bets(), {"by": "dealer", "do": "deal_card", "card": "7S"})
    journal = [replace(entry, at=START + entry.number * MINUTE) for entry in made.journal]
    store.append(put(store, TABLE, *(encode(entry) for entry in journal))).result()
    return store, replay(BOOKS, journal)


def test_a_round_is_found_by_its_number(played: tuple[Store, Any]) -> None:
    store, _ = played
    (found,), go_on = rounds(store, TABLE, RoundQuery(number=7))
    assert (found.number, found.outcome.result) == (7, ("settled", "player", 8))
    assert (found.bets, found.staked, found.won) == (2, 140_00, -60_00)
    assert found.players == {"p1", "p2"}
    assert go_on is None
    assert rounds(store, TABLE, RoundQuery(number=99)) == ([], None)
    assert rounds(store, TABLE, RoundQuery(number=41))[0][0].state == "under way"


def test_rounds_come_newest_first_a_page_at_a_time(played: tuple[Store, Any]) -> None:
    store, _ = played
    seen: list[int] = []
    below = None
    while True:
        found, below = rounds(store, TABLE, RoundQuery(), below=below, limit=7)
        seen += [each.number for each in found]
        if below is None:
            break
    assert seen == list(range(41, 0, -1))


def test_rounds_are_found_by_time_wherever_they_are(played: tuple[Store, Any]) -> None:
    store, _ = played
    every = {each.number: each for each in rounds(store, TABLE, RoundQuery(), limit=100)[0]}
    for number in (1, 13, 40):
        at = every[number].at
        assert first_since(store, TABLE, at) == every[number].opened
        (found,) = rounds(store, TABLE, RoundQuery(since=at, until=at + MINUTE))[0]
        assert (found.number, found.state) == (number, "settled"), "it is told to its end"
    assert rounds(store, TABLE, RoundQuery(until=START)) == ([], None)
    assert rounds(store, TABLE, RoundQuery(since=START + 10_000 * MINUTE)) == ([], None)
    late = rounds(store, TABLE, RoundQuery(since=every[38].at), limit=100)[0]
    assert [each.number for each in late] == [41, 40, 39, 38]


def test_a_player_is_looked_for_so_far_and_then_asked(
    played: tuple[Store, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = played
    assert [each.number for each in rounds(store, TABLE, RoundQuery(player="p3"))[0]] == [11]
    monkeypatch.setattr(finding, "REACH", 50)
    seen, below, asked = [], None, 0
    while True:
        found, below = rounds(store, TABLE, RoundQuery(player="p3"), below=below)
        seen += [each.number for each in found]
        asked += 1
        if below is None:
            break
    assert seen == [11]
    assert asked > 3


@pytest.fixture
def eventful(sqlite: House) -> Store:
    """Round 1 is corrected while round 4 is open; 2 is void; 3 is a tie on five cards with a large stake."""
    store = sqlite.open()
    large: list[dict[str, Any]] = [{"by": "dealer", "do": "open_bets"},
             {"by": "p1", "do": "place_bet", "box": 1, "bet": "tie", "stake": "500"},
             {"by": "dealer", "do": "close_bets"}]  # fmt: skip
    settle = {"by": "dealer", "do": "settle"}
    misread = {"by": "pit_supervisor", "do": "correct_card", "round": 1, "hand": "banker", "place": 2,
               "card": "7C", "reason": "seen on the film"}  # fmt: skip
    void = {"by": "pit_supervisor", "do": "void_round", "cause": "foreign_card"}
    new_shoe = [{"by": "dealer", "do": "prepare_shoe"}]
    made = script(
        *bets(), cards("9S 2D KH 5C"), settle, *bets(), void, *new_shoe,
        *large, cards("2S 2H 3D 3C KS"), settle, {"by": "dealer", "do": "open_bets"}, misread,
    )  # fmt: skip
    store.append(put(store, TABLE, *(encode(entry) for entry in made.journal))).result()
    return store


def _found(store: Store, **wanted: Any) -> list[int]:
    found, go_on = rounds(store, TABLE, RoundQuery(**wanted))
    assert go_on is None
    return [truth.number for truth in found]


def test_rounds_are_found_by_what_they_came_to(eventful: Store) -> None:
    assert _found(eventful, winner="tie") == [3, 1], "as they stand, and not as they stood"
    assert _found(eventful, winner="player") == []
    assert _found(eventful, winner="tie", points=9) == [1]
    assert _found(eventful, points=5) == [3]
    assert _found(eventful, natural=True) == [1]


def test_rounds_are_found_by_what_happened_to_them(eventful: Store) -> None:
    assert _found(eventful, void=True) == [2]
    assert _found(eventful, corrected=True) == [1]
    assert _found(eventful, corrected=True, void=True) == []
    assert _found(eventful, irregularity="foreign_card") == [2]
    assert _found(eventful, irregularity=ANY) == [2, 1]
    assert _found(eventful, corrected=True, number=1) == [1]
    assert _found(eventful, corrected=True, number=3) == []


def test_rounds_are_found_by_paragraph_and_amount(eventful: Store) -> None:
    (void,) = rounds(eventful, TABLE, RoundQuery(void=True))[0]
    cite = void.changes[0].cites[0]
    assert 2 in _found(eventful, paragraph=cite)
    assert _found(eventful, paragraph=cite.partition(".")[0])[-1] == 1, "and those under it"
    assert _found(eventful, paragraph="99.9") == []
    assert _found(eventful, amount=400_00) == [3]
    assert _found(eventful, amount=100_00) == [3, 2, 1]


def test_a_correction_is_told_wherever_the_list_begins(eventful: Store) -> None:
    newest, below = rounds(eventful, TABLE, RoundQuery(), limit=3)
    assert [truth.number for truth in newest] == [4, 3, 2]
    (first,), _ = rounds(eventful, TABLE, RoundQuery(), below=below)
    assert first.corrected
    assert (first.outcome.winner, first.won) == ("tie", 0)
    (by_time,), _ = rounds(eventful, TABLE, RoundQuery(until=newest[-1].at))
    assert by_time.outcome == first.outcome


def test_marks_are_read_once_and_then_kept_up(eventful: Store) -> None:
    counted: list[int] = []
    record = CountedRecord(eventful, counted.append)
    marks = RoundMarks()
    with marks.current(record, TABLE) as current:
        assert (current.void, current.corrected) == ({2}, {1})
    read = record.count
    with marks.current(record, TABLE):
        pass
    assert record.count == read, "nothing is new"
    nothing = RoundMarks(lambda table: {})
    assert nothing.corrections(record, TABLE, 1, 0) == []
    assert record.count == read, "a table that was never corrected is not read"


def test_the_rulebook_of_an_event_is_the_one_the_table_was_set_to(played: tuple[Store, Any]) -> None:
    store, _ = played
    kept = SetUps()
    assert kept.rulebook(store, TABLE, 50) == BOOK
    assert kept.rulebook(store, TABLE, 0) == ""


def test_what_is_read_is_counted(played: tuple[Store, Any]) -> None:
    store, _ = played
    told: list[int] = []
    record = CountedRecord(store, told.append)
    assert len(record.read(TABLE, 0, 100)) == 100
    record.read(TABLE, 100, 20)
    assert told == [100, 120]
    assert record.tables() == [TABLE]
    assert record.head(TABLE) == store.head(TABLE)


def _virtual(store: Store, *, face_down: bool, ended: bool) -> Any:
    """A round from a virtual shoe, and another under way with one card on the table."""
    steps = [*bets(), {"by": "dealer", "do": "deal_card"}]
    if ended:
        shoe = {"by": "dealer", "do": "prepare_shoe", "entropy": "11" * 32}
        steps = [{"by": "dealer", "do": "end_shoe", "reason": "a card was seen"}, shoe]
    made = script(*steps, face_down=face_down, shoe="virtual", entropy="00" * 32)
    store.append(put(store, TABLE, *(encode(entry) for entry in made.journal))).result()
    return made.table


def test_the_order_of_a_shoe_in_use_and_a_card_face_down_are_withheld(sqlite: House) -> None:
    store = sqlite.open()
    state = _virtual(store, face_down=True, ended=False)
    shown = [msgspec.json.decode(each.body) for each in ShownRecord(store, TABLE, state, AUDITOR).read(TABLE)]
    raw = store.read(TABLE)
    told = [each.hash for each in ShownRecord(store, TABLE, state, AUDITOR).read(TABLE)]
    first = next(place for place, each in enumerate(raw) if b'"event":"ShoePrepared"' in each.body)
    assert told == [each.hash for each in raw[:first]] + [b""] * (len(raw) - first)
    (shoe,) = [each for each in shown if each["event"] == "ShoePrepared"]
    assert (shoe["order"], shoe["salt"], shoe["withheld"]) == ([], "", "what is still secret")
    (card,) = [each for each in shown if each["event"] == "CardDealt"]
    assert (card["card"], "withheld" in card) == ("", True)
    same = [each for each in shown if "withheld" not in each]
    assert len(same) == len(raw) - 2
    assert all(msgspec.json.encode(each) in {e.body for e in raw} for each in same)


def test_a_shoe_that_has_ended_is_handed_out(sqlite: House) -> None:
    store = sqlite.open()
    state = _virtual(store, face_down=False, ended=True)
    shown = [msgspec.json.decode(each.body) for each in ShownRecord(store, TABLE, state, AUDITOR).read(TABLE)]
    first, second = (each for each in shown if each["event"] == "ShoePrepared")
    assert len(first["order"]) == 416
    assert second["order"] == []


def test_one_piece_of_long_work_at_a_time() -> None:
    desk, go, begun = WorkQueue(), Event(), Event()

    def wait(work: Work) -> str:
        begun.set()
        go.wait(GUARD)
        work.reached(5)
        return "made"

    work = desk.begin(Work({}, 10, "anna", START), wait)
    begun.wait(GUARD)
    with pytest.raises(Refused, match="anna began is still under way"):
        desk.begin(Work({}, 10, "boris", START), wait)
    go.set()
    _until_over(work)
    assert (work.stands, work.result, work.share) == ("done", "made", 100)
    again = desk.begin(Work({}, 10, "boris", START), wait)
    _until_over(again)
    assert again.stands == "done"


def test_what_work_came_to_is_kept_by_its_name() -> None:
    desk = WorkQueue()
    for name in ("t1", "t2", "t1"):
        _until_over(desk.begin(Work({}, 1, "anna", START, name), lambda work: work.name))
    assert {name: work.result for name, work in desk.kept.items()} == {"t2": "t2", "t1": "t1"}
    assert desk.last is desk.kept["t1"]
    assert not desk.busy


def test_long_work_stops_when_asked_and_says_when_it_failed(caplog: pytest.LogCaptureFixture) -> None:
    desk, begun, go = WorkQueue(), Event(), Event()

    def run(work: Work) -> None:
        begun.set()
        go.wait(GUARD)
        work.reached(5)

    work = desk.begin(Work({}, 10, "anna", START), run)
    begun.wait(GUARD)
    with pytest.raises(Refused, match="anna began this work; boris cannot stop it"):
        desk.stop("boris")
    desk.stop("anna")
    go.set()
    _until_over(work)
    assert (work.stands, work.share) == ("stopped", 50)

    def refuse(work: Work) -> None:
        raise Refused("impossible_run", "It cannot be.")

    refused = desk.begin(Work({}, 10, "anna", START), refuse)
    _until_over(refused)
    assert refused.stands == "failed"
    assert refused.refused is not None
    assert refused.refused.sentence == "It cannot be."
    broken = desk.begin(Work({}, 10, "anna", START), lambda work: 1 // 0)
    _until_over(broken)
    assert (broken.stands, broken.refused) == ("failed", None)
    assert "long work for a page failed" in caplog.text


def _until_over(work: Work) -> None:
    until(lambda: work.stands != "running", "it never ended")
