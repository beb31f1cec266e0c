"""Numbered streams of rounds: what a worker is sent, what it does, and what it sends back.

Stream n of a seed is the same cards for ever, so that a run gives the same counts to the last digit however
it is shared out. A worker needs no rulebook, only these arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lammer.lab.exact.composition import Composition
from lammer.lab.exact.pairs import asks_both, asks_suits
from lammer.lab.simulation.detailed import CODES, card_bytes, plain_codes, play_detailed
from lammer.lab.simulation.insured import NO_INSURANCE, InsureArrays, play_insuring
from lammer.lab.simulation.kernels import KEYS, PAIRS, Bytes, Counts, play_streams
from lammer.lab.simulation.lookups import lookups, shoe_bytes
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

STREAM = 100_000
"""Rounds of one stream: the longest stretch over which the table's win is looked at."""
STRETCH = 1_000
"""Rounds of the shortest such stretch."""
RECORDED = 20_000
"""Wins by stretch are kept of the first so many streams; two thousand million rounds tell enough."""
MOST_CARDS = 60_000
"""Two places drawn from one 32-bit word: their product has to fit."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything about a run but its length.

    `key_wins` and `pair_wins` say what the house wins a round, by key and by pairs, in whole numbers of
    the mix's smallest part; None where no mix is played. `insure` is for insurance taken only when it is
    worth it, which has to look into the shoe. With `points`, what each rank is worth, the cards are those of
    `detailed`, and so is the loop; `both_wins` is then what the house wins by key and code together.
    """

    seed: int
    cards: Bytes
    last: int
    uses: Bytes
    key_wins: Counts | None = None
    pair_wins: Counts | None = None
    insure: InsureArrays | None = None
    points: Bytes | None = None
    both_wins: Counts | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Streams next to each other: the first one's number, and how many rounds of each."""

    first: int
    rounds: tuple[int, ...]

    @property
    def size(self) -> int:
        return sum(self.rounds)


@dataclass(slots=True)
class Tally:
    """What was counted: keys, pairs, wins by stretch (a row a stream), insurance taken, and rounds.

    `both` are keys and codes together, as `detailed` counts them; empty where nothing asks for that.
    """

    rounds: int
    keys: Counts
    pairs: Counts
    wins: dict[int, NDArray[np.int64]]
    insured: Counts
    both: Counts

    @classmethod
    def empty(cls, *, detailed: bool = False) -> Tally:
        keys, pairs, insured = (
            np.zeros(KEYS, np.int64),
            np.zeros(PAIRS, np.int64),
            np.zeros((2, 3, 2), np.int64),
        )
        return cls(0, keys, pairs, {}, insured, np.zeros(KEYS * CODES if detailed else 0, np.int64))

    def plus(self, other: Tally) -> Tally:
        """Both together, as a new tally: this one stands should an interruption come in the middle of it."""
        self.wins.update(other.wins)
        return Tally(
            self.rounds + other.rounds,
            self.keys + other.keys,
            self.pairs + other.pairs,
            self.wins,
            self.insured + other.insured,
            self.both + other.both if self.both.size else other.both,
        )

    def add_up(self) -> None:
        """The keys and the pairs by themselves, from what was counted of both together."""
        both = self.both.reshape(KEYS, CODES)
        self.keys += both.sum(axis=1)
        np.add.at(self.pairs, plain_codes(), both.sum(axis=0))

    def keep(self, block: Block, wins: NDArray[np.int64]) -> None:
        """Take in the wins of a block's streams, whole stretches only."""
        for place, row in enumerate(wins):
            self.wins[block.first + place] = row[: block.rounds[place] // STRETCH]


def must_cut(shoe: Composition, cut: int) -> None:
    """Refuse a cut card with too few cards behind it for the last round, or with the whole shoe behind it."""
    if not 6 <= cut <= shoe.size:
        raise Refused(
            "impossible_run",
            "A cut card {cut} cards from the end of {size} cannot be dealt to.",
            next_step="Leave 6 to {size} cards behind it; the last round may need six.",
            cut=cut,
            size=shoe.size,
        )
    if shoe.size > MOST_CARDS:
        raise Refused(
            "impossible_run", "A shoe of {size} cards is too large to shuffle here.", size=shoe.size
        )


def deal_of(book: Rulebook, shoe: Composition, cut: int, seed: int) -> Deal:
    """A run of this rulebook from this shoe; the round in which the cut card appears is the last."""
    must_cut(shoe, cut)
    if not 0 <= seed < 2**64:
        raise Refused("impossible_run", "{seed} is no seed.", next_step="Seeds are 0 to 2^64 - 1.", seed=seed)
    last, arrays = shoe.size - cut, lookups(book)
    if asks_suits(book) or asks_both(book):
        return Deal(seed, card_bytes(shoe), last, arrays.uses, points=arrays.points)
    return Deal(seed, shoe_bytes(book, shoe), last, arrays.uses)


def blocks(rounds: int, streams: int) -> Iterator[Block]:
    """A run cut into blocks of so many streams; the last stream plays what is left over.

    >>> [block.size for block in blocks(350_000, streams=2)]
    [200000, 150000]
    """
    first = 0
    while rounds > 0:
        mine = min(rounds, streams * STREAM)
        whole, rest = divmod(mine, STREAM)
        yield Block(first, (STREAM,) * whole + ((rest,) if rest else ()))
        first += streams
        rounds -= mine


def deal_block(deal: Deal, block: Block) -> Tally:
    """Deal a block."""
    if deal.points is not None:
        return _deal_detailed(deal, block, deal.points)
    tally = Tally.empty()
    rounds = np.array(block.rounds)
    tally.rounds = block.size
    wins = np.zeros((recorded_streams(deal, block), STREAM // STRETCH), np.int64)
    nothing = np.zeros(0, np.int64)
    common = (
        np.uint64(deal.seed),
        block.first,
        rounds,
        deal.cards,
        deal.last,
        deal.uses,
        tally.keys,
        tally.pairs,
        nothing if deal.key_wins is None else deal.key_wins,
        nothing if deal.pair_wins is None else deal.pair_wins,
        STRETCH if wins.size else 0,
        wins,
    )
    if deal.insure is None:
        play_streams(*common)
    else:
        insure = deal.insure
        play_insuring(*common, insure.pays, insure.offered, insure.stakes, insure.once, tally.insured)
    tally.keep(block, wins)
    return tally


def _deal_detailed(deal: Deal, block: Block, points: Bytes) -> Tally:
    tally = Tally.empty(detailed=True)
    tally.rounds = block.size
    wins = np.zeros((recorded_streams(deal, block), STREAM // STRETCH), np.int64)
    insure = deal.insure or NO_INSURANCE
    play_detailed(
        np.uint64(deal.seed),
        block.first,
        np.array(block.rounds),
        deal.cards,
        deal.last,
        deal.uses,
        points,
        tally.both,
        np.zeros(0, np.int64) if deal.both_wins is None else deal.both_wins,
        STRETCH if wins.size else 0,
        wins,
        deal.insure is not None,
        insure.pays,
        insure.offered,
        insure.stakes,
        insure.once,
        tally.insured,
    )
    tally.add_up()
    tally.keep(block, wins)
    return tally


def recorded_streams(deal: Deal, block: Block) -> int:
    """Of how many streams of a block, from its first, the wins are kept."""
    plays = deal.key_wins is not None or deal.both_wins is not None
    return 0 if not plays else max(0, min(len(block.rounds), RECORDED - block.first))
