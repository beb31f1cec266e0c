"""The real table and the plain one, asked the same things, agree after every step.

`LAMMER_WALK_STEPS` says how many steps in all (`make soak`: two million). A disagreement is told with the
shortest list of steps that shows it. That the comparison can fail is shown by faults seeded into a copy of
the real table, one at a time, in `test_seeded_faults.py`.
"""

from __future__ import annotations

import pytest

from support.two_tables import Disagreement, shortened, walk
from support.walk import STEPS

WALKS = 80
A_WALK = 250
"""Steps of one walk: enough for a dozen rounds and what is found about them later."""


@pytest.mark.parametrize("part", range(WALKS))
def test_both_tables_agree_after_every_step(part: int) -> None:
    walks = max(1, STEPS // (WALKS * A_WALK))
    for seed in range(part * walks, (part + 1) * walks):
        try:
            walk(seed, A_WALK)
        except Disagreement as found:
            short = shortened(found)
            asked = "\n".join(f"  {step.role} {step.by}: {step.do} {step.fields}" for step in short.steps)
            pytest.fail(f"seed {seed}: {short}\n{asked}")
