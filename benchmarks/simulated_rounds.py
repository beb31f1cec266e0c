"""Rounds dealt a second with every bet tallied: on one core, on two, and beside what else there is.

    .venv/bin/python benchmarks/simulated_rounds.py

The same work is done by a C loop of our own, which must give the same counts, and rounds are dealt by two
public engines where they can be installed: `pybaccarat` from PyPI and `baccarat-engine` from npm, each fresh
from its package, into a temporary folder. All take turns within one run, so that a busy machine disturbs all
of them, and the best turn of each counts. The engines know one core only, so both ratios are shown. Bars: 40
million rounds a second a core, two cores near twice one, C at most 2.5 times as fast, pybaccarat at most a
150th, baccarat-engine at most a 60th.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

import lammer
from lammer.lab.exact.composition import Composition
from lammer.lab.simulation.simulate import BLOCK, simulate
from lammer.lab.simulation.streams import Tally, blocks, deal_of
from lammer.lab.simulation.work import Threads

BOOK = lammer.rulebook("tiger-buffalo-commission-insurance@3")
ROUNDS, SEED, CUT = 200_000_000, 12, 14
TURNS, SECONDS = 6, 1.5
HERE = Path(__file__).parent

# Its own classes as its own game plays them, without the printing; whether a hand is paired it does not say.
PYTHON_RIVAL = """
import json, sys, time
from pybaccarat.baccarat import Game, Hand
from pybaccarat.playingcards import Shoe
shoe, player, banker = Shoe(8), Hand(), Hand()
game, counts = Game(shoe, player, banker), {"P": 0, "B": 0, "T": 0}
def play(seconds):
    rounds, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        shoe.reset(); shoe.shuffle(); shoe.set_cut_card(-14)
        while not shoe.cut_card_seen():
            player.empty(); banker.empty()
            counts[game.play_hand()[0]] += 1
            rounds += 1
    return rounds / (time.perf_counter() - start)
play(0.3)
print(json.dumps({"rate": play(float(sys.argv[1])), "banker": counts["B"], "rounds": sum(counts.values())}))
"""

# A stand-in for the Windows keyboard it imports and never reads from here. `subprocess` goes first: it
# takes a machine with that module for Windows.
KEYBOARD = """
import subprocess, sys, types
sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.modules["msvcrt"].getch = lambda: b""
"""

# A new shoe as its README makes one: decks, shuffle, burn; then rounds and their results to the cut card.
NODE_RIVAL = """
const [folder, seconds] = process.argv.slice(2);
const Engine = require(folder + '/node_modules/baccarat-engine/src/gameEngine/baccaratGameEngine.js');
const engine = new Engine();
const counts = {};
function play(seconds) {
  let rounds = 0;
  const start = performance.now();
  while (performance.now() - start < 1000 * seconds) {
    engine.shoe.cards = [];
    engine.shoe.createDecks();
    engine.shoe.shuffle();
    engine.burnCards();
    while (!engine.isBurnNeeded) {
      const result = engine.resultsEngine.calculateGameResult(engine.dealGame());
      counts[result.outcome] = (counts[result.outcome] || 0) + 1;
      rounds += 1;
    }
  }
  return 1000 * rounds / (performance.now() - start);
}
play(0.5);
const rate = play(Number(seconds));
const rounds = counts.player + counts.banker + counts.tie;
console.log(JSON.stringify({rate, banker: counts.banker, rounds}));
"""


def lammer_on(threads: int) -> float:
    """Rounds a second, from the first card to the last fraction of every bet."""
    start = perf_counter()
    simulate(BOOK, ROUNDS, seed=SEED, cut=CUT, workers=Threads(threads))
    return ROUNDS / (perf_counter() - start)


def in_c(folder: Path) -> Callable[[], float] | None:
    """The same streams by the C loop; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("  There is no C compiler here, so the C loop is left out.")
        return None
    built = folder / "same_work.so"
    source = HERE / "same_work.c"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", source, "-o", built], check=True)
    play = ctypes.CDLL(str(built)).play
    deal = deal_of(BOOK, Composition.of_decks(8), CUT, SEED)

    def run() -> Tally:
        made = Tally.empty()
        for block in blocks(ROUNDS, BLOCK):
            rounds = np.array(block.rounds, np.int64)
            play(
                ctypes.c_uint64(deal.seed),
                ctypes.c_uint64(block.first),
                ctypes.c_int64(rounds.size),
                rounds.ctypes,
                deal.cards.ctypes,
                ctypes.c_int64(deal.cards.size),
                ctypes.c_int64(deal.last),
                deal.uses.ctypes,
                made.keys.ctypes,
                made.pairs.ctypes,
            )
        return made

    def timed() -> float:
        start = perf_counter()
        run()
        return ROUNDS / (perf_counter() - start)

    ours, theirs = simulate(BOOK, ROUNDS, seed=SEED, cut=CUT).tally, run()
    assert np.array_equal(ours.keys, theirs.keys), "the C loop deals other cards"
    assert np.array_equal(ours.pairs, theirs.pairs), "the C loop sees other pairs"
    print(f"  The C loop counts what Lammer counts, key by key, over {ROUNDS:,} rounds.")
    return timed


def pybaccarat(folder: Path) -> Callable[[], float] | None:
    """One core of pybaccarat 0.18, in a virtual environment of its own."""
    room = folder / "python"
    venv.create(room, with_pip=True)
    python = room / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    where = quietly(python, "-c", "import site; print(site.getsitepackages()[0])")
    (Path(where.stdout.strip()) / "sitecustomize.py").write_text(KEYBOARD, "utf-8")
    for words in (("setuptools", "wheel"), ("--no-build-isolation", "--no-deps", "pybaccarat==0.18")):
        if quietly(python, "-m", "pip", "install", *words).returncode:
            print("  pybaccarat 0.18 cannot be installed here, so it is left out.")
            return None
    return lambda: rival([python, "-c", PYTHON_RIVAL, str(SECONDS)])


def baccarat_engine(folder: Path) -> Callable[[], float] | None:
    """One core of baccarat-engine 1.1.5 under Node."""
    npm, node = shutil.which("npm"), shutil.which("node")
    room = folder / "node"
    if not npm or not node or quietly(npm, "install", "--prefix", room, "baccarat-engine@1.1.5").returncode:
        print("  baccarat-engine 1.1.5 cannot be installed here, so it is left out.")
        return None
    script = room / "rival.js"
    script.write_text(NODE_RIVAL, "utf-8")
    return lambda: rival([node, script, room, str(SECONDS)])


def quietly(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run something whose words only matter when it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rival(command: list[str | Path]) -> float:
    """One turn of another engine; it has to win the Banker's share of rounds, or it plays something else."""
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    share, error = 0.458597, (0.25 / told["rounds"]) ** 0.5
    assert abs(told["banker"] / told["rounds"] - share) < 6 * error, told
    return float(told["rate"])


def rows() -> list[tuple[str, str, str, str]]:
    """What was measured, the figure, the ratio, and the bar."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        made: dict[str, Callable[[], float] | None] = {
            "Lammer, one core": lambda: lammer_on(1),
            "Lammer, two cores": lambda: lammer_on(2),
            "the same work in C, one core": in_c(folder),
            "pybaccarat 0.18": pybaccarat(folder),
            "baccarat-engine 1.1.5": baccarat_engine(folder),
        }
        contenders = {contender: run for contender, run in made.items() if run is not None}
        lammer_on(1)
        best = dict.fromkeys(contenders, 0.0)
        for _ in range(TURNS):
            for contender, run in contenders.items():
                best[contender] = max(best[contender], run())
    one, two = best["Lammer, one core"], best["Lammer, two cores"]
    return [
        (f"simulation: {who}", f"{rate:,.0f} rounds/s", *_held(who, rate, one, two))
        for who, rate in best.items()
    ]


def _held(contender: str, rate: float, one: float, two: float) -> tuple[str, str]:
    """A contender's ratio and whether the bar is met."""
    on_two = False
    if contender == "Lammer, one core":
        ratio, met, bar = "", rate >= 40e6, "40 million a second"
    elif contender == "Lammer, two cores":
        ratio, met, bar = f"{rate / one:.2f} times one core", rate >= 1.8 * one, "near twice, 1.8"
    elif contender.startswith("the same work"):
        ratio, met, bar = f"{rate / one:.2f} times Lammer", rate <= 2.5 * one, "at most 2.5"
    else:
        least = 150 if contender.startswith("pybaccarat") else 60
        ratio = f"Lammer {one / rate:,.0f} times it on one core, {two / rate:,.0f} on two"
        met, on_two, bar = one >= least * rate, two >= least * rate, f"at least {least}"
    return ratio, f"{bar}: {'met' if met else 'met on two cores only' if on_two else 'MISSED'}"


if __name__ == "__main__":
    for row in rows():
        print("  " + " · ".join(part for part in row if part))
