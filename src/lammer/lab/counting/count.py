"""Exposure to counting: what a player makes who knows every card gone, and bets only when it is worth it.

Shoes are dealt; before every round every bet is valued exactly from what is left, and every Insurance offer
with the round's own cards known. Nothing is paid out: what is added up is the exact worth of each bet
that would be made, which tells the same with far fewer shoes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lammer.lab.counting.exposure import Exposure, Line, SystemLine
from lammer.lab.counting.systems import System, best_system, true_counts
from lammer.lab.counting.valuing import Pays, Shoes, Worths, pays_of, worths
from lammer.lab.counting.walking import walk
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.removal import effects_of_removal
from lammer.lab.simulation.insured import WINDOWS, InsureArrays, insure_arrays
from lammer.lab.simulation.streams import Deal, deal_of
from lammer.lab.simulation.work import Threads, Workers
from lammer.rulebook.model import Rulebook
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SIDES

BINS = 121
"""True counts from -60 to 60, a whole one a bin; beyond lies with the last."""
LARGEST_BLOCK = 64
FEWEST_SHOES, MOST_SHOES = 8, 10**7
Device = Literal["cpu", "cuda"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CountJob:
    """Everything a worker needs to walk shoes and value them."""

    deal: Deal
    insure: InsureArrays
    pays: Pays
    systems: tuple[System | None, ...]
    full: Shoes
    device: Device


@dataclass(frozen=True, slots=True)
class Span:
    """Shoes next to each other, by number."""

    number: int
    first: int
    shoes: int


@dataclass(frozen=True, slots=True)
class SpanTotals:
    """What a span came to: rounds; for each bet and each Insurance how often and how much; by true count.

    `bets` has rows for times worth betting and for what it was worth. `insurance` is by hand, window and
    offers, offers worth taking, worth. `by_count` is by bet, times and worth of every round, and true
    count. `moments` are the sums a correlation of worth and true count needs.
    """

    shoes: int
    rounds: int
    bets: Floats
    insurance: Floats
    by_count: Floats
    moments: Floats


def spans(shoes: int) -> Iterator[Span]:
    """A run cut into spans, by its length alone, so that everyone adds up the same floats in one order."""
    size = max(1, min(LARGEST_BLOCK, shoes // 128))
    for number, first in enumerate(range(0, shoes, size)):
        yield Span(number, first, min(size, shoes - first))


def value_span(job: CountJob, span: Span) -> SpanTotals:
    """Walk a span of shoes and value every bet in every state."""
    deal = job.deal
    walked = walk(
        deal.seed, span.first, span.shoes, deal.cards, deal.last, deal.uses, job.insure, deal.points
    )
    if job.device == "cuda":
        from lammer.lab.counting import cuda_valuing  # noqa: PLC0415

        worth = cuda_valuing.worths(job.pays, walked.states)
    else:
        worth = worths(job.pays, walked.states)
    profit = np.where(worth > 0, worth, 0.0)
    counts = true_counts(list(job.systems), by_rank(walked.states), job.full)
    return SpanTotals(
        span.shoes,
        len(worth),
        np.stack([(worth > 0).sum(axis=0), profit.sum(axis=0)]),
        walked.insurance.sum(axis=0),
        _by_count(counts, worth),
        _moments(counts, worth),
    )


def by_rank(states: Shoes) -> Shoes:
    """States by rank, whether they were walked so or by all 52 cards."""
    return (
        states
        if states.shape[1] == len(RANKS)
        else states.reshape(-1, len(RANKS), 4).sum(axis=2, dtype=np.int16)
    )


def _by_count(counts: Floats, worth: Worths) -> Floats:
    sums = np.zeros((worth.shape[1], 2, BINS))
    bins = np.clip(np.floor(counts).astype(np.int64) + BINS // 2, 0, BINS - 1)
    for bet in range(worth.shape[1]):
        sums[bet, 0] = np.bincount(bins[:, bet], minlength=BINS)
        sums[bet, 1] = np.bincount(bins[:, bet], weights=worth[:, bet], minlength=BINS)
    return sums


def _moments(counts: Floats, worth: Worths) -> Floats:
    return np.stack(
        [
            counts.sum(axis=0),
            worth.sum(axis=0),
            (counts**2).sum(axis=0),
            (worth**2).sum(axis=0),
            (counts * worth).sum(axis=0),
        ]
    )


@dataclass(slots=True)
class Sums:
    """What the spans add up to, taken in by number so that the order never changes.

    Even spans choose each system's true count to bet from, odd ones judge it: a choice is not judged by
    what it was chosen on.
    """

    waiting: dict[int, SpanTotals] = field(default_factory=dict)
    taken: int = 0
    shoes: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    bets: list[Floats] = field(default_factory=list)
    insurance: list[Floats] = field(default_factory=list)
    moments: Floats | None = None
    by_count: list[Floats] = field(default_factory=list)

    def take(self, number: int, totals: SpanTotals) -> None:
        self.waiting[number] = totals
        while self.taken in self.waiting:
            self._add(self.waiting.pop(self.taken))
            self.taken += 1

    def _add(self, totals: SpanTotals) -> None:
        self.shoes.append(totals.shoes)
        self.rounds.append(totals.rounds)
        self.bets.append(totals.bets)
        self.insurance.append(totals.insurance)
        self.moments = totals.moments if self.moments is None else self.moments + totals.moments
        from_count = totals.by_count[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
        if not self.by_count:
            self.by_count = [np.zeros((2, *from_count.shape)), np.zeros((2, *from_count.shape)), np.zeros(2)]
        half = self.taken % 2
        self.by_count[0][half] += from_count
        self.by_count[1][half] += from_count**2
        self.by_count[2][half] += totals.rounds


def must_count(book: Rulebook, bets: tuple[str, ...], shoes: int) -> None:
    """Refuse bets the rulebook has not, and numbers of shoes that tell nothing or never end."""
    for name in bets:
        book.bet(name)
    if not FEWEST_SHOES <= shoes <= MOST_SHOES:
        raise Refused(
            "impossible_run",
            "{shoes} shoes cannot be counted through.",
            next_step="Ask for {fewest_shoes} to {most_shoes}.",
            shoes=format(shoes, ","),
            fewest_shoes=FEWEST_SHOES,
            most_shoes=format(MOST_SHOES, ","),
        )


def count(
    book: Rulebook,
    *,
    bets: tuple[str, ...] = (),
    shoes: int = 12_500,
    decks: int | None = None,
    play: str = "",
    cut: int = 14,
    seed: int = 1,
    workers: Workers | None = None,
    device: Device = "cpu",
    watch: Callable[[int], None] | None = None,
) -> Exposure:
    """How exposed each bet and each Insurance is; the same seed gives the same figures whoever works.

    Interrupted, it hands over what it has. `watch` is told the shoes walked so far.

    >>> from lammer import rulebook
    >>> exposed = count(rulebook("tiger-buffalo-noncommission@4"), bets=("tiger",), shoes=40)
    >>> exposed.shoes, exposed.bets[0].bet, exposed.bets[0].profit_per_100 > 0
    (40, 'tiger', True)
    """
    book = played_by(book, play)
    must_count(book, bets, shoes)
    shoe = Composition.of_book(book, decks)
    if device == "cuda":
        from lammer.lab.simulation import cuda  # noqa: PLC0415

        cuda.must_have_gpu()
    pays = pays_of(book, bets)
    effects = {
        name: by_rank for name, by_rank in effects_of_removal(book, decks).items() if name in pays.bets
    }
    systems = tuple(best_system(effects[name]) for name in pays.bets)
    full = np.array(shoe.ranks, np.int16)
    job = CountJob(deal_of(book, shoe, cut, seed), insure_arrays(book), pays, systems, full, device)
    sums, stopped, walked = Sums(), "", 0
    workers = workers or Threads()
    try:
        for span, totals in workers.share(partial(value_span, job), spans(shoes)):
            sums.take(span.number, totals)
            walked += span.shoes
            if watch is not None:
                watch(walked)
    except KeyboardInterrupt:
        stopped = "interrupted"
    except Refused as refused:
        if not sums.taken:
            raise
        stopped = refused.sentence
    if not sums.taken:
        raise Refused("impossible_run", "It was stopped before a single shoe was walked through.")
    return Exposure(
        book.id,
        shoe.size,
        cut,
        seed,
        sum(sums.shoes),
        shoes,
        sum(sums.rounds),
        tuple(_lines(sums, pays.bets)),
        tuple(_insurance_lines(sums)) if book.insurance else (),
        tuple(_system_lines(sums, pays.bets, systems)),
        effects,
        stopped,
    )


def _ratio(tops: Floats, bottoms: Floats) -> tuple[float, float]:
    """A ratio of sums over spans, and its standard error."""
    ratio = tops.sum() / bottoms.sum()
    if len(tops) < 2:
        return float(ratio), float("nan")
    scatter = ((tops - ratio * bottoms) ** 2).sum() * len(tops) / (len(tops) - 1)
    return float(ratio), float(np.sqrt(scatter) / bottoms.sum())


def _line(name: str, window: str, sums: Sums, times: Floats, worth: Floats, offers: Floats | None) -> Line:
    rounds, shoes = np.array(sums.rounds, float), np.array(sums.shoes, float)
    per_round, error = _ratio(worth, rounds)
    per_shoe, shoe_error = _ratio(worth, shoes)
    total = times.sum()
    return Line(
        name,
        window,
        float(total / rounds.sum()),
        float(offers.sum() / rounds.sum()) if offers is not None else 1.0,
        float(worth.sum() / total) if total else 0.0,
        100 * per_round,
        100 * error,
        per_shoe,
        shoe_error,
    )


def _lines(sums: Sums, names: tuple[str, ...]) -> Iterator[Line]:
    bets = np.stack(sums.bets)
    for bet, name in enumerate(names):
        yield _line(name, "", sums, bets[:, 0, bet], bets[:, 1, bet], None)


def _insurance_lines(sums: Sums) -> Iterator[Line]:
    insurance = np.stack(sums.insurance)
    for hand_index, hand in enumerate(SIDES):
        for window_index, window in enumerate(WINDOWS):
            offers, times, worth = (insurance[:, hand_index, window_index, part] for part in range(3))
            if offers.any():
                yield _line(hand, window, sums, times, worth, offers)


def _system_lines(
    sums: Sums, names: tuple[str, ...], systems: tuple[System | None, ...]
) -> Iterator[SystemLine]:
    assert sums.moments is not None
    n = float(sum(sums.rounds))
    added, squared, rounds = sums.by_count
    for bet, (name, system) in enumerate(zip(names, systems, strict=True)):
        if system is None:
            continue
        x, y, xx, yy, xy = (float(value) for value in sums.moments[:, bet])
        spread = (n * xx - x * x) * (n * yy - y * y)
        follows = (n * xy - x * y) / spread**0.5 if spread > 0 else 0.0
        chosen = int(np.argmax(added[0, bet, 1]))
        judging = 1 if rounds[1] else 0
        worth, times = added[judging, bet, 1, chosen], added[judging, bet, 0, chosen]
        blocks = max(1, sum(1 for span in range(sums.taken) if span % 2 == judging))
        scatter = max(0.0, squared[judging, bet, 1, chosen] - worth**2 / blocks)
        yield SystemLine(
            name,
            system.tags,
            system.correlation,
            follows,
            chosen - BINS // 2,
            float(times / rounds[judging]),
            float(100 * worth / rounds[judging]),
            float(100 * np.sqrt(scatter * blocks / max(1, blocks - 1)) / rounds[judging]),
        )
