"""The Table of Play of a rulebook in as few rows as say it whole, for whoever shows it."""

from __future__ import annotations

from lammer.rulebook.model import Drawing, Rulebook
from lammer.rulebook.wording import spans


def table_of_play_rows(book: Rulebook) -> list[tuple[str, str, str, str, str]]:
    """The Table of Play as rows: hand, two-card totals, third cards, what it does, the paragraph.

    >>> from lammer.shelf import rulebook
    >>> table_of_play_rows(rulebook("tiger-buffalo-noncommission@4"))[1:3]
    [('player', '0-5', '', 'draws', '3.12'), ('player', '6-7', '', 'stands', '3.12')]
    """
    play = book.table_of_play
    third_cards: dict[tuple[str, int, str, str], list[int]] = {}
    naturals = "there are no naturals"
    if play.natural:
        naturals = "natural: " + (
            "no card for either hand" if play.natural_ends else "the rows say who draws"
        )
    rows = [("either", spans(play.natural), "", naturals, play.natural_cite.paragraph)]
    for action, totals in _totals_by_action(dict(play.player)).items():
        rows.append(("player", spans(frozenset(totals)), "", action[0], action[1]))
    without_third = {total: drawing for (total, third), drawing in play.banker.items() if third is None}
    for (total, third), drawing in play.banker.items():
        if third is not None:
            key = ("banker", total, _does(drawing), drawing.cite.paragraph)
            third_cards.setdefault(key, []).append(third)
    for (hand, total, does, cite), thirds in third_cards.items():
        rows.append((hand, str(total), spans(frozenset(thirds)), does, cite))
    for action, totals in _totals_by_action(without_third).items():
        rows.append(("banker", spans(frozenset(totals)), "none", action[0], action[1]))
    return rows


def _totals_by_action(cells: dict[int, Drawing]) -> dict[tuple[str, str], list[int]]:
    totals: dict[tuple[str, str], list[int]] = {}
    for total, drawing in cells.items():
        totals.setdefault((_does(drawing), drawing.cite.paragraph), []).append(total)
    return totals


def _does(drawing: Drawing) -> str:
    return "may draw" if drawing.optional else "draws" if drawing.draws else "stands"
