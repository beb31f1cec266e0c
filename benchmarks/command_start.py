"""What a command costs as it is typed: processor time and modules, beside what Python itself takes to start.

    .venv/bin/python benchmarks/command_start.py

The least of several turns counts, since others only add to it. Bar: 0.15 s.
"""

from __future__ import annotations

import resource
import subprocess
import sys

BOOK = "tiger-buffalo-noncommission@4"
LAMMER = "from lammer.cli import main; main()"
COMMANDS = {
    "Python alone": ("pass",),
    "typer and rich": ("import typer, rich.console, rich.table",),
    "typer, where it reads a word": ("import typer, rich.console, rich.table, typer._adapters",),
    "import lammer": ("import lammer",),
    "lammer --help": (LAMMER, "--help"),
    "lammer settle": (LAMMER, "settle", "docs/guides/round.json"),
    "lammer rulebook show": (LAMMER, "rulebook", "show", BOOK),
    "lammer edges": (LAMMER, "edges", BOOK),
}
BAR = 0.15
TURNS = 3


def processor_time(words: tuple[str, ...]) -> float:
    """Seconds of processor time one start takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(TURNS):
        for name, words in COMMANDS.items():
            best[name] = min(best[name], processor_time(words))
    for name, seconds in best.items():
        bar = f"   bar {BAR} s: {'met' if seconds <= BAR else 'MISSED'}" if name.startswith("lammer") else ""
        print(f"  {name:<30} {seconds:.3f} s{bar}")


if __name__ == "__main__":
    main()
