"""Simulation: whole shoes dealt to the cut card, every bet judged on what was dealt, held against the exact.

Only for what cannot be had exactly. What was counted is judged by the same code as what is worked out, so
a simulated analysis and an exact one can be laid side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from html import escape
from typing import ClassVar, Literal, get_args

from lammer.game.money import show
from lammer.lab.exact.analysis import SITUATION_COLUMNS, Analysis, BetEdge, InsuranceEdge, percent
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges, judge_counts
from lammer.lab.exact.pairs import asks_both
from lammer.lab.output.sheet import Sheet
from lammer.lab.simulation.cluster import Cluster
from lammer.lab.simulation.detailed import by_code, by_code_and_final
from lammer.lab.simulation.insured import WINDOWS
from lammer.lab.simulation.lookups import path_counts, tier_counts
from lammer.lab.simulation.mix import Insure, Mix, parse_mix, percentiles, play_mix
from lammer.lab.simulation.streams import STREAM, Tally, blocks, deal_block, deal_of
from lammer.lab.simulation.work import Threads, Workers
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, WINDOWS as IN_A_ROUND

BLOCK = 16
"""Streams of a block: long enough that handing it out costs nothing, short enough to stop soon."""
BLOCKS, LARGEST = 512, 1024
"""On a cluster a block is a message: about so many blocks to a run, of so many streams at most."""
MOST_ROUNDS = 10**15
Device = Literal["cpu", "cuda"]


@dataclass(frozen=True, slots=True)
class Score:
    """A dealt edge beside the exact one, and the standard error so many rounds leave.

    >>> Score(Fraction(1, 100), Fraction(3, 100), 0.01).texts()
    ('1.0000', '3.0000', '1.0000', '+2.00')
    """

    COLUMNS: ClassVar = ("exact edge %", "dealt edge %", "error %", "z")

    exact: Fraction
    dealt: Fraction
    error: float

    @classmethod
    def of(cls, exact: BetEdge | InsuranceEdge, dealt: BetEdge | InsuranceEdge, times: int) -> Score:
        return cls(exact.edge, dealt.edge, math.sqrt(exact.variance / times))

    @property
    def z(self) -> float:
        """Standard errors between the two; nothing where a bet cannot but come to the same every time."""
        return float(self.dealt - self.exact) / self.error if self.error else 0.0

    def texts(self) -> tuple[str, str, str, str]:
        return percent(self.exact), percent(self.dealt), f"{100 * self.error:.4f}", f"{self.z:+.2f}"


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was dealt, beside what is exact. `stopped` says why it ended early, if it did."""

    exact: Analysis
    dealt: Analysis
    rounds: int
    asked: int
    seed: int
    cut: int
    insure: Insure
    mix: Mix
    tally: Tally
    denominator: int
    stopped: str = ""

    def sheets(self) -> tuple[Sheet, ...]:
        """Bets, Insurance situations, insurance when it was worth it, and the house's win on the mix."""
        sheets = [self.bets_sheet()]
        if self.dealt.insurance:
            sheets.append(self.insurance_sheet())
        if self.insure == "when-positive":
            sheets.append(self.insured_sheet())
        if self.mix.stakes:
            sheets.append(self.wins_sheet())
        return tuple(sheets)

    def scores(self) -> dict[str, Score]:
        """Every bet's dealt edge beside its exact one."""
        exact = ((bet, self.exact.bet(bet.bet)) for bet in self.dealt.bets)
        return {bet.bet: Score.of(known, bet, self.rounds) for bet, known in exact}

    def insurance_scores(self) -> list[tuple[InsuranceEdge, int, Score]]:
        """Every Insurance situation that came up, how often it did, and its score."""
        known = {situation.key: situation for situation in self.exact.insurance}
        times = ((situation, int(situation.occurs * self.rounds)) for situation in self.dealt.insurance)
        return [
            (situation, often, Score.of(known[situation.key], situation, often)) for situation, often in times
        ]

    def bets_sheet(self) -> Sheet:
        """Every bet: exact edge, the one dealt, its standard error, and how many of those lie between."""
        rows = tuple((bet, *score.texts()) for bet, score in self.scores().items())
        return Sheet("Bets", ("bet", *Score.COLUMNS), rows)

    def insurance_sheet(self) -> Sheet:
        """Every Insurance situation that came up, as for the bets."""
        rows = tuple(
            (*situation.cells(), times, *score.texts()) for situation, times, score in self.insurance_scores()
        )
        return Sheet("Insurance", (*SITUATION_COLUMNS, "times", *Score.COLUMNS), rows)

    def insured_sheet(self) -> Sheet:
        """Insurance taken only when it was worth it: how often, and what came of a unit each time."""
        rows = []
        windows = {"four_cards", "third_card"} | {edge.window for edge in self.exact.insurance}
        for hand_index, hand in enumerate(SIDES):
            for window in (each for each in IN_A_ROUND if each in windows):
                window_index = WINDOWS.index(window)
                times, units = (int(value) for value in self.tally.insured[hand_index, window_index])
                won = percent(Fraction(units, self.denominator * times)) if times else None
                share = percent(Fraction(times, self.rounds))
                rows.append((hand, window.replace("_", " "), times, share, won))
        columns = ("insurance", "window", "taken", "of rounds %", "won a unit %")
        return Sheet("Insurance when it is worth it", columns, tuple(rows))

    def wins_sheet(self) -> Sheet:
        """The house's win on the mix over 1,000, 10,000 and 100,000 rounds."""
        return percentiles(self.mix, self.tally.wins)

    def staked(self) -> list[tuple[str, str]]:
        """What is staked on each bet every round, in money."""
        return [(bet, show(cents)) for bet, cents in self.mix.stakes.items()]

    @property
    def description(self) -> Series:
        """What was run, in a line that is enough to run it again."""
        staked = ",".join(f"{bet}={amount}" for bet, amount in self.staked())
        dealt = Phrase("{rounds} rounds", rounds=f"{self.rounds:,}")
        if self.stopped:
            dealt = Phrase(
                "{rounds} of {asked} asked for ({why})",
                rounds=dealt,
                asked=f"{self.asked:,}",
                why=Phrase(self.stopped),
            )
        parts: list[str] = [
            self.exact.rulebook,
            Phrase("{cards} cards, cut card {cut} from the end", cards=self.exact.shoe.size, cut=self.cut),
            dealt,
            Phrase("seed {seed}", seed=self.seed),
        ]
        parts += [staked] if staked else []
        if self.insure != "never":
            parts.append(Phrase("insured {how}", how=Phrase(self.insure.replace("-", " "))))
        return Series(parts, " · ")

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.description)}</p>" + "".join(sheet._repr_html_() for sheet in self.sheets())


def _must_make_sense(
    rounds: int, stakes: Mapping[str, int], insure: Insure, workers: Workers | None, device: Device
) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused(
            "impossible_run",
            "{rounds} rounds cannot be dealt.",
            next_step="Ask for 1 to 1e15 rounds.",
            rounds=format(rounds, ","),
        )
    for value, known in ((insure, get_args(Insure)), (device, get_args(Device))):
        if value not in known:
            raise Refused(
                "impossible_run",
                "{said} is not known.",
                next_step="It is one of {known}.",
                said=repr(value),
                known=", ".join(known),
            )
    if insure == "always" and not stakes.keys() & SIDES:
        raise Refused(
            "nothing_to_insure",
            "The mix has no bet on the Player or the Banker that could be insured.",
            next_step="Add one, such as banker=100, or leave out --insure.",
        )
    if device == "cuda" and workers is not None:
        raise Refused(
            "impossible_run",
            "The GPU does all the work itself.",
            next_step="Leave out the threads and the cluster, or the GPU.",
        )


def judge_tally(book: Rulebook, shoe: Composition, tally: Tally) -> Analysis:
    """What was dealt, judged as what is exact is."""
    pairs = by_code(book, tally.both) if tally.both.size else tier_counts(book, tally.pairs)
    both = by_code_and_final(book, tally.both) if tally.both.size and asks_both(book) else ()
    return judge_counts(book, shoe, path_counts(book, tally.keys), pairs, tally.rounds, both=both)


def simulate(
    book: Rulebook,
    rounds: int,
    *,
    shoe: Composition | None = None,
    decks: int | None = None,
    play: str = "",
    cut: int = 14,
    mix: str = "",
    insure: Insure = "never",
    seed: int = 1,
    workers: Workers | None = None,
    device: Device = "cpu",
    watch: Callable[[int], None] | None = None,
) -> Simulation:
    """Deal so many rounds; the same seed gives the same counts whoever does the work.

    Where hands may draw, `play` names how they choose; the rulebook's usual play where it is left out.
    Interrupted, or left by its workers, it hands over what it has. `watch` is told the rounds dealt so far.

    >>> from lammer import rulebook
    >>> run = simulate(rulebook("tiger-buffalo-noncommission@4"), 20_000, seed=7)
    >>> run.rounds, all(abs(float(row[-1])) < 4 for row in run.sheets()[0].rows)
    (20000, True)
    """
    book = played_by(book, play)
    stakes = parse_mix(book, mix)
    _must_make_sense(rounds, stakes, insure, workers, device)
    shoe = shoe or Composition.of_book(book, decks)
    deal, staked = play_mix(book, deal_of(book, shoe, cut, seed), stakes, insure)
    denominator = deal.insure.denominator if deal.insure else 1
    workers, dealer, streams = workers or Threads(), deal_block, BLOCK
    if isinstance(workers, Cluster):
        streams = min(max(BLOCK, rounds // STREAM // BLOCKS), LARGEST)
    if device == "cuda":
        from lammer.lab.simulation import cuda  # noqa: PLC0415

        workers, dealer, streams = Threads(1), cuda.deal_block, cuda.must_have_gpu()
    tally, stopped = Tally.empty(), ""
    try:
        for _, block_tally in workers.share(partial(dealer, deal), blocks(rounds, streams)):
            tally = tally.plus(block_tally)
            if watch is not None:
                watch(tally.rounds)
    except KeyboardInterrupt:
        stopped = "interrupted"
    except Refused as refused:
        if not tally.rounds:
            raise
        stopped = refused.sentence
    if not tally.rounds:
        raise Refused("impossible_run", "It was stopped before a single block was dealt.")
    return Simulation(
        edges(book, shoe),
        judge_tally(book, shoe, tally),
        tally.rounds,
        rounds,
        seed,
        cut,
        insure,
        staked,
        tally,
        denominator,
        stopped,
    )
