"""What is asked of the house: a command by its name and fields, from somebody, perhaps under a key.

Here a request becomes a command of the table's own vocabulary. What the house adds by itself (the entropy of
a shuffle) nobody may hand in.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import msgspec

from lammer.floor.record.contract import Key
from lammer.floor.tables.least_role import BESIDE_THE_GAME
from lammer.floor.tables.shoe_feed import CardScan
from lammer.floor.tables.shuffle import ONE_MOMENT, Draw, ShuffleTerms, with_entropy, with_terms
from lammer.floor.tables.two_people import ALWAYS_TWO, SecondPerson
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c
from lammer.table.decoding import COMMANDS, command_of, must_be_setup
from lammer.table.state import Table

LONGEST_NAME: Final = 100
LONGEST_TEXT: Final = 2_000

FOR_A_PLAYER: Final = frozenset(
    do
    for do, kind in COMMANDS.items()
    if kind not in ALWAYS_TWO and any((part.name, part.type) == ("player", "str") for part in fields(kind))
)
"""Commands about one player; a player who names nobody means themselves."""


MEANT_FOR_A_ROUND: Final = frozenset(("place_bet", "withdraw_bet", "place_insurance"))
"""Commands that name the round they are meant for, which is never an earlier one."""


class CommandRequest(msgspec.Struct, frozen=True):
    """A request: who, as what, which command, and the key that makes it count once.

    Keys belong to whoever chose them; `client` names that owner where it is not the asker.
    """

    by: str
    role: str
    do: str
    fields: Mapping[str, Any] = msgspec.field(default_factory=dict)
    key: str = ""
    client: str = ""

    def key_at(self, table: str) -> Key | None:
        """The key as the record knows it, with a digest of what is asked of which table.

        >>> request = CommandRequest("anna", "dealer", "open_bets", key="k1")
        >>> request.key_at("t1").client, request.key_at("t1").digest == request.key_at("t2").digest
        ('anna', False)
        """
        if not self.key:
            return None
        what = msgspec.json.encode([table, self.do, self.fields], order="deterministic")
        return Key(self.client or self.by, self.key, hashlib.sha256(what).digest())


@dataclass(frozen=True, slots=True)
class ForwardedRequest:
    """What one process of the house hands on to the one that holds the table: a request, or a card read."""

    table: str
    asked: CommandRequest | None = None
    agreed: SecondPerson | None = None
    scan: CardScan | None = None
    key: str = ""


def decode_command(
    table: Table, asked: CommandRequest, draw: Draw = os.urandom, terms: ShuffleTerms = ONE_MOMENT
) -> c.Command:
    """The command that is asked for; a virtual shoe gets its entropy here and nowhere else."""
    if asked.role not in ROLES and (asked.role, asked.do) not in BESIDE_THE_GAME:
        raise Refused(
            "not_your_role",
            "{role} {by} may not act at a table.",
            next_step="Ask whoever deals.",
            role=asked.role.capitalize(),
            by=asked.by,
        )
    values = dict(asked.fields)
    _must_be_short(values)
    if asked.role == "player" and asked.do in FOR_A_PLAYER:
        values.setdefault("player", asked.by)
    if asked.do == "set_table" and isinstance(setup := values.get("setup"), dict):
        must_be_setup(setup)
    requested = command_of(asked.do, values)
    if isinstance(requested, c.PrepareShoe) and asked.role != "player":
        return with_entropy(table, requested, draw, terms)
    if isinstance(requested, c.BeginShuffle) and asked.role != "player":
        return with_terms(requested, terms, draw)
    return requested


def _must_be_short(values: Mapping[str, Any]) -> None:
    """What is written down stays for ever; a name or a reason as long as a book does not belong there."""
    for name, value in values.items():
        longest = LONGEST_NAME if name == "player" else LONGEST_TEXT
        for text in value if isinstance(value, list) else (value,):
            if isinstance(text, str) and len(text) > longest:
                raise Refused(
                    "malformed_input",
                    "{name} has {letters} letters; {longest} may be written.",
                    name=name[:40],
                    letters=format(len(text), ","),
                    longest=format(longest, ","),
                )


def named_round(asked: CommandRequest) -> int:
    """The earlier round a request may be about; 0 where it is about none.

    >>> named_round(CommandRequest("mei", "player", "place_bet", {"round": 7}))
    0
    >>> named_round(CommandRequest("sue", "pit_supervisor", "correct_round", {"round": 7}))
    7
    """
    number = asked.fields.get("round")
    return number if isinstance(number, int) and asked.do not in MEANT_FOR_A_ROUND else 0
