"""Deciding a group of appends together, before any of it is written. Pure: heads and keys in, rows out.

A group is one transaction, so what may fail is found here and left out, and the rest does not suffer
for it. What is known of heads may be old, and of keys nothing at all; then the database refuses the whole
group, what it knows is looked up, and the group is decided again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from lammer.floor.record.chain import answer, link
from lammer.floor.record.contract import Append, Appended, Conflict, Fenced, Head, Key, KeyReused
from lammer.rulebook.refusal import Refused


class KeptReply(msgspec.Struct, frozen=True, gc=False):
    """A request that was answered before."""

    digest: bytes
    appended: Appended


class Row(msgspec.Struct):
    """An event to be written; or, where `body` is None, only a reply. The last of an append has its key."""

    table: str
    number: int
    body: bytes | None
    hash: bytes
    epoch: int | None
    key: Key | None = None
    first: int = 0
    reply: bytes = b""
    answer: bytes | None = None


@dataclass(slots=True)
class Plan:
    """The rows of a group, and what each append of it will be told once they are written."""

    rows: list[Row] = field(default_factory=list)
    outcomes: list[Appended | Refused] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)

    @property
    def doubtful(self) -> bool:
        """Whether somebody would be turned away."""
        return any(isinstance(outcome, Refused) for outcome in self.outcomes)


def plan(
    group: Sequence[Append],
    heads: Mapping[str, Head],
    known: Mapping[tuple[str, str], KeptReply],
    epochs: Mapping[str, int] | None = None,
) -> Plan:
    """Decide every append in its order. `heads` has every table; `epochs` is None if not looked up."""
    group_plan = Plan()
    new: dict[tuple[str, str], KeptReply] = {}
    for append in group:
        key = append.key
        if key is not None:
            kept = known.get((key.client, key.key)) or new.get((key.client, key.key))
            if kept is not None:
                group_plan.outcomes.append(repeat(key, append.table, kept))
                continue
        if epochs is not None and append.epoch is not None and epochs.get(append.table) != append.epoch:
            group_plan.outcomes.append(Fenced(append.table, append.epoch, epochs.get(append.table)))
            continue
        head = group_plan.heads.get(append.table) or heads[append.table]
        if head.number != append.after:
            group_plan.outcomes.append(Conflict(append.table, append.after, head.number))
            continue
        appended = _write(group_plan, append, head)
        group_plan.outcomes.append(appended)
        if key is not None:
            new[key.client, key.key] = KeptReply(key.digest, appended)
    return group_plan


def repeat(key: Key, table: str, kept: KeptReply) -> Appended | KeyReused:
    """What a known key is told."""
    was = kept.appended
    if kept.digest != key.digest or was.table != table:
        return KeyReused(key)
    return Appended(was.table, was.first, was.last, was.hash, was.reply, repeat=True)


def _write(group_plan: Plan, append: Append, head: Head) -> Appended:
    number, hash_ = head.number, head.hash
    table, epoch = append.table, append.epoch
    key, reply, end = append.key, append.reply or b"", head.number + len(append.bodies)
    for body in append.bodies:
        number += 1
        answered = None
        if key is not None and number == end:
            answered = answer(key.client, key.key, key.digest, head.number + 1, reply)
        hash_ = link(hash_, table, number, body, answered)
        group_plan.rows.append(Row(table, number, body, hash_, epoch, answer=answered))
    if not append.bodies:
        group_plan.rows.append(Row(table, number, None, hash_, epoch))
    if key is not None:
        last = group_plan.rows[-1]
        last.key, last.first, last.reply = key, head.number + 1, reply
    group_plan.heads[table] = Head(number, hash_)
    return Appended(table, head.number + 1, number, hash_, reply)
