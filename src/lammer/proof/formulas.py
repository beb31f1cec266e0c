"""A round as formulas: what the rulebook says of totals and cards, for a solver to compare with the code.

Everything here is made from the loaded rulebook. What the code does enters as the table of its answers, which
a theorem has enumerated by running it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lammer.proof.solving import Term, all_of, any_of, sum_of, z3
from lammer.rulebook.betting import Bet, Pay
from lammer.rulebook.conditions import (
    EVERY_CARDS,
    AllOf,
    AnyOf,
    Condition,
    Dealt,
    HandHas,
    HandWins,
    NotSo,
    Paired,
    Summed,
    Tied,
    leaves,
)
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import PAIR_SUITS, Side


def ending(book: Rulebook) -> frozenset[int]:
    """The two-card totals on which nobody draws."""
    table = book.table_of_play
    return table.natural if table.natural_ends else frozenset()


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
    """A round as unknowns: two-card totals, what third cards are worth where they are dealt, and pairs.

    `rules` says who draws, from the cells of the Table of Play; the rest follows from it. A pair is a number:
    0 where a hand begins with none, else the place of its suits in `PAIR_SUITS`, counted from one.
    """

    player: Term
    banker: Term
    player_third: Term
    banker_third: Term
    rules: Term
    player_draws: Term
    banker_draws: Term
    player_pair: Term
    banker_pair: Term
    twins: Term

    def pair_of(self, side: Side) -> Term:
        return self.player_pair if side == "player" else self.banker_pair

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
    pairs = s.Int("player_pair"), s.Int("banker_pair"), s.Bool("twins")
    return Totals(player, banker, player_third, banker_third, rules, player_draws, banker_draws, *pairs)


def condition_formula(totals: Totals, wins: Condition, naturals: Collection[int]) -> Term:
    """A condition as a formula of totals, cards and pairs.

    `naturals` are the totals that two cards make a natural of.
    """
    s = z3()
    player, banker = totals.player_total, totals.banker_total
    ends = {"player": (player, totals.player_cards), "banker": (banker, totals.banker_cards)}

    def natural(side: Side) -> Term:
        return _natural_formula(*ends[side], naturals)

    match wins:
        case AllOf() | AnyOf():
            parts = [condition_formula(totals, part, naturals) for part in wins.parts]
            return all_of(*parts) if isinstance(wins, AllOf) else any_of(*parts)
        case NotSo():
            return s.Not(condition_formula(totals, wins.part, naturals))
        case Paired():
            found = pairs_of(totals, wins)
            return found == len(wins.hands) if wins.every else found > 0
        case Dealt():
            return one_of(totals.player_cards + totals.banker_cards, wins.cards)
        case Summed():
            return one_of(player + banker, wins.sums)
        case Tied():
            said = [player == banker, one_of(player, wins.totals)]
            if wins.natural is not None:
                both = all_of(natural("player"), natural("banker"))
                said.append(both if wins.natural else s.Not(both))
            return all_of(*said)
        case HandHas() | HandWins():
            ways = []
            for side in wins.hands:
                own, cards = ends[side]
                other = banker if side == "player" else player
                said = [one_of(own, wins.totals), one_of(cards, wins.cards)]
                if isinstance(wins, HandWins):
                    said += [own > other, one_of(own - other, wins.by)]
                if wins.natural is not None:
                    said.append(natural(side) if wins.natural else s.Not(natural(side)))
                ways.append(all_of(*said))
            return all_of(*ways) if isinstance(wins, HandHas) and wins.every else any_of(*ways)


def pairs_of(totals: Totals, asked: Paired) -> Term:
    """How many of these hands begin with a pair of one of these suits."""
    s, places = z3(), {suits: place for place, suits in enumerate(PAIR_SUITS, 1)}
    wanted = sorted(places[suits] for suits in asked.suits)
    return sum_of(*(s.If(one_of(totals.pair_of(side), wanted), 1, 0) for side in asked.hands))


def tier_formula(totals: Totals, wins: Condition, tiers: Collection[str]) -> Term:
    """That so many hands are paired as one of these tiers says; of a bet on the pair of either hand only."""
    s = z3()
    asked = [leaf for leaf in leaves(wins) if isinstance(leaf, Paired)]
    if len(asked) != 1 or len(asked[0].hands) != 2 or asked[0].every:
        return s.BoolVal(True)
    found = pairs_of(totals, asked[0])
    shown = {"single": found == 1, "double": all_of(found == 2, s.Not(totals.twins))}
    shown["twin"] = all_of(found == 2, totals.twins)
    return any_of(found == 0, *(shown[tier] for tier in sorted(tiers)))


def _natural_formula(total: Term, cards: Term, naturals: Collection[int]) -> Term:
    return all_of(cards == 2, one_of(total, naturals)) if naturals else z3().BoolVal(False)


def pay_formula(totals: Totals, bet: Bet, pay: Pay, naturals: Collection[int]) -> Term:
    """That a line of a bet's pay table is for the round."""
    s = z3()
    player, banker = totals.player_total, totals.banker_total
    said = [
        one_of(s.If(player > banker, player, banker), pay.totals),
        one_of(s.If(player > banker, player - banker, banker - player), pay.by),
        one_of(totals.player_cards + totals.banker_cards, pay.cards_dealt),
        one_of(player + banker, pay.sums),
        tier_formula(totals, bet.wins, pay.tiers),
    ]
    if pay.cards != EVERY_CARDS:
        winning_cards = s.If(player > banker, totals.player_cards, totals.banker_cards)
        said += [player != banker, one_of(winning_cards, pay.cards)]
    if pay.natural is not None:
        hands = [
            any_of(lost, _natural_formula(total, cards, naturals))
            for lost, total, cards in (
                (player < banker, player, totals.player_cards),
                (banker < player, banker, totals.banker_cards),
            )
        ]
        said.append(all_of(*hands) if pay.natural else s.Not(all_of(*hands)))
    if pay.when is not None:
        said.append(condition_formula(totals, pay.when, naturals))
    return all_of(*said)


Finish = tuple[int, int, int, int]
"""Player total, Banker total, number of Player cards, number of Banker cards."""


def finish_formula(totals: Totals, finish: Finish) -> Term:
    """That the round finished so."""
    values = totals.player_total, totals.banker_total, totals.player_cards, totals.banker_cards
    return all_of(*(value == number for value, number in zip(values, finish, strict=True)))


Pairs = tuple[str, str, bool]
"""Of which suits the pair of Player and Banker is, empty where there is none; and whether they are twins."""


def pairs_formula(totals: Totals, pairs: Pairs) -> Term:
    """That the round began with these pairs."""
    places = {"": 0} | {suits: place for place, suits in enumerate(PAIR_SUITS, 1)}
    return all_of(
        totals.player_pair == places[pairs[0]],
        totals.banker_pair == places[pairs[1]],
        totals.twins == pairs[2],
    )


def pairs_in(values: Mapping[str, Any]) -> Pairs:
    """The pairs a solver found."""
    player, banker = (("", *PAIR_SUITS)[int(values.get(f"{side}_pair", 0))] for side in ("player", "banker"))
    return player, banker, bool(values.get("twins", 0))


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
