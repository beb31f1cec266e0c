"""What the academy refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "unknown_kind": "There are no items of that kind, or none under that rulebook.",
        "not_an_answer": "What was written cannot be read as an answer to the item.",
        "no_such_test": "The test cannot be set like that: items, minutes or pass mark are out of range.",
    }
)
