"""What is asked of the house: a command by its name and fields, from somebody, perhaps under a key.

Here a request becomes a command of the table's own vocabulary. What the house adds by itself (the entropy of
a shuffle) nobody may hand in; what needs two people is told apart from what one may do.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from lammer.floor.shuffle import Draw, with_entropy
from lammer.floor.store.contract import Key
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c
from lammer.table.ledger import player as account_of
from lammer.table.script import command_of
from lammer.table.state import Table

TWO_PEOPLE: Final = (c.CorrectRound, c.RepositionInsurance, c.ReopenSettlement, c.RuleOnMatter)
"""Corrections of past rounds and discretionary rulings: one asks, another agrees."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: who, as what, which command, and the key that makes it count once."""

    by: str
    role: str
    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""

    @property
    def known_key(self) -> Key | None:
        """The key as the record knows it, with a digest of what is asked."""
        if not self.key:
            return None
        digest = hashlib.sha256(msgspec.json.encode([self.do, self.fields], order="deterministic")).digest()
        return Key(self.by, self.key, digest)


def command(table: Table, asked: Asked, draw: Draw = os.urandom) -> c.Command:
    """The command that is asked for; a virtual shoe gets its entropy here and nowhere else."""
    if asked.role not in ROLES:
        raise Refused(
            "not_your_role",
            f"{asked.role.capitalize()} {asked.by} may not act at a table.",
            next_step="Ask whoever deals.",
        )
    fields = dict(asked.fields)
    if asked.role == "player" and asked.do in _FOR_A_PLAYER:
        fields.setdefault("player", asked.by)
    made = command_of(asked.do, fields)
    return with_entropy(table, made, draw) if isinstance(made, c.PrepareShoe) else made


_FOR_A_PLAYER: Final = frozenset(
    ("take_seat", "leave_seat", "place_bet", "withdraw_bet", "place_insurance", "choose_option")
)


def must_have_chips(table: Table, asked: c.Command, chips: int) -> None:
    """Refuse a stake beyond the chips a player brought to this table, in cents; 0 counts none."""
    if not chips or not isinstance(asked, c.PlaceBet | c.PlaceInsurance):
        return
    has = table.accounts.get(account_of(asked.player), 0) + chips
    if asked.stake > has:
        raise Refused(
            "not_enough_chips",
            f"{asked.player} has {show(has)} left at this table and stakes {show(asked.stake)}.",
            next_step="Stake less, or leave the table as it is.",
        )


def needs_two(asked: c.Command) -> bool:
    """Whether a second person has to agree.

    >>> needs_two(c.RuleOnMatter("a bird flew in", "void_round")), needs_two(c.Settle())
    (True, False)
    """
    return isinstance(asked, TWO_PEOPLE)
