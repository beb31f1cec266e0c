"""What the proof room refuses.

In order of precedence: where several hold of an input, the first is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "solver_missing": "No solver is installed to prove anything with.",
        "unknown_theorem": "There is no theorem of that name.",
        "not_a_certificate": "The file is no certificate of proofs.",
    }
)
