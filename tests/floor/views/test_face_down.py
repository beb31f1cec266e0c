"""Two rounds that differ only in what lies face down look alike, to the byte, until a card tells them apart.

Everything that is asked is asked of both: whatever is answered, refused, shown, offered or foreseen must be
the same for everybody, as long as the cards that lie open are the same.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from lammer import rulebook
from lammer.floor.record.revealed import reveal
from lammer.floor.tables.next_steps import hand_of_next_card, lawful
from lammer.floor.tables.shoe_feed import CardScan, Drawn, Feed, read
from lammer.floor.views.viewing import Viewer, event_seen, table_seen
from lammer.game.cards import DECK
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES
from lammer.table import commands as c, events as e
from lammer.table.fold import evolve
from lammer.table.insuring import offers_to
from lammer.table.irregularities import consequences
from lammer.table.journal import Entry
from lammer.table.play import decide
from lammer.table.script import run
from lammer.table.state import Table

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WALKS = int(os.environ.get("LAMMER_FACE_DOWN_WALKS", "200"))
BOOKS = ("tiger-buffalo-noncommission-insurance@3", "tiger-buffalo-noncommission@4")
VIEWERS = tuple(Viewer(*who) for who in (("p1", "player"), ("b", "board"), ("m", "dealer"), ("a", "auditor")))
STAFF = ("dealer", "pit_supervisor", "pit_manager", "table_game_shift_manager")


class Twins:
    """Two tables, the same but for some cards of their shoes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        book = rulebook(self.random.choice(BOOKS))
        steps = [
            {"by": "dealer", "do": "open_bets"},
            {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
            {"by": "p2", "do": "place_bet", "box": 2, "bet": "banker", "stake": "100"},
            {"by": "dealer", "do": "close_bets"},
        ]
        # A test table: only there a virtual shoe deals a card where it does not belong.
        script = {"rulebook": book.id, "layout": "A", "decks": 4, "face_down": True, "test": True,
                  "step": steps,
                  "seats": {"p1": 1, "p2": 2}, "limits": {"minimum": "10", "differential": "10000"},
                  "entropy": f"{seed:032x}"}  # fmt: skip
        self.tables = [run({book.id: book}, script).table for _ in range(2)]
        for table in self.tables:
            assert table.shoe is not None
        one, other = (table.shoe for table in self.tables)
        assert one is not None
        assert other is not None
        order = list(one.order)
        for place in self.random.sample(range(8), self.random.randint(1, 6)):
            order[place] = self.random.choice(DECK)
        other.order = tuple(order)
        self.number = 0

    def both(self, by: str, role: str, command: c.Command) -> list[bytes]:
        """What everybody gets to see of it, at each table."""
        self.number += 1
        return [self._asked(table, c.Call(by, role, NOON, command)) for table in self.tables]

    def _asked(self, table: Table, call: c.Call) -> bytes:
        try:
            events = decide(table, call)
        except Refused as refused:
            return str(refused).encode()
        seen: list[Any] = []
        for number, event in enumerate(events, 1):
            evolve(table, event)
            each = reveal(table, Entry(number, NOON, call.by, call.role, event))
            seen += [event_seen(each, viewer) for viewer in VIEWERS]
        return msgspec.json.encode(seen)

    def looked_at(self) -> list[bytes]:
        """Everything that can be looked up at each table."""
        return [msgspec.json.encode(_looks(table)) for table in self.tables]

    def open_cards(self) -> list[list[str | None]]:
        return [
            [laid.card if laid.face_up else None for laid in table.round.cards] if table.round else []
            for table in self.tables
        ]

    def anything(self) -> tuple[str, str, c.Command]:
        pick = self.random.choice
        hand, place, up = pick(SIDES), pick((1, 2, 3)), pick((None, None, None, True, False))
        players: tuple[c.Command, ...] = (
            c.RequestSqueeze(pick(("card", "expose_banker_third_first", "squeeze_banker_third_first"))),
            c.ChooseOption("p1", pick(("continue", "return"))),
            c.PlaceInsurance("p1", 1, "player", 10_00),
        )
        staff: tuple[c.Command, ...] = (
            *[c.DealCard(face_up=up)] * 6,
            *[c.DealCard(to=hand, face_up=up)] * 4,
            *[c.OpenCard(hand, place)] * 4,
            *[c.Settle()] * 3,
            c.Reconstruct("excess_cards", pick((True, True, False))),
            c.Reconstruct("swapped_hands", pick((True, True, False))),
            c.AnswerSqueeze(pick((True, True, False))),
            c.CloseOptions(), c.CloseOptions(), c.NoteFaceUp(), c.ResetEquipment(), c.MissedWithdrawal(),
            c.NoteDealingError("dropped", pick((True, False))),
            c.OrderSimultaneous((pick(DECK), pick(DECK))),
            c.JudgeDamagedCard(hand, place, pick(("", "5H", "KS", "9D"))),
            c.OfferMissedInsurance(("p1", "p2"), hand),
            c.RepositionInsurance(1, "p1", 1, "four_cards", hand),
            c.Interrupt("power"), c.ResolveInterruption(), c.ResolveInterruption(),
            c.VoidRound(pick(("wrong_number_of_cards", "shoe_ran_dry"))),
            c.RuleOnMatter("a bird", pick(("continue_round", "return_bets")), ("p2",)),
            c.NoteLateError(1, "what"), c.EndShoe(), c.OpenBets(),
        )  # fmt: skip
        if self.random.random() < 0.15:
            return "p1", "player", pick(players)
        return "m", pick(STAFF), pick(staff)


def _looks(table: Table) -> Any:
    steps = lawful(table, lambda command: c.Call("m", "table_game_shift_manager", NOON, command))
    found: list[Any] = [table_seen(table, viewer) for viewer in VIEWERS]
    found += [(step.do, dict(step.fields), str(step.refused)) for step in steps]
    found += [hand_of_next_card(table), consequences(table)]
    try:
        found.append(offers_to(table, "p1"))
    except Refused as refused:
        found.append(str(refused))
    return found


class Typed(Twins):
    """Two tables whose cards are typed, the same but for some that are typed face down."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        book = rulebook(self.random.choice(BOOKS))
        steps: list[dict[str, Any]] = [
            {"by": "dealer", "do": "open_bets"},
            {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
            {"by": "p2", "do": "place_bet", "box": 2, "bet": "banker", "stake": "100"},
            {"by": "dealer", "do": "close_bets"},
        ]
        script = {"rulebook": book.id, "layout": "A", "decks": 4, "face_down": True, "step": steps,
                  "seats": {"p1": 1, "p2": 2},
                  "limits": {"minimum": "10", "differential": "10000"}}  # fmt: skip
        self.tables = [run({book.id: book}, script).table for _ in range(2)]
        self.number = 0

    def typed(self, count: int) -> None:
        """Deal that many cards face down; nobody but whoever types one knows it, and it may differ."""
        for number in range(count):
            alike = self.random.choice(DECK)
            for table in self.tables:
                card = alike if number % 2 == self.random.randint(0, 3) else self.random.choice(DECK)
                self._asked(table, c.Call("m", "dealer", NOON, c.DealCard(card)))

    def anything(self) -> tuple[str, str, c.Command]:
        pick = self.random.choice
        by, role, command = super().anything()
        hand, place, card = pick(SIDES), pick((1, 1, 2, 3)), pick(DECK)
        typed: tuple[c.Command, ...] = (
            *[c.CorrectCard(hand, place, card)] * 3,
            *[c.CorrectCard(hand, place, card, reason="mistyped")] * 3,
            *[c.NoteSwappedCards((place,), ())] * 2,
            *[c.NoteSwappedCards((), (place,))] * 2,
            c.NoteSwappedCards((place,), (place,)),
            c.ExposeCard(card),
        )
        if self.random.random() < 0.3:
            return "m", pick(STAFF), pick(typed)
        if self.random.random() < 0.05:
            return "p1", "player", pick(typed)
        return by, role, replace(command, card=card) if isinstance(command, c.DealCard) else command


class Carried(Typed):
    """Two tables that differ only in a card drawn too early, which waits to be the next one.

    Of every card three have come before from the four decks: one more that everybody has seen, and a name
    is refused.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        first = self.random.sample(DECK, 4)
        self.waiting = self.random.sample([card for card in DECK if card not in first], 2)
        for table, card in zip(self.tables, self.waiting, strict=True):
            assert table.shoe is not None
            table.shoe.seen.update(dict.fromkeys(DECK, 3))
            for each in first:
                table.shoe.seen[each] -= 1
                self._asked(table, c.Call("m", "dealer", NOON, c.DealCard(each)))
            self._asked(table, c.Call("m", "dealer", NOON, c.DealCard(card, to="player")))
            for command in (c.Reconstruct("excess_cards"), c.CloseOptions()):
                self._asked(table, c.Call("m", "pit_manager", NOON, command))
            assert list(table.carried) == [card]
        if self.random.random() < 0.7:
            for side in SIDES:
                for place in (1, 2):
                    self.both("m", "dealer", c.OpenCard(side, place))

    def anything(self) -> tuple[str, str, c.Command]:
        """Mostly guesses at the card that waits."""
        pick = self.random.choice
        by, role, command = super().anything()
        card, hand, place = pick((*self.waiting, pick(DECK))), pick(SIDES), pick((1, 2, 3))
        guesses: tuple[c.Command, ...] = (
            *[c.DealCard(card)] * 3, c.DealCard(card, to=hand), c.DealCard(), c.ExposeCard(card),
            *[c.OrderSimultaneous((card, pick(DECK)))] * 2,
            c.CorrectCard(hand, place, card, reason="mistyped"), c.JudgeDamagedCard(hand, place, card),
            c.CloseOptions(),
        )  # fmt: skip
        if self.random.random() < 0.7:
            return "m", pick(STAFF), pick(guesses)
        return by, role, command

    def read(self) -> list[str]:
        """What a shoe reader is told that sends the next card of the shoe, at each table."""
        card = self.random.choice(self.waiting)
        return [_read(table, card) for table in self.tables]


def _read(table: Table, card: str) -> str:
    assert table.shoe is not None
    feed = Feed(table.shoe.number, table.shoe.decks, table.rounds, [], table.shoe.dealt)
    feed.drawn += [Drawn("", table.rounds)] * table.shoe.dealt
    try:
        return repr(read(table, feed, CardScan(feed.next, card)))
    except Refused as refused:
        return str(refused)


@pytest.mark.parametrize("part", range(4))
def test_a_card_that_was_carried_over_is_not_found_by_asking(part: int) -> None:
    asked_in_vain = seen_through = dealt = in_windows = 0
    for seed in range(part, WALKS, 4):
        twins = Carried(seed)
        for _ in range(30):
            by, role, command = twins.anything()
            waits = bool(twins.tables[0].carried)
            open_window = twins.tables[0].round is not None and twins.tables[0].round.window is not None
            readings = twins.read() if twins.tables[0].shoe is not None else ["", ""]
            asked = twins.both(by, role, command)
            looks = twins.looked_at()
            open_one, open_other = twins.open_cards()
            if open_one != open_other:
                break
            over = any(table.round is None or table.round.phase != "dealing" for table in twins.tables)
            if over and asked[0] == asked[1]:
                break
            assert readings[0] == readings[1], (seed, readings)
            assert asked[0] == asked[1], (seed, command, asked)
            assert looks[0] == looks[1], (seed, command)
            seen_through += waits
            in_windows += waits and open_window
            asked_in_vain += b"carried_card_first" in asked[0]
            dealt += b'"carried":true' in asked[0]
    assert seen_through > WALKS, "tables are compared that differ in the card that waits"
    assert asked_in_vain > WALKS // 4, "the card is asked for"
    assert in_windows, "also while Insurance is open"
    assert dealt > WALKS // 16, "and dealt in the end"


def looked_alike(
    twins: Twins, seed: int, first: Sequence[tuple[str, str, c.Command]]
) -> tuple[list[bytes], bool]:
    """Ask the same of both until a card tells them apart: the first of these, then anything.

    What was told in rounds that differ, and whether cards were opened that do.
    """
    told: list[bytes] = []
    for step in range(40):
        by, role, command = first[step] if step < len(first) else twins.anything()
        asked = twins.both(by, role, command)
        looks = twins.looked_at()
        open_one, open_other = twins.open_cards()
        if open_one != open_other:
            return told, True
        over = any(table.round is None or table.round.phase != "dealing" for table in twins.tables)
        if over and asked[0] == asked[1]:
            break
        assert asked[0] == asked[1], (seed, command, asked)
        assert looks[0] == looks[1], (seed, command)
        cards = [[laid.card for laid in table.round.cards] for table in twins.tables if table.round]
        if cards[0] != cards[1]:
            told.append(asked[0])
    return told, False


@pytest.mark.parametrize("part", range(4))
def test_cards_put_right_or_found_elsewhere_tell_nothing_of_what_lies_face_down(part: int) -> None:
    seen_through = corrected = found = 0
    for seed in range(part, WALKS, 4):
        twins = Typed(seed)
        twins.typed(twins.random.choice((2, 4, 4)))
        told, _ = looked_alike(twins, seed, ())
        seen_through += len(told)
        corrected += sum(b"CardCorrected" in each for each in told)
        found += sum(b"CardsFound" in each for each in told)
    assert seen_through > WALKS // 4, "rounds are compared that differ"
    assert corrected > WALKS // 40, "cards are put right in rounds that differ"
    assert found > WALKS // 40, "cards are found elsewhere in rounds that differ"


@pytest.mark.parametrize("part", range(4))
def test_two_rounds_look_alike_until_a_card_tells_them_apart(part: int) -> None:
    apart = seen_through = 0
    for seed in range(part, WALKS, 4):
        twins = Twins(seed)
        first = [("m", "dealer", c.DealCard())] * twins.random.choice((0, 2, 4, 4, 4))
        told, opened = looked_alike(twins, seed, first)
        seen_through += len(told)
        apart += opened
    assert apart > WALKS // 16, "cards are opened that differ"
    assert seen_through > WALKS // 2, "rounds are compared that differ"


@pytest.mark.parametrize("do", [c.DealCard(), c.DealCard(to="player"), c.DealCard(to="banker"), c.Settle()])
def test_a_natural_and_a_two_look_alike(do: c.Command) -> None:
    """The Player has nine and no card is due, or two and one is: while they lie face down nobody is told."""
    told_of = []
    for cards in ("9S KD KH QC", "2S 3D KH 2C"):
        book = rulebook(BOOKS[0])
        steps = [
            {"by": "dealer", "do": "open_bets"},
            {"by": "dealer", "do": "close_bets"},
            {"by": "dealer", "do": "deal_cards", "cards": cards},
        ]
        table = run(
            {book.id: book}, {"rulebook": book.id, "layout": "A", "face_down": True, "step": steps}
        ).table
        asked = c.DealCard("7D", to=do.to) if isinstance(do, c.DealCard) else do
        try:
            told_of.append(repr(decide(table, c.Call("m", "dealer", NOON, asked))))
        except Refused as refused:
            told_of.append(str(refused))
    assert told_of[0] == told_of[1]


def test_what_was_drawn_too_early_comes_next() -> None:
    """Drawn before the first four are open, it goes back to be the next card, due or not."""
    for cards, due in (("9S KD KH QC", False), ("2S 3D KH 2C", True)):
        book = rulebook(BOOKS[0])
        steps: list[dict[str, Any]] = [
            {"by": "dealer", "do": "open_bets"},
            {"by": "dealer", "do": "close_bets"},
            {"by": "dealer", "do": "deal_cards", "cards": cards},
            {"by": "dealer", "do": "deal_card", "card": "7D", "to": "player"},
            {"by": "pit_supervisor", "do": "reconstruct", "irregularity": "excess_cards"},
        ]
        steps += [{"by": "dealer", "do": "open_card", "hand": side, "place": place}
                  for side in SIDES for place in (1, 2)]  # fmt: skip
        table = run(
            {book.id: book}, {"rulebook": book.id, "layout": "A", "face_down": True, "step": steps}
        ).table
        assert list(table.carried) == ["7D"]
        call = c.Call("m", "dealer", NOON, c.DealCard())
        if not due:
            with pytest.raises(Refused, match="round_is_complete"):
                decide(table, call)
            continue
        (dealt,) = [event for event in decide(table, call) if isinstance(event, e.CardDealt)]
        assert (dealt.card, dealt.hand, dealt.carried, dealt.proper) == ("7D", "player", True, True)
