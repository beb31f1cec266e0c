"""Long work asked for on a page: done in a thread beside the tables, one piece at a time, with progress.

It can be stopped; what it came to is kept until the next piece of its kind is begun. A failure of ours is
logged in full and told in a sentence.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock, Thread
from typing import Any, Literal

from lammer.rulebook.refusal import Refused

log = logging.getLogger("lammer.floor")

Stands = Literal["running", "done", "stopped", "failed"]


class Stopped(Exception):  # noqa: N818 (somebody asked for it)
    """Raised in work that looks where it stands after somebody asked it to stop."""


@dataclass(slots=True)
class Work:
    """One piece: what it is, how far it is, what it came to."""

    what: dict[str, Any]
    of: int
    by: str
    begun: datetime
    done: int = 0
    stands: Stands = "running"
    result: Any = None
    refused: Refused | None = None
    stop: bool = False

    @property
    def share(self) -> int:
        """How far it is, in percent."""
        return 100 if self.stands == "done" else min(99, 100 * self.done // max(1, self.of))

    def reached(self, done: int) -> None:
        """Say how far it is; raises `Stopped` where somebody asked for that."""
        self.done = done
        if self.stop:
            raise Stopped


@dataclass(slots=True)
class Desk:
    """Where long work is asked for, and its last piece."""

    last: Work | None = None
    lock: Lock = field(default_factory=Lock)

    def begin(self, work: Work, do: Callable[[Work], Any]) -> Work:
        """Begin a piece of work in a thread of its own; `work_under_way` while another is not done."""
        with self.lock:
            if self.last is not None and self.last.stands == "running":
                raise Refused(
                    "work_under_way",
                    f"Work that {self.last.by} began is still under way ({self.last.share}%).",
                    next_step="Wait for it, or stop it.",
                )
            self.last = work
        Thread(target=_do, args=(work, do), name="lammer-long-work", daemon=True).start()
        return work

    def stop(self) -> None:
        """Ask the work under way to stop; it does so at the next step."""
        if self.last is not None:
            self.last.stop = True


def _do(work: Work, do: Callable[[Work], Any]) -> None:
    try:
        work.result = do(work)
        work.stands = "stopped" if work.stop else "done"
    except Stopped:
        work.stands = "stopped"
    except Refused as refused:
        work.refused, work.stands = refused, "failed"
    except Exception:
        log.exception("long work failed")
        work.stands = "failed"
