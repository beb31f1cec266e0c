"""Whether a journal holds together: what it says is worked out anew and compared, event by event.

The shoe against its commitment, the cards against the shoe, every settlement, return and correction against
the cards and bets, the rulebook against its SHA-256, the money against zero, and a table put away against
the table the events come to. Nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lammer.game.cards import parse_cards
from lammer.game.hands import finished
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.corrections import bet_of, voided_past
from lammer.table.ending import paid, played, settled
from lammer.table.fold import evolve
from lammer.table.journal import Entry
from lammer.table.ledger import postings
from lammer.table.records import PaidLine, Returned
from lammer.table.seating import commitment
from lammer.table.snapshot import Unreadable, thaw
from lammer.table.state import Round, Table


def verify(
    books: Mapping[str, Rulebook], journal: Iterable[Entry], frozen: Mapping[int, bytes] | None = None
) -> tuple[Table, list[str]]:
    """Fold a journal and list everything in it that does not hold, each with the event's number.

    `frozen` has the snapshots that were made, by the number of the event each was made after.
    """
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
            else:
                wrong += [f"event {entry.number}: {told}" for told in _doubts(table, entry.event)]
            evolve(table, entry.event)
            wrong += [f"event {entry.number}: {told}" for told in _left(table, entry.event)]
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError, Refused) as error:
            wrong.append(f"event {entry.number} cannot follow what came before it: {error!r}")
            break
        if frozen and entry.number in frozen and not _is(table, frozen[entry.number]):
            wrong.append(f"event {entry.number}: the snapshot is not what the events come to")
    return table, wrong


def _is(table: Table, frozen: bytes) -> bool:
    """Whether a snapshot is of this table; one that cannot be read is never used."""
    try:
        return thaw(table.books, frozen) == table
    except Unreadable:
        return True


def _left(table: Table, event: e.Event) -> Iterator[str]:
    """What must hold of the money once an event is folded; the accounts are not all added up every time."""
    if sum(posting.amount for posting in postings(event)):
        yield "the accounts do not add up to zero"
    if isinstance(event, e.RoundSettled | e.RoundVoided | e.RoundConcluded) and table.accounts.get("in_play"):
        yield "chips are left on the felt"


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
        case _:
            yield from _money(table, event)


def _money(table: Table, event: e.Event) -> Iterator[str]:
    """What is paid or given back against what lies on the table."""
    match event:
        case e.RoundSettled():
            here = table.under_way()
            if settled(table, here.number, played(table, here), here.live()) != event:
                yield "the settlement is not what cards and bets come to"
        case e.SettlementReopened():
            if table.round is None or table.round.lines != event.reversed:
                yield "what is reversed is not what was settled"
        case e.RoundVoided() | e.BetsReturned():
            staked = [] if table.round is None else _staked(table.round)
            back = set(event.returned)
            whole = isinstance(event, e.BetsReturned) or len(back) == len(staked)
            if not (whole and len(back) == len(event.returned) and back.issubset(staked)):
                yield "what is returned is not what was staked"
        case e.BetReduced() | e.BetCut():
            here = table.under_way()
            if event.key not in here.bets or not 0 < event.amount <= here.bets[event.key].stake:
                yield "more is taken back than lies there"
        case e.RoundCorrected():
            yield from _correction(table, event)
        case _:
            pass


def _due(table: Table, event: e.CardDealt) -> str:
    """The card that had to come, as far as the record knows it."""
    if event.carried:
        return table.carried[0] if table.carried else "no card"
    if table.shoe is not None and table.shoe.kind == "virtual":
        return table.shoe.order[table.shoe.dealt]
    return event.card


def _staked(here: Round) -> list[Returned]:
    return [Returned(bet.key, bet.player, bet.stake) for bet in here.live()]


def _correction(table: Table, event: e.RoundCorrected) -> Iterator[str]:
    """A round that was put right: what it reverses was paid, and what it posts is what the cards come to."""
    past, here = table.past.get(event.round), table.round
    lines: tuple[PaidLine, ...] = past.lines if past is not None else ()
    if past is None and here is not None and here.number == event.round:
        lines = here.lines
    settled_then = {line.key: line for line in lines}
    if any(settled_then.get(line.key) != line for line in event.reversed):
        yield "what is reversed is not what was settled"
    moved = event.because == "misplaced_insurance"
    if [_bet(line, moved) for line in event.reversed] != [_bet(line, moved) for line in event.posted]:
        yield "what is posted is not for the bets that are reversed"
    player, banker = parse_cards(event.player), parse_cards(event.banker)
    if event.void:
        posted = () if past is None else voided_past(table, past, player, banker, event.cites).posted
    else:
        posted = tuple(paid(table, finished(table.book, player, banker), map(bet_of, event.posted)))
    if posted != event.posted:
        yield "the correction is not what cards and bets come to"


def _bet(line: PaidLine, moved: bool) -> tuple[object, ...]:
    """The bet of a line; Insurance that was moved is on the other hand."""
    return line.key, line.player, line.box, line.window, line.stake, moved or line.bet
