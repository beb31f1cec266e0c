"""A record of corrections holds together, and any line of one that is forged is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from lammer.table import commands as c, events as e
from lammer.table.journal import Entry
from lammer.table.records import PaidLine
from lammer.table.setup import Limits, SetUp
from support.at_table import Recorded, doubts

BOOK = "tiger-buffalo-commission-insurance@3"
LIMITS = {"original": Limits(1_00), "side": Limits(1_00)}
SETUP = SetUp(BOOK, "A", limits=LIMITS, shoe="read")
AT_HAND = 3
LOST = ("KS", "KD", "6H", "3C", "6S")
"""Player 6 could be insured at 5 to 2; the Banker draws to 9."""


@pytest.fixture(autouse=True)
def few_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that keeps few rounds, so that long ago is soon."""
    monkeypatch.setattr("lammer.table.fold.PAST_ROUNDS", AT_HAND)


def played(*bets: c.Command, cards: tuple[str, ...] = LOST, during: tuple[c.Command, ...] = ()) -> Recorded:
    house = Recorded(SETUP)
    house.does(c.TakeSeat("p1", 1))
    house.round(*bets, cards=cards, during=during)
    return house


PLAYER = c.PlaceBet("p1", 1, "player", 8000_00)
PAIR = c.PlaceBet("p1", 1, "player_pair", 10_00)
BANKER = c.PlaceBet("p1", 1, "banker", 100_00)


def card_put_right() -> Recorded:
    house = played(BANKER, PAIR)
    house.does(c.OpenBets(), c.CorrectCard("banker", 3, "2S", 1, "misread"))
    return house


def extra_card_struck() -> Recorded:
    house = played(BANKER, PAIR, cards=("KS", "KD", "6H", "5C", "4S"))
    house.does(c.OpenBets(), c.CorrectRound(1, "KS 6H", "KD 6C 3S"))
    return house


def third_card_missing() -> Recorded:
    house = played(BANKER, PAIR, cards=("KS", "KD", "KH", "7C", "2D"))
    house.does(c.OpenBets(), c.CorrectRound(1, "KS KH", "KD 7C"))
    return house


def insurance_missed() -> Recorded:
    house = played(PLAYER, PAIR)
    house.does(c.OpenBets(), c.OfferMissedInsurance(("p1",), "player", 1))
    return house


def insurance_missed_before_the_next_round() -> Recorded:
    house = played(PLAYER, PAIR)
    house.does(c.OfferMissedInsurance(("p1",), "player"))
    return house


def insurance_moved() -> Recorded:
    house = played(PLAYER, during=(c.PlaceInsurance("p1", 1, "banker", 10_00),))
    house.does(c.OpenBets(), c.RepositionInsurance(1, "p1", 1, "four_cards", "player"))
    return house


def insurance_split() -> Recorded:
    cards = ("2S", "KD", "KH", "4C", "3D", "5D")
    house = played(PLAYER, cards=cards, during=(c.PlaceInsurance("p1", 1, "player", 8000_00),))
    house.does(c.OpenBets(), c.CorrectCard("player", 3, "6D", 1, "misread"))
    return house


def insurance_split_and_put_together() -> Recorded:
    house = insurance_split()
    house.does(c.CorrectCard("player", 3, "3D", 1, "it was a three after all"))
    return house


def ruled_void() -> Recorded:
    house = played(BANKER, PAIR)
    house.does(c.OpenBets(), c.RuleOnMatter("a bird", "void_round", round=1))
    return house


def ruled_back() -> Recorded:
    house = played(BANKER, PAIR)
    house.does(c.OpenBets(), c.RuleOnMatter("a bird", "return_bets", ("p1",), 1))
    return house


def ruled_on_the_table() -> Recorded:
    house = played(BANKER, PAIR)
    house.does(c.RuleOnMatter("a bird", "return_bets", ("p1",)))
    return house


def ruled_by_other_cards() -> Recorded:
    house = played(BANKER, PAIR)
    house.does(
        c.OpenBets(), c.RuleOnMatter("a bird", "resettle_round", round=1, player="KS 9H", banker="KD 7C")
    )
    return house


def long_ago() -> Recorded:
    house = played(BANKER, PAIR)
    house.changes(rulebook="tiger-buffalo-noncommission-insurance@3", layout="B")
    house.rounds(AT_HAND + 1)
    assert 1 not in house.table.past
    house.does(c.CorrectCard("banker", 3, "2S", 1, "misread"))
    return house


MADE = (
    card_put_right, extra_card_struck, third_card_missing, insurance_missed,
    insurance_missed_before_the_next_round, insurance_moved, insurance_split,
    insurance_split_and_put_together, ruled_void, ruled_back, ruled_on_the_table, ruled_by_other_cards,
    long_ago,
)  # fmt: skip
Made = Callable[[], Recorded]


def another(name: str, value: Any) -> Any:
    """A value that is not this one, and might have been."""
    words = {
        "bet": "banker" if value == "player" else "player",
        "outcome": "lost" if value == "won" else "won",
        "window": "third_card" if value == "four_cards" else "four_cards",
        "pays": "9:1",
        "insured_at": "9:1",
        "remainder": "1/3",
        "player": "p9",
    }
    if name in words:
        return words[name]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    assert isinstance(value, tuple)
    return (*value, "4.1")


def correction(journal: list[Entry]) -> tuple[int, e.RoundCorrected]:
    """Where the last correction stands in the record."""
    places = [place for place, entry in enumerate(journal) if isinstance(entry.event, e.RoundCorrected)]
    event = journal[places[-1]].event
    assert isinstance(event, e.RoundCorrected)
    return places[-1], event


def with_event(journal: list[Entry], place: int, event: e.RoundCorrected) -> list[Entry]:
    return [*journal[:place], structs.replace(journal[place], event=event), *journal[place + 1 :]]


def with_lines(event: e.RoundCorrected, part: str, lines: tuple[PaidLine, ...]) -> e.RoundCorrected:
    return structs.replace(event, **{part: lines})


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_the_record_of_a_correction_holds(made: Made) -> None:
    house = made()
    assert house.doubts() == []
    assert sum(house.table.accounts.values()) == 0


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
@pytest.mark.parametrize("part", ["posted", "reversed"])
def test_every_field_of_every_line_is_held_against_cards_and_bets(made: Made, part: str) -> None:
    journal = made().journal
    place, event = correction(journal)
    lines: tuple[PaidLine, ...] = getattr(event, part)
    assert lines
    for at, line in enumerate(lines):
        for name in PaidLine.__struct_fields__:
            forged = structs.replace(line, **{name: another(name, getattr(line, name))})
            changed = with_lines(event, part, (*lines[:at], forged, *lines[at + 1 :]))
            assert doubts(with_event(journal, place, changed)), f"{part} {at}: {name}"


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
@pytest.mark.parametrize("part", ["posted", "reversed"])
def test_no_line_is_left_out_or_written_twice(made: Made, part: str) -> None:
    journal = made().journal
    place, event = correction(journal)
    lines: tuple[PaidLine, ...] = getattr(event, part)
    for others in (lines[1:], lines[:-1], (*lines, lines[-1])):
        assert doubts(with_event(journal, place, with_lines(event, part, others)))


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_the_round_and_the_rulebook_of_a_correction_are_its_own(made: Made) -> None:
    journal = made().journal
    place, event = correction(journal)
    for forged in (
        structs.replace(event, round=event.round + 1),
        structs.replace(event, round=99_999),
        structs.replace(event, rulebook="tiger-buffalo-noncommission@4"),
    ):
        assert doubts(with_event(journal, place, forged))


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_the_result_of_a_correction_is_what_its_cards_come_to(made: Made) -> None:
    journal = made().journal
    place, event = correction(journal)
    winner = "player" if event.winner != "player" else "banker"
    for forged in (
        structs.replace(event, winner=winner),
        structs.replace(event, points=event.points + 1),
        structs.replace(event, void=not event.void),
    ):
        assert doubts(with_event(journal, place, forged)), forged


@pytest.mark.parametrize(
    "made",
    [insurance_missed, insurance_missed_before_the_next_round, insurance_moved, ruled_void, ruled_back],
    ids=lambda made: made.__name__,
)
def test_a_correction_that_is_not_of_cards_leaves_them_as_they_were(made: Made) -> None:
    journal = made().journal
    place, event = correction(journal)
    for forged in (
        structs.replace(event, player=("QS", "6D")),
        structs.replace(event, banker=(*event.banker[:-1], "6D")),
    ):
        assert doubts(with_event(journal, place, forged)), forged


def test_where_every_settlement_stands_the_outcome_of_a_record_put_right_is_the_one_of_old() -> None:
    house = Recorded(replace(SETUP, rulebook="tiger-buffalo-noncommission@4"))
    house.does(c.TakeSeat("p1", 1))
    house.round(BANKER, cards=LOST)
    house.does(c.OpenBets(), c.CorrectCard("banker", 3, "2S", 1, "misread"))
    assert house.doubts() == []
    place, event = correction(house.journal)
    assert (event.winner, event.points) == ("banker", 9)
    for forged in (structs.replace(event, winner="player"), structs.replace(event, points=6)):
        assert doubts(with_event(house.journal, place, forged))
