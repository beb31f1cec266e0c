"""What the second table (tests/support/plain_table.py) has to know of each document, from the five texts.

Only facts which differ by document or which a table may choose stand here; R7 is the reading numbered 7, a
bare number such as 5.1 a paragraph. Which bets a layout offers is said in tests/support/brute_force.py.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from support.brute_force import COMMISSION, DA_HU, NONCOMMISSION_1, NONCOMMISSION_3, NONCOMMISSION_4

SINGAPORE = timezone(timedelta(hours=8))

RULEBOOKS = (COMMISSION, NONCOMMISSION_3, NONCOMMISSION_4, NONCOMMISSION_1, DA_HU)
VERSION_3 = (COMMISSION, NONCOMMISSION_3)  # the texts with cut card, reset, damaged cards, 5.15 and 5.18
WITH_INSURANCE = (COMMISSION, NONCOMMISSION_3, NONCOMMISSION_1, DA_HU)
SEATED_PLAYER_SQUEEZES = (NONCOMMISSION_1, DA_HU)  # 3.9 and 3.14 there say Seated Player

RANK = {"player": 0, "dealer": 1, "pit_supervisor": 2, "pit_manager": 3, "table_game_shift_manager": 4}

# In force from, and superseded by a later version of the same game from (R31).
_IN_FORCE = {
    COMMISSION: (datetime(2025, 11, 21, 8, tzinfo=SINGAPORE), None),
    NONCOMMISSION_3: (datetime(2025, 11, 21, 8, tzinfo=SINGAPORE), None),
    NONCOMMISSION_4: (datetime(2025, 8, 8, 8, tzinfo=SINGAPORE), None),
    NONCOMMISSION_1: (
        datetime(2024, 5, 14, 8, tzinfo=SINGAPORE),
        datetime(2025, 11, 21, 8, tzinfo=SINGAPORE),
    ),
    DA_HU: (datetime(2023, 11, 7, 8, tzinfo=SINGAPORE), None),
}

# Fewest and most boxes by layout, from the headings of the appendices (R19).
_SIX, _FIVE, _MANY = (1, 6), (1, 5), (10, 16)
_POSITIONS = {
    COMMISSION: {"ABCGHJLMNOPQ": _SIX, "DEFI": _FIVE, "K": _MANY},
    NONCOMMISSION_3: {"ABCGHJLMNOPQ": _SIX, "DEFI": _FIVE, "K": _MANY},
    NONCOMMISSION_4: {"ABCGHJOPQ": _SIX, "DEFILMN": _FIVE, "KR": _MANY},
    NONCOMMISSION_1: {"ABCGHJ": _SIX, "DEFI": _FIVE, "K": _MANY},
    DA_HU: {"ABCDEFGHIJKLMNOPQR": (1, 16)},
}

# Readings a table may choose: the first choice is ours; in which documents the question arises at all.
READINGS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "limits_mode": (("strict", "advisory"), RULEBOOKS),  # R8
    "rounding": (("down_to_the_cent", "even_stakes_only"), RULEBOOKS),  # R18
    "outcome_established": (("bets_offered", "bets_placed", "player_and_banker_only"), RULEBOOKS),  # R9
    "players_options": (("all_bets_of_the_round", "undecided_bets_only"), RULEBOOKS),  # R11
    "simultaneous_cards": (("always", "order_unknown"), RULEBOOKS),  # R11
    "after_settlement": (("round_is_over", "as_if_under_way"), RULEBOOKS),  # R12
    "highest_bet": (("largest_single_bet", "largest_of_any_kind"), RULEBOOKS),  # R16
    "twin_pair": (("same_rank", "same_value"), (COMMISSION, NONCOMMISSION_3, NONCOMMISSION_4, DA_HU)),  # R26
    "insurance_forgone": (("round", "window"), WITH_INSURANCE),  # R6
    "squeeze_order": (("banker_0_1_2", "any_total"), WITH_INSURANCE),  # R21
    "missed_insurance_odds": (("now_or_missed", "now_only", "missed_only"), WITH_INSURANCE),  # R14
    "insurance_of_another_card": (("as_it_really_was", "as_taken"), WITH_INSURANCE),  # R28
    "extra_card_order": (("proper_order", "strike_where_it_lay"), VERSION_3),  # R13
    "undeterminable_card": (("void_round", "decided_side_bets_stand"), VERSION_3),  # R30
}

# The least role of a command, where it is always the same; "house" is whoever the set-up says. Commands which
# a player may give for themselves have the role of a player here.
LEAST_ROLE = {
    "set_table": "pit_manager",
    "fill_bank": "pit_supervisor",
    "credit_bank": "pit_supervisor",
    "bring_chips": "player",
    "take_chips": "player",
    "take_seat": "player",
    "leave_seat": "player",
    "allow_staff_bets": "player",  # the player alone
    "call_pit": "dealer",
    "answer_pit_call": "pit_supervisor",
    "close_table": "pit_manager",
    "open_table": "pit_manager",
    "keep_table_open": "pit_manager",
    "prepare_shoe": "dealer",
    "end_shoe": "dealer",
    "open_bets": "dealer",
    "place_bet": "player",
    "withdraw_bet": "player",
    "refuse_excess": "house",
    "close_bets": "dealer",
    "deal_card": "dealer",
    "open_card": "player",
    "request_squeeze": "player",
    "answer_squeeze": "pit_supervisor",
    "place_insurance": "player",
    "announce_insurance": "player",
    "decline_insurance": "player",
    "choose_drawing": "player",
    "settle": "dealer",
    "interrupt": "dealer",
    "resolve_interruption": "pit_supervisor",
    "void_round": "pit_supervisor",
    "show_cut_card": "dealer",
    "close_withdrawal": "dealer",
    "missed_withdrawal": "dealer",
    "expose_card": "dealer",
    "note_swapped_cards": "dealer",
    "reconstruct": "dealer",  # excess cards: the House; a void: a Pit Supervisor
    "note_face_up": "dealer",
    "order_simultaneous": "pit_supervisor",
    "reset_equipment": "dealer",
    "judge_damaged_card": "house",
    "note_dealing_error": "dealer",  # confirmed by a Pit Supervisor or above before anybody chooses
    "confirm_error": "pit_supervisor",
    "choose_option": "player",
    "close_options": "dealer",
    "reopen_settlement": "pit_supervisor",
    "note_late_error": "dealer",
    "note_wrong_display": "dealer",
    "correct_card": "dealer",  # the House, but for a slip of the last card
    "correct_round": "house",
    "offer_missed_insurance": "pit_manager",
    "reposition_insurance": "dealer",
    "rule_on_matter": "table_game_shift_manager",
}


def in_force(rulebook: str, at: datetime) -> bool:
    """Whether this is the document in force for its game at that moment (R31)."""
    if at.tzinfo is None:
        at = at.replace(tzinfo=SINGAPORE)
    begins, ends = _IN_FORCE[rulebook]
    return begins <= at and (ends is None or at < ends)


def positions(rulebook: str, layout: str) -> tuple[int, int] | None:
    """Fewest and most boxes of a layout; None where the document has no such appendix."""
    for letters, fewest_and_most in _POSITIONS[rulebook].items():
        if len(layout) == 1 and layout in letters:
            return fewest_and_most
    return None
