"""What the record may hold and nobody who reads the database may know: sealed with a key that is not in it.

The order and the salt of a shoe, the house's entropy of a shuffle, and snapshots, which hold both, are
written sealed (AES-256 in GCM, bound to their table and event) and read back by whoever has the key. Where
the key lies a setting says: a file beside the signing key, a variable, or a command, for a service that
keeps keys. Without the key the record opens and goes on; a shoe it cannot read has no card left to give.
"""

from __future__ import annotations

import base64
import os
import secrets
import shlex
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from lammer.floor.record.signing_key import put_whole
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.journal import Entry, decode, encode

FILE: Final = "sealing-keys"
FIELD: Final = "sealed"
KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
COMMAND_SECONDS: Final = 30
_MARK: Final = b"lammer sealed "
SECRETS: Final[dict[type, dict[str, Any]]] = {
    e.ShoePrepared: {"order": (), "salt": ""},
    e.ShuffleBegun: {"entropy": ""},
}
"""Fields of events that are sealed, and what stands in their place."""
_FIELD: Final = b'"sealed":"'


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table's state after an event, so that starting need not read everything before it."""

    table: str
    number: int
    hash: bytes
    body: bytes


class Seals:
    """The keys of a house by their names; the first one seals, every one opens.

    >>> key = new_key()
    >>> seals = Seals([key])
    >>> seals.open_bytes(seals.seal_bytes(b"AS KD", b"t1 3"), b"t1 3")
    b'AS KD'
    >>> seals.open_bytes(seals.seal_bytes(b"AS KD", b"t1 3"), b"t2 3") is None
    True
    >>> Seals([new_key(), key]).open_bytes(seals.seal_bytes(b"AS KD", b"t1 3"), b"t1 3")
    b'AS KD'
    """

    def __init__(self, keys: Iterable[tuple[str, bytes]] = ()) -> None:
        self._keys = {name: AESGCM(key) for name, key in keys}
        self._current = next(iter(self._keys), "")

    def seal_bytes(self, clear: bytes, about: bytes) -> str:
        """These bytes so that only the key opens them, and only as what they are about."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._keys[self._current].encrypt(nonce, clear, about)
        return f"{self._current}:{base64.b64encode(sealed).decode()}"

    def open_bytes(self, written: str, about: bytes) -> bytes | None:
        """What was sealed; None where the key is not here, or where it is about something else."""
        name, _, text = written.partition(":")
        if name not in self._keys:
            return None
        try:
            sealed = base64.b64decode(text, validate=True)
            return self._keys[name].decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about)
        except (InvalidTag, ValueError):
            return None

    def seal(self, table: str, entry: Entry) -> bytes:
        """An entry as it is written down: what is secret in it sealed, where there is a key."""
        event: Any = entry.event
        hidden = SECRETS.get(type(event))
        if hidden is None or not self._current:
            return encode(entry)
        clear = {name: getattr(event, name) for name in hidden}
        if clear == hidden:
            return encode(entry)
        blank = encode(replace(entry, event=msgspec.structs.replace(event, **hidden)))
        sealed = self.seal_bytes(msgspec.json.encode(clear), _about(table, entry.number))
        return blank[:-1] + b"," + _FIELD + sealed.encode() + b'"}'

    def open(self, table: str, body: bytes) -> Entry:
        """An entry read back; what no key here opens stays blank."""
        entry = decode(body)
        if _FIELD not in body or type(entry.event) not in SECRETS:
            return entry
        written = msgspec.json.decode(body).get(FIELD, "")
        clear = self.open_bytes(written, _about(table, entry.number))
        if clear is None:
            return entry
        values = msgspec.convert(msgspec.json.decode(clear), dict[str, tuple[str, ...] | str])
        event: Any = entry.event
        return replace(entry, event=msgspec.structs.replace(event, **values))

    def seal_snapshot(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot as it is kept: it holds the order of the shoe in use."""
        if not self._current:
            return snapshot
        sealed = self.seal_bytes(snapshot.body, _about(snapshot.table, snapshot.number))
        return replace(snapshot, body=_MARK + sealed.encode())

    def open_snapshot(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot to be read; one that cannot be opened is left as it is, and so of no use."""
        if not snapshot.body.startswith(_MARK):
            return snapshot
        written = snapshot.body.removeprefix(_MARK).decode()
        clear = self.open_bytes(written, _about(snapshot.table, snapshot.number))
        return snapshot if clear is None else replace(snapshot, body=clear)


NO_SEALS: Final = Seals()
"""Seals nothing and opens nothing: for whoever reads a record and is to know none of its secrets."""


def _about(table: str, number: int) -> bytes:
    return f"lammer {table} {number}".encode()


def new_key() -> tuple[str, bytes]:
    """A key, and the name it is called by in what it sealed."""
    return secrets.token_hex(4), secrets.token_bytes(KEY_BYTES)


def written_keys(keys: Iterable[tuple[str, bytes]]) -> str:
    """Keys as they are kept: one a line, its name and 32 bytes in hexadecimal; the first one seals."""
    return "".join(f"{name} {key.hex()}\n" for name, key in keys)


def read_keys(text: str, where: str) -> list[tuple[str, bytes]]:
    """Keys read back.

    >>> keys = [new_key(), new_key()]
    >>> read_keys(written_keys(keys), "a file") == keys
    True
    >>> read_keys("key 00", "a file")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused malformed_input: The sealing keys in a file cannot be read. ...
    """
    keys = []
    for line in text.split("\n"):
        name, _, written = line.strip().partition(" ")
        if not name:
            continue
        try:
            key = bytes.fromhex(written)
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES or not name.isalnum():
            raise _unreadable(where)
        keys.append((name, key))
    if not keys:
        raise _unreadable(where)
    return keys


def _unreadable(where: str) -> Refused:
    return Refused(
        "malformed_input",
        "The sealing keys in {where} cannot be read.",
        next_step="Each line is a name and 64 hexadecimal digits; put the right keys back.",
        where=where,
    )


def house_seals(folder: Path, sealing: str = "") -> Seals:
    """The keys of a house, from where its setting says; its own file is made at the first start."""
    kind, _, rest = sealing.partition(":")
    if kind == "env":
        return Seals(read_keys(os.environ.get(rest, ""), f"the variable {rest}"))
    if kind == "command":
        return Seals(read_keys(_ask(rest), f"the answer of {rest}"))
    path = Path(sealing) if sealing else folder / FILE
    if not path.exists() and not sealing:
        folder.mkdir(parents=True, exist_ok=True)
        put_whole(path, written_keys([new_key()]).encode(), 0o600)
    return Seals(keys_in(path))


def keys_in(path: Path) -> list[tuple[str, bytes]]:
    """The keys in a file nobody else may read."""
    try:
        mode, text = path.stat().st_mode, path.read_text()
    except (OSError, UnicodeDecodeError):
        raise _unreadable(str(path)) from None
    if mode & 0o077:
        raise Refused(
            "key_exposed",
            "The sealing keys {path} can be read by others than their owner.",
            next_step="chmod 600 {path}; if somebody may have read them, put a new key first.",
            path=path,
        )
    return read_keys(text, str(path))


def add_key(path: Path) -> str:
    """Put a new key first; those before it still open what they sealed. Returns its name."""
    key = new_key()
    old = keys_in(path)
    put_whole(path, written_keys([key, *old]).encode(), 0o600, over=True)
    return key[0]


def _ask(command: str) -> str:
    try:
        ran = subprocess.run(  # noqa: S603 (whoever sets up the house says what is asked)
            shlex.split(command), capture_output=True, text=True, check=True, timeout=COMMAND_SECONDS
        )
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        raise _unreadable(f"the answer of {command}") from None
    return ran.stdout
