"""Every benchmark can be started as `make bench` starts it: by its file alone, without pytest's paths."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"
IMPORT_ALL = """
import importlib, sys
from pathlib import Path
sys.path[0] = sys.argv[1]
for file in sorted(Path(sys.argv[1]).glob("*.py")):
    importlib.import_module(file.stem)
    print(file.stem)
"""


def test_every_benchmark_finds_what_it_imports() -> None:
    started = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert started.stderr == ""
    assert started.stdout.split() == [file.stem for file in sorted(FOLDER.glob("*.py"))]
