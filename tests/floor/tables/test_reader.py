"""A shoe reader posts cards, sound ones and rubbish: every case under every rulebook.

`Pit` is a table with a reader at it. Whatever is posted, the table takes the command that comes of it, the
feed agrees with the one recalled from the events, and money adds up.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from lammer import Refused
from lammer.floor.tables.shoe_feed import CardScan, Drawn, Feed, ScanOutcome, feed_of, read
from lammer.game.cards import DECK
from lammer.table import commands as c, events as e
from lammer.table.journal import snapshot
from lammer.table.play import record
from lammer.table.script import START
from lammer.table.setup import SetUp
from lammer.table.state import OVER, Round, Table
from support.at_table import BOOKS

pytestmark = pytest.mark.slow

COMMISSION, INSURED, PLAIN, FIRST, DA_HU = (
    "tiger-buffalo-commission-insurance@3",
    "tiger-buffalo-noncommission-insurance@3",
    "tiger-buffalo-noncommission@4",
    "tiger-buffalo-noncommission-insurance@1",
    "da-hu-ying-xiong-noncommission-insurance@2",
)
# Where each document provides for it, read off the texts and not off the code: excess cards; a card whose
# value is in doubt; an error noticed late.
EXCESS = {COMMISSION: "5.8", INSURED: "5.8", PLAIN: "5.8", FIRST: "5.7", DA_HU: "5.7"}
DOUBT = {COMMISSION: "5.13", INSURED: "5.13", PLAIN: "5.18", FIRST: "5.18", DA_HU: "5.18"}
LATE = {COMMISSION: "5.14", INSURED: "5.14", PLAIN: "5.12", FIRST: "5.11", DA_HU: "5.11"}
every_book = pytest.mark.parametrize("book", [COMMISSION, INSURED, PLAIN, FIRST, DA_HU])


class Pit:
    """A table whose shoe is read, one player with a bet each round, and everything that happened."""

    def __init__(self, book: str, **setup: Any) -> None:
        self.table, self.feed = Table(BOOKS), Feed()
        self.events: list[e.Event] = []
        made = SetUp(book, "A", shoe="read", **{"decks": 4, **setup})
        # One of the documents is no longer in force; whoever may play it says why.
        self.ask(c.SetTable(made, "every document is tried"), "table_game_shift_manager")
        self.ask(c.TakeSeat("ann", 1))
        self.ask(c.PrepareShoe())

    def ask(self, command: c.Command, role: str = "dealer") -> tuple[e.Event, ...]:
        events = record(self.table, c.Call(role, role, START, command))
        for event in events:
            self.events.append(event)
            self.feed.follow(event)
        assert sum(self.table.accounts.values()) == 0
        for event in events:
            if self.table.require_setup().face_down and isinstance(event, e.RoundInterrupted):
                assert not re.search(r"\b[2-9TJQKA][SHDC]\b", event.reason), "no card that lies face down"
        assert self.feed == feed_of(reversed(self.events)), "what a table that comes back would recall"
        assert self.feed.recorded == sum(1 for drawn in self.feed.drawn if drawn.card)
        assert self.table.shoe is None or self.table.shoe.dealt == self.feed.recorded
        return events

    def read(self, sequence: int, card: str, shoe: int = 0) -> ScanOutcome:
        """Post a card and do what comes of it; a refusal changes nothing."""
        before = snapshot(self.table)
        try:
            outcome = read(self.table, self.feed, CardScan(sequence, card, shoe))
        finally:
            assert snapshot(self.table) == before
        if outcome.command is not None:
            self.ask(outcome.command)
        return outcome

    def cards(self, *cards: str) -> None:
        for card in cards:
            assert self.read(self.feed.next, card).kind == "card"

    def refused(self, sequence: int, card: str, code: str, shoe: int = 0) -> Refused:
        with pytest.raises(Refused) as caught:
            self.read(sequence, card, shoe)
        assert caught.value.code == code
        return caught.value

    def open_round(self) -> Pit:
        self.ask(c.OpenBets())
        self.ask(c.PlaceBet("ann", 1, "player", 100_00))
        return self

    def bets(self) -> Pit:
        self.open_round().ask(c.CloseBets())
        return self

    def go_on(self) -> None:
        """A person looked, and the round goes on."""
        self.ask(c.RuleOnMatter("looked at the cards", "continue_round"), "table_game_shift_manager")

    @property
    def here(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def lies(self) -> list[str]:
        return [laid.card for laid in self.here.cards]


def is_interrupted(pit: Pit, outcome: ScanOutcome, name: str, paragraph: str) -> None:
    """The round has stopped under that paragraph, and the record says why."""
    assert (outcome.kind, outcome.irregularity) == ("irregularity", name)
    assert outcome.cite is not None
    assert outcome.cite.paragraph == paragraph
    assert outcome.next_step
    assert pit.here.interrupted
    assert isinstance(pit.events[-1], e.RoundInterrupted)
    assert outcome.sentence[1:-1] in pit.events[-1].reason
    for command in (c.Settle(), c.DealCard("2C"), c.PlaceBet("ann", 1, "player", 100_00)):
        with pytest.raises(Refused):
            pit.ask(command)


@every_book
def test_a_round_is_read_card_by_card(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("KS", "2D", "7S", "3D", "4C")
    pit.ask(c.Settle())
    assert [laid.hand for laid in pit.here.cards] == ["player", "banker", "player", "banker", "banker"]
    assert pit.feed.drawn[-1] == Drawn("4C", 1)
    assert pit.feed.next == 6


@every_book
def test_a_repeat_is_acknowledged_and_changes_nothing(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("KS", "2D", "7S", "3D", "4C")
    for settled in (False, True):
        for number, card in enumerate(["KS", "2D", "7S", "3D", "4C"], start=1):
            outcome = pit.read(number, card)
            assert (outcome.kind, outcome.command) == ("repeat", None)
        if not settled:
            pit.ask(c.Settle())
    assert pit.feed.next == 6


@every_book
def test_a_gap_without_an_outcome_ends_in_a_void_round_and_the_reader_goes_on(book: str) -> None:
    pit = Pit(book, readings={"outcome_established": "player_and_banker_only"}).bets()
    pit.cards("KS")
    outcome = pit.read(4, "7S")
    is_interrupted(pit, outcome, "technical_interruption", "5.4")
    assert outcome.sentence == "Cards 2 to 3 were not read, but card 4 (7S) was."
    pit.refused(5, "9H", "round_is_interrupted")
    pit.ask(c.ResolveInterruption(), "pit_supervisor")
    assert pit.here.phase == "void"
    assert pit.feed.next == 5, "the cards of the void round are gone, seen by the reader or not"
    assert [drawn.card for drawn in pit.feed.drawn] == ["KS", "", "", ""]
    pit.bets().cards("9H", "2D", "9S", "3D")
    pit.ask(c.Settle())
    assert pit.feed.next == 9


@every_book
def test_a_gap_with_an_outcome_is_filled_by_hand(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("QS", "3D", "6H")
    is_interrupted(pit, pit.read(5, "5D"), "technical_interruption", "5.4")
    pit.ask(c.ResolveInterruption(), "pit_supervisor")
    pit.ask(c.DealCard("AC"))
    assert pit.read(5, "5D").kind == "card", "sent again it is the next card"
    pit.ask(c.Settle())
    assert (pit.lies, pit.feed.next) == (["QS", "3D", "6H", "AC", "5D"], 6)


@every_book
def test_a_number_that_was_skipped_is_written_off_when_the_round_ends(book: str) -> None:
    """No card was missing, only a number: the card is entered by hand, and the next round is in step."""
    pit = Pit(book).bets()
    pit.cards("9S", "3D", "KH")
    pit.read(6, "4C")
    pit.go_on()
    pit.ask(c.DealCard("4C"))
    pit.ask(c.Settle())
    assert [drawn.card for drawn in pit.feed.drawn] == ["9S", "3D", "KH", "4C", "", ""]
    pit.bets()
    is_interrupted(pit, pit.read(6, "4C"), "technical_interruption", "5.4")
    pit.go_on()
    assert pit.read(7, "2C").kind == "card"


@every_book
def test_a_gap_while_bets_are_open_leaves_the_cards_to_be_dealt(book: str) -> None:
    pit = Pit(book).open_round()
    is_interrupted(pit, pit.read(2, "9H"), "technical_interruption", "5.4")
    pit.go_on()
    pit.ask(c.CloseBets())
    pit.ask(c.DealCard("KS"))
    pit.cards("9H", "2D", "3D")
    assert pit.lies == ["KS", "9H", "2D", "3D"]


@every_book
def test_the_same_number_with_another_card_is_a_value_in_doubt(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("KS", "2D", "7S", "3D")
    name = "damaged_cards" if book in (COMMISSION, INSURED) else "unprovided_matter"
    is_interrupted(pit, pit.read(3, "8S"), name, DOUBT[book])
    pit.go_on()
    if name == "damaged_cards":
        pit.ask(c.JudgeDamagedCard("player", 2, "8S"), "pit_supervisor")
        assert pit.lies == ["KS", "2D", "8S", "3D"]
    assert pit.feed.next == 5


@every_book
def test_another_card_of_an_earlier_round_is_an_error_noticed_late(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("9S", "2D", "KS", "3D")
    pit.ask(c.Settle())
    told = pit.refused(3, "8S", "no_round")
    assert "reopen" in told.next_step
    pit.open_round()
    for card in ("8S", "", "\ud800 rubbish"):
        outcome = pit.read(3, card)
        assert (outcome.irregularity, outcome.cite and outcome.cite.paragraph) == (
            "late_noticed_error",
            LATE[book],
        )
        noted = pit.events[-1]
        assert isinstance(noted, e.IrregularityNoted)
        assert (noted.name, noted.cite) == ("late_noticed_error", LATE[book])
    assert not pit.here.interrupted
    pit.ask(c.CloseBets())
    is_interrupted(pit, pit.read(1, "8S"), "technical_interruption", "5.4")


@every_book
def test_more_of_one_card_than_the_decks_hold_is_a_foreign_card(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("KS", "KS", "KS", "KS")
    is_interrupted(pit, pit.read(5, "KS"), "foreign_card", "5.5.1")
    pit.ask(c.VoidRound("foreign_card"), "pit_supervisor")
    assert pit.here.phase == "void"
    pit.refused(6, "2C", "no_shoe")
    pit.ask(c.PrepareShoe())
    pit.bets().cards("KS")
    assert (pit.feed.shoe, pit.feed.next) == (2, 2), "each shoe is counted from 1"


@every_book
def test_a_foreign_card_that_was_misread_is_entered_by_hand(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("KS", "KS", "KS", "KS")
    pit.read(5, "KS")
    pit.go_on()
    pit.ask(c.DealCard("KC"))
    pit.cards("2D")
    assert pit.lies[4:] == ["KC", "2D"]


@every_book
@pytest.mark.parametrize("rubbish", ["", "XX", "10H", "ks", "JOKER", "KS ", "\0", "\ud800", "9H" * 500])
def test_what_is_no_card_is_a_value_in_doubt(book: str, rubbish: str) -> None:
    pit = Pit(book, readings={"outcome_established": "player_and_banker_only"}).bets()
    name = "damaged_cards" if book in (COMMISSION, INSURED) else "unprovided_matter"
    is_interrupted(pit, pit.read(1, rubbish), name, DOUBT[book])
    pit.ask(c.ResolveInterruption(), "pit_supervisor")
    assert (pit.here.phase, pit.feed.next) == ("void", 2)
    pit.bets().cards("9H")


@every_book
def test_one_card_more_than_the_decks_have_is_a_wrong_deck(book: str) -> None:
    pit = Pit(book)
    for card in DECK * 4:
        while pit.table.round is None or pit.here.phase in OVER or pit.table.next_hand() is None:
            if pit.table.round is not None and pit.here.phase == "dealing":
                pit.ask(c.Settle())
            else:
                pit.bets()
        pit.cards(card)
    while pit.here.phase in OVER or pit.table.next_hand() is None:
        if pit.here.phase == "dealing":
            pit.ask(c.Settle())
        pit.bets()
    is_interrupted(pit, pit.read(209, "2C"), "wrong_deck", "5.5.2")
    pit.ask(c.VoidRound("wrong_deck"), "pit_supervisor")
    assert pit.table.shoe is None


@every_book
def test_a_number_no_shoe_has_is_a_gap_and_is_not_believed(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("KS")
    is_interrupted(pit, pit.read(300, "2C"), "technical_interruption", "5.4")
    pit.go_on()
    pit.cards("2D")
    assert pit.feed.reached == 0


@every_book
def test_a_card_drawn_while_bets_are_open_is_the_first_of_the_next_round(book: str) -> None:
    pit = Pit(book).open_round()
    is_interrupted(pit, pit.read(1, "9H"), "excess_cards", EXCESS[book])
    with pytest.raises(Refused, match="round_is_interrupted"):
        pit.ask(c.PlaceBet("ann", 1, "banker", 100_00))
    pit.ask(c.ResolveInterruption(), "pit_supervisor")
    assert pit.here.phase == "void"
    pit.bets()
    assert pit.read(1, "9H").kind == "card"


@every_book
def test_a_card_drawn_while_players_are_asked_stops_the_asking(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("QS", "3D")
    pit.ask(c.NoteDealingError("dropped a card"), "pit_supervisor")
    assert pit.here.options is not None
    is_interrupted(pit, pit.read(3, "6H"), "excess_cards", EXCESS[book])
    pit.go_on()
    assert pit.read(3, "6H").kind == "card"


@pytest.mark.parametrize("book", [COMMISSION, INSURED])
def test_a_card_drawn_while_bets_may_be_withdrawn_stops_the_withdrawal(book: str) -> None:
    pit = Pit(book, high_limit=True).bets()
    pit.ask(c.ShowCutCard())
    assert pit.here.withdrawal
    is_interrupted(pit, pit.read(1, "6H"), "excess_cards", EXCESS[book])
    pit.go_on()
    pit.ask(c.CloseWithdrawal())
    pit.cards("6H")


@every_book
def test_a_card_when_none_is_due_is_an_excess_card_and_comes_first_in_the_next_round(book: str) -> None:
    pit = Pit(book).bets()
    pit.cards("9S", "2D", "KH", "4C")
    for number, card in ((5, "4D"), (6, "5D")):
        outcome = pit.read(number, card)
        assert (outcome.irregularity, outcome.cite and outcome.cite.paragraph) == (
            "excess_cards",
            EXCESS[book],
        )
        assert pit.read(number, card).kind == "repeat"
    with pytest.raises(Refused, match="cards_misplaced"):
        pit.ask(c.Settle())
    pit.ask(c.Reconstruct("excess_cards"), "pit_supervisor")
    if pit.here.options is not None:
        pit.ask(c.CloseOptions())
    pit.ask(c.Settle())
    assert list(pit.table.carried) == ["4D", "5D"]
    pit.bets()
    for card in ("4D", "9C"):
        told = pit.refused(7, card, "impossible_card")
        assert (told.citation and told.citation.paragraph) == EXCESS[book]
    pit.ask(c.DealCard())
    pit.ask(c.DealCard())
    pit.cards("4D", "9C")
    assert pit.lies == ["4D", "5D", "4D", "9C"]
    assert pit.feed.next == 9


@every_book
def test_a_card_between_rounds_waits_for_the_next(book: str) -> None:
    pit = Pit(book)
    told = pit.refused(1, "9S", "no_round")
    assert (told.citation and told.citation.paragraph) == EXCESS[book]
    pit.bets().cards("9S", "2D", "KH", "4C")
    pit.ask(c.Settle())
    pit.refused(5, "4D", "no_round")
    pit.bets().cards("4D")


@every_book
def test_a_third_card_waits_until_the_others_are_open(book: str) -> None:
    pit = Pit(book, face_down=True).bets()
    pit.cards("KS", "2D", "5S", "3D")
    pit.refused(5, "4C", "cards_face_down")
    hidden = read(pit.table, pit.feed, CardScan(3, "4C"))
    assert hidden.sentence == "Card 3 was recorded in round 1 as another.", "no card that lies face down"
    told = [c.Interrupt("shoe reader at card 7: cards 5 to 6 were not read, but card 7 was")]
    assert [read(pit.table, pit.feed, CardScan(7, "4C")).command] == told
    for hand, place in (("player", 1), ("player", 2), ("banker", 1), ("banker", 2)):
        pit.ask(c.OpenCard(hand, place))  # type: ignore[arg-type]
    pit.cards("4C")


@every_book
def test_readings_that_are_none_are_refused(book: str) -> None:
    fresh = Table(BOOKS)
    with pytest.raises(Refused, match="table_not_set_up"):
        read(fresh, Feed(), CardScan(1, "KS"))
    pit = Pit(book).bets()
    for sequence in (0, -1, True, 1.5, "1", None, 10**9, 10**5000):
        pit.refused(sequence, "KS", "malformed_input")  # type: ignore[arg-type]
    pit.refused(1, None, "malformed_input")  # type: ignore[arg-type]
    pit.refused(1, "KS", "malformed_input", shoe=-1)
    pit.refused(1, "KS", "no_shoe", shoe=2)
    assert pit.read(1, "KS", shoe=1).kind == "card"


@every_book
def test_a_reading_of_the_shoe_before_is_refused(book: str) -> None:
    pit = Pit(book)
    pit.ask(c.EndShoe())
    pit.refused(1, "KS", "no_shoe")
    pit.ask(c.PrepareShoe())
    pit.bets()
    pit.refused(1, "KS", "shoe_is_over", shoe=1)
    assert pit.read(1, "KS", shoe=2).kind == "card"


@every_book
def test_a_virtual_table_asks_no_reader(book: str) -> None:
    table = Table(BOOKS)
    setting = c.SetTable(SetUp(book, "A"), "every document is tried")
    record(table, c.Call("sm", "table_game_shift_manager", START, setting))
    with pytest.raises(Refused, match="card_comes_from_shoe"):
        read(table, Feed(), CardScan(1, "KS"))


def test_a_feed_that_lags_behind_its_table_deals_nothing_twice() -> None:
    pit = Pit(INSURED)
    with pytest.raises(Refused, match="table_moved_on"):
        read(pit.table, Feed(), CardScan(1, "KS"))
    pit.bets()
    record(pit.table, c.Call("d", "dealer", START, c.DealCard("KS")))
    with pytest.raises(Refused, match="table_moved_on"):
        read(pit.table, pit.feed, CardScan(1, "KS"))


def test_a_forged_reason_moves_the_count_no_further_than_the_shoe() -> None:
    pit = Pit(INSURED).bets()
    pit.ask(c.Interrupt("shoe reader at card 9999: made up"))
    assert pit.feed.reached == 208


# --- rubbish ---


def step_home(pit: Pit) -> None:
    """The next lawful step a person has towards the end of the round."""
    here, table = pit.here, pit.table
    hidden = [laid for laid in here.cards if not laid.face_up]
    if here.interrupted:
        pit.ask(c.ResolveInterruption(), "pit_supervisor")
    elif here.reported is not None:
        pit.ask(c.ConfirmError(True), "pit_supervisor")
    elif here.options is not None:
        pit.ask(c.CloseOptions())
    elif here.withdrawal:
        pit.ask(c.CloseWithdrawal())
    elif here.phase == "betting":
        pit.ask(c.CloseBets())
    elif here.misplaced:
        pit.ask(c.Reconstruct("excess_cards"), "pit_supervisor")
    elif hidden and (len(here.cards) >= 4 or table.next_hand() is None):
        first = min(hidden, key=lambda laid: (laid.place == 3, laid.hand == "banker"))
        pit.ask(c.OpenCard(first.hand, first.place))
    elif table.next_hand() is None:
        pit.ask(c.Settle())
    else:
        assert table.shoe is not None
        pit.ask(c.DealCard("" if table.carried else next(x for x in DECK if table.shoe.seen[x] < 4)))


CARDS = st.one_of(st.sampled_from(DECK), st.sampled_from(DECK[:3]), st.text(max_size=5), st.just(""))
STEPS = st.one_of(
    st.tuples(st.just("read"), st.sampled_from([0, 0, 0, 0, 0, 0, -1, -2, -5, 1, 2, 7, 300]), CARDS),
    st.tuples(st.just("read"), st.integers(), CARDS),
    st.tuples(st.just("home"), st.integers(1, 4), st.just("")),
    st.tuples(st.just("round"), st.just(0), st.just("")),
    st.tuples(st.just("trouble"), st.integers(0, 9), st.sampled_from(DECK)),
)


def trouble(pit: Pit, which: int, card: str) -> None:
    """What staff do meanwhile, fitting or not."""
    asked: list[tuple[c.Command, str]] = [
        (c.DealCard(card, to="player"), "dealer"),
        (c.DealCard(card, to="banker"), "dealer"),
        (c.DealCard(card), "dealer"),
        (c.OrderSimultaneous((card, "9C")), "pit_supervisor"),
        (c.Interrupt("power"), "dealer"),
        (c.NoteDealingError("dropped a card"), "dealer"),
        (c.ShowCutCard(), "dealer"),
        (c.JudgeDamagedCard("player", 1, card), "pit_supervisor"),
        (c.ReopenSettlement("camera"), "pit_supervisor"),
        (c.RuleOnMatter("looked at it", "continue_round"), "table_game_shift_manager"),
    ]
    pit.ask(*asked[which])


@settings(max_examples=400, deadline=None)
@given(
    book=st.sampled_from([COMMISSION, INSURED, PLAIN, FIRST, DA_HU]),
    face_down=st.booleans(),
    steps=st.lists(STEPS, max_size=60),
)
def test_rubbish_never_breaks_or_blocks_a_table(
    book: str, face_down: bool, steps: list[tuple[str, int, str]]
) -> None:
    pit = Pit(book, face_down=face_down)
    for do, number, card in steps:
        over = pit.table.round is None or pit.here.phase in OVER
        try:
            if do == "read":
                pit.read(pit.feed.next + number, card)
            elif do == "home" and not over:
                step_home(pit)
            elif do == "round" and over and not pit.table.last_of_shoe:
                pit.bets()
            elif do == "trouble":
                trouble(pit, number, card)
        except Refused:
            assert do in ("read", "trouble"), "staff had a lawful next step"
    for _ in range(40):
        if pit.table.round is None or pit.here.phase in OVER:
            break
        step_home(pit)
    else:
        pytest.fail("the round cannot be brought to an end")
    if pit.table.last_of_shoe:
        pit.ask(c.EndShoe())
        pit.ask(c.PrepareShoe())
    pit.bets()
    while pit.table.carried and pit.here.phase not in OVER:
        step_home(pit)
    if pit.here.phase == "dealing" and pit.table.next_hand() and not pit.here.interrupted:
        left = next(card for card in DECK if pit.table.shoe and pit.table.shoe.seen[card] < 4)
        if pit.feed.next <= 208 and all(laid.face_up for laid in pit.here.cards):
            assert pit.read(pit.feed.next, left).kind in ("card", "irregularity")
