"""What the command line alone refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "backup_missing": "There is no such copy to restore.",
        "options_disagree": "Two options were given of which only one can be meant.",
        "no_manifest": "The house has accepted no program yet to compare this one with.",
    }
)
