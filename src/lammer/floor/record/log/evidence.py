"""The evidence of a round as one file: its events, what opens them in the log, and who signed the log.

Whoever has the file needs nothing else of ours, and no house: `docs/guides/verify_round.py` checks it
offline. It holds the bytes of events as they were recorded, the key of each, the hashes that lead from them
to the root, the checkpoint with that root, and the cosignatures of witnesses beneath it. Of a shoe that has
ended it holds the event that bound it and the one that revealed it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec
from sqlalchemy import Connection

from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.log.log_secrets import LogSecrets
from lammer.floor.record.log.log_tables import (
    Run,
    cosignatures_of,
    cosigned_head,
    latest_head,
    read_tile,
    run_of,
    stamp_of,
)
from lammer.rulebook.refusal import Refused
from lammer.transparency.notes import LOG, Note, PublicKey
from lammer.transparency.tiles import subtrees_from
from lammer.transparency.tree import opening

FORMAT: Final = "lammer evidence 1"
SHOE_ENDED: Final = b'"event":"ShoeEnded"'
FAR: Final = 50_000
"""Events after a round among which the end of its shoe is looked for."""


class Opened(msgspec.Struct, frozen=True):
    """An event: its number at the table, its place in the log, the key that opens it, and its bytes."""

    number: int
    index: int
    key: str
    body: str


class Evidence(msgspec.Struct, frozen=True):
    """What the file says; `keys` are those the house names, to be compared with those one trusts.

    `stamp` is the answer of an authority for time stamps (RFC 3161) about the checkpoint's text, where a
    house has one; else it is empty.
    """

    format: str
    table: str
    round: int
    events: list[Opened]
    hashes: list[str]
    checkpoint: str
    keys: list[str]
    stamp: str = ""


def shoe_ended(record: Record, table: str, after: int) -> StoredEvent | None:
    """The event that ended the shoe in use after that event; None while it is in use."""
    first = after
    while first < after + FAR and (page := record.read(table, first)):
        for stored in page:
            if SHOE_ENDED in stored.body:
                return stored
        first = page[-1].number
    return None


def collect(
    record: Record,
    secrets: LogSecrets,
    table: str,
    number: int,
    events: Iterable[int],
    trusted: Collection[bytes],
    witnesses: Collection[PublicKey] = (),
) -> Evidence:
    """The evidence of these events of a table, all of which may be known by whoever gets it."""
    wanted = sorted(set(events))
    if not wanted:
        raise Refused(
            "shoe_not_over",
            "The shoe of round {number} is still in use:"
            " what opens its events is given out when it has ended.",
            next_step="Ask again when the shoe has ended.",
            number=number,
        )
    with record.reading() as connection:
        runs = list(_runs_of(connection, table, wanted))
        head = cosigned_head(connection)
        places = {
            event: run.start + event - run.first for event, run in zip(wanted, runs, strict=True) if run
        }
        if head is None or len(places) < len(wanted):
            raise _not_yet(table, number)
        needed = max(places.values()) + 1
        if needed > head.head.size:
            head = latest_head(connection) or head
        # Every checkpoint from there on shows the round; one with a time stamp says more.
        head = cosigned_head(connection, needed, stamped=True) or head
        stamp = stamp_of(connection, head.head.size)
        opened = []
        bodies = _bodies(record, table, wanted)
        for event, run in zip(wanted, runs, strict=True):
            assert run is not None, "all of them are in the log"
            key = secrets.key(run.secret_name, table, event)
            if key is None:
                raise Refused(
                    "evidence_closed",
                    "Round {number} of table {table} was logged under a secret that is not on this machine.",
                    next_step="Ask at the machine whose data folder has it.",
                    number=number,
                    table=table,
                )
            opened.append(Opened(event, places[event], key.hex(), bodies[event]))
        subtree = subtrees_from(lambda tile: read_tile(connection, tile), head.head.size)
        beside = opening(list(places.values()), head.head.size, subtree)
        note = Note(head.note.text, (*head.note.signatures, *cosignatures_of(connection, head.head.size)))
    keys = [PublicKey(head.head.origin, LOG, key).text for key in trusted]
    return Evidence(
        FORMAT,
        table,
        number,
        opened,
        [b64encode(step).decode() for step in beside],
        note.written,
        [*keys, *(key.text for key in witnesses)],
        b64encode(stamp).decode(),
    )


def _runs_of(connection: Connection, table: str, wanted: Iterable[int]) -> Iterator[Run | None]:
    """The run each of these events lies in; many lie in one."""
    run: Run | None = None
    for event in wanted:
        if run is None or not run.first <= event < run.first + run.entries:
            run = run_of(connection, table, event)
        yield run


def _bodies(record: Record, table: str, wanted: Sequence[int]) -> dict[int, str]:
    """Events as they were recorded, those that follow each other read together."""
    bodies: dict[int, str] = {}
    for place, event in enumerate(wanted):
        if event in bodies:
            continue
        last = event
        for later in wanted[place + 1 :]:
            if later != last + 1:
                break
            last = later
        bodies |= {
            each.number: each.body.decode() for each in record.read(table, event - 1, last - event + 1)
        }
    return bodies


def write(evidence: Evidence) -> bytes:
    """The file."""
    return msgspec.json.encode(evidence) + b"\n"


def _not_yet(table: str, number: int) -> Refused:
    return Refused(
        "not_logged_yet",
        "Round {number} of table {table} is not in the log of the house yet.",
        next_step="Ask again in a moment; the log follows within a minute.",
        number=number,
        table=table,
    )
