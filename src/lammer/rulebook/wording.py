"""A rulebook's values in the words of the pit, for whoever shows or compares them, in any language."""

from __future__ import annotations

from typing import Final

from lammer.rulebook.betting import Bet, Condition, HandWins, Pay, Tied
from lammer.rulebook.model import Irregularity, Step
from lammer.rulebook.phrase import Phrase, Series

HANDS: Final = {"player": Phrase("Player"), "banker": Phrase("Banker")}
EVERY_WIN: Final = Phrase("every win")
_PAIRS: Final = {
    "single": Phrase("one pair"),
    "double": Phrase("two pairs"),
    "twin": Phrase("twin pairs"),
}


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
    """
    if isinstance(wins, Tied):
        if len(wins.totals) == 10:
            return Phrase("The hands tie")
        return Phrase("The hands tie on {totals}", totals=spans(wins.totals))
    hands = Series((HANDS[hand] for hand in wins.hands), " or ")
    if not isinstance(wins, HandWins):
        return Phrase("{hands} starts with a pair", hands=hands)
    parts = [Phrase("{hands} wins", hands=hands)]
    if len(wins.totals) < 9:
        parts.append(Phrase("on {totals}", totals=spans(wins.totals)))
    if len(wins.cards) < 2:
        parts.append(Phrase("with {cards} cards", cards=spans(wins.cards)))
    if len(wins.by) < 9:
        parts.append(Phrase("by {margin}", margin=spans(wins.by)))
    return Series(parts, " ")


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
    if len(pay.cards_dealt) < 3:
        parts.append(Phrase("{cards} cards in all", cards=spans(pay.cards_dealt)))
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
    """A line of a pay table: what it is for, and the odds; the odds alone where it is for every win."""
    case = pay_case(pay)
    return str(pay.odds) if case == EVERY_WIN else Phrase("{case} {odds}", case=case, odds=pay.odds)


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
