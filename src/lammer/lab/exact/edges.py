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

from lammer.game.bets import judge
from lammer.game.cards import Card
from lammer.game.hands import Hand, Round
from lammer.game.insurance import judge_insurance
from lammer.lab.exact.analysis import Analysis, BetEdge, InsuranceEdge, Outcome, Turns, deviation, percent
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.ways import Final4, Path, draws, pair_tiers, paths, ways
from lammer.rulebook.betting import Bet, Offer, Paired, Tied
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import pays_words

__all__ = ["Analysis", "BetEdge", "InsuranceEdge", "Outcome", "deviation", "edges", "percent"]


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
    return judge_counts(book, shoe, ways(book, counts), pair_tiers(shoe.ranks), draws(counts), layout=layout)


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
    given = [part.strip() for part in text.split(",")]
    if len(given) != len(lines):
        raise Refused(
            "not_odds",
            "{name} pays in {lines} ways, and {given} odds are given.",
            next_step="Its lines are: {pays}. Write one for each, in that order, with commas between.",
            name=bet.name,
            lines=len(lines),
            given=len(given),
            pays=pays_words(bet),
        )
    new_odds = iter([_parse_odds(part) for part in given])
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
    tiers: Mapping[tuple[int, int], int],
    combinations: int,
    *,
    layout: str = "",
) -> Analysis:
    """What counts by path and by pairs come to under a rulebook, whether worked out or dealt."""
    sums = [0] * len(finals(book)[0])
    for place, count in zip(finals(book)[1], path_counts, strict=True):
        sums[place] += count
    offered = book.offered(book.layout(layout)) if layout else tuple(book.bets.values())
    bets = tuple(_bet_edge(book, bet, sums, tiers, combinations) for bet in offered)
    return Analysis(
        book.id, shoe, combinations, bets, tuple(_insurance_edges(book, path_counts, combinations))
    )


@lru_cache(maxsize=32)
def finals(book: Rulebook) -> tuple[tuple[Final4, ...], tuple[int, ...]]:
    """The finishes a rulebook knows, and for each of its paths the place of its finish among them."""
    known = {final: place for place, final in enumerate(dict.fromkeys(path.final for path in paths(book)))}
    return tuple(known), tuple(known[path.final] for path in paths(book))


@lru_cache(maxsize=2048)
def _verdicts(book: Rulebook, name: str) -> dict[tuple[str, Odds | None], tuple[int, ...]]:
    """For a bet that turns on totals: the finishes with each outcome and pay."""
    by_verdict: dict[tuple[str, Odds | None], list[int]] = {}
    for place, final in enumerate(finals(book)[0]):
        verdict = judge(book, book.bets[name], total_round(*final))
        by_verdict.setdefault((verdict.outcome, verdict.odds), []).append(place)
    return {key: tuple(places) for key, places in by_verdict.items()}


def _bet_edge(
    book: Rulebook,
    bet: Bet,
    sums: Sequence[int],
    tiers: Mapping[tuple[int, int], int],
    combinations: int,
) -> BetEdge:
    counts: dict[tuple[str, Odds | None], int] = {}
    if isinstance(bet.wins, Paired):
        for (player, banker), count in tiers.items():
            verdict = judge(book, bet, paired_round(player, banker))
            kind: tuple[str, Odds | None] = (verdict.outcome, verdict.odds)
            counts[kind] = counts.get(kind, 0) + count
    else:
        for key, places in _verdicts(book, bet.name).items():
            counts[key] = sum(sums[place] for place in places)
    outcomes = [Outcome(outcome, odds, count) for (outcome, odds), count in counts.items() if count]
    outcomes.sort(key=lambda outcome: (_ORDER[outcome.outcome], outcome.profit))
    return BetEdge(bet.name, tuple(outcomes), combinations, bet.title, _turns_on(bet))


def _turns_on(bet: Bet) -> Turns:
    if isinstance(bet.wins, Tied):
        return "tie"
    return bet.wins.hands[0] if len(bet.wins.hands) == 1 else "either"


_ORDER = {"won": 0, "returned": 1, "lost": 2}


def total_round(player: int, banker: int, player_cards: int, banker_cards: int) -> Round:
    """A stand-in round with these totals and numbers of cards, and no pairs."""
    cards = (Card("AS"), Card("2H"), Card("3D"))
    return Round(Hand(cards[:player_cards], player), Hand(cards[:banker_cards], banker), ())


def paired_round(player: int, banker: int) -> Round:
    """A stand-in round with these pairs, by index of the rank; -1 for none."""
    ranks = [("A", "2") if rank < 0 else (RANKS[rank], RANKS[rank]) for rank in (player, banker)]
    hands = [Hand((Card(f"{first}S"), Card(f"{second}H")), 0) for first, second in ranks]
    return Round(hands[0], hands[1], ())


def _insurance_edges(
    book: Rulebook, path_counts: Sequence[int], combinations: int
) -> Iterator[InsuranceEdge]:
    """Every situation on offer, in the order of the pay table."""
    for offer, player, banker, places in situations(book):
        won, lost, back = (sum(path_counts[place] for place in part) for part in places)
        total = won + lost + back
        if total:
            profit = offer.odds.profit
            edge = (lost - won * profit) / Fraction(total)
            variance = (lost + won * profit**2) / Fraction(total) - edge**2
            occurs = Fraction(total, combinations)
            yield InsuranceEdge(offer.hand, offer.window, player, banker, offer.odds, occurs, edge, variance)


Places = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=32)
def situations(book: Rulebook) -> tuple[tuple[Offer, int, int, Places], ...]:
    """Each situation on offer, with the paths on which Insurance then wins, loses and comes back."""
    offered: list[tuple[Offer, int, int, Places]] = []
    for offer in book.insurance.offers if book.insurance else ():
        by_totals: dict[tuple[int, int], dict[str, list[int]]] = {}
        for place, path in enumerate(paths(book)):
            situation = _situation(offer, path)
            if situation is not None:
                outcome = judge_insurance(book, offer, total_round(*path.final)).outcome
                parts = by_totals.setdefault(situation, {"won": [], "lost": [], "returned": []})
                parts[outcome].append(place)
        for (player, banker), parts in sorted(by_totals.items()):
            places = (tuple(parts["won"]), tuple(parts["lost"]), tuple(parts["returned"]))
            offered.append((offer, player, banker, places))
    return tuple(offered)


def _situation(offer: Offer, path: Path) -> tuple[int, int] | None:
    """The totals this path shows in the offer's window, if it is on offer there."""
    player = path.player
    if offer.window == "third_card":
        if path.third is None or path.fourth is None:
            return None
        player = (player + path.third) % 10
    elif path.third is None and path.fourth is None:
        return None
    own, other = (player, path.banker) if offer.hand == "player" else (path.banker, player)
    return (player, path.banker) if own in offer.own and other in offer.other else None
