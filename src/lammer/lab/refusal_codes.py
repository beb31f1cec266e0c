"""What the lab refuses.

In order of precedence: where several hold of an input, the first is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "impossible_shoe": "No round can be dealt from such a shoe.",
        "not_odds": "Odds are written like 50:1 or 3:2.",
        "impossible_run": "A simulation or a count cannot be run like that.",
        "unknown_format": "Files of that kind are not written.",
        "extra_missing": "An optional part is not installed.",
        "no_gpu": "This machine has no GPU that can be used.",
        "cluster_silent": "The cluster does not answer.",
    }
)
