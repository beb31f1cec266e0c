"""The comparison of two tables has teeth: every fault seeded into a copy of the real table is caught.

`faults.toml` lists faults somebody might plausibly make, each a piece of `src/lammer/table` and what stands
there instead. Each is put into a copy of the package, alone, and the walks of `two_tables` run against that
copy in a process of their own until the tables disagree. A fault that nothing notices fails its test, and so
does one whose piece of code is no longer there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from properties.test_second_table import A_WALK
from support.faulty_copies import put_in
from support.two_tables import walk

# What runs is a copy of the package, of which nothing is measured.
pytestmark = pytest.mark.exhaustive

TESTS = Path(__file__).resolve().parents[1]
FAULTS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "faults.toml").read_text("utf-8"))[
    "fault"
]
WALKS = 400
"""Walks after which a fault counts as not noticed; the walk that noticed it before comes first."""

NOTICE = f"""
import sys
from support.two_tables import Disagreement, walk
first = int(sys.argv[1])
for seed in (first, *range({WALKS})):
    try:
        walk(seed, {A_WALK})
    except Disagreement as found:
        print(seed, found)
        break
else:
    sys.exit("nothing noticed")
"""


def noticed(folder: Path, fault: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Walk with a copy of the package that has this fault."""
    put_in(folder, f"table/{fault['file']}", fault["code"], fault["fault"])
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{TESTS}"}
    return subprocess.run(
        [sys.executable, "-c", NOTICE, str(fault.get("seed", 0))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["title"])
def test_a_seeded_fault_is_noticed(tmp_path: Path, fault: dict[str, Any]) -> None:
    done = noticed(tmp_path, fault)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    seed = int(done.stdout.split()[0])
    walk(seed, A_WALK)  # Without the fault both tables agree there: it is the fault that was noticed.


def test_there_are_enough_faults_and_each_point_of_the_audit_is_among_them() -> None:
    assert len(FAULTS) >= 25
    assert {fault["point"] for fault in FAULTS if fault["point"]} == set(range(1, 14))
