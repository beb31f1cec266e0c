"""What a paragraph can be answered by: a closed list of behaviours, each with the room it lives in.

A document's index ties every paragraph to one or more of these names or says why nothing can answer
for it. A room shows where it keeps a promise in its own `answers` module; a name whose room has none
yet is counted as awaited, never as answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A promise the system makes, and the room that keeps it."""

    room: str
    sentence: str


_RULEBOOK = {
    "layouts": "The layouts of the appendix, with their positions and boxes.",
    "bets_on_offer": "Which bets exist, and which of them a layout offers.",
}

_GAME = {
    "decks": "Four to ten decks of 52 cards; no card more often than the decks hold it.",
    "card_values": "What each rank is worth.",
    "hands": "The cards dealt to Player and to Banker.",
    "point_total": "The last digit of the sum of a hand's cards.",
    "dealing_order": "Who gets which of the first four cards.",
    "natural": "Two cards making 8 or 9 end the drawing for both hands.",
    "player_third_card": "Whether the Player Hand draws.",
    "banker_third_card": "Whether the Banker Hand draws.",
    "winner": "The higher total wins; equal totals tie.",
    "tie_returns": "What a tie gives back.",
    "bet_wins": "When a bet wins and when it loses.",
    "bet_pays": "What a winning bet pays.",
    "commission": "What the House keeps of a winning Banker bet.",
    "insurance_right": "Insurance needs an Original Bet on that hand, and pays when that hand loses.",
    "insurance_windows": "When Insurance is on offer.",
    "insurance_limit": "How much Insurance may be bet.",
    "insurance_pays": "The odds of each situation.",
    "insurance_on_tie": "Which Insurance a tie returns and which it pays.",
    "outcome_established": "Which bets have already won or lost, whatever cards follow.",
}

_TABLE = {
    "in_force": "A table opens only under a rulebook in force at that moment.",
    "open_bets": "Betting opens with the dealer's announcement.",
    "posted_limits": "Minimum and maximum Differential are shown at the table.",
    "bet_within_limits": "Bets are placed within the limits.",
    "share_box": "A box may be filled up by other players.",
    "close_bets": "No bet after the dealer closes the betting.",
    "round": "A round runs from the opening of bets to the last settlement.",
    "differential": "The difference between the two sides of a box.",
    "roles": "Who deals, who supervises, who decides.",
    "seated_player": "A seated player has a box.",
    "standing_player": "A standing player bets in a seated player's box.",
    "squeeze_right": "Who may ask to squeeze a card.",
    "squeeze_waiver": "Squeeze requests that waive Insurance after the Player's third card.",
    "private_table": "A private table may ask not to be offered Insurance.",
    "reconstruction": "Cards put back into their intended order.",
    "card_recorded_wrongly": "A card recorded wrongly is put right; the cards on the table decide.",
    "players_options": "What each player may choose after a dealing error.",
}

_IRREGULARITIES = {
    "excess_differential": "A box beyond the maximum Differential.",
    "below_minimum": "A bet below the minimum.",
    "insurance_forgone": "Insurance not bet before the next card.",
    "walked_away": "A player who leaves after betting.",
    "technical_interruption": "The round cannot go on for technical reasons.",
    "foreign_card": "A card that is not of the set.",
    "wrong_deck": "A deck with cards missing or too many.",
    "wrong_number_of_cards": "A hand with a wrong number of cards that cannot be put right.",
    "shoe_ran_dry": "Too few cards left to finish the round.",
    "unshuffled_cards": "Cards that were not shuffled.",
    "earlier_rounds": "What happened in earlier rounds stands.",
    "late_bet": "A bet after the close.",
    "cut_card": "The cut card appears.",
    "cut_card_first": "The cut card is the first card of a round in a high-limit area.",
    "withdrawal_too_late": "Withdrawal asked for after a card was dealt.",
    "withdrawal_not_offered": "The dealer did not offer the withdrawal.",
    "excess_cards": "Cards drawn in excess or exposed.",
    "swapped_hands": "Cards dealt to the wrong side or to the wrong person.",
    "face_up_cards": "Cards dealt face up at a face-down table.",
    "simultaneous_cards": "Cards drawn together.",
    "equipment_reset": "Shoe or shuffler has to be reset.",
    "damaged_cards": "A card damaged or lost so that it cannot be read.",
    "late_noticed_error": "An error noticed only after the next round began.",
    "broke_table_of_play": "An earlier round found not to follow the Table of Play.",
    "dealing_error": "Any other dealing error.",
    "missed_insurance": "The dealer did not offer Insurance.",
    "misplaced_insurance": "Insurance put on the wrong side.",
    "misplaced_bet": "A bet is settled where it lies.",
    "wrong_display": "A display that differs from the table.",
    "void": "A void round returns every bet.",
    "bet_by_staff": "Staff place a bet for a player.",
    "unprovided_matter": "Something the rules do not provide for.",
}

IRREGULARITIES: Final = frozenset(_IRREGULARITIES)

BEHAVIOURS: Final = MappingProxyType(
    {
        name: Behaviour(room, sentence)
        for room, names in (
            ("rulebook", _RULEBOOK),
            ("game", _GAME),
            ("table", _TABLE),
            ("table", _IRREGULARITIES),
        )
        for name, sentence in names.items()
    }
)
