"""The figures a laboratory asks of every bet beyond its edge, as sheets.

Return, volatility and its bands, what rounding costs, the most a House can have to pay, and what it holds of
a mix. Each sheet takes what the exact rooms give and rounds it to as many places as were asked for; nothing
is counted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import NormalDist
from typing import Final

from lammer.game.insurance import limit
from lammer.game.money import show
from lammer.lab.exact.analysis import Analysis, BetEdge, decimals, deviation, percent
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.rounding import effects_of_rounding, pays_evenly
from lammer.lab.exact.stretch import Stretch
from lammer.lab.exact.together import Together
from lammer.lab.output.sheet import Cell, Digits, Sheet
from lammer.lab.reporting.report_rules import title_of_bet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.playing import plays_of
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side, Window
from lammer.rulebook.wording import HANDS, WINDOW_TITLES

BAND_ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
"""Over how many rounds the return is bounded."""
BAND_PERCENT: Final = 95
HOLD_ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000)
PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)
CONFIDENCE_PERCENT: Final = 90
"""Of the volatility index."""
WORST: Final = 10
"""Ways to end that pay most and are listed."""

USUAL_LIMIT = 100_00
"""In cents, on every bet, where nobody names limits."""
USUAL_STAKES: Final = {"original": 100_00, "side": 10_00}
"""In cents, where nobody names a mix."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a report is asked for: places behind the point; limits, a mix and the least stake in cents."""

    places: int = 4
    limits: Mapping[str, int] | None = None
    stakes: Mapping[str, int] | None = None
    least: int = 1_00

    def limit_of(self, book: Rulebook, name: str) -> int:
        """The limit on a bet: its own, or that of its kind.

        >>> from lammer import rulebook
        >>> book = rulebook("tiger-buffalo-noncommission@4")
        >>> terms = Terms(limits={"side": 500_00, "tie": 50_00})
        >>> [terms.limit_of(book, name) for name in ("tie", "tiger", "player")]
        [5000, 50000, 0]
        """
        if not self.limits:
            return USUAL_LIMIT
        kind = "original" if book.bets[name].original else "side"
        return self.limits.get(name, self.limits.get(kind, 0))

    def mix(self, book: Rulebook) -> dict[str, int]:
        """The stakes of every round."""
        if self.stakes:
            return {name: cents for name, cents in self.stakes.items() if name in book.bets}
        kinds = {name: "original" if bet.original else "side" for name, bet in book.bets.items()}
        return {name: USUAL_STAKES[kind] for name, kind in kinds.items()}


def parse_limits(books: Iterable[Rulebook], written: Mapping[str, int]) -> dict[str, int]:
    """Limits by bet or by kind, `original` and `side`; a name no rulebook of the report knows is refused.

    >>> parse_limits((), {"original": 10_000_00})
    {'original': 1000000}
    """
    known = dict.fromkeys([*USUAL_STAKES, *(name for book in books for name in book.bets)])
    for name in written:
        if name not in known:
            raise Refused(
                "unknown_bet",
                "No rulebook of the report has a bet {name}.",
                next_step="Limits are for: {known}.",
                name=repr(name[:40]),
                known=", ".join(known),
            )
    return dict(written)


def returns_sheet(book: Rulebook, analysis: Analysis, places: int) -> Sheet:
    """Every bet: what comes back of a unit, what the House keeps, how often it wins, how far it spreads."""
    score = volatility_score()
    rows = tuple(
        (
            title_of_bet(book.bets[bet.bet]),
            percent(1 - bet.edge, places),
            percent(bet.edge, places),
            percent(bet.share("won"), places),
            deviation(bet.variance, places + 2),
            decimals(Fraction(deviation(bet.variance, places + 20)) * score, places),
        )
        for bet in analysis.bets
    )
    index = Phrase("volatility index ({percent}%)", percent=CONFIDENCE_PERCENT)
    return Sheet("Every bet in figures", ("bet", "return %", "edge %", "won %", "deviation", index), rows)


def exact_edges_sheet(book: Rulebook, analysis: Analysis) -> Sheet:
    """Every bet's edge as the fraction it is."""
    rows = tuple((title_of_bet(book.bets[bet.bet]), f"{bet.edge}") for bet in analysis.bets)
    return Sheet("The exact edges, as fractions of the stake", ("bet", Phrase("edge as a fraction")), rows)


def edges_by_play_sheet(book: Rulebook, shoe: Composition, places: int) -> Sheet:
    """Every bet's edge by the play of the hands that may draw; no rows where none may."""
    plays = plays_of(book)
    analyses = [edges(book, shoe, play=play.name) for play in plays]
    rows = tuple(
        (title_of_bet(bet), *(percent(analysis.bet(name).edge, places) for analysis in analyses))
        for name, bet in book.bets.items()
        if plays
    )
    columns = (Phrase("edge % {play}", play=play.title) for play in plays)
    return Sheet("Edges by play", ("bet", *columns), rows)


def volatility_score() -> Fraction:
    """The deviations within which nine of ten results lie, were they normal: 1.645.

    >>> round(float(volatility_score()), 3)
    1.645
    """
    return Fraction(NormalDist().inv_cdf(0.5 + CONFIDENCE_PERCENT / 200))


def outcomes_of(book: Rulebook, analysis: Analysis, places: int) -> Sheet:
    """Every outcome of every bet: what it pays, in how many draws, how likely."""
    rows = tuple(
        (
            title_of_bet(book.bets[bet.bet]),
            Phrase(outcome.outcome),
            str(outcome.pays) if outcome.pays else None,
            outcome.combinations,
            percent(Fraction(outcome.combinations, bet.combinations), places),
        )
        for bet in analysis.bets
        for outcome in bet.outcomes
    )
    return Sheet("Outcomes", ("bet", "outcome", "pays", "combinations", "share %"), rows)


def bands_sheet(book: Rulebook, analysis: Analysis) -> Sheet:
    """Between which returns 95 of 100 stretches of play end, by their length."""
    tail = (100 - BAND_PERCENT) / 2
    rows = []
    for bet in analysis.bets:
        cells: list[Cell] = [title_of_bet(book.bets[bet.bet]), percent(1 - bet.edge, 2)]
        for rounds in BAND_ROUNDS:
            stretch = Stretch.of(_profits(bet), rounds)
            low, high = stretch.percentiles((tail, 100 - tail))
            cells.append(f"{percent(1 + low / rounds, 2)} – {percent(1 + high / rounds, 2)}")
        rows.append(tuple(cells))
    name = Phrase("Return in % between which {percent} of 100 stretches of play end", percent=BAND_PERCENT)
    columns = (Phrase("{rounds} rounds", rounds=f"{rounds:,}") for rounds in BAND_ROUNDS)
    return Sheet(name, ("bet", "return %", *columns), tuple(rows))


def _profits(bet: BetEdge) -> dict[Fraction, int]:
    """In how many draws a unit on a bet comes to what."""
    profits: dict[Fraction, int] = {}
    for outcome in bet.outcomes:
        profits[outcome.profit] = profits.get(outcome.profit, 0) + outcome.combinations
    return profits


def rounding_sheet(book: Rulebook, analysis: Analysis, terms: Terms) -> Sheet:
    """What rounding down to the cent adds to each edge, on the stake where it adds most."""
    rows = tuple(
        (
            title_of_bet(book.bets[each.bet]),
            _money(each.evenly),
            _money(each.worst),
            percent(each.edge, terms.places),
            percent(each.more, terms.places),
        )
        for each in effects_of_rounding(analysis, terms.least)
        if each.more
    )
    name = Phrase("Rounding down to the cent, on stakes from {least} dollars", least=show(terms.least))
    columns = ("bet", "pays evenly on multiples of", "stake cut most", "edge % there", "more than exact %")
    return Sheet(name, columns, rows)


def insurance_rounding_sheet(analysis: Analysis) -> Sheet:
    """The stakes on which each odds of Insurance come out in whole cents."""
    odds = {str(situation.pays): situation.pays for situation in analysis.insurance}
    rows = tuple((text, _money(pays_evenly([each]))) for text, each in odds.items())
    return Sheet("Rounding of Insurance", ("pays", "pays evenly on multiples of"), rows)


def single_liability_sheet(book: Rulebook, analysis: Analysis, terms: Terms) -> Sheet:
    """The most one bet at its limit can win, and how often it does."""
    rows = []
    for bet in analysis.bets:
        best = max((each for each in bet.outcomes if each.pays), key=lambda each: each.profit, default=None)
        if best is None:
            continue
        most = terms.limit_of(book, bet.bet)
        rows.append(
            (
                title_of_bet(book.bets[bet.bet]),
                _money(most),
                str(best.pays),
                _exact_money(best.profit * most),
                best.combinations,
                percent(Fraction(best.combinations, bet.combinations), terms.places),
            )
        )
    columns = ("bet", "limit", "highest pay", "paid", "combinations", "share %")
    return Sheet("The most one bet can win, in dollars", columns, tuple(rows))


def joint_liability_sheet(book: Rulebook, together: Together, terms: Terms) -> Sheet:
    """The ways a round can end in which bets at their limits win most together."""
    limits = {name: terms.limit_of(book, name) for name in together.names}
    rows = tuple(
        (
            number,
            Series((title_of_bet(book.bets[name]) for name in payout.bets), ", "),
            _exact_money(payout.paid),
            payout.draws,
            _small_percent(Fraction(payout.draws, together.draws)),
            round(Fraction(together.draws, payout.draws)),
        )
        for number, payout in enumerate(together.payouts(limits)[:WORST], 1)
        if payout.paid
    )
    columns = ("place", "bets that win", "paid together", "combinations", "share %", "one round in")
    return Sheet("The most bets can win together, in dollars", columns, rows)


def _small_percent(share: Fraction) -> Digits:
    """A small share in percent, with as many places as it takes to see it.

    >>> _small_percent(Fraction(1, 3_000_000)), _small_percent(Fraction(1, 4))
    ('0.000033333', '25.0000')
    """
    places = 4
    while places < 16 and share * 100 * 10 ** (places - 4) < 1:
        places += 1
    return percent(share, places)


def partners_sheet(book: Rulebook, together: Together) -> Sheet:
    """Which bets can win with each, and which never do."""
    rows = []
    for name in together.names:
        others = [other for other in together.names if other != name]
        joined = {other for other in others if together.both_win(name, other)}
        rows.append(
            (
                title_of_bet(book.bets[name]),
                Series((title_of_bet(book.bets[other]) for other in others if other in joined), ", "),
                Series((title_of_bet(book.bets[other]) for other in others if other not in joined), ", "),
            )
        )
    return Sheet("Which bets can win together", ("bet", "can win with", "never wins with"), tuple(rows))


def pairs_sheet(book: Rulebook, together: Together, places: int) -> Sheet:
    """How often any two bets that can win together do."""
    rows = []
    for one, other in combinations(together.names, 2):
        draws = together.both_win(one, other)
        if draws:
            share = percent(Fraction(draws, together.draws), places)
            rows.append((title_of_bet(book.bets[one]), title_of_bet(book.bets[other]), draws, share))
    return Sheet(
        "How often two bets win together", ("bet", "other bet", "combinations", "share %"), tuple(rows)
    )


def insurance_liability_sheet(book: Rulebook, terms: Terms) -> Sheet:
    """The most Insurance of a hand can win in a window, on an Original Bet at its limit.

    >>> from lammer import rulebook
    >>> insurance_liability_sheet(rulebook("tiger-buffalo-noncommission-insurance@3"), Terms()).rows[0]
    ('Player', 'After four cards', '100.00', '4:1', '400.00')
    """
    limits = {bet.original: terms.limit_of(book, name) for name, bet in book.bets.items() if bet.original}
    most: dict[tuple[Side, Window], tuple[Fraction, int, Odds]] = {}
    for offer in book.insurance.offers if book.insurance else ():
        original = limits.get(offer.hand, 0)
        stake = limit(book, offer, original, maximum=original).most
        wins = stake * offer.odds.profit
        if wins >= most.get((offer.hand, offer.window), (Fraction(0), 0, offer.odds))[0]:
            most[offer.hand, offer.window] = wins, stake, offer.odds
    rows = tuple(
        (HANDS[hand], WINDOW_TITLES[window], _money(stake), str(odds), _exact_money(wins))
        for (hand, window), (wins, stake, odds) in most.items()
    )
    columns = ("insurance", "window", "stake", "pays", "paid")
    return Sheet("The most Insurance can win, in dollars", columns, rows)


def mix_sheet(book: Rulebook, analysis: Analysis, stakes: Mapping[str, int]) -> Sheet:
    """The mix: what is staked on each bet every round, and what the House wins of it in the mean."""
    rows: list[tuple[Cell, ...]] = [
        (
            title_of_bet(book.bets[name]),
            _money(cents),
            decimals(analysis.bet(name).edge * cents / 100, 4),
        )
        for name, cents in stakes.items()
    ]
    total = sum((analysis.bet(name).edge * cents for name, cents in stakes.items()), Fraction(0))
    rows.append((Phrase("together"), _money(sum(stakes.values())), decimals(total / 100, 4)))
    columns = ("bet", "stake", "the House wins in the mean")
    return Sheet("The mix, in dollars a round", columns, tuple(rows))


def hold_sheet(wins: Mapping[Fraction, int], staked: int, places: int) -> Sheet:
    """What the House wins of the mix over many rounds: mean, deviation, hold, percentiles, losses."""
    rows: list[tuple[Cell, ...]] = []
    for rounds in HOLD_ROUNDS:
        stretch = Stretch.of(wins, rounds)
        rows.append(
            (
                rounds,
                round(stretch.mean / 100),
                round(float(stretch.variance) ** 0.5 / 100),
                percent(stretch.mean / (staked * rounds), places),
                *(round(win / 100) for win in stretch.percentiles(PERCENTILES)),
                _percent_of_losing(stretch.share_below(Fraction(0))),
            )
        )
    shares = (f"{percentile}%" for percentile in PERCENTILES)
    columns = ("rounds", "mean", "deviation", "hold %", *shares, "House loses %")
    return Sheet("What the House wins, in whole dollars, by percentile", columns, tuple(rows))


def _percent_of_losing(share: float) -> Cell:
    """A share in percent to four places, as far as it is worked out; what is smaller is not called nothing.

    >>> _percent_of_losing(0.25), _percent_of_losing(1e-9), _percent_of_losing(0.0)
    ('25.0000', '< 0.0001', '0.0000')
    """
    return "< 0.0001" if 0 < 100 * share < 0.0001 else Digits(f"{100 * share:.4f}")


def _money(cents: int) -> Digits:
    return Digits(show(cents))


def _exact_money(cents: Fraction) -> Digits:
    """Cents as money, to the nearest cent."""
    return Digits(show(round(cents)))
