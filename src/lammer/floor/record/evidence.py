"""The evidence of a round as one file: its events, what opens them in the log, and who signed the log.

Whoever has the file needs nothing else of ours, and no house: `docs/guides/verify_round.py` checks it
offline. It holds the bytes of events as they were recorded, the key of each, the hashes that lead from them
to the root, the checkpoint with that root, and the cosignatures of witnesses beneath it. Of a shoe that has
ended it holds the event that bound it and the one that revealed it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable
from typing import Final

import msgspec
from sqlalchemy import Connection, select

from lammer.floor.record.contract import Record, StoredEvent
from lammer.floor.record.log_secrets import LogSecrets
from lammer.floor.record.log_tables import (
    SignedHead,
    cosignatures_of,
    latest_head,
    log_checkpoints,
    log_cosignatures,
    read_head,
    read_tile,
    run_of,
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
    """What the file says; `keys` are those the house names, to be compared with those one trusts."""

    format: str
    table: str
    round: int
    events: list[Opened]
    hashes: list[str]
    checkpoint: str
    keys: list[str]


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
        runs = [run_of(connection, table, event) for event in wanted]
        head = _cosigned_head(connection)
        places = {
            event: run.start + event - run.first for event, run in zip(wanted, runs, strict=True) if run
        }
        if head is None or len(places) < len(wanted):
            raise _not_yet(table, number)
        if max(places.values()) >= head.head.size:
            head = latest_head(connection) or head
        opened = []
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
            body = record.read(table, event - 1, 1)[0].body.decode()
            opened.append(Opened(event, places[event], key.hex(), body))
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
    )


def write(evidence: Evidence) -> bytes:
    """The file."""
    return msgspec.json.encode(evidence) + b"\n"


def _cosigned_head(connection: Connection) -> SignedHead | None:
    """The last checkpoint a witness cosigned; where none did, the last of all."""
    size = select(log_cosignatures.c.size).order_by(log_cosignatures.c.size.desc()).limit(1)
    note = connection.scalar(
        select(log_checkpoints.c.note).where(log_checkpoints.c.size == size.scalar_subquery())
    )
    return latest_head(connection) if note is None else read_head(note)


def _not_yet(table: str, number: int) -> Refused:
    return Refused(
        "not_logged_yet",
        "Round {number} of table {table} is not in the log of the house yet.",
        next_step="Ask again in a moment; the log follows within a minute.",
        number=number,
        table=table,
    )
