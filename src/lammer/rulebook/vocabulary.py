"""The closed words a rulebook may use.

There is no expression language: a document says what it says with these words, and a word that is
not here is a problem `load` reports. Later rooms act on the words; this one only fixes them.
"""

from __future__ import annotations

from typing import Final, Literal

Side = Literal["player", "banker"]
Window = Literal["four_cards", "third_card"]
Outcome = Literal["won", "lost", "returned"]


def opposite(side: Side) -> Side:
    """The other hand.

    >>> opposite("player")
    'banker'
    """
    return "banker" if side == "player" else "player"


RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
SIDES: Final[tuple[Side, ...]] = ("player", "banker")
WINDOWS: Final[tuple[Window, ...]] = ("four_cards", "third_card")
TIERS: Final = ("single", "double", "twin")

ROLES: Final = ("player", "dealer", "pit_supervisor", "pit_manager", "table_game_shift_manager")
DECIDERS: Final = ("dealer", "house", "pit_supervisor", "pit_manager", "table_game_shift_manager", "rules")
DISCRETION: Final = ("none", "reasonable", "absolute", "unqualified")
SQUEEZERS: Final = ("seated_player", "player")

SQUEEZE_REQUESTS: Final = ("squeeze_banker_third_first", "expose_banker_third_first")

# The readings code acts on, with every choice it knows how to follow. A rulebook may list more
# readings than these; it may not leave one of these to the code.
READINGS: Final = {
    "twin_pair": ("same_rank", "same_value"),
    "rounding": ("down_to_the_cent", "even_stakes_only"),
    "outcome_established": ("bets_offered", "bets_placed", "player_and_banker_only"),
}

WHEN: Final = (
    "always",
    "noticed_before_close",
    "noticed_after_close",
    "outcome_established",
    "no_outcome",
    "no_outcome_or_not_put_right",
    "no_outcome_or_cannot_be_put_right",
    "cannot_be_reconstructed",
    "can_be_reconstructed",
    "order_unknown",
    "first_card_in_high_limit_area",
    "first_card_and_no_bets_left",
    "a_card_was_dealt",
    "found_in_time_and_cannot_be_reconstructed",
    "card_cannot_be_determined",
    "insurance_would_have_won",
    "next_round_began",
    "third_card_missing",
    "third_card_extra",
    "side_bet_decided",
    "bet_below_minimum",
)

DOES: Final = (
    "refuse_excess",
    "seated_before_standing",
    "cut_pro_rata",
    "keep_at_least_minimum",
    "exempt_from_pro_rata",
    "advise_minimum",
    "bet_stands",
    "forgo_insurance",
    "settle_bet",
    "conclude_round",
    "void_round",
    "earlier_rounds_stand",
    "refuse_bet",
    "remove_cut_card",
    "withdraw_bets",
    "refuse_withdrawal",
    "reconstruct",
    "carry_to_next_round",
    "continue_round",
    "decide_order",
    "replace_shoe",
    "determine_card",
    "later_rounds_stand",
    "strike_out_card",
    "judge_rectification",
    "keep_side_bet",
    "continue_hand",
    "continue_reconstructed_hand",
    "return_bets",
    "offer_insurance",
    "cap_insurance_payout",
    "return_original_bet",
    "except_private_table",
    "reposition_insurance",
    "settle_by_position",
    "table_prevails",
    "place_for_player",
    "rule_on_matter",
)
