"""Simulation on a real cluster of two worker processes: the same counts, whatever becomes of the workers."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lammer
from lammer import Refused
from lammer.lab.exact.composition import Composition
from lammer.lab.simulation import cluster as room
from lammer.lab.simulation.cluster import Cluster
from lammer.lab.simulation.mix import Insure, parse_mix, play_mix
from lammer.lab.simulation.simulate import Simulation, simulate
from lammer.lab.simulation.streams import Tally, blocks, deal_block, deal_of
from lammer.lab.simulation.work import Threads
from support.awaited import GUARD

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

BOOK = lammer.rulebook("tiger-buffalo-commission-insurance@3")
MIX = "banker=100,tiger_pair=5"
LONG = 150_000_000
PATIENT = partial(Cluster, answer=GUARD)
"""A cluster that may take its time to answer: on a busy machine it does."""


@contextmanager
def two_workers(*, allowed_failures: int = 3) -> Iterator[Any]:
    """A cluster of two workers, each a process of its own; a worker that dies is replaced after a while."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": allowed_failures}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            host="127.0.0.1",
            silence_logs="CRITICAL",
        ) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def two() -> Iterator[Any]:
    with two_workers() as made:
        yield made


@pytest.fixture(scope="module")
def alone() -> Simulation:
    """What one process deals of a long run."""
    return simulate(BOOK, LONG, seed=5)


def same(one: Simulation, other: Simulation) -> bool:
    return (
        np.array_equal(one.tally.keys, other.tally.keys)
        and np.array_equal(one.tally.pairs, other.tally.pairs)
        and one.sheets() == other.sheets()
    )


@pytest.mark.parametrize("insure", ["never", "when-positive"])
def test_a_cluster_gives_the_counts_of_one_process(two: Any, insure: Insure) -> None:
    run = partial(simulate, BOOK, 7_654_321, mix=MIX, insure=insure, seed=17)
    told: list[int] = []
    there = run(workers=PATIENT(two.scheduler_address), watch=told.append)
    assert there.rounds == told[-1] == 7_654_321
    assert len(told) == 5
    assert same(there, run(workers=Threads(1)))
    assert same(there, run(workers=Threads(2)))


def test_so_does_a_pool_of_processes(two: Any) -> None:
    shoe, rounds = Composition.of_decks(8), 5_050_000
    deal, _ = play_mix(BOOK, deal_of(BOOK, shoe, 14, 17), parse_mix(BOOK, MIX), "never")
    tally = Tally.empty()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for made in pool.map(partial(deal_block, deal), blocks(rounds, 7)):
            tally = tally.plus(made)
    there = simulate(BOOK, rounds, mix=MIX, seed=17, workers=PATIENT(two.scheduler_address)).tally
    assert np.array_equal(tally.keys, there.keys)
    assert np.array_equal(tally.pairs, there.pairs)
    assert tally.wins.keys() == there.wins.keys()
    assert all(np.array_equal(row, there.wins[number]) for number, row in tally.wins.items())


def test_any_work_can_be_shared(two: Any) -> None:
    shared = PATIENT(two.scheduler_address).share(abs, iter(range(-20, 0)))
    assert sorted(shared) == [(n, -n) for n in range(-20, 0)]
    assert list(PATIENT(two.scheduler_address).share(abs, iter(()))) == []


@pytest.mark.parametrize("allowed_failures", [0, 3])
def test_a_lost_worker_costs_its_block_and_not_the_run(alone: Simulation, allowed_failures: int) -> None:
    """At 0 dask gives the block up and we deal it again; at 3 dask itself sends it elsewhere."""
    with two_workers(allowed_failures=allowed_failures) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        told: list[int] = []

        def watch(rounds: int) -> None:
            told.append(rounds)
            if len(told) == 6:
                os.kill(victim, signal.SIGKILL)

        there = simulate(BOOK, LONG, seed=5, workers=PATIENT(cluster.scheduler_address), watch=watch)
    assert told[5] < LONG / 10
    assert (there.rounds, there.stopped) == (LONG, "")
    assert same(there, alone)


def test_a_block_that_killed_its_worker_is_dealt_again(tmp_path: Path) -> None:
    mark = tmp_path / "died"

    def fatal_once(block: int) -> int:
        if block == 3 and not mark.exists():
            mark.touch()
            os._exit(1)
        return block * block

    with two_workers(allowed_failures=0) as cluster:
        done = sorted(PATIENT(cluster.scheduler_address).share(fatal_once, iter(range(8))))
    assert mark.exists()
    assert done == [(n, n * n) for n in range(8)]


def test_a_block_that_kills_every_worker_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "TRIES", 1)
    with (
        two_workers(allowed_failures=0) as cluster,
        pytest.raises(Refused, match="one and the same block") as refused,
    ):
        list(PATIENT(cluster.scheduler_address).share(os._exit, iter([1])))
    assert refused.value.code == "cluster_silent"


def stopped_early(end: Callable[[Any], object], patience: float, answer: float = GUARD) -> Simulation:
    """A run whose cluster is ended, somehow, after a few blocks; from then on it has so long to answer."""
    with two_workers() as cluster:
        told: list[int] = []
        ending = threading.Thread(target=end, args=(cluster,), daemon=True)

        def watch(rounds: int) -> None:
            told.append(rounds)
            if len(told) == 3:
                workers.answer = answer
                ending.start()

        workers = PATIENT(cluster.scheduler_address, patience=patience)
        there = simulate(BOOK, 10**10, seed=5, workers=workers, watch=watch)
        ending.join()
    assert there.rounds == told[-1] == there.tally.keys.sum() < there.asked
    return there


def test_a_scheduler_that_goes_away_leaves_what_was_dealt() -> None:
    there = stopped_early(lambda cluster: cluster.close(), patience=60, answer=1)
    assert "no longer answers" in there.stopped
    assert there.stopped in there.description


def test_workers_gone_for_good_leave_what_was_dealt() -> None:
    there = stopped_early(lambda cluster: cluster.scale(0), patience=1)
    assert "has no workers" in there.stopped


def test_interrupted_it_lets_go_of_the_cluster(two: Any) -> None:
    def watch(_rounds: int) -> None:
        raise KeyboardInterrupt

    there = simulate(BOOK, 10**10, workers=PATIENT(two.scheduler_address), watch=watch)
    assert there.stopped == "interrupted"
    assert sorted(PATIENT(two.scheduler_address).share(abs, iter([-1]))) == [(-1, 1)]


@pytest.mark.timeout(GUARD)
def test_nobody_at_the_address(capfd: pytest.CaptureFixture[str]) -> None:
    """It is refused when the time to answer is over; dask itself would go on for an hour."""
    with socket.socket() as taken, dask.config.set({"distributed.comm.timeouts.connect": "1h"}):
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(Refused) as refused:
            simulate(BOOK, 1_000, workers=Cluster(f"tcp://127.0.0.1:{port}", answer=1))
        assert refused.value.code == "cluster_silent"
        assert "does not answer" in refused.value.sentence
        taken.listen()
        with pytest.raises(Refused, match="cluster_silent"):
            simulate(BOOK, 1_000, workers=Cluster(f"tcp://127.0.0.1:{port}", answer=1))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("address", ["nonsense", "carrier-pigeon://loft:1", "tcp://127.0.0.1", "tcp://:x"])
def test_no_address_at_all(address: str) -> None:
    with pytest.raises(Refused, match="cluster_silent"):
        simulate(BOOK, 1_000, workers=Cluster(address, answer=1))


def test_workers_that_cannot_do_it_say_why(two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match=r"impossible_run: .*invalid literal"):
        list(PATIENT(two.scheduler_address).share(int, iter(["eleven"])))
    monkeypatch.setattr(room, "version", lambda _name: "99.0")
    with pytest.raises(Refused, match=r"it has lammer .*, this machine has 99\.0"):
        list(PATIENT(two.scheduler_address).share(abs, iter([1])))


def test_without_dask_the_option_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(room, "import_module", absent)
    with pytest.raises(Refused, match=r"extra_missing: .* Install lammer\[cluster\]"):
        simulate(BOOK, 1_000, workers=Cluster("tcp://127.0.0.1:8786"))
