"""Where the table keeps its promises: each behaviour of this room and the code that answers for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lammer.table import (
    betting,
    corrections,
    dealing,
    ending,
    fold,
    insurance_errors,
    insuring,
    irregularities,
    limits,
    roles,
    seating,
    setup,
    state,
)

_PLAY: dict[str, tuple[Callable[..., object], ...]] = {
    "open_bets": (betting.open_bets,),
    "posted_limits": (setup.SetUp, seating.set_table),
    "bet_within_limits": (betting.place_bet,),
    "share_box": (betting.place_bet,),
    "close_bets": (betting.close_bets, betting.require_betting),
    "in_force": (seating.set_table, seating.must_be_in_force),
    "card_recorded_wrongly": (corrections.correct_card,),
    "round": (betting.open_bets, ending.settle, fold.evolve),
    "differential": (limits.differential,),
    "roles": (roles.must_be, roles.must_decide),
    "seated_player": (seating.take_seat, betting.place_bet),
    "standing_player": (betting.place_bet,),
    "squeeze_right": (dealing.request_squeeze, dealing.highest_bettor),
    "squeeze_waiver": (dealing.request_squeeze, dealing.answer_squeeze),
    "private_table": (setup.must_hold, insuring.window_after, insuring.must_not_be_private),
    "reconstruction": (irregularities.reconstruct, state.Table.proper_order),
    "players_options": (irregularities.choose_option, irregularities.close_options),
}

_IRREGULARITIES: dict[str, tuple[Callable[..., object], ...]] = {
    "excess_differential": (
        betting.refuse_excess,
        betting.close_bets,
        limits.reduce_to_maximum,
        limits.pro_rata,
    ),
    "below_minimum": (betting.place_bet, betting.withdraw_bet, betting.close_bets),
    "insurance_forgone": (insuring.window_passed, insuring.announce_insurance, insuring.place_insurance),
    "walked_away": (seating.leave_seat,),
    "technical_interruption": (ending.interrupt, ending.resolve_interruption, state.Table.outcome),
    "foreign_card": (ending.void_round, dealing.next_card),
    "wrong_deck": (ending.void_round,),
    "wrong_number_of_cards": (ending.void_round, irregularities.reconstruct),
    "shoe_ran_dry": (ending.void_round, dealing.next_card),
    "unshuffled_cards": (ending.void_round,),
    "earlier_rounds": (ending.void_round, corrections.correct_round),
    "late_bet": (betting.require_betting,),
    "cut_card": (irregularities.show_cut_card, betting.open_bets),
    "cut_card_first": (irregularities.show_cut_card, irregularities.close_withdrawal),
    "withdrawal_too_late": (betting.withdraw_bet,),
    "withdrawal_not_offered": (irregularities.missed_withdrawal,),
    "excess_cards": (irregularities.reconstruct, irregularities.expose_card, dealing.next_card),
    "swapped_hands": (irregularities.note_swapped_cards, irregularities.reconstruct),
    "face_up_cards": (irregularities.note_face_up,),
    "simultaneous_cards": (irregularities.order_simultaneous,),
    "equipment_reset": (irregularities.reset_equipment,),
    "damaged_cards": (irregularities.judge_damaged_card,),
    "late_noticed_error": (corrections.note_late_error,),
    "broke_table_of_play": (corrections.correct_round,),
    "dealing_error": (
        irregularities.note_dealing_error,
        irregularities.confirm_error,
        irregularities.offer_options,
    ),
    "missed_insurance": (insurance_errors.offer_missed_insurance, insuring.place_insurance),
    "misplaced_insurance": (insurance_errors.reposition_insurance,),
    "misplaced_bet": (ending.settle,),
    "wrong_display": (corrections.note_wrong_display,),
    "void": (ending.round_voided,),
    "bet_by_staff": (roles.must_act_for,),
    "unprovided_matter": (corrections.rule_on_matter,),
}

ANSWERS: Final = {**_PLAY, **_IRREGULARITIES}
