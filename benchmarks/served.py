"""A real `lammer serve` for a benchmark: started, come into by its links, and looked at from outside."""

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


@contextmanager
def serving(
    folder: str | Path, *options: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The server and what it said of itself at its start; closed in order at the end."""
    command = [str(Path(sys.executable).with_name("lammer")), "serve", "--data", str(folder)]
    command += ["--port", "0", "--json", *options]
    with subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            lines = []
            for line in server.stdout:
                lines.append(line)
                if line == "}\n":
                    break
            yield server, json.loads("".join(lines))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)


def come_in(told: dict[str, Any], role: str) -> tuple[httpx.Client, dict[str, str]]:
    """Somebody signed in by their link, and the header their changes need."""
    token = next(each["link"] for each in told["links"] if each["name"] == role).partition("token=")[2]
    client = httpx.Client(base_url=str(told["address"]), trust_env=False)
    csrf = client.post("/api/session/link", json={"token": token}).raise_for_status().json()["csrf"]
    return client, {"x-csrf-token": csrf}


def headers_of(client: httpx.Client, token: dict[str, str]) -> dict[str, str]:
    """Headers for the commands of somebody who came in, from any connection."""
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    return {"cookie": cookie, **token, "content-type": "application/json"}


def cpu_seconds(pid: int) -> float:
    """The processor time a process has used, all threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """The memory of a process that is in memory, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
