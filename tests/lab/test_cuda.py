"""The GPU deals the processor's cards: counts identical to the last digit, or a sentence where there is none.

Only what needs a GPU is skipped without one.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lammer
from lammer import Refused
from lammer.lab.exact.composition import Composition
from lammer.lab.simulation import cuda
from lammer.lab.simulation.detailed import CODES
from lammer.lab.simulation.kernels import KEYS
from lammer.lab.simulation.simulate import Simulation, simulate
from lammer.lab.simulation.streams import Block, deal_block, deal_of
from support.bet_words import SUITS, TOTALS, book_of
from support.terminal import Terminal

BOOK = lammer.rulebook("tiger-buffalo-commission-insurance@3")


def gpu() -> bool:
    try:
        return bool(cuda.must_have_gpu())
    except Refused:
        return False


with_gpu = pytest.mark.skipif(not gpu(), reason="this machine has no NVIDIA GPU")


@pytest.fixture
def _asked_anew() -> Iterator[None]:
    """Whether there is a GPU is asked once a process; these tests want it asked again."""
    cuda.must_have_gpu.cache_clear()
    yield
    cuda.must_have_gpu.cache_clear()


@pytest.mark.usefixtures("_asked_anew")
def test_without_cupy_it_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch, lammer: Terminal) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(Refused) as refused:
        simulate(BOOK, 1_000, device="cuda")
    assert refused.value.code == "no_gpu"
    assert refused.value.sentence == "The GPU needs CuPy, which is not installed."
    ran = lammer("simulate", BOOK.id, "--rounds", "1e3", "--device", "cuda")
    assert ran.code == 1
    assert ran.err == f"{refused.value}\n"


@pytest.mark.usefixtures("_asked_anew")
def test_without_a_device_it_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class CUDARuntimeError(RuntimeError):
        pass

    def absent() -> None:
        raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")

    bare: Any = ModuleType("cupy")
    bare.cuda = SimpleNamespace(Device=absent, runtime=SimpleNamespace(CUDARuntimeError=CUDARuntimeError))
    monkeypatch.setitem(sys.modules, "cupy", bare)
    with pytest.raises(Refused, match=r"no_gpu: This machine has no NVIDIA GPU .*no CUDA-capable device"):
        simulate(BOOK, 1_000, device="cuda")


def same(one: Simulation, other: Simulation) -> bool:
    wins = all(np.array_equal(row, other.tally.wins[number]) for number, row in one.tally.wins.items())
    return (
        np.array_equal(one.tally.keys, other.tally.keys)
        and np.array_equal(one.tally.pairs, other.tally.pairs)
        and one.tally.wins.keys() == other.tally.wins.keys()
        and wins
        and one.sheets() == other.sheets()
    )


@with_gpu
@pytest.mark.parametrize("mix", ["", "banker=100,tiger_pair=5,tie=2.50"])
@pytest.mark.parametrize("rounds", [1, 999, 100_000, 1_234_567, 20_050_001])
def test_counts_are_the_processors(rounds: int, mix: str) -> None:
    """With and without a mix; whole streams, a last one that is short, a single round."""
    here = simulate(BOOK, rounds, seed=11, mix=mix)
    assert same(here, simulate(BOOK, rounds, seed=11, mix=mix, device="cuda"))


@with_gpu
@pytest.mark.parametrize("name", [book.id for book in lammer.shelf()])
def test_counts_are_the_processors_under_every_rulebook(name: str) -> None:
    book, mix = lammer.rulebook(name), "player=10,tie=1"
    insure: Any = "never" if book.insurance is None else "always"
    here = simulate(book, 3_210_000, seed=2**64 - 1, mix=mix, insure=insure)
    assert same(here, simulate(book, 3_210_000, seed=2**64 - 1, mix=mix, insure=insure, device="cuda"))


@with_gpu
@pytest.mark.parametrize(
    ("shoe", "cut"),
    [
        (Composition.of_decks(8).without("9H"), 14),
        (Composition.of_decks(8).without("9H 8H"), 15),
        (Composition.of_decks(8).without("9H 8H KD"), 6),
        (Composition.of_decks(10), 520),
        (Composition.of_decks(10), 7),
        (Composition.of_decks(1), 26),
        (Composition.of({"A": 3, "9": 4, "K": 2}), 6),
        (Composition.of({"5": 6}), 6),
        (Composition.of({"5": 7}), 6),
        (Composition.of_decks(20), 100),
    ],
)
def test_counts_are_the_processors_from_any_shoe(shoe: Composition, cut: int) -> None:
    """Odd sizes, odd cuts, one round a shoe, shoes that fill the shared memory otherwise."""
    rounds = 1_350_001
    here = simulate(BOOK, rounds, shoe=shoe, cut=cut, seed=3, mix="banker=100")
    assert same(here, simulate(BOOK, rounds, shoe=shoe, cut=cut, seed=3, mix="banker=100", device="cuda"))


@with_gpu
@pytest.mark.parametrize("streams", [1, 31, 32, 33, 385, 1_000])
def test_any_number_of_streams_fits_a_launch(streams: int) -> None:
    deal = deal_of(BOOK, Composition.of_decks(8), 14, 5)
    block = Block(12_345, (1_000,) * (streams - 1) + (77,))
    here, there = deal_block(deal, block), cuda.deal_block(deal, block)
    assert here.rounds == there.rounds == there.keys.sum()
    assert np.array_equal(here.keys, there.keys)
    assert np.array_equal(here.pairs, there.pairs)


@with_gpu
def test_more_than_one_launch() -> None:
    """Streams of several launches are numbered on, and the wins of the first 20,000 streams are kept."""
    rounds = int(cuda.must_have_gpu() * 100_000 * 1.5)
    made = simulate(BOOK, rounds, mix="banker=100", seed=4, device="cuda")
    assert made.rounds == rounds == made.tally.keys.sum()
    assert sorted(made.tally.wins) == list(range(20_000))
    few = simulate(BOOK, 30 * 100_000, mix="banker=100", seed=4)
    assert all(np.array_equal(row, made.tally.wins[number]) for number, row in few.tally.wins.items())


@with_gpu
def test_what_the_gpu_does_not_do_is_refused() -> None:
    with pytest.raises(Refused, match="looks into the shoe"):
        simulate(BOOK, 1_000, insure="when-positive", device="cuda")
    with pytest.raises(Refused, match="shared memory"):
        simulate(BOOK, 1_000, shoe=Composition.of_decks(300), device="cuda")


SUITED = book_of(TOTALS, SUITS)


@with_gpu
@pytest.mark.parametrize("mix", ["", "perfect_pair=5,pair_and_win=1,banker=100"])
def test_bets_on_suits_are_counted_as_on_the_processor(mix: str) -> None:
    """Keys and codes together, and the house's wins; a shoe of its own codes, with rank and suit in each."""
    one, other = (simulate(SUITED, 450_000, mix=mix, seed=6, device=device) for device in ("cpu", "cuda"))
    assert np.array_equal(one.tally.both, other.tally.both)
    assert np.array_equal(one.tally.keys, other.tally.keys)
    assert np.array_equal(one.tally.pairs, other.tally.pairs)
    assert all(np.array_equal(row, other.tally.wins[number]) for number, row in one.tally.wins.items())


def test_the_source_compiles_for_both_kinds_of_count(tmp_path: Path) -> None:
    """Where the compiler is there, though no GPU is: both kernels are whole."""
    compiler = which("nvcc")
    if compiler is None:
        pytest.skip("this machine has no nvcc")
    source = tmp_path / "play.cu"
    source.write_text(cuda.SOURCE)
    for options in ([f"-DKEYS={KEYS}"], [f"-DKEYS={KEYS}", f"-DCODES={CODES}"]):
        command = [compiler, *options, "-ptx", "-o", str(tmp_path / "play.ptx"), str(source)]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
