"""A hand that may draw or stand, at a table: who says which, until when, and what the record makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer.game.settlement import PlacedBet, settle
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.journal import decode, encode
from lammer.table.play import record
from lammer.table.recall import recall_from
from lammer.table.script import ScriptRun, run
from lammer.table.snapshot import freeze, thaw
from lammer.table.state import Table
from lammer.table.verify import verify

EXAMPLES = Path(__file__).parents[2] / "examples"
BOOK = lammer.rulebook(str(EXAMPLES / "chemin-de-fer.toml"))
NO_TENS = lammer.rulebook(str(EXAMPLES / "no-naturals.toml"))


def played(*steps: dict[str, Any], book: Rulebook = BOOK, **setup: Any) -> ScriptRun:
    """A round with a bet on each hand, brought to these steps."""
    opening = [
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
        {"by": "p2", "do": "place_bet", "box": 2, "bet": "banker", "stake": "100"},
        {"by": "p3", "do": "place_bet", "box": 3, "bet": "player", "stake": "100"},
        {"by": "dealer", "do": "close_bets"},
    ]
    seats = {"p1": 1, "p2": 2, "p3": 3}
    script = {"rulebook": book.id, "layout": "A", "decks": 6, "seats": seats, "step": [*opening, *steps]}
    return run({book.id: book}, script | setup)


def deal(cards: str) -> dict[str, Any]:
    return {"by": "dealer", "do": "deal_cards", "cards": cards}


def choose(by: str, hand: str, draws: bool) -> dict[str, Any]:
    return {"by": by, "do": "choose_drawing", "hand": hand, "draws": draws}


def codes(script_run: ScriptRun) -> list[str]:
    """What each step of the round was refused with, empty where it was not."""
    return [outcome.refused.code if outcome.refused else "" for outcome in script_run.steps]


CORRECT = {
    **{"by": "pit_manager", "do": "correct_card", "hand": "player", "place": 1, "round": 1},
    "reason": "misread",
}
SETTLE = {"by": "dealer", "do": "settle"}


@pytest.mark.parametrize(
    ("cards", "choices", "then", "player", "banker"),
    [
        ("2S 2D 3H 2C", {"player": True, "banker": True}, "KS 3D", "2S 3H KS", "2D 2C 3D"),
        ("2S 2D 3H 2C", {"player": False, "banker": True}, "3D", "2S 3H", "2D 2C 3D"),
        ("2S 2D 3H 2C", {"player": True, "banker": False}, "KS", "2S 3H KS", "2D 2C"),
        ("2S 2D 3H 2C", {"player": False, "banker": False}, "", "2S 3H", "2D 2C"),
        ("2S KD 2H 3C", {"banker": False}, "", "2S 2H 9S", "KD 3C"),
    ],
)
def test_a_round_goes_as_the_hands_choose(
    cards: str, choices: dict[str, bool], then: str, player: str, banker: str
) -> None:
    rest = then.split()
    steps = [deal(cards)]
    if "player" not in choices:
        steps.append(deal("9S"))  # on 4 the Player has no choice
    else:
        steps.append(choose("dealer", "player", choices["player"]))
        if choices["player"]:
            steps.append(deal(rest.pop(0)))
    steps.append(choose("dealer", "banker", choices["banker"]))
    steps += [deal(card) for card in rest]
    done = played(*steps, SETTLE)
    assert not any(codes(done)), [outcome.refused for outcome in done.steps if outcome.refused]
    settled = done.journal[-1].event
    assert isinstance(settled, e.RoundSettled)
    assert (" ".join(settled.player), " ".join(settled.banker)) == (player, banker)
    chosen = [entry.event for entry in done.journal if isinstance(entry.event, e.DrawingChosen)]
    assert {each.hand: each.draws for each in chosen} == choices
    assert {each.cite for each in chosen} == {"title"}
    # The same cards settled at once, with the same choices, come to the same money.
    order = cards.split() + ([] if "player" in choices else ["9S"]) + then.split()
    bets = [PlacedBet("p1", 1, "player", 100_00), PlacedBet("p2", 2, "banker", 100_00)]
    at_once = settle(BOOK, "A", lammer.parse_cards(order), bets, choices=choices)  # type: ignore[arg-type]
    lines = {line.player: line.profit for line in settled.lines}
    assert {line.player: line.profit for line in at_once.lines} == {"p1": lines["p1"], "p2": lines["p2"]}


def test_nothing_goes_on_before_the_hand_has_said() -> None:
    done = played(deal("2S 2D 3H 2C"), deal("KS"), SETTLE, choose("p1", "player", True), deal("KS"), SETTLE)
    assert codes(done)[-5:] == [
        "drawing_not_chosen", "drawing_not_chosen", "", "", "drawing_not_chosen",
    ]  # fmt: skip


def test_who_leads_a_hand_chooses_for_it_or_the_dealer_does() -> None:
    """The largest Original Bet on the hand, the first placed of equal ones: p1's, not p3's, on Player."""
    for by, hand, code in (
        ("p3", "player", "not_your_hand"),
        ("p2", "player", "not_your_hand"),
        ("p1", "banker", "not_your_hand"),
        ("p2", "banker", "no_choice_to_make"),
        ("dealer", "banker", "no_choice_to_make"),
        ("p1", "player", ""),
        ("dealer", "player", ""),
        ("pit_manager", "player", ""),
    ):
        assert codes(played(deal("2S 2D 3H 2C"), choose(by, hand, False)))[-1] == code, (by, hand)


def test_what_was_said_may_be_changed_until_something_came_of_it() -> None:
    again = played(
        deal("2S 2D 3H 2C"),
        choose("p1", "player", True),
        choose("p1", "player", False),
        choose("p2", "banker", True),
        choose("p1", "player", True),
        choose("p2", "banker", False),
        SETTLE,
    )
    assert codes(again)[-6:] == ["", "", "", "no_choice_to_make", "", ""]
    drawn = played(
        deal("2S 2D 3H 2C"), choose("p1", "player", True), deal("KS"), choose("p1", "player", False)
    )
    assert codes(drawn)[-1] == "no_choice_to_make"


def test_a_natural_and_a_cell_that_is_closed_leave_no_choice() -> None:
    for cards in ("4S 2D 4H 2C", "2S 4D 2H 4C", "2S 2D 4H 2C"):
        done = played(deal(cards), choose("dealer", "player", True))
        assert codes(done)[-1] == "no_choice_to_make", cards


def test_face_down_nothing_is_chosen_before_the_cards_are_open() -> None:
    steps = [deal("2S 2D 3H 2C"), choose("dealer", "player", True)]
    opened = [
        {"by": "dealer", "do": "open_card", "hand": hand, "place": place}
        for hand in ("player", "banker")
        for place in (1, 2)
    ]
    done = played(*steps, *opened, steps[1], face_down=True)
    assert codes(done)[-6:] == ["cards_face_down", "", "", "", "", ""]


def test_an_open_choice_leaves_the_bets_open() -> None:
    """With 7 against a Banker of 6 who may draw nothing is decided; once it stands the Player has won."""
    waiting = played(deal("3S 2D 4H 4C"))
    assert waiting.table.outcome().by == ()
    stood = played(deal("3S 2D 4H 4C"), choose("dealer", "banker", False))
    assert set(stood.table.outcome().by) == {"player", "banker"}


def test_a_table_that_was_put_away_goes_on_by_what_was_chosen() -> None:
    for steps in (
        [deal("2S 2D 3H 2C"), choose("p1", "player", False)],
        [deal("2S 2D 3H 2C"), choose("p1", "player", True), deal("KS"), choose("p2", "banker", True)],
    ):
        before = played(*steps).table
        again = thaw({BOOK.id: BOOK}, freeze(before))
        assert again == before
        assert again.round is not None
        assert before.round is not None
        assert again.round.draws == before.round.draws
        assert again.next_hand() == before.next_hand()
        assert freeze(again) == freeze(before)


def test_a_round_remembers_its_choices_when_it_is_corrected() -> None:
    done = played(
        deal("2S 2D 3H 2C"),
        choose("p1", "player", False),
        choose("p2", "banker", False),
        SETTLE,
        {"by": "dealer", "do": "open_bets"},
        {**CORRECT, "card": "2H"},
    )
    assert not any(codes(done)), [outcome.refused for outcome in done.steps if outcome.refused]
    recall = recall_from({BOOK.id: BOOK}, lambda: (entry.event for entry in done.journal))
    past = recall(1, 0)
    assert past is not None
    assert past.draws == (("banker", False), ("player", False))
    assert done.table.book is BOOK, "the next round is open again"


def test_the_next_round_begins_with_everything_open() -> None:
    done = played(
        deal("2S 2D 3H 2C"),
        choose("p1", "player", False),
        choose("p2", "banker", False),
        SETTLE,
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
        {"by": "dealer", "do": "close_bets"},
        deal("2S 2D 3H 2C"),
        SETTLE,
    )
    assert codes(done)[-1] == "drawing_not_chosen"


def test_a_table_is_set_to_a_play_the_rulebook_names() -> None:
    assert codes(played(play="tableau"))[0] == ""
    assert codes(played(play="wild"))[0] == "unknown_play"


def test_a_shoe_holds_the_cards_of_its_rulebook() -> None:
    entropy = "ab" * 64
    done = run(
        {NO_TENS.id: NO_TENS},
        {"rulebook": NO_TENS.id, "layout": "A", "decks": 6, "shoe": "virtual", "entropy": entropy},
    )
    shoe = done.table.shoe
    assert shoe is not None
    assert shoe.size == shoe.left == len(shoe.order) == 6 * 48
    assert not [card for card in shoe.order if card[0] == "T"]
    assert set(shoe.order) == {card for card in shoe.order if shoe.order.count(card) == 6}
    refused = run(
        {NO_TENS.id: NO_TENS}, {"rulebook": NO_TENS.id, "layout": "A", "decks": 6, "cut": 6 * 48 - 5}
    )
    assert codes(refused)[0] == "impossible_decks"


def test_a_card_no_deck_has_is_refused() -> None:
    done = played(
        {"by": "dealer", "do": "deal_card", "card": "TS"}, {"by": "dealer", "do": "deal_card", "card": "9S"},
        book=NO_TENS,
    )  # fmt: skip
    assert codes(done)[-2:] == ["impossible_card", ""]


def test_a_shoe_stays_with_the_decks_it_was_made_of() -> None:
    """Another rulebook of as many decks has other cards; the shoe is ended first."""
    other = lammer.rulebook("tiger-buffalo-noncommission@4")
    table = Table({NO_TENS.id: NO_TENS, other.id: other})
    done = played(SETTLE, book=NO_TENS)
    table = done.table
    table.books = {NO_TENS.id: NO_TENS, other.id: other}
    table.round, table.seats = None, {}
    setup = table.require_setup()
    again = c.SetTable(type(setup)(other.id, "A", decks=setup.decks, shoe=setup.shoe), "tried")
    call = c.Call("ann", "table_game_shift_manager", done.journal[-1].at, again)
    with pytest.raises(Refused) as refused:
        record(table, call)
    assert refused.value.code == "shoe_in_use"


def test_what_was_chosen_is_in_the_journal_and_can_be_replayed() -> None:
    done = played(deal("2S 2D 3H 2C"), choose("p1", "player", False), choose("p2", "banker", False), SETTLE)
    read = [decode(encode(entry)) for entry in done.journal]
    assert read == done.journal
    assert [entry.by for entry in read if isinstance(entry.event, e.DrawingChosen)] == ["p1", "p2"]
    again = verify({BOOK.id: BOOK}, read)[0]
    assert freeze(again) == freeze(done.table)
    assert verify({BOOK.id: BOOK}, read)[1] == []
