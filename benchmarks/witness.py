"""How many checkpoints a second a witness cosigns, and what each costs its processor.

    .venv/bin/python benchmarks/witness.py [SECONDS]

A real `lammer witness serve` over HTTP, which syncs each checkpoint to its disk before it answers. Each of 64
logs grows by one entry, shows it with the proof, waits for the cosignature and goes on. The senders sign and
prove in a process of their own. Bar: 1,000 a second, by the witness's own processor time on one core.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, sleep

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.transparency.notes import LOG, Note, PublicKey, signed
from lammer.transparency.tree import consistency_path, leaf_hash, node_hash, root_hash
from lammer.transparency.tree_heads import AddCheckpoint, TreeHead
from served import cpu_seconds

LOGS = 64
BAR = 1_000
ALIKE = leaf_hash(b"an entry")
"""Every entry of these logs; so every subtree of one size is alike, and a log of any length costs nothing."""
LEVELS = [ALIKE]
for _ in range(40):
    LEVELS.append(node_hash(LEVELS[-1], LEVELS[-1]))
START = 1_000_000


def key_of(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(number.to_bytes(32, "big"))


def name_of(number: int) -> str:
    return f"example.com/log{number}"


def subtree(level: int, index: int) -> bytes:
    return LEVELS[level]


async def _grow(number: int, client: httpx.AsyncClient, until: float) -> int:
    """Show one log as it grows, until the time is over; how often it was cosigned."""
    key, size, shown = key_of(number), 0, 0
    while perf_counter() < until:
        larger = size + 1 if size else START
        text = TreeHead(name_of(number), larger, root_hash(larger, subtree)).text
        path = consistency_path(size, larger, subtree) if size else []
        note = Note(text, (signed(text, name_of(number), key),))
        answer = await client.post("/add-checkpoint", content=AddCheckpoint(size, tuple(path), note).body)
        answer.raise_for_status()
        size, shown = larger, shown + 1
    return shown


async def _all(address: str, seconds: float) -> int:
    limits = httpx.Limits(max_connections=LOGS, max_keepalive_connections=LOGS)
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=60, limits=limits) as client:
        until = perf_counter() + seconds
        return sum(await asyncio.gather(*(_grow(number, client, until) for number in range(1, LOGS + 1))))


def _send(address: str, seconds: float, answer: Connection) -> None:
    answer.send(asyncio.run(_all(address, seconds)))


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    keys = [
        PublicKey(name_of(number), LOG, key_of(number).public_key().public_bytes_raw()).text
        for number in range(1, LOGS + 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            str(Path(sys.executable).with_name("lammer")),
            "witness",
            "serve",
            "--name",
            "witness.example/w",
        ]
        command += ["--data", folder, "--port", str(port), *(part for key in keys for part in ("--log", key))]
        with subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL) as witness:
            try:
                _report(witness.pid, f"http://127.0.0.1:{port}", seconds)
            finally:
                witness.send_signal(signal.SIGTERM)
                witness.wait(60)


def _report(pid: int, address: str, seconds: float) -> None:
    while True:
        try:
            httpx.get(f"{address}/key", trust_env=False).raise_for_status()
            break
        except httpx.HTTPError:
            sleep(0.1)
    ours, theirs = multiprocessing.Pipe()
    sender = multiprocessing.get_context("spawn").Process(target=_send, args=(address, seconds, theirs))
    before, begun = cpu_seconds(pid), perf_counter()
    sender.start()
    cosigned = ours.recv()
    sender.join()
    spent, took = cpu_seconds(pid) - before, perf_counter() - begun
    met = "met" if cosigned / spent >= BAR else "MISSED"
    print(
        f"  {cosigned:,} checkpoints of {LOGS} logs: {spent / cosigned * 1e6:,.0f} µs of processor time each,"
        f" {cosigned / spent:,.0f} for each second of it (bar {BAR:,}: {met})"
    )
    print(f"  as it was, beside the senders: {cosigned / took:,.0f} a second")


if __name__ == "__main__":
    main()
