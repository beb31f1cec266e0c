"""The closed words a rulebook may use.

There is no expression language: a document says what it says with these words, and a word that is
not here is a problem `load` reports. Later rooms act on the words; this one only fixes them.
"""

from __future__ import annotations

from typing import Final, Literal

Side = Literal["player", "banker"]
Window = Literal["two_cards", "four_cards", "third_card"]
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
WINDOWS: Final[tuple[Window, ...]] = ("two_cards", "four_cards", "third_card")
TIERS: Final = ("single", "double", "twin")
PAIR_SUITS: Final = ("same", "one_colour", "mixed")

DRAWING: Final = ("draws", "stands", "may_draw")
ALWAYS_DRAWS: Final = "always_draws"
NEVER_DRAWS: Final = "never_draws"
"""The two plays every rulebook knows for the hands that may draw, besides those it names itself."""

ROLES: Final = ("player", "dealer", "pit_supervisor", "pit_manager", "table_game_shift_manager")
DECIDERS: Final = ("dealer", "house", "pit_supervisor", "pit_manager", "table_game_shift_manager", "rules")
DISCRETION: Final = ("none", "reasonable", "absolute", "unqualified")
SQUEEZERS: Final = ("seated_player", "player")

SQUEEZE_REQUESTS: Final = ("squeeze_banker_third_first", "expose_banker_third_first")

# The readings code acts on, with every choice it knows how to follow. The first is what holds where a
# rulebook does not list the reading. A rulebook may list more readings than these.
READINGS: Final[dict[str, tuple[str, ...]]] = {
    "twin_pair": ("same_rank", "same_value"),
    "rounding": ("down_to_the_cent", "even_stakes_only"),
    "outcome_established": ("bets_offered", "bets_placed", "player_and_banker_only"),
    "in_force": ("at_that_moment",),
    "limits_mode": ("strict", "advisory"),
    "highest_bet": ("largest_single_bet", "largest_of_any_kind"),
    "squeeze_order": ("banker_0_1_2", "any_total"),
    "insurance_forgone": ("round", "window"),
    "missed_insurance_odds": ("now_or_missed", "now_only", "missed_only"),
    "insurance_without_window": ("returned",),
    "insurance_of_another_card": ("as_it_really_was", "as_taken"),
    "players_options": ("all_bets_of_the_round", "undecided_bets_only"),
    "simultaneous_cards": ("always", "order_unknown"),
    "after_settlement": ("round_is_over", "as_if_under_way"),
    "extra_card_order": ("proper_order", "strike_where_it_lay"),
    "card_recorded_wrongly": ("cards_on_the_table",),
    "undeterminable_card": ("void_round", "decided_side_bets_stand"),
    "virtual_shoe": ("knows_what_it_dealt",),
}

# The readings a rulebook may not leave to the code: no round is settled without them.
MUST_BE_READ: Final = ("twin_pair", "rounding", "outcome_established")

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
