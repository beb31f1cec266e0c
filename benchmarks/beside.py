"""A benchmark of today, by turns with the code of today and with that of a commit before.

    .venv/bin/python benchmarks/beside.py COMMIT NAME [TURNS]

Both run with the same Python and the same packages, the earlier one from a worktree of its own: a noisy
machine disturbs both, and what counts is how many times as fast one is as the other.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(root: Path, name: str) -> str:
    """What the benchmark prints with the package of that tree."""
    file = ROOT / "benchmarks" / f"{name}.py"
    found = {**os.environ, "PYTHONPATH": str(root / "src")}
    ran = subprocess.run(
        [sys.executable, str(file)], cwd=root, env=found, capture_output=True, text=True, check=False
    )
    return ran.stdout + ran.stderr


def main() -> None:
    commit, name = sys.argv[1:3]
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--detach", str(before), commit], cwd=ROOT, check=True)
        try:
            for turn in range(1, turns + 1):
                print(f"turn {turn}, {commit}\n{run(before, name)}turn {turn}, now\n{run(ROOT, name)}")
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
