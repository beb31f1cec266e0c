"""What a document says about bets: how each wins, what it pays, and the Insurance it offers.

Part of the model: values only, each beside its paragraph, built by `load` and never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from lammer.rulebook.citation import Citation
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import Outcome, Side, Window


@dataclass(frozen=True, slots=True)
class HandWins:
    """One of these hands wins, with one of these totals, numbers of cards and margins."""

    hands: tuple[Side, ...]
    totals: frozenset[int]
    cards: frozenset[int]
    by: frozenset[int]


@dataclass(frozen=True, slots=True)
class Tied:
    """Both hands end on the same of these totals."""

    totals: frozenset[int]


@dataclass(frozen=True, slots=True)
class Paired:
    """The first two cards of one of these hands form a pair."""

    hands: tuple[Side, ...]


Condition = HandWins | Tied | Paired


@dataclass(frozen=True, slots=True)
class Commission:
    """What the House keeps of a win: `rate` of what the bet would pay at `of`."""

    rate: Fraction
    of: Odds
    cite: Citation


@dataclass(frozen=True, slots=True)
class Pay:
    """One line of a pay table: the odds, and which wins it is for.

    `totals` and `cards` speak of the winning hand, `cards_dealt` of both hands together, `tiers` of
    how many hands are paired.
    """

    odds: Odds
    cites: tuple[Citation, ...]
    totals: frozenset[int]
    cards: frozenset[int]
    cards_dealt: frozenset[int]
    tiers: frozenset[str]
    commission: Commission | None

    def applies(self, total: int, cards: int, dealt: int, tier: str) -> bool:
        """Whether this line is for that way to win; 0 or '' is what the way does not speak of."""
        return (
            (not dealt or (total in self.totals and dealt in self.cards_dealt))
            and (not cards or cards in self.cards)
            and (not tier or tier in self.tiers)
        )


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet: how it wins, what it pays, where it is offered, what a tie does to it.

    `titles` are what it is called by language: the Chinese of the document, others by `translation`.
    """

    name: str
    title: str
    title_zh: str
    original: Side | None
    defined: Citation
    wins: Condition
    pays: tuple[Pay, ...]
    layouts: frozenset[str]
    offered: Citation
    tie_returns: Citation | None
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """Insurance on a hand standing on one of `own` points against one of `other`, in one window.

    On a tie it comes back, unless a paragraph says that it wins then, or that it loses.
    """

    hand: Side
    window: Window
    own: frozenset[int]
    other: frozenset[int]
    odds: Odds
    cite: Citation
    tie_wins: Citation | None
    tie_loses: Citation | None = None

    @property
    def on_tie(self) -> Outcome:
        """What a tie makes of it."""
        return "won" if self.tie_wins else "lost" if self.tie_loses else "returned"


@dataclass(frozen=True, slots=True)
class ShareOfMaximum:
    """Insurance at these odds may not exceed this share of the table's maximum."""

    odds: Odds
    share: Fraction
    cite: Citation


@dataclass(frozen=True, slots=True)
class ShareOfOriginal:
    """Insurance is limited by the Original Bet: its stake, or what it may win, to this share of it.

    `odds` and `window` say for which offers; None means for all.
    """

    what: Literal["stake", "winnings"]
    share: Fraction
    odds: Odds | None
    window: Window | None
    cite: Citation

    def limits(self, offer: Offer) -> bool:
        """Whether this limit is for that offer."""
        return (self.odds is None or self.odds.profit == offer.odds.profit) and (
            self.window is None or self.window == offer.window
        )


@dataclass(frozen=True, slots=True)
class PrivateTable:
    """Who may agree that a private table is offered no Insurance, and whether a notice has to say so."""

    by: str
    notice: bool
    cite: Citation


@dataclass(frozen=True, slots=True)
class Insurance:
    """The Insurance Plus part of a document."""

    offers: tuple[Offer, ...]
    right: Citation
    windows: Citation
    still_to_draw: Citation
    original_bet: Citation
    shares: tuple[ShareOfMaximum, ...]
    tie_returns: Citation
    private_table: PrivateTable
    shares_of_original: tuple[ShareOfOriginal, ...] = ()
