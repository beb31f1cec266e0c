"""How a table is set up: rulebook, layout, limits, dealing, readings.

Decided before the first round, changed only between rounds and only by a Pit Manager or above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from lammer.game.money import Amount
from lammer.game.shoe import must_allow_decks
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.playing import play_named
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES

HOUSE_ROLES: Final = ROLES[ROLES.index("pit_supervisor") :]
"""Who may speak for the House: a Pit Supervisor or, where a table asks for more, somebody above."""


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
    (0: none is used). `box_names` are what the layout prints on the boxes, in the order of their numbers.
    Only a `private` table may go without Insurance, at the request of the player named in
    `insurance_declined_by`. `house_role` is the least role that speaks for the House here. `test` makes it a
    test or training table: only there a virtual shoe can be told to misdeal. `exact_chances` lets players see
    beside Insurance how often it wins, counted exactly; where the law forbids help on a live game it is off.
    `play` is how the hands that may draw choose where the house deals by itself; the rulebook's usual play
    where it is empty.
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
    box_names: tuple[str, ...] = ()
    private: bool = False
    insurance_declined_by: str = ""
    house_role: str = "pit_supervisor"
    test: bool = False
    exact_chances: bool = True
    play: str = ""

    def limit(self, book: Rulebook, bet: str) -> Limits:
        """The limits of a bet."""
        kind = "original" if book.bets[bet].original else "side"
        return self.limits.get(bet) or self.limits.get(kind) or Limits(1)

    @property
    def strict(self) -> bool:
        return self.readings.get("limits_mode", "strict") == "strict"

    def box_name(self, box: int) -> str:
        """What a box is called at this table.

        >>> SetUp("any@1", "A", boxes=3, box_names=("6", "5", "3")).box_name(1)
        '6'
        """
        return self.box_names[box - 1] if self.box_names else str(box)

    def plays_like(self, other: SetUp) -> bool:
        """Whether rounds are played by the same rules under both: rulebook, layout and readings."""
        mine, theirs = ((setup.rulebook, setup.layout, setup.readings) for setup in (self, other))
        return mine == theirs


def must_hold(book: Rulebook, setup: SetUp) -> None:
    """Refuse a set-up the document does not allow."""
    book.must_allow(setup.readings)
    layout = book.layout(setup.layout)
    must_allow_decks(book, setup.decks)
    if setup.play:
        play_named(book, setup.play)
    if setup.boxes and not layout.fewest <= setup.boxes <= layout.most:
        raise Refused(
            "no_such_box",
            "Layout {layout} has {fewest} to {most} positions, not {boxes}.",
            layout.cite,
            layout=layout.appendix,
            fewest=layout.fewest,
            most=layout.most,
            boxes=setup.boxes,
        )
    _must_name_every_box(layout, setup)
    _must_be_private(book, setup)
    if setup.house_role not in HOUSE_ROLES:
        raise Refused(
            "not_your_role",
            "{house_role} does not speak for the House.",
            next_step="Choose {roles}.",
            house_role=repr(setup.house_role[:40]),
            roles=" or ".join(HOUSE_ROLES),
        )
    if setup.differential <= 0:
        raise Refused(
            "not_an_amount",
            "The maximum Differential is {differential}.",
            differential=Amount(setup.differential),
        )
    for name, limits in setup.limits.items():
        if name not in ("original", "side"):
            book.offer(layout, name)
        if limits.minimum <= 0 or (limits.maximum and limits.maximum < limits.minimum):
            raise Refused(
                "not_an_amount",
                "The limits of {name} are {minimum} to {maximum} cents.",
                name=name,
                minimum=limits.minimum,
                maximum=limits.maximum,
            )
    if not 0 <= setup.cut <= book.cards.deck * setup.decks - 6:
        raise Refused(
            "impossible_decks", "{cut} cards behind the cut card leave no round to play.", cut=setup.cut
        )


def _must_name_every_box(layout: Layout, setup: SetUp) -> None:
    names = setup.box_names
    boxes = setup.boxes or layout.most
    if names and (len(names) != boxes or len(set(names)) != boxes or not all(name.strip() for name in names)):
        raise Refused(
            "no_such_box",
            "{boxes} boxes need {boxes} different names, not {names}.",
            layout.cite,
            next_step="Name every box once, or none.",
            boxes=boxes,
            names=repr(", ".join(names)[:80]),
        )


def _must_be_private(book: Rulebook, setup: SetUp) -> None:
    """Insurance is left out only at a private table, and only because a player there asked for it."""
    if book.insurance is None or setup.insurance:
        if setup.insurance_declined_by:
            raise Refused(
                "not_a_private_table",
                "Insurance is offered here, so {player} has not declined it.",
                book.insurance.private_table.cite if book.insurance is not None else None,
                next_step="Set the table without Insurance, or leave the name out.",
                player=setup.insurance_declined_by,
            )
        return
    if not (setup.private and setup.insurance_declined_by.strip()):
        raise Refused(
            "not_a_private_table",
            "Only a private table goes without Insurance, at the request of a player.",
            book.insurance.private_table.cite,
            next_step="Say that the table is private, and who asked.",
        )
