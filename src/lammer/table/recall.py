"""An earlier round found again in the events, so that it can be corrected however long ago it was played.

A table keeps its latest rounds at hand and recalls older ones through whoever holds its record. What that
takes is here: which events of the record make up a round, and the round they come to. It reads no files;
the events are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from lammer.rulebook.model import Rulebook
from lammer.table import events as e
from lammer.table.fold import correct_past, evolve, past_of
from lammer.table.setup import SetUp
from lammer.table.state import Past, Recall, Table


def round_from(
    books: Mapping[str, Rulebook], setup: SetUp, number: int, events: Iterable[e.Event], corrections: int
) -> Past | None:
    """The round these events come to, under the set-up it was opened with and with so many corrections of it.

    `events` begin with its `BettingOpened` and may go on to the end of the record: what belongs to other
    rounds is passed over. None if the round was not settled or voided, or concluded without play.
    """
    table = Table(books)
    table.set_to(setup)
    past: Past | None = None
    for event in events:
        if isinstance(event, e.RoundCorrected):
            corrections -= event.round == number
            if event.round != number or corrections < 0:
                continue
        if past is not None:
            past = correct_past(past, event) if isinstance(event, e.RoundCorrected) else past
        elif table.round is not None and _begins_another(setup, event):
            past = _past_if_ended(table)
            if past is None:
                return None
        elif not isinstance(event, _BESIDE_THE_ROUND):
            if isinstance(event, e.CardDealt) and event.carried:
                table.carried.append(event.card)
            evolve(table, event)
    return past if past is not None else _past_if_ended(table)


_BESIDE_THE_ROUND: Final = (
    e.TableSet, e.BankFilled, e.BankCredited, e.ChipsBrought, e.ChipsTaken, e.SeatTaken, e.SeatLeft,
    e.ShoePrepared, e.ShoeEnded, e.CardExposed, e.StaffBetsAllowed, e.PitCalled, e.PitCallAnswered,
    e.TableClosed, e.TableOpened, e.ShuffleBegun, e.EntropyAdded, e.ShuffleAbandoned,
    e.ClosingAnnounced, e.ClosingTakenBack,
)  # fmt: skip
"""What happens at the table while a round is on it and has no part in it."""


def _begins_another(setup: SetUp, event: e.Event) -> bool:
    """Whether this ends the time in which the round lies on the table: other rules, or the next round."""
    return isinstance(event, e.BettingOpened) or (
        isinstance(event, e.TableSet) and not setup.plays_like(event.setup)
    )


def _past_if_ended(table: Table) -> Past | None:
    this_round = table.round
    return past_of(this_round) if this_round is not None and this_round.phase in ("settled", "void") else None


def recall_from(books: Mapping[str, Rulebook], read: Callable[[], Iterator[e.Event]]) -> Recall:
    """Recall rounds by reading all events again, from the first; for journals that lie in memory or a file.

    >>> from lammer import rulebook
    >>> from lammer.table.script import run
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> deal = {"by": "dealer", "do": "deal_cards", "cards": "KS KD 9H 7C"}
    >>> names = ("open_bets", "close_bets", "", "settle", "open_bets")
    >>> steps = [{"by": "dealer", "do": name} if name else deal for name in names]
    >>> done = run({book.id: book}, {"rulebook": book.id, "layout": "A", "step": steps})
    >>> recall = recall_from({book.id: book}, lambda: (entry.event for entry in done.journal))
    >>> recall(1, 0).winner, recall(2, 0)
    ('player', None)
    """

    def recall(number: int, corrections: int) -> Past | None:
        events = read()
        setup: SetUp | None = None
        for event in events:
            if isinstance(event, e.TableSet):
                setup = event.setup
            elif isinstance(event, e.BettingOpened) and event.round == number:
                assert setup is not None, "a round was opened before the table was set up"
                return round_from(books, setup, number, chain([event], events), corrections)
        return None

    return recall
