"""What a bet comes to: won, lost or returned; what is paid, in cents and in chips; what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import Final

from lammer.academy.chips import can_pay, write_piles
from lammer.academy.dice import Dice
from lammer.academy.items import Choice, Item, Words, bet_title, both, cited
from lammer.academy.rounds import finished_where
from lammer.game.bets import judge
from lammer.game.cards import Card
from lammer.game.chips import WORTHS, chips_for
from lammer.game.hands import FinishedRound
from lammer.game.money import Amount, show
from lammer.game.settlement import Line, PlacedBet, settle
from lammer.rulebook.betting import Bet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.wording import condition_words

OUTCOMES: Final = (
    Choice("won", Phrase("It wins")),
    Choice("lost", Phrase("It loses")),
    Choice("returned", Phrase("It goes back")),
)
TRAY: Final = ", ".join(map(str, reversed(WORTHS)))
WHOLE_STAKES: Final = (5_00, 10_00, 25_00, 40_00, 50_00, 75_00, 100_00, 150_00, 250_00, 300_00, 500_00)
_PLAYER: Final = "p1"
_TRIES: Final = 100


def pay_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """What became of a bet, what is paid on it, or which commission is kept."""
    bet = dice.pick(tuple(bet for bet in book.bets.values() if bet.layouts))
    cards, played = _round_for(book, bet, dice, winning=not dice.one_in(5))
    line = _settled(book, bet, cards, _stake(book, bet, dice, to_the_cent=dice.one_in(3)))
    asked = dice.below(4)
    if asked == 0:
        return _outcome_item(book, bet, line, played, seed)
    if asked == 1 and any(pay.commission for pay in bet.pays) and line.outcome == "won":
        return _commission_item(book, bet, line, played, seed)
    return Item(
        "payouts",
        "payout",
        book.id,
        seed,
        Phrase("{bet}, {stake} staked: what is paid besides the stake?", **_named(bet, line)),
        "money",
        show(line.profit),
        _because(bet, line),
        cited(*line.cites),
        hands=(played.player.cards, played.banker.cards),
        facts=_facts(cards, bet, line),
    )


def _outcome_item(book: Rulebook, bet: Bet, line: Line, played: FinishedRound, seed: int) -> Item:
    return Item(
        "payouts",
        "outcome",
        book.id,
        seed,
        Phrase("{bet}: what becomes of the stake?", bet=bet_title(bet)),
        "choice",
        line.outcome,
        _because(bet, line),
        cited(*line.cites),
        OUTCOMES,
        (played.player.cards, played.banker.cards),
        facts={"bet": bet.name},
    )


def _commission_item(book: Rulebook, bet: Bet, line: Line, played: FinishedRound, seed: int) -> Item:
    return Item(
        "payouts",
        "commission",
        book.id,
        seed,
        Phrase("{bet}, {stake} staked: what commission is kept?", **_named(bet, line)),
        "money",
        show(line.commission),
        _because(bet, line),
        cited(*line.cites[1:], *line.cites),
        hands=(played.player.cards, played.banker.cards),
        facts={"bet": bet.name, "stake": show(line.stake)},
    )


def chips_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """Which chips pay a bet that won, as few as can be."""
    bets = tuple(bet for bet in book.bets.values() if bet.layouts)
    for _ in range(_TRIES):
        bet = dice.pick(bets)
        cards, played = _round_for(book, bet, dice, winning=True)
        line = _settled(book, bet, cards, _stake(book, bet, dice, to_the_cent=False))
        if can_pay(line.profit):
            break
    else:
        # No chips come to what this rulebook pays.
        return replace(pay_item(book, dice, seed), kind="chips")
    return Item(
        "chips",
        "chips",
        book.id,
        seed,
        Phrase(
            "{bet}, {stake} staked: which chips pay it, as few as can be? There are {pieces}.",
            pieces=TRAY,
            **_named(bet, line),
        ),
        "chips",
        write_piles(dict(chips_for(line.profit)[0])),
        both(_because(bet, line), Phrase("{amount} to pay.", amount=Amount(line.profit))),
        cited(*line.cites),
        hands=(played.player.cards, played.banker.cards),
        facts=_facts(cards, bet, line),
    )


def _round_for(
    book: Rulebook, bet: Bet, dice: Dice, *, winning: bool
) -> tuple[tuple[Card, ...], FinishedRound]:
    return finished_where(book, dice, lambda played: (judge(book, bet, played).outcome == "won") == winning)


def _stake(book: Rulebook, bet: Bet, dice: Dice, *, to_the_cent: bool) -> int:
    """A stake in cents; one that pays evenly where the rulebook takes no other."""
    stake = dice.between(1_00, 999_99) if to_the_cent else dice.pick(WHOLE_STAKES) * dice.between(1, 9)
    if book.reading("rounding") == "even_stakes_only":
        step = lcm(*(odds.profit.denominator for odds in bet.odds))
        stake += -stake % step
    return stake


def _settled(book: Rulebook, bet: Bet, cards: tuple[Card, ...], stake: int) -> Line:
    placed = PlacedBet(_PLAYER, 1, bet.name, stake)
    decks = book.cards.most_decks
    return settle(book, min(bet.layouts), cards, [placed], decks=decks).lines[0]


def _named(bet: Bet, line: Line) -> dict[str, object]:
    return {"bet": bet_title(bet), "stake": Amount(line.stake)}


def _facts(cards: tuple[Card, ...], bet: Bet, line: Line) -> dict[str, str]:
    return {"cards": " ".join(cards), "bet": bet.name, "stake": show(line.stake)}


def _because(bet: Bet, line: Line) -> Words:
    return paid_words(line.outcome, line.odds, condition_words(bet.wins), line.commission)


def paid_words(outcome: str, odds: Odds | None, wins: Words, commission: int = 0) -> Words:
    """How a bet ended, when it wins, and what was kept of it."""
    if outcome == "lost":
        return Phrase("It loses. It wins when: {wins}.", wins=wins)
    if outcome == "returned":
        return Phrase("It goes back: nothing is paid.")
    won = Phrase("It wins at {odds}: {wins}.", odds=odds, wins=wins)
    if not commission:
        return won
    return both(won, Phrase("{amount} is kept as commission.", amount=Amount(commission)))
