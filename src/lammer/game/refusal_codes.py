"""What a game refuses: cards, amounts, bets and Insurance that cannot be.

In order of precedence: where several hold of an input, the first is given; bets, and then Insurance, are
looked at one after the other. A bet's amount comes before what the rulebook says of the bet.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "impossible_decks": "The document allows another number of decks.",
        "not_a_card": "A card is a rank and a suit, such as 9H.",
        "impossible_card": "More of one card than the decks hold.",
        "too_few_cards": "The round is not over with these cards.",
        "too_many_cards": "The round was over before these cards ran out.",
        "no_completion": "No round dealt by the rules can show these cards in these places.",
        "not_an_amount": "An amount is a positive number of dollars with at most two decimals.",
        "amount_too_large": "An amount no table takes; a slip of the keyboard.",
        "not_a_player": "A bet needs a name to be paid to.",
        "no_such_box": "The layout has fewer betting boxes.",
        "does_not_pay_evenly": "The table takes only stakes whose winnings come out in whole cents.",
        "no_insurance_here": "The document has no Insurance.",
        "insurance_not_on_offer": "No Insurance was on offer on that hand in that window.",
        "nothing_to_insure": "Insurance needs an Original Bet on that hand in that box.",
        "insurance_above_original_bet": "Insurance may not exceed the Original Bet it insures.",
        "maximum_not_given": "This Insurance is limited by the table's maximum, which is not given.",
        "insurance_above_share_of_maximum": "Insurance at these odds is limited to a share of the maximum.",
        "insurance_above_share_of_original": "The Original Bet limits this Insurance to less than itself.",
        "drawing_not_chosen": "The hand may draw or stand here, and it has not been said which.",
        "insured_before": "In this rulebook a bet is insured in one window of a round only.",
    }
)
