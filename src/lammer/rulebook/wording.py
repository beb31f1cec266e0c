"""A rulebook's values in the words of the pit, for whoever shows or compares them, in any language."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from lammer.rulebook.betting import Bet, Insurance, Pay, ShareOfOriginal
from lammer.rulebook.conditions import (
    EVERY_MARGIN,
    EVERY_SUITS,
    EVERY_SUM,
    AllOf,
    AnyOf,
    Condition,
    Dealt,
    HandHas,
    HandWins,
    NotSo,
    Paired,
    Summed,
    Tied,
)
from lammer.rulebook.model import Cell, Irregularity, Step
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.vocabulary import PAIR_SUITS, Outcome, Window

HANDS: Final = {"player": Phrase("Player"), "banker": Phrase("Banker")}
EVERY_WIN: Final = Phrase("every win")
_PAIRS: Final = {
    "single": Phrase("one pair"),
    "double": Phrase("two pairs"),
    "twin": Phrase("twin pairs"),
}
PAIRS_BY_SUITS: Final = {
    "same": Phrase("a suited pair"),
    "one_colour": Phrase("a pair of one colour in two suits"),
    "mixed": Phrase("a pair of two colours"),
}
ENDS: Final[dict[Outcome, Phrase]] = {
    "won": Phrase("wins"),
    "returned": Phrase("stake returned"),
    "lost": Phrase("stake lost"),
}

MOMENTS: Final[dict[Window, Phrase]] = {
    "two_cards": Phrase("before the other hand is shown"),
    "four_cards": Phrase("after four cards"),
    "third_card": Phrase("after the Player’s third card"),
}
"""When Insurance is offered, within a sentence."""
WINDOW_TITLES: Final[dict[Window, Phrase]] = {
    "two_cards": Phrase("Before the other hand is shown"),
    "four_cards": Phrase("After four cards"),
    "third_card": Phrase("After the third card"),
}
"""The same as a heading."""


def spans(points: frozenset[int]) -> str:
    """Points as the documents print them.

    >>> spans(frozenset({0, 1, 2, 5}))
    '0-2, 5'
    """
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and point == runs[-1][-1] + 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def condition_words(wins: Condition) -> Phrase | Series:
    """A winning condition as the pit says it.

    >>> from lammer import rulebook
    >>> condition_words(rulebook("tiger-buffalo-noncommission@4").bets["banker_char_siu"].wins)
    'Banker wins on 7-9 by 1'
    >>> condition_words(AllOf((Dealt(frozenset({6})), NotSo(Paired(("player",), frozenset({"same"}))))))
    '6 cards are dealt in all, unless Player starts with a suited pair'
    """
    match wins:
        case AnyOf():
            return Series((_bracketed(part) for part in wins.parts), " or ")
        case AllOf():
            return _all_words(wins)
        case NotSo():
            return Phrase("unless {condition}", condition=condition_words(wins.part))
        case Dealt():
            return Phrase("{cards} cards are dealt in all", cards=spans(wins.cards))
        case Summed():
            return Phrase("both totals add up to {totals}", totals=spans(wins.sums))
        case Paired():
            return _pair_words(wins)
        case Tied():
            tie = _tie_words(wins)
            return tie if wins.natural is None else Series([tie, _natural(wins.natural)], " ")
    parts = [_hands_do(wins)]
    if len(wins.totals) < (9 if isinstance(wins, HandWins) else 10):
        parts.append(Phrase("on {totals}", totals=spans(wins.totals)))
    if len(wins.cards) < 2:
        parts.append(Phrase("with {cards} cards", cards=spans(wins.cards)))
    if isinstance(wins, HandWins) and len(wins.by) < 9:
        parts.append(Phrase("by {margin}", margin=spans(wins.by)))
    if wins.natural is not None:
        parts.append(_natural(wins.natural))
    return Series(parts, " ")


def _all_words(wins: AllOf) -> Phrase | Series:
    """What must hold, and after it what must not."""
    never = [part.part for part in wins.parts if isinstance(part, NotSo)]
    must = Series((_bracketed(part) for part in wins.parts if not isinstance(part, NotSo)), " and ")
    unless = Phrase("unless {condition}", condition=Series(map(_bracketed, never), " or "))
    if not never:
        return must
    return Phrase("{condition}, {unless}", condition=must, unless=unless) if must else unless


def _hands_do(wins: HandWins | HandHas) -> Phrase:
    hands = Series((HANDS[hand] for hand in wins.hands), " or ")
    if isinstance(wins, HandWins):
        return Phrase("{hands} wins", hands=hands)
    return Phrase("both hands end") if wins.every else Phrase("{hands} ends", hands=hands)


def _tie_words(wins: Tied) -> Phrase:
    if len(wins.totals) == 10:
        return Phrase("The hands tie")
    return Phrase("The hands tie on {totals}", totals=spans(wins.totals))


def _natural(natural: bool) -> Phrase:
    return Phrase("with a natural") if natural else Phrase("without a natural")


def _pair_words(wins: Paired) -> Phrase:
    hands = Series((HANDS[hand] for hand in wins.hands), " or ")
    if wins.suits == EVERY_SUITS:
        if wins.every:
            return Phrase("both hands start with a pair")
        return Phrase("{hands} starts with a pair", hands=hands)
    pair = Series((PAIRS_BY_SUITS[kind] for kind in PAIR_SUITS if kind in wins.suits), " or ")
    if wins.every:
        return Phrase("both hands start with {pair}", pair=pair)
    return Phrase("{hands} starts with {pair}", hands=hands, pair=pair)


def _bracketed(condition: Condition) -> Phrase | Series:
    """A condition inside another; in brackets where it is put together from several itself."""
    words = condition_words(condition)
    return Phrase("({condition})", condition=words) if isinstance(condition, AnyOf | AllOf | NotSo) else words


def pay_case(pay: Pay) -> Phrase | Series:
    """What a line of a pay table is for: everything that chooses it.

    >>> from dataclasses import replace
    >>> from lammer import rulebook
    >>> pay = rulebook("tiger-buffalo-noncommission@4").bets["banker"].pays[0]
    >>> pay_case(pay), pay_case(replace(pay, cards=frozenset({3})))
    ('on 6', 'on 6 with 3 cards')
    """
    parts: list[Phrase | Series] = []
    if len(pay.tiers) < 3:
        parts.append(Series((_PAIRS.get(tier, tier) for tier in sorted(pay.tiers)), " or "))
    if len(pay.totals) < 10:
        parts.append(Phrase("on {totals}", totals=spans(pay.totals)))
    if len(pay.cards) < 2:
        parts.append(Phrase("with {cards} cards", cards=spans(pay.cards)))
    if pay.by != EVERY_MARGIN:
        parts.append(Phrase("on a tie") if pay.by == {0} else Phrase("by {margin}", margin=spans(pay.by)))
    if pay.natural is not None:
        parts.append(_natural(pay.natural))
    if len(pay.cards_dealt) < 3:
        parts.append(Phrase("{cards} cards in all", cards=spans(pay.cards_dealt)))
    if pay.sums != EVERY_SUM:
        parts.append(Phrase("both totals {totals}", totals=spans(pay.sums)))
    if isinstance(pay.when, NotSo):
        parts.append(condition_words(pay.when))
    elif pay.when is not None:
        parts.append(Phrase("when {condition}", condition=condition_words(pay.when)))
    if len(parts) == 1:
        return parts[0]
    return Series(parts, " ") if parts else EVERY_WIN


def pays_words(bet: Bet) -> Series:
    """A whole pay table in one line.

    >>> from lammer import rulebook
    >>> pays_words(rulebook("tiger-buffalo-noncommission@4").bets["banker"])
    'on 6 1:2, on 1-5, 7-9 1:1'
    """
    return Series((pay_words(pay) for pay in bet.pays), ", ")


def pay_words(pay: Pay) -> str:
    """A line of a pay table: what it is for, and what it pays; the latter alone where it is for every win."""
    case, result = pay_case(pay), pay_result(pay)
    if isinstance(pay.when, NotSo):
        return Phrase("{odds} {case}", odds=result, case=case)
    return result if case == EVERY_WIN else Phrase("{case} {odds}", case=case, odds=result)


def full_pays_words(bet: Bet, separator: str) -> Series:
    """A whole pay table with what the House keeps of each line.

    >>> from lammer import rulebook
    >>> full_pays_words(rulebook("tiger-buffalo-commission-insurance@3").bets["banker"], "; ")
    '0.95:1 (5% commission)'
    """
    return Series((_full_pay_words(pay) for pay in bet.pays), separator)


def _full_pay_words(pay: Pay) -> str:
    if pay.commission is None:
        return pay_words(pay)
    kept = f"{float(pay.commission.rate * 100):g}%"
    return Phrase("{pays} ({share} commission)", pays=pay_words(pay), share=kept)


def pay_result(pay: Pay) -> str:
    """The odds of a line, or what becomes of the stake without any."""
    return str(pay.odds) if pay.odds else ENDS[pay.outcome]


def step_words(irregularity: Irregularity) -> list[tuple[Series, str]]:
    """What an irregularity allows or demands, each with its paragraph.

    >>> from lammer import rulebook
    >>> step_words(rulebook("tiger-buffalo-noncommission@4").irregularities["excess_cards"])[0]
    ('Reconstruct, if can be reconstructed, by the House, at reasonable discretion', '5.8')
    """
    steps = [(Series(_parts(step), ", "), step.cite.paragraph) for step in irregularity.steps]
    if irregularity.options:
        when, cite = irregularity.options
        parts = [Phrase("Players' options"), *_if(when)]
        steps.append((Series(parts, ", "), cite.paragraph))
    return steps


def _parts(step: Step) -> list[Phrase]:
    parts = [Phrase(step.does.replace("_", " ").capitalize()), *_if(step.when)]
    if step.by == "house":
        parts.append(Phrase("by the House"))
    elif step.by != "rules":
        parts.append(Phrase("by {who}", who=Phrase(f"{step.by.replace('_', ' ').title()} or above")))
    if step.discretion != "none":
        parts.append(Phrase(f"at {step.discretion} discretion"))
    return parts


def _if(when: str) -> list[Phrase]:
    return [] if when == "always" else [Phrase(f"if {when.replace('_', ' ')}")]


def cells_words(cells: Collection[Cell]) -> Phrase | Series:
    """Cells of the Table of Play in a line.

    >>> cells_words({("player", 5, None), ("banker", 3, 8), ("banker", 3, 9), ("banker", 6, None)})
    'Player on 5; Banker on 3 against 8-9; Banker on 6 when the Player stands'
    """
    player = frozenset(total for hand, total, _ in cells if hand == "player")
    words = [Phrase("Player on {totals}", totals=spans(player))] if player else []
    for total in range(10):
        thirds = {third for hand, points, third in cells if (hand, points) == ("banker", total)}
        seen = frozenset(third for third in thirds if third is not None)
        if seen:
            words.append(Phrase("Banker on {total} against {thirds}", total=total, thirds=spans(seen)))
        if None in thirds:
            words.append(Phrase("Banker on {total} when the Player stands", total=total))
    return Series(words, "; ") if words else Phrase("nothing")


def share_words(limit: ShareOfOriginal) -> Series:
    """How the Original Bet limits Insurance.

    >>> from fractions import Fraction
    >>> from lammer.rulebook.citation import Citation
    >>> from lammer.rulebook.odds import Odds
    >>> cite = Citation("mine@1", "4.3")
    >>> share_words(ShareOfOriginal("winnings", Fraction(1), Odds.parse("8:1"), None, cite))
    'winnings at most 100% of the Original Bet at 8:1'
    """
    percent = limit.share * 100
    parts = [Phrase("winnings at most {share}% of the Original Bet", share=percent)]
    if limit.what == "stake":
        parts = [Phrase("at most {share}% of the Original Bet", share=percent)]
    if limit.odds is not None:
        parts.append(Phrase("at {odds}", odds=limit.odds))
    if limit.window is not None:
        parts.append(MOMENTS[limit.window])
    return Series(parts, " ")


def times_words(insurance: Insurance) -> Phrase:
    """How often an Original Bet may be insured in a round.

    >>> from lammer import rulebook
    >>> times_words(rulebook("tiger-buffalo-noncommission-insurance@3").insurance)
    'each bet in every window'
    """
    return Phrase("each bet in one window of a round" if insurance.once else "each bet in every window")
