"""The Differential of a box: what fits, who gives way, what is cut (1.11, 5.1, 5.1.1, 5.1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import event, given, strategies as st

from lammer.game.money import LARGEST
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.table.limits import (
    Cut,
    Reduction,
    Stake,
    differential,
    heavier_side,
    pro_rata,
    reduce_to_maximum,
    room,
)

MAXIMUM = 10_000_00


def banker(*amounts: int) -> list[Stake]:
    """Bets on Banker in that order, the first of them seated."""
    return [Stake(key, f"p{key}", "banker", amount, key == 1) for key, amount in enumerate(amounts, start=1)]


def played(stakes: Sequence[Stake], minimum: int, maximum: int) -> list[int]:
    return [cut.played for cut in pro_rata(stakes, minimum, maximum)]


# Worked examples.


def test_1_11__differential_is_the_larger_side_less_the_smaller() -> None:
    box = [*banker(300_00, 200_00), Stake(3, "p3", "player", 120_00, False)]
    assert differential(box) == 380_00
    assert heavier_side(box) == "banker"
    level = [Stake(1, "p1", "player", 50_00, True), Stake(2, "p2", "banker", 50_00, False)]
    assert differential(level) == 0
    assert heavier_side(level) is None


@pytest.mark.parametrize(
    ("player", "on_banker", "side", "left"),
    [
        (0, 0, "player", 10_000_00),
        (0, 0, "banker", 10_000_00),
        (0, 9_999_99, "banker", 1),
        (0, 10_000_00, "banker", 0),
        (0, 10_000_00, "player", 20_000_00),
        (0, 12_000_00, "banker", 0),
        (500_00, 10_000_00, "banker", 500_00),
    ],
)
def test_5_1__room_before_the_differential(player: int, on_banker: int, side: Side, left: int) -> None:
    assert room(player, on_banker, side, MAXIMUM) == left


def test_5_1__standing_players_give_way_before_seated_ones_and_the_latest_first() -> None:
    box = [
        Stake(1, "sits", "banker", 4_000_00, True),
        Stake(2, "early", "banker", 3_000_00, False),
        Stake(3, "late", "banker", 2_000_00, False),
        Stake(4, "sits", "banker", 5_000_00, True),
        Stake(5, "against", "player", 1_000_00, False),
    ]
    assert reduce_to_maximum(box, MAXIMUM) == (
        Reduction(3, "late", 2_000_00, 0),
        Reduction(2, "early", 1_000_00, 2_000_00),
    )
    assert reduce_to_maximum(box, 7_500_00) == (
        Reduction(3, "late", 2_000_00, 0),
        Reduction(2, "early", 3_000_00, 0),
        Reduction(4, "sits", 500_00, 4_500_00),
    )


def test_5_1__a_bet_on_the_lighter_side_never_gives_way() -> None:
    box = [Stake(1, "sits", "banker", 11_000_00, True), Stake(2, "stands", "player", 500_00, False)]
    assert reduce_to_maximum(box, MAXIMUM) == (Reduction(1, "sits", 500_00, 10_500_00),)


def test_5_1_1__the_heavier_side_is_cut_in_proportion() -> None:
    box = [*banker(9_000_00, 6_000_00), Stake(3, "p3", "player", 2_000_00, False)]
    assert pro_rata(box, 50_00, MAXIMUM) == (
        Cut(1, "p1", 9_000_00, 7_200_00, 1_800_00),
        Cut(2, "p2", 6_000_00, 4_800_00, 1_200_00),
    )


def test_5_1_1__a_cut_stake_is_rounded_down_to_the_cent() -> None:
    assert played(banker(100_00, 100_00, 100_00), 10_00, 200_00) == [66_66, 66_66, 66_66]


def test_5_1_1__pro_rata_never_takes_a_bet_below_the_minimum() -> None:
    assert played(banker(1_500_00, 110_00), 100_00, 1_000_00) == [900_00, 100_00]


def test_5_1_1__a_bet_of_exactly_the_minimum_is_neither_cut_nor_counted_twice() -> None:
    assert played(banker(500_00, 100_00), 100_00, 400_00) == [300_00, 100_00]


def test_5_1_1__one_bet_held_at_the_minimum_can_bring_the_next_down_to_it() -> None:
    # At 954 of 1,240 only the 110 falls below 100; with that at 100, 854 of 1,130 takes the 130 below too.
    assert played(banker(1_000_00, 130_00, 110_00), 100_00, 954_00) == [754_00, 100_00, 100_00]


def test_5_1_1__a_share_of_exactly_the_minimum_is_no_floor() -> None:
    assert played(banker(200_00, 400_00), 100_00, 300_00) == [100_00, 200_00]


def test_5_1_1__the_minimum_wins_over_the_differential() -> None:
    assert pro_rata(banker(*[100_00] * 12), 100_00, 1_000_00) == ()
    assert played(banker(150_00, 100_00, 100_00), 100_00, 250_00) == [100_00] * 3


def test_5_1_2__a_bet_below_the_minimum_is_not_cut_but_counts() -> None:
    assert played(banker(1_500_00, 110_00, 40_00), 100_00, 1_000_00) == [860_00, 100_00, 40_00]
    assert played(banker(300_00, 99_99, 99_99), 100_00, 150_00) == [100_00, 99_99, 99_99]


def test_a_box_at_the_maximum_to_the_cent_is_left_alone() -> None:
    assert pro_rata(banker(10_000_00), 50_00, MAXIMUM) == ()
    assert reduce_to_maximum(banker(10_000_00), MAXIMUM) == ()
    assert played(banker(10_000_01), 50_00, MAXIMUM) == [10_000_00]
    assert pro_rata([], 50_00, 0) == ()
    assert reduce_to_maximum([], 0) == ()


def test_what_cannot_be_a_box_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError):
        Stake(1, "p1", "banker", 0, True)
    with pytest.raises(AssertionError, match="two bets of one key"):
        pro_rata([*banker(1_00), *banker(2_00)], 1, 1)


# What holds of every box.


@st.composite
def boxes(draw: st.DrawFn) -> tuple[list[Stake], int, int]:
    """Stakes, minimum and maximum; near one another, so that floors and exemptions are common."""
    minimum = draw(st.integers(0, 300))
    at = st.integers(max(1, minimum - 1), minimum + 1)
    amounts = st.one_of(at, st.integers(1, 400), st.integers(1, 400), st.integers(1, LARGEST))
    sides = draw(st.sampled_from([SIDES, ("banker",), ("player", "banker", "banker", "banker")]))
    bets = st.tuples(st.sampled_from("abc"), st.sampled_from(sides), amounts, st.booleans())
    drawn = draw(st.lists(bets, max_size=10))
    stakes = [Stake(key, *bet) for key, bet in enumerate(drawn, start=draw(st.integers(0, 9)))]
    tight = st.integers(0, max(0, differential(stakes) - 1))
    return draw(st.permutations(stakes)), minimum, draw(st.one_of(tight, tight, st.integers(0, LARGEST)))


def allowed_on(stakes: Sequence[Stake], side: Side | None, maximum: int) -> int:
    return sum(stake.amount for stake in stakes if stake.side != side) + maximum


def by_the_letter(stakes: Sequence[Stake], minimum: int, maximum: int) -> dict[int, int]:
    """What plays on the heavier side, in rounds as a pit would do it: spread, hold, spread the rest."""
    side = heavier_side(stakes)
    bets = {stake.key: stake.amount for stake in stakes if stake.side == side}
    allowed = Fraction(allowed_on(stakes, side, maximum))
    if sum(bets.values()) <= allowed:
        return bets
    held = {key: placed for key, placed in bets.items() if placed < minimum}
    while True:
        free = {key: placed for key, placed in bets.items() if key not in held}
        rest = allowed - sum(held.values())
        shares = {key: placed * rest / sum(free.values()) for key, placed in free.items()}
        low = {key: minimum for key, share in shares.items() if share < minimum}
        if not low:
            return held | {key: int(share) for key, share in shares.items()}
        held |= low


def by_water_level(stakes: Sequence[Stake], minimum: int, maximum: int) -> dict[int, int]:
    """The same without any rounds: find the ratio at which the side comes to exactly what is allowed.

    What plays grows with the ratio in straight pieces that bend only where a bet leaves its floor, so the
    answer lies on the piece whose ends enclose the allowed total.
    """
    side = heavier_side(stakes)
    bets = {stake.key: stake.amount for stake in stakes if stake.side == side}
    allowed = allowed_on(stakes, side, maximum)

    def share(placed: int, ratio: Fraction) -> Fraction:
        return max(ratio * placed, Fraction(min(minimum, placed)))

    def level(ratio: Fraction) -> Fraction:
        return sum((share(placed, ratio) for placed in bets.values()), Fraction(0))

    leaves = {Fraction(minimum, placed) for placed in bets.values() if placed > minimum}
    bends = sorted({Fraction(0), Fraction(1)} | leaves)
    below = max((bend for bend in bends if level(bend) <= allowed), default=None)
    if below is None:
        return {key: min(minimum, placed) for key, placed in bets.items()}
    ratio = below
    if below < 1:
        above = min(bend for bend in bends if bend > below)
        ratio += (allowed - level(below)) * (above - below) / (level(above) - level(below))
    return {key: int(share(placed, ratio)) for key, placed in bets.items()}


Box = tuple[list[Stake], int, int]


@given(boxes())
def test_three_ways_to_cut_agree(box: Box) -> None:
    stakes, minimum, maximum = box
    cuts = pro_rata(*box)
    plays = {cut.key: cut.played for cut in cuts}
    if not cuts:
        side = heavier_side(stakes)
        plays = {stake.key: stake.amount for stake in stakes if stake.side == side}
    event(f"cut: {bool(cuts)}, held: {any(c.played == minimum < c.placed for c in cuts)}")
    assert plays == by_the_letter(stakes, minimum, maximum)
    assert plays == by_water_level(stakes, minimum, maximum)


@given(boxes())
def test_every_bet_of_the_heavier_side_is_accounted_for(box: Box) -> None:
    stakes, minimum, maximum = box
    cuts = pro_rata(*box)
    side = heavier_side(stakes)
    if not cuts:
        bets = [stake.amount for stake in stakes if stake.side == side]
        assert differential(stakes) <= maximum or max(bets) <= minimum
        return
    assert differential(stakes) > maximum
    placed = {stake.key: (stake.player, stake.amount) for stake in stakes if stake.side == side}
    assert {cut.key: (cut.player, cut.placed) for cut in cuts} == placed
    assert [cut.key for cut in cuts] == sorted(placed)
    for cut in cuts:
        assert cut.played + cut.returned == cut.placed
        assert min(minimum, cut.placed) <= cut.played <= cut.placed
        assert not (cut.placed <= minimum and cut.returned)
    assert any(cut.returned for cut in cuts)


@given(boxes())
def test_what_plays_is_what_is_allowed_or_what_the_minimum_forces(box: Box) -> None:
    stakes, minimum, maximum = box
    if cuts := pro_rata(*box):
        allowed = allowed_on(stakes, heavier_side(stakes), maximum)
        forced = sum(min(minimum, cut.placed) for cut in cuts)
        total = sum(cut.played for cut in cuts)
        # Rounding down costs less than a cent for each bet that was cut in proportion.
        assert max(allowed, forced) - len(cuts) < total <= max(allowed, forced)


@given(boxes())
def test_without_a_floor_each_bet_is_within_a_cent_of_its_share(box: Box) -> None:
    stakes, _, maximum = box
    side = heavier_side(stakes)
    bets = [stake.amount for stake in stakes if stake.side == side]
    if differential(stakes) > maximum:
        ratio = Fraction(allowed_on(stakes, side, maximum), sum(bets))
        highest = int(min(bets) * ratio)  # the highest minimum that still holds nobody
        for minimum in (0, highest):
            for cut in pro_rata(stakes, minimum, maximum):
                assert 0 <= cut.placed * ratio - cut.played < 1


@given(boxes())
def test_the_order_in_which_bets_are_told_does_not_matter(box: Box) -> None:
    stakes, minimum, maximum = box
    again = sorted(stakes, key=lambda stake: stake.key)
    assert pro_rata(again, minimum, maximum) == pro_rata(*box)
    assert reduce_to_maximum(again, maximum) == reduce_to_maximum(stakes, maximum)


@given(boxes())
def test_nothing_is_touched_within_the_maximum(box: Box) -> None:
    stakes, minimum, _ = box
    assert pro_rata(stakes, minimum, differential(stakes)) == ()
    assert reduce_to_maximum(stakes, differential(stakes)) == ()


@given(boxes())
def test_after_giving_way_the_box_is_within_the_maximum_and_no_emptier_than_needed(box: Box) -> None:
    stakes, _, maximum = box
    reductions = {each.key: each for each in reduce_to_maximum(stakes, maximum)}
    left = remaining(stakes, maximum)
    assert differential(left) == min(differential(stakes), maximum)
    for stake in stakes:
        if stake.key in reductions:
            each = reductions[stake.key]
            assert (each.player, each.amount_removed + each.left) == (stake.player, stake.amount)
            assert each.amount_removed > 0
            assert stake.side == heavier_side(stakes)
    assert reduce_to_maximum(left, maximum) == ()


@given(boxes())
def test_no_seated_bet_gives_way_while_a_standing_one_is_left(box: Box) -> None:
    stakes, _, maximum = box
    seated = {stake.key: stake.seated for stake in stakes}
    order = [each.key for each in reduce_to_maximum(stakes, maximum)]
    assert order == sorted(order, key=lambda key: (seated[key], -key))
    if any(seated[key] for key in order):
        side = heavier_side(stakes)
        assert all(stake.seated for stake in remaining(stakes, maximum) if stake.side == side)
    partly = [each.key for each in reduce_to_maximum(stakes, maximum) if each.left]
    assert partly in ([], order[-1:])


@given(boxes())
def test_giving_way_leaves_no_standing_player_without_a_seated_one(box: Box) -> None:
    """Reading 17 survives reading 7: what is left of a box with a seated player has that player in it."""
    stakes, _, maximum = box
    left = remaining(stakes, maximum)
    if any(stake.seated for stake in stakes) and left:
        assert any(stake.seated for stake in left)


@given(boxes(), st.sampled_from(SIDES), st.integers(1, LARGEST))
def test_room_is_exactly_what_fits(box: Box, side: Side, more: int) -> None:
    stakes, _, maximum = box
    totals = {each: sum(stake.amount for stake in stakes if stake.side == each) for each in SIDES}
    left = room(totals["player"], totals["banker"], side, maximum)
    assert left >= 0
    bigger = [*stakes, Stake(999, "new", side, more, True)]
    beyond = heavier_side(bigger) == side and differential(bigger) > maximum
    assert beyond == (more > left)


def remaining(stakes: Sequence[Stake], maximum: int) -> list[Stake]:
    after = {each.key: each.left for each in reduce_to_maximum(stakes, maximum)}
    kept = [(stake, after.get(stake.key, stake.amount)) for stake in stakes]
    return [Stake(s.key, s.player, s.side, amount, s.seated) for s, amount in kept if amount]
