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

from lammer.rulebook.betting import Bet, Insurance, Offer
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Drawing, Irregularity, Layout, Rulebook, TableOfPlay
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import (
    HANDS,
    cells_words,
    condition_words,
    pays_words,
    share_words,
    spans,
    step_words,
    times_words,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: what kind, what about, what it means, and where each side says so.

    `subject` and `sentence` are English, or phrases that know their own message.
    """

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
    yield from _paired(a.bets, b.bets, "bet", lambda bet: bet.title, _bet_cite, _bet)
    yield from _paired(a.layouts, b.layouts, "layout", _layout_name, _cite, _layout)
    yield from _insurance(a, b)
    yield from _squeeze(a, b)
    rules = a.irregularities, b.irregularities
    yield from _paired(*rules, "irregularity", lambda rule: rule.title, _cite, _irregularity)
    yield from _readings(a, b)


def meaning(value: object) -> object:
    """A value without its citations and free texts, so that two can be compared by what they say."""
    if isinstance(value, Citation):
        return "cited"
    if isinstance(value, Fraction | str | int | frozenset) or value is None:
        return value
    if is_dataclass(value):
        return type(value).__name__, *(
            meaning(getattr(value, part.name))
            for part in fields(value)
            if part.name not in ("title", "title_zh", "titles", "translations")
        )
    if isinstance(value, Mapping):
        return tuple((key, meaning(item)) for key, item in value.items())
    if isinstance(value, tuple):
        if value and all(isinstance(item, Citation) for item in value):
            return "cited"  # once or twice is the same
        return tuple(meaning(item) for item in value)
    raise TypeError(f"no meaning for {type(value).__name__}")


def _paired(
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
            yield Change(f"{kind} added", title(item), Phrase("new"), "", cite(item))
    for name, item in a.items():
        if name not in b:
            yield Change(f"{kind} removed", title(item), Phrase("gone"), cite(item), "")
        else:
            for sentence in compare(item, b[name]):
                yield Change(f"{kind} changed", title(item), sentence, cite(item), cite(b[name]))


def _cite(item: Layout | Irregularity) -> str:
    return item.cite.paragraph


def _identity(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    before, after = a.identity.paragraph, b.identity.paragraph
    if a.game != b.game:
        yield Change("game", b.game, _from_to(a.title, b.title), before, after)
    for what, old, new in (
        ("approval", a.approved_by, b.approved_by),
        ("operator", a.operator, b.operator),
        ("roles", ", ".join(a.roles), ", ".join(b.roles)),
    ):
        if old != new:
            change = _from_to(old or Phrase("nobody"), new or Phrase("nobody"))
            yield Change("identity", Phrase(what), change, before, after)
    if b.based_on:
        yield Change("identity", Phrase("based on"), b.based_on, "", after)
    if a.in_force_from != b.in_force_from and not (a.is_private or b.is_private):
        dates = _from_to(a.in_force_from.isoformat(), b.in_force_from.isoformat())
        yield Change("identity", Phrase("in force from"), dates, before, after)


def _from_to(old: object, new: object) -> Phrase:
    return Phrase("{before} -> {after}", before=old, after=new)


def _cards(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    old, new = a.cards, b.cards
    before, after = old.decks_cite.paragraph, new.decks_cite.paragraph
    if (old.fewest_decks, old.most_decks) != (new.fewest_decks, new.most_decks):
        decks = _from_to(f"{old.fewest_decks}-{old.most_decks}", f"{new.fewest_decks}-{new.most_decks}")
        yield Change("cards changed", Phrase("decks"), decks, before, after)
    if old.ranks != new.ranks:
        ranks = _from_to(" ".join(old.ranks), " ".join(new.ranks))
        yield Change("cards changed", Phrase("ranks of a deck"), ranks, before, after)
    for rank in RANKS:
        if rank in old.points and rank in new.points and old.points[rank] != new.points[rank]:
            yield Change(
                "cards changed",
                Phrase("value of {rank}", rank=rank),
                _from_to(old.points[rank], new.points[rank]),
                old.points_cite[rank].paragraph,
                new.points_cite[rank].paragraph,
            )
    if old.order != new.order:
        yield Change(
            "cards changed",
            Phrase("dealing order"),
            _from_to(" ".join(old.order), " ".join(new.order)),
            old.order_cite.paragraph,
            new.order_cite.paragraph,
        )


def _table_of_play(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    old, new = a.table_of_play, b.table_of_play
    kind = "table of play changed"
    if old.natural_ends != new.natural_ends:
        places = old.natural_cite.paragraph, new.natural_cite.paragraph
        ends = Phrase("a natural now ends the drawing")
        how = ends if new.natural_ends else Phrase("a natural no more ends the drawing")
        yield Change(kind, Phrase("naturals"), how, *places)
    if old.natural != new.natural:
        naturals = _from_to(*(spans(each.natural) or Phrase("none") for each in (old, new)))
        places = old.natural_cite.paragraph, new.natural_cite.paragraph
        yield Change(kind, Phrase("naturals"), naturals, *places)
    for total in sorted(old.player.keys() | new.player.keys()):
        x, y = old.player.get(total), new.player.get(total)
        if _does(x) != _does(y):
            subject = Phrase("Player {total}", total=total)
            yield Change(kind, subject, _from_to(_does(x), _does(y)), _of(old, x), _of(new, y))
    for cell in sorted(old.banker.keys() | new.banker.keys(), key=str):
        x, y = old.banker.get(cell), new.banker.get(cell)
        if _does(x) != _does(y):
            subject = Phrase("Banker {total} against a standing Player", total=cell[0])
            if cell[1] is not None:
                subject = Phrase(
                    "Banker {total} against a third card of {third}", total=cell[0], third=cell[1]
                )
            yield Change(kind, subject, _from_to(_does(x), _does(y)), _of(old, x), _of(new, y))
    plays = [{play.name: play.draws for play in each.plays} for each in (old, new)]
    for name in dict.fromkeys((*plays[0], *plays[1])):
        before, after = (each.get(name) for each in plays)
        if before != after:
            none = Phrase("no such play")
            how = _from_to(*(none if cells is None else cells_words(cells) for cells in (before, after)))
            places = old.natural_cite.paragraph, new.natural_cite.paragraph
            yield Change(kind, Phrase("play {name}", name=name), how, *places)


def _of(table: TableOfPlay, cell: Drawing | None) -> str:
    return (cell.cite if cell else table.natural_cite).paragraph


def _does(cell: Drawing | None) -> Phrase:
    if cell is None:
        return Phrase("no card after a natural")
    if cell.optional:
        return Phrase("may draw")
    return Phrase("draws") if cell.draws else Phrase("stands")


def _bet_cite(bet: Bet) -> str:
    return ", ".join(
        dict.fromkeys((bet.defined.paragraph, *(c.paragraph for p in bet.pays for c in p.cites)))
    )


def _bet(old: Bet, new: Bet) -> Iterator[str]:
    if meaning(old.wins) != meaning(new.wins):
        before, after = condition_words(old.wins), condition_words(new.wins)
        yield Phrase("wins when {before} -> {after}", before=before, after=after)
    if meaning(old.pays) != meaning(new.pays):
        yield Phrase("pays {before} -> {after}", before=pays_words(old), after=pays_words(new))
    if old.layouts != new.layouts:
        more, fewer = sorted(new.layouts - old.layouts), sorted(old.layouts - new.layouts)
        if more:
            yield Phrase("offered also on layouts {letters}", letters=" ".join(more))
        if fewer:
            yield Phrase("offered no more on layouts {letters}", letters=" ".join(fewer))
    if (old.tie_returns is None) != (new.tie_returns is None):
        yield Phrase("a tie now loses it") if new.tie_returns is None else Phrase("a tie now returns it")


def _layout_name(layout: Layout) -> str:
    return Phrase("Layout {letter}", letter=layout.appendix)


def _layout(old: Layout, new: Layout) -> Iterator[str]:
    if (old.fewest, old.most) != (new.fewest, new.most):
        positions = f"{old.fewest}-{old.most}", f"{new.fewest}-{new.most}"
        yield Phrase("positions {before} -> {after}", before=positions[0], after=positions[1])
    if old.chinese != new.chinese:
        yield Phrase("boxes now also in Chinese") if new.chinese else Phrase("boxes no more in Chinese")


def _insurance(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    old, new = a.insurance, b.insurance
    if old is None or new is None:
        if new is not None:
            yield Change("insurance added", Phrase("Insurance"), Phrase("new"), "", new.right.paragraph)
        elif old is not None:
            yield Change("insurance removed", Phrase("Insurance"), Phrase("gone"), old.right.paragraph, "")
        return
    cells = [
        {
            (offer.hand, offer.window, own, other): offer
            for offer in insurance.offers
            for own in sorted(offer.own)
            for other in offer.against
        }
        for insurance in (old, new)
    ]
    for key in sorted(cells[0].keys() | cells[1].keys()):
        x, y = cells[0].get(key), cells[1].get(key)
        if x is None or y is None or meaning(x.odds) != meaning(y.odds) or x.on_tie != y.on_tie:
            none = Phrase("no offer")
            how: Phrase | Series = _from_to(x.odds if x else none, y.odds if y else none)
            if x and y and x.on_tie != y.on_tie:
                how = Series((how, _tie_change(x, y)), ", ")
            hand, window, own, other = key
            subject = Phrase(
                "{hand} {own} against {other}, {window}",
                hand=HANDS[hand],
                own=own,
                other=Phrase("any total") if other is None else other,
                window=Phrase(window.replace("_", " ")),
            )
            places = [offer.cite.paragraph if offer else "" for offer in (x, y)]
            yield Change("insurance changed", subject, how, *places)
    if meaning(old.private_table) != meaning(new.private_table):
        places = [insurance.private_table.cite.paragraph for insurance in (old, new)]
        how = _from_to(_private_table(old), _private_table(new))
        yield Change("insurance changed", Phrase("private tables"), how, *places)
    if bool(old.once) != bool(new.once):
        places = [(insurance.once or insurance.windows).paragraph for insurance in (old, new)]
        how = _from_to(*(times_words(insurance) for insurance in (old, new)))
        yield Change("insurance changed", Phrase("windows"), how, *places)
    if meaning((old.shares, old.shares_of_original)) != meaning((new.shares, new.shares_of_original)):
        places = [insurance.original_bet.paragraph for insurance in (old, new)]
        yield Change("insurance changed", Phrase("limits"), _from_to(_shares(old), _shares(new)), *places)


def _private_table(insurance: Insurance) -> Phrase:
    private = insurance.private_table
    return Phrase("by {who}, notice {notice}", who=private.by, notice=private.notice)


def _shares(insurance: Insurance) -> Phrase | Series:
    shares = [
        Phrase("{odds}: {share}% of the maximum", odds=share.odds, share=share.share * 100)
        for share in insurance.shares
    ]
    every = [*shares, *map(share_words, insurance.shares_of_original)]
    return Series(every, ", ") if every else Phrase("none")


def _tie_change(old: Offer, new: Offer) -> Phrase:
    """What a tie makes of an offer now, where it made something else of it."""
    if new.on_tie == "lost":
        return Phrase("a tie now loses it")
    if new.on_tie == "won":
        return Phrase("a tie now pays")
    return Phrase("a tie no more pays") if old.on_tie == "won" else Phrase("a tie now returns it")


def _squeeze(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    before, after = a.squeeze.cite.paragraph, b.squeeze.cite.paragraph
    if a.squeeze.right != b.squeeze.right:
        widened = b.squeeze.right == "player"
        kind = "squeeze right widened" if widened else "squeeze right narrowed"
        any_player = Phrase("from the seated player to any player with the highest bet")
        seated = Phrase("from any player to the seated player with the highest bet")
        yield Change(kind, Phrase("squeeze"), any_player if widened else seated, before, after)
    if a.squeeze.waivers != b.squeeze.waivers:
        requests = [
            Series(book.squeeze.waivers, ", ") if book.squeeze.waivers else Phrase("none") for book in (a, b)
        ]
        how = Phrase("requests that waive Insurance: {change}", change=_from_to(*requests))
        places = [book.squeeze.waiver_cite.paragraph if book.squeeze.waiver_cite else "" for book in (a, b)]
        yield Change("squeeze waiver", Phrase("squeeze"), how, *places)


def _irregularity(old: Irregularity, new: Irregularity) -> Iterator[str]:
    before, after = ([words for words, _ in step_words(item)] for item in (old, new))
    gone = [words for words in before if words not in after]
    come = [words for words in after if words not in before]
    if gone or come:
        yield _from_to(*(Series(words, "; ") if words else Phrase("nothing") for words in (gone, come)))


def _readings(a: Rulebook, b: Rulebook) -> Iterator[Change]:
    for name, new in b.readings.items():
        old = a.readings.get(name)
        if old is None:
            yield Change("reading added", name, new.choice, "", new.cites[0].paragraph)
        elif (old.choice, old.alternatives) != (new.choice, new.alternatives):
            choices = (Series((reading.choice, *reading.alternatives), " or ") for reading in (old, new))
            places = old.cites[0].paragraph, new.cites[0].paragraph
            yield Change("reading changed", name, _from_to(*choices), *places)
    for name, old in a.readings.items():
        if name not in b.readings:
            yield Change("reading removed", name, old.choice, old.cites[0].paragraph, "")


def moved_paragraphs(a: Rulebook, b: Rulebook) -> tuple[Change, ...]:
    """Paragraphs that say the same under another number, matched by their gist.

    >>> from lammer import rulebook
    >>> pair = [rulebook(f"tiger-buffalo-noncommission-insurance@{version}") for version in (1, 3)]
    >>> [(m.before, m.after) for m in moved_paragraphs(*pair)][-1]
    ('5.18', '5.23')
    """
    places = {p.gist: p.number for p in reversed(tuple(a.paragraphs.values()))}
    return tuple(
        Change("paragraph moved", p.gist, _from_to(places[p.gist], p.number), places[p.gist], p.number)
        for p in b.paragraphs.values()
        if p.gist in places and places[p.gist] != p.number and not p.not_executable
    )
