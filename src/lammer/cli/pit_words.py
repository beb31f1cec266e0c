"""The words a story is made of: titles for names of code, hands by their points, rows under each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lammer.game.cards import Card
from lammer.game.hands import total
from lammer.rulebook.refusal import Refused
from lammer.table.state import OutcomeNow, Table


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of a story: what happened, the paragraph it stands on, and how it looks."""

    text: str
    cite: str = ""
    style: str = ""


def words(name: str) -> str:
    """A name of code as words.

    >>> words("pit_supervisor"), words("RoundVoided")
    ('pit supervisor', 'Round voided')
    """
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name[1:])
    return (name[:1] + spaced).replace("_", " ")


def bet_title(table: Table, name: str) -> str:
    """What the rulebook calls a bet."""
    return table.book.bets[name].title if name in table.book.bets else words(name)


def irregularity_title(table: Table, name: str) -> str:
    """What the rulebook calls an irregularity; anything else as it was written."""
    irregularity = table.book.irregularities.get(name)
    return irregularity.title if irregularity is not None else words(name)


def join_names(names: Iterable[str]) -> str:
    """Names in a row, as they are spoken.

    >>> join_names(["p1", "p2", "p3"]), join_names([])
    ('p1, p2 and p3', 'nobody')
    """
    *first, last = [*names] or ["nobody"]
    return f"{', '.join(first)} and {last}" if first else last


def points(table: Table, player: Sequence[Card], banker: Sequence[Card]) -> str:
    """The hands that have cards, by their points."""
    hands = {"Player": player, "Banker": banker}
    return " · ".join(f"{name} {total(table.book, cards)}" for name, cards in hands.items() if cards)


def result(table: Table, player: Sequence[Card], banker: Sequence[Card]) -> str:
    """Who won with these cards, and by what."""
    player_points, banker_points = total(table.book, player), total(table.book, banker)
    if player_points == banker_points:
        return f"Tie on {player_points}"
    if player_points > banker_points:
        return f"Player wins {player_points} to {banker_points}"
    return f"Banker wins {banker_points} to {player_points}"


def outcome_now(table: Table) -> OutcomeNow | None:
    """The outcome as the cards on the table stand; none where no round could show them."""
    try:
        return table.outcome()
    except Refused:
        return None


def establishing_bets(table: Table, by: Iterable[str], outcome: OutcomeNow | None) -> str:
    """The bets that establish an outcome, with how each of them stands."""
    ways: dict[str, list[str]] = {}
    for name in by:
        standing = outcome.standings.get(name, "open") if outcome is not None else "open"
        ways.setdefault("decided" if standing == "open" else standing, []).append(bet_title(table, name))
    return "; ".join(f"{join_names(titles)} {way}" for way, titles in ways.items())


def align_rows(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows of cells under each other; columns in `right` end together.

    >>> align_rows([["p1", "9.00"], ["p10", "10.00"]], right=[1])
    ['  p1    9.00', '  p10  10.00']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
