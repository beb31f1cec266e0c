"""Refusals: every "no" has a stable code, a sentence, a citation and the next lawful step.

Codes are listed in order of precedence: where several hold of an input, the first is given; bets, and
then Insurance, are looked at one after the other. A code is never renamed and never used for something
else; new ones are added where they belong in the order.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from lammer.rulebook.citation import Citation

CODES: Final = MappingProxyType(
    {
        "malformed_input": "The input is not the JSON that was asked for.",
        "unknown_rulebook": "No rulebook of that name is on the shelf or in that file.",
        "defective_rulebook": "The rulebook has defects; they are listed all at once.",
        "unknown_reading": "The rulebook lists no such reading, or no such choice for it.",
        "unknown_layout": "The document has no appendix of that letter.",
        "impossible_decks": "The document allows another number of decks.",
        "not_a_card": "A card is a rank and a suit, such as 9H.",
        "impossible_card": "More of one card than the decks hold.",
        "too_few_cards": "The round is not over with these cards.",
        "too_many_cards": "The round was over before these cards ran out.",
        "no_completion": "No round dealt by the rules can show these cards in these places.",
        "not_an_amount": "An amount is a positive number of dollars with at most two decimals.",
        "amount_too_large": "An amount no table takes; a slip of the keyboard.",
        "unknown_bet": "The document knows no bet of that name.",
        "not_on_this_layout": "The document has the bet, this layout does not offer it.",
        "not_a_player": "A bet needs a name to be paid to.",
        "no_such_box": "The layout has fewer betting boxes.",
        "does_not_pay_evenly": "The table takes only stakes whose winnings come out in whole cents.",
        "no_insurance_here": "The document has no Insurance.",
        "insurance_not_on_offer": "No Insurance was on offer on that hand in that window.",
        "nothing_to_insure": "Insurance needs an Original Bet on that hand in that box.",
        "insurance_above_original_bet": "Insurance may not exceed the Original Bet it insures.",
        "maximum_not_given": "This Insurance is limited by the table's maximum, which is not given.",
        "insurance_above_share_of_maximum": "Insurance at these odds is limited to a share of the maximum.",
        "impossible_shoe": "No round can be dealt from such a shoe.",
        "not_odds": "Odds are written like 50:1 or 3:2.",
        "impossible_run": "A simulation or a count cannot be run like that.",
        "unknown_format": "Files of that kind are not written.",
        "cannot_write": "The file could not be written.",
        "extra_missing": "An optional part is not installed.",
        "no_gpu": "This machine has no GPU that can be used.",
        "cluster_silent": "The cluster does not answer.",
        "texts_do_not_tell": "No document we hold says what was in force then.",
        "table_not_set_up": "Nothing can happen at a table before it is set up.",
        "not_your_role": "The rules give this to somebody else, or to somebody higher.",
        "not_your_bet": "A player acts for himself; staff may act at a player's request.",
        "needs_players_leave": "A player with a login has not allowed staff to act for them at this table.",
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
        "sqlite_too_old": "The SQLite that was found can damage its own log.",
        "unknown_database": "The record is kept in a SQLite file or in PostgreSQL.",
        "database_missing": "There is no database to read.",
        "database_in_use": "A SQLite file belongs to one process at a time.",
        "database_not_ours": "The database holds tables Lammer did not make.",
        "database_too_new": "A later Lammer made this database.",
        "database_out_of_date": "An earlier Lammer made this database, and nothing may be changed now.",
        "database_not_empty": "A backup is restored into an empty database.",
        "server_not_durable": "The database server is set up to lose what it acknowledged.",
        "backup_missing": "There is no such copy to restore.",
        "backup_damaged": "The backup is not whole, or was changed.",
        "key_exposed": "A private key can be read by others.",
        "record_damaged": "What is read from the record is not what was written to it.",
        "clock_in_doubt": "The clock is far from the latest time in the record; a person has to look.",
        "checkpoints_disagree": "The checkpoint file knows more than the record does.",
        "key_reused": "An idempotency key belongs to one request.",
        "table_held_elsewhere": "Another process decides for this table now.",
        "table_moved_on": "The table has moved on since this was decided.",
        "too_many_attempts": "Too many sign-ins were tried; the next one waits.",
        "too_many_streams": "So many live streams are open that a further one waits.",
        "sign_in_failed": "The name or the password is wrong.",
        "account_disabled": "The account is disabled.",
        "link_not_valid": "The sign-in link was used already, is too old, or never was one.",
        "unknown_role": "The house has no such role.",
        "no_such_account": "There is no account of that name.",
        "account_exists": "There is an account of that name already.",
        "weak_password": "The password is one that others would try.",
        "last_administrator": "A house keeps at least one administrator.",
        "second_factor_needed": "Signing in to this account takes a second factor too.",
        "second_factor_missing": "The house asks its staff for a second factor; none is set up.",
        "wrong_code": "The code is wrong, or was used already.",
        "passkey_refused": "The passkey does not fit what it was asked.",
        "half_sign_in_over": "The sign-in took too long, or was tried too often, before its second factor.",
        "second_factor_set": "There is a second factor of that kind already.",
        "no_second_factor": "The account has no such second factor.",
        "second_factor_off": "This house uses no second factor.",
        "unknown_purpose": "No key is made for that purpose.",
        "store_unavailable": "The record cannot be reached or written just now.",
        "unknown_table": "There is no such table in the house.",
        "unknown_round": "The table has no such round.",
        "table_exists": "There is a table of that name already.",
        "table_stopped": "Something of ours went wrong at this table; nothing was written.",
        "not_enough_chips": "A player cannot stake, bring or take away more chips than they have.",
        "chips_not_counted": "In this house nobody counts chips; there is no purse to bring them from.",
        "unknown_proposal": "Nothing of that number waits for a second person.",
        "same_person": "Nobody agrees to what he asked for himself.",
        "not_signed_in": "This needs a person who is signed in, or a key.",
        "wrong_origin": "The request does not come from a page of this house.",
        "wrong_host": "The request is for a house of another name.",
        "address_in_use": "Somebody else listens there, or nobody may.",
        "shutting_down": "The house is closing; nothing new is begun.",
        "work_under_way": "The house does one piece of long work at a time.",
    }
)


class Refused(Exception):  # noqa: N818 (a refusal is an answer, not a fault)
    """Something the rules, or plain sense, do not allow; nothing was done.

    >>> print(Refused("not_a_card", "1X is not a card.", next_step="Write 9H for the nine of hearts."))
    Refused not_a_card: 1X is not a card. Write 9H for the nine of hearts.
    """

    def __init__(
        self, code: str, sentence: str, citation: Citation | None = None, *, next_step: str = ""
    ) -> None:
        assert code in CODES, f"refusal code {code!r} is not in the list"
        super().__init__(code, sentence, citation, next_step)
        self.code = code
        self.sentence = sentence
        self.citation = citation
        self.next_step = next_step

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would call `__init__` with everything by position, which it refuses; other processes need it.
        return type(self).__new__, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        told = self.sentence
        if self.citation is not None:
            told = f"{told.removesuffix('.')} ({self.citation})."
        return f"Refused {self.code}: {told}{' ' if self.next_step else ''}{self.next_step}"
