"""Two rulebooks side by side, by meaning and paragraph.

A paragraph that only moved is no change: what counts is what the document says. Each change carries the
paragraph on both sides, an empty one where a side has none. `moved_paragraphs` lists what kept its meaning
and changed its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import TypeVar

from lammer.rulebook.betting import Bet
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Irregularity, Layout, Rulebook
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import condition_words, pays_words, spans, step_words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: what kind, what about, what it means, and where each side says so."""

    kind: str
    subject: str
    sentence: str
    before: str
    after: str


def diff(a: Rulebook, b: Rulebook) -> tuple[Change, ...]:
    """What changed from one rulebook to another.

    >>> from lammer import rulebook
    >>> old = rulebook("tiger-buffalo-noncommission-insurance@1")
    >>> changes = diff(old, rulebook("tiger-buffalo-noncommission-insurance@3"))
    >>> [change.subject for change in changes if change.kind == "bet added"]
    ['Tiger Tie', 'Banker Big 7', 'Banker Small 7', 'Player Big 7', 'Player Small 7', 'Tiger Pair', 'Tiger']
    """
    return tuple(_changes(a, b))


def _changes(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    yield from _identity(a, b)
    yield from _cards(a, b)
    yield from _table_of_play(a, b)
    yield from _compare_tables(a.bets, b.bets, "bet", lambda bet: bet.title, _bet_cite, _bet)
    yield from _compare_tables(a.layouts, b.layouts, "layout", _layout_name, _layout_cite, _layout)
    yield from _insurance(a, b)
    yield from _squeeze(a, b)
    yield from _compare_tables(
        a.irregularities,
        b.irregularities,
        "irregularity",
        lambda irregularity: irregularity.title,
        _irregularity_cite,
        _irregularity,
    )
    yield from _readings(a, b)


def meaning(value: object) -> object:
    """A value without its citations and free texts, so that two can be compared by what they say."""
    if isinstance(value, Citation):
        return "cited"
    if isinstance(value, Fraction | str | int | frozenset) or value is None:
        return value
    if is_dataclass(value):
        return tuple(
            meaning(getattr(value, part.name))
            for part in fields(value)
            if part.name not in ("title", "title_zh", "titles", "translations")
        )
    if isinstance(value, Mapping):
        return tuple((key, meaning(item)) for key, item in value.items())
    if isinstance(value, tuple):
        return tuple(meaning(item) for item in value)
    raise TypeError(f"no meaning for {type(value).__name__}")


def _compare_tables(
    a: Mapping[str, T],
    b: Mapping[str, T],
    kind: str,
    title: Callable[[T], str],
    cite: Callable[[T], str],
    compare: Callable[[T, T], Iterator[str]],
) -> Iterator[Change]:
    """Added, removed and changed entries of a table keyed by name."""
    for name, item in b.items():
        if name not in a:
            yield Change(f"{kind} added", title(item), "new", "", cite(item))
    for name, item in a.items():
        if name not in b:
            yield Change(f"{kind} removed", title(item), "gone", cite(item), "")
        else:
            for sentence in compare(item, b[name]):
                yield Change(f"{kind} changed", title(item), sentence, cite(item), cite(b[name]))


def _identity(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    before, after = a.identity.paragraph, b.identity.paragraph
    if a.game != b.game:
        yield Change("game", b.game, f"{a.title} -> {b.title}", before, after)
    for what, old, new in (
        ("approval", a.approved_by, b.approved_by),
        ("operator", a.operator, b.operator),
        ("roles", ", ".join(a.roles), ", ".join(b.roles)),
    ):
        if old != new:
            yield Change("identity", what, f"{old} -> {new}", before, after)
    if a.in_force_from != b.in_force_from:
        sentence = f"in force from {a.in_force_from.isoformat()} -> {b.in_force_from.isoformat()}"
        yield Change("identity", "in force", sentence, before, after)


def _cards(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    old, new = a.cards, b.cards
    before, after = old.decks_cite.paragraph, new.decks_cite.paragraph
    if (old.fewest_decks, old.most_decks) != (new.fewest_decks, new.most_decks):
        sentence = f"{old.fewest_decks}-{old.most_decks} -> {new.fewest_decks}-{new.most_decks}"
        yield Change("cards changed", "decks", sentence, before, after)
    for rank in RANKS:
        if old.points[rank] != new.points[rank]:
            yield Change(
                "cards changed",
                f"value of {rank}",
                f"{old.points[rank]} -> {new.points[rank]}",
                old.points_cite[rank].paragraph,
                new.points_cite[rank].paragraph,
            )
    if old.order != new.order:
        sentence = f"{' '.join(old.order)} -> {' '.join(new.order)}"
        yield Change(
            "cards changed", "dealing order", sentence, old.order_cite.paragraph, new.order_cite.paragraph
        )


def _table_of_play(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    old, new = a.table_of_play, b.table_of_play
    kind = "table of play changed"
    if old.natural != new.natural:
        sentence = f"{spans(old.natural)} -> {spans(new.natural)}"
        yield Change(kind, "naturals", sentence, old.natural_cite.paragraph, new.natural_cite.paragraph)
    for total in sorted(old.player.keys() & new.player.keys()):
        before, after = old.player[total], new.player[total]
        if before.draws != after.draws:
            yield Change(
                kind, f"Player {total}", _draws(after.draws), before.cite.paragraph, after.cite.paragraph
            )
    for cell in sorted(old.banker.keys() & new.banker.keys(), key=str):
        before, after = old.banker[cell], new.banker[cell]
        if before.draws != after.draws:
            against = "a standing Player" if cell[1] is None else f"a third card of {cell[1]}"
            subject = f"Banker {cell[0]} against {against}"
            yield Change(kind, subject, _draws(after.draws), before.cite.paragraph, after.cite.paragraph)


def _draws(draws: bool) -> str:
    return "stands -> draws" if draws else "draws -> stands"


def _bet_cite(bet: Bet) -> str:
    return ", ".join(
        dict.fromkeys((bet.defined.paragraph, *(cite.paragraph for pay in bet.pays for cite in pay.cites)))
    )


def _bet(old: Bet, new: Bet) -> Iterator[str]:
    if meaning(old.wins) != meaning(new.wins):
        yield f"wins when {condition_words(old.wins)} -> {condition_words(new.wins)}"
    if meaning(old.pays) != meaning(new.pays):
        yield f"pays {pays_words(old)} -> {pays_words(new)}"
    if old.layouts != new.layouts:
        more, fewer = sorted(new.layouts - old.layouts), sorted(old.layouts - new.layouts)
        yield "offered " + " and ".join(
            part
            for part in (
                f"also on layouts {' '.join(more)}" if more else "",
                f"no more on layouts {' '.join(fewer)}" if fewer else "",
            )
            if part
        )
    if (old.tie_returns is None) != (new.tie_returns is None):
        yield "a tie now loses it" if new.tie_returns is None else "a tie now returns it"


def _layout_name(layout: Layout) -> str:
    return f"Layout {layout.appendix}"


def _layout_cite(layout: Layout) -> str:
    return layout.cite.paragraph


def _layout(old: Layout, new: Layout) -> Iterator[str]:
    if (old.fewest, old.most) != (new.fewest, new.most):
        yield f"positions {old.fewest}-{old.most} -> {new.fewest}-{new.most}"
    if old.chinese != new.chinese:
        yield "boxes now also in Chinese" if new.chinese else "boxes no more in Chinese"


def _insurance(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    old, new = a.insurance, b.insurance
    if old is None or new is None:
        if new is not None:
            yield Change("insurance added", "Insurance", "new", "", new.right.paragraph)
        elif old is not None:
            yield Change("insurance removed", "Insurance", "gone", old.right.paragraph, "")
        return
    cells = [
        {
            (offer.hand, offer.window, own, other): offer
            for offer in insurance.offers
            for own in sorted(offer.own)
            for other in sorted(offer.other)
        }
        for insurance in (old, new)
    ]
    for key in sorted(cells[0].keys() | cells[1].keys()):
        before, after = cells[0].get(key), cells[1].get(key)
        if (
            before is None
            or after is None
            or meaning(before.odds) != meaning(after.odds)
            or (not before.tie_wins) != (not after.tie_wins)
        ):
            sentence = f"{before.odds if before else 'no offer'} -> {after.odds if after else 'no offer'}"
            if before and after and (not before.tie_wins) != (not after.tie_wins):
                sentence += ", a tie now pays" if after.tie_wins else ", a tie no more pays"
            subject = f"{key[0].capitalize()} {key[2]} against {key[3]}, {key[1].replace('_', ' ')}"
            places = [offer.cite.paragraph if offer else "" for offer in (before, after)]
            yield Change("insurance changed", subject, sentence, *places)
    if meaning(old.private_table) != meaning(new.private_table):
        sentence = " -> ".join(
            f"by {insurance.private_table.by}, notice {insurance.private_table.notice}"
            for insurance in (old, new)
        )
        places = [insurance.private_table.cite.paragraph for insurance in (old, new)]
        yield Change("insurance changed", "private tables", sentence, *places)
    if meaning(old.shares) != meaning(new.shares):
        sentence = " -> ".join(
            ", ".join(f"{share.odds}: {share.share * 100}% of the maximum" for share in insurance.shares)
            or "none"
            for insurance in (old, new)
        )
        places = [insurance.original_bet.paragraph for insurance in (old, new)]
        yield Change("insurance changed", "limits", sentence, *places)


def _squeeze(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    before, after = a.squeeze.cite.paragraph, b.squeeze.cite.paragraph
    if a.squeeze.right != b.squeeze.right:
        widened = b.squeeze.right == "player"
        kind = "squeeze right widened" if widened else "squeeze right narrowed"
        sentence = (
            "from the seated player to any player" if widened else "from any player to the seated player"
        )
        yield Change(kind, "squeeze", f"{sentence} with the highest bet", before, after)
    if a.squeeze.waivers != b.squeeze.waivers:
        sentence = "requests that waive Insurance: " + " -> ".join(
            ", ".join(book.squeeze.waivers) or "none" for book in (a, b)
        )
        places = [book.squeeze.waiver_cite.paragraph if book.squeeze.waiver_cite else "" for book in (a, b)]
        yield Change("squeeze waiver", "squeeze", sentence, *places)


def _irregularity_cite(irregularity: Irregularity) -> str:
    return irregularity.cite.paragraph


def _irregularity(old: Irregularity, new: Irregularity) -> Iterator[str]:
    before, after = ([words for words, _ in step_words(irregularity)] for irregularity in (old, new))
    gone = [words for words in before if words not in after]
    come = [words for words in after if words not in before]
    if gone or come:
        yield f"{'; '.join(gone) or 'nothing'} -> {'; '.join(come) or 'nothing'}"


def _readings(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    for name, new in b.readings.items():
        old = a.readings.get(name)
        if old is None:
            yield Change("reading added", name, new.choice, "", new.cites[0].paragraph)
        elif (old.choice, old.alternatives) != (new.choice, new.alternatives):
            sentence = " -> ".join(
                " or ".join((reading.choice, *reading.alternatives)) for reading in (old, new)
            )
            yield Change("reading changed", name, sentence, old.cites[0].paragraph, new.cites[0].paragraph)
    for name, old in a.readings.items():
        if name not in b.readings:
            yield Change("reading removed", name, old.choice, old.cites[0].paragraph, "")


def moved_paragraphs(a: Rulebook, b: Rulebook) -> tuple[Change, ...]:
    """Paragraphs that say the same under another number, matched by their gist.

    >>> from lammer import rulebook
    >>> pair = [rulebook(f"tiger-buffalo-noncommission-insurance@{version}") for version in (1, 3)]
    >>> [(change.before, change.after) for change in moved_paragraphs(*pair)][-1]
    ('5.18', '5.23')
    """
    places = {paragraph.gist: paragraph.number for paragraph in reversed(tuple(a.paragraphs.values()))}
    return tuple(
        Change(
            "paragraph moved",
            paragraph.gist,
            f"{places[paragraph.gist]} -> {paragraph.number}",
            places[paragraph.gist],
            paragraph.number,
        )
        for paragraph in b.paragraphs.values()
        if paragraph.gist in places
        and places[paragraph.gist] != paragraph.number
        and not paragraph.not_executable
    )
