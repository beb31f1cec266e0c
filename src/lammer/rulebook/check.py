"""Whether a rulebook is whole: no gap, no overlap, nothing uncited, no paragraph nobody answers for.

Two questions recur, and both must have one answer: does *no* rule apply, or do *two*? `defects` asks
them of the Table of Play, of every pay table and of Insurance; then of the citations, the readings and
the index of paragraphs. It yields problems and repairs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from lammer.rulebook.behaviours import IRREGULARITIES
from lammer.rulebook.betting import Bet, Pay
from lammer.rulebook.citation import TITLE, Citation, is_place, order
from lammer.rulebook.conditions import (
    EVERY_CARDS,
    EVERY_DEALT,
    EVERY_MARGIN,
    EVERY_SUITS,
    EVERY_SUM,
    EVERY_TOTAL,
    Finish,
    HandWins,
    Paired,
    Tied,
    leaves,
)
from lammer.rulebook.finishes import Endings, endings
from lammer.rulebook.model import Cell, Drawing, Rulebook
from lammer.rulebook.problems import Path, Problem
from lammer.rulebook.vocabulary import MUST_BE_READ, SIDES, SUITS, TIERS

Defect = tuple[Path, str, str, str]
MOST_CARDS: Final = 6
_BEST: Final = 9
"""A round may need six cards."""

_TABLES: Final[dict[str, Path]] = {
    "bets": ("bet",),
    "layouts": ("layouts", "layout"),
    "irregularities": ("irregularity",),
    "roles": ("role",),
    "readings": ("reading",),
    "paragraphs": ("paragraph",),
}


def defects(book: Rulebook) -> Iterator[Defect]:
    """Everything that keeps this rulebook from being whole."""
    yield from _identity(book)
    yield from _cards(book)
    yield from _table_of_play(book)
    ended = endings(book)
    for index, bet in enumerate(book.bets.values()):
        yield from _bet(book, bet, ("bet", index), ended)
    yield from _layouts(book)
    yield from _insurance(book)
    yield from _irregularities(book)
    yield from _readings(book)
    yield from _citations(book)
    yield from _paragraphs(book)


def winning_finishes(book: Rulebook, bet: Bet) -> tuple[Finish, ...]:
    """Every reachable round in which a bet's condition holds, told apart as far as the bet does.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> [finish.banker_cards for finish in winning_finishes(book, book.bets["small_tiger"])]
    [2, 2, 2, 2, 2, 2]
    """
    return _winning(bet, endings(book))


def _winning(bet: Bet, ended: Endings) -> tuple[Finish, ...]:
    pairs = [leaf for leaf in bet.conditions if isinstance(leaf, Paired)]
    suits = any(leaf.suits != EVERY_SUITS for leaf in pairs)
    reached = ended.finishes_with_pairs(suits=suits) if pairs else ended.finishes()
    return tuple(finish for finish in reached if bet.wins.holds(finish))


def _identity(book: Rulebook) -> Iterator[Defect]:
    local = book.in_force_from.astimezone(ZoneInfo(book.time_zone))
    if local.utcoffset() != book.in_force_from.utcoffset():
        expected = f"the offset of {book.time_zone} then, {local:%z}"
        yield ("rulebook", "in_force_from"), book.identity.paragraph, expected, f"{book.in_force_from:%z}"
    if book.supersedes:
        game, _, version = book.supersedes.partition("@")
        if game != book.game or not version.isdigit() or not 0 < int(version) < book.version:
            yield (
                ("rulebook", "supersedes"),
                book.identity.paragraph,
                "an earlier version of this game",
                book.supersedes,
            )


def _cards(book: Rulebook) -> Iterator[Defect]:
    size = len(SUITS) * len(book.cards.ranks)
    if book.cards.deck != size:
        yield (
            ("cards", "decks"),
            book.cards.decks_cite.paragraph,
            f"decks of {size} cards",
            str(book.cards.deck),
        )
    if size * book.cards.fewest_decks < MOST_CARDS:
        yield (
            ("cards", "decks"),
            book.cards.decks_cite.paragraph,
            f"{MOST_CARDS} cards at least, as many as a round may need",
            str(size * book.cards.fewest_decks),
        )
    if sorted(book.cards.order) != ["banker", "banker", "player", "player"]:
        yield (
            ("cards", "order"),
            book.cards.order_cite.paragraph,
            "four cards, two to each hand",
            " ".join(book.cards.order),
        )


def _table_of_play(book: Rulebook) -> Iterator[Defect]:
    table = book.table_of_play
    cite = table.natural_cite.paragraph
    banker: Path = ("table_of_play", "banker")
    for total in range(10):
        natural = total in table.ending
        rules = "two rules apply" if natural else "no rule applies"
        if natural == (total in table.player):
            yield ("table_of_play", "player"), cite, f"one rule for a Player total of {total}", rules
        for third in range(10):
            if natural == ((total, third) in table.banker):
                yield banker, cite, f"one rule for Banker {total} against a third card of {third}", rules
        stood = table.banker.get((total, None))
        if stood is None and not natural:
            yield banker, cite, f"one rule for Banker {total} when the Player stands", rules
        elif natural and stood is not None and stood.draws:
            yield banker, stood.cite.paragraph, f"no card for a natural {total}", rules
    yield from _plays(book)


def _plays(book: Rulebook) -> Iterator[Defect]:
    """Plays for the hands that may draw: each of its own name, and only for cells that are open."""
    table = book.table_of_play
    open_cells = table.choices
    seen: set[str] = set()
    for index, play in enumerate(table.plays):
        path: Path = ("table_of_play", "play", index)
        if play.name in seen:
            yield path, table.natural_cite.paragraph, "one play of this name", play.name
        seen.add(play.name)
        if strange := sorted(map(_cell_words, play.draws - open_cells)):
            expected = "cells in which the hand may draw"
            yield (*path, "draws"), table.natural_cite.paragraph, expected, ", ".join(strange)
    if open_cells and book.insurance is not None:
        yield (
            ("table_of_play",),
            book.insurance.right.paragraph,
            "no hand that may draw where there is Insurance",
            ", ".join(sorted(map(_cell_words, open_cells))),
        )


def _cell_words(cell: Cell) -> str:
    hand, total, third = cell
    if hand == "player":
        return f"Player {total}"
    return f"Banker {total} against {'a standing Player' if third is None else third}"


class _PayTable(NamedTuple):
    """What a bet pays in all the rounds it wins: which lines are used, and what has no line or two."""

    wins: bool
    used: frozenset[int]
    wrong: tuple[tuple[str, bool], ...]
    """A way to end, and whether no line is for it; two are otherwise."""


@lru_cache(maxsize=512)
def _pay_table(bet: Bet, ended: Endings) -> _PayTable:
    """Who changes one line of a rulebook asks this of every bet: those that stayed the same are looked up."""
    won = _winning(bet, ended)
    used: set[int] = set()
    wrong: dict[tuple[str, bool], None] = {}
    places = {id(pay): place for place, pay in enumerate(bet.pays)}
    for finish in won:
        lines = bet.lines(finish)
        used.update(places[id(pay)] for pay in lines)
        # One problem for each way to end that pays wrongly is enough.
        if len(lines) != 1:
            wrong[_way(bet, finish), not lines] = None
    return _PayTable(bool(won), frozenset(used), tuple(wrong))


def _bet(book: Rulebook, bet: Bet, path: Path, ended: Endings) -> Iterator[Defect]:
    table = _pay_table(bet, ended)
    if not table.wins:
        yield (*path, "wins"), bet.defined.paragraph, "a round in which this holds", "none"
    for way, no_line in table.wrong:
        yield (
            (*path, "pays"),
            next((pay.cites[0].paragraph for pay in bet.pays), bet.defined.paragraph),
            f"one line of the pay table for {way}",
            "no rule applies" if no_line else "two rules apply",
        )
    for index, pay in enumerate(bet.pays):
        line, paragraph = (*path, "pays", index), pay.cites[0].paragraph
        for key in _idle_selectors(bet, pay):
            yield line, paragraph, f"a line without {key}, which this bet does not turn on", key
        if table.wins and index not in table.used:
            yield line, paragraph, "a win this line is for", "none"
        if pay.commission and (
            pay.odds is None or pay.odds.profit != pay.commission.of.profit * (1 - pay.commission.rate)
        ):
            yield line, paragraph, f"{pay.commission.of} less {pay.commission.rate}", str(pay.odds)
    if bet.pays and not any(pay.odds for pay in bet.pays):
        yield (*path, "pays"), bet.pays[0].cites[0].paragraph, "a line that pays", "none"
    if strange := sorted(bet.layouts - book.layouts.keys()):
        yield (*path, "offered"), bet.offered.paragraph, "layouts of the appendix", " ".join(strange)
    if bet.tie_returns and not isinstance(bet.wins, HandWins):
        yield (
            (*path, "tie_returns"),
            bet.tie_returns.paragraph,
            "a bet on a hand, for a tie to return",
            bet.name,
        )
    if bet.original and not (isinstance(bet.wins, HandWins) and bet.wins.hands == (bet.original,)):
        yield (*path, "original"), bet.defined.paragraph, f"a bet on the {bet.original} hand", bet.name


def _way(bet: Bet, finish: Finish) -> str:
    """A round in words, as far as this bet tells rounds apart."""
    kinds = {type(leaf) for leaf in bet.conditions}
    if kinds == {Paired}:
        return f"{bet.tier(finish) or 'a'} pair"
    fine = any(pay.when or pay.sums != EVERY_SUM for pay in bet.pays)
    dealt, margin = finish.player_cards + finish.banker_cards, abs(finish.player - finish.banker)
    if margin == 0:
        way = f"a tie on {finish.total} with {dealt} cards"
    else:
        cards = finish.player_cards if finish.winner == "player" else finish.banker_cards
        by = f" by {margin}" if fine or any(pay.by != EVERY_MARGIN for pay in bet.pays) else ""
        way = f"winning on {finish.total}{by} with {cards} of {dealt} cards"
    if any(pay.natural is not None for pay in bet.pays) or fine:
        hands = (finish.winner,) if finish.winner else SIDES
        way += ", a natural" if all(finish.natural(side) for side in hands) else ""
    pairs = [f"{side} {kind}" for side, kind in zip(SIDES, finish[4:6], strict=True) if kind]
    return f"{way}, {' and '.join(pairs)} pair" if Paired in kinds and pairs else way


def _idle_selectors(bet: Bet, pay: Pay) -> list[str]:
    """What a line of the pay table speaks of although this bet does not turn on it."""
    kinds = {type(leaf) for leaf in leaves(bet.wins)}
    hand, ends = HandWins in kinds, bool(kinds & {HandWins, Tied})
    rounds = bool(kinds - {Paired})
    pairs = [leaf for leaf in leaves(bet.wins) if isinstance(leaf, Paired)]
    tiers = len(pairs) == 1 and len(pairs[0].hands) == 2 and not pairs[0].every
    selectors = {
        "total": (pay.totals != EVERY_TOTAL, ends),
        "cards": (pay.cards != EVERY_CARDS, hand),
        "by": (pay.by != EVERY_MARGIN, hand),
        "natural": (pay.natural is not None, ends),
        "cards_dealt": (pay.cards_dealt != EVERY_DEALT, rounds),
        "sum": (pay.sums != EVERY_SUM, rounds),
        "tier": (len(pay.tiers) < len(TIERS), tiers),
    }
    return [key for key, (is_set, is_allowed) in selectors.items() if is_set and not is_allowed]


def _layouts(book: Rulebook) -> Iterator[Defect]:
    for side in SIDES:
        originals = [bet for bet in book.bets.values() if bet.original == side]
        if len(originals) != 1:
            yield ("bet",), book.bets_cite.paragraph, f"one Original Bet on {side}", str(len(originals))
        for index, (letter, layout) in enumerate(book.layouts.items()):
            if originals and letter not in originals[0].layouts:
                yield (
                    ("layouts", "layout", index),
                    layout.cite.paragraph,
                    f"the {side} bet on layout {letter}",
                    "none",
                )


def _insurance(book: Rulebook) -> Iterator[Defect]:
    if book.insurance is None:
        return
    first_offers: dict[tuple[str, str, int, int | None], int] = {}
    for index, offer in enumerate(book.insurance.offers):
        path: Path = ("insurance", "offer", index)
        for own, other in product(sorted(offer.own), offer.against):
            key = (offer.hand, offer.window, own, other)
            if key in first_offers:
                against = "a hand not shown" if other is None else other
                yield path, offer.cite.paragraph, f"one rule for {offer.hand} {own} against {against}", "two"
            first_offers[key] = index
            if other is None:
                if own == _BEST and own in book.table_of_play.ending and not offer.tie_wins:
                    expected = f"a round that {offer.hand} {own} does not win, or tie_wins"
                    yield path, offer.cite.paragraph, expected, "none, so this never pays"
                continue
            player, banker = (own, other) if offer.hand == "player" else (other, own)
            if not _a_card_can_come(book, offer.window, player, banker):
                expected = f"a card still to come with Player {player} and Banker {banker}"
                yield path, offer.cite.paragraph, expected, "none, so this is never on offer"
    offered = {offer.odds.profit for offer in book.insurance.offers}
    for index, share in enumerate(book.insurance.shares):
        if share.odds.profit not in offered:
            yield ("insurance", "limit", index), share.cite.paragraph, "odds on offer", str(share.odds)
    for limit in book.insurance.shares_of_original:
        if not any(limit.limits(offer) for offer in book.insurance.offers):
            yield ("insurance", "limit"), limit.cite.paragraph, "an offer this limit is for", "none"


def _a_card_can_come(book: Rulebook, window: str, player: int, banker: int) -> bool:
    """Whether the Table of Play can leave a card to draw with these totals in this window."""
    table = book.table_of_play
    if banker in table.ending:
        return False
    if window == "four_cards":
        cells = (table.player.get(player), table.banker.get((banker, None)))
        return player not in table.ending and any(map(_draws, cells))
    return any(
        _draws(table.player.get(before)) and _draws(table.banker.get((banker, third)))
        for third in range(10)
        if (before := (player - third) % 10) not in table.ending
    )


def _draws(cell: Drawing | None) -> bool:
    """A cell that is missing is reported elsewhere; here it rules nothing out."""
    return cell is None or cell.draws or cell.optional


def _irregularities(book: Rulebook) -> Iterator[Defect]:
    claimed = {
        name: paragraph.number for paragraph in book.paragraphs.values() for name in paragraph.behaviours
    }
    for name in sorted(IRREGULARITIES & claimed.keys() - book.irregularities.keys()):
        yield ("irregularity",), claimed[name], f"a row for the irregularity {name}", "none"
    for index, (name, irregularity) in enumerate(book.irregularities.items()):
        path: Path = ("irregularity", index)
        if name not in claimed:
            yield path, irregularity.cite.paragraph, f"a paragraph answered by {name}", "none"
        if irregularity.options and "dealing_error" not in book.irregularities:
            yield path, irregularity.cite.paragraph, "the options of a dealing error", "none"
        for step in irregularity.steps:
            if step.by not in ("house", "rules") and step.by not in book.roles:
                yield path, step.cite.paragraph, "a role of this document", step.by


def _readings(book: Rulebook) -> Iterator[Defect]:
    twin = any(pay.tiers == {"twin"} for bet in book.bets.values() for pay in bet.pays)
    for name in MUST_BE_READ:
        if name not in book.readings and (twin or name != "twin_pair"):
            yield ("reading",), "", f"a reading named {name}", "none"
    for index, reading in enumerate(book.readings.values()):
        choices = (reading.choice, *reading.alternatives)
        if len(set(choices)) != len(choices):
            yield ("reading", index), reading.cites[0].paragraph, "different choices", " ".join(choices)


def citations(book: Rulebook) -> list[tuple[Path, Citation]]:
    """Every citation anywhere in a rulebook, with the row it stands in."""
    found: list[tuple[Path, Citation]] = []
    for name in _field_names(Rulebook):
        inner = getattr(book, name)
        if name in _TABLES:
            for index, row in enumerate(inner.values()):
                _collect(row, (*_TABLES[name], index), found)
        else:
            _collect(inner, (name,), found)
    return found


def _collect(value: Any, path: Path, found: list[tuple[Path, Citation]]) -> None:
    """Add the citations in part of a rulebook."""
    kind: type = type(value)
    if kind is Citation:
        found.append((path, value))
    elif kind in (tuple, list):
        for item in value:
            _collect(item, path, found)
    elif names := _field_names(kind):
        for name in names:
            _collect(getattr(value, name), path, found)
    elif kind is not str and isinstance(value, Mapping):
        for item in value.values():
            _collect(item, path, found)


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    if kind is Problem:
        return ()
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def _citations(book: Rulebook) -> Iterator[Defect]:
    if not book.has_index:
        return
    for path, citation in citations(book):
        where = citation.paragraph
        appendix = where.removeprefix("appendix ")
        if where not in book.paragraphs and not (
            is_place(where) and (len(appendix) > 1 or appendix in book.layouts)
        ):
            yield path, where, "a paragraph of this document's index", where


def _paragraphs(book: Rulebook) -> Iterator[Defect]:
    if not book.has_index:
        return
    numbers = sorted(book.paragraphs, key=order)
    index = {number: place for place, number in enumerate(book.paragraphs)}
    for number in numbers:
        if number == TITLE:
            continue
        parent, _, last = number.rpartition(".")
        if last.isdigit():
            before = f"{int(last) - 1}" if int(last) > 1 else ""
        else:
            before = chr(ord(last) - 1) if last > "a" else ""
        sibling = f"{parent}.{before}" if parent else before
        for needed in (parent, sibling if before else ""):
            if needed and needed not in book.paragraphs:
                yield ("paragraph", index[number]), number, f"paragraph {needed} in the index too", "none"
        lost = book.paragraphs[number].lost_after
        if lost and lost not in book.paragraphs:
            yield ("paragraph", index[number]), number, f"paragraph {lost} in the index too", "none"
