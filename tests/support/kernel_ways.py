"""The ways through a round as the compiled kernel counts them, to be compared with the exact count."""

from __future__ import annotations

import numpy as np

from lammer.lab.exact.ways import paths
from lammer.lab.simulation.kernels import Counts, joint
from lammer.lab.simulation.lookups import lookups
from lammer.rulebook.model import Rulebook


def ways_compiled(book: Rulebook, counts: Counts) -> Counts:
    """`exact.ways` by the kernel.

    >>> from lammer import rulebook
    >>> from lammer.lab.exact.ways import ways
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> shoe = [128] + [32] * 9
    >>> ways_compiled(book, np.array(shoe)).tolist() == ways(book, shoe)
    True
    """
    arrays = lookups(book)
    out = np.empty(len(paths(book)), np.int64)
    joint(counts, arrays.starts, arrays.tables, arrays.places, out)
    return out
