"""Where this room keeps its promises: each behaviour of the rulebook and the code that answers for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lammer.rulebook.model import Rulebook

ANSWERS: Final[dict[str, tuple[Callable[..., object], ...]]] = {
    "layouts": (Rulebook.layout,),
    "bets_on_offer": (Rulebook.offered, Rulebook.offer),
}
