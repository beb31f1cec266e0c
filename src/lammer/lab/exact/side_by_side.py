"""Several results set side by side: one rulebook on more or fewer decks, two rulebooks on one shoe.

What changed comes from the rulebooks, what it did from their analyses; here the two only meet. The command
line and the report show the same sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from lammer.lab.exact.analysis import Analysis, percent
from lammer.lab.exact.edges import edges
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.diff import Change, diff
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import SIDES

MOST_COLUMNS = 12
"""More numbers of decks than this are not looked at one by one."""

_MOVING_KINDS = ("game", "cards", "table of play", "bet", "insurance")
_MOVING_READING = "twin_pair"


def decks_of(book: Rulebook) -> range:
    """The numbers of decks a rulebook allows, or some of them where there are very many.

    >>> from lammer import rulebook
    >>> list(decks_of(rulebook("tiger-buffalo-noncommission@4")))
    [4, 5, 6, 7, 8, 9, 10]
    """
    fewest, most = book.cards.fewest_decks, book.cards.most_decks
    return range(fewest, most + 1, 1 + (most - fewest) // MOST_COLUMNS)


def by_decks(book: Rulebook, decks: Iterable[int] = ()) -> dict[int, Analysis]:
    """One analysis for each of these numbers of decks, or else for all the rulebook allows.

    >>> from lammer import rulebook
    >>> analyses = by_decks(rulebook("tiger-buffalo-noncommission@4"), (4, 8))
    >>> {decks: percent(analysis.bet("tie").edge) for decks, analysis in analyses.items()}
    {4: '14.5916', 8: '14.3596'}
    """
    return {number: edges(book, decks=number) for number in tuple(decks) or decks_of(book)}


def decks_sheet(analyses: Mapping[int, Analysis], places: int = 4) -> Sheet:
    """Every bet's edge, a column for each number of decks.

    >>> from lammer import rulebook
    >>> decks_sheet(by_decks(rulebook("tiger-buffalo-noncommission@4"), (6, 8))).rows[2]
    ('tie', '14.4382', '14.3596')
    """
    columns = [
        {bet.bet: percent(bet.edge, places) for bet in analysis.bets} for analysis in analyses.values()
    ]
    rows = tuple((name, *(column[name] for column in columns)) for name in columns[0])
    name = "Edge % by number of decks"
    return Sheet(name, ("bet", *(Phrase("{decks} decks", decks=decks) for decks in analyses)), rows)


def edges_compared(before: Analysis, after: Analysis, places: int = 4) -> Sheet:
    """Every bet's edge under two rulebooks, and what changed.

    >>> from lammer import rulebook
    >>> pair = [rulebook(f"tiger-buffalo-{kind}-insurance@3") for kind in ("commission", "noncommission")]
    >>> edges_compared(edges(pair[0]), edges(pair[1])).rows[1]
    ('banker', '1.0579', '1.4581', '0.4002')
    """
    by_bet = [{bet.bet: bet.edge for bet in analysis.bets} for analysis in (before, after)]
    names = dict.fromkeys([*by_bet[0], *by_bet[1]])
    rows = tuple(_comparison_row(name, by_bet[0].get(name), by_bet[1].get(name), places) for name in names)
    columns = (
        "bet",
        Phrase("edge % {rulebook}", rulebook=before.rulebook),
        Phrase("edge % {rulebook}", rulebook=after.rulebook),
        "change",
    )
    return Sheet("Edges compared", columns, rows)


def insuring_compared(before: Analysis, after: Analysis, places: int = 4) -> Sheet:
    """What always insuring a hand costs under two rulebooks; no rows where neither has Insurance."""
    rows = []
    for hand in SIDES:
        pair = [
            analysis.always_insuring(hand) if analysis.insurance else None for analysis in (before, after)
        ]
        if pair != [None, None]:
            rows.append(_comparison_row(hand, pair[0], pair[1], places))
    columns = (
        "hand",
        Phrase("% of a unit a round {rulebook}", rulebook=before.rulebook),
        after.rulebook,
        "change",
    )
    return Sheet("Always insuring compared", columns, tuple(rows))


def _comparison_row(name: str, old: Fraction | None, new: Fraction | None, places: int) -> tuple[str, ...]:
    percents = [percent(edge, places) if edge is not None else "-" for edge in (old, new)]
    return name, *percents, percent(new - old, places) if old is not None and new is not None else ""


def changes_sheet(
    before: Rulebook,
    after: Rulebook,
    changes: Sequence[Change] | None = None,
    heads: tuple[str, str] | None = None,
) -> Sheet:
    """What changed from one rulebook to another, each change with its paragraphs on both sides.

    `heads` are over the two sides where their ids do not tell them apart.

    >>> from lammer import rulebook
    >>> pair = [rulebook(f"tiger-buffalo-{kind}-insurance@3") for kind in ("commission", "noncommission")]
    >>> changes_sheet(*pair).rows[1][:3]
    ('bet changed', 'Banker', 'pays 0.95:1 -> on 6 1:2, on 1-5, 7-9 1:1')
    """
    rows = tuple(
        (change.kind, change.subject, change.sentence, change.before or "-", change.after or "-")
        for change in (diff(before, after) if changes is None else changes)
    )
    return Sheet("What changed", ("change", "what", "how", *(heads or (before.id, after.id))), rows)


def changes_that_move_edges(changes: Iterable[Change]) -> list[Change]:
    """The changes mathematics can feel: to the cards, the Table of Play, bets, Insurance, and what a pair is.

    >>> both = Change("reading added", "rounding", "", "", ""), Change("bet added", "Tiger", "new", "", "4.1")
    >>> [change.subject for change in changes_that_move_edges(both)]
    ['Tiger']
    """
    return [
        change
        for change in changes
        if change.kind.startswith(_MOVING_KINDS) or change.subject == _MOVING_READING
    ]
