"""Theorem: cards put right lie as if they had been dealt right.

Run as they are: the table's `proper_order` and the corrections' `proper_hands`, on every kind of round:
whole, broken off after any card, or with up to three cards in excess, and each with up to three of its cards
laid with the wrong hand. Cards the House lets stand stay where they lie. Where it sends a fifth and a sixth
card is then compared, by the solver, with the rows of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Final

from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS, next_hand
from lammer.proof.formulas import one_of, totals_of
from lammer.proof.rounds import in_dealing_order, kinds_of_one, kinds_of_two
from lammer.proof.scenarios import layout_with, round_script
from lammer.proof.solving import Term, all_of, any_of, z3
from lammer.proof.working import Counterexample, Script, Work
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import Side, opposite
from lammer.table.corrections import proper_hands
from lammer.table.setup import SetUp
from lammer.table.state import Laid, Table

MISLAID: Final = 3
EXCESS: Final = (Card("5C"), Card("9C"), Card("KC"))


def dealt_rounds(book: Rulebook) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The hands of one round for every pair of two-card totals and every third card of the Player."""
    for player, banker in product(_by_total(book).values(), repeat=2):
        yield from _dealt(book, player, banker)


def _by_total(book: Rulebook) -> dict[int, tuple[Card, Card]]:
    """Two cards for every total two cards can come to."""
    return {kind.total: kind.cards for kind in reversed(kinds_of_two(book))}


def _dealt(
    book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    side = next_hand(book, player, banker)
    if side is None:
        yield player, banker
    elif side == "player":
        for card in kinds_of_one(book):
            yield from _dealt(book, (*player, card), banker)
    else:
        yield from _dealt(book, player, (*banker, kinds_of_one(book)[0]))


def laid_right(player: Sequence[Card], banker: Sequence[Card], book: Rulebook) -> list[Laid]:
    """Cards in the order they were drawn, where they belong."""
    order: list[Side] = [*book.cards.order]
    order += ["player"] * (len(player) - 2)
    order += ["banker"] * (len(banker) - 2)
    cards = in_dealing_order(book, tuple(player), tuple(banker))
    places: dict[Side, int] = {"player": 0, "banker": 0}
    laid = []
    for card, side in zip(cards, order, strict=True):
        places[side] += 1
        laid.append(Laid(card, side, places[side], face_up=True))
    return laid


def mislaid(right: Sequence[Laid], wrong: Sequence[int]) -> list[Laid]:
    """The same cards, some of them laid with the other hand, each at the next place of its hand."""
    places: dict[Side, int] = {"player": 0, "banker": 0}
    lies = []
    for number, laid in enumerate(right):
        side = opposite(laid.hand) if number in wrong else laid.hand
        places[side] += 1
        lies.append(replace(laid, hand=side, place=places[side]))
    return lies


def prove_put_right(work: Work) -> None:
    """Every kind of round, broken off or with cards in excess, every choice of cards that lie wrong."""
    book = work.book
    table = Table({book.id: book})
    table.set_to(SetUp(rulebook=book.id, layout=next(iter(book.layouts))))
    for player, banker in dealt_rounds(book):
        right = laid_right(player, banker, book)
        for dealt in range(1, len(right)):
            _prove_drawn(work, table, right[:dealt], (), MISLAID if dealt < FIRST_CARDS else 1)
        _prove_drawn(work, table, right, (), MISLAID)
        face_down = [replace(laid, face_up=False, dealt_up=laid.hand == "banker") for laid in right]
        _prove_drawn(work, table, face_down[:FIRST_CARDS], (), 1)
        for count in range(1, len(EXCESS) + 1):
            _prove_drawn(work, table, right, EXCESS[:count], MISLAID if count == 1 else 1)
        _prove_accepted(work, table, right)
        _prove_third_card(work, table, player, banker)
    _compare_with_rows(work, table)


def _prove_drawn(work: Work, table: Table, right: Sequence[Laid], excess: Sequence[Card], most: int) -> None:
    """These cards, and those drawn after them, with up to so many of all of them laid with the wrong hand."""
    over = [Laid(card, "banker", 4 + number, face_up=True) for number, card in enumerate(excess)]
    drawn = [*right, *over]
    for count in range(most + 1):
        for wrong in combinations(range(len(drawn)), count):
            put_right, left = table.proper_order(mislaid(drawn, wrong))
            work.hold(
                put_right == right and left == list(excess),
                lambda wrong=wrong: _not_put_right(work.book, right, wrong, excess),  # type: ignore[misc]
            )


def _prove_accepted(work: Work, table: Table, right: Sequence[Laid]) -> None:
    """Cards the House lets stand stay where they lie, and nothing of them is left over."""
    for wrong in range(len(right)):
        lies = mislaid(right, (wrong,))
        for accepted in range(wrong + 1, len(right) + 1):
            put_right, left = table.proper_order(lies, accepted)
            kept = [*put_right[accepted:]]
            work.hold(
                put_right[:accepted] == lies[:accepted]
                and [*(laid.card for laid in kept), *left] == [laid.card for laid in right[accepted:]],
                lambda wrong=wrong: _not_put_right(work.book, right, (wrong,)),  # type: ignore[misc]
            )


def _compare_with_rows(work: Work, table: Table) -> None:
    """For the solver: of six cards laid with the Player, does any come to lie where no row sends it?"""
    book, totals = work.book, totals_of(work.book)
    fifth = z3().Int("fifth_card")
    places: dict[tuple[str, int], list[Term]] = {}
    for player, banker in product(_by_total(book).items(), repeat=2):
        for card in kinds_of_one(book):
            drawn = (*in_dealing_order(book, player[1], banker[1]), card, kinds_of_one(book)[0])
            laid, _ = table.proper_order([Laid(one, "player", 3, face_up=True) for one in drawn])
            worth = book.cards.points[card[0]] % 10
            here = all_of(totals.player == player[0], totals.banker == banker[0], fifth == worth)
            for place, lies in enumerate(laid[4:], 5):
                places.setdefault((lies.hand, place), []).append(here)
    both = all_of(totals.player_draws, totals.banker_draws)
    rows = {
        ("player", 5): totals.player_draws,
        ("banker", 5): all_of(totals.banker_draws, z3().Not(totals.player_draws)),
        ("banker", 6): both,
        ("player", 6): z3().BoolVal(False),
    }
    fifth_is_third = z3().Implies(totals.player_draws, totals.player_third == fifth)
    worths = {points % 10 for points in book.cards.points.values()}
    wrong = any_of(*(any_of(*places.get(place, ())) != due for place, due in rows.items()))
    work.refute(
        "put right",
        [totals.rules, fifth_is_third, one_of(fifth, worths), wrong],
        lambda values: _sent_wrong(book, values),
    )


def _sent_wrong(book: Rulebook, values: Mapping[str, Fraction]) -> Counterexample:
    """The round the solver found, its third cards as they are due, with one of them laid wrong."""
    hands = _by_total(book)
    player, banker = hands[int(values["player_two_cards"])], hands[int(values["banker_two_cards"])]
    dealt = max(_dealt(book, player, banker), key=lambda each: len(each[0]) + len(each[1]))
    right = laid_right(*dealt, book)
    return _not_put_right(book, right, (len(right) - 1,))


def _prove_third_card(work: Work, table: Table, player: tuple[Card, ...], banker: tuple[Card, ...]) -> None:
    """An earlier round in which a hand got the one third card the other should have drawn."""
    if len(player) + len(banker) != 5:
        return
    swapped = (player[:2], (*banker, player[2])) if len(player) == 3 else ((*player, banker[2]), banker[:2])
    hands = proper_hands(table, *swapped)
    work.hold(
        hands == (player, banker),
        lambda: _not_put_right(work.book, laid_right(player, banker, work.book), (4,)),
    )


def _not_put_right(
    book: Rulebook, right: Sequence[Laid], wrong: Sequence[int], excess: Sequence[Card] = ()
) -> Counterexample:
    cards = " ".join(laid.card for laid in right)
    which = ", ".join(str(place + 1) for place in wrong)
    what = (
        f"Of the cards {cards} card {which} lies with the other hand, and is put right to something else."
        if wrong and not excess
        else f"With {' '.join(excess)} drawn after {cards} the cards in excess are not those left over."
    )
    rule = next(
        (rule for rule in book.irregularities.values() for step in rule.steps if step.does == "reconstruct"),
    )
    return Counterexample(what, (rule.cite.paragraph,), _mislaid_script(book, what, right, wrong, excess))


def _mislaid_script(
    book: Rulebook, what: str, right: Sequence[Laid], wrong: Sequence[int], excess: Sequence[Card]
) -> Script:
    """A round dealt with those cards to the wrong hand, then put right; what must lie there at the end."""
    script = round_script(book, what, [], {})
    script["layout"] = layout_with(book, list(book.bets))
    steps = [step for step in script["step"] if step["do"] != "settle"]
    for place, laid in enumerate(right):
        deal: Script = {"by": "dealer", "do": "deal_card", "card": laid.card}
        if place in wrong:
            deal["to"] = opposite(laid.hand)
        steps.append(deal)
    for place, card in enumerate(excess, len(right)):
        to = "player" if place in wrong else "banker"
        steps.append({"by": "dealer", "do": "deal_card", "card": card, "to": to})
    name = "excess_cards" if excess else _rule_of(book)
    steps.append({"by": "pit_supervisor", "do": "reconstruct", "irregularity": name})
    script["step"] = steps
    hands = {
        side: " ".join(laid.card for laid in right if laid.hand == side) for side in ("player", "banker")
    }
    script["expect"] = {"hands": hands}
    return script


def _rule_of(book: Rulebook) -> str:
    for rule in book.irregularities.values():
        if rule.name != "excess_cards" and any(step.does == "reconstruct" for step in rule.steps):
            return rule.name
    return "excess_cards"
