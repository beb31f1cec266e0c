"""Every published figure we could find comes out of the lab, to the last digit that is printed.

The figures are data: the TOML files beside this module, each row with its decks and its figure as printed,
each table with its source. Rounds are counted by `lab.exact.ways`; bets are analysed by `lab.exact.edges`,
those our rulebooks do not have through a rulebook of a user's own; cards on the table by `lab.exact.odds`.
The only arithmetic here is adding up counts and dividing them, in integers and fractions. What is printed and
cannot be reproduced is kept in disputed.toml.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import perm
from pathlib import Path as File
from typing import Any

import pytest

import lammer
from lammer import Rulebook, parse_cards
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import Analysis, deviation, edges, percent
from lammer.lab.exact.odds import mid_round_odds
from lammer.lab.exact.ways import Path, draws, paths, ways
from lammer.rulebook.load import load
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import RANKS
from lammer.shelf import shipped_ids
from support import brute_force
from support.counted_pairs import pair_tiers

Row = dict[str, Any]

HERE = File(__file__).parent
EXAMPLE = HERE.parents[1] / "docs/guides/da-hu-nine-bets.toml"
SHIPPED = "tiger-buffalo-commission-insurance@3"
COUNTED = "tiger-buffalo-noncommission-insurance@3"
AS_GOOD_AS_INFINITE = 10**30
POINTS = "TA23456789"
"""A rank for each number of points, from none to nine."""


@cache
def data(name: str) -> Row:
    return tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))


FILES = ("decks", "totals", "cards_drawn", "side_bets", "mid_game", "removal", "disputed")


def tables(kind: str) -> list[Row]:
    return [table for name in FILES for table in data(name).get(kind, ())]


def rows(table: Row) -> Iterator[Row]:
    """Each row with what its table says of all of them."""
    shared = {key: value for key, value in table.items() if key not in ("what", "source", "because", "rows")}
    for row in table["rows"]:
        yield shared | row


def title(table: Row) -> str:
    source = table["source"]
    return f"{source if isinstance(source, str) else source[0]}: {table['what']}"


# What is counted


def shoe(row: Row) -> Composition:
    decks = AS_GOOD_AS_INFINITE if row["decks"] == "infinite" else row["decks"]
    return Composition.of_decks(decks).without(row.get("without", ""))


@cache
def facts() -> tuple[dict[str, int | str | None], ...]:
    """What can be asked of each way through a round."""
    made: list[dict[str, int | str | None]] = []
    for path in paths(lammer.rulebook(SHIPPED)):
        player, banker, player_cards, banker_cards = path.final
        winner = "player" if player > banker else "banker" if banker > player else "tie"
        cards = (player_cards, banker_cards) if player > banker else (banker_cards, player_cards)
        made.append(
            {
                "winner": winner,
                "total": max(player, banker),
                "loser": min(player, banker),
                "by": abs(player - banker),
                "sum": player + banker,
                "player": player,
                "banker": banker,
                "cards": player_cards + banker_cards,
                "player_cards": player_cards,
                "banker_cards": banker_cards,
                "winner_cards": cards[0] if winner != "tie" else None,
                "loser_cards": cards[1] if winner != "tie" else None,
                "player_two": path.player,
                "banker_two": path.banker,
                "third": path.third,
                "natural": max(player, banker) >= 8 and cards[0] == 2,
            }
        )
    return tuple(made)


def holds(condition: Row, fact: dict[str, int | str | None]) -> bool:
    for key, wanted in condition.items():
        if key == "any":
            met = any(holds(each, fact) for each in wanted)
        elif key == "not":
            met = not holds(wanted, fact)
        elif key == "winner" and wanted == "either":
            met = fact["winner"] != "tie"
        else:
            met = fact[key] in wanted if isinstance(wanted, list) else fact[key] == wanted
        if not met:
            return False
    return True


def _places(condition: Row) -> tuple[int, ...]:
    """The ways through a round, by place, on which this holds."""
    return _places_of(json.dumps(condition, sort_keys=True))


@cache
def _places_of(condition: str) -> tuple[int, ...]:
    wanted = json.loads(condition)
    return tuple(place for place, fact in enumerate(facts()) if holds(wanted, fact))


@cache
def gone(cards: Composition) -> list[int]:
    book = lammer.rulebook(SHIPPED)
    return ways(book, cards.by_points(book))


def count(cards: Composition, *conditions: Row) -> int:
    """The ordered six-card draws from this shoe in which all of this holds."""
    found = gone(cards)
    met = set.intersection(*(set(_places(each)) for each in conditions))
    return sum(found[place] for place in met)


# What bets are worth


@dataclass(frozen=True)
class Wager:
    """What a unit staked is worth, how it spreads, and how often it wins."""

    worth: Fraction
    variance: Fraction
    hit: Fraction


def example(insurance: dict[str, str] | None = None) -> Rulebook:
    """The guide's example of a user's rulebook, with the bets of own_bets.toml and other Insurance."""
    text = EXAMPLE.read_text("utf-8")
    for line, odds in (insurance or {}).items():
        assert text.count(line) == 1
        text = text.replace(line, line.rpartition("odds")[0] + f'odds = "{odds}"')
    for name, bet in data("own_bets").items():
        pays = ", ".join(f'{{ {line}, cite = "4.1.3" }}' for line in bet["pays"])
        text += f"""
[[bet]]
name     = "{name}"
title    = "{name}"
title_zh = "例"
defined  = "1.27"
wins     = {{ {bet["wins"]} }}
pays     = [{pays}]
offered  = {{ layouts = "A", cite = "4.1.3" }}
"""
    return load(text, "own.toml")


@cache
def book_of(bet: str, name: str) -> Rulebook:
    if name:
        return lammer.rulebook(name)
    return own_book() if bet in data("own_bets") else lammer.rulebook(SHIPPED)


@cache
def own_book() -> Rulebook:
    return example()


@cache
def analysis(bet: str, name: str, odds: str, cards: Composition) -> Analysis:
    return edges(book_of(bet, name), cards, pays={bet: odds} if odds else None)


def wager(row: Row, cards: Composition) -> Wager:
    if "bet" in row:
        made = analysis(row["bet"], row.get("rulebook", ""), row.get("odds", ""), cards).bet(row["bet"])
        won = sum(each.combinations for each in made.outcomes if each.outcome == "won")
        return Wager(-made.edge, made.variance, Fraction(won, made.combinations))
    found = gone(cards)
    left = set(_places(row.get("given", {})))
    everything = sum(found[place] for place in left)
    left -= set(_places(row["push"])) if "push" in row else set()
    wins, worth, squares = 0, Fraction(0), Fraction(0)
    for each in row["outcomes"]:
        met = left & set(_places(each["when"]))
        left -= met
        number, profit = sum(found[place] for place in met), Odds.parse(each["odds"]).profit
        wins, worth, squares = wins + number, worth + number * profit, squares + number * profit**2
    lost = sum(found[place] for place in left)
    worth = (worth - lost) / everything
    return Wager(worth, (squares + lost) / everything - worth**2, Fraction(wins, everything))


# What is compared


def exactly(row: Row, cards: Composition) -> Fraction:
    """What the figure of this row is, before it is rounded."""
    asked = row["as"]
    if asked in ("return", "cost", "edge", "hit", "variance"):
        bet = wager(row, cards)
        return {
            "return": bet.worth,
            "cost": -bet.worth,
            "edge": -bet.worth * 100,
            "hit": bet.hit * 100,
            "variance": bet.variance,
        }[asked]
    given = row.get("given", {})
    share = Fraction(count(cards, given, row["when"]), count(cards, given))
    return share * 100 if asked == "percent" else share


def rounded(exact: Fraction, figure: str, places: int | None = None) -> str:
    return percent(exact / 100, len(figure.partition(".")[2]) if places is None else places)


def ours(row: Row) -> str:
    """Our figure for a row, written like the one that is printed."""
    cards, printed = shoe(row), row["figure"]
    if row["as"] == "combinations":
        return f"{count(cards, row['when']):,}"
    if row["as"] == "deviation":
        return deviation(wager(row, cards).variance, len(printed.partition(".")[2]))
    if row["as"] == "change":
        full = shoe({"decks": row["decks"]})
        before, after = (exactly(row | {"as": row["of"]}, each) for each in (full, cards))
        return rounded((after - before) * row.get("times", 1), printed)
    return rounded(exactly(row, cards), printed, row.get("places"))


def agree(printed: str, found: str, digits: int | None) -> bool:
    """Whether a printed figure is ours; of so many digits where a spreadsheet cut or rounded the rest."""
    if Decimal(printed.replace(",", "")) == Decimal(found.replace(",", "")):
        return True
    if digits is None:
        return False
    exact = int(found.replace(",", ""))
    unit = 10 ** max(len(str(exact)) - digits, 0)
    return int(printed.replace(",", "")) in (exact // unit * unit, (exact + unit // 2) // unit * unit)


TABLES = tables("table")


@pytest.mark.parametrize("table", TABLES, ids=map(title, TABLES))
def test_published_figures_come_out(table: Row) -> None:
    wrong = {}
    for row in rows(table):
        found = ours(row)
        if not agree(row["figure"], found, row.get("digits")):
            wrong[str(row)] = found
    assert not wrong


DISPUTED = tables("disputed")


@pytest.mark.parametrize("table", DISPUTED, ids=map(title, DISPUTED))
def test_disputed_figures_are_what_we_say_and_not_what_is_printed(table: Row) -> None:
    assert table["because"]
    for row in rows(table):
        found = ours(row)
        assert Decimal(found.replace(",", "")) == Decimal(row["ours"].replace(",", "")), row
        assert not agree(row["figure"], row["ours"], row.get("digits")), row


def test_insurance_of_another_house_is_worth_what_is_published() -> None:
    """Marina Bay Sands pays other odds: a rulebook that differs from the example in three lines."""
    four = 'window = "four_cards", own'
    book = example(
        {
            f'hand = "player", {four} = [5], other = [4], odds = "3:2"': "2:1",
            f'hand = "banker", {four} = [5], other = [0, 1, 2, 3, 4], odds = "3:2"': "2:1",
            f'hand = "banker", {four} = [6], other = [0, 1, 2, 3, 4, 5], odds = "5:2"': "3:1",
        }
    )
    (table,) = tables("insurance")
    made = edges(book, Composition.of_decks(table["decks"])).insurance
    found = {
        (each.hand, each.player, each.banker): (str(each.pays), percent(-each.edge / 100, 6))
        for each in made
        if each.window == "four_cards"
    }
    for row in rows(table):
        assert found[row["hand"], row["player"], row["banker"]] == (row["odds"], row["figure"]), row


def test_insurance_at_four_to_one_on_seven_is_worth_the_same_here() -> None:
    """Our documents pay 4 to 1 on the Banker's seven, as that house does: its figures hold here as well."""
    made = edges(lammer.rulebook(COUNTED)).insurance
    (table,) = tables("insurance")
    published = {row["player"]: row["figure"] for row in table["rows"] if row["banker"] == 7}
    assert published == {
        each.player: percent(-each.edge / 100, 6)
        for each in made
        if each.hand == "banker" and each.window == "four_cards" and each.banker == 7
    }


THREE = {row["banker_card"] for table in tables("three_cards") for row in table["rows"]}


@pytest.mark.parametrize("banker_card", sorted(THREE))
def test_chances_after_three_cards_come_out_of_from_here(banker_card: int) -> None:
    """The Player's two cards are averaged over, each pair as often as it comes without the Banker's card."""
    (table,) = tables("three_cards")
    book, full = lammer.rulebook("tiger-buffalo-noncommission-insurance@1"), Composition.of_decks(8)
    left = full.without(f"{POINTS[banker_card]}S").by_points(book)
    won, of = [Fraction(0)] * 10, [0] * 10
    for first, second in combinations_with_replacement(range(10), 2):
        weight = left[first] * (left[second] - (first == second)) * (1 if first == second else 2)
        cards = parse_cards(f"{POINTS[first]}S {POINTS[banker_card]}H {POINTS[second]}D")
        chances = next(each for each in mid_round_odds(book, cards, full).bets if each.bet == "player")
        won[(first + second) % 10] += weight * chances.won
        of[(first + second) % 10] += weight
    for row in rows(table):
        if row["banker_card"] == banker_card:
            total = row["player_two"]
            assert Decimal(rounded(won[total] / of[total], "", 6)) == Decimal(row["figure"]), row


def test_low_ties_are_ties_without_a_high_card() -> None:
    """Cards worth five at most make a shoe of their own; what a round leaves undealt may be any card.

    A draw counts six cards, so a round of four from 288 low cards stands for 284 times 283 draws there, and
    for 412 times 411 in the full shoe.
    """
    (table,) = tables("no_high_card")
    full = Composition.of_decks(table["decks"])
    low = Composition.of({rank: number for rank, number in full.counts.items() if rank not in "6789"})
    ties = Fraction(0)
    for cards in (4, 5, 6):
        rest = [perm(each.size - cards, 6 - cards) for each in (full, low)]
        ties += Fraction(count(low, {"winner": "tie", "cards": cards}) * rest[0], rest[1])
    assert ties.denominator == 1
    found = {True: int(ties), False: count(full, {"winner": "tie"}) - int(ties)}
    for row in table["rows"]:
        assert row["figure"] == f"{found[row['low']]:,}"


def test_one_six_among_five_kings_worked_by_hand() -> None:
    """Six cards, and all that matters is where the six lies: 120 of the 720 draws for each of the six places.

    First or third, the Player stands on 6 and the Banker draws a king: a Small Buffalo. Second or fourth, the
    Player draws a king and the Banker stands on 6 against it: a Small Tiger. Fifth, the Player draws the six
    and the Banker a king: a Big Buffalo. Sixth, the Player draws a king and the Banker the six: a Big Tiger.
    A hand the six is not dealt to at first is a pair of kings.
    """
    made = edges(lammer.rulebook(COUNTED), Composition.of({"K": 5, "6": 1}))
    assert made.combinations == 720
    won = {
        bet.bet: sum(each.combinations for each in bet.outcomes if each.outcome == "won") for bet in made.bets
    }
    assert {bet: number for bet, number in won.items() if "tiger" in bet or "buffalo" in bet} == {
        "small_buffalo": 240,
        "small_tiger": 240,
        "big_buffalo": 120,
        "big_tiger": 120,
        "tiger": 360,
        "tiger_buffalo": 720,
        "tiger_tie": 0,
        "tiger_pair": 720,
    }
    assert (won["player"], won["banker"], won["tie"]) == (360, 360, 0)
    assert (won["player_pair"], won["banker_pair"]) == (480, 480)
    # Paid half, on six, in half of the rounds: the House keeps a quarter of what is staked.
    assert made.bet("banker").edge == Fraction(1, 4)


# What nobody published, counted twice


@cache
def point_rounds() -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every round by points, and in how many orders its first cards come."""
    return tuple(
        (points, (1 + (points[0] != points[2])) * (1 + (points[1] != points[3])))
        for points in brute_force.point_rounds()
    )


@cache
def enumerated(decks: int) -> Counter[Path]:
    """Every way through a round with its draws, by dealing each round out of the shoe card by card."""
    size = 52 * decks
    rest = {cards: perm(size - cards, 6 - cards) for cards in (4, 5, 6)}
    found: Counter[Path] = Counter()
    for points, orders in point_rounds():
        left = [16 * decks] + [4 * decks] * 9
        draws = orders * rest[len(points)]
        for value in points:
            draws *= left[value]
            left[value] -= 1
        found[_way(points)] += draws
    return found


@cache
def _way(points: tuple[int, ...]) -> Path:
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    thirds: list[int | None] = list(points[4:])
    if len(thirds) == 1:
        thirds = [thirds[0], None] if player <= 5 else [None, thirds[0]]
    third, fourth = thirds or [None, None]
    return Path(player, banker, third, fourth)


BETS = [name for name in data("counted")["percent"] if not name.endswith("_pair")]


@pytest.mark.parametrize("decks", range(4, 11))
def test_every_way_through_a_round_is_counted_as_by_plain_enumeration(decks: int) -> None:
    """And every bet of a text then costs what the naive settlement says, which is the figure we print."""
    book = lammer.rulebook(COUNTED)
    cards = Composition.of_decks(decks)
    found = enumerated(decks)
    counts = cards.by_points(book)
    assert dict(zip(paths(book), ways(book, counts), strict=True)) == found
    finals: Counter[tuple[int, int, int, int]] = Counter()
    for path, number in found.items():
        finals[path.final] += number
    shown = _one_round_each()
    made = edges(book, cards)
    for bet in BETS:
        lost = Fraction(0)
        for final, number in finals.items():
            outcome, profit, _ = brute_force.settle_bet(COUNTED, bet, shown[final], 1)
            lost += number * (-profit if outcome == "won" else outcome == "lost")
        assert made.bet(bet).edge == lost / draws(counts), bet
        assert percent(made.bet(bet).edge) == data("counted")["percent"][bet][decks - 4], bet


@cache
def _one_round_each() -> dict[tuple[int, int, int, int], list[str]]:
    """One round for each way to end; no bet on totals sees more of it."""
    return {path.final: cards for path, cards in _one_round_for_each_way().items()}


@pytest.mark.parametrize("decks", [4, 8, 10])
@pytest.mark.parametrize("name", shipped_ids())
def test_insurance_costs_what_plain_enumeration_and_the_naive_settlement_say(name: str, decks: int) -> None:
    book = lammer.rulebook(name)
    won: Counter[tuple[str, str, int, int]] = Counter()
    lost: Counter[tuple[str, str, int, int]] = Counter()
    seen: Counter[tuple[str, str, int, int]] = Counter()
    profits: dict[tuple[str, str, int, int], Fraction] = {}
    for path, number in enumerated(decks).items():
        cards = _one_round_for_each_way()[path]
        for hand, window in brute_force.insurance_offers(name, cards):
            third = path.third if window == "third_card" and path.third is not None else 0
            key = (hand, window, (path.player + third) % 10, path.banker)
            outcome, profit, _ = brute_force.settle_insurance(name, hand, window, cards, 1)
            seen[key] += number
            if outcome == "won":
                won[key] += number
                profits[key] = profit
            elif outcome == "lost":
                lost[key] += number
    made = edges(book, Composition.of_decks(decks))
    found: dict[Any, Any] = {each.key: each for each in made.insurance}
    assert found.keys() == seen.keys()
    for key, each in found.items():
        assert each.pays.profit == profits[key], key
        assert each.edge == (lost[key] - won[key] * profits[key]) / seen[key], key
        assert each.occurs == Fraction(seen[key], made.combinations), key


@cache
def _one_round_for_each_way() -> dict[Path, list[str]]:
    found: dict[Path, list[str]] = {}
    for points, _ in point_rounds():
        found.setdefault(_way(points), [POINTS[value] + "S" for value in points])
    return found


@pytest.mark.parametrize("decks", range(4, 11))
def test_pairs_are_counted_as_by_plain_enumeration(decks: int) -> None:
    """Four ranks, every one of the 28,561; the rest of the round is any two cards."""
    tiers: Counter[tuple[int, int]] = Counter()
    each = 4 * decks
    for ranks in product(range(13), repeat=4):
        number = 1
        for place, rank in enumerate(ranks):
            number *= each - ranks[:place].count(rank)
        player = ranks[0] if ranks[0] == ranks[2] else -1
        banker = ranks[1] if ranks[1] == ranks[3] else -1
        tiers[player, banker] += number * perm(52 * decks - 4, 2)
    assert pair_tiers([each] * 13) == tiers
    lost: Counter[str] = Counter()
    for (player, banker), number in tiers.items():
        first, second = (RANKS[rank] * 2 if rank >= 0 else "TJ" for rank in (player, banker))
        if first == second == "TJ":
            second = "QK"
        for bet in ("player_pair", "banker_pair", "tiger_pair"):
            odds = brute_force._pair_odds(
                bet, [card + "S" for card in first], [card + "H" for card in second]
            )
            lost[bet] += number * (1 if odds is None else -odds[0])
    made = edges(lammer.rulebook(COUNTED), Composition.of_decks(decks))
    for bet, kept in lost.items():
        assert made.bet(bet).edge == Fraction(kept, made.combinations), bet
        assert percent(made.bet(bet).edge) == data("counted")["percent"][bet][decks - 4], bet


# What is said of the figures


def test_every_figure_has_a_source_and_every_source_is_used() -> None:
    used: set[str] = set()
    figures = 0
    for kind in ("table", "disputed", "insurance", "three_cards", "no_high_card"):
        for table in tables(kind):
            source = table["source"]
            used |= {source} if isinstance(source, str) else set(source)
            figures += len(table["rows"])
            assert all(isinstance(row["figure"], str) for row in table["rows"])
    used |= {play["source"] for play in data("counting")["play"]}
    assert used == data("sources").keys()
    assert all(work["title"] and work["author"] for work in data("sources").values())
    assert figures > 900
