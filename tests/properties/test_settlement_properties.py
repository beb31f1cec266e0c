"""What holds of every settlement, whatever the rulebook, the cards and the bets."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, strategies as st

import lammer
from lammer import Card, PlacedBet, PlacedInsurance, Refused, Rulebook, Settlement, settle
from lammer.game.cards import DECK
from lammer.game.drawing import deal, next_hand
from lammer.game.insurance import limit, offers_of_round
from lammer.game.money import LARGEST, parse_amount, show, winnings
from lammer.rulebook.odds import Odds
from lammer.shelf import shipped_ids

stakes = st.integers(min_value=1, max_value=LARGEST)
MAXIMUM = 10_000_00


def complete(book: Rulebook, cards: list[Card]) -> list[Card]:
    player: list[Card] = []
    banker: list[Card] = []
    used = []
    while (side := next_hand(book, player, banker)) is not None:
        used.append(cards.pop())
        (player if side == "player" else banker).append(used[-1])
    return used


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Rulebook, Settlement, list[PlacedBet | PlacedInsurance]]:
    book = lammer.rulebook(draw(st.sampled_from(shipped_ids())))
    layout = draw(st.sampled_from(tuple(book.layouts)))
    cards = complete(book, draw(st.lists(st.sampled_from(DECK), min_size=6, max_size=6, unique=True)))
    names = st.sampled_from([bet.name for bet in book.offered(book.layout(layout))])
    placed = [
        PlacedBet(player, 1, name, stake)
        for player, name, stake in draw(
            st.lists(st.tuples(st.sampled_from("abc"), names, stakes), max_size=12)
        )
    ]
    originals = [PlacedBet("z", 1, side, draw(stakes)) for side in ("player", "banker")]
    insured = [
        PlacedInsurance("z", 1, offer.hand, offer.window, draw(st.integers(1, most)))
        for offer in offers_of_round(book, deal(book, cards))
        if (most := limit(book, offer, originals[offer.hand == "banker"].stake, MAXIMUM).most)
    ]
    bets = placed + originals
    return book, settle(book, layout, cards, bets, insured, maximum=MAXIMUM), [*bets, *insured]


@given(rounds())
def test_every_bet_has_its_line_and_money_is_conserved(
    case: tuple[Rulebook, Settlement, list[object]],
) -> None:
    book, settled, placed = case
    assert len(settled.lines) == len(placed)
    for line in settled.lines:
        assert line.cites
        assert {cite.rulebook for cite in line.cites} == {book.id}
        assert all(cite.paragraph in book.paragraphs for cite in line.cites)
        assert 0 <= line.remainder < 1
        if line.outcome == "won":
            assert line.odds is not None
            assert line.returned == line.stake + line.profit
            assert line.profit + line.remainder == line.stake * line.odds.profit
            assert line.commission == 0 or line.profit + line.commission == line.stake
        else:
            assert line.profit + line.commission + line.remainder == 0
            assert line.returned == (line.stake if line.outcome == "returned" else 0)
    assert sum(settled.net.values()) == sum(line.returned - line.stake for line in settled.lines)


@given(rounds())
def test_a_round_settles_the_same_twice(case: tuple[Rulebook, Settlement, list[object]]) -> None:
    book, settled, _ = case
    assert settled.sha256 == book.sha256
    lines = [line for line in settled.lines if line.window is None]
    again = settle(
        book,
        next(letter for letter, layout in book.layouts.items() if _offers_all(book, letter, lines)),
        _cards(settled),
        [PlacedBet(line.player, line.box, line.bet, line.stake) for line in lines],
    )
    assert again.lines == tuple(lines)


def _offers_all(book: Rulebook, letter: str, lines: list[lammer.Line]) -> bool:
    return {line.bet for line in lines} <= {bet.name for bet in book.offered(book.layout(letter))}


def _cards(settled: Settlement) -> tuple[Card, ...]:
    player, banker = settled.round.player.cards, settled.round.banker.cards
    return (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])


@given(stakes)
def test_amounts_come_back_as_they_went_in(cents: int) -> None:
    assert parse_amount(show(cents)) == cents


@given(st.text(max_size=30))
def test_no_text_is_money_by_accident(text: str) -> None:
    try:
        cents = parse_amount(text)
    except Refused:
        return
    assert Fraction(text) * 100 == cents > 0


@given(stakes, st.sampled_from(["3:2", "5:2", "0.95:1", "1:2", "150:1", "1:3"]))
def test_rounding_is_down_and_remembered(stake: int, odds: str) -> None:
    paid, cut = winnings(stake, Odds.parse(odds))
    assert paid + cut == stake * Odds.parse(odds).profit
    assert 0 <= cut < 1
