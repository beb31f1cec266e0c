"""Which build of Lammer worked something out: its version, and a hash over every file of it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import version
from pathlib import Path

KINDS = (".py", ".toml", ".po")


@cache
def build_hash() -> str:
    """The SHA-256 of the list of Lammer's files, each with its own: the same wherever they are the same.

    >>> len(build_hash())
    64
    """
    with resources.as_file(resources.files("lammer")) as folder:
        lines = [f"{sha256(file.read_bytes()).hexdigest()}  {name}\n" for name, file in _files(folder)]
    return sha256("".join(lines).encode()).hexdigest()


def _files(folder: Path) -> list[tuple[str, Path]]:
    found = (file for file in folder.rglob("*") if file.suffix in KINDS)
    return sorted((file.relative_to(folder).as_posix(), file) for file in found)


def build_name() -> str:
    """Version and the beginning of the hash, as it stands at the foot of a page.

    >>> build_name().startswith("Lammer ")
    True
    """
    return f"Lammer {version('lammer')}, build {build_hash()[:12]}"
