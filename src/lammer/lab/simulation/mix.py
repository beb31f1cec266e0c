"""A betting mix: what is staked on each bet every round, and what the house wins by it over many rounds.

Stakes are money; wins are kept in whole numbers of a part of a cent small enough for every pay of the mix,
so that nothing is rounded before it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lammer.game.insurance import insurance_of
from lammer.game.money import parse_amount, show
from lammer.lab.exact.pairs import pair_kinds
from lammer.lab.output.sheet import Cell, Sheet
from lammer.lab.simulation.detailed import CODES, code_map, final_of_key
from lammer.lab.simulation.insured import insure_arrays
from lammer.lab.simulation.kernels import KEYS, PAIRS, Counts
from lammer.lab.simulation.profits import by_place, common_denominator, insurance_by_key, numerators
from lammer.lab.simulation.streams import STREAM, STRETCH, Deal
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, WINDOWS

Insure = Literal["always", "never", "when-positive"]
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
OVER = (STRETCH, 10 * STRETCH, STREAM)


@dataclass(frozen=True, slots=True)
class Mix:
    """Stakes in cents by bet, and the part of a cent wins are counted in."""

    stakes: Mapping[str, int]
    part: int


def parse_mix(book: Rulebook, text: str) -> dict[str, int]:
    """`banker=100,small_tiger=10` as cents by bet.

    >>> from lammer import rulebook
    >>> parse_mix(rulebook("tiger-buffalo-noncommission@4"), "banker=100,small_tiger=2.50")
    {'banker': 10000, 'small_tiger': 250}
    """
    stakes = parse_stakes(text)
    for name in stakes:
        book.bet(name)
    return stakes


def parse_stakes(text: str) -> dict[str, int]:
    """Amounts by name, in cents; whose names they are is not asked.

    >>> parse_stakes("original=100, side=2.50")
    {'original': 10000, 'side': 250}
    """
    stakes: dict[str, int] = {}
    for part in filter(None, text.replace(" ", "").split(",")):
        name, equals, amount = part.partition("=")
        if not equals or name in stakes:
            raise Refused(
                "impossible_run",
                "{name} is staked twice." if equals else "{part} is not a stake of a mix.",
                next_step="Write banker=100,small_tiger=10.",
                name=name,
                part=repr(part[:40]),
            )
        stakes[name] = parse_amount(amount, f"The stake on {name}")
    return stakes


def play_mix(book: Rulebook, deal: Deal, stakes: Mapping[str, int], insure: Insure) -> tuple[Deal, Mix]:
    """The run with the house's wins on this mix; Insurance is for the Original Bet on the insured hand."""
    if insure != "never":
        insurance_of(book)
    profits = {name: by_place(book, name) for name in stakes}
    insured = [
        (stakes.get(hand, 0), [insurance_by_key(book, hand, window) for window in WINDOWS])
        for hand in SIDES
        if insure != "never"
    ]
    every = [value for values in profits.values() for value in values]
    every += [value for _, windows in insured for keys in windows for value in keys if value is not None]
    part = common_denominator(every)
    key_wins, pair_wins = np.zeros(KEYS, np.int64), np.zeros(PAIRS, np.int64)
    _must_fit(stakes, every, part)
    both_wins = np.zeros(0 if deal.points is None else KEYS * CODES, np.int64)
    for name, values in profits.items():
        won = stakes[name] * numerators(values, part)
        turns_on = book.bets[name].turns_on
        if turns_on == "totals":
            key_wins -= won[final_of_key(book)]
        elif deal.points is None:
            pair_wins -= won
        elif turns_on == "pairs":
            both_wins.reshape(KEYS, CODES)[:] -= won[code_map(book)]
        else:
            by_code = won.reshape(len(pair_kinds(book)), -1)[code_map(book)]
            both_wins.reshape(KEYS, CODES)[:] -= by_code[:, final_of_key(book)].T
    if insure == "always":
        key_wins -= _always_insuring(book, insured, part)
    if deal.points is not None:
        both_wins.reshape(KEYS, CODES)[:] += key_wins[:, None]
        deal = replace(deal, both_wins=both_wins) if stakes else deal
    elif stakes:
        deal = replace(deal, key_wins=key_wins, pair_wins=pair_wins)
    if insure == "when-positive":
        arrays = insure_arrays(book)
        scaled = [stakes.get(hand, 0) * part // arrays.denominator for hand in SIDES]
        deal = replace(deal, insure=replace(arrays, stakes=np.array(scaled, np.int64)))
    return deal, Mix(dict(stakes), part)


def _always_insuring(
    book: Rulebook, insured: Sequence[tuple[int, Sequence[Sequence[Fraction | None]]]], part: int
) -> Counts:
    """What players win by every Insurance offered, or the first where a bet is insured once, by key."""
    won = np.zeros(KEYS, np.int64)
    for stake, windows in insured:
        free = np.ones(KEYS, np.bool_)
        for keys in windows:
            won += stake * numerators(keys, part) * free
            if book.insurance is not None and book.insurance.once:
                free &= np.array([value is None for value in keys])
    return won


def _must_fit(stakes: Mapping[str, int], values: Sequence[Fraction], part: int) -> None:
    most = max((abs(value) for value in values), default=Fraction(0))
    if sum(stakes.values()) * part * math.ceil(most) * STREAM * 4 >= 2**63:
        raise Refused("impossible_run", "The stakes of the mix are too large to be added up exactly.")


def percentiles(mix: Mix, wins: Mapping[int, NDArray[np.int64]]) -> Sheet:
    """The house's win over 1,000, 10,000 and 100,000 rounds: percentiles and the mean, in dollars.

    A percentile is a win that was seen, not one between two: the smallest with at least that share at or
    below it.
    """
    rows: list[tuple[Cell, ...]] = []
    streams = [wins[number] for number in sorted(wins)]
    for over in OVER:
        stretches = over // STRETCH
        sums = [
            row[: row.size // stretches * stretches].reshape(-1, stretches).sum(axis=1) for row in streams
        ]
        sorted_wins = np.sort(np.concatenate(sums)) if sums else np.zeros(0, np.int64)
        if not sorted_wins.size:
            continue
        percentile_wins = [
            sorted_wins[max(0, -(-percentile * sorted_wins.size // 100) - 1)] for percentile in PERCENTILES
        ]
        lost = round(100 * float((sorted_wins < 0).mean()), 2)
        money = [show(round(Fraction(int(value), mix.part))) for value in percentile_wins]
        mean = show(round(Fraction(sum(map(int, sorted_wins)), mix.part * sorted_wins.size)))
        rows.append((over, int(sorted_wins.size), *money, lost, mean))
    shares = (f"{percentile}%" for percentile in PERCENTILES)
    columns = ("rounds", "stretches", *shares, "house loses %", "mean")
    return Sheet("The house's win", columns, tuple(rows))
