"""One suite, two databases: `house` is a new SQLite file, then a new database on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lammer.floor.access import accounts
from lammer.floor.record.contract import Store
from support import guests
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


@pytest.fixture(autouse=True, scope="session")
def quick_passwords() -> Iterator[None]:
    """Passwords of houses opened in these tests' process are kept with the least work.

    What a house runs with is `test_real_passwords_are_slow_and_strong`; it has no setting that makes it less.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "Passwords", guests.quick)
        yield
