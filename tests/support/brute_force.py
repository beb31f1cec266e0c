"""A second, deliberately naive settlement of a round, against which the tests hold the engine.

Written from the five texts and the readings beside them alone, and sharing nothing with the engine: every
rule is spelled out as a condition, every rate as a literal. R1, R2, ... are the readings by their number; a
bare number such as 4.2.1 is a paragraph. Money is whole cents or an exact fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement

COMMISSION = "tiger-buffalo-commission-insurance@3"
NONCOMMISSION_3 = "tiger-buffalo-noncommission-insurance@3"
NONCOMMISSION_4 = "tiger-buffalo-noncommission@4"
NONCOMMISSION_1 = "tiger-buffalo-noncommission-insurance@1"
DA_HU = "da-hu-ying-xiong-noncommission-insurance@2"

Hand = tuple[str, ...]
Odds = tuple[int, int]
Settled = tuple[str, Fraction, int]

_VALUE = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))

# Which appendices offer which bets. Both @3 texts agree letter for letter (4.1.3-4.1.14 with commission,
# 4.1.2-4.1.13 without); the Player and Banker bets are on every layout.
_LAYOUTS_3 = {
    "player banker tie": "ABCDEFGHIJKLMNOPQ",
    "player_pair banker_pair": "ABDEGJK",
    "big_tiger small_tiger big_buffalo small_buffalo player_char_siu banker_char_siu": "ABCDEFGHIJKLNOPQ",
    "banker_big_7 banker_small_7 player_big_7 player_small_7 tiger_pair tiger": "M",
    "tiger_buffalo": "CFHI",
    "tiger_tie": "LNOPQ",
    "wu_dalang": "CFHIM",
}
# 4.1.2-4.1.13 of @4.
_LAYOUTS_4 = {
    "player banker tie": "ABCDEFGHIJKLMNOPQR",
    "player_pair banker_pair": "ABDEGJKLMN",
    "big_tiger small_tiger": "ABCDEFGHIJKLMNOQR",
    "big_buffalo small_buffalo player_char_siu banker_char_siu": "ABCDEFGHIJKLOQR",
    "banker_big_7 banker_small_7 player_big_7 player_small_7 tiger_pair tiger": "P",
    "tiger_buffalo": "CFHI",
    "tiger_tie": "OQR",
    "wu_dalang": "CFHIP",
}
# 4.1.2-4.1.7 of @1.
_LAYOUTS_1 = {
    "player banker tie": "ABCDEFGHIJK",
    "player_pair banker_pair": "ABDEGJK",
    "big_tiger small_tiger big_buffalo small_buffalo player_char_siu banker_char_siu": "ABCDEFGHIJK",
    "tiger_buffalo wu_dalang": "CFHI",
}
# Da Hu Ying Xiong ties no bet to a layout (3.7, 4.1.1).
_LAYOUTS_DA_HU = {
    "player banker tie tiger_tie tiger big_tiger small_tiger tiger_pair": "ABCDEFGHIJKLMNOPQR",
}


def _one_by_one(groups: dict[str, str]) -> dict[str, str]:
    return {bet: letters for bets, letters in groups.items() for bet in bets.split()}


_LAYOUTS = {
    COMMISSION: _one_by_one(_LAYOUTS_3),
    NONCOMMISSION_3: _one_by_one(_LAYOUTS_3),
    NONCOMMISSION_4: _one_by_one(_LAYOUTS_4),
    NONCOMMISSION_1: _one_by_one(_LAYOUTS_1),
    DA_HU: _one_by_one(_LAYOUTS_DA_HU),
}

# Bets on a hand winning on a total with so many cards in it: hand, total, cards, pays that many to one.
_BY_COUNT = {
    "big_tiger": ("banker", 6, 3, 50),
    "small_tiger": ("banker", 6, 2, 22),
    "big_buffalo": ("player", 6, 3, 35),
    "small_buffalo": ("player", 6, 2, 20),
    "banker_big_7": ("banker", 7, 3, 30),
    "banker_small_7": ("banker", 7, 2, 15),
    "player_big_7": ("player", 7, 3, 30),
    "player_small_7": ("player", 7, 2, 15),
}


def _bets(rulebook: str) -> dict[str, str]:
    if rulebook not in _LAYOUTS:
        raise ValueError(f"no such rulebook: {rulebook}")
    return _LAYOUTS[rulebook]


def offered(rulebook: str, layout: str) -> frozenset[str]:
    """The bets which the layout with this appendix letter offers."""
    letters = _bets(rulebook)["player"]
    if len(layout) != 1 or layout not in letters:
        raise ValueError(f"no such layout in {rulebook}: {layout}")
    return frozenset(bet for bet, where in _bets(rulebook).items() if layout in where)


@cache
def value(card: str) -> int:
    """What one card counts (3.2)."""
    if len(card) != 2 or card[0] not in _VALUE or card[1] not in "SHDC":
        raise ValueError(f"not a card: {card}")
    return _VALUE[card[0]]


@lru_cache(1 << 14)
def points(hand: Hand) -> int:
    """What a hand counts: the last digit of the sum."""
    return sum(value(card) for card in hand) % 10


def _player_draws(player: int, banker: int) -> bool:
    return player <= 5 and banker <= 7


def _banker_draws(player: int, banker: int, player_third: int | None) -> bool:
    """Whether the Banker Hand draws, by the two-card totals and the Player's third card, if any (R20)."""
    if player >= 8 or banker >= 8:
        return False
    if player_third is None:
        return banker <= 5
    if banker == 3:
        return player_third != 8
    if banker == 4:
        return player_third in (2, 3, 4, 5, 6, 7)
    if banker == 5:
        return player_third in (4, 5, 6, 7)
    if banker == 6:
        return player_third in (6, 7)
    return banker <= 2


def play(cards: Sequence[str]) -> tuple[Hand, Hand]:
    """Deal these cards in shoe order, every one of them and no other, into the Player and Banker Hands."""
    return _played(tuple(cards))


@lru_cache(64)
def _played(cards: Hand) -> tuple[Hand, Hand]:
    left = list(cards)
    if len(left) < 4:
        raise ValueError("a round needs at least four cards")
    player = [left[0], left[2]]
    banker = [left[1], left[3]]
    left = left[4:]
    player_two, banker_two = points(tuple(player)), points(tuple(banker))
    player_third = None
    if _player_draws(player_two, banker_two):
        if not left:
            raise ValueError("the Player's third card is missing")
        card = left.pop(0)
        player.append(card)
        player_third = value(card)
    if _banker_draws(player_two, banker_two, player_third):
        if not left:
            raise ValueError("the Banker's third card is missing")
        banker.append(left.pop(0))
    if left:
        raise ValueError("cards are left over")
    return tuple(player), tuple(banker)


def _main_odds(rulebook: str, bet: str, player: int, banker: int) -> Odds | None:
    if bet == "player":
        return (1, 1) if player > banker else None
    if banker <= player:
        return None
    if rulebook == COMMISSION:
        return (19, 20)
    return (1, 2) if banker == 6 else (1, 1)


def _pair_odds(bet: str, player: Sequence[str], banker: Sequence[str]) -> Odds | None:
    """Ranks of the first two cards of each hand decide, whatever the result (R1, R26)."""
    player_pair = player[0][0] == player[1][0]
    banker_pair = banker[0][0] == banker[1][0]
    if bet == "player_pair":
        return (11, 1) if player_pair else None
    if bet == "banker_pair":
        return (11, 1) if banker_pair else None
    if player_pair and banker_pair and player[0][0] == banker[0][0]:
        return (100, 1)
    if player_pair and banker_pair:
        return (20, 1)
    if player_pair or banker_pair:
        return (4, 1)
    return None


def _by_count_odds(bet: str, player: Hand, banker: Hand) -> Odds | None:
    """A tie on the total does not win (R3)."""
    hand, total, count, pays = _BY_COUNT[bet]
    winner, loser = (player, banker) if hand == "player" else (banker, player)
    if points(winner) == total and points(loser) < total and len(winner) == count:
        return (pays, 1)
    return None


def _char_siu_odds(winner: int, loser: int, all_cards: int) -> Odds | None:
    if (winner, loser) not in ((7, 6), (8, 7), (9, 8)):
        return None
    if all_cards == 4:
        return (10, 1)
    if all_cards == 5:
        return (15, 1)
    return (50, 1)


def _winning_odds(rulebook: str, bet: str, player: Hand, banker: Hand) -> Odds | None:
    """The odds at which the bet won, or None if it did not win."""
    p, b = points(player), points(banker)
    all_cards = len(player) + len(banker)
    odds: Odds | None = None
    if bet in _BY_COUNT:
        odds = _by_count_odds(bet, player, banker)
    elif bet in ("player", "banker"):
        odds = _main_odds(rulebook, bet, p, b)
    elif bet == "tie" and p == b:
        odds = (8, 1)
    elif bet == "tiger_tie" and p == 6 and b == 6:
        odds = (35, 1)
    elif bet in ("player_pair", "banker_pair", "tiger_pair"):
        odds = _pair_odds(bet, player, banker)
    elif bet == "tiger" and b == 6 and p < 6:
        odds = (12, 1) if len(banker) == 2 else (20, 1)
    elif bet == "tiger_buffalo" and ((p == 6 and b < 6) or (b == 6 and p < 6)):
        odds = (6, 1)
    elif bet == "wu_dalang" and p == 1 and b == 0:  # R2
        odds = (150, 1)
    elif bet == "player_char_siu":
        odds = _char_siu_odds(p, b, all_cards)
    elif bet == "banker_char_siu":
        odds = _char_siu_odds(b, p, all_cards)
    return odds


_NOTHING = Fraction(0)


@cache
def _won(odds: Odds, stake: int) -> Settled:
    profit = Fraction(stake * odds[0], odds[1])
    return "won", profit, profit.numerator // profit.denominator


def settle_bet(rulebook: str, bet: str, cards: Sequence[str], stake: int) -> Settled:
    """Outcome, exact profit in cents and profit paid (rounded down, R18) of one bet on a complete round."""
    if bet not in _bets(rulebook):
        raise ValueError(f"no such bet in {rulebook}: {bet}")
    player, banker = play(cards)
    odds = _winning_odds(rulebook, bet, player, banker)
    if odds is not None:
        return _won(odds, stake)
    if bet in ("player", "banker") and points(player) == points(banker):
        return "returned", _NOTHING, 0
    return "lost", _NOTHING, 0


def _insurance_after_four(hand: str, player: int, banker: int) -> Odds | None:
    odds: Odds | None = None
    if hand == "player":
        if player == 5 and banker == 4:
            odds = (3, 2)
        elif player == 6 and banker <= 5:
            odds = (5, 2)
        elif player == 7 and banker <= 5:
            odds = (4, 1)
    elif (banker == 4 and player <= 3) or (banker == 5 and player <= 4):
        odds = (3, 2)
    elif banker == 6 and player <= 5:
        odds = (5, 2)
    elif banker == 7 and player <= 5:
        odds = (4, 1)
    return odds


def _insurance_after_third(hand: str, player: int, banker: int) -> Odds | None:
    odds: Odds | None = None
    if hand == "player":
        if player == 5 and banker <= 4:
            odds = (3, 2)
        elif player == 6 and banker <= 5:
            odds = (5, 2)
        elif player == 7 and banker <= 6:
            odds = (4, 1)
        elif player in (8, 9) and banker <= 6:
            odds = (10, 1)
    elif (player == 0 and 1 <= banker <= 6) or (player == 1 and 2 <= banker <= 6):
        odds = (10, 1)
    elif player == 1 and banker == 1:
        odds = (6, 1)
    elif player == 2 and 3 <= banker <= 6:
        odds = (4, 1)
    elif player == 3 and banker == 4:
        odds = (5, 2)
    return odds


def insurance_offers(rulebook: str, cards: Sequence[str]) -> dict[tuple[str, str], Odds]:
    """Every insurance that stood open at some time in this complete round, with its odds (R4)."""
    _bets(rulebook)
    player, banker = play(cards)
    offers: dict[tuple[str, str], Odds] = {}
    if rulebook == NONCOMMISSION_4:
        return offers
    banker_two = points(banker[:2])
    for hand in ("player", "banker"):
        if len(player) + len(banker) > 4:
            odds = _insurance_after_four(hand, points(player[:2]), banker_two)
            if odds is not None:
                offers[hand, "four_cards"] = odds
        if len(player) == 3 and len(banker) == 3:
            odds = _insurance_after_third(hand, points(player), banker_two)
            if odds is not None:
                offers[hand, "third_card"] = odds
    return offers


def settle_insurance(rulebook: str, hand: str, window: str, cards: Sequence[str], stake: int) -> Settled:
    """The same for an insurance bet, which must have been on offer; R5 says which ties pay."""
    offers = insurance_offers(rulebook, cards)
    if (hand, window) not in offers:
        raise ValueError(f"not on offer: insurance on {hand}, {window}")
    odds = offers[hand, window]
    player, banker = play(cards)
    p, b = points(player), points(banker)
    if p == b:
        if window == "third_card" and (hand, p) in (("player", 9), ("banker", 0)):
            return _won(odds, stake)
        return "returned", _NOTHING, 0
    if (hand == "player" and p < b) or (hand == "banker" and b < p):
        return _won(odds, stake)
    return "lost", _NOTHING, 0


def _complete(start: tuple[int, int, int, int]) -> Iterator[tuple[int, ...]]:
    player = (start[0] + start[2]) % 10
    banker = (start[1] + start[3]) % 10
    if _player_draws(player, banker):
        for third in range(10):
            if _banker_draws(player, banker, third):
                for last in range(10):
                    yield (*start, third, last)
            else:
                yield (*start, third)
    elif _banker_draws(player, banker, None):
        for last in range(10):
            yield (*start, last)
    else:
        yield start


def point_rounds() -> Iterator[tuple[int, ...]]:
    """Every complete round by card values in shoe order, each hand's first two cards lesser value first."""
    for p1, p2 in combinations_with_replacement(range(10), 2):
        for b1, b2 in combinations_with_replacement(range(10), 2):
            yield from _complete((p1, b1, p2, b2))
