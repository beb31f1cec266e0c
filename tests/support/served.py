"""A real `lammer serve` for the browser tests: started, killed, started again; people signed in by links."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from support.awaited import GUARD

COOKIE = "lammer_session"
QUICK = {
    "LAMMER_BETTING_SECONDS": "3",
    "LAMMER_PAUSE_SECONDS": "0.15",
    "LAMMER_WINDOW_SECONDS": "1",
    "LAMMER_TABLES": "2",
}


class Served:
    """A house in a folder: `address`, and `links` that let each role in once."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = QUICK | environment
        self.address = ""
        self.links: dict[str, str] = {}
        self._tokens: dict[str, str] = {}
        self._roles: dict[str, str] = {}
        self._process: subprocess.Popen[str] | None = None

    def start(self, port: int = 0) -> Served:
        """Start it and wait until it says its address; later starts may ask for the port it had."""
        command = [sys.executable, "-c", "from lammer.cli import main; main()", "serve", "--json"]
        command += ["--data", str(self.folder), "--port", str(port)]
        with (self.folder / "log.txt").open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | self.environment
            )
        told = ""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told += line
            if line.rstrip() == "}":
                break
        assert told, (self.folder / "log.txt").read_text()
        said = json.loads(told)
        self.address = said["address"]
        self.links |= {each["role"]: each["link"] for each in said["links"]}
        return self

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        """As when the power goes."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(GUARD)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    def token(self, role: str, name: str = "") -> str:
        """The session of somebody of that role; a name of its own makes an account of its own."""
        key = name or role
        known = self._roles.setdefault(key, role)
        assert known == role, f"{key} is a {known} in this house, and all tests of a worker share it"
        if key not in self._tokens:
            link = self._link(name, role) if name else self.links[role]
            with httpx.Client(base_url=self.address, timeout=GUARD) as client:
                come = client.post("/api/session/link", json={"token": link.partition("token=")[2]})
                come.raise_for_status()
                self._tokens[key] = client.cookies[COOKIE]
        return self._tokens[key]

    @contextmanager
    def client(self, role: str, name: str = "") -> Iterator[httpx.Client]:
        """The API as somebody uses it who is signed in."""
        cookies = {COOKIE: self.token(role, name)}
        with httpx.Client(base_url=self.address, cookies=cookies, timeout=GUARD) as made:
            made.headers["x-csrf-token"] = made.get("/api/session").json()["csrf"]
            yield made

    def ask(self, table: str, role: str, do: str, *, name: str = "", **fields: Any) -> dict[str, Any]:
        """A command of the table's vocabulary, as somebody of that role."""
        with self.client(role, name) as client:
            answer = client.post(f"/api/tables/{table}/commands", json={"do": do, **fields})
            assert answer.is_success, answer.text
            made: dict[str, Any] = answer.json()
            return made

    def _link(self, name: str, role: str) -> str:
        with self.client("administrator") as client:
            answer = client.post("/api/accounts", json={"name": name, "title": name.title(), "role": role})
            answer.raise_for_status()
        if answer.status_code == 202:
            with self.client("table_game_shift_manager") as second:
                answer = second.post(f"/api/accounts/proposals/{answer.json()['waiting']}/agree")
                answer.raise_for_status()
        return str(answer.json()["link"])
