"""SQLite's own file layer with a recorder in it: every write, truncation, sync and deletion, in order.

No compiler and no other SQLite is needed: the library that pysqlite3 brings lets file layers be registered,
and `ctypes` reaches the functions. While it is on, it is the default layer, so the store under test runs
unchanged. It passes everything on to the real layer; it can also play a full disk or one that does not sync.
"""

from __future__ import annotations

import ctypes as ct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pysqlite3 import _sqlite3

FULL, IOERR_FSYNC = 13, 10 | 4 << 8

# The name stays a bare address: SQLite keeps it, so a copy that Python frees would not do.
_OPEN = ct.CFUNCTYPE(ct.c_int, ct.c_void_p, ct.c_void_p, ct.c_void_p, ct.c_int, ct.c_void_p)
_DELETE = ct.CFUNCTYPE(ct.c_int, ct.c_void_p, ct.c_void_p, ct.c_int)
_WRITE = ct.CFUNCTYPE(ct.c_int, ct.c_void_p, ct.c_void_p, ct.c_int, ct.c_int64)
_TRUNCATE = ct.CFUNCTYPE(ct.c_int, ct.c_void_p, ct.c_int64)
_SYNC = ct.CFUNCTYPE(ct.c_int, ct.c_void_p, ct.c_int)


class _Methods(ct.Structure):
    """sqlite3_io_methods"""

    _fields_ = (
        ("version", ct.c_int),
        ("close", ct.c_void_p),
        ("read", ct.c_void_p),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        ("rest", ct.c_void_p * 13),
    )


class _Layer(ct.Structure):
    """sqlite3_vfs"""

    _fields_ = (
        ("version", ct.c_int),
        ("file_size", ct.c_int),
        ("longest_path", ct.c_int),
        ("next", ct.c_void_p),
        ("name", ct.c_char_p),
        ("data", ct.c_void_p),
        ("open", _OPEN),
        ("delete", _DELETE),
        ("rest", ct.c_void_p * 14),
    )


@dataclass(frozen=True, slots=True)
class Op:
    """One thing done to a file; `mark` is for notes of the test's own, such as what was acknowledged."""

    kind: str
    name: str = ""
    offset: int = 0
    data: bytes = b""
    mark: Any = None


class Recorder:
    """What happened to the files of one folder since it was turned on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ops: list[Op] = []
        self.full = False
        """Writes fail."""
        self.deaf = False
        """Syncs fail."""
        self._library = ct.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = ct.POINTER(_Layer)
        self._library.sqlite3_vfs_register.argtypes = (ct.c_void_p, ct.c_int)
        self._library.sqlite3_vfs_unregister.argtypes = (ct.c_void_p,)
        self._real: _Layer = self._library.sqlite3_vfs_find(None).contents
        self._names: dict[int, str] = {}
        self._patched: dict[int, _Methods] = {}
        self._layer = _Layer.from_buffer_copy(self._real)
        self._layer.next, self._layer.name = None, b"recording"
        self._layer.open, self._layer.delete = _OPEN(self._open), _DELETE(self._delete)

    def note(self, mark: Any) -> None:
        self.ops.append(Op("mark", mark=mark))

    def turn_on(self) -> None:
        self._library.sqlite3_vfs_register(ct.byref(self._layer), 1)

    def turn_off(self) -> None:
        self._library.sqlite3_vfs_unregister(ct.byref(self._layer))
        self._library.sqlite3_vfs_register(ct.byref(self._real), 1)

    def _here(self, name: int | None) -> Path | None:
        path = None if name is None else Path(ct.string_at(name).decode())
        return path if path is not None and path.parent == self.folder else None

    def _open(self, _: int, name: int | None, file: int, flags: int, told: int) -> int:
        path = self._here(name)
        new = path is not None and not path.exists()
        done = int(self._real.open(ct.addressof(self._real), name, file, flags, told))
        if done == 0 and path is not None:
            self._names[file] = path.name
            if new:
                self.ops.append(Op("create", path.name))
            pointer = ct.c_void_p.from_address(file)
            pointer.value = ct.addressof(self._patch(pointer.value or 0))
        return done

    def _delete(self, _: int, name: int, synced: int) -> int:
        path = self._here(name)
        if path is not None:
            self.ops.append(Op("delete", path.name, offset=synced))
        return int(self._real.delete(ct.addressof(self._real), name, synced))

    def _patch(self, address: int) -> _Methods:
        """The real layer's methods for a file, with three of them replaced."""
        if address in self._patched:
            return self._patched[address]
        true = _Methods.from_address(address)

        def write(file: int, data: int, size: int, offset: int) -> int:
            if self.full:
                return FULL
            self.ops.append(Op("write", self._names[file], offset, ct.string_at(data, size)))
            return int(true.write(file, data, size, offset))

        def truncate(file: int, size: int) -> int:
            self.ops.append(Op("truncate", self._names[file], size))
            return int(true.truncate(file, size))

        def sync(file: int, flags: int) -> int:
            if self.deaf:
                return IOERR_FSYNC
            done = int(true.sync(file, flags))
            self.ops.append(Op("sync", self._names[file]))
            return done

        made = _Methods.from_buffer_copy(true)
        made.write, made.truncate, made.sync = _WRITE(write), _TRUNCATE(truncate), _SYNC(sync)
        self._patched[address] = made
        return made


@contextmanager
def recording(folder: Path) -> Iterator[Recorder]:
    """Record all that SQLite does in this folder. Connections made meanwhile are closed before the end."""
    recorder = Recorder(folder)
    recorder.turn_on()
    try:
        yield recorder
    finally:
        recorder.turn_off()
