"""One table of ratios for the lab: exact, simulation, counting; the GPU where there is one.

.venv/bin/python benchmarks/lab_ratios.py
"""

from __future__ import annotations

import counted_states
import exact_edges
import simulated_rounds


def main() -> None:
    rows = [*exact_edges.rows(), *simulated_rounds.rows(), *counted_states.rows()]
    wide = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  " + "   ".join(part.ljust(width) for part, width in zip(row, wide, strict=True)).rstrip())


if __name__ == "__main__":
    main()
