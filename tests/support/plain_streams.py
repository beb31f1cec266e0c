"""The numbered streams once more, in plain Python and from their description alone.

Against it the tests hold the compiled loops. It shares nothing with them: generators are written as their
authors describe them, cards are letters, and rounds are played by the tests' brute force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from support import brute_force

WORD, LONG = 2**32, 2**64


def splitmix64(state: int) -> Iterator[int]:
    """Steele, Lea and Flood's generator: a counter with a golden step, stirred."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % LONG
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % LONG
        z = (z ^ z >> 27) * 0x94D049BB133111EB % LONG
        yield z ^ z >> 31


def _rotated(x: int, by: int) -> int:
    return (x << by | x >> 32 - by) % WORD


def xoshiro128pp(words: list[int]) -> Iterator[int]:
    """Blackman and Vigna's xoshiro128++."""
    a, b, c, d = words
    while True:
        yield (_rotated((a + d) % WORD, 7) + a) % WORD
        t = b << 9 & 0xFFFFFFFF
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = _rotated(d, 11)


def words_of(seed: int, stream: int) -> list[int]:
    """Stream n begins with outputs 2n + 1 and 2n + 2 of the seed's splitmix64, low halves first."""
    pair = islice(splitmix64(seed), 2 * stream, 2 * stream + 2)
    return [half for long in pair for half in (long % WORD, long // WORD)]


def shuffle(cards: list[str], end: int, source: Iterator[int]) -> None:
    """Fill the first `end` places two at a time; one spare place where the last has no partner."""
    size = len(cards)
    for place in range(0, end, 2):
        left = size - place
        both = left * (left - 1)
        while True:
            first, low = divmod(next(source) * left, WORD)
            second, low = divmod(low * (left - 1), WORD)
            # Of 2^32 words as many are thrown away as do not divide evenly among the pairs of places.
            if not both or low >= WORD % both:
                break
        for at, by in ((place, first), (place + 1, second)):
            if at < size:
                cards[at], cards[at + by] = cards[at + by], cards[at]


@dataclass(frozen=True)
class PlainlyDealt:
    """A round of a stream: the six cards that lay on top, those it took, and what the shoe then held."""

    six: tuple[str, ...]
    cards: tuple[str, ...]
    shoe: Counter[str]

    @property
    def key(self) -> int:
        """Two-card totals and the points of the fifth and the sixth card, a digit each."""
        p1, b1, p2, b2, fifth, sixth = (brute_force.value(card) for card in self.six)
        return (p1 + p2) % 10 * 1000 + (b1 + b2) % 10 * 100 + fifth * 10 + sixth

    @property
    def pairs(self) -> int:
        """0 no pair, 1 Player, 2 Banker, 3 both, 4 both in ranks of one value, 5 both in one rank."""
        p1, b1, p2, b2 = (card[0] for card in self.six[:4])
        if p1 == p2 and b1 == b2:
            alike = brute_force.value(p1 + "S") == brute_force.value(b1 + "S")
            return 5 if p1 == b1 else 4 if alike else 3
        return (p1 == p2) + 2 * (b1 == b2)


def rounds(seed: int, stream: int, counts: Mapping[str, int], cut: int) -> Iterator[PlainlyDealt]:
    """The rounds of a stream, for ever: a shoe is played until the cut card has come out.

    Counts are by rank, or by card where suits matter, in the order of ranks all the same.
    """
    cards = [(each + "S")[:2] for each, count in counts.items() for _ in range(count)]
    source = xoshiro128pp(words_of(seed, stream))
    last = len(cards) - cut
    while True:
        shuffle(cards, min(len(cards), last + 6), source)
        at, shoe = 0, Counter(cards)
        while at <= last:
            six = tuple(cards[at : at + 6])
            taken = six[: _length(six)]
            yield PlainlyDealt(six, taken, shoe.copy())
            shoe -= Counter(taken)
            at += len(taken)


def _length(six: tuple[str, ...]) -> int:
    for length in (4, 5):
        try:
            brute_force.play(six[:length])
        except ValueError:
            continue
        return length
    return 6
