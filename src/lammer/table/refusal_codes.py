"""What a table refuses, in order of precedence: where several hold of a command, the first is given."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lammer.game.refusal_codes import CODES as OF_GAME
from lammer.rulebook.refusal_codes import CODES as OF_RULEBOOK

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "table_not_set_up": "Nothing can happen at a table before it is set up.",
        "not_your_role": "The rules give this to somebody else, or to somebody higher.",
        "not_your_bet": "A player acts for themselves; staff may act at a player's request.",
        "not_in_force": "The rulebook is not in force at this moment.",
        "not_a_private_table": "Only a private table goes without Insurance, at a named player's request.",
        "no_such_rule": "This document has no paragraph for it; the discretion paragraph is the way.",
        "round_under_way": "This is done between rounds.",
        "no_round": "No round is under way.",
        "round_is_over": "The round ended with its settlement; this is done before that.",
        "round_is_interrupted": "The round is interrupted; a person has to resolve that first.",
        "options_are_open": "Players are being asked what they choose; that comes first.",
        "error_to_be_confirmed": "A dealing error was reported; somebody above the dealer confirms it first.",
        "withdrawal_is_open": "Players may still withdraw; that comes first.",
        "bets_are_closed": "No bet is placed, increased or withdrawn after the close.",
        "another_round": "It was meant for another round than the one at the table.",
        "bets_are_open": "Cards are dealt after the betting is closed.",
        "no_shoe": "There is no shoe to deal from.",
        "shoe_is_over": "The cut card has appeared; this shoe has had its last round.",
        "shoe_in_use": "A shoe is in use.",
        "box_is_taken": "Somebody sits at that box.",
        "already_seated": "The player sits at another box.",
        "not_seated": "The player has no seat.",
        "no_seated_player": "A box is bet on when a player sits there.",
        "seated_player_first": "A standing player bets in a box whose seated player has a bet.",
        "no_such_bet": "There is no such bet on the felt.",
        "below_minimum": "The stake is below the minimum.",
        "above_maximum": "The stake is above the maximum.",
        "over_differential": "The box would exceed the maximum Differential.",
        "within_differential": "No box exceeds the maximum Differential.",
        "card_not_read": "This shoe is read: the card has to be given.",
        "card_comes_from_shoe": "The virtual shoe deals its own cards.",
        "carried_card_first": "A card carried over comes first, and at a face-down table it has no name.",
        "shoe_ran_dry": "The shoe has no card left for this round.",
        "round_is_complete": "The Table of Play calls for no further card.",
        "cards_face_down": "A card that decides the next one is still face down.",
        "card_is_face_up": "That card is face up already.",
        "no_such_card": "No card lies in that place.",
        "cards_misplaced": "Cards lie where the rules did not send them; put that right first.",
        "cards_in_order": "The cards lie where the rules send them.",
        "face_up_not_noted": "A card was dealt face up at a face-down table; that is noted first.",
        "round_not_complete": "The round still needs a card, or a card is still face down.",
        "window_not_open": "Insurance is not open now.",
        "insurance_is_open": "Insurance is open in the ordinary way; nothing was missed.",
        "insurance_was_offered": "The table offered that Insurance itself; it was not missed.",
        "insurance_forgone": "The right to insure was let pass in this round.",
        "insurance_waived": "Insurance after the Player's third card was waived for everyone.",
        "insurance_not_offered_here": "This private table asked not to be offered Insurance.",
        "insurance_announced": "A player has announced Insurance; the next card waits for them.",
        "nothing_announced": "The player has announced no Insurance there.",
        "late_insurance_above_original_bet": "Late Insurance may not win more than the Original Bet.",
        "no_squeeze_right": "The right to squeeze is another's, or not given at this table.",
        "no_squeeze_asked": "Nobody has asked to squeeze.",
        "not_interrupted": "The round is not interrupted.",
        "no_withdrawal": "The cut card gave no withdrawal here.",
        "no_options_asked": "No options are open, or not for this player.",
        "no_error_reported": "No dealing error waits to be confirmed.",
        "one_answer_each": "A player answers once.",
        "not_settled": "The round is not settled, or the next has begun.",
        "next_round_began": "The next round has begun; that round can no longer be changed.",
        "nothing_to_correct": "The record says that already, or the round has no result to correct.",
        "follows_table_of_play": "The cards follow the Table of Play; there is nothing to correct.",
        "breaks_table_of_play": "The cards are no complete round by the Table of Play.",
        "would_not_have_won": "That Insurance would not have won; nothing is returned.",
        "reason_needed": "A ruling needs a written reason.",
        "not_enough_chips": "A player cannot stake, bring or take away more chips than they have.",
        "table_closed": "The table is closed; somebody opens it again first.",
        "table_is_open": "The table is open already.",
        "no_such_call": "No such call to the pit waits for an answer.",
        "announced_before": "An announcement of this window was taken back; nobody is waited for twice.",
        "insurance_declined": "The player has said no to that Insurance already.",
        "no_choice_to_make": "No hand has a choice to draw or stand now, or not this one.",
        "not_your_hand": "Whoever leads the hand chooses for it, or the dealer records what they say.",
        "table_stays_open": "The table does not close after its round; there is nothing to take back.",
    }
)

AT_A_TABLE: Final[Mapping[str, str]] = MappingProxyType({**OF_RULEBOOK, **OF_GAME, **CODES})
"""Whatever a command can be refused with, and so what a script may expect."""
