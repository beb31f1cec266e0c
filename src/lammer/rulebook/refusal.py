"""Refusals: every "no" has a stable code, a sentence, a citation and the next lawful step.

Codes are listed in order of precedence: where several hold of an input, the first is given; bets, and
then Insurance, are looked at one after the other. A code is never renamed and never used for something
else; new ones are added where they belong in the order.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

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
        "texts_do_not_tell": "No document we hold says what was in force then.",
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

    def __str__(self) -> str:
        told = self.sentence
        if self.citation is not None:
            told = f"{told.removesuffix('.')} ({self.citation})."
        return f"Refused {self.code}: {told}{' ' if self.next_step else ''}{self.next_step}"
