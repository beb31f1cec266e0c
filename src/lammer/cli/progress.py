"""The progress bar of a long command: rate and time left, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from lammer.cli.console import err
from lammer.lab.simulation.work import Threads, Workers


class Rate(ProgressColumn):
    """So many a second."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} {self.what}/s" if speed else "")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error; call what it yields with how much is done. No bar without a terminal."""
    bar = Progress(
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + what),
        BarColumn(),
        TaskProgressColumn(),
        Rate(what),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def workers_of(threads: int, cluster: str) -> Workers:
    """Whoever does the work: a cluster where an address is given, else threads here."""
    if cluster:
        from lammer.lab.simulation.cluster import Cluster  # noqa: PLC0415

        return Cluster(cluster)
    return Threads(threads)
