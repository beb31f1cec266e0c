"""What a table costs: whole rounds, the ten-thousandth bet, a settlement of ten thousand bets.

    .venv/bin/python benchmarks/table_rounds.py

One core, pure Python, processor time, everything included: commands, events, state, Insurance, ledger. Bars:
a round with 7 players and 25 bets at 5,000 rounds a second or more; the ten-thousandth bet of a round at no
more than 1.5 times the tenth; 10,000 bets settled within 300 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from time import process_time

import lammer
from lammer.table import commands as c
from lammer.table.play import record
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Table

BOOK = "tiger-buffalo-noncommission-insurance@3"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CARDS = ("KS", "KD", "5H", "4C", "4D", "6S")
SIDES = ("tie", "player_pair", "banker_pair", "big_tiger", "small_tiger", "big_buffalo", "small_buffalo")


def call(by: str, role: str, command: c.Command) -> c.Call:
    return c.Call(by, role, NOW, command)


def fresh(differential: int) -> Table:
    table = Table({BOOK: lammer.rulebook(BOOK)})
    limits = {"original": Limits(1_00), "side": Limits(1_00)}
    setup = SetUp(BOOK, "A", decks=10, limits=limits, differential=differential, shoe="read")
    record(table, call("m", "pit_manager", c.SetTable(setup)))
    for seat in range(1, 7):
        record(table, call(f"p{seat}", "player", c.TakeSeat(f"p{seat}", seat)))
    return table


def calls() -> list[c.Call]:
    """A round of seven players: six seated, one standing; 25 bets, two of them insured in both windows."""
    made = [call("d", "dealer", c.OpenBets())]
    for seat in range(1, 7):
        side = "player" if seat % 2 else "banker"
        made.append(call(f"p{seat}", "player", c.PlaceBet(f"p{seat}", seat, side, 100_00)))
        for n in range(3):
            bet = c.PlaceBet(f"p{seat}", seat, SIDES[(seat + n) % 7], 10_00)
            made.append(call(f"p{seat}", "player", bet))
    made.append(call("p7", "player", c.PlaceBet("p7", 1, "banker", 50_00)))
    made.append(call("d", "dealer", c.CloseBets()))
    deal = [call("d", "dealer", c.DealCard(card)) for card in CARDS]
    made += deal[:4]
    made += [call(p, "player", c.PlaceInsurance(p, int(p[1]), "player", 20_00)) for p in ("p1", "p3")]
    made += deal[4:5]
    made += [call(p, "player", c.PlaceInsurance(p, int(p[1]), "player", 20_00)) for p in ("p1", "p3")]
    made += deal[5:]
    return [*made, call("d", "dealer", c.Settle())]


def rounds_a_second(rounds: int = 300) -> float:
    table = fresh(100_000_00)
    steps = calls()
    best = 0.0
    for _ in range(5):
        start = process_time()
        for played in range(rounds):
            if played % 50 == 0:
                if table.shoe is not None:
                    record(table, call("d", "dealer", c.EndShoe()))
                record(table, call("d", "dealer", c.PrepareShoe()))
                table.shoe.seen.clear()  # type: ignore[union-attr]
            for step in steps:
                record(table, step)
            table.shoe.seen.clear()  # type: ignore[union-attr]
        best = max(best, rounds / (process_time() - start))
    assert sum(table.accounts.values()) == 0
    return best


def timed(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def main() -> None:
    steps = calls()
    bets = sum(isinstance(step.command, c.PlaceBet) for step in steps)
    assert bets == 25
    rate = rounds_a_second()
    print(
        f"  7 players, {bets} bets, Insurance: {rate:,.0f} rounds a second (bar 5,000: {_bar(rate >= 5000)})"
    )
    table = fresh(10**12)
    record(table, call("d", "dealer", c.PrepareShoe()))
    record(table, call("d", "dealer", c.OpenBets()))
    record(table, call("p1", "player", c.PlaceBet("p1", 1, "player", 100_00)))
    costs = [
        timed(lambda n=n: record(table, call(f"s{n}", "player", c.PlaceBet(f"s{n}", 1, SIDES[n % 7], 10_00))))  # type: ignore[misc]
        for n in range(10_050)
    ]
    tenth, last = median(costs[5:105]), median(costs[-100:])
    ratio = last / tenth
    print(f"  the ten-thousandth bet costs {ratio:.2f} times the tenth (bar 1.5: {_bar(ratio <= 1.5)})")
    record(table, call("d", "dealer", c.CloseBets()))
    for card in ("KS", "KD", "9H", "4C"):
        record(table, call("d", "dealer", c.DealCard(card)))
    spent = timed(lambda: record(table, call("d", "dealer", c.Settle()))) * 1000
    print(f"  10,050 bets settled in {spent:.0f} ms (bar 300: {_bar(spent <= 300)})")


def _bar(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    main()
