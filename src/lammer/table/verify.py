"""Whether a journal holds together: what it says is worked out anew and compared, event by event.

The shoe against its commitment, the cards against the shoe, every settlement against the cards and bets, the
rulebook against its SHA-256, the money against zero. Nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.ending import played, settled
from lammer.table.fold import evolve
from lammer.table.journal import Entry
from lammer.table.seating import commitment
from lammer.table.state import Table


def verify(books: Mapping[str, Rulebook], journal: Iterable[Entry]) -> tuple[Table, list[str]]:
    """Fold a journal and list everything in it that does not hold, each with the event's number."""
    table = Table(books)
    wrong: list[str] = []
    together: list[str] = []
    for place, entry in enumerate(journal, start=1):
        if entry.number != place:
            wrong.append(f"event {entry.number} stands in place {place}")
        if isinstance(entry.event, e.TableSet) and entry.event.setup.rulebook not in books:
            raise Refused(
                "unknown_rulebook",
                f"Event {entry.number} needs {entry.event.setup.rulebook}.",
                next_step="Hand in that rulebook.",
            )
        if isinstance(entry.event, e.IrregularityNoted) and entry.event.name == "simultaneous_cards":
            together = entry.event.detail.split()
        try:
            if together and isinstance(entry.event, e.CardDealt):
                # Drawn together, cards count in the order that was decided, not in the shoe's.
                if together.pop(0) != entry.event.card:
                    wrong.append(f"event {entry.number}: not the order that was decided")
                evolve(table, entry.event)
                continue
            wrong += [f"event {entry.number}: {told}" for told in _doubts(table, entry.event)]
            evolve(table, entry.event)
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError, Refused) as error:
            wrong.append(f"event {entry.number} cannot follow what came before it: {error!r}")
            break
        if sum(table.accounts.values()):
            wrong.append(f"event {entry.number}: the accounts do not add up to zero")
    return table, wrong


def _doubts(table: Table, event: e.Event) -> Iterator[str]:
    match event:
        case e.TableSet():
            book = table.books[event.setup.rulebook]
            if book.sha256 != event.sha256:
                yield f"{book.id} is not the rulebook it was played under"
        case e.ShoePrepared() if event.kind == "virtual":
            if commitment(event.order, event.salt) != event.commitment:
                yield "the shoe is not the one it was bound to"
        case e.CardDealt():
            if (due := _due(table, event)) != event.card:
                yield f"{event.card} was dealt, {due} was next"
        case e.RoundSettled():
            here = table.under_way()
            if settled(table, here.number, played(table, here), here.live()) != event:
                yield "the settlement is not what cards and bets come to"
        case e.SettlementReopened():
            if table.round is None or table.round.lines != event.reversed:
                yield "what is reversed is not what was settled"
        case _:
            pass


def _due(table: Table, event: e.CardDealt) -> str:
    """The card that had to come, as far as the record knows it."""
    if event.carried:
        return table.carried[0] if table.carried else "no card"
    if table.shoe is not None and table.shoe.kind == "virtual":
        return table.shoe.order[table.shoe.dealt]
    return event.card
