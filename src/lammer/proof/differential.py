"""Theorem: the Differential, for up to six bets of any size, any minimum and any maximum.

Run as they are, on unknown amounts: `pro_rata` with `_ratio` and `_cut`, `reduce_to_maximum`, `room`. Amounts
are taken in rising order, which loses nothing: what order does is a part of the theorem by itself. Fractions
are unknown numbers that, times the denominator, give the numerator; the least of two, the greatest, and
whether any of several is not nothing are formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import floor
from typing import Any, Final

from lammer.game.money import LARGEST, show
from lammer.proof.money import real
from lammer.proof.products import same_factor
from lammer.proof.scenarios import layout_with
from lammer.proof.solving import Answer, Problem, Term, all_of, any_of, sum_of, z3
from lammer.proof.symbolic import Ended, Ratio, Truth, Whole, explore, no_greater, run_with, unknown
from lammer.proof.working import Counterexample, Script, Work
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import SIDES, Side, opposite

BETS: Final = 6
EITHER_SIDE: Final = 3
"""Bets up to which either side is the heavier one, and two bets are on the lighter."""
EVERY_ORDER: Final = 3
"""Bets up to which every order of arrival is tried; beyond, the reverse order, and the smallest bet last."""


def _least(one: Any, other: Any) -> Whole:
    return Whole(z3().If(_whole(other) < _whole(one), _whole(other), _whole(one)))


def _greatest(one: Any, other: Any) -> Whole:
    return Whole(z3().If(_whole(other) > _whole(one), _whole(other), _whole(one)))


def _whole(value: Any) -> Term:
    return value.term if isinstance(value, Whole) else z3().IntVal(value)


def _any(values: Iterable[Any]) -> Truth:
    terms = sorted((_whole(value) != 0 for value in values), key=lambda term: str(term.sexpr()))
    return Truth(any_of(*terms), plain=False)


def _sorted(values: Iterable[Any], key: Any = None) -> list[Any]:
    """`sorted`, where of two unknown numbers the one goes first that is known to be no greater."""
    if key is not None:
        return sorted(values, key=key)
    risen: list[Any] = []
    for value in values:
        place = len(risen)
        while place and not no_greater(risen[place - 1], value):
            place -= 1
        risen.insert(place, value)
    return risen


@cache
def on_any_amount() -> dict[str, Any]:
    """The code of `table.limits`, on unknown amounts."""
    return run_with(
        "lammer.table.limits",
        Fraction=Ratio,
        floor=floor,
        min=_least,
        max=_greatest,
        any=_any,
        sorted=_sorted,
    )


_PROVED: dict[tuple[str, int], tuple[int, list[Answer], list[Problem]]] = {}


def prove_differential(work: Work, bets: int = BETS) -> None:
    """Cutting pro rata, the order bets came in, a bet split in two, and giving way before the close.

    No rulebook has a part in it but for the paragraphs, so what was proved once is proved for every other.
    """
    key = work.solver, bets
    if key not in _PROVED:
        problems: list[Problem] = []
        own = replace(work, about="any rulebook", cases=0, answers=[], keep_problems=problems.append)
        _prove_products_in_order(own)
        for count in range(1, bets + 1):
            _prove_cuts(own, count)
            _prove_order(own, count)
            _prove_giving_way(own, count)
            _prove_ratio_fills(own, count)
            _prove_split_gains_nothing(own, count)
        _prove_parts_give_way(own)
        _prove_room(own)
        _PROVED[key] = own.cases, own.answers, problems
    cases, answers, problems = _PROVED[key]
    work.count(cases)
    work.answers.extend(answers)
    for asked in problems:
        work.keep_problems(asked)


def _prove_products_in_order(work: Work) -> None:
    """What the solver is told of products, where it is asked about more of them than it can work out."""
    factor, one, other = z3().Reals("factor one other")
    known = same_factor(factor, (one, factor * one), (other, factor * other))
    work.refute(
        "products of one factor",
        [z3().Not(known)],
        lambda values: Counterexample("Products do not lie in the order of their factors.", ("5.1.1",)),
        products_in_order=False,
    )


class Box:
    """A betting box with so many bets on its heavier side, rising, and so many on the other."""

    def __init__(self, count: int, *, lighter: int = 1, side: Side = "banker") -> None:
        self.side: Side = side
        self.amounts = [unknown(f"bet_{number}") for number in range(1, count + 1)]
        self.others = [unknown(f"lighter_side_{number}") for number in range(1, lighter + 1)]
        self.lighter = sum(self.others, Whole(z3().IntVal(0)))
        self.minimum, self.maximum = unknown("minimum"), unknown("maximum")
        terms = [amount.term for amount in self.amounts]
        self.given: list[Term] = [terms[0] >= 1, self.minimum.term >= 0, self.maximum.term >= 0]
        self.given += [one <= other for one, other in pairwise(terms)]
        self.given += [other.term >= 1 for other in self.others]
        self.allowed = self.lighter.term + self.maximum.term
        self.total = sum_of(*terms)

    def stakes(self, order: Sequence[int] | None = None) -> list[Any]:
        """Its bets as the code has them, having come in this order; the key tells which is which."""
        stake = on_any_amount()["Stake"]
        order = order or range(len(self.amounts))
        heavy = [
            stake(arrived, f"p{number}", self.side, self.amounts[number], seated=arrived % 2 == 0)
            for arrived, number in enumerate(order, 1)
        ]
        light = [
            stake(key, f"q{key}", opposite(self.side), amount, seated=False)
            for key, amount in enumerate(self.others, len(heavy) + 1)
        ]
        return [*light, *heavy]


def _played(box: Box, cuts: Sequence[Any], order: Sequence[int] | None = None) -> list[Term]:
    """What plays of each bet, in the order of the amounts."""
    order = order or range(len(box.amounts))
    if not cuts:
        return [amount.term for amount in box.amounts]
    by_player = {cut.player: _whole(cut.played) for cut in cuts}
    # What is cut of nobody's bet, or of a bet on the other side, plays less than nothing: it is wrong.
    return [by_player.get(f"p{number}", z3().IntVal(-1)) for number in range(len(order))]


def _prove_cuts(work: Work, count: int) -> None:
    """Within the maximum, or everyone at the minimum; nobody cut below it; every bet by one proportion."""
    limits = on_any_amount()
    boxes = [Box(count), Box(count, lighter=0)]
    if count <= EITHER_SIDE:
        boxes += [Box(count, lighter=2), Box(count, side="player")]
    for box in boxes:
        beyond = box.total > box.allowed
        wrong: list[tuple[tuple[Term, ...], list[Term]]] = []
        given = [*box.given, beyond]

        def cuts_of(box: Box = box) -> Any:
            return limits["pro_rata"](box.stakes(), box.minimum, box.maximum)

        def with_ratio(box: Box = box) -> tuple[Any, Any]:
            return cuts_of(box), limits["_ratio"](box.amounts, Whole(box.allowed), box.minimum)

        for end in explore(with_ratio, given):
            work.count()
            wrong.append((end.knows, list(_wrong_cuts(box, end))))
        given = [*box.given, z3().Not(beyond), box.lighter.term <= box.total + box.maximum.term]
        for end in explore(cuts_of, given):
            work.count()
            wrong.append((end.knows, [z3().BoolVal(end.raised is not None or end.result != ())]))
        how = "" if len(box.others) == 1 else f", {len(box.others)} against them"
        for number, (knows, each) in enumerate(wrong, 1):
            work.refute_each(
                f"pro rata of {count} on {box.side}{how}, path {number}",
                knows,
                each,
                lambda values, box=box: _cut_wrongly(work.book, box, values, "cut pro rata"),  # type: ignore[misc]
            )


def _wrong_cuts(box: Box, end: Ended[Any]) -> Iterator[Term]:
    if end.raised is not None:
        yield z3().BoolVal(True)
        return
    (cuts, ratio), minimum = end.result, box.minimum.term
    played = _played(box, cuts)
    for amount, plays in zip((one.term for one in box.amounts), played, strict=True):
        yield any_of(plays < 0, plays > amount)
        yield all_of(amount >= minimum, plays < minimum)
        yield all_of(amount < minimum, plays != amount)
    yield from (_whole(cut.played) + _whole(cut.returned) != _whole(cut.placed) for cut in cuts)
    yield from (one > other for one, other in pairwise(played))
    plays_in_all = sum_of(*played)
    yield all_of(plays_in_all > box.allowed, any_of(*(plays > minimum for plays in played)))
    yield plays_in_all <= box.allowed - len(played)
    for amount, plays in zip((one.term for one in box.amounts), played, strict=True):
        share, least = real(ratio) * z3().ToReal(amount), z3().ToReal(minimum)
        yield all_of(amount >= minimum, share < least, plays != minimum)
        yield all_of(share >= least, any_of(z3().ToReal(plays) > share, z3().ToReal(plays) + 1 <= share))


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    rising = tuple(range(count))
    if count <= EVERY_ORDER:
        yield from (order for order in permutations(rising) if order != rising)
        return
    yield rising[::-1]
    yield (*rising[1:], rising[0])


def _prove_order(work: Work, count: int) -> None:
    """The order bets came in changes nothing of what plays of each."""
    pro_rata = on_any_amount()["pro_rata"]
    box = Box(count)
    given = [*box.given, box.total > box.allowed]
    for order in _orders(count):

        def both(order: tuple[int, ...] = order) -> tuple[Any, Any]:
            return tuple(pro_rata(box.stakes(one), box.minimum, box.maximum) for one in (None, order))

        for number, end in enumerate(explore(both, given), 1):
            work.count()
            differ: Term = z3().BoolVal(True)
            if end.raised is None:
                plays = [_played(box, cuts) for cuts in end.result]
                differ = any_of(*(one != other for one, other in zip(*plays, strict=True)))
            work.refute(
                f"order {'-'.join(str(place + 1) for place in order)}, path {number}",
                [*end.knows, differ],
                lambda values: _cut_wrongly(work.book, box, values, "cut by the order they came in"),
            )


def _prove_ratio_fills(work: Work, count: int) -> None:
    """What plays, by the code's ratio, of all bets at or above the minimum comes to what may play."""
    box = Box(count)
    ratio_of = on_any_amount()["_ratio"]
    allowed = Whole(box.allowed)
    s, minimum = z3(), box.minimum.term
    given = [*box.given, box.total > box.allowed]
    for number, end in enumerate(explore(lambda: ratio_of(box.amounts, allowed, box.minimum), given), 1):
        work.count()
        wrong: Term = s.BoolVal(True)
        if end.raised is None:
            ratio = real(end.result)
            play, exempt, least_in_all = s.RealVal(0), s.RealVal(0), s.IntVal(0)
            for amount in (one.term for one in box.amounts):
                share = ratio * s.ToReal(amount)
                least = s.If(share < s.ToReal(minimum), s.ToReal(minimum), share)
                play = play + s.If(amount >= minimum, least, 0)
                exempt = exempt + s.If(amount < minimum, s.ToReal(amount), 0)
                least_in_all = least_in_all + s.If(amount >= minimum, minimum, 0)
            left = s.ToReal(box.allowed) - exempt
            nobody = all_of(ratio == 0, s.ToReal(least_in_all) > left)
            fills = any_of(play == left, nobody)
            wrong = any_of(s.Not(fills), ratio < 0)
        work.refute(
            f"ratio of {count}, path {number}",
            [*end.knows, wrong],
            lambda values: _cut_wrongly(work.book, box, values, "cut by a ratio that does not fill the box"),
        )


def _prove_split_gains_nothing(work: Work, count: int) -> None:
    """Of ratios that fill a box with a bet whole and in two parts: splitting gains nothing."""
    s = z3()
    minimum, left, whole_ratio, split_ratio = s.Reals("minimum left ratio ratio_when_split")
    parts = s.Real("part_1"), s.Real("part_2")
    others = [s.Real(f"other_{number}") for number in range(1, count)]
    down = [s.Int(f"plays_{name}") for name in ("part_1", "part_2", "whole")]

    def at_least(share: Term) -> Term:
        return s.If(share < minimum, minimum, share)

    whole = parts[0] + parts[1]
    filled = sum_of(at_least(whole_ratio * whole), *(at_least(whole_ratio * one) for one in others))
    filled_split = sum_of(
        *(at_least(split_ratio * one) for one in parts), *(at_least(split_ratio * one) for one in others)
    )
    nobody = all_of(whole_ratio == 0, minimum * count > left)
    shares = [split_ratio * parts[0], split_ratio * parts[1], whole_ratio * whole]
    work.refute(
        f"split, {count - 1} others",
        [
            minimum >= 0,
            whole_ratio >= 0,
            *(one > 0 for one in (*parts, *others)),
            any_of(filled == left, nobody),
            filled_split == left,
            *(split_ratio * one > minimum for one in parts),
            *(
                all_of(s.ToReal(n) <= share, share < s.ToReal(n) + 1)
                for n, share in zip(down, shares, strict=True)
            ),
            down[0] + down[1] > down[2],
        ],
        lambda values: Counterexample("A bet split in two plays more than it does whole.", ("5.1.1",)),
    )


def _prove_giving_way(work: Work, count: int) -> None:
    """Before the close: enough gives way, standing players' bets first, the latest first."""
    patterns = (
        list(product((True, False), repeat=count))
        if count <= EVERY_ORDER
        else [tuple(number % 2 == 0 for number in range(count))]
    )
    reduce_to_maximum = on_any_amount()["reduce_to_maximum"]
    stake = on_any_amount()["Stake"]
    s = z3()
    for seated in patterns:
        amounts = [unknown(f"bet_{number}") for number in range(1, count + 1)]
        minimum, maximum = unknown("minimum"), unknown("maximum")
        total = sum_of(*(amount.term for amount in amounts))
        given = [
            minimum.term >= 1,
            maximum.term >= 0,
            total > maximum.term,
            *(amount.term >= minimum.term for amount in amounts),
        ]

        def run(amounts: list[Whole] = amounts, seated: tuple[bool, ...] = seated, minimum: Whole = minimum,
                maximum: Whole = maximum) -> Any:  # fmt: skip
            stakes = [
                stake(key, f"p{key}", "banker", amount, sits)
                for key, (amount, sits) in enumerate(zip(amounts, seated, strict=True), 1)
            ]
            return reduce_to_maximum(stakes, maximum, dict.fromkeys(range(1, count + 1), minimum))

        wrong = []
        for end in explore(run, given):
            work.count()
            if end.raised is not None:
                wrong.append(all_of(*end.knows))
                continue
            left = {key: amount.term for key, amount in enumerate(amounts, 1)}
            bad: list[Term] = []
            for reduction in end.result:
                left[reduction.key] = _whole(reduction.left)
                bad.append(
                    _whole(reduction.left) + _whole(reduction.amount_removed)
                    != amounts[reduction.key - 1].term
                )
            bad.append(sum_of(*left.values()) > maximum.term)
            for key, stays in left.items():
                bad.append(all_of(stays != 0, stays < minimum.term))
                for other, others_stay in left.items():
                    before = (seated[other - 1], -other) < (seated[key - 1], -key)
                    if before and key != other:
                        bad.append(all_of(stays < amounts[key - 1].term, others_stay != 0))
            wrong.append(all_of(*end.knows, any_of(*bad)))
        pattern = "".join("s" if sits else "-" for sits in seated)
        work.refute(
            f"giving way {pattern}",
            [any_of(*wrong), s.BoolVal(True)],
            lambda values, seated=seated: _given_way_wrongly(work.book, seated, values),  # type: ignore[misc]
        )


def _prove_parts_give_way(work: Work) -> None:
    """A bet in two parts, with another between: the later part goes first, and a bet has one minimum."""
    limits, s = on_any_amount(), z3()
    first, between, later, other = (unknown(name) for name in ("bet_1", "bet_2", "bet_3", "lighter_side"))
    minimums = unknown("minimum_1"), unknown("minimum_2")
    maximum = unknown("maximum")
    whole = first.term + later.term
    for seated in product((True, False), repeat=2):
        given = [
            *(amount.term >= 1 for amount in (first, between, later, other, *minimums)),
            maximum.term >= 0,
            whole >= minimums[0].term,
            between.term >= minimums[1].term,
            whole + between.term > other.term + maximum.term,
        ]

        def run(seated: tuple[bool, ...] = seated) -> Any:
            stake = limits["Stake"]
            stakes = [
                stake(1, "p1", "banker", first, seated[0], 1),
                stake(2, "p2", "banker", between, seated[1], 2),
                stake(3, "p1", "banker", later, seated[0], 1),
                stake(4, "q", "player", other, seated=False),
            ]
            return limits["reduce_to_maximum"](stakes, maximum, {1: minimums[0], 2: minimums[1]})

        wrong = []
        for end in explore(run, given):
            work.count()
            if end.raised is not None:
                wrong.append(all_of(*end.knows))
                continue
            left = {1: whole, 2: between.term}
            left |= {reduction.key: _whole(reduction.left) for reduction in end.result}
            held = {1: whole, 2: between.term}
            bad = [
                _whole(reduction.left) + _whole(reduction.amount_removed) != held[reduction.key]
                for reduction in end.result
            ]
            bad.append(left[1] + left[2] > other.term + maximum.term)
            bad += [
                any_of(left[bet] < 0, all_of(left[bet] != 0, left[bet] < minimums[bet - 1].term))
                for bet in left
            ]
            touched = {bet: left[bet] < held[bet] for bet in left}
            if seated[0] == seated[1]:
                bad.append(all_of(touched[2], left[1] > first.term))
                bad.append(all_of(touched[1], left[1] < first.term, left[2] != 0, left[1] != 0))
            elif seated[0]:
                bad.append(all_of(touched[1], left[2] != 0))
            else:
                bad.append(all_of(touched[2], left[1] != 0))
            wrong.append(all_of(*end.knows, any_of(*bad)))
        pattern = "".join("s" if sits else "-" for sits in seated)
        work.refute(
            f"giving way in parts {pattern}",
            [any_of(*wrong), s.BoolVal(True)],
            lambda values, seated=seated: _given_way_wrongly(  # type: ignore[misc]
                work.book, (seated[0], seated[1], seated[0]), values
            ),
        )


def _prove_room(work: Work) -> None:
    """What still fits before the close fills the box to its maximum, and no cent more would."""
    player, banker, maximum = unknown("player"), unknown("banker"), unknown("maximum")
    given = [player.term >= 0, banker.term >= 0, maximum.term >= 0]
    for side, own, other in (("player", player, banker), ("banker", banker, player)):
        for end in explore(lambda side=side: on_any_amount()["room"](player, banker, side, maximum), given):  # type: ignore[misc]
            work.count()
            wrong: Term = z3().BoolVal(True)
            if end.raised is None:
                fits, lean = _whole(end.result), own.term - other.term
                filled = any_of(
                    all_of(fits >= 0, lean + fits == maximum.term), all_of(fits == 0, lean > maximum.term)
                )
                wrong = z3().Not(filled)
            work.refute(
                f"room on {side}",
                [*end.knows, wrong],
                lambda values, side=side: _wrong_room(work.book, side, values),  # type: ignore[misc]
            )


def _wrong_room(book: Rulebook, side: Side, values: Mapping[str, Fraction]) -> Counterexample:
    """A box filled so far, and one cent more than fits."""
    totals = {each: _cents(values, each) for each in SIDES}
    maximum = _cents(values, "maximum")
    fits = max(0, totals[opposite(side)] + maximum - totals[side])
    filled = " and ".join(show(total) for total in totals.values())
    what = f"With {filled} in a box not {show(fits)} more is said to fit on {side}."
    rule = book.irregularities["excess_differential"]
    steps: list[Script] = [{"by": "dealer", "do": "open_bets"}]
    for player, each in (("p2", opposite(side)), ("p1", side)):
        bet = {"by": player, "do": "place_bet", "box": 1, "bet": _side_bet(book, each)}
        steps.append({**bet, "stake": show(totals[each])})
    more = {"by": "p1", "do": "place_bet", "box": 1, "bet": _side_bet(book, side), "stake": show(fits + 1)}
    steps.append({**more, "refused": "over_differential"})
    script: Script = {
        "title": what,
        "rulebook": book.id,
        "layout": layout_with(book, [_side_bet(book, side)]),
        "limits": {"minimum": "0.01", "differential": show(maximum)},
        "seats": {"p1": 1},
        "step": steps,
    }
    return Counterexample(what, (rule.cite.paragraph,), script)


def _cents(values: Mapping[str, Fraction], name: str, least: int = 1) -> int:
    return min(LARGEST, max(least, int(values.get(name, 0))))


def _cut_wrongly(book: Rulebook, box: Box, values: Mapping[str, Fraction], how: str) -> Counterexample:
    """A box at an advisory table that closes beyond the Differential."""
    amounts = [_cents(values, f"bet_{number}") for number in range(1, len(box.amounts) + 1)]
    lighter = [_cents(values, f"lighter_side_{number}") for number in range(1, len(box.others) + 1)]
    minimum, maximum = _cents(values, "minimum"), _cents(values, "maximum")
    what = f"Bets of {', '.join(map(show, amounts))} against {show(sum(lighter))} are {how} wrongly."
    rule = book.irregularities["excess_differential"]
    seated = [True] + [False] * (len(amounts) - 1)
    script = _box_script(book, what, amounts, seated, minimum, maximum, box.side)
    script["readings"] = {"limits_mode": "advisory"}
    for number, amount in enumerate(lighter, 1):
        bet = {
            "by": f"q{number}",
            "do": "place_bet",
            "box": 1,
            "bet": _side_bet(book, opposite(box.side)),
            "stake": show(amount),
        }
        script["step"].insert(2, bet)
    return Counterexample(what, tuple(dict.fromkeys(step.cite.paragraph for step in rule.steps)), script)


def _given_way_wrongly(
    book: Rulebook, seated: Sequence[bool], values: Mapping[str, Fraction]
) -> Counterexample:
    amounts = [_cents(values, f"bet_{number}") for number in range(1, len(seated) + 1)]
    minimum, maximum = _cents(values, "minimum"), _cents(values, "maximum")
    what = (
        f"Of bets of {', '.join(map(show, amounts))} the wrong ones give way at a maximum of {show(maximum)}."
    )
    rule = book.irregularities["excess_differential"]
    script = _box_script(book, what, amounts, seated, minimum, maximum)
    # A bet on the other side makes room for them and is taken back before the close.
    other = {"by": "q", "box": 1, "bet": _side_bet(book, "player")}
    holder = script["step"].pop(1)
    room = {**other, "do": "place_bet", "stake": show(max(minimum, min(LARGEST, sum(amounts))))}
    first = [holder, room] if sum(amounts[:1]) <= maximum else [room, holder]
    script["step"][1:1] = first
    script["step"].insert(-1, {**other, "do": "withdraw_bet"})
    script["seats"]["q"] = 1 if not any(seated) else 0
    script["seats"] = {player: box for player, box in script["seats"].items() if box}
    return Counterexample(what, (rule.cite.paragraph,), script)


def _side_bet(book: Rulebook, side: str) -> str:
    return next(bet.name for bet in book.bets.values() if bet.original == side)


def _box_script(
    book: Rulebook,
    what: str,
    amounts: Sequence[int],
    seated: Sequence[bool],
    minimum: int,
    maximum: int,
    side: Side = "banker",
) -> Script:
    """Bets on one side of one box, the first of them by whoever sits there."""
    heavier = _side_bet(book, side)
    steps: list[Script] = [{"by": "dealer", "do": "open_bets"}]
    steps += [
        {"by": f"p{number}", "do": "place_bet", "box": 1, "bet": heavier, "stake": show(amount)}
        for number, amount in enumerate(amounts, 1)
    ]
    steps.append({"by": "dealer", "do": "close_bets"})
    first = next((number for number, sits in enumerate(seated, 1) if sits), 1)
    return {
        "title": what,
        "rulebook": book.id,
        "layout": layout_with(book, [heavier]),
        "limits": {"minimum": show(minimum), "differential": show(maximum)},
        "seats": {f"p{first}": 1},
        "step": steps,
    }
