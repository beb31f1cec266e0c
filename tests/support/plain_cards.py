"""Cards on the second table: whose turn it is, whether they lie in order, what they have decided.

A hand is a tuple of cards; "" in it is a card that lies face down and says nothing (R10). What cards have
decided is found by trying every way the round can still go (R9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from support import brute_force
from support.brute_force import Hand, Odds

HANDS = ("player", "banker")
PAIR_BETS = ("player_pair", "banker_pair", "tiger_pair")
UNKNOWN = "?"

_CARD_WORTH = ("TS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
_POINT_BETS = tuple(
    sorted({bet for book in brute_force._LAYOUTS.values() for bet in book if bet not in PAIR_BETS})
)

Endings = frozenset[tuple[str, Odds]]
_NO_ODDS: Odds = (0, 1)


@dataclass
class Lying:
    """A card on the table, in drawing order."""

    card: str
    hand: str
    open: bool
    blind: bool = False  # drawn before anybody could see whether it was due
    to_be_noted: bool = False  # dealt face up where cards are dealt face down, not noted yet


def other(hand: str) -> str:
    """The other hand."""
    return "banker" if hand == "player" else "player"


def is_card(card: str) -> bool:
    """Whether this is one of the 52."""
    return len(card) == 2 and card[0] in "A23456789TJQK" and card[1] in "SHDC"


def hand_of(cards: Iterable[Lying], hand: str) -> Hand:
    """The cards of a hand as they are, whether anybody sees them or not."""
    return tuple(lying.card for lying in cards if lying.hand == hand)


def seen_of(cards: Iterable[Lying], hand: str) -> Hand:
    """The cards of a hand as anybody can see them."""
    return tuple(lying.card if lying.open else "" for lying in cards if lying.hand == hand)


def _total(first_two: Hand) -> Sequence[int]:
    """The totals two cards may have: one if both are seen, any if one is not."""
    return range(10) if "" in first_two else (brute_force.points(first_two),)


def _worth(third: str) -> Sequence[int]:
    return range(10) if third == "" else (brute_force.value(third),)


@lru_cache(1 << 16)
def due(player: Hand, banker: Hand) -> str:
    """Which hand gets the next card (3.10, 3.13, 3.15): "" for none, "?" where cards face down decide it."""
    if len(player) < 2 or len(banker) < 2:
        return "player" if len(player) < 2 and len(player) <= len(banker) else "banker"
    if len(banker) > 2:
        return ""
    answers = set()
    for p in _total(player[:2]):
        for b in _total(banker[:2]):
            player_draws = brute_force._player_draws(p, b)
            if len(player) == 2:
                if player_draws:
                    answers.add("player")
                else:
                    answers.add("banker" if brute_force._banker_draws(p, b, None) else "")
            else:
                for third in _worth(player[2]):
                    draws = brute_force._banker_draws(p, b, third)
                    answers.add("banker" if draws else "")
    return answers.pop() if len(answers) == 1 else UNKNOWN


def number_is_right(player: Hand, banker: Hand) -> bool:
    """Whether each hand has a number of cards it may have, the round being finished or not (5.5.3)."""
    if len(player) + len(banker) <= 4:
        return len(player) <= 2 and len(banker) <= 2
    if len(player) < 2 or len(banker) < 2 or len(player) > 3 or len(banker) > 3:
        return False
    first = due(player[:2], banker[:2])
    if first == "player":
        if len(player) == 2:
            return False
        return len(banker) == 2 or due(player, banker[:2]) == "banker"
    return first == "banker" and len(player) == 2


def is_complete(player: Hand, banker: Hand) -> bool:
    """Whether these two hands are a complete round by the Table of Play."""
    if len(player) < 2 or len(banker) < 2 or not number_is_right(player, banker):
        return False
    return due(player, banker) == ""


def in_shoe_order(player: Sequence[str], banker: Sequence[str]) -> Hand:
    """Two hands as they would have come out of the shoe: turn about, Player first."""
    order: list[str] = []
    for place in range(max(len(player), len(banker))):
        order.extend(player[place : place + 1])
        order.extend(banker[place : place + 1])
    return tuple(order)


def lie_in_order(cards: Sequence[Lying], accepted: int) -> bool:
    """Whether every card lies where the rules send it; the first `accepted` stand as they lie (5.16.1)."""
    if any(lying.blind for lying in cards):
        return False
    player, banker = hand_of(cards[:accepted], "player"), hand_of(cards[:accepted], "banker")
    for lying in cards[accepted:]:
        if due(player, banker) != lying.hand:
            return False
        if lying.hand == "player":
            player += (lying.card,)
        else:
            banker += (lying.card,)
    return True


def in_proper_order(cards: Sequence[Lying], accepted: int, banker_third_first: bool) -> list[Lying]:
    """The cards, each with the hand it belongs to, without those left over; the accepted stand as they lie.

    A card is left over if the Table of Play calls for none, or if nobody can see whether it is due (1.25).
    The Banker's third waits for the Player's to be open, unless it was to be first (3.14).
    """
    proper = [replace(lying) for lying in cards[:accepted]]
    for lying in cards[accepted:]:
        player, banker = seen_of(proper, "player"), seen_of(proper, "banker")
        hand = due(player, banker)
        waits = hand == "banker" and len(banker) == 2 and "" in player and not banker_third_first
        if hand not in HANDS or waits:
            break
        proper.append(replace(lying, hand=hand, blind=False))
    return proper


# What the cards that are seen have decided.


@cache
def _finished(
    p: int, b: int, player_third: int | None, banker_third: int | None
) -> tuple[tuple[str, Odds], ...]:
    """How each bet on points ends in one finished round, in the order of _POINT_BETS."""
    player: Hand = (_CARD_WORTH[p], "TS")
    banker: Hand = (_CARD_WORTH[b], "TS")
    if player_third is not None:
        player += (_CARD_WORTH[player_third],)
    if banker_third is not None:
        banker += (_CARD_WORTH[banker_third],)
    tie = brute_force.points(player) == brute_force.points(banker)
    endings: list[tuple[str, Odds]] = []
    for bet in _POINT_BETS:
        odds = brute_force._winning_odds(brute_force.NONCOMMISSION_3, bet, player, banker)
        if odds is not None:
            endings.append(("won", odds))
        elif tie and bet in HANDS:
            endings.append(("returned", _NO_ODDS))
        else:
            endings.append(("lost", _NO_ODDS))
    return tuple(endings)


def _ways_to_finish(
    totals: tuple[Sequence[int], Sequence[int]], thirds: tuple[Sequence[int], Sequence[int]]
) -> Iterator[tuple[int, int, int | None, int | None]]:
    for p in totals[0]:
        for b in totals[1]:
            player_thirds: Sequence[int | None] = thirds[0] if brute_force._player_draws(p, b) else (None,)
            for player_third in player_thirds:
                if brute_force._banker_draws(p, b, player_third):
                    for banker_third in thirds[1]:
                        yield p, b, player_third, banker_third
                else:
                    yield p, b, player_third, None


@cache
def _endings_on_points(
    p: int | None, b: int | None, player_third: int | None, banker_third: int | None
) -> dict[str, Endings]:
    """Every way each bet on points can still end; None is what nobody has seen yet."""

    def may_be(seen: int | None) -> Sequence[int]:
        return range(10) if seen is None else (seen,)

    ends: list[set[tuple[str, Odds]]] = [set() for _ in _POINT_BETS]
    for way in _ways_to_finish((may_be(p), may_be(b)), (may_be(player_third), may_be(banker_third))):
        for possible, ending in zip(ends, _finished(*way), strict=True):
            possible.add(ending)
    return {bet: frozenset(possible) for bet, possible in zip(_POINT_BETS, ends, strict=True)}


def _endings_of_pair_bet(bet: str, player: Hand, banker: Hand, twin_by_value: bool) -> Endings:
    """The same for the bets on pairs, which the first two cards of each hand decide (3.10, R1)."""
    won_or_lost: Endings = frozenset({("won", (11, 1)), ("lost", _NO_ODDS)})
    if bet in ("player_pair", "banker_pair"):
        first_two = player[:2] if bet == "player_pair" else banker[:2]
        if len(first_two) < 2 or "" in first_two:
            return won_or_lost
        paired = first_two[0][0] == first_two[1][0]
        return frozenset({("won", (11, 1)) if paired else ("lost", _NO_ODDS)})
    known = [hand[:2] for hand in (player, banker) if len(hand) >= 2 and "" not in hand[:2]]
    pairs = [hand for hand in known if hand[0][0] == hand[1][0]]
    if len(known) == 2:
        odds = tiger_pair_odds(player, banker, twin_by_value)
        return frozenset({("won", odds) if odds is not None else ("lost", _NO_ODDS)})
    if pairs:
        return frozenset({("won", (4, 1)), ("won", (20, 1)), ("won", (100, 1))})
    return frozenset({("won", (4, 1)), ("lost", _NO_ODDS)})


def tiger_pair_odds(player: Hand, banker: Hand, twin_by_value: bool) -> Odds | None:
    """What Tiger Pair pays; R26 lets a table call K K and Q Q twins."""
    odds = brute_force._pair_odds("tiger_pair", player, banker)
    if odds == (20, 1) and twin_by_value and brute_force.value(player[0]) == brute_force.value(banker[0]):
        return (100, 1)
    return odds


def endings(bet: str, player: Hand, banker: Hand, twin_by_value: bool = False) -> Endings:
    """Every way a bet can still end, by the cards seen: won at which odds, lost, returned."""
    if bet in PAIR_BETS:
        return _endings_of_pair_bet(bet, player, banker, twin_by_value)

    def total(hand: Hand) -> int | None:
        return brute_force.points(hand[:2]) if len(hand) >= 2 and "" not in hand[:2] else None

    def third(hand: Hand) -> int | None:
        return brute_force.value(hand[2]) if len(hand) >= 3 and hand[2] else None

    return _endings_on_points(total(player), total(banker), third(player), third(banker))[bet]


def decided(bet: str, player: Hand, banker: Hand) -> str:
    """ "won" or "lost" if the bet has conclusively won or lost whatever follows (5.4.1), otherwise ""."""
    results = {result for result, _ in endings(bet, player, banker)}
    return results.pop() if results in ({"won"}, {"lost"}) else ""


# Insurance.


def stage(player: Hand, banker: Hand) -> str:
    """The situation of the pay table that is exposed now while a card is to come (3.12, R4), if any."""
    if "" in player or "" in banker or len(banker) != 2 or due(player, banker) not in HANDS:
        return ""
    return {2: "four_cards", 3: "third_card"}.get(len(player), "")


def listed(window: str, player: Hand, banker: Hand) -> dict[str, Odds]:
    """What the pay table lists in a window, by the cards it showed, a card being still to come (R4)."""
    found: dict[str, Odds] = {}
    if window == "third_card" and len(player) < 3:
        return found
    if due(player[: 2 if window == "four_cards" else 3], banker[:2]) not in HANDS:
        return found
    for hand in HANDS:
        if window == "four_cards":
            odds = brute_force._insurance_after_four(
                hand, brute_force.points(player[:2]), brute_force.points(banker[:2])
            )
        else:
            odds = brute_force._insurance_after_third(
                hand, brute_force.points(player[:3]), brute_force.points(banker[:2])
            )
        if odds is not None:
            found[hand] = odds
    return found


def window_was_shown(window: str, player: Hand, banker: Hand) -> bool:
    """Whether a complete round of these hands passed through the window: a card was still to come in it."""
    if window == "four_cards":
        return len(player) + len(banker) > 4
    return len(player) == 3 and len(banker) == 3


def listed_in(player: Hand, banker: Hand) -> dict[tuple[str, str], Odds]:
    """Every insurance that stood open at some time in a finished round, by hand and window (R4)."""
    return {
        (hand, window): odds
        for window in ("four_cards", "third_card")
        if window_was_shown(window, player, banker)
        for hand, odds in listed(window, player, banker).items()
    }


def insurance_ends(hand: str, window: str, player: Hand, banker: Hand) -> str:
    """How insurance on a hand ends in a complete round: 4.2.1 says which ties pay (R5)."""
    p, b = brute_force.points(player), brute_force.points(banker)
    if p == b:
        nine = hand == "player" and p == 9
        zero = hand == "banker" and p == 0 and 1 <= brute_force.points(banker[:2]) <= 6
        return "won" if window == "third_card" and (nine or zero) else "returned"
    lost_hand = "player" if p < b else "banker"
    return "won" if hand == lost_hand else "lost"
