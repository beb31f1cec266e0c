"""How a table is set up: rulebook, layout, limits, dealing, readings.

Decided before the first round, changed only between rounds and only by a Pit Manager or above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lammer.game.money import show
from lammer.game.shoe import must_allow_decks
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the most a single bet may be, in cents; 0 as the most sets no limit of its own."""

    minimum: int
    maximum: int = 0


@dataclass(frozen=True, slots=True)
class SetUp:
    """Everything a table decides for itself.

    `limits` holds bets by name; `original` and `side` stand for those not named. `differential` is the
    maximum permissible Differential of a box. `decks` fills the shoe; `cut` cards lie behind the cut card
    (0: none is used). `insurance` off makes it a private table that asked not to be offered any.
    """

    rulebook: str
    layout: str
    boxes: int = 0
    decks: int = 8
    limits: Mapping[str, Limits] = field(
        default_factory=lambda: {"original": Limits(1_00), "side": Limits(1_00)}
    )
    differential: int = 10_000_00
    face_down: bool = False
    high_limit: bool = False
    insurance: bool = True
    shoe: Literal["virtual", "read"] = "virtual"
    cut: int = 0
    readings: Mapping[str, str] = field(default_factory=dict)

    def limit(self, book: Rulebook, bet: str) -> Limits:
        """The limits of a bet."""
        kind = "original" if book.bets[bet].original else "side"
        return self.limits.get(bet) or self.limits.get(kind) or Limits(1)

    @property
    def strict(self) -> bool:
        return self.readings.get("limits_mode", "strict") == "strict"


def must_hold(book: Rulebook, setup: SetUp) -> None:
    """Refuse a set-up the document does not allow."""
    book.must_allow(setup.readings)
    layout = book.layout(setup.layout)
    must_allow_decks(book, setup.decks)
    if setup.boxes and not layout.fewest <= setup.boxes <= layout.most:
        raise Refused(
            "no_such_box",
            f"Layout {layout.appendix} has {layout.fewest} to {layout.most} positions, not {setup.boxes}.",
            layout.cite,
        )
    if setup.differential <= 0:
        raise Refused("not_an_amount", f"The maximum Differential is {show(setup.differential)}.")
    for name, limits in setup.limits.items():
        if name not in ("original", "side"):
            book.offer(layout, name)
        if limits.minimum <= 0 or (limits.maximum and limits.maximum < limits.minimum):
            raise Refused(
                "not_an_amount", f"The limits of {name} are {limits.minimum} to {limits.maximum} cents."
            )
    if not 0 <= setup.cut <= 52 * setup.decks - 6:
        raise Refused("impossible_decks", f"{setup.cut} cards behind the cut card leave no round to play.")
