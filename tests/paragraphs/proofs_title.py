"""Proofs about the title page: from when the rules hold, and that no table opens under rules that do not."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import lammer
from lammer import Refused, Rulebook
from lammer.rulebook.force import in_force, standing
from lammer.table import commands as c, events as e
from lammer.table.journal import snapshot
from lammer.table.play import decide, record
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Table
from paragraphs.clause import Clause, proof
from paragraphs.pit import one

MINUTE = timedelta(minutes=1)


def held(clause: Clause) -> list[Rulebook]:
    """The shelf, with the clause's own rulebook in its place."""
    return [clause.book if book.id == clause.book.id else book for book in lammer.shelf()]


def beside(clause: Clause) -> list[datetime]:
    """The last minute before these rules hold and, where we hold a later version, its first."""
    moments = [datetime.fromisoformat(clause.facts["at"]) - MINUTE]
    if "until" in clause.facts:
        moments.append(datetime.fromisoformat(clause.facts["until"]))
    return moments


@proof
def comes_into_force(clause: Clause) -> None:
    """In force from that minute, not a minute before, until the next version we hold begins."""
    book, books = clause.book, held(clause)
    at = datetime.fromisoformat(clause.facts["at"])
    assert book.identity == book.cite(clause.number)
    assert book.in_force_from == at
    assert in_force(books, book.game, at).rulebook is book
    assert standing(books, book, at).startswith("in force")
    for moment in beside(clause):
        assert not standing(books, book, moment).startswith("in force")
    if "until" in clause.facts:
        until = datetime.fromisoformat(clause.facts["until"])
        assert in_force(books, book.game, until - MINUTE).rulebook is book
        assert in_force(books, book.game, until).rulebook.id == clause.facts["then"]


@proof
def table_opens_only_in_force(clause: Clause) -> None:
    """Out of force a table opens only for a Table Game Shift Manager's reason, which is kept with it."""
    books = {book.id: book for book in held(clause)}
    limits = {"original": Limits(1_00), "side": Limits(1_00)}
    setup = SetUp(clause.book.id, "A", limits=limits, differential=10_000_00, shoe="read")

    def call(role: str, at: datetime, reason: str = "") -> c.Call:
        return c.Call(role, role, at, c.SetTable(setup, reason=reason))

    at = datetime.fromisoformat(clause.facts["at"])
    table = Table(books)
    # What is in force needs no reason, and keeps none.
    assert one(record(table, call("pit_manager", at, "a training evening")), e.TableSet).reason == ""
    assert table.notice == ""
    if "until" in clause.facts:
        until = datetime.fromisoformat(clause.facts["until"])
        record(table, c.Call("dealer", "dealer", at, c.PrepareShoe()))
        with pytest.raises(Refused) as gone:
            decide(table, c.Call("dealer", "dealer", until, c.OpenBets()))
        assert (gone.value.code, gone.value.citation) == ("not_in_force", clause.book.cite(clause.number))
        assert decide(table, c.Call("dealer", "dealer", until - MINUTE, c.OpenBets()))
    for moment in beside(clause):
        table = Table(books)
        before = snapshot(table)
        for attempt, code in (
            (call("pit_manager", moment), "not_in_force"),
            (call("pit_manager", moment, "a training evening"), "not_your_role"),
            (call("table_game_shift_manager", moment), "not_in_force"),
            (call("table_game_shift_manager", moment, " "), "not_in_force"),
        ):
            with pytest.raises(Refused) as caught:
                decide(table, attempt)
            assert caught.value.code == code
            assert caught.value.citation == clause.book.cite(clause.number)
            assert snapshot(table) == before
        happened = record(table, call("table_game_shift_manager", moment, "a training evening"))
        assert one(happened, e.TableSet).reason == "a training evening"
        assert f"{clause.book.id} is not in force (title page): a training evening." in table.notice
        record(table, c.Call("dealer", "dealer", moment, c.PrepareShoe()))
        record(table, c.Call("dealer", "dealer", moment, c.OpenBets()))
