"""Files the lab leaves behind: whole, or not at all, and a plain sentence when there is no room for them.

Knows bytes and paths. What is in a file is decided where it is made.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from lammer.rulebook.refusal import Refused

_ADVICE = {
    errno.ENOSPC: "Free some space, or write to another disk.",
    errno.EDQUOT: "Free some space, or write to another disk.",
    errno.ENOENT: "Make the folder first.",
    errno.ENOTDIR: "Make the folder first.",
    errno.EISDIR: "That is a folder: name a file in it.",
    errno.EACCES: "Choose a folder you may write to.",
    errno.EPERM: "Choose a folder you may write to.",
    errno.EROFS: "Choose a folder you may write to.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
}


def put(path: Path | str, data: bytes) -> Path:
    """Write a file whole: what stood there stays until every byte is on the disk.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     put(Path(folder) / "edges.csv", b"bet,edge %").read_text()
    'bet,edge %'
    >>> put("no/such/folder/edges.csv", b"")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused cannot_write: 'no/such/folder/edges.csv' cannot be written: ...
    """
    path = Path(path)
    try:
        # A link is followed, so that it is still a link afterwards.
        target = path.resolve()
        if target.exists() and not target.is_file():
            _put_straight(target, data)
        else:
            _put_beside(target, data)
    except OSError as error:
        raise Refused(
            "cannot_write",
            "{path} cannot be written: {why}.",
            next_step=_ADVICE.get(error.errno or 0, "Choose another place."),
            path=repr(str(path)[:200]),
            why=error.strerror or error,
        ) from None
    return path


def _put_straight(target: Path, data: bytes) -> None:
    """Into a device or a pipe, which must not be replaced by a file."""
    with target.open("wb", buffering=0) as stream:
        stream.write(data)


def _put_beside(target: Path, data: bytes) -> None:
    """Into a new file beside it, which then takes its name."""
    beside = target.with_name(f".{target.name[:200]}.{os.getpid()}")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
