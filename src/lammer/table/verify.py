"""Whether a journal holds together: what it says is worked out anew and compared, event by event.

The shoe against its commitment, the cards against the shoe, every settlement, return and correction against
the cards and bets, the rulebook against its SHA-256, the money against zero, and a table put away against
the table the events come to. Nothing is repaired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from msgspec import structs

from lammer.game.cards import parse_cards
from lammer.game.hands import finish_round
from lammer.game.insurance import offers_of_round
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Window, opposite
from lammer.table import events as e
from lammer.table.corrections import Hands, bets_of, finality_cite, return_for_good, void_past_round
from lammer.table.ending import lines_to_judge, original_bets, round_result, round_settled, settle_bets
from lammer.table.fold import evolve, past_of
from lammer.table.journal import Entry
from lammer.table.ledger import Posting, postings
from lammer.table.mixing import house_commitment
from lammer.table.records import PaidLine, Returned
from lammer.table.seating import commitment, mixed_order
from lammer.table.snapshot import Unreadable, thaw
from lammer.table.state import Insured, Past, Placed, Recall, Table


def verify(
    books: Mapping[str, Rulebook],
    journal: Iterable[Entry],
    frozen: Mapping[int, bytes] | None = None,
    recall: Recall | None = None,
) -> tuple[Table, list[Phrase]]:
    """Fold a journal and list everything in it that does not hold, each with the event's number.

    `frozen` has the snapshots that were made, by the number of the event each was made after. `recall` finds
    rounds again that were corrected long after they were played.
    """
    table = Table(books, recall=recall)
    problems: list[Phrase] = []
    simultaneous: list[str] = []
    drawn: list[str] = []
    for place, entry in enumerate(journal, start=1):
        if entry.number != place:
            problems.append(
                Phrase("event {number} stands in place {place}", number=entry.number, place=place)
            )
        if isinstance(entry.event, e.TableSet) and entry.event.setup.rulebook not in books:
            raise Refused(
                "unknown_rulebook",
                "Event {entry} needs {rulebook}.",
                next_step="Hand in that rulebook.",
                entry=entry.number,
                rulebook=entry.event.setup.rulebook,
            )
        if isinstance(entry.event, e.IrregularityNoted) and entry.event.name == "simultaneous_cards":
            simultaneous = entry.event.detail.split()
        try:
            if table.shoe is not None and table.shoe.lost:
                problems += [_at(entry, doubt) for doubt in _drawn_doubts(drawn, entry.event)]
            if simultaneous and isinstance(entry.event, e.CardDealt):
                # Drawn together, cards count in the order that was decided, not in the shoe's.
                if simultaneous.pop(0) != entry.event.card:
                    problems.append(_at(entry, Phrase("not the order that was decided")))
            elif (doubts := _DOUBTS.get(type(entry.event))) is not None:
                problems += [_at(entry, doubt) for doubt in doubts(table, entry.event)]
            posted = postings(entry.event)
            evolve(table, entry.event, posted)
            if posted or type(entry.event) in _EMPTIES_FELT:
                problems += [_at(entry, doubt) for doubt in _balance_doubts(table, entry.event, posted)]
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError, Refused) as error:
            problems.append(
                Phrase(
                    "event {number} cannot follow what came before it: {error}",
                    number=entry.number,
                    error=repr(error),
                )
            )
            break
        if frozen and entry.number in frozen and not _matches_snapshot(table, frozen[entry.number]):
            problems.append(_at(entry, Phrase("the snapshot is not what the events come to")))
    return table, problems


def _drawn_doubts(drawn: list[str], event: e.Event) -> Iterator[Phrase]:
    """The cards of a sealed shoe, held against its order when that is revealed."""
    match event:
        case e.CardDealt(carried=False, card=card) | e.CardExposed(card=card):
            drawn.append(card)
        case e.ShoeEnded(order=order):
            if order and list(order[: len(drawn)]) != drawn:
                yield Phrase("the cards dealt are not those of the shoe")
            drawn.clear()
        case _:
            pass


def _at(entry: Entry, doubt: Phrase) -> Phrase:
    return Phrase("event {number}: {doubt}", number=entry.number, doubt=doubt)


def _matches_snapshot(table: Table, frozen: bytes) -> bool:
    """Whether a snapshot is of this table; one that cannot be read is never used."""
    try:
        return thaw(table.books, frozen) == table
    except Unreadable:
        return True


_EMPTIES_FELT: Final = frozenset((e.RoundSettled, e.RoundVoided, e.RoundConcluded))


def _balance_doubts(table: Table, event: e.Event, posted: Iterable[Posting]) -> Iterator[Phrase]:
    """What must hold of the money once an event is folded; the accounts are not all added up every time."""
    if sum([posting.amount for posting in posted]):
        yield Phrase("the accounts do not add up to zero")
    if type(event) in _EMPTIES_FELT and table.accounts.get("in_play"):
        yield Phrase("chips are left on the felt")


def _set_up_doubts(table: Table, event: e.TableSet) -> Iterator[Phrase]:
    book = table.books[event.setup.rulebook]
    if book.sha256 != event.sha256:
        yield Phrase("{book} is not the rulebook it was played under", book=book.id)


def _begun_doubts(_: Table, event: e.ShuffleBegun) -> Iterator[Phrase]:
    if event.entropy and house_commitment(event.entropy) != event.commitment:
        yield Phrase("the house's entropy is not what it was bound to")


def _shoe_doubts(table: Table, event: e.ShoePrepared) -> Iterator[Phrase]:
    if event.kind != "virtual":
        return
    if event.order and commitment(event.order, event.salt) != event.commitment:
        yield Phrase("the shoe is not the one it was bound to")
    if event.house or table.shuffle is not None:
        yield from _shuffle_doubts(table, event)


def _shuffle_doubts(table: Table, event: e.ShoePrepared) -> Iterator[Phrase]:
    """A shoe of a shared shuffle against the shuffle that was begun, and what was added to it."""
    shuffle = table.shuffle
    if shuffle is None or (shuffle.shoe, shuffle.commitment) != (event.shoe, event.house):
        yield Phrase("the shoe was not made of the shuffle that was begun")
        return
    if event.parts != shuffle.in_order():
        yield Phrase("the shoe was not made of what was added to the shuffle")
    beacon = event.beacon
    if (None if beacon is None else structs.replace(beacon, signature="", previous="")) != shuffle.beacon:
        yield Phrase("the shoe was made with another round of the beacon")
    if not (event.order and shuffle.entropy):
        return
    if mixed_order(table, event.shoe, shuffle.entropy, event.parts, beacon) != (event.order, event.salt):
        yield Phrase("the order of the shoe is not what its parts come to")


def _reveal_doubts(table: Table, event: e.ShoeEnded) -> Iterator[Phrase]:
    """What is revealed of a shoe against what bound it; sealed, its order is known only now."""
    shoe = table.shoe
    if shoe is None or shoe.kind != "virtual":
        return
    if not event.order:
        yield Phrase("the order of the shoe was never revealed")
        return
    revealed = event.order, event.salt, event.entropy
    if not shoe.lost and revealed != (shoe.order, shoe.salt, shoe.entropy):
        yield Phrase("what is revealed is not what the shoe was made of")
    if commitment(event.order, event.salt) != shoe.commitment:
        yield Phrase("the shoe is not the one it was bound to")
    if shoe.house:
        if not event.entropy or house_commitment(event.entropy) != shoe.house:
            yield Phrase("the house's entropy is not what it was bound to")
        elif mixed_order(table, shoe.number, event.entropy, shoe.parts, shoe.beacon) != revealed[:2]:
            yield Phrase("the order of the shoe is not what its parts come to")


def _settlement_doubts(table: Table, event: e.RoundSettled) -> Iterator[Phrase]:
    this_round = table.require_round()
    if round_settled(table, this_round, round_result(table, this_round)) != event:
        yield Phrase("the settlement is not what cards and bets come to")


def _reopening_doubts(table: Table, event: e.SettlementReopened) -> Iterator[Phrase]:
    if table.round is None or tuple(lines_to_judge(table.round.lines)) != event.reversed:
        yield Phrase("what is reversed is not what was settled")


def _return_doubts(table: Table, event: e.RoundVoided | e.BetsReturned) -> Iterator[Phrase]:
    """What is given back against what lies on the table."""
    live = () if table.round is None else table.round.live()
    staked = [Returned(bet.key, bet.player, bet.stake) for bet in live]
    returned = set(event.returned)
    whole = isinstance(event, e.BetsReturned) or len(returned) == len(staked)
    if not (whole and len(returned) == len(event.returned) and returned.issubset(staked)):
        yield Phrase("what is returned is not what was staked")


def _taking_back_doubts(table: Table, event: e.BetReduced | e.BetCut) -> Iterator[Phrase]:
    this_round = table.require_round()
    if event.key not in this_round.bets or not 0 < event.amount <= this_round.bets[event.key].stake:
        yield Phrase("more is taken back than lies there")


def _card_doubts(table: Table, event: e.CardDealt) -> Iterator[Phrase]:
    if (due := _due_card(table, event)) != event.card:
        yield Phrase("{card} was dealt, {due} was next", card=event.card, due=due)


def _due_card(table: Table, event: e.CardDealt) -> str:
    """The card that had to come, as far as the record knows it."""
    if event.carried:
        return table.carried[0] if table.carried else Phrase("no card")
    if table.shoe is not None and table.shoe.kind == "virtual" and not table.shoe.lost:
        return table.shoe.order[table.shoe.dealt]
    return event.card


def _correction_doubts(table: Table, event: e.RoundCorrected) -> Iterator[Phrase]:
    """A round that was put right: what it reverses was paid, and what it posts is what the cards come to."""
    past = _corrected_round(table, event)
    if past is None:
        yield Phrase("round {number}, which it corrects, is not in the record", number=event.round)
        return
    rules = table.rules_under(past.setup, past.draws)
    if event.rulebook and event.rulebook != rules.book.id:
        yield Phrase("it cites another rulebook than the round was played under")
    settled_lines = {(line.key, line.outcome): line for line in past.lines}
    undone = event.because == "damaged_cards"  # What it reverses is the return of a void, which has no lines.
    if not undone and any(settled_lines.get((line.key, line.outcome)) != line for line in event.reversed):
        yield Phrase("what is reversed is not what was settled")
    if _stakes(event.reversed) != _stakes(event.posted):
        yield Phrase("what is posted is not for the bets that are reversed")
    if _expected_lines(rules, past, event) != event.posted:
        yield Phrase("the correction is not what cards and bets come to")
    if (event.winner, event.points) != _expected_result(table, rules, past, event):
        yield Phrase("the result is not what the cards come to")
    moved = event.because in ("missed_insurance", "misplaced_insurance")
    if (moved or any(line.given_back for line in event.posted)) and (
        (event.player, event.banker) != (past.player, past.banker)
    ):
        yield Phrase("no card of that round was another")


def _expected_result(table: Table, rules: Table, past: Past, event: e.RoundCorrected) -> tuple[str, int]:
    """The result a correction has to come to: none for a void, that of old where every outcome stands."""
    if event.void:
        return "", 0
    if finality_cite(table, rules, past.number) is not None:
        return past.winner, past.points
    result = finish_round(rules.book, parse_cards(event.player), parse_cards(event.banker))
    return result.winner, result.points


def _corrected_round(table: Table, event: e.RoundCorrected) -> Past | None:
    """The round that is corrected, as it stood before."""
    this_round = table.round
    if this_round is not None and this_round.number == event.round:
        return past_of(this_round)
    return table.past_round(event.round)


def _expected_lines(rules: Table, past: Past, event: e.RoundCorrected) -> tuple[PaidLine, ...]:
    """The lines a correction has to post, worked out anew."""
    if any(line.given_back for line in event.posted):
        return return_for_good(event.reversed, rules.book.cite(event.cites[0]))
    hands = parse_cards(event.player), parse_cards(event.banker)
    if event.because == "damaged_cards":
        return event.posted  # Which card could not be made out is not in the record.
    if event.void:
        return void_past_round(rules, past, hands, event.cites).posted
    if not event.posted:
        return ()
    bets = bets_of(event.reversed)
    if event.because == "misplaced_insurance":
        bets = [_move_insurance(rules, hands, bet) for bet in bets]
    originals = original_bets(rules, bets_of(past.lines))
    return tuple(settle_bets(rules, finish_round(rules.book, *hands), bets, originals))


def _move_insurance(rules: Table, hands: Hands, bet: Placed | Insured) -> Placed | Insured:
    """Insurance on the other hand, at the odds that were on offer there."""
    assert isinstance(bet, Insured)
    hand = opposite(bet.hand)
    for offer in offers_of_round(rules.book, finish_round(rules.book, *hands)):
        if (offer.hand, offer.window) == (hand, bet.window):
            return replace(bet, hand=hand, odds=str(offer.odds), astray=False)
    return bet


def _stakes(lines: Iterable[PaidLine]) -> Counter[tuple[int, str, int, Window | None]]:
    """What was staked on each bet; Insurance may have been moved, and a bet may have two lines."""
    stakes: Counter[tuple[int, str, int, Window | None]] = Counter()
    for line in lines:
        stakes[line.key, line.player, line.box, line.window] += line.stake
    return stakes


_DOUBTS: Final[Mapping[type[e.Event], Callable[[Table, Any], Iterator[Phrase]]]] = {
    e.TableSet: _set_up_doubts,
    e.ShuffleBegun: _begun_doubts,
    e.ShoePrepared: _shoe_doubts,
    e.ShoeEnded: _reveal_doubts,
    e.CardDealt: _card_doubts,
    e.RoundSettled: _settlement_doubts,
    e.SettlementReopened: _reopening_doubts,
    e.RoundVoided: _return_doubts,
    e.BetsReturned: _return_doubts,
    e.BetReduced: _taking_back_doubts,
    e.BetCut: _taking_back_doubts,
    e.RoundCorrected: _correction_doubts,
}
"""What is asked of an event before it is folded; all that other events say follows from the fold."""
