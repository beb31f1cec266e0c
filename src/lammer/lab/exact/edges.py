"""Edges, to the last fraction: every bet of a rulebook and every Insurance it offers, from any shoe.

What a bet wins is asked of the game's own judgement, once for each rulebook, so that a rulebook of your own
with other totals, tiers and pays is analysed with no code changed. What comes out is an `Analysis`, and
`analysis` decides how it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from lammer.game.bets import judge_finish
from lammer.game.cards import Card
from lammer.game.hands import FinishedRound, Hand
from lammer.game.insurance import judge_insurance
from lammer.lab.exact.analysis import Analysis, BetEdge, InsuranceEdge, Outcome, Turns, deviation, percent
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.pairs import (
    asks_both,
    decisive,
    final_counts,
    finals,
    pair_and_final_counts,
    pair_counts,
)
from lammer.lab.exact.ways import Path, draws, paths, ways
from lammer.rulebook.betting import Bet, Offer, TurnsOn
from lammer.rulebook.conditions import HandWins, Paired, Tied
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import WINDOWS, Side, Window
from lammer.rulebook.wording import pays_words

__all__ = ["Analysis", "BetEdge", "InsuranceEdge", "Outcome", "deviation", "edges", "finals", "percent"]


def edges(
    book: Rulebook,
    shoe: Composition | None = None,
    *,
    decks: int | None = None,
    play: str = "",
    layout: str = "",
    pays: Mapping[str, str] | None = None,
) -> Analysis:
    """Analyse every bet and every Insurance of a rulebook, exactly: from a shoe, or else from full decks.

    Without a number of decks it is the usual one of the rulebook. Where hands may draw, `play` names how they
    choose; the rulebook's usual play where it is left out.

    >>> from lammer import rulebook
    >>> analysis = edges(rulebook("tiger-buffalo-noncommission@4"))
    >>> percent(analysis.bet("small_tiger").edge), percent(analysis.bet("banker").edge)
    ('14.3325', '1.4581')
    >>> percent(edges(rulebook("tiger-buffalo-noncommission@4"), decks=6).bet("small_tiger").edge)
    '14.3547'
    """
    book = played_by(book, play)
    shoe = shoe or Composition.of_book(book, decks)
    counts = shoe.by_points(book)
    book = paying(book, pays) if pays else book
    path_counts = ways(book, counts)
    both = pair_and_final_counts(book, shoe, final_counts(book, path_counts)) if asks_both(book) else ()
    return judge_counts(
        book, shoe, path_counts, pair_counts(book, shoe), draws(counts), both=both, layout=layout
    )


def paying(book: Rulebook, pays: Mapping[str, str]) -> Rulebook:
    """The rulebook with other odds for some bets; a bet that pays in several ways takes one for each line.

    >>> from lammer import rulebook
    >>> book = paying(rulebook("tiger-buffalo-noncommission@4"), {"banker": "1:2, 0.98:1"})
    >>> [str(pay.odds) for pay in book.bets["banker"].pays]
    ['1:2', '0.98:1']
    >>> paying(book, {"banker": "1:1"})
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused not_odds: banker pays in 2 ways, and 1 odds are given. ...
    """
    return replace(book, bets={**book.bets, **{name: _paying(book.bet(name), pays[name]) for name in pays}})


def _paying(bet: Bet, text: str) -> Bet:
    lines = [pay for pay in bet.pays if pay.odds]
    odds_written = [part.strip() for part in text.split(",")]
    if len(odds_written) != len(lines):
        raise Refused(
            "not_odds",
            "{name} pays in {lines} ways, and {given} odds are given.",
            next_step="Its lines are: {pays}. Write one for each, in that order, with commas between.",
            name=bet.name,
            lines=len(lines),
            given=len(odds_written),
            pays=pays_words(bet),
        )
    new_odds = iter([_parse_odds(part) for part in odds_written])
    # What a commission was taken of is gone with the odds: the new ones are what is paid.
    changed = [replace(pay, odds=next(new_odds), commission=None) if pay.odds else pay for pay in bet.pays]
    return replace(bet, pays=tuple(changed))


def _parse_odds(text: str) -> Odds:
    try:
        return Odds.parse(text)
    except ValueError as expected:
        raise Refused(
            "not_odds",
            "{odds} are not odds: expected {expected}.",
            odds=repr(text[:40]),
            expected=expected,
        ) from None


def judge_counts(
    book: Rulebook,
    shoe: Composition,
    path_counts: Sequence[int],
    pairs: Sequence[int],
    combinations: int,
    *,
    both: Sequence[Sequence[int]] = (),
    layout: str = "",
) -> Analysis:
    """What counts come to under a rulebook, whether worked out or dealt.

    They are by path, by the code of the pairs, and where a bet turns on both, by the code and the finish.
    """
    counts: dict[TurnsOn, Sequence[int]] = {
        "totals": final_counts(book, path_counts),
        "pairs": pairs,
        "both": [count for by_final in both for count in by_final],
    }
    offered = book.offered(book.layout(layout)) if layout else tuple(book.bets.values())
    bets = tuple(_bet_edge(book, bet, counts[bet.turns_on], combinations) for bet in offered)
    return Analysis(
        book.id, shoe, combinations, bets, tuple(_insurance_edges(book, path_counts, combinations))
    )


@lru_cache(maxsize=2048)
def _verdicts(book: Rulebook, name: str) -> dict[tuple[str, Odds | None], tuple[int, ...]]:
    """The places, among the finishes a bet is counted by, with each outcome and pay."""
    by_verdict: dict[tuple[str, Odds | None], list[int]] = {}
    for place, finish in enumerate(decisive(book, book.bets[name])):
        if finish is not None:
            verdict = judge_finish(book.bets[name], finish)
            by_verdict.setdefault((verdict.outcome, verdict.odds), []).append(place)
    return {key: tuple(places) for key, places in by_verdict.items()}


def _bet_edge(book: Rulebook, bet: Bet, counts: Sequence[int], combinations: int) -> BetEdge:
    outcomes = [
        Outcome(outcome, odds, count)
        for (outcome, odds), places in _verdicts(book, bet.name).items()
        if (count := sum(counts[place] for place in places))
    ]
    outcomes.sort(key=lambda outcome: (_ORDER[outcome.outcome], outcome.profit))
    return BetEdge(bet.name, tuple(outcomes), combinations, bet.title, _turns_on(bet))


def _turns_on(bet: Bet) -> Turns:
    if isinstance(bet.wins, Tied):
        return "tie"
    if isinstance(bet.wins, HandWins | Paired) and len(bet.wins.hands) == 1:
        return bet.wins.hands[0]
    return "either"


_ORDER = {"won": 0, "returned": 1, "lost": 2}


def total_round(player: int, banker: int, player_cards: int, banker_cards: int) -> FinishedRound:
    """A stand-in round with these totals and numbers of cards, and no pairs."""
    cards = (Card("AS"), Card("2H"), Card("3D"))
    return FinishedRound(Hand(cards[:player_cards], player), Hand(cards[:banker_cards], banker), ())


def _insurance_edges(
    book: Rulebook, path_counts: Sequence[int], combinations: int
) -> Iterator[InsuranceEdge]:
    """Every situation on offer, in the order of the pay table."""
    costs = _costs_at_the_first_offer(book, path_counts, combinations)
    for offer, player, banker, places in situations(book):
        won, lost, back = (sum(path_counts[place] for place in part) for part in places)
        total = won + lost + back
        if total:
            profit = offer.odds.profit
            edge = (lost - won * profit) / Fraction(total)
            variance = (lost + won * profit**2) / Fraction(total) - edge**2
            occurs = Fraction(total, combinations)
            key: Situation = (offer.hand, offer.window, player, banker)
            yield InsuranceEdge(*key, offer.odds, occurs, edge, variance, costs.get(key, occurs * edge))


def _costs_at_the_first_offer(
    book: Rulebook, path_counts: Sequence[int], combinations: int
) -> dict[Situation, Fraction]:
    """Where a bet is insured once a round, what each situation costs who insures at once; else nothing."""
    costs: dict[Situation, Fraction] = {}
    if book.insurance is None or book.insurance.once is None:
        return costs
    insured: dict[Side, set[int]] = {"player": set(), "banker": set()}
    for window in WINDOWS:
        now = [situation for situation in situations(book) if situation[0].window == window]
        for offer, player, banker, (won, lost, _) in now:
            lost_now, won_now = (
                sum(path_counts[place] for place in part if place not in insured[offer.hand])
                for part in (lost, won)
            )
            cost = (lost_now - won_now * offer.odds.profit) / Fraction(combinations)
            costs[offer.hand, window, player, banker] = cost
        for offer, _, _, places in now:
            insured[offer.hand].update(*places)
    return costs


Situation = tuple[Side, Window, int | None, int | None]
"""Insurance of a hand in a window, by the totals of Player and Banker; None for a hand not shown."""
Places = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=32)
def situations(book: Rulebook) -> tuple[tuple[Offer, int | None, int | None, Places], ...]:
    """Each situation on offer, with the paths on which Insurance then wins, loses and comes back."""
    offered: list[tuple[Offer, int | None, int | None, Places]] = []
    for offer in book.insurance.offers if book.insurance else ():
        by_totals: dict[tuple[int | None, int | None], dict[str, list[int]]] = {}
        for place, path in enumerate(paths(book)):
            situation = _situation(offer, path)
            if situation is not None:
                outcome = judge_insurance(book, offer, total_round(*path.final)).outcome
                parts = by_totals.setdefault(situation, {"won": [], "lost": [], "returned": []})
                parts[outcome].append(place)
        for (player, banker), parts in sorted(
            by_totals.items(), key=lambda item: [total or 0 for total in item[0]]
        ):
            places = (tuple(parts["won"]), tuple(parts["lost"]), tuple(parts["returned"]))
            offered.append((offer, player, banker, places))
    return tuple(offered)


def _situation(offer: Offer, path: Path) -> tuple[int | None, int | None] | None:
    """The totals this path shows in the offer's window, if it is on offer there."""
    if offer.window == "two_cards":
        if (path.player if offer.hand == "player" else path.banker) not in offer.own:
            return None
        return (path.player, None) if offer.hand == "player" else (None, path.banker)
    player = path.player
    if offer.window == "third_card":
        if path.third is None or path.fourth is None:
            return None
        player = (player + path.third) % 10
    elif path.third is None and path.fourth is None:
        return None
    own, other = (player, path.banker) if offer.hand == "player" else (path.banker, player)
    return (player, path.banker) if own in offer.own and other in offer.other else None
