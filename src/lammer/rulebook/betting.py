"""What a document says about bets: what each pays and where, and the Insurance it offers.

Part of the model: values only, each beside its paragraph, built by `load` and never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from lammer.rulebook.citation import Citation
from lammer.rulebook.conditions import (
    EVERY_MARGIN,
    EVERY_SUITS,
    EVERY_SUM,
    Condition,
    Finish,
    Paired,
    leaves,
)
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import SIDES, Outcome, Side, Window

TurnsOn = Literal["totals", "pairs", "both"]


@dataclass(frozen=True, slots=True)
class Commission:
    """What the House keeps of a win: `rate` of what the bet would pay at `of`."""

    rate: Fraction
    of: Odds
    cite: Citation


@dataclass(frozen=True, slots=True)
class Pay:
    """One line of a pay table: its odds, and for which rounds; without odds the stake returns or is lost.

    `totals`, `cards`, `by` and `natural` speak of the winning hand, on a tie of both; `cards_dealt` and
    `sums` of both hands together, `tiers` of how many hands are paired, `when` of anything.
    """

    odds: Odds | None
    cites: tuple[Citation, ...]
    totals: frozenset[int]
    cards: frozenset[int]
    cards_dealt: frozenset[int]
    tiers: frozenset[str]
    commission: Commission | None
    outcome: Outcome = "won"
    by: frozenset[int] = EVERY_MARGIN
    natural: bool | None = None
    sums: frozenset[int] = EVERY_SUM
    when: Condition | None = None

    def applies(self, finish: Finish, tier: str) -> bool:
        """Whether this line is for that round; `tier` is empty where the bet is not on either hand's pair."""
        side = finish.winner
        if finish.total not in self.totals or abs(finish.player - finish.banker) not in self.by:
            return False
        if len(self.cards) < 2:
            cards = finish.player_cards if side == "player" else finish.banker_cards
            if side is None or cards not in self.cards:
                return False
        if self.natural is not None:
            hands = (side,) if side else SIDES
            if all(finish.natural(hand) for hand in hands) != self.natural:
                return False
        return (
            finish.player_cards + finish.banker_cards in self.cards_dealt
            and finish.player + finish.banker in self.sums
            and (not tier or tier in self.tiers)
            and (self.when is None or self.when.holds(finish))
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

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Every condition it and the lines of its pay table are put together from."""
        whole = (self.wins, *(pay.when for pay in self.pays if pay.when is not None))
        return tuple(leaf for condition in whole for leaf in leaves(condition))

    @property
    def turns_on(self) -> TurnsOn:
        """Whether totals and numbers of cards decide it, the pairs of the first cards, or both together."""
        pairs = [isinstance(leaf, Paired) for leaf in self.conditions]
        return "pairs" if all(pairs) else "both" if any(pairs) else "totals"

    @property
    def asks_suits(self) -> bool:
        """Whether it tells pairs apart by their suits."""
        return any(isinstance(leaf, Paired) and leaf.suits != EVERY_SUITS for leaf in self.conditions)

    @property
    def odds(self) -> tuple[Odds, ...]:
        """The odds of its pay table as printed, each once."""
        return tuple({pay.odds.text: pay.odds for pay in self.pays if pay.odds is not None}.values())

    def tier(self, finish: Finish) -> str:
        """Which tier of pairs the round shows; empty unless it is a bet on the pair of either hand."""
        pairs = [leaf for leaf in leaves(self.wins) if isinstance(leaf, Paired)]
        if len(pairs) == 1 and len(pairs[0].hands) == 2 and not pairs[0].every:
            return pairs[0].tier(finish)
        return ""

    def lines(self, finish: Finish) -> tuple[Pay, ...]:
        """The lines of its pay table for a round in which `wins` holds: exactly one, `check` proves."""
        tier = self.tier(finish)
        return tuple(pay for pay in self.pays if pay.applies(finish, tier))


@dataclass(frozen=True, slots=True)
class Offer:
    """Insurance on a hand standing on one of `own` points against one of `other`, in one window.

    In the window `two_cards` nothing of the other hand is shown yet, so `other` is every total.
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
    def against(self) -> tuple[int | None, ...]:
        """The totals of the other hand, one by one; a lone None while it is not shown."""
        return (None,) if self.window == "two_cards" else tuple(sorted(self.other))

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
    """The Insurance Plus part of a document.

    Where it says `once`, an Original Bet that was insured in one window is not insured in another.
    """

    offers: tuple[Offer, ...]
    right: Citation
    windows: Citation
    still_to_draw: Citation
    original_bet: Citation
    shares: tuple[ShareOfMaximum, ...]
    tie_returns: Citation
    private_table: PrivateTable
    shares_of_original: tuple[ShareOfOriginal, ...] = ()
    once: Citation | None = None
