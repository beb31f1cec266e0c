"""Adds up what the tests took of the processor, by folder and by file: processor_times.py times.jsonl

`tests/support/processor_time.py` writes the file. "own" is the worker, "others" what it started: Chromium,
PostgreSQL, houses. The rest of the wall is waiting, or another worker on the same core.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path


def main(file: str, most: int = 40) -> None:
    rows = [json.loads(line) for line in Path(file).read_text().splitlines()]
    for title, name_of in (("folder", folder_of), ("file", file_of), ("test", lambda test: test)):
        sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0.0])
        for row in rows:
            of = sums[name_of(row["test"])]
            for place, value in enumerate((1, row["own"], row["others"], row["wall"])):
                of[place] += value
        ordered = sorted(sums.items(), key=lambda each: -each[1][1] - each[1][2])
        print(f"{'tests':>6} {'own':>8} {'others':>8} {'wall':>8}  {title}")
        for name, (tests, own, others, wall) in ordered[:most]:
            print(f"{tests:6.0f} {own:8.1f} {others:8.1f} {wall:8.1f}  {name}")
        total = [sum(each[place] for each in sums.values()) for place in range(4)]
        print(f"{total[0]:6.0f} {total[1]:8.1f} {total[2]:8.1f} {total[3]:8.1f}  all\n")


def file_of(test: str) -> str:
    return test.partition("::")[0]


def folder_of(test: str) -> str:
    parts = file_of(test).split("/")
    depth = 3 if parts[:2] in (["tests", "floor"], ["src", "lammer"]) else 2
    return "/".join(parts[:depth]) if len(parts) > 1 else test


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
