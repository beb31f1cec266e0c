"""Drawings of the game as SVG: cards, hands, the felt with its chips, the roads.

Each function returns a string that is a whole picture. It needs no font, no style sheet and no network,
a notebook shows it as it is, and the same input gives the same bytes. What is face down is not in the
picture at all: neither its rank, nor its suit, nor a total that would give it away.

>>> from lammer import draw, parse_cards
>>> picture = draw.card(parse_cards("KH")[0])
>>> picture.startswith("<svg"), "King of hearts" in picture
(True, True)
"""

from lammer.draw.cards import card, hands
from lammer.draw.felt import Chip, felt
from lammer.draw.lines import line_chart
from lammer.draw.roads import Hit, display_next, display_roads, mini_road, roads
from lammer.draw.svg import Svg
from lammer.draw.words import Words

__all__ = [
    "Chip",
    "Hit",
    "Svg",
    "Words",
    "card",
    "display_next",
    "display_roads",
    "felt",
    "hands",
    "line_chart",
    "mini_road",
    "roads",
]
