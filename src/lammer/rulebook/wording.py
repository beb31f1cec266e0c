"""A rulebook's values in the words of the pit, for whoever shows or compares them."""

from __future__ import annotations

from lammer.rulebook.betting import Bet, Condition, HandWins, Pay, Tied
from lammer.rulebook.model import Irregularity


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


def condition_words(wins: Condition) -> str:
    """A winning condition as the pit says it.

    >>> from lammer import rulebook
    >>> condition_words(rulebook("tiger-buffalo-noncommission@4").bets["banker_char_siu"].wins)
    'Banker wins on 7-9 by 1'
    """
    if isinstance(wins, Tied):
        return "tie" if len(wins.totals) == 10 else f"tie on {spans(wins.totals)}"
    hands = " or ".join(hand.capitalize() for hand in wins.hands)
    if not isinstance(wins, HandWins):
        return f"{hands} starts with a pair"
    sentence = f"{hands} wins"
    if len(wins.totals) < 9:
        sentence += f" on {spans(wins.totals)}"
    if len(wins.cards) < 2:
        sentence += f" with {spans(wins.cards)} cards"
    if len(wins.by) < 9:
        sentence += f" by {spans(wins.by)}"
    return sentence


def pay_case(pay: Pay) -> str:
    """What a line of a pay table is for; empty when it is for every win."""
    if len(pay.tiers) < 3:
        return f"{' '.join(sorted(pay.tiers))} pair"
    if len(pay.cards_dealt) < 3:
        return f"{spans(pay.cards_dealt)} cards in all"
    if len(pay.cards) < 2:
        return f"{spans(pay.cards)} cards"
    return f"on {spans(pay.totals)}" if len(pay.totals) < 10 else ""


def pays_words(bet: Bet) -> str:
    """A whole pay table in one line.

    >>> from lammer import rulebook
    >>> pays_words(rulebook("tiger-buffalo-noncommission@4").bets["banker"])
    'on 6 1:2, on 1-5, 7-9 1:1'
    """
    return ", ".join(f"{pay_case(pay)} {pay.odds}".strip() for pay in bet.pays)


def step_words(irregularity: Irregularity) -> list[tuple[str, str]]:
    """What an irregularity allows or demands, each with its paragraph.

    >>> from lammer import rulebook
    >>> step_words(rulebook("tiger-buffalo-noncommission@4").irregularities["excess_cards"])[0]
    ('reconstruct if can be reconstructed, by the House at reasonable discretion', '5.8')
    """
    steps = []
    for step in irregularity.steps:
        words = step.does.replace("_", " ")
        if step.when != "always":
            words += f" if {step.when.replace('_', ' ')}"
        if step.by == "house":
            words += ", by the House"
        elif step.by != "rules":
            words += f", by {step.by.replace('_', ' ').title()} or above"
        if step.discretion != "none":
            words += f" at {step.discretion} discretion"
        steps.append((words, step.cite.paragraph))
    if irregularity.options:
        when, cite = irregularity.options
        condition = "" if when == "always" else f" if {when.replace('_', ' ')}"
        steps.append((f"players' options{condition}", cite.paragraph))
    return steps
