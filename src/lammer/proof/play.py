"""Theorem: the Table of Play is total and exclusive, and a round takes four to six cards.

Run as it is: `total` on every two and three ranks, `next_hand` and `third_card_decisions` on every first four
ranks and every third card of the Player. What they answered is then compared, by the solver, with the rows of
the document for every card there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from lammer.game.cards import Card
from lammer.game.drawing import deal, next_hand, third_card_decisions
from lammer.game.hands import total
from lammer.proof.formulas import banker_rule, ending, player_rule, totals_of
from lammer.proof.rounds import in_dealing_order, kinds_of_one, kinds_of_two, ranks_of, starts
from lammer.proof.scenarios import round_script
from lammer.proof.solving import Term, all_of, any_of, z3
from lammer.proof.working import Counterexample, Work
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side


def prove_totals(work: Work) -> None:
    """The Point Total is the last digit of what the cards add up to, for every two and three ranks."""
    book, points = work.book, work.book.cards.points
    for count in (2, 3):
        for ranks in product(ranks_of(book), repeat=count):
            cards = tuple(Card(f"{rank}S") for rank in ranks)
            said = total(book, cards)
            work.hold(
                said == sum(points[rank] for rank in ranks) % 10,
                lambda cards=cards, said=said: Counterexample(  # type: ignore[misc]
                    f"The cards {' '.join(cards)} are said to come to {said}.",
                    (book.cards.total_cite.paragraph,),
                    round_script(book, "A total", (*cards[:2], *cards[:2]), {}),
                ),
            )


def prove_table_of_play(work: Work) -> None:
    """Every first four cards and every third card: one decision each, the document's; four to six cards."""
    prove_totals(work)
    _prove_first_cards(work)
    book = work.book
    cards = {rank: Card(f"{rank}S") for rank in ranks_of(book)}
    worth = {rank: points % 10 for rank, points in book.cards.points.items()}
    twos = [
        ((cards[first], cards[second]), (worth[first] + worth[second]) % 10)
        for first, second in product(cards, repeat=2)
    ]
    thirds = [(card, worth[rank]) for rank, card in cards.items()]
    for (player, player_total), (banker, banker_total) in product(twos, repeat=2):
        draws = player_rule(book, player_total, banker_total)
        expected: Side | None = (
            "player" if draws else "banker" if banker_rule(book, player_total, banker_total, None) else None
        )
        _hold_next(work, player, banker, expected)
        if draws:
            for card, third in thirds:
                due = banker_rule(book, player_total, banker_total, third)
                _hold_next(work, (*player, card), banker, "banker" if due else None)
    _prove_ends(work)
    _compare_with_rows(work)


def _prove_first_cards(work: Work) -> None:
    """The first four cards go where the dealing order says, whatever they are."""
    book = work.book
    for card in kinds_of_one(book):
        held: dict[Side, list[Card]] = {"player": [], "banker": []}
        for side in book.cards.order:
            _hold_place(work, held["player"], held["banker"], side)
            held[side].append(card)


def _hold_place(work: Work, player: Sequence[Card], banker: Sequence[Card], expected: Side) -> None:
    book, said = work.book, next_hand(work.book, player, banker)
    work.hold(
        said == expected,
        lambda: Counterexample(
            f"Card {len(player) + len(banker) + 1} goes to {said} and is due to {expected}.",
            (book.cards.order_cite.paragraph,),
            round_script(book, "The first four cards", kinds_of_one(book)[:4], {}),
        ),
    )


def _hold_next(work: Work, player: Sequence[Card], banker: Sequence[Card], expected: Side | None) -> None:
    book = work.book
    decisions = third_card_decisions(book, player, banker)
    hands = [decision.hand for decision in decisions]
    made = ["player", "banker"] if len(player) > 2 or not decisions[0].draws else ["player"]
    said = next_hand(book, player, banker)
    if said != expected or hands != made:
        work.hold(False, lambda: _wrong_next(book, player, banker, said, expected))
    work.count()


def _wrong_next(
    book: Rulebook, player: Sequence[Card], banker: Sequence[Card], said: Side | None, expected: Side | None
) -> Counterexample:
    words = {None: "nobody", "player": "the Player", "banker": "the Banker"}
    what = (
        f"With {' '.join(player)} and {' '.join(banker)} the next card goes to {words[said]}; "
        f"by the rows of the document to {words[expected]}."
    )
    table = book.table_of_play
    totals = total(book, player[:2]), total(book, banker[:2])
    third = book.cards.points[player[2][0]] % 10 if len(player) > 2 else None
    cite = table.natural_cite
    if not set(totals) & ending(book):
        cite = table.player[totals[0]].cite if third is None else table.banker[totals[1], third].cite
    cards = list(in_dealing_order(book, tuple(player), tuple(banker)))
    script = round_script(book, what, cards, {"banker": 100_00} if "banker" in book.bets else {})
    steps = script["step"]
    steps.pop()
    if expected is None:
        steps.append({"by": "dealer", "do": "settle"})
    else:
        steps.append({"by": "dealer", "do": "deal_card", "card": "AD"})
        side = {"player": [*player], "banker": [*banker]}
        side[expected] = [*side[expected], Card("AD")]
        script["expect"] = {"hands": {hand: " ".join(held) for hand, held in side.items()}}
    return Counterexample(what, (cite.paragraph,), script)


def _prove_ends(work: Work) -> None:
    """From every two totals, with third cards of every rank, a round ends as the rows say."""
    book = work.book
    by_total = {kind.total: kind.cards for kind in kinds_of_two(book)}
    for player, banker in product(by_total.values(), repeat=2):
        _play_on(work, player, banker)


def _play_on(work: Work, player: tuple[Card, ...], banker: tuple[Card, ...]) -> None:
    book = work.book
    side = next_hand(book, player, banker)
    dealt = len(player) + len(banker)
    work.hold(
        max(len(player), len(banker)) <= 3 and dealt <= 6,
        lambda: _no_end(book, player, banker, "A hand needs a fourth card."),
    )
    if side is None:
        try:
            played = deal(book, in_dealing_order(book, player, banker))
        except Refused as refused:
            because = refused.sentence
            work.hold(False, lambda: _no_end(book, player, banker, because))
            return
        work.hold(
            4 <= played.cards_dealt <= 6
            and (played.player.cards, played.banker.cards) == (player, banker)
            and [decision.draws for decision in played.decisions] == [len(player) > 2, len(banker) > 2],
            lambda: _no_end(book, player, banker, "The cards do not go to the hands they are due to."),
        )
        return
    for rank in ranks_of(book):
        card = Card(f"{rank}D")
        grown = ((*player, card), banker) if side == "player" else (player, (*banker, card))
        _play_on(work, *grown)


def _no_end(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...], what: str) -> Counterexample:
    cards = in_dealing_order(book, player, banker)
    return Counterexample(
        what, (book.table_of_play.natural_cite.paragraph,), round_script(book, what, cards, {})
    )


def _compare_with_rows(work: Work) -> None:
    """For the solver: is there any round in which the code's answers and the document's rows part ways?"""
    book, s = work.book, z3()
    totals = totals_of(book)
    worth = {points % 10: f"{rank}D" for rank, points in book.cards.points.items()}
    player_cells, banker_cells = [], []
    for player, banker in {(one.total, two.total): (one, two) for one, two in starts(book)}.values():
        here = all_of(totals.player == player.total, totals.banker == banker.total)
        first = third_card_decisions(book, player.cards, banker.cards)
        if first[0].draws:
            player_cells.append(here)
            for points, card in sorted(worth.items()):
                if third_card_decisions(book, (*player.cards, Card(card)), banker.cards)[1].draws:
                    banker_cells.append(all_of(here, totals.player_draws, totals.player_third == points))
        elif first[1].draws:
            banker_cells.append(all_of(here, s.Not(totals.player_draws)))
    dealt = totals.player_cards + totals.banker_cards
    wrong: Term = any_of(
        totals.player_draws != any_of(*player_cells),
        totals.banker_draws != any_of(*banker_cells),
        dealt < 4,
        dealt > 6,
    )
    work.refute("table of play", [totals.rules, wrong], lambda values: _found(book, values))


def _found(book: Rulebook, values: Mapping[str, Fraction]) -> Counterexample:
    player, banker = int(values["player_two_cards"]), int(values["banker_two_cards"])
    by_total = {kind.total: kind.cards for kind in kinds_of_two(book)}
    what = f"On Player {player} and Banker {banker} the game does not draw by the rows of the document."
    cards = in_dealing_order(book, by_total[player], by_total[banker])
    return Counterexample(
        what, (book.table_of_play.natural_cite.paragraph,), round_script(book, what, cards, {})
    )
