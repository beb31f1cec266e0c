"""The shuffle: every number straight from the entropy, even to the last one, and bound before the first card.

Two things are proved by counting, not by sampling: that `below` favours no number, and that the exchange of
cards reaches every order in one way. The rest is statistics on shoes as the floor prepares them, five kinds
of test at 99 % confidence: once on fixed bytes, so that a change of the code is seen; once on the operating
system's own. A sound shuffle fails each such test once in a hundred runs, so there a test alarms only when
five fresh samples in a row fail it: with nine tests that happens to a sound shuffle once in a billion runs.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import permutations, product
from math import comb, erfc, exp, factorial, lgamma, log, log2, sqrt
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from lammer import Refused
from lammer.floor.record.exports import export
from lammer.floor.tables.shuffle import Draw, fresh_entropy, with_entropy
from lammer.game.cards import DECK
from lammer.game.shoe import shuffled
from lammer.table import commands as c, events as e
from lammer.table.journal import encode, entries
from lammer.table.play import decide, record
from lammer.table.script import START
from lammer.table.seating import EntropyReader, StretchedReader, entropy_for
from lammer.table.setup import SetUp
from lammer.table.state import Table
from support.at_table import BOOK, BOOKS
from support.awaited import GUARD
from support.houses import House, put

pytestmark = pytest.mark.slow

DECKS, CARDS, COPIES = 8, 416, 8
CONFIDENCE, TRIES = 0.99, 5
Shoes = npt.NDArray[np.int64]
"""One shoe a row, one card a column; a card is its place in a new deck, 0 to 51."""
NEW = np.tile(np.arange(52), DECKS)


def virtual(decks: int = DECKS) -> Table:
    table = Table(BOOKS)
    record(table, c.Call("pm", "pit_manager", START, c.SetTable(SetUp(BOOK, "A", decks=decks))))
    return table


def prepared(table: Table, entropy: str) -> e.ShoePrepared:
    (event,) = decide(table, c.Call("d", "dealer", START, c.PrepareShoe(entropy)))
    assert isinstance(event, e.ShoePrepared)
    return event


def shoes(count: int, draw: Draw) -> Shoes:
    """Shoes by the very path the floor takes, only the source of bytes being ours to choose."""
    table, number = virtual(), {card: place for place, card in enumerate(DECK)}
    found = np.empty((count, CARDS), dtype=np.int64)
    for row in range(count):
        order = prepared(table, with_entropy(table, c.PrepareShoe(), draw).entropy).order
        found[row] = [number[card] for card in order]  # type: ignore[index]
    return found


# --- what is proved by counting ---


@pytest.mark.parametrize("n", [2, 3, 51, 52, 207, 255, 256, 257, 415, 416, 519, 520])
def test_below_gives_each_number_from_as_many_pairs_of_bytes(n: int) -> None:
    kept: Counter[int] = Counter()
    for number in range(1 << 16):
        kept[EntropyReader(number.to_bytes(2, "big") + b"\0\0").below(n)] += 1
    rejected = (1 << 16) % n  # these took the next two bytes, which say 0
    assert kept[0] - rejected == kept[n - 1]
    assert {kept[value] for value in range(1, n)} == {(1 << 16) // n}


def test_the_exchange_of_cards_reaches_every_order_in_one_way() -> None:
    """Any five numbers for the last five exchanges: 120 ways, 120 orders of the five cards they concern."""
    found = set()
    for last in product(range(5), range(4), range(3), range(2)):
        given = iter(last)
        order = shuffled(BOOKS[BOOK], 4, lambda n, given=given: n - 1 if n > 5 else next(given)).cards  # type: ignore[misc]
        assert order[5:] == (DECK * 4)[5:]
        found.add(order[:5])
    assert found == set(permutations(DECK[:5]))


@pytest.mark.parametrize("decks", range(4, 11))
def test_the_entropy_is_enough_for_every_order_and_for_what_is_thrown_away(decks: int) -> None:
    cards = 52 * decks
    assert len(bytes.fromhex(fresh_entropy(decks))) == entropy_for(decks)
    assert 16 * (cards - 1) > log2(factorial(cards))
    spare = (entropy_for(decks) - 16) // 2 - (cards - 1)
    running_out = log2(comb(cards + spare, spare)) + spare * log2(cards / (1 << 16))
    assert running_out < -500, "a shoe for want of entropy refused once in 2^500"


def test_no_byte_is_used_twice() -> None:
    entropy = random.Random(1).randbytes(entropy_for(DECKS))
    numbers = EntropyReader(entropy)
    shuffled(BOOKS[BOOK], DECKS, numbers.below)
    assert 2 * (CARDS - 1) <= numbers.used <= len(entropy) - 16
    assert prepared(virtual(), entropy.hex()).salt == entropy[numbers.used : numbers.used + 16].hex()
    with pytest.raises(Refused, match="none is used twice"):
        prepared(virtual(), "ff" * entropy_for(DECKS))


def test_a_short_seed_is_for_scripts_and_still_gives_the_order_it_gave() -> None:
    shoe = prepared(virtual(), "c0ffee" * 8)
    assert shoe.commitment.startswith("817a9c60e9d6c659"), "as before there was any other way"
    assert list(shoe.order) == list(
        shuffled(BOOKS[BOOK], DECKS, StretchedReader(b"\xc0\xff\xee" * 8).below).cards
    )


def test_nobody_brings_his_own_entropy() -> None:
    table = virtual()
    with pytest.raises(Refused, match="house draws the entropy"):
        with_entropy(table, c.PrepareShoe("ab" * 2000))
    read = Table(BOOKS)
    record(read, c.Call("pm", "pit_manager", START, c.SetTable(SetUp(BOOK, "A", shoe="read"))))
    assert with_entropy(read, c.PrepareShoe()) == c.PrepareShoe()
    with pytest.raises(Refused, match="house draws the entropy"):
        with_entropy(read, c.PrepareShoe("ab" * 2000))
    assert with_entropy(table, c.PrepareShoe()) != with_entropy(table, c.PrepareShoe())


@pytest.mark.parametrize("broken", [bytes, lambda n: b"", lambda n: os.urandom(n - 12) + b"\x07" * 12])
def test_a_broken_source_shuffles_nothing(broken: Draw) -> None:
    with pytest.raises(Refused, match="random bytes cannot be used"):
        with_entropy(virtual(), c.PrepareShoe(), broken)


# --- statistics: each gives the chance that a sound shuffle looks as odd as this, in either direction ---


def by_chance(z: float) -> float:
    return erfc(abs(z) / sqrt(2))


def chi_square(x: float, freedom: int) -> float:
    """Both tails: what fits too well was not shuffled either."""
    a, x = freedom / 2, x / 2
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > total * 1e-15:
            step += 1
            term *= x / step
            total += term
        below = total * scale
        return 2 * min(below, 1 - below)
    b, d = x + 1 - a, 1 / (x + 1 - a)
    ratio, far = d, 1e300
    for i in range(1, 100_000):
        an = -i * (i - a)
        b += 2
        d, far = 1 / (an * d + b), b + an / far
        ratio *= d * far
        if abs(d * far - 1) < 1e-15:
            break
    above = scale * ratio
    return 2 * min(above, 1 - above)


def cards_by_place(sample: Shoes) -> float:
    """Chi-square of which card lies where. Rows and columns both add up, hence 51 x 415 and the factor."""
    cells = np.bincount((sample * CARDS + np.arange(CARDS)).ravel(), minlength=52 * CARDS)
    expected = len(sample) * COPIES / CARDS
    x = float(((cells - expected) ** 2).sum()) / expected
    return chi_square(x * (CARDS - 1) / CARDS, 51 * (CARDS - 1))


def place_of_a_card(sample: Shoes) -> float:
    """The card on top of a new deck may lie anywhere."""
    cells = (sample == 0).sum(axis=0)
    expected = len(sample) * COPIES / CARDS
    x = float(((cells - expected) ** 2).sum()) / expected
    return chi_square(x * (CARDS - 1) / CARDS / (1 - COPIES / CARDS), CARDS - 1)


def cards_where_they_were(sample: Shoes) -> float:
    """How many cards lie where the new decks had an equal one."""
    stayed = float((sample == NEW).sum())
    mean, variance = CARDS / 52, CARDS * CARDS * 51 / (52 * 52) / (CARDS - 1)
    return by_chance((stayed - len(sample) * mean) / sqrt(len(sample) * variance))


def runs_up_and_down(sample: Shoes) -> float:
    """Runs of rising and of falling cards; equal cards are told apart by a coin of our own."""
    coins = np.random.default_rng(7).random(sample.shape)
    rising = np.diff(sample + coins, axis=1) > 0
    runs = 1 + (rising[:, 1:] != rising[:, :-1]).sum(axis=1)
    mean, variance = (2 * CARDS - 1) / 3, (16 * CARDS - 29) / 90
    return by_chance(float(runs.sum() - len(sample) * mean) / sqrt(len(sample) * variance))


def runs_of_a_colour(sample: Shoes) -> float:
    """Runs of red and of black cards, as many of one as of the other."""
    red = np.array([card[1] in "HD" for card in DECK])[sample]
    runs = 1 + (red[:, 1:] != red[:, :-1]).sum(axis=1)
    both = CARDS * CARDS / 2
    mean, variance = 1 + both / CARDS, both * (both - CARDS) / (CARDS * CARDS * (CARDS - 1))
    return by_chance(float(runs.sum() - len(sample) * mean) / sqrt(len(sample) * variance))


def serial_correlation(sample: Shoes, lag: int = 1) -> float:
    """Of each card with the next, the last with the first; moments of a random order, exactly."""
    x = sample - 25.5
    products = float((x * np.roll(x, lag, axis=1)).sum())
    s2, s4 = float((x[0] ** 2).sum()), float((x[0] ** 4).sum())
    n = CARDS
    mean = -s2 / (n - 1)
    variance = (s2 * s2 - s4) / (n - 1) + (s2 * s2 - 2 * s4) / ((n - 1) * (n - 2)) - mean * mean
    return by_chance((products - len(sample) * mean) / sqrt(len(sample) * variance))


def one_shoe_and_the_next(sample: Shoes) -> float:
    """Of each place in a shoe with the same place in the shoe after it."""
    x = sample - 25.5
    products = float((x[1:] * x[:-1]).sum())
    s2 = float((x[0] ** 2).sum())
    return by_chance(products / (s2 * sqrt((len(sample) - 1) / (CARDS - 1))))


def gaps(sample: Shoes) -> float:
    """How many cards lie between one eight and the next: chi-square with the covariance worked out exactly.

    The 33 gaps of a shoe (before, between and behind 32 eights) are exchangeable and add up to the other
    cards, so they are not independent, and the textbook's formula would be wrong for them.
    """
    marked, longest = 32, 25
    eights = sample % 13 == [card[0] for card in DECK].index("8")
    assert (eights.sum(axis=1) == marked).all()
    places = np.nonzero(eights)[1].reshape(-1, marked)
    ends = np.full((len(sample), 1), -1)
    between = np.diff(np.concatenate([ends, places, ends + CARDS + 1], axis=1), axis=1) - 1
    counts = np.bincount(np.minimum(between, longest).ravel(), minlength=longest + 1)
    ways, most = comb(CARDS, marked), CARDS - marked
    one = np.array([comb(CARDS - 1 - g, marked - 1) / ways for g in range(most + 1)])
    two = np.array(
        [comb(CARDS - 2 - s, marked - 2) / ways if s <= most else 0.0 for s in range(2 * most + 1)]
    )
    pair = two[np.add.outer(np.arange(most + 1), np.arange(most + 1))]
    into = np.equal.outer(np.arange(longest + 1), np.minimum(np.arange(most + 1), longest)).astype(float)
    p, q = into @ one, into @ pair @ into.T
    of_them = marked + 1
    spread = of_them * (np.diag(p) - np.outer(p, p)) + of_them * (of_them - 1) * (q - np.outer(p, p))
    off = (counts - len(sample) * of_them * p)[:-1]
    x = float(off @ np.linalg.solve(len(sample) * spread[:-1, :-1], off))
    return chi_square(x, longest)


TESTS: dict[str, Callable[[Shoes], float]] = {
    test.__name__: test
    for test in (
        cards_by_place,
        place_of_a_card,
        cards_where_they_were,
        runs_up_and_down,
        runs_of_a_colour,
        serial_correlation,
        one_shoe_and_the_next,
        gaps,
    )
} | {"serial_correlation_of_every_other": lambda sample: serial_correlation(sample, lag=2)}


def failing(sample: Shoes) -> dict[str, float]:
    """The tests this sample fails at 99 %."""
    return {name: p for name, test in TESTS.items() if (p := test(sample)) < 1 - CONFIDENCE}


def test_the_shuffle_passes_at_99_percent_on_fixed_bytes() -> None:
    assert failing(shoes(4000, random.Random(2026).randbytes)) == {}


def test_the_shuffle_passes_at_99_percent_on_the_entropy_of_the_operating_system() -> None:
    suspects = set(TESTS)
    for _ in range(TRIES):
        suspects &= failing(shoes(2000, os.urandom)).keys()
        if not suspects:
            return
    pytest.fail(f"{TRIES} fresh samples in a row fail {sorted(suspects)}")


def test_a_sound_shuffle_fails_each_test_about_once_in_a_hundred() -> None:
    """Else 99 % would not be what the tests measure at. numpy's shuffle stands for a sound one."""
    chance = np.random.default_rng(2026)
    alarms: Counter[str] = Counter(dict.fromkeys(TESTS, 0))
    for _ in range(200):
        alarms.update(failing(chance.permuted(np.tile(NEW, (150, 1)), axis=1)).keys())
    assert all(alarms[name] <= 9 for name in TESTS), alarms
    assert 4 <= alarms.total() <= 36, alarms


# --- the tests can fail ---


def exchanged(count: int, chosen: Callable[[int], npt.NDArray[np.int64]]) -> Shoes:
    """Many shoes at once, from the last place to the second, each card exchanged with a chosen one."""
    found = np.tile(NEW, (count, 1))
    rows = np.arange(count)
    for last in range(CARDS - 1, 0, -1):
        other = chosen(last)
        found[rows, last], found[rows, other] = found[rows, other], found[rows, last].copy()
    return found


def riffled(count: int, times: int) -> Shoes:
    chance, found = np.random.default_rng(5), np.tile(NEW, (count, 1))
    for _ in range(times):
        left = chance.random(found.shape) < 0.5
        order = np.argsort(~left, axis=1, kind="stable")  # where each card of the pile goes
        found = np.take_along_axis(found, np.argsort(order, axis=1, kind="stable"), axis=1)
    return found


def fault(name: str, count: int) -> Shoes:
    chance = np.random.default_rng(4)
    match name:
        case "remainder of one byte":
            return exchanged(count, lambda last: chance.integers(0, 256, count) % (last + 1))
        case "remainder of ten bits":
            return exchanged(count, lambda last: chance.integers(0, 1024, count) % (last + 1))
        case "exchanged with any place":
            return exchanged(count, lambda last: chance.integers(0, CARDS, count))
        case "off by one":
            return exchanged(count, lambda last: chance.integers(0, last, count))
        case "riffled five times":
            return riffled(count, 5)
        case "deck by deck":
            decks = np.tile(np.arange(52), (count * DECKS, 1))
            return chance.permuted(decks, axis=1).reshape(count, CARDS)
        case "only cut":
            return np.array([np.roll(NEW, cut) for cut in chance.integers(0, CARDS, count)])
        case _:
            found = exchanged(count, lambda last: chance.integers(0, last + 1, count))
            found[1::2] = found[::2][: len(found[1::2])]
            return found


CAUGHT = {
    "remainder of one byte": {"cards_by_place"},
    "exchanged with any place": {"cards_by_place", "place_of_a_card"},
    "off by one": {"cards_where_they_were"},
    "riffled five times": {"serial_correlation", "cards_by_place", "gaps"},
    "deck by deck": {"gaps"},
    "only cut": {"runs_of_a_colour", "runs_up_and_down", "serial_correlation_of_every_other", "gaps"},
    "the same shoe twice": {"one_shoe_and_the_next"},
}


@pytest.mark.parametrize("name", CAUGHT)
def test_a_faulty_shuffle_is_caught(name: str) -> None:
    sample = fault(name, 6000)
    assert (np.sort(sample, axis=1) == np.sort(NEW)).all(), "a shuffle, if a bad one"
    assert {name for name, test in TESTS.items() if test(sample) < 1e-9} >= CAUGHT[name]


def test_statistics_alone_would_not_do() -> None:
    """Eight equal decks in a row hide a remainder of ten bits from all of them; counting does not."""
    assert failing(fault("remainder of ten bits", 6000)) == {}
    kept = Counter(number % CARDS for number in range(1 << 10))
    assert {kept[0], kept[CARDS - 1]} == {2, 3}


def test_every_test_catches_some_fault() -> None:
    assert set().union(*CAUGHT.values()) == TESTS.keys()


# --- bound before, revealed after, checked by anyone ---


def journal(decks: int = DECKS) -> list[bytes]:
    """A shoe of real entropy: two rounds and its end."""
    table = virtual(decks)
    lines: list[bytes] = []

    def ask(command: c.Command) -> None:
        lines.extend(map(encode, entries(table, c.Call("d", "dealer", START, command), len(lines) + 1)))

    ask(with_entropy(table, c.PrepareShoe()))
    for _ in range(2):
        ask(c.OpenBets())
        ask(c.CloseBets())
        while table.next_hand() is not None:
            ask(c.DealCard())
        ask(c.Settle())
    ask(c.EndShoe())
    return lines


def checked(folder: Path, lines: list[bytes], *seen: str) -> tuple[int, str]:
    """What the script in the docs says, run as a stranger runs it."""
    file = folder / "journal.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    script = Path(__file__).parents[3] / "docs/guides/verify_shuffle.py"
    command = [sys.executable, "-I", "-S", str(script), str(file), *seen]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not ran.stderr
    return ran.returncode, ran.stdout


def test_anyone_can_check_the_commitment(tmp_path: Path) -> None:
    lines = journal()
    bound = next(line for line in lines if b'"ShoePrepared"' in line)
    commitment = bound.split(b'"commitment":"')[1][:64].decode()
    assert lines.index(bound) < min(n for n, line in enumerate(lines) if b'"CardDealt"' in line)
    code, told = checked(tmp_path, lines, commitment)
    assert (code, told[:4]) == (0, "ok  ")
    assert commitment in told
    code, told = checked(tmp_path, lines, "00" * 32)
    assert code == 1
    assert "not in the file" in told
    code, told = checked(tmp_path, lines[:-1], commitment)
    assert code == 1
    assert "not revealed" in told


def test_an_export_is_checked_like_a_journal(tmp_path: Path, sqlite: House) -> None:
    store = sqlite.open()
    for table in ("t1", "t2"):
        store.append(put(store, table, *journal(4))).result(GUARD)
    out = io.StringIO()
    export(store, out, "jsonl")
    code, told = checked(tmp_path, [line.encode() for line in out.getvalue().splitlines()])
    assert (code, told.count("ok  ")) == (0, 2)


def test_what_was_changed_is_found(tmp_path: Path) -> None:
    lines = journal()
    last = msgspec.json.decode(lines[-1])
    order = last["order"]
    dealt = next(n for n, line in enumerate(lines) if b'"CardDealt"' in line)
    other = msgspec.json.decode(lines[dealt]) | {"card": "AS" if order[0] != "AS" else "KD"}
    swapped = [*order[:-2], order[-1], order[-2]] if order[-1] != order[-2] else [*order[1:], order[0]]
    for changed, complaint in (
        ([*lines[:-1], msgspec.json.encode(last | {"order": swapped})], "DOES NOT MATCH"),
        ([*lines[:-1], msgspec.json.encode(last | {"salt": "00" * 16})], "DOES NOT MATCH"),
        ([*lines[:-1], msgspec.json.encode(last | {"order": order[:-1]})], "DECKS NOT WHOLE"),
        ([*lines[:dealt], msgspec.json.encode(other), *lines[dealt + 1 :]], "ARE NOT ITS FIRST"),
    ):
        code, told = checked(tmp_path, changed)
        assert (code, told[:4]) == (1, "BAD ")
        assert complaint in told
