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
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.problems import Path, Problem
from lammer.rulebook.vocabulary import MUST_BE_READ, SIDES, SUITS, TIERS
from lammer.rulebook.wording import HANDS

Defect = tuple[Path, str, str, str]
MOST_CARDS: Final = 6
NO_RULE: Final = Phrase("no rule applies")
NONE: Final = Phrase("none")
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
        expected = Phrase("the offset of {zone} then, {offset}", zone=book.time_zone, offset=f"{local:%z}")
        yield ("rulebook", "in_force_from"), book.identity.paragraph, expected, f"{book.in_force_from:%z}"
    if book.supersedes:
        game, _, version = book.supersedes.partition("@")
        if game != book.game or not version.isdigit() or not 0 < int(version) < book.version:
            yield (
                ("rulebook", "supersedes"),
                book.identity.paragraph,
                Phrase("an earlier version of this game"),
                book.supersedes,
            )


def _cards(book: Rulebook) -> Iterator[Defect]:
    size = len(SUITS) * len(book.cards.ranks)
    if book.cards.deck != size:
        yield (
            ("cards", "decks"),
            book.cards.decks_cite.paragraph,
            Phrase("decks of {size} cards", size=size),
            str(book.cards.deck),
        )
    if size * book.cards.fewest_decks < MOST_CARDS:
        yield (
            ("cards", "decks"),
            book.cards.decks_cite.paragraph,
            Phrase("{cards} cards at least, as many as a round may need", cards=MOST_CARDS),
            str(size * book.cards.fewest_decks),
        )
    if sorted(book.cards.order) != ["banker", "banker", "player", "player"]:
        yield (
            ("cards", "order"),
            book.cards.order_cite.paragraph,
            Phrase("four cards, two to each hand"),
            " ".join(book.cards.order),
        )


def _table_of_play(book: Rulebook) -> Iterator[Defect]:
    table = book.table_of_play
    cite = table.natural_cite.paragraph
    banker: Path = ("table_of_play", "banker")
    for total in range(10):
        natural = total in table.ending
        rules = Phrase("two rules apply") if natural else NO_RULE
        if natural == (total in table.player):
            expected = Phrase("one rule for a Player total of {total}", total=total)
            yield ("table_of_play", "player"), cite, expected, rules
        for third in range(10):
            if natural == ((total, third) in table.banker):
                expected = Phrase(
                    "one rule for Banker {total} against a third card of {third}", total=total, third=third
                )
                yield banker, cite, expected, rules
        stood = table.banker.get((total, None))
        if stood is None and not natural:
            expected = Phrase("one rule for Banker {total} when the Player stands", total=total)
            yield banker, cite, expected, rules
        elif natural and stood is not None and stood.draws:
            yield banker, stood.cite.paragraph, Phrase("no card for a natural {total}", total=total), rules
    yield from _plays(book)


def _plays(book: Rulebook) -> Iterator[Defect]:
    """Plays for the hands that may draw: each of its own name, and only for cells that are open."""
    table = book.table_of_play
    open_cells = table.choices
    seen: set[str] = set()
    for index, play in enumerate(table.plays):
        path: Path = ("table_of_play", "play", index)
        if play.name in seen:
            yield path, table.natural_cite.paragraph, Phrase("one play of this name"), play.name
        seen.add(play.name)
        if strange := sorted(map(_cell_words, play.draws - open_cells)):
            expected = Phrase("cells in which the hand may draw")
            yield (*path, "draws"), table.natural_cite.paragraph, expected, Series(strange, ", ")
    if open_cells and book.insurance is not None:
        yield (
            ("table_of_play",),
            book.insurance.right.paragraph,
            Phrase("no hand that may draw where there is Insurance"),
            Series(sorted(map(_cell_words, open_cells)), ", "),
        )


def _cell_words(cell: Cell) -> Phrase:
    hand, total, third = cell
    if hand == "player":
        return Phrase("Player {total}", total=total)
    if third is None:
        return Phrase("Banker {total} against a standing Player", total=total)
    return Phrase("Banker {total} against {third}", total=total, third=third)


class _PayTable(NamedTuple):
    """What a bet pays in all the rounds it wins: which lines are used, and what has no line or two."""

    wins: bool
    used: frozenset[int]
    faults: tuple[tuple[tuple[int, ...], tuple[Series, ...]], ...]
    """The lines that are for a round where they are not one, and the ways such rounds end."""


@lru_cache(maxsize=512)
def _pay_table(bet: Bet, ended: Endings) -> _PayTable:
    """Who changes one line of a rulebook asks this of every bet: those that stayed the same are looked up."""
    won = _winning(bet, ended)
    used: set[int] = set()
    faults: dict[tuple[int, ...], list[Series]] = {}
    places = {id(pay): place for place, pay in enumerate(bet.pays)}
    for finish in won:
        lines = tuple(places[id(pay)] for pay in bet.lines(finish))
        used.update(lines)
        if len(lines) != 1:
            faults.setdefault(lines, []).append(_way(bet, finish))
    told = tuple((lines, tuple(ways)) for lines, ways in faults.items())
    return _PayTable(bool(won), frozenset(used), told)


def _bet(book: Rulebook, bet: Bet, path: Path, ended: Endings) -> Iterator[Defect]:
    table = _pay_table(bet, ended)
    if not table.wins:
        yield (*path, "wins"), bet.defined.paragraph, Phrase("a round in which this holds"), NONE
    for lines, ways in table.faults:
        yield (
            (*path, "pays"),
            next((pay.cites[0].paragraph for pay in bet.pays), bet.defined.paragraph),
            Phrase("one line of the pay table for {way}", way=ways[0]),
            _fault(lines, len(set(ways)) - 1),
        )
    for index, pay in enumerate(bet.pays):
        line, paragraph = (*path, "pays", index), pay.cites[0].paragraph
        for key in _idle_selectors(bet, pay):
            yield (
                line,
                paragraph,
                Phrase("a line without {key}, which this bet does not turn on", key=key),
                key,
            )
        if table.wins and index not in table.used:
            yield line, paragraph, Phrase("a win this line is for"), NONE
        if pay.commission and (
            pay.odds is None or pay.odds.profit != pay.commission.of.profit * (1 - pay.commission.rate)
        ):
            expected = Phrase("{odds} less {rate}", odds=pay.commission.of, rate=pay.commission.rate)
            yield line, paragraph, expected, str(pay.odds)
    if bet.pays and not any(pay.odds for pay in bet.pays):
        yield (*path, "pays"), bet.pays[0].cites[0].paragraph, Phrase("a line that pays"), NONE
    if strange := sorted(bet.layouts - book.layouts.keys()):
        yield (*path, "offered"), bet.offered.paragraph, Phrase("layouts of the appendix"), " ".join(strange)
    if bet.tie_returns and not isinstance(bet.wins, HandWins):
        yield (
            (*path, "tie_returns"),
            bet.tie_returns.paragraph,
            Phrase("a bet on a hand, for a tie to return"),
            bet.name,
        )
    if bet.original and not (isinstance(bet.wins, HandWins) and bet.wins.hands == (bet.original,)):
        yield (
            (*path, "original"),
            bet.defined.paragraph,
            Phrase("a bet on the {hand} hand", hand=HANDS[bet.original]),
            bet.name,
        )


def _fault(lines: tuple[int, ...], others: int) -> Phrase:
    """Which rows are all for one way to end, or that none is; and how many other ways have that fault.

    >>> _fault((), 0), _fault((0, 6), 3)
    ('no rule applies', 'two rules apply, rows 1 and 7; the same in 3 other ways to end')
    """
    fault = NO_RULE
    if lines:
        *most, last = (str(line + 1) for line in lines)
        rows = ", ".join(most)
        if len(lines) == 2:
            fault = Phrase("two rules apply, rows {rows} and {last}", rows=rows, last=last)
        else:
            fault = Phrase("several rules apply, rows {rows} and {last}", rows=rows, last=last)
    if not others:
        return fault
    if others == 1:
        return Phrase("{fault}; the same in 1 other way to end", fault=fault)
    return Phrase("{fault}; the same in {others} other ways to end", fault=fault, others=others)


def _way(bet: Bet, finish: Finish) -> Series:
    """A round in words, as far as this bet tells rounds apart."""
    kinds = {type(leaf) for leaf in bet.conditions}
    if kinds == {Paired}:
        tier = bet.tier(finish)
        return Series([Phrase("{tier} pair", tier=Phrase(tier)) if tier else Phrase("a pair")], ", ")
    fine = any(pay.when or pay.sums != EVERY_SUM for pay in bet.pays)
    dealt, margin = finish.player_cards + finish.banker_cards, abs(finish.player - finish.banker)
    if margin == 0:
        way = Phrase("a tie on {total} with {dealt} cards", total=finish.total, dealt=dealt)
    else:
        cards = finish.player_cards if finish.winner == "player" else finish.banker_cards
        held: dict[str, int] = {"total": finish.total, "cards": cards, "dealt": dealt}
        if fine or any(pay.by != EVERY_MARGIN for pay in bet.pays):
            way = Phrase(
                "winning on {total} by {margin} with {cards} of {dealt} cards", margin=margin, **held
            )
        else:
            way = Phrase("winning on {total} with {cards} of {dealt} cards", **held)
    parts = [way]
    if any(pay.natural is not None for pay in bet.pays) or fine:
        hands = (finish.winner,) if finish.winner else SIDES
        parts += [Phrase("a natural")] if all(finish.natural(side) for side in hands) else []
    pairs = [f"{side} {kind}" for side, kind in zip(SIDES, finish[4:6], strict=True) if kind]
    if Paired in kinds and pairs:
        parts.append(Phrase("{pairs} pair", pairs=" + ".join(pairs)))
    return Series(parts, ", ")


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
            yield (
                ("bet",),
                book.bets_cite.paragraph,
                Phrase("one Original Bet on {hand}", hand=HANDS[side]),
                str(len(originals)),
            )
        for index, (letter, layout) in enumerate(book.layouts.items()):
            if originals and letter not in originals[0].layouts:
                yield (
                    ("layouts", "layout", index),
                    layout.cite.paragraph,
                    Phrase("the {hand} bet on layout {letter}", hand=HANDS[side], letter=letter),
                    NONE,
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
                against = Phrase("a hand not shown") if other is None else other
                hand = HANDS[offer.hand]
                expected = Phrase(
                    "one rule for {hand} {own} against {against}", hand=hand, own=own, against=against
                )
                yield path, offer.cite.paragraph, expected, Phrase("two")
            first_offers[key] = index
            if other is None:
                if own == _BEST and own in book.table_of_play.ending and not offer.tie_wins:
                    hand = HANDS[offer.hand]
                    expected = Phrase(
                        "a round that {hand} {own} does not win, or tie_wins", hand=hand, own=own
                    )
                    yield path, offer.cite.paragraph, expected, Phrase("none, so this never pays")
                continue
            player, banker = (own, other) if offer.hand == "player" else (other, own)
            if not _a_card_can_come(book, offer.window, player, banker):
                expected = Phrase(
                    "a card still to come with Player {player} and Banker {banker}",
                    player=player,
                    banker=banker,
                )
                yield path, offer.cite.paragraph, expected, Phrase("none, so this is never on offer")
    offered = {offer.odds.profit for offer in book.insurance.offers}
    for index, share in enumerate(book.insurance.shares):
        if share.odds.profit not in offered:
            yield (
                ("insurance", "limit", index),
                share.cite.paragraph,
                Phrase("odds on offer"),
                str(share.odds),
            )
    for limit in book.insurance.shares_of_original:
        if not any(limit.limits(offer) for offer in book.insurance.offers):
            yield ("insurance", "limit"), limit.cite.paragraph, Phrase("an offer this limit is for"), NONE


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
        yield ("irregularity",), claimed[name], Phrase("a row for the irregularity {name}", name=name), NONE
    for index, (name, irregularity) in enumerate(book.irregularities.items()):
        path: Path = ("irregularity", index)
        if name not in claimed:
            yield path, irregularity.cite.paragraph, Phrase("a paragraph answered by {name}", name=name), NONE
        if irregularity.options and "dealing_error" not in book.irregularities:
            yield path, irregularity.cite.paragraph, Phrase("the options of a dealing error"), NONE
        for step in irregularity.steps:
            if step.by not in ("house", "rules") and step.by not in book.roles:
                yield path, step.cite.paragraph, Phrase("a role of this document"), step.by


def _readings(book: Rulebook) -> Iterator[Defect]:
    twin = any(pay.tiers == {"twin"} for bet in book.bets.values() for pay in bet.pays)
    for name in MUST_BE_READ:
        if name not in book.readings and (twin or name != "twin_pair"):
            yield ("reading",), "", Phrase("a reading named {name}", name=name), NONE
    for index, reading in enumerate(book.readings.values()):
        choices = (reading.choice, *reading.alternatives)
        if len(set(choices)) != len(choices):
            yield (
                ("reading", index),
                reading.cites[0].paragraph,
                Phrase("different choices"),
                " ".join(choices),
            )


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
            yield path, where, Phrase("a paragraph of this document's index"), where


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
                expected = Phrase("paragraph {number} in the index too", number=needed)
                yield ("paragraph", index[number]), number, expected, NONE
        lost = book.paragraphs[number].lost_after
        if lost and lost not in book.paragraphs:
            expected = Phrase("paragraph {number} in the index too", number=lost)
            yield ("paragraph", index[number]), number, expected, NONE
