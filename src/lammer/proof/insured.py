"""Theorem: Insurance is offered exactly in the listed situations that can still change; it can win and lose.

Run as it is: `window`, `offers` and `judge_insurance`, on every pair of totals, every third card of the
Player and every card that may follow. The tie exceptions are those offers that could otherwise never win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from lammer.game.cards import Card
from lammer.game.drawing import deal, next_hand
from lammer.game.hands import FinishedRound, total
from lammer.game.insurance import judge_insurance, offers, offers_of_round
from lammer.proof.formulas import banker_rule, player_rule, totals_of
from lammer.proof.rounds import in_dealing_order, kinds_of_one, kinds_of_two
from lammer.proof.scenarios import cards_of, round_script
from lammer.proof.solving import Term, all_of, any_of
from lammer.proof.working import Counterexample, Work
from lammer.rulebook.betting import Offer
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import Window, opposite

Cards = tuple[Card, ...]


def situations(book: Rulebook) -> Iterator[tuple[Cards, Cards, Window | None]]:
    """Every kind of four or five open cards, with the window the document opens there, if it opens one."""
    by_total = {kind.total: kind.cards for kind in reversed(kinds_of_two(book))}
    for (player, player_cards), (banker, banker_cards) in product(sorted(by_total.items()), repeat=2):
        draws = player_rule(book, player, banker)
        opens = draws or banker_rule(book, player, banker, None)
        yield player_cards, banker_cards, "four_cards" if opens else None
        if draws:
            for card in kinds_of_one(book):
                third = book.cards.points[card[0]] % 10
                opens = banker_rule(book, player, banker, third)
                yield (*player_cards, card), banker_cards, "third_card" if opens else None


def continuations(book: Rulebook, player: Cards, banker: Cards) -> Iterator[FinishedRound]:
    """Every kind of round these open cards can lead to."""
    side = next_hand(book, player, banker)
    if side is None:
        yield deal(book, in_dealing_order(book, player, banker))
        return
    for card in kinds_of_one(book):
        grown = ((*player, card), banker) if side == "player" else (player, (*banker, card))
        yield from continuations(book, *grown)


def prove_insurance(work: Work) -> None:
    """Every situation: offered as listed while a card is to come; won and lost by some continuation."""
    book = work.book
    offered: dict[tuple[Offer, int, int], tuple[Cards, Cards]] = {}
    for player, banker, opens in situations(book):
        totals = {"player": total(book, player), "banker": total(book, banker)}
        listed = tuple(
            offer
            for offer in (book.insurance.offers if book.insurance else ())
            if offer.window == opens
            and totals[offer.hand] in offer.own
            and totals[opposite(offer.hand)] in offer.other
        )
        said = offers(book, player, banker)
        work.hold(said == listed, lambda: _not_as_listed(book, player, banker, said, listed))  # noqa: B023
        for offer in said:
            offered.setdefault((offer, totals[offer.hand], totals[opposite(offer.hand)]), (player, banker))
            _prove_offer(work, offer, player, banker)
        _prove_no_later(work, player, banker)
    _prove_each_is_offered(work, offered)
    if book.insurance is not None:
        _compare_with_list(work)


def _prove_offer(work: Work, offer: Offer, player: Cards, banker: Cards) -> None:
    book = work.book
    rounds = list(continuations(book, player, banker))
    outcomes = [judge_insurance(book, offer, played).outcome for played in rounds]
    beaten = any(played.winner == opposite(offer.hand) for played in rounds)
    for outcome in ("won", "lost"):
        work.hold(
            outcome in outcomes,
            lambda outcome=outcome: _one_sided(book, offer, rounds[0], f"can never be {outcome}"),  # type: ignore[misc]
        )
    work.hold(
        (offer.tie_wins is not None) == (not beaten),
        lambda: _one_sided(
            book,
            offer,
            next((played for played in rounds if played.winner == "tie"), rounds[0]),
            "wins on a tie although the other hand can still win"
            if beaten
            else "does not win on a tie although nothing else can win it",
        ),
    )
    for played, said in zip(rounds, outcomes, strict=True):
        tie = offer.on_tie
        expected = {"tie": tie, opposite(offer.hand): "won", offer.hand: "lost"}[played.winner]
        how = f"is {said} where it should be {expected}"
        if offer not in tuple(offers_of_round(book, played)):
            expected, how = (
                "returned" if said != "returned" else "won",
                "was on offer and is forgotten once the round is over",
            )
        work.hold(
            said == expected,
            lambda played=played, how=how: _one_sided(book, offer, played, how),  # type: ignore[misc]
        )


def _prove_no_later(work: Work, player: Cards, banker: Cards) -> None:
    """Once the next card lies there, nothing of this window is on offer any more; nor on a finished round."""
    book = work.book
    side = next_hand(book, player, banker)
    if side is None:
        work.hold(
            not offers(book, player, banker),
            lambda: _not_as_listed(book, player, banker, offers(book, player, banker), ()),
        )
        return
    if side == "banker":
        for card in kinds_of_one(book):
            grown = (*banker, card)
            work.hold(
                not offers(book, player, grown),
                lambda grown=grown: _not_as_listed(  # type: ignore[misc]
                    book, player, grown, offers(book, player, grown), ()
                ),
            )


def _prove_each_is_offered(work: Work, offered: dict[tuple[Offer, int, int], tuple[Cards, Cards]]) -> None:
    """No line of the list is idle: for each of its situations some cards put it on offer."""
    book = work.book
    for offer in book.insurance.offers if book.insurance else ():
        for own, other in product(sorted(offer.own), sorted(offer.other)):
            work.hold(
                (offer, own, other) in offered,
                lambda own=own, other=other, offer=offer: _idle(book, offer, own, other),  # type: ignore[misc]
            )


def _idle(book: Rulebook, offer: Offer, own: int, other: int) -> Counterexample:
    by_total = {kind.total: kind.cards for kind in reversed(kinds_of_two(book))}
    hands = {offer.hand: by_total[own], opposite(offer.hand): by_total[other]}
    what = (
        f"Insurance on the {offer.hand.capitalize()} Hand of {own} against {other} is listed "
        f"for the window {offer.window.replace('_', ' ')}, and no card can be to come there."
    )
    cards = in_dealing_order(book, hands["player"], hands["banker"])
    script = round_script(book, what, cards, _original(book, offer))
    return Counterexample(what, (offer.cite.paragraph,), script)


def _original(book: Rulebook, offer: Offer) -> dict[str, int]:
    return {bet.name: 100_00 for bet in book.bets.values() if bet.original == offer.hand}


def _not_as_listed(
    book: Rulebook, player: Cards, banker: Cards, said: Sequence[Offer], listed: Sequence[Offer]
) -> Counterexample:
    more = [offer for offer in said if offer not in listed]
    fewer = [offer for offer in listed if offer not in said]
    offer = (more or fewer or list(said) or list(listed))[0]
    how = "is on offer and should not be" if more else "is not on offer and should be"
    cards_open = f"{' '.join(player)} against {' '.join(banker)}"
    what = f"Insurance on the {offer.hand.capitalize()} Hand with {cards_open} {how}."
    cards = in_dealing_order(book, player, banker)
    script = round_script(book, what, cards, _original(book, offer))
    script["step"].pop()
    insure = {"by": "p1", "do": "place_insurance", "box": 1, "hand": offer.hand, "stake": "10.00"}
    if more:
        insure["refused"] = "window_not_open"
    script["step"].append(insure)
    return Counterexample(what, (offer.cite.paragraph,), script)


def _one_sided(book: Rulebook, offer: Offer, played: FinishedRound, how: str) -> Counterexample:
    what = (
        f"Insurance on the {offer.hand.capitalize()} Hand, {offer.window.replace('_', ' ')}, "
        f"at {offer.odds}, {how}."
    )
    script = round_script(book, what, cards_of(book, played), _original(book, offer), insured=(offer, 10_00))
    cites = offer.cite.paragraph, (offer.tie_wins or offer.cite).paragraph
    return Counterexample(what, tuple(dict.fromkeys(cites)), script)


def _compare_with_list(work: Work) -> None:
    """For the solver: is there a situation, by totals alone, where offers and list part ways?"""
    book = work.book
    assert book.insurance is not None
    totals = totals_of(book)
    after_third = (totals.player + totals.player_third) % 10
    wrong: list[Term] = []
    for window in ("four_cards", "third_card"):
        opens = (
            any_of(totals.player_draws, totals.banker_draws)
            if window == "four_cards"
            else all_of(totals.player_draws, totals.banker_draws)
        )
        now = {"player": totals.player if window == "four_cards" else after_third, "banker": totals.banker}
        for offer in book.insurance.offers:
            if offer.window != window:
                continue
            said = []
            for player, banker, _ in situations(book):
                if (len(player) == 3) == (window == "third_card") and offer in offers(book, player, banker):
                    here = [
                        totals.player == total(book, player[:2]),
                        totals.banker == total(book, banker),
                    ]
                    if len(player) == 3:
                        here.append(totals.player_third == book.cards.points[player[2][0]] % 10)
                    said.append(all_of(*here))
            listed = all_of(
                opens,
                any_of(*(now[offer.hand] == own for own in sorted(offer.own))),
                any_of(*(now[opposite(offer.hand)] == other for other in sorted(offer.other))),
            )
            wrong.append(any_of(*said) != listed)
    first = book.insurance.offers[0]
    work.refute(
        "insurance",
        [totals.rules, any_of(*wrong)],
        lambda values: _idle(book, first, min(first.own), min(first.other)),
    )
