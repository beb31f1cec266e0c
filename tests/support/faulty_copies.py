"""A copy of the package with one fault in it, for a process that has the copy on its path.

The copy is made of links: only the faulty file is read and compiled anew, everything else is there already.
"""

from __future__ import annotations

from pathlib import Path

import lammer

PACKAGE = Path(lammer.__file__).parent


def put_in(folder: Path, file: str, code: str, fault: str) -> None:
    """Make `folder/lammer` the package with this piece of this file replaced."""
    right = (PACKAGE / file).read_text("utf-8")
    assert right.count(code) == 1, f"{file} has this {right.count(code)} times"
    link(PACKAGE, folder / "lammer", but=Path(file))
    (folder / "lammer" / file).write_text(right.replace(code, fault), "utf-8")


def link(room: Path, copy: Path, but: Path) -> None:
    """Links to everything in a room, but for one file and what was compiled from it."""
    copy.mkdir()
    first, inner = but.parts[0], len(but.parts) > 1
    for there in room.iterdir():
        if there.name == "__pycache__":
            (copy / there.name).mkdir()
            for compiled in there.iterdir():
                if inner or not compiled.name.startswith(f"{but.stem}."):
                    (copy / there.name / compiled.name).symlink_to(compiled)
        elif there.name != first:
            (copy / there.name).symlink_to(there)
        elif inner:
            link(there, copy / there.name, Path(*but.parts[1:]))
