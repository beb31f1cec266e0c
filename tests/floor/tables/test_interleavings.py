"""Whatever is handed in, in whatever order: the store answers as a model does, and chains stay whole."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lammer.floor.record.chain import first_break
from lammer.floor.record.contract import Append, Appended, Conflict, Fenced, KeyReused, Store
from support.awaited import GUARD
from support.houses import House, held_back, key
from support.servers import Server

TABLES = ("a", "b", "c")


@dataclass(frozen=True)
class WriterStep:
    table: str
    off: int
    """How far the stated version is from the right one."""
    bodies: tuple[bytes, ...]
    name: str | None
    asked: str
    stale: bool
    wait: bool


STEPS = st.builds(
    WriterStep,
    table=st.sampled_from(TABLES),
    off=st.sampled_from((0, 0, 0, 0, 0, 0, 1, -1)),
    bodies=st.lists(st.binary(max_size=40), min_size=1, max_size=3).map(tuple),
    name=st.sampled_from((None, None, "k1", "k2", "k3", "k4")),
    asked=st.sampled_from(("x", "x", "x", "y")),
    stale=st.sampled_from((False,) * 9 + (True,)),
    wait=st.booleans(),
)


@dataclass
class Model:
    """What a store is, in a few lines: lists of bodies, and replies by key."""

    events: dict[str, list[bytes]] = field(default_factory=dict)
    replies: dict[str, tuple[str, str, int, int]] = field(default_factory=dict)

    def append(self, step: WriterStep, table: str, after: int) -> object:
        known = self.replies.get(step.name) if step.name else None
        if known is not None:
            if known[:2] != (table, step.asked):
                return KeyReused
            return (*known[2:], True)
        if step.stale:
            return Fenced
        here = self.events.setdefault(table, [])
        if after != len(here):
            return Conflict
        here += step.bodies
        first, last = after + 1, len(here)
        if step.name:
            self.replies[step.name] = (table, step.asked, first, last)
        return first, last, False


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def long_lived(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("interleavings")
    server: Server = request.getfixturevalue("server")
    where = str(folder / "house.sqlite") if request.param == "sqlite" else server.new_database()
    house = House(request.param, where)
    yield house
    house.close()


@pytest.fixture(scope="module")
def open_store(long_lived: House) -> Store:
    return long_lived.open()


runs = count()


@given(steps=st.lists(STEPS, min_size=1, max_size=25), together=st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_interleaving_answers_as_the_model_does(
    open_store: Store, steps: list[WriterStep], together: bool
) -> None:
    store, mark, model = open_store, f"run {next(runs)}", Model()
    expected: list[object] = []
    futures: list[Future[Appended]] = []

    def hand_in(step: WriterStep) -> None:
        table = f"{mark}-{step.table}"
        after = max(0, len(model.events.get(table, [])) + step.off)
        named = None if step.name is None else key(step.name, step.asked, client=mark)
        expected.append(model.append(step, table, after))
        epoch = 7 if step.stale else None
        futures.append(store.append(Append(table, after, step.bodies, named, b"reply", epoch)))

    if together:
        with held_back(store):
            for step in steps:
                hand_in(step)
    else:
        for step in steps:
            hand_in(step)
            if step.wait:
                futures[-1].exception(GUARD)
    assert [told(future) for future in futures] == expected
    for table in TABLES:
        events = store.read(f"{mark}-{table}")
        assert first_break(f"{mark}-{table}", (e.stated for e in events)) is None
        assert [event.body for event in events] == model.events.get(f"{mark}-{table}", [])


def told(future: Future[Appended]) -> object:
    error = future.exception(GUARD)
    if error is not None:
        return type(error)
    done = future.result()
    return done.first, done.last, done.repeat
