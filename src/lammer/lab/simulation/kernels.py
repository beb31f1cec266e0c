"""The hot loops, compiled: whole shoes dealt from numbered streams, and the exact count of a shoe.

They know numbers only: what the numbers mean under a rulebook is decided in `lookups`, and the plain-Python
`exact` is the authority they are held against. The same stream gives the same cards here, on every
thread, on every worker, and in `cuda`.

A stream is one table played on and on: its own generator (xoshiro128++, seeded from the seed and the
stream's number) and its own shoe. A shoe is shuffled as far as it can be dealt, two cards to a random word,
bounded by multiplication with rejection and never by a remainder. Nothing in the loops asks what the rules
are: every round looks at six cards, counts what they are, and then steps on by as many as the rules use.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Bytes = NDArray[np.uint8]

KEYS = 10_000
"""Player's two-card total, Banker's, the fifth card's points, the sixth card's points: one digit each."""
PAIRS = 6
"""Neither hand paired, Player, Banker, both, both in ranks of one value, both in one rank."""

_32 = np.uint32
_64 = np.uint64
_LOW = np.uint64(0xFFFFFFFF)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


@njit(inline="always")
def _mix(z: np.uint64) -> np.uint64:
    """The output function of splitmix64: no two states share one."""
    z = (z ^ (z >> _64(30))) * _MIX_A
    z = (z ^ (z >> _64(27))) * _MIX_B
    return z ^ (z >> _64(31))


@njit(inline="always")
def _rotate_left(x: np.uint32, by: int) -> np.uint32:
    return _32((x << _32(by)) | (x >> _32(32 - by)))


@njit(inline="always")
def seed_state(seed: np.uint64, stream: np.uint64, state: NDArray[np.uint32]) -> None:
    """The stream's four words: outputs 2n + 1 and 2n + 2 of splitmix64 started at the seed."""
    first = _64(seed) + (_64(stream) * _64(2) + _64(1)) * _GOLDEN
    a, b = _mix(first), _mix(first + _GOLDEN)
    state[0], state[1] = _32(a), _32(a >> _64(32))
    state[2], state[3] = _32(b), _32(b >> _64(32))


@njit(inline="always")
def shuffle(shoe: Bytes, size: int, end: int, state: NDArray[np.uint32]) -> None:
    """Put a uniformly drawn card into each of the first `end` places, two places to a word.

    The shoe stays a permutation, so that the next shuffle needs no refill. It has a byte to spare at its
    end for an odd last place.
    """
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    one, two, word = _64(1), _64(2), _64(32)
    place, left, stop = _64(0), _64(size), _64(end)
    while place < stop:
        both = left * (left - one)
        while True:
            x = _32(_rotate_left(_32(s0 + s3), 7) + s0)
            t = _32(s1 << _32(9))
            s2, s3 = _32(s2 ^ s0), _32(s3 ^ s1)
            s1, s0 = _32(s1 ^ s2), _32(s0 ^ s3)
            s2, s3 = _32(s2 ^ t), _rotate_left(s3, 11)
            product = _64(x) * left
            first = product >> word
            product = (product & _LOW) * (left - one)
            second = product >> word
            rest = product & _LOW
            if rest >= both or rest >= (_64(0x100000000) - both) % both:
                break
        card = shoe[place]
        shoe[place] = shoe[place + first]
        shoe[place + first] = card
        place += one
        card = shoe[place]
        shoe[place] = shoe[place + second]
        shoe[place + second] = card
        place += one
        left -= two
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@njit(inline="always")
def pair_code(p1: np.uint8, b1: np.uint8, p2: np.uint8, b2: np.uint8) -> np.uint64:
    """Which hands are paired; a card is its points in the high half of a byte, its rank in the low."""
    code = _64(p1 == p2) | (_64(b1 == b2) << _64(1))
    if code == _64(3):
        if p1 == b1:
            return _64(5)
        if (p1 ^ b1) < 16:
            return _64(4)
    return code


@njit(inline="always")
def _read_round(shoe: Bytes, place: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The six cards from a place on: five of them as digits, all six as a key, and which hands are paired."""
    one, ten, half = _64(1), _64(10), _64(4)
    p1, b1, p2, b2 = shoe[place], shoe[place + one], shoe[place + _64(2)], shoe[place + _64(3)]
    third, fourth = _64(shoe[place + half]) >> half, _64(shoe[place + _64(5)]) >> half
    player = (_64(p1) >> half) + (_64(p2) >> half)
    banker = (_64(b1) >> half) + (_64(b2) >> half)
    player = player - ten if player >= ten else player
    banker = banker - ten if banker >= ten else banker
    five = (player * ten + banker) * ten + third
    return five, five * ten + fourth, pair_code(p1, b1, p2, b2)


@njit(inline="always")
def _count_round(
    shoe: Bytes,
    place: np.uint64,
    uses: Bytes,
    key_counts: NDArray[np.uint32],
    pair_counts: NDArray[np.uint32],
) -> np.uint64:
    """Count the round at a place, and say where the next one begins."""
    five, key, code = _read_round(shoe, place)
    key_counts[key] += _32(1)
    pair_counts[code] += _32(1)
    return place + _64(uses[five])


@njit(nogil=True, cache=True)
def play_streams(
    seed: np.uint64,
    first: int,
    rounds: Counts,
    shoe_cards: Bytes,
    last: int,
    uses: Bytes,
    tally: Counts,
    pairs: Counts,
    key_wins: Counts,
    pair_wins: Counts,
    stretch: int,
    wins: NDArray[np.int64],
) -> None:
    """Deal `rounds[i]` rounds of stream `first + i` and count what happens.

    A round is begun while no more than `last` cards are out. `uses` says how many of the six cards a
    round takes. `tally` and `pairs` are added to. With a `stretch` above 0, `wins[i, n]` becomes what
    stretch n of the stream won, at `key_wins` and `pair_wins` a round, for as many streams as it has rows.
    """
    size = shoe_cards.size
    shoe = np.zeros(size + 8, np.uint8)
    key_counts, pair_counts = np.zeros(KEYS, np.uint32), np.zeros(PAIRS, np.uint32)
    state = np.zeros(4, np.uint32)
    end = min(size, last + 6)
    kept = min(rounds.size, wins.shape[0]) if stretch > 0 else 0
    for i in range(kept):
        shoe[:size] = shoe_cards
        key_counts[:] = 0
        pair_counts[:] = 0
        seed_state(seed, _64(first + i), state)
        left = rounds[i]
        until, won, chunk = stretch, 0, 0
        while left > 0:
            shuffle(shoe, size, end, state)
            place = _64(0)
            while place <= _64(last) and left > 0:
                five, key, code = _read_round(shoe, place)
                key_counts[key] += _32(1)
                pair_counts[code] += _32(1)
                place += _64(uses[five])
                left -= 1
                won += key_wins[key] + pair_wins[code]
                until -= 1
                if until == 0:
                    wins[i, chunk] = won
                    until, won, chunk = stretch, 0, chunk + 1
        tally += key_counts
        pairs += pair_counts
    other, pair_counts_there, state_there = shoe.copy(), pair_counts.copy(), state.copy()
    for i in range(kept, rounds.size, 2):
        shoe[:size] = shoe_cards
        other[:size] = shoe_cards
        key_counts[:] = 0
        pair_counts[:] = 0
        pair_counts_there[:] = 0
        seed_state(seed, _64(first + i), state)
        seed_state(seed, _64(first + i + 1), state_there)
        left_there = rounds[i + 1] if i + 1 < rounds.size else 0
        _play_two(
            size, last, uses, key_counts,
            shoe, rounds[i], state, pair_counts,
            other, left_there, state_there, pair_counts_there,
        )  # fmt: skip
        tally += key_counts
        pairs += pair_counts
        pairs += pair_counts_there


@njit(nogil=True, cache=True)
def _play_two(
    size: int,
    last: int,
    uses: Bytes,
    key_counts: NDArray[np.uint32],
    a: Bytes,
    left_a: int,
    state_a: NDArray[np.uint32],
    pair_counts_a: NDArray[np.uint32],
    b: Bytes,
    left_b: int,
    state_b: NDArray[np.uint32],
    pair_counts_b: NDArray[np.uint32],
) -> None:
    """Two streams side by side.

    Where a round ends is known only once its cards are looked at, so that one table alone keeps the
    processor waiting; a second one fills the time.
    """
    end, stop = min(size, last + 6), _64(last)
    at_a = at_b = stop + _64(1)
    while left_a > 0 and left_b > 0:
        if at_a > stop:
            shuffle(a, size, end, state_a)
            at_a = _64(0)
        if at_b > stop:
            shuffle(b, size, end, state_b)
            at_b = _64(0)
        both = min(left_a, left_b)
        more = both
        while more > 0 and at_a <= stop and at_b <= stop:
            at_a = _count_round(a, at_a, uses, key_counts, pair_counts_a)
            at_b = _count_round(b, at_b, uses, key_counts, pair_counts_b)
            more -= 1
        left_a -= both - more
        left_b -= both - more
    while left_a > 0:
        if at_a > stop:
            shuffle(a, size, end, state_a)
            at_a = _64(0)
        at_a = _count_round(a, at_a, uses, key_counts, pair_counts_a)
        left_a -= 1
    while left_b > 0:
        if at_b > stop:
            shuffle(b, size, end, state_b)
            at_b = _64(0)
        at_b = _count_round(b, at_b, uses, key_counts, pair_counts_b)
        left_b -= 1


TABLES = 66
"""Tables of the first four cards: with no further card gone, with one, with two."""


@njit(nogil=True, cache=True)
def joint(counts: Counts, starts: Counts, tables: Counts, places: Counts, out: Counts) -> None:
    """Ordered six-card draws from these point counts, added up into `out` by place.

    The two-card totals p and b have the entries `starts[10p + b]` to `starts[10p + b + 1]`: which of the
    66 tables of `exact.first_four` a way needs, and where it goes. All tables are worked out side by side,
    which is what the processor is quick at, but for totals that need only one, as naturals do. The sums
    stay below 2^63, and all else below 2^31, up to 20 decks.
    """
    left = np.zeros((10, TABLES), np.int32)
    factor = np.zeros(TABLES, np.int64)
    _further_cards(counts, left, factor)
    a = np.zeros((10, TABLES), np.int32)
    for p in range(10):
        for i in range(10):
            j = (10 + p - i) % 10
            less = np.int32(i == j)
            for t in range(TABLES):
                a[p, t] += left[i, t] * (left[j, t] - less)
    out[:] = 0
    u = np.zeros((10, TABLES), np.int32)
    ways = np.zeros(TABLES, np.int64)
    for p in range(10):
        for i in range(10):
            j = (10 + p - i) % 10
            less = np.int32(i == j)
            for t in range(TABLES):
                u[i, t] = left[i, t] * (left[j, t] - less)
        for b in range(10):
            begin, end = starts[10 * p + b], starts[10 * p + b + 1]
            if end - begin == 1:
                t = tables[begin]
                out[places[begin]] += factor[t] * _first_four(left, a, u, p, b, t)
                continue
            for t in range(TABLES):
                ways[t] = _first_four(left, a, u, p, b, t)
            for e in range(begin, end):
                out[places[e]] += factor[tables[e]] * ways[tables[e]]


@njit(inline="always")
def _further_cards(counts: Counts, left: NDArray[np.int32], factor: Counts) -> None:
    """For every table what is left without its further cards, and in how many ways those can come."""
    n = counts.sum()
    t = 0
    for x in range(-1, 10):
        for y in range(-1, 10):
            if (x < 0 <= y) or 0 <= y < x:
                continue
            for i in range(10):
                left[i, t] = counts[i] - (i == x) - (i == y)
            if x < 0:
                factor[t] = (n - 4) * (n - 5)
            elif y < 0:
                factor[t] = counts[x] * (n - 5)
            else:
                factor[t] = counts[x] * (counts[y] - (x == y))
            t += 1


@njit(inline="always")
def _first_four(
    left: NDArray[np.int32], a: NDArray[np.int32], u: NDArray[np.int32], p: int, b: int, t: int
) -> np.int64:
    """`exact.first_four` for Player p and Banker b, in one table."""
    met = u[0, t] * left[b, t] + u[1, t] * left[(b + 9) % 10, t] + u[2, t] * left[(b + 8) % 10, t]
    met += u[3, t] * left[(b + 7) % 10, t] + u[4, t] * left[(b + 6) % 10, t] + u[5, t] * left[(b + 5) % 10, t]
    met += u[6, t] * left[(b + 4) % 10, t] + u[7, t] * left[(b + 3) % 10, t] + u[8, t] * left[(b + 2) % 10, t]
    met += u[9, t] * left[(b + 1) % 10, t]
    met -= np.int32(b % 2 == 0) * (u[b // 2, t] + u[b // 2 + 5, t])
    return np.int64(a[p, t]) * (np.int64(a[b, t]) + np.int64(2 * (p == b))) - np.int64(4) * np.int64(met)
