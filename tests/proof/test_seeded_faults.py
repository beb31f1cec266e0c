"""The theorems have teeth: every fault seeded into a copy of the deciding code breaks the theorem it names.

`faults.toml` lists faults somebody might plausibly make. Each is put into a copy of the package, alone, and
the theorem is proved of that copy in a process of its own. What breaks it is a scenario, which is played.
`make soak` tries all of them; `make test` one for each theorem.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lammer.proof.theorems import NAMES
from support.faulty_copies import put_in

pytestmark = pytest.mark.slow

TESTS = Path(__file__).resolve().parents[1]
BOOK = "tiger-buffalo-noncommission-insurance@3"
LISTED: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "faults.toml").read_text("utf-8"))[
    "fault"
]
FAULTS = [fault for fault in LISTED if "theorem" in fault]
ONE_EACH = [next(fault for fault in FAULTS if fault["theorem"] == name) for name in NAMES]
TRIED = FAULTS if os.environ.get("LAMMER_PROOFS") else ONE_EACH


def notice(folder: Path, fault: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Prove the theorem of a copy of the package that has this fault."""
    put_in(folder, fault["file"], fault["code"], fault["fault"])
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{TESTS}"}
    command = [sys.executable, "-m", "proof.seeded", fault["theorem"], fault.get("rulebook", BOOK)]
    return subprocess.run(
        command, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("fault", TRIED, ids=lambda fault: fault["title"])
def test_a_seeded_fault_breaks_its_theorem(tmp_path: Path, fault: dict[str, Any]) -> None:
    done = notice(tmp_path, fault)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    found = json.loads(done.stdout)
    assert found["what"]
    assert found["cites"]
    assert found["refused"] != ["no scenario"]


def test_there_are_enough_faults_of_every_theorem_and_reasons_where_none_can_see_one() -> None:
    assert len(FAULTS) >= 30
    assert {fault["theorem"] for fault in FAULTS} == set(NAMES)
    unseen = [fault for fault in LISTED if "theorem" not in fault]
    assert unseen
    assert all(fault["out_of_reach"].endswith(".") for fault in unseen)
