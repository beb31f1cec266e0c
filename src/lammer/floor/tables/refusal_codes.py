"""What the house refuses at its live tables, beyond what the table itself does."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "needs_players_leave": "A player with a login has not allowed staff to act for them at this table.",
        "table_stopped": "Something of ours went wrong at this table; nothing was written.",
        "shutting_down": "The house is closing; nothing new is begun.",
        "rulebook_exists": "The house has another rulebook of that name and version.",
        "witnesses_behind": "Too few witnesses have seen the log of the house lately; no round begins.",
        "beacon_unreachable": "The public beacon does not answer, or tells what its chain did not sign.",
        "gaming_stopped": "Gaming is stopped, at this table or in the whole house.",
    }
)
