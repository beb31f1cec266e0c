"""The house in the simulator: some walks always, an hour of them in `make soak`, and faults it must find.

`LAMMER_SIMULATOR_MINUTES` says how long to go on with further seeds. A walk that fails is told with its
seed and the few troubles it needs; the same seed gives the same walk, to the byte.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import delete

from lammer.floor.record.contract import Appended, Key
from lammer.floor.record.forgetting import Forgetting
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.record.schema import replies
from lammer.floor.record.store.group import Row
from lammer.floor.tables import live_table as live_table_module
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.views.durable_view import DurableView
from lammer.rulebook.refusal import Refused
from lammer.table import dealing
from lammer.table.state import Table
from support.own_thread import in_own_thread
from support.simulated_world import SimBackend, Trouble, WalkBroken, World, shrunk

SECONDS: Final = 20.0
"""Virtual seconds of one walk."""
SEEDS: Final = 5
MOST_SEEDS: Final = 20
"""Seeds after which a fault counts as not found."""
MINUTES: Final = float(os.environ.get("LAMMER_SIMULATOR_MINUTES", "0"))
SIZE: Final = {"processes": 3, "tables": 3, "players": 60}


@contextmanager
def folder() -> Iterator[Path]:
    """Where nothing is ever synced: the disk is simulated."""
    here = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=here) as made:
        yield Path(made) / "record.sqlite"


def walk(seed: int, without: frozenset[int] = frozenset(), seconds: float = SECONDS) -> World:
    """One walk; raises `WalkBroken` where something does not hold.

    It has a thread of its own: a browser may hold this thread's event loop.
    """
    return in_own_thread(lambda: _walked(seed, without, seconds))


def _walked(seed: int, without: frozenset[int], seconds: float) -> World:
    with folder() as path:
        world = World(path, Trouble(seed, without), **SIZE)
        try:
            return world.run(seconds)
        except WalkBroken as broken:
            broken.add_note(f"seed {seed}, trouble {world.trouble.happened}")
            broken.world = world  # type: ignore[attr-defined]
            raise


def told_short(seed: int, broken: WalkBroken, seconds: float = SECONDS) -> str:
    """The walk again with as little trouble as it needs."""
    happened = [number for number, _ in broken.world.trouble.happened]  # type: ignore[attr-defined]

    def still(without: frozenset[int]) -> World | None:
        try:
            return walk(seed, without, seconds)
        except WalkBroken:
            return None

    without = shrunk(still, happened)
    needed = [each for each in broken.world.trouble.happened if each[0] not in without]  # type: ignore[attr-defined]
    return f"seed {seed}: {broken}; with {needed} alone"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_walk_of_the_house_holds(seed: int) -> None:
    try:
        world = walk(seed)
    except WalkBroken as broken:
        pytest.fail(told_short(seed, broken))
    assert sum(world.staked.values()) >= 5, "hardly anybody played"
    assert sum(world.moved.values()) >= 5, "hardly any chips were moved"
    assert world.trouble.happened, "nothing went wrong"
    assert world.guessed, "nobody asked for a card that lies face down"


@pytest.mark.exhaustive
def test_the_same_seed_is_the_same_walk_to_the_byte() -> None:
    one, two = walk(3, seconds=15.0), walk(3, seconds=15.0)
    assert one.trace.digest() == two.trace.digest()
    assert one.trouble.happened == two.trouble.happened
    assert [meant.reply for meant in one.meant.values()] == [meant.reply for meant in two.meant.values()]
    assert walk(4, seconds=15.0).trace.digest() != one.trace.digest()


DIGEST: Final = """
from simulator.test_simulator import walk
print(walk(11).trace.hexdigest())
"""


@pytest.mark.exhaustive
def test_another_process_walks_the_same_to_the_byte() -> None:
    """Nothing may hang on where things lie in memory or on the order of a set."""
    digests = set()
    for hash_seed in ("1", "2"):
        path = os.pathsep.join((str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")))
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
        ended = subprocess.run(
            [sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(ended.stdout)
    assert len(digests) == 1


@pytest.mark.skipif(not MINUTES, reason="make soak has an hour of it")
@pytest.mark.timeout(0)
def test_an_hour_of_the_house() -> None:
    until, seed, steps = time.monotonic() + 60 * MINUTES, 1_000, 0
    happened: Counter[str] = Counter()
    while time.monotonic() < until:
        try:
            world = walk(seed)
        except WalkBroken as broken:
            pytest.fail(told_short(seed, broken))
        steps += world.steps + sum(world.numbers.values())
        happened.update(what for _, what in world.trouble.happened)
        seed += 1
    print(f"{seed - 1_000} seeds, {steps:,} steps and events, {happened.total():,} faults: {dict(happened)}")


Fault = Callable[[pytest.MonkeyPatch], None]


def looks_at_memory(patch: pytest.MonkeyPatch) -> None:
    """Findings 1 and 2: readers are shown the table that decides."""

    def shown(view: DurableView, appended: Appended, events: Sequence[RevealedEvent]) -> None:
        view.number, view.at = appended.last, events[-1].entry.at

    patch.setattr(live_table_module, "copy_of", lambda view: view.table)
    patch.setattr(live_table_module, "show_written", shown)


def names_carried_cards(patch: pytest.MonkeyPatch) -> None:
    """Finding 4: at a face-down table, too, a card carried over is compared with the one that is named."""
    next_card = dealing.next_card

    def compared(table: Table, given: str) -> tuple[str, bool]:
        if not table.carried:
            return next_card(table, given)
        if given and given != table.carried[0]:
            raise Refused("impossible_card", f"The card carried over comes first, and it is not {given}.")
        return table.carried[0], True

    patch.setattr(dealing, "next_card", compared)


def forgets_answers(patch: pytest.MonkeyPatch) -> None:
    """A bet sent again counts again: its answer was not kept."""
    append = LiveTable._append

    def without_key(
        live_table: LiveTable,
        made: tuple[RevealedEvent, ...],
        key: Key | None,
        reply: bytes,
        beside: Any = None,
    ) -> Any:
        return append(live_table, made, None, reply, beside)

    patch.setattr(LiveTable, "_append", without_key)


def answers_too_early(patch: pytest.MonkeyPatch) -> None:
    """A bet is acknowledged when it is decided, and not when it is on disk."""
    append = LiveTable._append

    def at_once(
        live_table: LiveTable,
        made: tuple[RevealedEvent, ...],
        key: Key | None,
        reply: bytes,
        beside: Any = None,
    ) -> Any:
        answer = append(live_table, made, key, reply, beside)
        if not isinstance(answer, asyncio.Task):
            answer.set_result(reply)
        return answer

    patch.setattr(LiveTable, "_append", at_once)


def writes_without_a_turn(patch: pytest.MonkeyPatch) -> None:
    """A holder that was paused writes on although another holds the table: two decide."""
    append = LiveTable._append

    def unfenced(
        live_table: LiveTable,
        made: tuple[RevealedEvent, ...],
        key: Key | None,
        reply: bytes,
        beside: Any = None,
    ) -> Any:
        live_table.number = live_table.store.head(live_table.id).number
        live_table.epoch = None
        return append(live_table, made, key, reply, beside)

    patch.setattr(LiveTable, "_append", unfenced)


def takes_any_round(patch: pytest.MonkeyPatch) -> None:
    """A bet sent in one round is placed in the next, which a paused holder opened meanwhile."""
    patch.setattr(Table, "must_mean_this_round", lambda table, number: None)


def forgets_by_the_clock(patch: pytest.MonkeyPatch) -> None:
    """Finding 5: answers are forgotten when the clock on the wall says that a week has passed."""

    def forget(forgetting: Forgetting) -> int:
        store: Any = forgetting.store
        week_ago = int((store.process.world.now() - timedelta(days=7)).timestamp() * 1e6)
        old = delete(replies).where(replies.c.written_at < week_ago)
        count: int = store.write(lambda connection: connection.execute(old).rowcount).result()
        return count

    patch.setattr(Forgetting, "forget", forget)


def moves_chips_on_their_own(patch: pytest.MonkeyPatch) -> None:
    """A purse is changed, and then the table, each in a transaction of its own."""

    together = SimBackend.file

    def apart(backend: SimBackend, rows: Sequence[Row], beside: Any = None) -> None:
        if beside is not None:
            backend.work(beside)
        together(backend, rows)

    patch.setattr(SimBackend, "file", apart)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("fault", "first"),
    [
        (moves_chips_on_their_own, 2),
        (looks_at_memory, 0),
        (names_carried_cards, 0),
        (forgets_answers, 0),
        (answers_too_early, 0),
        (writes_without_a_turn, 0),
        (takes_any_round, 5),
        (forgets_by_the_clock, 3),
    ],
)
def test_a_fault_put_back_is_found(fault: Fault, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk that found it before comes first, then all of them."""
    fault(monkeypatch)
    for seed in (first, *range(MOST_SEEDS)):
        try:
            walk(seed)
        except WalkBroken:
            return
    pytest.fail("it was not found")
