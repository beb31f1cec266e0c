"""The Differential of one betting box: how much fits, who gives way, what is cut pro rata.

Before the close an excess is refused: `room` says what still fits, `reduce_to_maximum` whose bets go first
when a seated player needs the place (5.1). If nobody refused it, `pro_rata` says how much of each bet
plays (5.1.1) and which bets are left alone (5.1.2). Only Original Bets, on Player and on Banker, count;
side bets and Insurance have no part in it. Amounts are whole cents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from types import MappingProxyType
from typing import Final

from lammer.rulebook.vocabulary import Side

_NOTHING: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Stake:
    """One Original Bet in the box, or one of the parts it was put down in. The highest key is the latest.

    A stake is judged against the minimum by itself, so `pro_rata` wants whole bets. `reduce_to_maximum` wants
    them in the parts they were put down in: an increase is as late as itself. `bet` then says which parts
    belong together; without it a stake is a bet of its own.
    """

    key: int
    player: str
    side: Side
    amount: int
    seated: bool
    bet: int = 0

    def __post_init__(self) -> None:
        assert self.amount > 0, self.amount


@dataclass(frozen=True, slots=True)
class Reduction:
    """What one bet gives up before the close, and what is left of it: nothing, if it goes altogether."""

    key: int
    player: str
    amount_removed: int
    left: int


@dataclass(frozen=True, slots=True)
class Cut:
    """How much of one bet plays. `placed` is always `played + returned`."""

    key: int
    player: str
    placed: int
    played: int
    returned: int


def differential(stakes: Iterable[Stake]) -> int:
    """By how much the larger side of the box exceeds the smaller.

    >>> differential([Stake(1, "ann", "player", 300_00, True), Stake(2, "bob", "banker", 100_00, False)])
    20000
    >>> differential([])
    0
    """
    return abs(_lean(stakes))


def heavier_side(stakes: Iterable[Stake]) -> Side | None:
    """The side with more on it, if there is one.

    >>> heavier_side([Stake(1, "ann", "player", 300_00, True), Stake(2, "bob", "banker", 100_00, False)])
    'player'
    >>> heavier_side([]) is None
    True
    """
    lean = _lean(stakes)
    if not lean:
        return None
    return "banker" if lean > 0 else "player"


def room(player_total: int, banker_total: int, side: Side, maximum: int) -> int:
    """How much more one side of the box takes before the Differential is reached.

    It asks for totals, not for bets, so that the ten-thousandth bet costs no more than the first.

    >>> room(player_total=2_000_00, banker_total=9_000_00, side="banker", maximum=10_000_00)
    300000
    >>> room(player_total=2_000_00, banker_total=9_000_00, side="player", maximum=10_000_00)
    1700000

    A box that is already beyond the maximum has no room on its heavier side, not less than none:

    >>> room(player_total=0, banker_total=12_000_00, side="banker", maximum=10_000_00)
    0
    """
    own, other = (player_total, banker_total) if side == "player" else (banker_total, player_total)
    return max(0, other + maximum - own)


def reduce_to_maximum(
    stakes: Collection[Stake], maximum: int, minimums: Mapping[int, int] = MappingProxyType({})
) -> tuple[Reduction, ...]:
    """What has to be refused before the close, in the order in which it gives way (5.1).

    Bob stands behind Ann's box and had filled it. Then Ann bets, and Ann is seated:

    >>> box = [
    ...     Stake(1, "ann", "banker", 4_000_00, seated=True),
    ...     Stake(2, "bob", "banker", 6_000_00, seated=False),
    ...     Stake(3, "ann", "banker", 1_000_00, seated=True),
    ... ]
    >>> reduce_to_maximum(box, maximum=10_000_00)
    (Reduction(key=2, player='bob', amount_removed=100000, left=500000),)
    >>> reduce_to_maximum(box, maximum=11_000_00)
    ()

    Chips that were added late give way before a bet that was placed between:

    >>> box = [
    ...     Stake(1, "ann", "banker", 9_000_00, seated=True, bet=1),
    ...     Stake(2, "bob", "banker", 500_00, seated=False, bet=2),
    ...     Stake(3, "eve", "banker", 500_00, seated=False, bet=3),
    ...     Stake(4, "bob", "banker", 300_00, seated=False, bet=2),
    ... ]
    >>> reduce_to_maximum(box, maximum=10_000_00)
    (Reduction(key=2, player='bob', amount_removed=30000, left=50000),)

    A bet that would be left with less than its minimum, given by bet in `minimums`, goes altogether.
    """
    _must_be_one_box(stakes, maximum)
    side = heavier_side(stakes)
    return reduce_by_excess(
        [stake for stake in stakes if stake.side == side], differential(stakes) - maximum, minimums
    )


def reduce_by_excess(
    heavy: Collection[Stake], excess: int, minimums: Mapping[int, int]
) -> tuple[Reduction, ...]:
    """Take so much from these stakes of one side: standing players' first, the latest first, then the rest.

    >>> box = [Stake(1, "bob", "banker", 500_00, False), Stake(2, "eve", "banker", 90_00, False)]
    >>> reductions = reduce_by_excess(box, 50_00, minimums={2: 50_00})
    >>> [(reduction.player, reduction.amount_removed) for reduction in reductions]
    [('eve', 9000)]
    """
    held: dict[int, int] = {}
    for stake in heavy:
        held[stake.bet or stake.key] = held.get(stake.bet or stake.key, 0) + stake.amount
    left = dict(held)
    players: dict[int, str] = {}
    # False sorts before True: everyone who stands, the latest first, and only then who sits. A bet on
    # the lighter side is never asked, whoever placed it: taking it away would widen the gap.
    for stake in sorted(heavy, key=lambda stake: (stake.seated, -stake.key)):
        if excess <= 0:
            break
        bet = stake.bet or stake.key
        if not left[bet]:
            continue
        removed = min(stake.amount, excess)
        if left[bet] - removed < minimums.get(bet, 0):
            removed = left[bet]
        players[bet] = stake.player
        left[bet] -= removed
        excess -= removed
    assert excess <= 0, "the stakes held less than was to be taken"
    return tuple(Reduction(bet, player, held[bet] - left[bet], left[bet]) for bet, player in players.items())


def pro_rata(stakes: Collection[Stake], minimum: int, maximum: int) -> tuple[Cut, ...]:
    """How much of each bet on the heavier side plays, where bets closed beyond the Differential.

    The heavier side is brought down to the lighter side and the maximum together, every bet by the same
    proportion (5.1.1). Here 12,000 of 15,000 may play, four fifths:

    >>> box = [
    ...     Stake(1, "ann", "banker", 9_000_00, seated=True),
    ...     Stake(2, "bob", "banker", 6_000_00, seated=False),
    ...     Stake(3, "eve", "player", 2_000_00, seated=False),
    ... ]
    >>> for cut in pro_rata(box, minimum=50_00, maximum=10_000_00):
    ...     print(cut.player, cut.played, cut.returned)
    ann 720000 180000
    bob 480000 120000

    No bet is cut below the minimum, and one that was below it from the start is not cut at all (5.1.2).
    Both count towards what may play, so the others are cut the deeper:

    >>> box = [
    ...     Stake(1, "ann", "banker", 1_500_00, seated=True),
    ...     Stake(2, "bob", "banker", 110_00, seated=False),
    ...     Stake(3, "eve", "banker", 40_00, seated=False),
    ... ]
    >>> [(cut.player, cut.played) for cut in pro_rata(box, minimum=100_00, maximum=1_000_00)]
    [('ann', 86000), ('bob', 10000), ('eve', 4000)]

    Every bet of the heavier side is listed, in order of key, cut or not. Where no bet is cut there is
    nothing to list: the box was within the maximum, or no bet in it was above the minimum.
    """
    _must_be_one_box(stakes, maximum)
    assert minimum >= 0, minimum
    if differential(stakes) <= maximum:
        return ()
    side = heavier_side(stakes)
    heavy = sorted((stake for stake in stakes if stake.side == side), key=lambda stake: stake.key)
    allowed = sum(stake.amount for stake in stakes if stake.side != side) + maximum
    ratio = _ratio([stake.amount for stake in heavy], allowed, minimum)
    cuts = tuple(_cut(stake, ratio, minimum) for stake in heavy)
    return cuts if any(cut.returned for cut in cuts) else ()


def _ratio(amounts: Collection[int], allowed: int, minimum: int) -> Fraction:
    """The share that plays of every bet which neither the minimum nor the exemption protects.

    A bet that the share would take below the minimum plays the minimum instead, which leaves a smaller
    share to the rest, which may take the next bet below it, and so on. The share only ever falls, so a
    bet once at the minimum stays there, and going up from the smallest bet finds each of them once.
    """
    exempt = sum(amount for amount in amounts if amount < minimum)
    over = sorted(amount for amount in amounts if amount >= minimum)
    left, total = allowed - exempt, sum(over)
    for amount in over:
        ratio = Fraction(left, total)
        if ratio * amount >= minimum:
            return ratio
        left -= minimum
        total -= amount
    # Every bet is at the minimum or below it: the minimum wins, though the box stays beyond the maximum.
    return _NOTHING


def _cut(stake: Stake, ratio: Fraction, minimum: int) -> Cut:
    # Down to the cent, for each bet alone: the cents this leaves over are owed to nobody and not dealt
    # out again, so a box may play up to a cent a bet less than it might. Down never means below the
    # minimum, which is itself in whole cents.
    share = max(minimum, floor(ratio * stake.amount))
    played = min(stake.amount, share)
    return Cut(stake.key, stake.player, stake.amount, played, stake.amount - played)


def _lean(stakes: Iterable[Stake]) -> int:
    """What is on Banker less what is on Player."""
    return sum(stake.amount if stake.side == "banker" else -stake.amount for stake in stakes)


def _must_be_one_box(stakes: Collection[Stake], maximum: int) -> None:
    assert maximum >= 0, maximum
    assert len({stake.key for stake in stakes}) == len(stakes), "two bets of one key"
