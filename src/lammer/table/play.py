"""`decide`: a call meets the table's state and becomes events, or is refused and nothing happens.

`record` does both halves: it decides and folds, and hands out what happened. Every command has one
handler, in the module named after its part of the work; this one only knows where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from lammer.table import (
    betting,
    closing,
    commands as c,
    corrections,
    dealing,
    ending,
    insurance_errors,
    insuring,
    irregularities,
    seating,
    shuffling,
)
from lammer.table.events import Event, RoundConcluded, RoundSettled, RoundVoided
from lammer.table.fold import evolve
from lammer.table.state import Table

HANDLERS: Final[dict[type, Callable[[Table, c.Call, Any], Iterator[Event]]]] = {
    c.SetTable: seating.set_table,
    c.FillBank: seating.fill_bank,
    c.CreditBank: seating.credit_bank,
    c.BringChips: seating.bring_chips,
    c.TakeChips: seating.take_chips,
    c.TakeSeat: seating.take_seat,
    c.LeaveSeat: seating.leave_seat,
    c.AllowStaffBets: seating.allow_staff_bets,
    c.PrepareShoe: seating.prepare_shoe,
    c.EndShoe: seating.end_shoe,
    c.OpenBets: betting.open_bets,
    c.PlaceBet: betting.place_bet,
    c.WithdrawBet: betting.withdraw_bet,
    c.RefuseExcess: betting.refuse_excess,
    c.CloseBets: betting.close_bets,
    c.DealCard: dealing.deal_card,
    c.ExposeCard: irregularities.expose_card,
    c.NoteSwappedCards: irregularities.note_swapped_cards,
    c.CorrectCard: corrections.correct_card,
    c.OpenCard: dealing.open_card,
    c.RequestSqueeze: dealing.request_squeeze,
    c.AnswerSqueeze: dealing.answer_squeeze,
    c.PlaceInsurance: insuring.place_insurance,
    c.AnnounceInsurance: insuring.announce_insurance,
    c.DeclineInsurance: insuring.decline_insurance,
    c.Settle: ending.settle,
    c.Interrupt: ending.interrupt,
    c.ResolveInterruption: ending.resolve_interruption,
    c.VoidRound: ending.void_round,
    c.ShowCutCard: irregularities.show_cut_card,
    c.CloseWithdrawal: irregularities.close_withdrawal,
    c.MissedWithdrawal: irregularities.missed_withdrawal,
    c.Reconstruct: irregularities.reconstruct,
    c.NoteFaceUp: irregularities.note_face_up,
    c.OrderSimultaneous: irregularities.order_simultaneous,
    c.ResetEquipment: irregularities.reset_equipment,
    c.JudgeDamagedCard: irregularities.judge_damaged_card,
    c.NoteDealingError: irregularities.note_dealing_error,
    c.ConfirmError: irregularities.confirm_error,
    c.ChooseOption: irregularities.choose_option,
    c.CloseOptions: irregularities.close_options,
    c.ReopenSettlement: corrections.reopen_settlement,
    c.NoteLateError: corrections.note_late_error,
    c.CorrectRound: corrections.correct_round,
    c.OfferMissedInsurance: insurance_errors.offer_missed_insurance,
    c.RepositionInsurance: insurance_errors.reposition_insurance,
    c.NoteWrongDisplay: corrections.note_wrong_display,
    c.RuleOnMatter: corrections.rule_on_matter,
    c.ChooseDrawing: dealing.choose_drawing,
    c.CallPit: closing.call_pit,
    c.AnswerPitCall: closing.answer_pit_call,
    c.CloseTable: closing.close_table,
    c.OpenTable: closing.open_table,
    c.BeginShuffle: shuffling.begin_shuffle,
    c.AddEntropy: shuffling.add_entropy,
    c.AbandonShuffle: shuffling.abandon_shuffle,
    c.KeepTableOpen: closing.keep_table_open,
}

ENDS_OF_ROUND: Final = (RoundSettled, RoundVoided, RoundConcluded)


def decide(table: Table, call: c.Call) -> tuple[Event, ...]:
    """What happens when this is asked; raises `Refused` where the rules say no."""
    command = call.command
    if not isinstance(command, c.SetTable):
        table.require_setup()
    closing.must_not_be_closed(table, command)
    events = tuple(HANDLERS[type(command)](table, call, command))
    if table.closing_reason is not None and any(isinstance(event, ENDS_OF_ROUND) for event in events):
        events += closing.closed_after_round(_folded(table, events))
    return events


def _folded(table: Table, events: tuple[Event, ...]) -> Table:
    """The table as it will stand after these events; the one handed in stays as it is."""
    # Only a table that closes needs it: whoever merely plays does not wait for this to be imported.
    from lammer.table.snapshot import freeze, thaw  # noqa: PLC0415

    after = thaw(table.books, freeze(table))
    for event in events:
        evolve(after, event)
    return after


def record(table: Table, call: c.Call) -> tuple[Event, ...]:
    """Decide and fold: the events of this call, already part of the table."""
    events = decide(table, call)
    for event in events:
        evolve(table, event)
    return events
