"""Long work asked for on a page: done in a thread beside the tables, one piece at a time, with progress.

Whoever began it can stop it, leave the page and come back: what it came to is kept until the next piece of
its name is begun. A failure of ours is logged in full and told in a sentence. Short work of many readers
stands in a line: one thread does it, and nobody has more than a few pieces waiting.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock, Thread
from typing import Any, Final, Literal, TypeVar

from lammer.rulebook.refusal import Refused

log = logging.getLogger("lammer.floor")

WorkState = Literal["running", "done", "stopped", "failed"]
Result = TypeVar("Result")
KEPT: Final = 200
"""Pieces of work a queue remembers, the last of each name."""
WAITING: Final = 4
"""Pieces one person may have in the line: a page asks again while one types."""


class Stopped(Exception):  # noqa: N818 (somebody asked for it)
    """Raised in work that looks where it stands after somebody asked it to stop."""


@dataclass(slots=True)
class Work:
    """One piece: what it is, how far it is, what it came to."""

    what: dict[str, Any]
    of: int
    by: str
    begun: datetime
    name: str = ""
    done: int = 0
    stands: WorkState = "running"
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
class WorkQueue:
    """Where long work is asked for: its last piece, and the last of every name."""

    last: Work | None = None
    kept: dict[str, Work] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def look(self, name: str) -> Work | None:
        """The last piece of a name as it stands now; it does not go on while a page is made of it."""
        work = self.kept.get(name)
        # `stands` is copied before `result` and written after it: whatever is done has its result.
        return None if work is None else replace(work)

    def history(self) -> list[Work]:
        """Every piece that is kept as it stands now, the newest first."""
        with self.lock:
            return [replace(work) for work in reversed(self.kept.values())]

    def keep_of(self, by: str, most: int) -> None:
        """Forget all but the newest pieces of one person."""
        with self.lock:
            own = [name for name, work in self.kept.items() if work.by == by]
            for name in own[: max(0, len(own) - most)]:
                del self.kept[name]

    @property
    def busy(self) -> bool:
        return self.last is not None and self.last.stands == "running"

    def begin(self, work: Work, do: Callable[[Work], Any]) -> Work:
        """Begin a piece of work in a thread of its own; `work_under_way` while another is not done."""
        with self.lock:
            if self.last is not None and self.last.stands == "running":
                raise Refused(
                    "work_under_way",
                    "Work that {by} began is still under way ({share}%).",
                    next_step="Wait for it, or stop it.",
                    by=self.last.by,
                    share=self.last.share,
                )
            self.last = work
            self.kept.pop(work.name, None)
            self.kept[work.name] = work
            while len(self.kept) > KEPT:
                del self.kept[next(iter(self.kept))]
        Thread(target=_do, args=(work, do), name="lammer-long-work", daemon=True).start()
        return work

    def stop(self, by: str) -> None:
        """Ask the work under way to stop; it does so at the next step. Nobody stops another's."""
        if self.last is None:
            return
        if self.last.by != by:
            raise Refused(
                "not_your_role",
                "{by} began this work; {other} cannot stop it.",
                next_step="Wait for it, or ask whoever began it.",
                by=self.last.by,
                other=by,
            )
        self.last.stop = True


class WorkLine:
    """Short work done one piece after the other in a thread of its own, whoever asks for it."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting: Counter[str] = Counter()

    async def do(self, by: str, work: Callable[[], Result]) -> Result:
        """Have it done; `work_under_way` for whoever has too much waiting. For one event loop alone."""
        if self._waiting[by] >= WAITING:
            raise Refused(
                "work_under_way",
                "{waiting} questions of {by} are being worked out already.",
                next_step="Wait for them.",
                waiting=WAITING,
                by=by,
            )
        self._waiting[by] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting[by] -= 1
            if not self._waiting[by]:
                del self._waiting[by]


def _do(work: Work, do: Callable[[Work], Any]) -> None:
    try:
        work.result = do(work)
        work.stands = "stopped" if work.stop else "done"
    except Stopped:
        work.stands = "stopped"
    except Refused as refused:
        work.refused, work.stands = refused, "failed"
    except Exception:
        log.exception("long work for a page failed: %s", work.name)
        work.stands = "failed"
