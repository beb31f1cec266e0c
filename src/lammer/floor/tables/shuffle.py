"""Where a virtual shoe's order comes from: the operating system's entropy, and nothing else.

The table does the shuffling and stays pure; this module hands it the bytes. It asks the operating system for
so many that every number of the shuffle, and the salt, is read straight off them: two bytes a number, thrown
away and drawn again where they would favour somebody, never used twice, never stretched from a seed. Nobody
who asks for a shoe has a say in them. What the commitment proves and does not: docs/concepts/shuffle.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from lammer.rulebook.refusal import Refused
from lammer.table.commands import BeginShuffle, PrepareShoe
from lammer.table.mixing import HOUSE_BYTES
from lammer.table.records import BeaconRound
from lammer.table.seating import entropy_for
from lammer.table.state import Table

Draw = Callable[[int], bytes]
"""So many bytes of entropy. The tests hand in another; the house draws from the operating system."""

ALIKE: Final = 12
"""So many equal bytes in a row come from a broken source: of true ones, once in 10^23 shoes of ten decks."""


def fresh_entropy(decks: int, draw: Draw = os.urandom) -> str:
    """The entropy of one shoe, in hexadecimal, drawn now and kept by nobody.

    >>> len(bytes.fromhex(fresh_entropy(8)))
    1264
    >>> fresh_entropy(8, draw=bytes)
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: The machine's random bytes cannot be used: ...
    """
    return _draw(entropy_for(decks), draw)


def _draw(wanted: int, draw: Draw) -> str:
    drawn = draw(wanted)
    if len(drawn) != wanted:
        raise _unusable(f"{len(drawn)} came where {wanted} were asked for")
    if max(len(list(run)) for _, run in groupby(drawn)) >= ALIKE:
        raise _unusable(f"{ALIKE} of them in a row are alike")
    return drawn.hex()


@dataclass(frozen=True, slots=True)
class ShuffleTerms:
    """How long a shuffle is open, and its round of the beacon: to come when it begins, come for the shoe."""

    seconds: int = 0
    beacon: BeaconRound | None = None


ONE_MOMENT: Final = ShuffleTerms()


def with_entropy(
    table: Table, command: PrepareShoe, draw: Draw = os.urandom, terms: ShuffleTerms = ONE_MOMENT
) -> PrepareShoe:
    """The command as the table gets it: entropy added for a virtual shoe, none for one that is read.

    Whoever asks for a shoe may not bring the entropy: they would know its order.

    >>> from datetime import UTC, datetime
    >>> import lammer
    >>> from lammer.table.commands import Call, SetTable
    >>> from lammer.table.play import record
    >>> from lammer.table.setup import SetUp
    >>> book = lammer.rulebook("tiger-buffalo-noncommission@4")
    >>> table, noon = Table({book.id: book}), datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> _ = record(table, Call("pm", "pit_manager", noon, SetTable(SetUp(book.id, "A"))))
    >>> asked = with_entropy(table, PrepareShoe())
    >>> (prepared,) = record(table, Call("ann", "dealer", noon, asked))
    >>> len(prepared.order), len(prepared.commitment)
    (416, 64)
    >>> with_entropy(table, PrepareShoe("00" * 16))
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: The house draws the entropy ...
    """
    if command != PrepareShoe():
        raise _brought()
    if table.require_setup().shoe == "read":
        return command
    if table.shuffle is not None:
        awaited, come = table.shuffle.beacon, terms.beacon
        if awaited is None or come is None or (come.chain, come.round) != (awaited.chain, awaited.round):
            return command
        return PrepareShoe(signature=come.signature, previous=come.previous)
    return PrepareShoe(fresh_entropy(table.require_setup().decks, draw))


def with_terms(command: BeginShuffle, terms: ShuffleTerms, draw: Draw = os.urandom) -> BeginShuffle:
    """The beginning of a shared shuffle as the table gets it: with the house's entropy, its time, its beacon.

    >>> len(bytes.fromhex(with_terms(BeginShuffle(), ShuffleTerms(10)).entropy))
    64
    """
    if command != BeginShuffle():
        raise _brought()
    return BeginShuffle(_draw(HOUSE_BYTES, draw), terms.seconds, terms.beacon)


def _brought() -> Refused:
    return Refused(
        "malformed_input",
        "The house draws the entropy of a shoe itself.",
        next_step="Ask for the shoe without entropy.",
    )


def _unusable(why: str) -> Refused:
    return Refused(
        "malformed_input",
        "The machine's random bytes cannot be used: {why}.",
        next_step="No shoe is shuffled from them; have the machine looked at.",
        why=why,
    )
