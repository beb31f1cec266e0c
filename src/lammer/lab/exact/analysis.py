"""What an analysis holds, and the sheets it gives: counts as integers, edges and frequencies as fractions.

`edges` fills it; the command line, notebooks, charts and the report read it. Which columns a bet, an
Insurance situation or a habit of insuring is shown in is decided here and nowhere else. It counts no cards
and knows no rulebook: only what came out.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from html import escape
from typing import Literal

from lammer.lab.exact.composition import Composition
from lammer.lab.output.sheet import Cell, Digits, Sheet
from lammer.rulebook.odds import Odds
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, Side, Window

Turns = Literal["banker", "player", "tie", "either"]
"""What a bet turns on: one hand, a tie, or whichever hand it may be."""

SITUATION_COLUMNS = ("insurance", "window", "Player", "Banker", "pays")
_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing that can become of a bet, what it pays, and in how many draws."""

    outcome: str
    pays: Odds | None
    combinations: int

    @property
    def profit(self) -> Fraction:
        return unit_profit(self.outcome, self.pays)


def unit_profit(outcome: str, pays: Odds | None) -> Fraction:
    """What a unit staked wins; a lost one is -1.

    >>> unit_profit("won", Odds.parse("3:2")), unit_profit("lost", None), unit_profit("returned", None)
    (Fraction(3, 2), Fraction(-1, 1), Fraction(0, 1))
    """
    if outcome == "won":
        assert pays is not None
        return pays.profit
    return Fraction(-1) if outcome == "lost" else _NOTHING


@dataclass(frozen=True, slots=True)
class BetEdge:
    """A bet: its outcomes, the House's edge on a unit staked, its spread."""

    bet: str
    outcomes: tuple[Outcome, ...]
    combinations: int
    title: str = ""
    turns_on: Turns = "either"

    @property
    def edge(self) -> Fraction:
        return (
            -sum((outcome.combinations * outcome.profit for outcome in self.outcomes), _NOTHING)
            / self.combinations
        )

    @property
    def variance(self) -> Fraction:
        squares = sum((outcome.combinations * outcome.profit**2 for outcome in self.outcomes), _NOTHING)
        return squares / self.combinations - self.edge**2

    def share(self, kind: str) -> Fraction:
        """How often it is won, returned or lost.

        >>> BetEdge("tie", (Outcome("won", Odds.parse("8:1"), 1), Outcome("lost", None, 9)), 10).share("lost")
        Fraction(9, 10)
        """
        count = sum(outcome.combinations for outcome in self.outcomes if outcome.outcome == kind)
        return Fraction(count, self.combinations)


@dataclass(frozen=True, slots=True)
class InsuranceEdge:
    """One situation in which Insurance is offered: how often, and what it costs."""

    hand: Side
    window: Window
    player: int | None
    banker: int | None
    pays: Odds
    occurs: Fraction
    edge: Fraction
    variance: Fraction
    cost: Fraction
    """What always insuring here costs a round: nothing where the bet was insured in a window before."""

    @property
    def own(self) -> int:
        """The total of the insured hand."""
        total = self.player if self.hand == "player" else self.banker
        assert total is not None
        return total

    @property
    def other(self) -> int | None:
        """The total of the hand it is insured against; None while that is not shown."""
        return self.banker if self.hand == "player" else self.player

    @property
    def key(self) -> tuple[Side, Window, int | None, int | None]:
        """Which one it is among those of a rulebook."""
        return self.hand, self.window, self.player, self.banker

    def situation(self) -> dict[str, str | int | None]:
        """Which one it is and what it pays, for programs."""
        values = (*self.key, str(self.pays))
        return dict(zip(("hand", "window", "player", "banker", "pays"), values, strict=True))

    def cells(self) -> tuple[Cell, ...]:
        """The same in the columns of a sheet."""
        return self.hand, self.window.replace("_", " "), self.player, self.banker, str(self.pays)


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything about one rulebook on one shoe; a notebook shows its sheets."""

    rulebook: str
    shoe: Composition
    combinations: int
    bets: tuple[BetEdge, ...]
    insurance: tuple[InsuranceEdge, ...]

    def bet(self, name: str) -> BetEdge:
        """The bet of that name, or `unknown_bet`."""
        for bet in self.bets:
            if bet.bet == name:
                return bet
        raise Refused(
            "unknown_bet",
            "{rulebook} has no bet {name}.",
            next_step="It has {bets}.",
            rulebook=self.rulebook,
            name=repr(name[:40]),
            bets=", ".join(bet.bet for bet in self.bets),
        )

    def always_insuring(self, hand: Side) -> Fraction:
        """What insuring every offer on a hand by a unit costs, for each round with a bet on it.

        Where a bet may be insured once a round, it is insured at the first offer.
        """
        return sum(
            (situation.cost for situation in self.insurance if situation.hand == hand),
            _NOTHING,
        )

    def sheets(self) -> tuple[Sheet, ...]:
        """Bets, Insurance, and the cost of always insuring; only the first where there is no Insurance.

        >>> from lammer import rulebook
        >>> from lammer.lab import edges
        >>> for sheet in edges(rulebook("tiger-buffalo-commission-insurance@3"), decks=6).sheets():
        ...     print(sheet.name, len(sheet.rows), sheet.texts()[0][:2])
        Bets 20 ('player', '1.2374')
        Insurance 83 ('player', 'four cards')
        Always insuring 2 ('player', '3.6485')
        """
        return (bets_sheet(self), insurance_sheet(self), always_sheet(self))[: 3 if self.insurance else 1]

    @property
    def description(self) -> Series:
        """The rulebook and the shoe in a line.

        >>> Analysis("snap@1", Composition.of_decks(8), 4_998_398_275_503_360, (), ()).description
        'snap@1 · 416 cards · 4,998,398,275,503,360 ordered draws of six'
        """
        parts = (
            self.rulebook,
            Phrase("{cards} cards", cards=self.shoe.size),
            Phrase("{draws} ordered draws of six", draws=f"{self.combinations:,}"),
        )
        return Series(parts, " · ")

    def _repr_html_(self) -> str:
        sheets = "".join(sheet._repr_html_() for sheet in self.sheets())
        return f"<p>{escape(self.description)}</p>{sheets}"


def bets_sheet(analysis: Analysis) -> Sheet:
    """Every bet: edge, standard deviation of a unit, and how often each outcome comes."""
    rows = []
    for bet in analysis.bets:
        outcomes = ", ".join(_outcome_words(bet, outcome) for outcome in bet.outcomes)
        rows.append((bet.bet, percent(bet.edge), deviation(bet.variance), outcomes))
    return Sheet("Bets", ("bet", "edge %", "deviation", "outcomes"), tuple(rows))


def _outcome_words(bet: BetEdge, outcome: Outcome) -> str:
    share = percent(Fraction(outcome.combinations, bet.combinations))
    return f"{outcome.outcome} {outcome.pays} {share}%" if outcome.pays else f"{outcome.outcome} {share}%"


def outcomes_sheet(analysis: Analysis) -> Sheet:
    """Every outcome of every bet with its combinations.

    >>> from lammer import rulebook
    >>> from lammer.lab import edges
    >>> outcomes_sheet(edges(rulebook("tiger-buffalo-noncommission@4"))).rows[2]
    ('player', 'lost', None, 2292252566437888, '45.8597')
    """
    rows = tuple(
        (
            bet.bet,
            outcome.outcome,
            str(outcome.pays) if outcome.pays else None,
            outcome.combinations,
            percent(Fraction(outcome.combinations, bet.combinations)),
        )
        for bet in analysis.bets
        for outcome in bet.outcomes
    )
    return Sheet("Outcomes", ("bet", "outcome", "pays", "combinations", "share %"), rows)


def volatility_sheet(analysis: Analysis, places: int = 4) -> Sheet:
    """Every bet's spread: the variance and the standard deviation of a unit staked once."""
    rows = tuple(
        (
            bet.bet,
            deviation(bet.variance, places + 2),
            decimals(bet.variance, places + 2),
            percent(bet.share("won"), places),
        )
        for bet in analysis.bets
    )
    return Sheet("Volatility", ("bet", "deviation", "variance", "won %"), rows)


def insurance_sheet(analysis: Analysis, places: int = 4) -> Sheet:
    """Every situation in which Insurance is offered."""
    rows = tuple(
        (*situation.cells(), percent(situation.occurs, places), percent(situation.edge, places))
        for situation in analysis.insurance
    )
    return Sheet("Insurance", (*SITUATION_COLUMNS, "occurs %", "edge %"), rows)


def always_sheet(analysis: Analysis, places: int = 4) -> Sheet:
    """What always insuring a hand costs."""
    rows = tuple((hand, percent(analysis.always_insuring(hand), places)) for hand in SIDES)
    return Sheet("Always insuring", ("hand", "% of a unit a round"), rows)


def percent(share: Fraction, places: int = 4) -> Digits:
    """A share in percent, rounded half to even.

    >>> percent(Fraction(1, 3))
    '33.3333'
    """
    return decimals(share * 100, places)


def decimals(value: Fraction, places: int = 6) -> Digits:
    """A fraction in decimals, rounded half to even; nothing is never less than nothing.

    >>> decimals(Fraction(-2, 3), 4), decimals(Fraction(-1, 10**9), 4)
    ('-0.6667', '0.0000')
    """
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return Digits(exact.quantize(Decimal(1).scaleb(-places)) + 0)


def deviation(variance: Fraction, places: int = 6) -> Digits:
    """The square root of a variance, in decimals.

    >>> deviation(Fraction(1, 4))
    '0.500000'
    """
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt()
        return Digits(root.quantize(Decimal(1).scaleb(-places)))
