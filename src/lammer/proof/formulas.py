"""A round as formulas: what the rulebook says of totals and cards, for a solver to compare with the code.

Everything here is made from the loaded rulebook. What the code does enters as the table of its answers, which
a theorem has enumerated by running it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lammer.proof.solving import Term, all_of, any_of, z3
from lammer.rulebook.betting import Bet, Pay
from lammer.rulebook.model import Rulebook


def ending(book: Rulebook) -> frozenset[int]:
    """The two-card totals on which nobody draws."""
    return frozenset(getattr(book.table_of_play, "ending", book.table_of_play.natural))


def player_rule(book: Rulebook, player: int, banker: int) -> bool:
    """Whether the document has the Player draw on these two-card totals."""
    return not {player, banker} & ending(book) and book.table_of_play.player[player].draws


def banker_rule(book: Rulebook, player: int, banker: int, third: int | None) -> bool:
    """Whether the document has the Banker draw, `third` being the worth of the Player's third card."""
    return not {player, banker} & ending(book) and book.table_of_play.banker[banker, third].draws


def one_of(value: Term, numbers: Iterable[int]) -> Term:
    """That a number is one of these."""
    return any_of(*(value == number for number in sorted(numbers)))


def between(value: Term, least: int, most: int) -> Term:
    return all_of(value >= least, value <= most)


@dataclass(frozen=True, slots=True)
class Totals:
    """A round as four unknowns: two-card totals, and what third cards are worth where they are dealt.

    `rules` says who draws, from the cells of the Table of Play; the rest follows from it.
    """

    player: Term
    banker: Term
    player_third: Term
    banker_third: Term
    rules: Term
    player_draws: Term
    banker_draws: Term

    @property
    def player_total(self) -> Term:
        return z3().If(self.player_draws, (self.player + self.player_third) % 10, self.player)

    @property
    def banker_total(self) -> Term:
        return z3().If(self.banker_draws, (self.banker + self.banker_third) % 10, self.banker)

    @property
    def player_cards(self) -> Term:
        return z3().If(self.player_draws, 3, 2)

    @property
    def banker_cards(self) -> Term:
        return z3().If(self.banker_draws, 3, 2)


def totals_of(book: Rulebook) -> Totals:
    """The unknowns of a round under this Table of Play, with everything the document says of them."""
    s = z3()
    player, banker = s.Int("player_two_cards"), s.Int("banker_two_cards")
    player_third, banker_third = s.Int("player_third_card"), s.Int("banker_third_card")
    player_draws, banker_draws = s.Bool("player_draws"), s.Bool("banker_draws")
    worths = {points % 10 for points in book.cards.points.values()}
    over = any_of(one_of(player, ending(book)), one_of(banker, ending(book)))
    table = book.table_of_play
    player_rows = one_of(player, (total for total, cell in table.player.items() if cell.draws))
    banker_rows = any_of(
        *(
            all_of(
                banker == total,
                s.Not(player_draws) if third is None else all_of(player_draws, player_third == third),
            )
            for (total, third), cell in sorted(table.banker.items(), key=str)
            if cell.draws
        )
    )
    rules = all_of(
        between(player, 0, 9),
        between(banker, 0, 9),
        one_of(player_third, worths),
        one_of(banker_third, worths),
        player_draws == all_of(s.Not(over), player_rows),
        banker_draws == all_of(s.Not(over), banker_rows),
    )
    return Totals(player, banker, player_third, banker_third, rules, player_draws, banker_draws)


def condition_formula(totals: Totals, wins: Any) -> Term | None:
    """A winning condition as a formula of totals and cards; None if it speaks of pairs."""
    player, banker = totals.player_total, totals.banker_total
    cards = {"player": totals.player_cards, "banker": totals.banker_cards}
    kind = type(wins).__name__
    if kind == "HandWins":
        ways = []
        for side in wins.hands:
            own, other = (player, banker) if side == "player" else (banker, player)
            ways.append(
                all_of(
                    own > other,
                    one_of(own, wins.totals),
                    one_of(cards[side], wins.cards),
                    one_of(own - other, wins.by),
                )
            )
        return any_of(*ways)
    if kind == "Tied":
        return all_of(player == banker, one_of(player, wins.totals))
    return None


def pay_formula(totals: Totals, bet: Bet, pay: Pay) -> Term:
    """That a line of a pay table is for the round, where the bet is won by totals."""
    s = z3()
    player, banker = totals.player_total, totals.banker_total
    total = s.If(player > banker, player, banker)
    winning_cards = s.If(player > banker, totals.player_cards, totals.banker_cards)
    said = [
        one_of(total, pay.totals),
        one_of(totals.player_cards + totals.banker_cards, pay.cards_dealt),
    ]
    if type(bet.wins).__name__ == "HandWins":
        said.append(one_of(winning_cards, pay.cards))
    return all_of(*said)


Finish = tuple[int, int, int, int]
"""Player total, Banker total, number of Player cards, number of Banker cards."""


def finish_formula(totals: Totals, finish: Finish) -> Term:
    """That the round finished so."""
    values = totals.player_total, totals.banker_total, totals.player_cards, totals.banker_cards
    return all_of(*(value == number for value, number in zip(values, finish, strict=True)))


def finish_in(values: Mapping[str, Any], book: Rulebook) -> Finish:
    """How the round finished that a solver found."""
    player, banker = int(values["player_two_cards"]), int(values["banker_two_cards"])
    cards = [2, 2]
    third: int | None = None
    if player_rule(book, player, banker):
        third = int(values.get("player_third_card", 0))
        cards[0] = 3
    player_total = player if third is None else (player + third) % 10
    banker_total = banker
    if banker_rule(book, player, banker, third):
        banker_total = (banker + int(values.get("banker_third_card", 0))) % 10
        cards[1] = 3
    return player_total, banker_total, cards[0], cards[1]
