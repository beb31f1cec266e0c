"""Theorem: a bet called decided is decided under every continuation; one called open has two that differ.

Run as it is: `standings`, on every kind of part of a round that can lie open: none, one or both of the first
two cards of each hand, and third cards. What the continuations do is found out separately, by dealing every
kind of round to its end and judging every bet on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from lammer.game.bets import Readings, judge
from lammer.game.cards import Card
from lammer.game.conclusive import Standing, standings
from lammer.proof.rounds import (
    Kind,
    cards_of_deck,
    every_round,
    every_two,
    in_dealing_order,
    kind_of,
    kinds_of_one,
    kinds_of_two,
    ranks_of,
)
from lammer.proof.scenarios import round_script
from lammer.proof.settled_bets import OUTCOMES, ways_to_read
from lammer.proof.working import Counterexample, Work
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

Thirds = tuple[int | None, int | None]
"""What the third cards are worth that lie open, Player's and Banker's; None is one that does not."""
NOTHING_LEFT: Mapping[str, Standing] = {}


@dataclass(frozen=True, slots=True)
class Open:
    """What lies open of the first two cards of a hand, and every kind they can turn out to be."""

    cards: tuple[Card | None, Card | None]
    kinds: frozenset[Kind]


def open_hands(book: Rulebook) -> tuple[Open, ...]:
    """Every kind of two first cards, one first card, or none, that can lie open."""
    deck = cards_of_deck(book)
    found = [Open((None, None), frozenset(kind.kind for kind in kinds_of_two(book)))]
    one_open: dict[frozenset[Kind], Open] = {}
    for card in deck:
        kinds = frozenset(kind_of(book, (card, other)) for other in _others(book))
        one_open.setdefault(kinds, Open((card, None), kinds))
    found += one_open.values()
    found += [Open(kind.cards, frozenset({kind.kind})) for kind in kinds_of_two(book)]
    return tuple(found)


def _others(book: Rulebook) -> tuple[Card, ...]:
    """What can lie beside an open card: a card of every rank, of another suit unless suits are asked for."""
    return tuple(dict.fromkeys(two[1] for two in every_two(book)))


def prove_decided(work: Work) -> None:
    """Every kind of open cards, under every reading of twin pairs."""
    book = work.book
    _prove_kinds(work)
    for number, readings in enumerate(ways_to_read(book)):
        ends = _ends_by_kinds(book, readings)
        worths: list[Card | None] = [None, *kinds_of_one(book)]
        thirds = list(product(worths, repeat=2)) if number == 0 else [(None, None)]
        hands = open_hands(book)
        for player in hands:
            by_banker = _merge_players(ends, player.kinds)
            for banker in hands:
                known = _merge(by_banker[kind] for kind in banker.kinds)
                for third, fourth in thirds:
                    worth = _worth(book, third), _worth(book, fourth)
                    expected = _standings_of(book, known.get(worth, 0))
                    said = _said(book, (*player.cards, third), (*banker.cards, fourth), readings)
                    if said != expected:
                        _stop(work, player, banker, (third, fourth), said, expected)
                work.count(len(thirds))


def _worth(book: Rulebook, card: Card | None) -> int | None:
    return None if card is None else book.cards.points[card[0]] % 10


def _prove_kinds(work: Work) -> None:
    """Cards of one kind lie alike: every two ranks, in either order, stand as the kind they are of."""
    book = work.book
    like = {kind.kind: _said(book, kind.cards, (None, None), {}) for kind in kinds_of_two(book)}
    for cards in every_two(book):
        said = _said(book, cards, (None, None), {})
        expected = like[kind_of(book, cards)]
        work.hold(
            said == expected,
            lambda cards=cards, said=said, expected=expected: _wrong(  # type: ignore[misc]
                book, cards, (None, None), said, expected
            ),
        )
    one_open = {hand.kinds: hand.cards[0] for hand in open_hands(book) if None in hand.cards}
    for one in cards_of_deck(book):
        alike = one_open[frozenset(kind_of(book, (one, other)) for other in _others(book))]
        by_kind = _said(book, (alike, None), (None, None), {})
        sides = [_said(book, cards, (None, None), {}) for cards in ((one, None), (None, one))]
        for hand, said in zip(((one, None), (None, one)), sides, strict=True):
            work.hold(
                said == by_kind,
                lambda hand=hand, said=said, by_kind=by_kind: _wrong(  # type: ignore[misc]
                    book, hand, (None, None), said, by_kind
                ),
            )


def _said(
    book: Rulebook, player: Iterable[Card | None], banker: Iterable[Card | None], readings: Readings
) -> Mapping[str, Standing]:
    try:
        return standings(book, tuple(player), tuple(banker), readings)
    except Refused:
        return NOTHING_LEFT


Ends = dict[Kind, dict[Kind, dict[Thirds, int]]]
"""By the kinds of first cards and by the open third cards: a bit for each bet and outcome that can come."""


def _ends_by_kinds(book: Rulebook, readings: Readings) -> Ends:
    """Every kind of round dealt to its end and judged."""
    ends: Ends = {}
    for played in every_round(book):
        bits = 0
        for index, bet in enumerate(book.bets.values()):
            bits |= 1 << (3 * index + OUTCOMES.index(judge(book, bet, played, readings).outcome))
        kinds = []
        worths: list[int | None] = []
        for hand in (played.player, played.banker):
            kinds.append(kind_of(book, (hand.cards[0], hand.cards[1])))
            worths.append(_worth(book, hand.cards[2] if len(hand.cards) > 2 else None))
        here = ends.setdefault(kinds[0], {}).setdefault(kinds[1], {})
        for player, banker in {(worths[0], worths[1]), (None, worths[1]), (worths[0], None), (None, None)}:
            here[player, banker] = here.get((player, banker), 0) | bits
    return ends


def _merge(found: Iterable[Mapping[Thirds, int]]) -> dict[Thirds, int]:
    merged: dict[Thirds, int] = {}
    for bits_by_thirds in found:
        for thirds, bits in bits_by_thirds.items():
            merged[thirds] = merged.get(thirds, 0) | bits
    return merged


def _merge_players(ends: Ends, kinds: frozenset[Kind]) -> dict[Kind, dict[Thirds, int]]:
    """What can come of these Player's cards, by the Banker's."""
    by_banker: dict[Kind, list[Mapping[Thirds, int]]] = {}
    for kind in kinds:
        for banker, found in ends.get(kind, {}).items():
            by_banker.setdefault(banker, []).append(found)
    return {banker: _merge(found) for banker, found in by_banker.items()}


@cache
def _standings_of(book: Rulebook, bits: int) -> Mapping[str, Standing]:
    """What stands decided where these outcomes can still come; nothing at all where none can."""
    if not bits:
        return NOTHING_LEFT
    found: dict[str, Standing] = {}
    for index, name in enumerate(book.bets):
        can_come = [OUTCOMES[place] for place in range(3) if bits >> (3 * index + place) & 1]
        found[name] = can_come[0] if len(can_come) == 1 else "open"  # type: ignore[assignment]
    return found


def _stop(
    work: Work,
    player: Open,
    banker: Open,
    thirds: tuple[Card | None, Card | None],
    said: Mapping[str, Standing],
    expected: Mapping[str, Standing],
) -> None:
    hands = (*player.cards, thirds[0]), (*banker.cards, thirds[1])
    work.hold(False, lambda: _wrong(work.book, *hands, said, expected))


def _wrong(
    book: Rulebook,
    player: tuple[Card | None, ...],
    banker: tuple[Card | None, ...],
    said: Mapping[str, Standing],
    expected: Mapping[str, Standing],
) -> Counterexample:
    shown = " and ".join(
        f"{side} {' '.join(card or '–' for card in hand)}"
        for side, hand in (("Player", player), ("Banker", banker))
    )
    cite = book.irregularities["technical_interruption"].cite.paragraph
    if not said or not expected:
        how = "are said to be part of no round" if not said else "are said to be part of a round"
        return Counterexample(f"Open cards {shown} {how}.", (cite,), _interrupted(book, player, banker, []))
    name = next(bet for bet in expected if said.get(bet) != expected[bet])
    what = f"With {shown} open {book.bets[name].title} is called {said.get(name)}; it is {expected[name]}."
    return Counterexample(what, (cite,), _interrupted(book, player, banker, [name]))


def _interrupted(
    book: Rulebook, player: tuple[Card | None, ...], banker: tuple[Card | None, ...], bets: list[str]
) -> dict[str, object]:
    """A script that deals what lies open and is then interrupted, which asks what has been established.

    Cards that lie closed are dealt face down at a face-down table and only the others are opened.
    """
    first = Card(f"{ranks_of(book)[0]}C")
    hands = [tuple(card or first for card in hand[:2]) for hand in (player, banker)]
    cards = in_dealing_order(book, *hands)
    script = round_script(
        book, "What is established", cards, dict.fromkeys(bets or list(book.bets)[:2], 100_00)
    )
    steps = script["step"]
    steps.pop()
    script["face_down"] = True
    for side, hand in (("player", player), ("banker", banker)):
        for place, card in enumerate(hand[:2], 1):
            if card is not None:
                steps.append({"by": "dealer", "do": "open_card", "hand": side, "place": place})
    steps.append({"by": "dealer", "do": "interrupt", "reason": "the question is what stands"})
    return script
