"""Events around the rounds: the set-up, the bank, players' chips, the seats, the shoe."""

from __future__ import annotations

from dataclasses import dataclass

from lammer.table.setup import SetUp


@dataclass(frozen=True, slots=True)
class TableSet:
    """The set-up, and the SHA-256 of the rulebook every round from here on stands on.

    `reason` is why a rulebook is played that was not in force; empty for one that was.
    """

    setup: SetUp
    sha256: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BankFilled:
    amount: int


@dataclass(frozen=True, slots=True)
class BankCredited:
    amount: int


@dataclass(frozen=True, slots=True)
class ChipsBrought:
    """From the player's purse to this table."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class ChipsTaken:
    """From this table back into the player's purse."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    player: str
    box: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    player: str
    box: int


@dataclass(frozen=True, slots=True)
class WalkedAway:
    player: str
    cite: str


@dataclass(frozen=True, slots=True)
class StaffBetsAllowed:
    """A player lets staff bet and choose for them at this table, or no longer."""

    player: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class ShoePrepared:
    """`commitment` is public; `order` and `salt` are for the record alone until the shoe ends."""

    shoe: int
    kind: str
    decks: int
    cut: int
    commitment: str
    order: tuple[str, ...]
    salt: str


@dataclass(frozen=True, slots=True)
class ShoeEnded:
    """`unplayed` if it was a virtual shoe with a round left in it and none settled; `reason` says why."""

    shoe: int
    commitment: str
    order: tuple[str, ...]
    salt: str
    reason: str = ""
    unplayed: bool = False


@dataclass(frozen=True, slots=True)
class ShoeToBeReplaced:
    cite: str
