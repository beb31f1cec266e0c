"""What was to be expected: by hand, against rounds dealt at random, and read only as far as it is new."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import structs

import lammer
from lammer.floor.record.contract import Store
from lammer.floor.record.past import read_back
from lammer.floor.views.durable_view import DurableView, show_what_was_read, unread_view
from lammer.floor.views.expected_win import ExactChances, Expectation
from lammer.floor.views.gaming_day import day_start, gaming_day
from lammer.floor.views.play_today import PlayToday
from lammer.game.bets import judge
from lammer.game.cards import DECK
from lammer.game.hands import finish_round
from lammer.lab.exact.analysis import unit_profit
from lammer.lab.exact.edges import edges
from lammer.lab.exact.odds import deal_hands
from lammer.table.journal import Entry, encode
from lammer.table.play_figures import PlayFigures, Terms
from support.at_table import BOOK, BOOKS, bets, cards, script
from support.houses import House, put

TERMS = Terms(BOOK, 8)
SETTLE = {"by": "dealer", "do": "settle"}
ROUND = [*bets(), cards("KS KD 8H 7C"), SETTLE]


def test_a_round_worked_by_hand() -> None:
    """100 on Player and 40 on Banker, which pays 1:2 on a win with 6, from 8 decks."""
    figures = PlayFigures(BOOKS)
    for entry in script(*ROUND).journal:
        figures.take(entry)
    expected = ExactChances(BOOKS).expect(figures)
    analysis = edges(BOOKS[BOOK])
    player, banker = analysis.bet("player"), analysis.bet("banker")
    assert expected.mean == 100_00 * player.edge + 40_00 * banker.edge
    # One wins where the other loses: what a unit on each comes to, multiplied, is known from the outcomes.
    draws = analysis.combinations
    six = next(
        o.combinations for o in banker.outcomes if o.pays is not None and o.pays.profit == Fraction(1, 2)
    )
    banker_wins = sum(o.combinations for o in banker.outcomes if o.outcome == "won")
    player_wins = sum(o.combinations for o in player.outcomes if o.outcome == "won")
    together = -Fraction(player_wins, draws) - Fraction(banker_wins - six, draws) - Fraction(six, 2 * draws)
    covariance = together - player.edge * banker.edge
    by_hand = 100_00**2 * player.variance + 40_00**2 * banker.variance + 2 * 100_00 * 40_00 * covariance
    assert expected.variance == by_hand
    # 1.82 were to be won, and 58.35 is one standard deviation: the House lost 60.
    assert (expected.cents, expected.deviations(figures.win)) == (182, Decimal("-1.1"))


def test_chance_comes_out_as_it_says() -> None:
    """20,000 rounds dealt at random: mean and spread of the House's win lie where they are said to."""
    name, stakes = (
        "tiger-buffalo-noncommission@4",
        {"player": 100, "banker": 300, "tie": 20, "player_pair": 50},
    )
    book, random_cards = lammer.rulebook(name), random.Random(2026)
    shoe = DECK * 8
    terms, figures = Terms(name, 8), PlayFigures(BOOKS)
    for one, stake in stakes.items():
        figures.exposure[terms, one] = stake
        for other, beside in stakes.items():
            figures.products[terms, one, other] = stake * beside
    expected = ExactChances(BOOKS).expect(figures)
    rounds, total, squares = 20_000, Fraction(0), Fraction(0)
    for _ in range(rounds):
        played = finish_round(book, *deal_hands(book, random_cards.sample(shoe, 6)))
        win = Fraction(0)
        for bet, stake in stakes.items():
            verdict = judge(book, book.bets[bet], played)
            win -= stake * unit_profit(verdict.outcome, verdict.odds)
        total += win
        squares += win * win
    spread = float(squares / rounds - (total / rounds) ** 2)
    assert abs(spread / float(expected.variance) - 1) < 0.05
    whole = Expectation(expected.mean * rounds, expected.variance * rounds)
    off = whole.deviations(round(total))
    assert off is not None
    assert abs(off) < 4


class CountedReads:
    """A record that counts the events read from it."""

    def __init__(self, store: Store) -> None:
        self._store, self.events = store, 0

    def read(self, table: str, after: int = 0, limit: int = 1000) -> Any:
        page = self._store.read(table, after, limit)
        self.events += len(page)
        return page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def written(store: Store, journal: list[Entry]) -> None:
    store.append(put(store, "t1", *(encode(entry) for entry in journal))).result()


def view_of(store: Any) -> DurableView:
    view = unread_view("t1", store, BOOKS)
    show_what_was_read(view, read_back(store, BOOKS, "t1"))
    return view


def test_a_look_reads_only_what_is_new(sqlite: House) -> None:
    store = sqlite.open()
    journal = script(*ROUND * 8).journal
    day = datetime(2026, 11, 16, 12, tzinfo=UTC)
    moved = [structs.replace(entry, at=day + entry.number * timedelta(seconds=1)) for entry in journal]
    half = next(
        entry.number for entry in moved[len(moved) // 2 :] if type(entry.event).__name__ == "BettingOpened"
    )
    written(store, moved[: half - 1])
    counted = CountedReads(store)
    play, now = PlayToday(BOOKS), day + timedelta(hours=1)
    first = play.of(view_of(counted), now)
    rounds = first.figures.rounds
    counted.events = 0
    view = view_of(counted)
    counted.events = 0
    assert play.of(view, now).figures.rounds == rounds
    assert counted.events == 0
    written(store, moved[half - 1 :])
    view = view_of(counted)
    counted.events = 0
    again = play.of(view, now)
    assert counted.events == len(moved) - half + 1
    assert again.figures.rounds == 8
    assert again.expected.mean == ExactChances(BOOKS).expect(again.figures).mean


def test_a_gaming_day_begins_at_six_and_finds_its_set_up(sqlite: House) -> None:
    store = sqlite.open()
    journal = script(*ROUND * 4).journal
    opened = [entry.number for entry in journal if type(entry.event).__name__ == "BettingOpened"]
    zone = ZoneInfo(BOOKS[BOOK].time_zone)
    begins = day_start(gaming_day(datetime(2026, 11, 16, 12, tzinfo=UTC), zone), zone)
    # Two rounds before six in the morning, two after; the set-up lies a day back.
    moved = [
        structs.replace(entry, at=begins + (entry.number - opened[2]) * timedelta(seconds=1))
        for entry in journal
    ]
    written(store, moved)
    today = PlayToday(BOOKS).of(view_of(store), begins + timedelta(hours=1))
    assert today.figures.rounds == 2
    assert today.figures.exposure[TERMS, "player"] == 200_00
    yesterday = PlayToday(BOOKS).of(view_of(store), begins - timedelta(seconds=1))
    assert yesterday.day == today.day - timedelta(days=1)
