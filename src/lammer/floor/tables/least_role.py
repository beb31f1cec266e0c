"""The least role that may ask for a command at all, whatever its fields and wherever the table stands.

The table decides by the paragraph and its own set-up, and cites it. This is for a request that is refused
for another reason first: because it cannot be read, or because of where the round stands. Somebody who could
not have asked for it anyhow is told that, and it is written down as denied. Where a document names who
decides, the least anybody could name stands here.
"""

from __future__ import annotations

from typing import Final

from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import ROLES
from lammer.table.decoding import COMMANDS
from lammer.table.roles import title

NOT_OF_THE_REQUEST: Final = frozenset(
    (
        "unknown_table", "table_held_elsewhere", "table_stopped", "table_moved_on", "store_unavailable",
        "record_damaged", "key_reused", "shutting_down", "not_your_role",
    )
)  # fmt: skip
"""What is wrong with the house or the table whoever asks, and what says already whose it is."""
FOR_PLAYERS: Final = frozenset(
    (
        "bring_chips", "take_chips", "take_seat", "leave_seat", "place_bet", "withdraw_bet", "open_card",
        "request_squeeze", "place_insurance", "announce_insurance", "decline_insurance", "choose_option",
        "allow_staff_bets", "choose_drawing", "add_entropy",
    )
)  # fmt: skip
ABOVE_A_DEALER: Final = {
    "set_table": "pit_manager",
    "fill_bank": "pit_supervisor",
    "credit_bank": "pit_supervisor",
    "answer_squeeze": "pit_supervisor",
    "resolve_interruption": "pit_supervisor",
    "answer_pit_call": "pit_supervisor",
    "close_table": "pit_manager",
    "open_table": "pit_manager",
    "abandon_shuffle": "pit_manager",
    "keep_table_open": "pit_manager",
}
BESIDE_THE_GAME: Final = tuple(
    ("administrator", do) for do in ("close_table", "open_table", "keep_table_open")
)
"""What somebody who has no part in the game may ask of a table: whoever puts tables up takes them away."""


def least_role(do: str) -> str:
    """The least role that may ever ask for it.

    >>> least_role("place_bet"), least_role("settle"), least_role("fill_bank")
    ('player', 'dealer', 'pit_supervisor')
    """
    return "player" if do in FOR_PLAYERS else ABOVE_A_DEALER.get(do, "dealer")


def instead_of(refused: Refused, by: str, role: str, do: str) -> Refused:
    """What to answer: that it is not theirs to ask for, where it is not, rather than what else is wrong.

    >>> late = Refused("bets_are_open", "Betting is still open.")
    >>> instead_of(late, "mei", "player", "settle").code, instead_of(late, "anna", "dealer", "settle").code
    ('not_your_role', 'bets_are_open')
    >>> instead_of(late, "rosa", "administrator", "close_table").code
    'bets_are_open'
    """
    if refused.code in NOT_OF_THE_REQUEST or do not in COMMANDS or (role, do) in BESIDE_THE_GAME:
        return refused
    least = least_role(do)
    if role in ROLES and ROLES.index(role) >= ROLES.index(least):
        return refused
    return Refused(
        "not_your_role",
        "{role} {by} may not do this; it takes a {least} or above.",
        next_step="Ask a {least}.",
        role=Term(title(role)),
        by=by,
        least=Term(title(least)),
    )
