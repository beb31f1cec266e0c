"""Exposure to counting: what a player makes who knows every card gone, and bets only when it is worth it.

Shoes are dealt; before every round every bet is valued exactly from what is left, and every Insurance offer
with the round's own cards known. Nothing is paid out: what is added up is the exact worth of each bet
that would be made, which tells the same with far fewer shoes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lammer.lab.counting.exposure import Exposure, Line, SystemLine
from lammer.lab.counting.systems import System, best_system, mirror, system_of, true_counts
from lammer.lab.counting.valuing import Pays, Shoes, Worths, pays_of, worths
from lammer.lab.counting.walking import BURN_BY_FIRST, walk
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.lab.exact.removal import effects_of_removal
from lammer.lab.simulation.insured import WINDOWS, InsureArrays, insure_arrays
from lammer.lab.simulation.streams import Deal, deal_of
from lammer.lab.simulation.work import Threads, Workers
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SIDES

BINS = 121
"""True counts from -60 to 60, a whole one a bin; beyond lies with the last."""
LARGEST_BLOCK = 1024
"""Shoes in a span of a long run: with small spans, threads wait for each other at the interpreter's lock."""
FEWEST_SHOES, MOST_SHOES = 8, 10**7
MOST_BURNT = 52
Device = Literal["cpu", "cuda"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Habits:
    """How a shoe is dealt and counted where it is not the usual way.

    `tags` are of a count of one's own, by rank; `bet_from` the true count to bet from, else the best is
    sought. So many cards are burnt, or as many as the first card says; so many rounds played after the cut
    card's. A bet is of `spread[0]` units below that count and of `spread[1]` from it on. `pairs` are bets
    taken as the two sides of one count.
    """

    tags: tuple[int, ...] = ()
    bet_from: int | None = None
    burn: int = 0
    rounds_after_cut: int = 0
    spread: tuple[int, int] = (0, 1)
    pairs: tuple[tuple[str, str], ...] = ()

    def phrases(self) -> tuple[Phrase, ...]:
        """What is not as usual, for the line that says what was run."""
        said = []
        if self.tags:
            said.append(
                Phrase("tags {tags}", tags=" ".join(f"{tag:+d}" if tag else "0" for tag in self.tags))
            )
        if self.bet_from is not None:
            said.append(Phrase("bet from {count}", count=f"{self.bet_from:+d}"))
        if self.burn == BURN_BY_FIRST:
            said.append(Phrase("burnt as the first card says"))
        elif self.burn:
            said.append(Phrase("{cards} cards burnt", cards=self.burn))
        if self.rounds_after_cut:
            said.append(Phrase("{rounds} rounds after the cut card's", rounds=self.rounds_after_cut))
        if self.spread != (0, 1):
            said.append(
                Phrase("{low} units, {high} when the count is good", low=self.spread[0], high=self.spread[1])
            )
        return tuple(said)


USUAL_HABITS = Habits()


@dataclass(frozen=True, slots=True)
class CountJob:
    """Everything a worker needs to walk shoes and value them.

    `counted` is the place of the bet each system is for; `pairs` the places of bets that are two sides.
    """

    deal: Deal
    insure: InsureArrays
    pays: Pays
    systems: tuple[System | None, ...]
    counted: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    full: Shoes
    device: Device
    habits: Habits


@dataclass(frozen=True, slots=True)
class Span:
    """Shoes next to each other, by number."""

    number: int
    first: int
    shoes: int


@dataclass(frozen=True, slots=True)
class SpanTotals:
    """What a span came to: rounds; for each bet and each Insurance how often and how much; by true count.

    `bets` has rows for times worth betting and for what it was worth; after the bets come the two sides of
    each pair, each where it is the better one. `insurance` is by hand, window and offers, offers worth
    taking, worth. `by_count` is by system, times and worth of every round, and true count. `moments` are the
    sums a correlation of worth and true count needs.
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
    habits = job.habits
    walked = walk(
        deal.seed, span.first, span.shoes, deal.cards, deal.last, deal.uses, job.insure, deal.points,
        habits.burn, habits.rounds_after_cut,
    )  # fmt: skip
    if job.device == "cuda":
        from lammer.lab.counting import cuda_valuing  # noqa: PLC0415

        worth = cuda_valuing.worths(job.pays, walked.states)
    else:
        worth = worths(job.pays, walked.states)
    profit = _profits(worth, job.pairs)
    counts = true_counts(list(job.systems), by_rank(walked.states), job.full)
    return SpanTotals(
        span.shoes,
        len(worth),
        np.stack([(profit > 0).sum(axis=0), profit.sum(axis=0)]),
        walked.insurance.sum(axis=0),
        _by_count(counts, worth[:, list(job.counted)]),
        _moments(counts, worth[:, list(job.counted)]),
    )


def _profits(worth: Worths, pairs: tuple[tuple[int, int], ...]) -> Floats:
    """What is made of every bet where it is worth it; then of each side of a pair where it is the better."""
    sides = []
    for one, other in pairs:
        better = worth[:, one] >= worth[:, other]
        sides += [np.where(better, worth[:, one], 0.0), np.where(better, 0.0, worth[:, other])]
    every = np.column_stack([worth, *sides])
    return np.where(every > 0, every, 0.0)


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

    spread: tuple[int, int] = (0, 1)
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
        low, high = self.spread
        from_count[:, 1] = low * from_count[:, 1, :1] + (high - low) * from_count[:, 1]
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


def must_have_habits(book: Rulebook, habits: Habits, cut: int) -> None:
    """Refuse habits that cannot be: a cut card too near the end, a spread that falls, bets nobody knows."""
    for pair in habits.pairs:
        for name in pair:
            book.bet(name)
    low, high = habits.spread
    if not 0 <= low < high or (low and habits.pairs):
        raise Refused(
            "impossible_run",
            "A spread of {low} to {high} cannot be bet.",
            next_step="Write 0:1 or 1:8, the larger stake last; on two sides of a count the smaller is 0.",
            low=low,
            high=high,
        )
    fewest = 6 * (1 + habits.rounds_after_cut)
    if cut < fewest or not BURN_BY_FIRST <= habits.burn <= MOST_BURNT or habits.rounds_after_cut < 0:
        raise Refused(
            "impossible_run",
            "{burn} cards burnt, a cut card {cut} from the end and {rounds} rounds after it cannot be dealt.",
            next_step="Burn at most {most}, and leave {fewest} cards behind the cut card.",
            burn=habits.burn,
            cut=cut,
            rounds=habits.rounds_after_cut,
            most=MOST_BURNT,
            fewest=fewest,
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
    habits: Habits = USUAL_HABITS,
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
    bets = tuple(dict.fromkeys([*bets, *(name for pair in habits.pairs for name in pair)])) if bets else bets
    must_count(book, bets, shoes)
    must_have_habits(book, habits, cut)
    shoe = Composition.of_book(book, decks)
    if device == "cuda":
        from lammer.lab.simulation import cuda  # noqa: PLC0415

        cuda.must_have_gpu()
    pays = pays_of(book, bets)
    effects = {
        name: by_rank for name, by_rank in effects_of_removal(book, decks).items() if name in pays.bets
    }
    own = [system_of(habits.tags, effects[name]) if habits.tags else best_system(effects[name])
           for name in pays.bets]  # fmt: skip
    sides = [(pays.bets.index(one), pays.bets.index(other)) for one, other in habits.pairs]
    # The other side of a pair is bet when the count of the first is low.
    mirrored = [mirror(system) if (system := own[one]) else None for one, _ in sides]
    systems = (*own, *mirrored)
    counted = (*range(len(own)), *(other for _, other in sides))
    full = np.array(shoe.ranks, np.int16)
    job = CountJob(
        deal_of(book, shoe, cut, seed), insure_arrays(book), pays, systems, counted, tuple(sides), full,
        device, habits,
    )  # fmt: skip
    sums, stopped, walked = Sums(habits.spread), "", 0
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
    analysis = edges(book, shoe)
    squares = {name: float(analysis.bet(name).variance + analysis.bet(name).edge ** 2) for name in pays.bets}
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
        tuple(_lines(sums, pays.bets, habits.pairs, squares)),
        tuple(_insurance_lines(sums)) if book.insurance else (),
        tuple(_system_lines(sums, pays.bets, systems, habits, squares)),
        effects,
        stopped,
        habits.phrases(),
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


def desirability(worth: float, squares: float, rounds: float) -> float:
    """The desirability index: a thousand times the mean of a round over its deviation.

    `squares` is the sum of what stakes come to, squared; the spread of a bet is taken to be that from the
    full shoe.

    >>> round(desirability(worth=5.0, squares=100.0, rounds=1000.0), 2)
    15.81
    """
    mean = worth / rounds
    spread = squares / rounds - mean**2
    return float(1000 * mean / spread**0.5) if spread > 0 else 0.0


def _lines(
    sums: Sums, names: tuple[str, ...], pairs: tuple[tuple[str, str], ...], squares: Mapping[str, float]
) -> Iterator[Line]:
    bets, rounds = np.stack(sums.bets), float(sum(sums.rounds))
    for bet, name in enumerate(names):
        line = _line(name, "", sums, bets[:, 0, bet], bets[:, 1, bet], None)
        spread = squares[name] * bets[:, 0, bet].sum()
        yield replace(line, desirability=desirability(bets[:, 1, bet].sum(), spread, rounds))
    for number, pair in enumerate(pairs):
        place = len(names) + 2 * number
        times, worth = (bets[:, part, place : place + 2].sum(axis=1) for part in (0, 1))
        line = _line(" / ".join(pair), "", sums, times, worth, None)
        spread = sum(squares[name] * bets[:, 0, place + side].sum() for side, name in enumerate(pair))
        yield replace(line, desirability=desirability(worth.sum(), spread, rounds))


def _insurance_lines(sums: Sums) -> Iterator[Line]:
    insurance = np.stack(sums.insurance)
    for hand_index, hand in enumerate(SIDES):
        for window_index, window in enumerate(WINDOWS):
            offers, times, worth = (insurance[:, hand_index, window_index, part] for part in range(3))
            if offers.any():
                yield _line(hand, window, sums, times, worth, offers)


def _system_lines(
    sums: Sums,
    names: tuple[str, ...],
    systems: tuple[System | None, ...],
    habits: Habits,
    squares: Mapping[str, float],
) -> Iterator[SystemLine]:
    for bet, name in enumerate(names):
        line = _system_line(sums, bet, name, systems[bet], habits, squares[name])
        if line is not None:
            yield line
    for number, (one, other) in enumerate(habits.pairs):
        first = _system_line(sums, names.index(one), one, systems[names.index(one)], habits, squares[one])
        place = len(names) + number
        second = _system_line(sums, place, other, systems[place], habits, squares[other])
        if first is not None and second is not None:
            yield _both_sides(first, second, squares[one], squares[other])


def _both_sides(first: SystemLine, second: SystemLine, one: float, other: float) -> SystemLine:
    """One count for both sides: the first is bet when it is high, the second when it is low."""
    worth = (first.profit_per_100 + second.profit_per_100) / 100
    spread = one * first.bets_on + other * second.bets_on
    return replace(
        first,
        bet=f"{first.bet} / {second.bet}",
        bets_on=first.bets_on + second.bets_on,
        profit_per_100=100 * worth,
        error_per_100=(first.error_per_100**2 + second.error_per_100**2) ** 0.5,
        desirability=desirability(worth, spread, 1.0),
        other_from=second.bet_from,
    )


def _system_line(
    sums: Sums, bet: int, name: str, system: System | None, habits: Habits, squares: float
) -> SystemLine | None:
    """What a bet by a count makes; None where there is no count to go by."""
    if system is None:
        return None
    assert sums.moments is not None
    n = float(sum(sums.rounds))
    added, squared, rounds = sums.by_count
    x, y, xx, yy, xy = (float(value) for value in sums.moments[:, bet])
    spread = (n * xx - x * x) * (n * yy - y * y)
    follows = (n * xy - x * y) / spread**0.5 if spread > 0 else 0.0
    if habits.bet_from is None:
        chosen, halves = int(np.argmax(added[0, bet, 1])), [1 if rounds[1] else 0]
    else:
        # A count that was named beforehand was not chosen on any shoe: every one of them judges it.
        chosen, halves = min(max(habits.bet_from + BINS // 2, 0), BINS - 1), [0, 1]
    worth = sum(added[half, bet, 1, chosen] for half in halves)
    times = sum(added[half, bet, 0, chosen] for half in halves)
    played = sum(rounds[half] for half in halves)
    blocks = max(1, sum(1 for span in range(sums.taken) if span % 2 in halves))
    scatter = max(0.0, sum(squared[half, bet, 1, chosen] for half in halves) - worth**2 / blocks)
    low, high = habits.spread
    staked = squares * (low**2 * (played - times) + high**2 * times)
    return SystemLine(
        name,
        system.tags,
        system.correlation,
        follows,
        chosen - BINS // 2,
        float(times / played),
        float(100 * worth / played),
        float(100 * np.sqrt(scatter * blocks / max(1, blocks - 1)) / played),
        desirability(worth, staked, played),
    )
