"""A shuffle nobody chooses: the house is bound first, players add, a beacon comes last; then there is a shoe.

When a shuffle closes is said when it begins, and its beacon's round comes after that. A shuffle that was
begun makes the next shoe: there is no second one to choose from, and while it is under way the set-up, and
with it the number of decks, stays as it is. Chance, the time and the beacon come in with the commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from msgspec import structs

from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.mixing import HOUSE_BYTES, LONGEST_PART, house_commitment
from lammer.table.records import BeaconRound
from lammer.table.roles import must_act_for, must_be, must_be_between_rounds
from lammer.table.state import Shuffle, Table

LONGEST_SECONDS: Final = 3_600


def begin_shuffle(table: Table, call: c.Call, command: c.BeginShuffle) -> Iterator[e.Event]:
    must_be(call, "dealer", None)
    must_be_between_rounds(table)
    setup = table.require_setup()
    if setup.shoe == "read":
        raise Refused(
            "no_shuffle",
            "This table deals from a shoe that is read; nothing is shuffled here.",
            next_step="Bring a new shoe.",
        )
    if table.shoe is not None:
        raise Refused("shoe_in_use", "A shoe is in use.", next_step="End it first.")
    if table.shuffle is not None:
        raise shuffle_under_way(table.shuffle)
    try:
        size = len(bytes.fromhex(command.entropy))
    except ValueError:
        size = 0
    if size != HOUSE_BYTES or not 0 <= command.seconds <= LONGEST_SECONDS:
        raise Refused(
            "malformed_input",
            "A shuffle begins with {bytes} bytes of entropy, in hexadecimal,"
            " and stays open for up to {most} seconds.",
            next_step="Hand in fresh random bytes.",
            bytes=HOUSE_BYTES,
            most=LONGEST_SECONDS,
        )
    closes = call.at + timedelta(seconds=command.seconds)
    beacon = command.beacon
    if beacon is not None and (beacon.signature or beacon.due <= closes.timestamp()):
        raise Refused(
            "malformed_input",
            "The beacon's round {round} does not come after the shuffle closes.",
            next_step="Choose a later round.",
            round=beacon.round,
        )
    commitment = house_commitment(command.entropy)
    yield e.ShuffleBegun(table.shoes + 1, setup.decks, commitment, closes, beacon, command.entropy)


def shuffle_under_way(shuffle: Shuffle) -> Refused:
    """Why no other shoe is made while a shuffle is under way."""
    return Refused(
        "shuffle_under_way",
        "A shuffle for shoe {shoe} was begun; that shoe is made of it and of no other.",
        next_step="Bring the shoe, or let a Pit Manager give the shuffle up.",
        shoe=shuffle.shoe,
    )


def must_not_be_shuffling(table: Table) -> None:
    """Refuse what would make another shoe of a shuffle that was begun."""
    if table.shuffle is not None:
        raise shuffle_under_way(table.shuffle)


def _shuffle_of(table: Table) -> Shuffle:
    if table.shuffle is None:
        raise Refused("no_shuffle", "No shuffle was begun.", next_step="Wait for the next shoe.")
    return table.shuffle


def add_entropy(table: Table, call: c.Call, command: c.AddEntropy) -> Iterator[e.Event]:
    must_act_for(table, call, command.player)
    shuffle = _shuffle_of(table)
    box = table.seats.get(command.player)
    if box is None:
        raise Refused(
            "not_seated", "{player} has no seat.", table.cite("seated_player"), player=command.player
        )
    if call.at >= shuffle.closes:
        raise Refused(
            "shuffle_closed",
            "The time to add to the shuffle of shoe {shoe} is over.",
            next_step="Add to the next one.",
            shoe=shuffle.shoe,
        )
    if call.role != "player" and command.player in shuffle.parts:
        # What a player gave nobody else changes.
        raise Refused(
            "not_your_role",
            "{player} has added to this shuffle and may change it; nobody else may.",
            next_step="Ask {player}.",
            player=command.player,
        )
    words = command.entropy.strip()
    if not (0 < len(words) <= LONGEST_PART and words.isprintable()):
        raise Refused(
            "malformed_input",
            "What is added to a shuffle has 1 to {most} printable characters.",
            next_step="Type some words or numbers.",
            most=LONGEST_PART,
        )
    yield e.EntropyAdded(shuffle.shoe, command.player, box, words)


def abandon_shuffle(table: Table, call: c.Call, command: c.AbandonShuffle) -> Iterator[e.Event]:
    must_be(call, "pit_manager", None)
    shuffle = _shuffle_of(table)
    reason = command.reason.strip()
    if not reason:
        raise Refused(
            "reason_needed", "A shuffle is given up for a reason.", next_step="Say why no shoe is made of it."
        )
    yield e.ShuffleAbandoned(shuffle.shoe, shuffle.commitment, shuffle.entropy, reason)


def beacon_come(shuffle: Shuffle, call: c.Call, command: c.PrepareShoe) -> BeaconRound | None:
    """The beacon of a shuffle with the signature of its round; refused until that round has come."""
    beacon = shuffle.beacon
    if beacon is None:
        return None
    try:
        signature, previous = (
            bytes.fromhex(written).hex() for written in (command.signature, command.previous)
        )
    except ValueError:
        signature = previous = ""
    if not signature or call.at.timestamp() < beacon.due:
        raise Refused(
            "beacon_awaited",
            "The shuffle of shoe {shoe} waits for round {round} of the beacon; no other round will do.",
            next_step="Bring the shoe once the round has come.",
            shoe=shuffle.shoe,
            round=beacon.round,
        )
    return structs.replace(beacon, signature=signature, previous=previous)


def must_be_known(shuffle: Shuffle) -> None:
    """Refuse to make a shoe of a shuffle whose secret part was sealed with a key that is lost."""
    if not shuffle.entropy:
        raise Refused(
            "shuffle_lost",
            "The house's part of the shuffle of shoe {shoe} cannot be read: the key that sealed it is lost.",
            next_step="A Pit Manager gives the shuffle up; then begin another.",
            shoe=shuffle.shoe,
        )


def must_be_closed(shuffle: Shuffle, call: c.Call) -> None:
    """Refuse a shoe while players may add to it: whoever chose when to close would choose among shoes."""
    if call.at < shuffle.closes:
        raise Refused(
            "shuffle_open",
            "Players may add to the shuffle of shoe {shoe} for {seconds} more seconds.",
            next_step="Bring the shoe when that time is over.",
            shoe=shuffle.shoe,
            seconds=max(1, round((shuffle.closes - call.at).total_seconds())),
        )
