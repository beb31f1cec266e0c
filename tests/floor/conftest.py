"""One suite, two databases: `house` is a new SQLite file, then a new database on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lammer.floor.record.contract import Store
from support.houses import House
from support.servers import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "sqlite":
        where = str(tmp_path / "house.sqlite")
    else:
        where = request.getfixturevalue("server").new_database()
    opened = House(request.param, where)
    yield opened
    opened.close()


@pytest.fixture
def store(house: House) -> Store:
    return house.open()


@pytest.fixture
def postgres(server: Server) -> Iterator[House]:
    opened = House("postgresql", server.new_database())
    yield opened
    opened.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[House]:
    opened = House("sqlite", str(tmp_path / "house.sqlite"))
    yield opened
    opened.close()
