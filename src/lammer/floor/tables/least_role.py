"""The least role that may ask for a command at all, whatever its fields and wherever the table stands.

The table decides by the paragraph and its own set-up, and cites it. This is for a request that never gets so
far because it cannot be read: somebody who could not have asked for it anyhow is told that, and it is
written down as denied. Where a document names who decides, the least anybody could name stands here.
"""

from __future__ import annotations

from typing import Final

from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table.roles import title
from lammer.table.script import COMMANDS

UNREADABLE: Final = frozenset(("malformed_input", "not_an_amount", "amount_too_large", "not_a_card"))
"""What is wrong with a request before anybody asks what it wants."""
FOR_PLAYERS: Final = frozenset(
    (
        "bring_chips", "take_chips", "take_seat", "leave_seat", "place_bet", "withdraw_bet", "open_card",
        "request_squeeze", "place_insurance", "announce_insurance", "decline_insurance", "choose_option",
        "allow_staff_bets",
    )
)  # fmt: skip
ABOVE_A_DEALER: Final = {
    "set_table": "pit_manager",
    "fill_bank": "pit_supervisor",
    "credit_bank": "pit_supervisor",
    "answer_squeeze": "pit_supervisor",
    "resolve_interruption": "pit_supervisor",
}


def least_role(do: str) -> str:
    """The least role that may ever ask for it.

    >>> least_role("place_bet"), least_role("settle"), least_role("fill_bank")
    ('player', 'dealer', 'pit_supervisor')
    """
    return "player" if do in FOR_PLAYERS else ABOVE_A_DEALER.get(do, "dealer")


def instead_of(refused: Refused, by: str, role: str, do: str) -> Refused:
    """What to answer: that it is not his to ask for, where it is not, rather than that it cannot be read."""
    if refused.code not in UNREADABLE or do not in COMMANDS:
        return refused
    least = least_role(do)
    if role in ROLES and ROLES.index(role) >= ROLES.index(least):
        return refused
    return Refused(
        "not_your_role",
        f"{title(role)} {by} may not do this; it takes a {title(least)} or above.",
        next_step=f"Ask a {title(least)}.",
    )
