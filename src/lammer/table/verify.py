"""Whether a journal holds together: what it says is worked out anew and compared, event by event.

The shoe against its commitment, the cards against the shoe, every settlement, return and correction against
the cards and bets, the rulebook against its SHA-256, the money against zero, and a table put away against
the table the events come to. Nothing is repaired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lammer.game.cards import parse_cards
from lammer.game.hands import finish_round
from lammer.game.insurance import offers_of_round
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Window, opposite
from lammer.table import events as e
from lammer.table.corrections import Hands, bets_of, given_back, voided_past, why_it_stands
from lammer.table.ending import judged_lines, original_bets, paid, played, settled
from lammer.table.fold import evolve, over
from lammer.table.journal import Entry
from lammer.table.ledger import postings
from lammer.table.records import PaidLine, Returned
from lammer.table.seating import commitment
from lammer.table.snapshot import Unreadable, thaw
from lammer.table.state import Insured, Past, Placed, Recall, Round, Table


def verify(
    books: Mapping[str, Rulebook],
    journal: Iterable[Entry],
    frozen: Mapping[int, bytes] | None = None,
    recall: Recall | None = None,
) -> tuple[Table, list[str]]:
    """Fold a journal and list everything in it that does not hold, each with the event's number.

    `frozen` has the snapshots that were made, by the number of the event each was made after. `recall` finds
    rounds again that were corrected long after they were played.
    """
    table = Table(books, recall=recall)
    wrong: list[str] = []
    together: list[str] = []
    for place, entry in enumerate(journal, start=1):
        if entry.number != place:
            wrong.append(f"event {entry.number} stands in place {place}")
        if isinstance(entry.event, e.TableSet) and entry.event.setup.rulebook not in books:
            raise Refused(
                "unknown_rulebook",
                "Event {entry} needs {rulebook}.",
                next_step="Hand in that rulebook.",
                entry=entry.number,
                rulebook=entry.event.setup.rulebook,
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
            if settled(table, here, played(table, here)) != event:
                yield "the settlement is not what cards and bets come to"
        case e.SettlementReopened():
            if table.round is None or tuple(judged_lines(table.round.lines)) != event.reversed:
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
    past = _corrected_round(table, event)
    if past is None:
        yield f"round {event.round}, which it corrects, is not in the record"
        return
    rules = table.under(past.setup)
    if event.rulebook and event.rulebook != rules.book.id:
        yield "it cites another rulebook than the round was played under"
    settled_then = {(line.key, line.outcome): line for line in past.lines}
    undone = event.because == "damaged_cards"  # What it reverses is the return of a void, which has no lines.
    if not undone and any(settled_then.get((line.key, line.outcome)) != line for line in event.reversed):
        yield "what is reversed is not what was settled"
    if _stakes(event.reversed) != _stakes(event.posted):
        yield "what is posted is not for the bets that are reversed"
    if _posted(rules, past, event) != event.posted:
        yield "the correction is not what cards and bets come to"
    if (event.winner, event.points) != _result(table, rules, past, event):
        yield "the result is not what the cards come to"
    moved = event.because in ("missed_insurance", "misplaced_insurance")
    if (moved or any(line.given_back for line in event.posted)) and (
        (event.player, event.banker) != (past.player, past.banker)
    ):
        yield "no card of that round was another"


def _result(table: Table, rules: Table, past: Past, event: e.RoundCorrected) -> tuple[str, int]:
    """The result a correction has to come to: none for a void, that of old where every outcome stands."""
    if event.void:
        return "", 0
    if why_it_stands(table, rules, past.number) is not None:
        return past.winner, past.points
    over = finish_round(rules.book, parse_cards(event.player), parse_cards(event.banker))
    return over.winner, over.points


def _corrected_round(table: Table, event: e.RoundCorrected) -> Past | None:
    """The round that is corrected, as it stood before."""
    here = table.round
    if here is not None and here.number == event.round:
        return over(here)
    return table.past_round(event.round)


def _posted(rules: Table, past: Past, event: e.RoundCorrected) -> tuple[PaidLine, ...]:
    """The lines a correction has to post, worked out anew."""
    if any(line.given_back for line in event.posted):
        return given_back(event.reversed, _only_cite(rules, event))
    hands = parse_cards(event.player), parse_cards(event.banker)
    if event.because == "damaged_cards":
        return event.posted  # Which card could not be made out is not in the record.
    if event.void:
        return voided_past(rules, past, hands, event.cites).posted
    if not event.posted:
        return ()
    bets = bets_of(event.reversed)
    if event.because == "misplaced_insurance":
        bets = [_moved(rules, hands, bet) for bet in bets]
    originals = original_bets(rules, bets_of(past.lines))
    return tuple(paid(rules, finish_round(rules.book, *hands), bets, originals))


def _moved(rules: Table, hands: Hands, bet: Placed | Insured) -> Placed | Insured:
    """Insurance on the other hand, at the odds that were on offer there."""
    assert isinstance(bet, Insured)
    hand = opposite(bet.hand)
    for offer in offers_of_round(rules.book, finish_round(rules.book, *hands)):
        if (offer.hand, offer.window) == (hand, bet.window):
            return replace(bet, hand=hand, odds=str(offer.odds), astray=False)
    return bet


def _only_cite(rules: Table, event: e.RoundCorrected) -> Citation:
    return rules.book.cite(event.cites[0])


def _stakes(lines: Iterable[PaidLine]) -> Counter[tuple[int, str, int, Window | None]]:
    """What was staked on each bet; Insurance may have been moved, and a bet may have two lines."""
    found: Counter[tuple[int, str, int, Window | None]] = Counter()
    for line in lines:
        found[line.key, line.player, line.box, line.window] += line.stake
    return found
