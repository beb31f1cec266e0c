"""The chips an amount is paid with, in a line."""

from __future__ import annotations

from lammer.game.chips import chips_for
from lammer.wording.catalogues import Language
from lammer.wording.figures import write_chips


def chips_in_words(language: Language, cents: int) -> str:
    """The chips of an amount as a dealer counts them out, and the cents that no chip pays.

    >>> chips_in_words("en", 1_230_50), chips_in_words("en", 500_00)
    ('1,000 + 2 × 100 + 25 + 5 + 0.50', '500')
    """
    chips, left = chips_for(cents)
    parts = [
        f"{count} × {write_chips(language, worth * 100)}" if count > 1 else write_chips(language, worth * 100)
        for worth, count in chips
    ]
    return " + ".join([*parts, write_chips(language, left)] if left else parts)
