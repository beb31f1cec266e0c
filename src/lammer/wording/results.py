"""The result of a round in a sentence; it knows points and nothing of tables or events."""

from __future__ import annotations

from lammer.wording.catalogues import Language, say


def result_words(language: Language, player: int, banker: int) -> str:
    """Who wins with these points, and by what.

    >>> result_words("en", 6, 9), result_words("en", 7, 7), result_words("zh", 6, 9)
    ('Banker wins 9 to 6', 'Tie on 7', '庄 9 点赢闲 6 点')
    """
    if player == banker:
        return say(language, "Tie on {points}", points=player)
    if player > banker:
        return say(language, "Player wins {own} to {other}", own=player, other=banker)
    return say(language, "Banker wins {own} to {other}", own=banker, other=player)
