"""Theorem: a bet called decided is decided under every continuation; one called open has two that differ.

Run as they are: `standings`, on every kind of part of a round that can lie open: none, one or both of the
first two cards of each hand, and third cards; and `established`, on everything `standings` said. What the
continuations do is found out separately, by dealing every kind of round to its end and judging every bet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from lammer.game.bets import Readings, finish_of, judge
from lammer.game.cards import Card
from lammer.game.conclusive import Standing, established, standings
from lammer.game.drawing import next_hand
from lammer.game.hands import FinishedRound
from lammer.proof.rounds import (
    Kind,
    cards_of_deck,
    every_round,
    every_two,
    in_dealing_order,
    kind_of,
    kinds_of_one,
    kinds_of_two,
)
from lammer.proof.scenarios import round_script
from lammer.proof.settled_bets import OUTCOMES, ways_to_read
from lammer.proof.working import Counterexample, Script, Work
from lammer.rulebook.conditions import Finish
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side

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
    """Every kind of open cards, under every reading of twin pairs.

    Under the first with every two third cards; under others, on pairs alone, with two worth the same.
    """
    book = work.book
    found: dict[tuple[Standing, ...], tuple[Cards, Cards]] = {}
    for number, readings in enumerate(ways_to_read(book)):
        _prove_kinds(work, readings)
        ends = _ends_by_kinds(book, readings)
        worths: list[Card | None] = [None, *kinds_of_one(book)]
        every_third = product(worths, repeat=2) if not number else zip(worths, worths, strict=True)
        thirds = [(third, fourth, _worth(book, third), _worth(book, fourth)) for third, fourth in every_third]
        hands = open_hands(book)[::-1]
        for player in hands:
            by_banker = _merge_players(ends, player.kinds)
            for banker in hands:
                known = _merge(by_banker[kind] for kind in banker.kinds)
                for third, fourth, *worth in thirds:
                    expected = _standings_of(book, known.get((worth[0], worth[1]), 0))
                    # One open card of the Banker is the second: that its place is nothing is shown above.
                    laid = (*player.cards, third), (*banker.cards[::-1], fourth)
                    said = _said(book, *laid, readings)
                    if said != expected:
                        _stop(work, *laid, said, expected, readings)
                    if said:
                        found.setdefault(tuple(said.values()), laid)
                work.count(len(thirds))
    _prove_established(work, found)


Cards = tuple[Card | None, ...]
CLOSED: Final[Cards] = (None, None)


def _prove_established(work: Work, found: Mapping[tuple[Standing, ...], tuple[Cards, Cards]]) -> None:
    """An outcome stands by the bets won or lost: of all on offer, of those placed, or of two."""
    book = work.book
    felts = {frozenset(bet.name for bet in book.offered(felt)): felt for felt in book.layouts.values()}
    reading = book.readings.get("outcome_established")
    choices = (reading.choice, *reading.alternatives) if reading else ()
    ways: tuple[Readings, ...] = tuple({"outcome_established": choice} for choice in choices) or ({},)
    for stand, laid in found.items():
        by_name = dict(zip(book.bets, stand, strict=True))
        decided = {name for name, now in by_name.items() if now in ("won", "lost")}
        for (offered, felt), readings in product(felts.items(), ways):
            chosen = book.reading("outcome_established", readings)
            for placed in (frozenset[str](), offered, frozenset(sorted(offered)[::2])):
                counting = {
                    "bets_offered": offered,
                    "bets_placed": offered & placed,
                    "player_and_banker_only": {name for name in offered if book.bets[name].original},
                }[chosen]
                said = established(book, felt, by_name, placed, readings)
                if set(said) != decided & counting:
                    _established_wrongly(work, laid, said, placed, readings)
            work.count(3)


def _established_wrongly(
    work: Work, laid: tuple[Cards, Cards], said: Iterable[str], placed: Collection[str], readings: Readings
) -> None:
    book = work.book
    cite = book.irregularities["technical_interruption"].cite.paragraph
    names = ", ".join(book.bets[name].title for name in said) or "no bet"
    what = f"With {_shown(*laid)} open {names} is said to establish an outcome."
    script = _interrupted(book, *laid, sorted(placed))
    script["readings"] = dict(readings)
    work.hold(False, lambda: Counterexample(what, (cite,), script))


def _worth(book: Rulebook, card: Card | None) -> int | None:
    return None if card is None else book.cards.points[card[0]] % 10


def _prove_kinds(work: Work, readings: Readings) -> None:
    """Cards of one kind lie alike: every two ranks of either hand, in either order.

    So does one open card, whichever of the two it is; and so do third cards that are worth the same.
    """
    book = work.book
    hands: list[tuple[Cards, Cards]] = []
    like = {kind.kind: kind.cards for kind in kinds_of_two(book)}
    hands += [(cards, like[kind_of(book, cards)]) for cards in every_two(book)]
    one_open = {hand.kinds: hand.cards for hand in open_hands(book) if None in hand.cards}
    for one in cards_of_deck(book):
        alike = one_open[frozenset(kind_of(book, (one, other)) for other in _others(book))]
        hands += [((one, None), alike), ((None, one), alike)]
    for cards, same in hands:
        _hold_alike(work, (cards, CLOSED), (same, CLOSED), readings)
        _hold_alike(work, (CLOSED, cards), (CLOSED, same), readings)
    by_worth = {_worth(book, card): card for card in kinds_of_one(book)}
    by_total = {kind.total: kind.cards for kind in kinds_of_two(book)}
    for player, banker in product((*by_total.values(), CLOSED), repeat=2):
        for card in cards_of_deck(book):
            same_third = by_worth[_worth(book, card)]
            _hold_alike(work, ((*player, card), banker), ((*player, same_third), banker), readings)
            _hold_alike(work, (player, (*banker, card)), (player, (*banker, same_third)), readings)


def _hold_alike(work: Work, laid: tuple[Cards, Cards], like: tuple[Cards, Cards], readings: Readings) -> None:
    """These open cards stand as those do, which are of one kind with them."""
    said, expected = _said(work.book, *laid, readings), _said(work.book, *like, readings)
    work.hold(said == expected, lambda: _wrong(work.book, *laid, said, expected, readings))


def _said(
    book: Rulebook, player: Iterable[Card | None], banker: Iterable[Card | None], readings: Readings
) -> Mapping[str, Standing]:
    try:
        return standings(book, tuple(player), tuple(banker), readings)
    except Refused:
        return NOTHING_LEFT


Ends = dict[Kind, dict[Kind, dict[Thirds, int]]]
"""By the kinds of first cards and by the open third cards: a bit for each bet and outcome that can come."""


def _bits(book: Rulebook, played: FinishedRound, readings: Readings) -> int:
    """A bit for each bet and what it came to."""
    outcomes = [judge(book, bet, played, readings).outcome for bet in book.bets.values()]
    return sum(1 << (3 * index + OUTCOMES.index(outcome)) for index, outcome in enumerate(outcomes))


def _ends_by_kinds(book: Rulebook, readings: Readings) -> Ends:
    """Every kind of round dealt to its end and judged, once for every way to finish.

    That every round which finishes so is judged alike is a part of the theorem on bets.
    """
    ends: Ends = {}
    known: dict[Finish, int] = {}
    kind_by_cards: dict[tuple[Card, ...], Kind] = {}
    for played in every_round(book):
        finish = finish_of(book, played, readings)
        if finish not in known:
            known[finish] = _bits(book, played, readings)
        bits = known[finish]
        kinds = []
        worths: list[int | None] = []
        for hand in (played.player, played.banker):
            first = hand.cards[:2]
            if first not in kind_by_cards:
                kind_by_cards[first] = kind_of(book, (first[0], first[1]))
            kinds.append(kind_by_cards[first])
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
    player: Cards,
    banker: Cards,
    said: Mapping[str, Standing],
    expected: Mapping[str, Standing],
    readings: Readings,
) -> None:
    work.hold(False, lambda: _wrong(work.book, player, banker, said, expected, readings))


def _shown(player: Cards, banker: Cards) -> str:
    return " and ".join(
        f"{side} {' '.join(card or '–' for card in hand)}"
        for side, hand in (("Player", player), ("Banker", banker))
    )


def _wrong(
    book: Rulebook,
    player: Cards,
    banker: Cards,
    said: Mapping[str, Standing],
    expected: Mapping[str, Standing],
    readings: Readings,
) -> Counterexample:
    shown = _shown(player, banker)
    cite = book.irregularities["technical_interruption"].cite.paragraph
    if not said or not expected:
        how = "are said to be part of no round" if not said else "are said to be part of a round"
        script = _interrupted(book, player, banker, [])
        what = f"Open cards {shown} {how}."
    else:
        name = next(bet for bet in expected if said.get(bet) != expected[bet])
        what = (
            f"With {shown} open {book.bets[name].title} is called {said.get(name)}; it is {expected[name]}."
        )
        script = _interrupted(book, player, banker, [name])
    script["title"] = what
    if readings:
        script["readings"] = dict(readings)
    return Counterexample(what, (cite,), script)


def _interrupted(book: Rulebook, player: Cards, banker: Cards, bets: list[str]) -> Script:
    """A script that deals what lies open and is then interrupted, which asks what has been established.

    Cards that lie closed are dealt face down at a face-down table and only the others are opened.
    """
    hands = _dealt_with(book, player, banker)
    script = round_script(
        book,
        "What is established",
        in_dealing_order(book, hands["player"][:2], hands["banker"][:2]),
        dict.fromkeys(bets or list(book.bets)[:2], 100_00),
    )
    steps = script["step"]
    steps.pop()
    script["face_down"] = True
    laid: dict[Side, Cards] = {"player": player, "banker": banker}
    for side, hand in laid.items():
        for place, card in enumerate(hand[:2], 1):
            if card is not None:
                steps.append({"by": "dealer", "do": "open_card", "hand": side, "place": place})
    for side, hand in laid.items():
        if len(hand) > 2 and hand[2] is not None:
            steps.append({"by": "dealer", "do": "deal_card", "card": hand[2], "to": side})
            steps.append({"by": "dealer", "do": "open_card", "hand": side, "place": 3})
    steps.append({"by": "dealer", "do": "interrupt", "reason": "the question is what stands"})
    return script


def _dealt_with(book: Rulebook, player: Cards, banker: Cards) -> dict[Side, tuple[Card, ...]]:
    """Two hands that look so where they lie open and draw the third cards that do, if any hands are so."""
    deck = list(every_two(book))
    by_hand: list[list[tuple[Card, ...]]] = [
        [two for two in deck if all(card in (None, own) for card, own in zip(hand, two, strict=False))]
        or [tuple(card or deck[0][0] for card in hand[:2])]
        for hand in (player, banker)
    ]
    laid: dict[Side, Cards] = {"player": player, "banker": banker}
    for one, other in product(*by_hand):
        hands: dict[Side, tuple[Card, ...]] = {"player": one, "banker": other}
        for side, cards in laid.items():
            third = cards[2] if len(cards) > 2 else None
            if third is not None and next_hand(book, hands["player"], hands["banker"]) == side:
                hands[side] = (*hands[side], third)
        if all(len(cards) < 3 or cards[2] in (None, *hands[side][2:]) for side, cards in laid.items()):
            return hands
    return {"player": by_hand[0][0], "banker": by_hand[1][0]}
