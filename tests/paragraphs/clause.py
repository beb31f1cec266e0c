"""What a clause test has in hand: one rulebook, one paragraph, and ways to settle literal rounds.

A proof is a function that takes a `Clause` and asserts, with literal cards and literal money, what the
paragraph says. Which proofs a paragraph needs is listed in one TOML file per rulebook beside this one.
Rounds are written as hands, `player / banker`, the way a pit manager reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from lammer import Card, Line, PlacedBet, PlacedInsurance, Refused, Rulebook, Settlement, parse_cards, settle
from lammer.game.money import parse_amount
from lammer.rulebook.vocabulary import Side, Window

Proof = Callable[["Clause"], None]
PROOFS: dict[str, Proof] = {}


def proof(function: Proof) -> Proof:
    """Make a proof known by its name."""
    assert function.__name__ not in PROOFS, f"two proofs are called {function.__name__}"
    PROOFS[function.__name__] = function
    return function


def shoe_order(hands: str) -> tuple[Card, ...]:
    """Cards of `player / banker` in the order they leave the shoe."""
    player, banker = (parse_cards(hand) for hand in hands.split("/"))
    return (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])


@dataclass(frozen=True)
class Clause:
    """A paragraph of a rulebook, with what its row in the list of proofs adds."""

    book: Rulebook
    number: str
    facts: dict[str, Any] = field(default_factory=dict)

    def settle(self, hands: str, layout: str, bets: str, insurance: str = "", **more: Any) -> Settlement:
        """Settle `player 100, tie 10`, with Insurance as `player four_cards 50`; all of p1 in box 1."""
        placed = [PlacedBet("p1", 1, name, parse_amount(stake)) for name, stake in _pairs(bets)]
        insured = []
        for written in insurance.split(", ") if insurance else []:
            hand, window, stake = written.split()
            insured.append(PlacedInsurance("p1", 1, _side(hand), _window(window), parse_amount(stake)))
        return settle(self.book, layout, shoe_order(hands), placed, insured, **more)

    def line(self, bet: str, hands: str, stake: str = "10") -> Line:
        """One bet, on the first layout that offers it."""
        return self.settle(hands, min(self.book.bets[bet].layouts), f"{bet} {stake}").lines[0]

    def insured(self, hands: str, hand: str, window: str, stake: str = "10") -> Line:
        """One Insurance bet on an Original Bet of 100."""
        settled = self.settle(hands, "A", f"{hand} 100", f"{hand} {window} {stake}", maximum=1_000_000_00)
        return settled.lines[1]

    def cited(self, line: Line) -> None:
        """The line stands on this paragraph of this rulebook."""
        assert self.number in [cite.paragraph for cite in line.cites if cite.rulebook == self.book.id]

    def decides(self, bet: str, won: list[str], lost: list[str]) -> None:
        """The bet wins these rounds and loses those, each time under this paragraph."""
        for outcome, rounds in (("won", won), ("lost", lost)):
            assert rounds, "a proof needs both sides"
            for hands in rounds:
                line = self.line(bet, hands)
                assert line.outcome == outcome, f"{bet} on {hands}"
                self.cited(line)

    def pays(self, bet: str, hands: str, profit: str, stake: str = "10") -> None:
        """The bet wins that much under this paragraph."""
        line = self.line(bet, hands, stake)
        assert (line.outcome, line.profit) == ("won", parse_amount(profit)), f"{bet} on {hands}"
        assert line.returned == line.stake + line.profit
        self.cited(line)

    def offered_on(self, bets: str, letters: str) -> None:
        """These bets are offered on exactly these layouts, and refused elsewhere under this paragraph."""
        for name in bets.split():
            bet = self.book.bets[name]
            assert "".join(sorted(bet.layouts)) == letters, name
            assert bet.offered.paragraph == self.number
            for letter in self.book.layouts:
                if letter in letters:
                    assert self.book.offer(self.book.layout(letter), name) is bet
                else:
                    self.refused("not_on_this_layout", partial(self.settle, NATURAL, letter, f"{name} 10"))

    def refused(self, code: str, attempt: Callable[[], object], *, cited: bool = True) -> Refused:
        """The attempt is refused with this code, under this paragraph."""
        with pytest.raises(Refused) as caught:
            attempt()
        assert caught.value.code == code
        if cited:
            assert caught.value.citation == self.book.cite(self.number)
        return caught.value


NATURAL = "KS 8H / KD 7C"


def _pairs(bets: str) -> list[tuple[str, str]]:
    return [(name, stake) for name, stake in (written.split() for written in bets.split(", "))]


def _side(hand: str) -> Side:
    assert hand in ("player", "banker")
    return "player" if hand == "player" else "banker"


def _window(window: str) -> Window:
    assert window in ("four_cards", "third_card")
    return "four_cards" if window == "four_cards" else "third_card"
