"""Which program this is: its files, each with its SHA-256, and the libraries it runs on.

Reports name their build by it, and a house compares it with the program it accepted. What Python compiles
(`__pycache__`) is left out: Python makes it anew. Why somebody asks is none of this module's business.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from hashlib import sha256
from importlib import metadata, resources
from pathlib import Path
from typing import Final

COMPILED: Final = "__pycache__"
UNREADABLE: Final = "unreadable"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def file_hashes(folder: Path) -> dict[str, str]:
    """Every file under a folder with its SHA-256, in order; one that cannot be read says so.

    >>> "build.py" in file_hashes(Path(__file__).parent)
    True
    """
    paths: dict[str, str] = {}
    for place, inner, files in os.walk(folder):
        inner[:] = [name for name in inner if name != COMPILED]
        within = os.path.relpath(place, folder).replace(os.sep, "/")
        start = "" if within == "." else f"{within}/"
        paths |= {f"{start}{name}": os.path.join(place, name) for name in files if name != COMPILED}
    return {name: _hash(path) for name, path in sorted(paths.items()) if os.path.isfile(path)}


def _hash(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    except OSError:
        return UNREADABLE


def program_files() -> dict[str, str]:
    """Every file of Lammer as it is on disk now, with its SHA-256."""
    with resources.as_file(resources.files("lammer")) as folder:
        return file_hashes(folder)


def hash_of(files: dict[str, str]) -> str:
    """One SHA-256 over a list of files: the same wherever they are the same.

    >>> hash_of({"a": "00"}) == hash_of({"a": "01"})
    False
    """
    return sha256("".join(f"{hashed}  {name}\n" for name, hashed in files.items()).encode()).hexdigest()


@cache
def build_hash() -> str:
    """The hash over every file of the program, as it was when it was first asked for.

    >>> len(build_hash())
    64
    """
    return hash_of(program_files())


def build_name() -> str:
    """Version and the beginning of the hash, as it stands at the foot of a page.

    >>> build_name().startswith("Lammer ")
    True
    """
    return f"Lammer {metadata.version('lammer')}, build {build_hash()[:12]}"


def library_versions() -> dict[str, str]:
    """What is installed now that Lammer needs, directly or by way of something else, with its version.

    >>> "msgspec" in library_versions(), "lammer" in library_versions()
    (True, False)
    """
    needed, versions = _needed(), dict[str, str]()
    for folder in map(Path, sys.path):
        # The name of the folder says it; reading what lies in each takes a quarter of a second.
        for installed in sorted(folder.glob("*.dist-info")) if folder.is_dir() else ():
            name, _, version = installed.name.removesuffix(".dist-info").partition("-")
            if _canonical(name) in needed:
                versions.setdefault(_canonical(name), version)
    return dict(sorted(versions.items()))


@cache
def _needed() -> frozenset[str]:
    """The names of all that Lammer requires, and of what that requires."""
    wanted, seen = ["lammer"], set[str]()
    while wanted:
        try:
            requires = metadata.requires(wanted.pop()) or ()
        except metadata.PackageNotFoundError:
            continue  # Asked for by an extra that is not installed, or on another machine.
        names = {_canonical(match[0]) for required in requires if (match := _NAME.match(required))}
        wanted += names - seen - {"lammer"}
        seen |= names
    return frozenset(seen - {"lammer"})


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
