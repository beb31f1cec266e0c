"""What takes two people: whatever moves money that was settled, under whatever name, and what always does.

One asks, and it waits; another with the same authority agrees, as long as the table still stands as it did.
Which proposals wait is kept in `approvals`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.ledger import moves_settled_money
from lammer.table.state import Table

ALWAYS_TWO: Final = (c.CorrectRound, c.RepositionInsurance, c.ReopenSettlement, c.RuleOnMatter)
"""Always for two people, whatever they come to: corrections of rounds and discretionary rulings."""


@dataclass(frozen=True, slots=True)
class SecondPerson:
    """The second person; `stood` is how things stood when the first one asked."""

    name: str
    role: str
    stood: str = ""


def needs_two(asked: c.Command, events: Sequence[e.Event], *, two_to_close: bool = False) -> bool:
    """Whether a second person has to agree: whatever moves money that was settled, under whatever name.

    Closing a table takes two only where the house wants it.

    >>> needs_two(c.RuleOnMatter("a bird flew in", "void_round"), ()), needs_two(c.Settle(), ())
    (True, False)
    >>> needs_two(c.VoidRound("wrong_number_of_cards"), [e.SettlementReopened(1, "miscount", (), "5.5.3")])
    True
    """
    closes = two_to_close and isinstance(asked, c.CloseTable)
    return closes or isinstance(asked, ALWAYS_TWO) or moves_settled_money(events)


def standing(table: Table, asked: c.Command) -> str:
    """How what is asked about stands: an earlier round by its lines, else the table's round by its phase.

    >>> standing(Table({}), c.RuleOnMatter("a bird flew in", "void_round"))
    'no round'
    """
    if isinstance(asked, c.CloseTable) and asked.after_round:
        # It waits for the end of whichever round is on when the second person agrees.
        return "after the round"
    number, this_round = getattr(asked, "round", 0), table.round
    if number and (this_round is None or this_round.number != number):
        past = table.past_round(number)
        lines = msgspec.json.encode(
            None if past is None else (past.player, past.banker, past.lines, past.void)
        )
        return f"round {number} {hashlib.sha256(lines).hexdigest()[:16]}"
    return "no round" if this_round is None else f"round {this_round.number} {this_round.phase}"


def must_stand_as_asked(table: Table, asked: c.Command, agreed: SecondPerson) -> None:
    """Refuse an agreement to what was asked about another round, or before it moved on."""
    current = standing(table, asked)
    if agreed.stood and agreed.stood != current:
        was, now = (" ".join(words.split()[:2]) for words in (agreed.stood, current))
        raise Refused(
            "table_moved_on",
            "This was asked for in {was}; the table has moved on{moved}.",
            next_step="Decline it; if it is still wanted, ask for it again.",
            was=was,
            moved="" if was == now else f" to {now}",
        )
