"""The parts events are made of: lines of money, stakes given back, offers, cards where they lie."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from msgspec import Struct

from lammer.rulebook.vocabulary import Outcome, Side, Window


class PaidLine(Struct, frozen=True):
    """One line of a settlement as recorded: `key` is the bet, `insured_at` the odds of an Insurance.

    A bet has one line, or two where only a part of an Insurance could have been staked: what played, and what
    went back. `late` marks Insurance that was offered late; `astray`, chips that lay with the hand they did
    not insure. A bet `given_back` left the round for good: no later correction judges it.
    """

    key: int
    player: str
    box: int
    bet: str
    window: Window | None
    stake: int
    outcome: Outcome
    pays: str | None
    profit: int
    commission: int
    remainder: str
    returned: int
    cites: tuple[str, ...]
    insured_at: str = ""
    late: bool = False
    given_back: bool = False
    astray: bool = False


class Returned(Struct, frozen=True):
    """A stake given back."""

    key: int
    player: str
    amount: int


class OnOffer(Struct, frozen=True):
    """Insurance on offer: the hand, the odds, the paragraph."""

    hand: Side
    odds: str
    cite: str


class LaidCard(Struct, frozen=True):
    """Where a card lies, in the order the cards were drawn."""

    card: str
    hand: Side
    face_up: bool
    dealt_up: bool = False


class ShufflePart(Struct, frozen=True):
    """What was added to a shuffle at a box, as it was typed or drawn there."""

    box: int
    entropy: str


class BeaconRound(Struct, frozen=True):
    """A round of a public beacon, in drand's terms: its chain, the key and scheme it is signed by, and when.

    `signature` is there once the round has come; a chained scheme signs `previous` with it. `genesis` is the
    Unix time of round 1, `period` the seconds from one round to the next.
    """

    chain: str
    scheme: str
    key: str
    genesis: int
    period: int
    round: int
    signature: str = ""
    previous: str = ""

    @property
    def due(self) -> int:
        """The Unix time at which the round comes.

        >>> BeaconRound("aa", "bls-unchained-g1-rfc9380", "bb", genesis=1_000, period=3, round=5).due
        1012
        """
        return self.genesis + (self.round - 1) * self.period


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass or a struct, in their order."""
    if issubclass(kind, Struct):
        return kind.__struct_fields__
    return tuple(part.name for part in fields(kind))
