"""The history of players' money, written down by those who moved it, with processes killed in between.

Many clients of each player bring chips, take them away, bet, take bets back and look, at several tables and
through several processes, under kill -9. What each sent and was told goes into a history. A checker that
knows nothing of the house (`linearizable`) then says whether each purse, and each player's chips at each
table, could have moved so one request after the other; and the record whether anything was made or lost.

`LAMMER_KILL_CYCLES` scales how often a process is killed: a tenth of it here.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import httpx
import msgspec
import psycopg
import pytest
from sqlalchemy import select

from floor.record.test_kill import nobody_else_is_connected
from lammer.floor.record.contract import Record
from lammer.floor.record.purses import purses
from lammer.floor.record.schema import replies
from lammer.floor.record.verify.verify import verify
from lammer.table.journal import decode, replay
from support.awaited import between_tries, until, until_so
from support.houses import House
from support.linearizable import Request, linearizable
from support.open_house import SETUP, books, in_loop
from support.processes import Crowd, Process, Zygote

pytestmark = pytest.mark.slow

KILLS = max(2, int(os.environ.get("LAMMER_KILL_CYCLES", "20")) // 10)
TABLES = ("t1", "t2")
PLAYERS = ("p1", "p2")
CLIENTS = 3
"""So many clients of each player ask at once."""
CHIPS = 300
"""Dollars: few enough that there are not always some."""
BETWEEN = 25
"""Answers between two deaths, at least."""
NOT_NOW = frozenset(
    ("round_is_interrupted", "no_round", "bets_are_closed", "no_such_bet", "not_enough_chips")
)
"""Refusals everybody meets here; they change nothing."""

What = tuple[str, str, int, int]
"""What happened: its name, the table, chips that came from the purse (or went back), and the stake."""


# --- the two models ----------------------------------------------------------------------------------------


def purse_step(held: int, what: What) -> int | None:
    """A purse: chips leave it if they are there, come back, and are looked at."""
    name, _, moved, seen = what
    if name == "read":
        return held if held == seen else None
    return held - moved if held >= moved else None


def chips_step(state: tuple[int, int], what: What) -> tuple[int, int] | None:
    """A player's chips at one table, and what they have on its felt."""
    here, staked = state
    name, _, moved, amount = what
    match name:
        case "read":
            return state if here == amount else None
        case "bring" | "take":
            return (here + moved, staked) if here + moved >= 0 else None
        case "bet":
            # The purse is reached into only where the chips at the table do not do.
            if here + moved < amount or (moved and here >= amount):
                return None
            return here + moved - amount, staked + amount
        case "back":
            return (here + amount, staked - amount) if staked >= amount else None
        case _:  # The round is void: everything comes back.
            return here + staked, 0


def purse_history(history: list[Request]) -> list[Request]:
    """What concerns the purse."""
    return [each for each in history if each.what[0] == "look" or each.what[2]]


# --- the checker can say no --------------------------------------------------------------------------------


BROUGHT = Request(0.0, 1.0, ("bring", "t1", 100, 0))
TAKEN = Request(2.0, 3.0, ("take", "t1", -40, 0))


def read(at: float, seen: int) -> Request:
    return Request(at, at + 0.5, ("read", "t1", 0, seen))


@pytest.mark.parametrize(
    ("what", "history", "holds"),
    [
        ("as it should be", [BROUGHT, TAKEN, read(1.2, 60), read(4.0, 100)], True),
        ("a doubled transfer", [BROUGHT, TAKEN, read(4.0, 0)], False),
        ("a lost transfer", [BROUGHT, TAKEN, read(4.0, 160)], False),
        ("a lost return", [BROUGHT, TAKEN, read(4.0, 60)], False),
        ("a stale read", [BROUGHT, read(1.2, 160)], False),
        ("a read of what was on its way", [BROUGHT, read(0.2, 60), read(0.9, 160)], False),
        ("reads while it was on its way", [BROUGHT, read(0.2, 160), read(0.9, 60)], True),
        ("more than there was", [BROUGHT, Request(0.0, 1.0, ("bring", "t2", 100, 0))], False),
        ("perhaps more than there was", [BROUGHT, Request(0.0, inf, ("bring", "t2", 100, 0))], True),
    ],
)
def test_the_checker_of_purses(what: str, history: list[Request], holds: bool) -> None:
    """A purse of 160, from which 100 are brought and to which 40 come back."""
    assert linearizable(history, 160, purse_step) is holds, what


def test_the_checker_of_chips_knows_when_a_purse_may_be_reached_into() -> None:
    bet = Request(0.0, 1.0, ("bet", "t1", 100, 30))
    assert linearizable([bet], (20, 0), chips_step)
    assert not linearizable([bet], (30, 0), chips_step), "there was enough at the table"
    assert not linearizable([replace(bet, what=("bet", "t1", 0, 30))], (20, 0), chips_step), "from nowhere"


# --- people ------------------------------------------------------------------------------------------------


@dataclass
class Moves:
    """Everybody's requests as they were sent and answered, by player."""

    crowd: Crowd
    processes: list[Process]
    reads_tables: bool
    chance: Random = field(default_factory=lambda: Random(11))
    history: dict[str, list[Request]] = field(default_factory=lambda: {name: [] for name in PLAYERS})
    doubtful: list[tuple[str, float, str, str]] = field(default_factory=list)
    keys: count[int] = field(default_factory=count)
    answered: int = 0

    async def put_up(self) -> None:
        """Two tables with everybody at both of them, and bets open."""
        crowd, process = self.crowd, self.processes[0]
        await crowd.gather(process, len(PLAYERS))
        made = await crowd.post(process, "administrator", "/api/tables", {"table": TABLES[1]})
        assert made.status_code == 201, made.text
        crowd.table = TABLES[1]
        await crowd.must(process, "pit_manager", "set_table", setup=SETUP)
        await crowd.must(process, "dealer", "prepare_shoe")
        for name in PLAYERS:
            await crowd.must(process, name, "take_seat", box=int(name[1:]))
        await crowd.must(process, "dealer", "open_bets")

    async def client(self, player: str, over: asyncio.Event) -> None:
        """Asks one thing after the other, each until it is answered."""
        while not over.is_set():
            table = self.chance.choice(TABLES)
            if self.chance.random() < 0.25:
                await self.look(player, table)
            else:
                await self.move(player, table)

    async def look(self, player: str, table: str) -> None:
        begun = monotonic()
        process = self.chance.choice(self.processes)
        try:
            answer = await self.crowd.http.get(
                f"{process.address}/api/tables/{table}", headers=self.crowd.sessions[player]
            )
        except httpx.HTTPError:
            return
        if answer.status_code != 200 or "purse" not in answer.json():
            return
        ended, seen = monotonic(), answer.json()
        self._took(player, Request(begun, ended, ("look", table, 0, cents(seen["purse"]))))
        if self.reads_tables:
            self._took(player, Request(begun, ended, ("read", table, 0, cents(seen["balance"]))))

    async def move(self, player: str, table: str) -> None:
        amount = self.chance.choice((10, 25, 60, 140, 300))
        place = {"box": int(player[1:]), "bet": "banker"}
        do, fields = self.chance.choice(
            (
                ("bring_chips", {"amount": str(amount)}),
                ("take_chips", {"amount": str(amount)}),
                ("place_bet", place | {"stake": str(amount)}),
                ("withdraw_bet", place),
            )
        )
        key, begun, unsure = f"move-{next(self.keys)}", monotonic(), False
        while True:
            process = self.chance.choice(self.processes)
            path = f"/api/tables/{table}/commands"
            try:
                answer = await self.crowd.post(process, player, path, {"do": do, **fields}, key)
            except httpx.HTTPError:
                unsure = True
                await between_tries()
                continue
            if answer.status_code in (200, 422):
                break
            assert answer.status_code in (409, 503), answer.text
            unsure = True
            await between_tries()
        if answer.status_code == 200:
            self._took(player, Request(begun, monotonic(), happened(table, answer.json()["events"])))
            return
        assert answer.json()["code"] in NOT_NOW, answer.text
        self.answered += 1
        if unsure:
            # A copy that was lost on the way may still be decided: the record knows in the end.
            self.doubtful.append((player, begun, key, table))

    def _took(self, player: str, request: Request) -> None:
        self.history[player].append(request)
        self.answered += 1

    async def go_on(self, table: str) -> None:
        """After a death: the round that came back interrupted is void, and bets are open again."""
        begun = monotonic()
        void = await self._staff(table, "pit_supervisor", "resolve_interruption")
        assert void in ("", "no_round", "not_interrupted"), void
        # Refused, it was done already by one whose answer was lost, or there was nothing to do.
        ended = monotonic() if void == "" else inf
        for player in PLAYERS:
            self.history[player].append(Request(begun, ended, ("void", table, 0, 0)))
        opened = await self._staff(table, "dealer", "open_bets")
        assert opened in ("", "round_under_way"), opened

    async def _staff(self, table: str, by: str, do: str) -> str:
        while True:
            try:
                process = self.chance.choice(self.processes)
                answer = await self.crowd.post(process, by, f"/api/tables/{table}/commands", {"do": do})
            except httpx.HTTPError:
                continue
            if answer.status_code != 503:
                return "" if answer.status_code == 200 else str(answer.json()["code"])
            await between_tries()

    def settle_doubts(self, record: Record) -> None:
        """What was refused after an answer was lost: the record says whether it happened after all."""
        with record.reading() as connection:
            for player, begun, key, table in self.doubtful:
                asked = (replies.c.client == player) & (replies.c.key == key)
                found = connection.scalar(select(replies.c.reply).where(asked))
                if found is not None:
                    events = msgspec.json.decode(found)["events"]
                    self.history[player].append(Request(begun, monotonic(), happened(table, events)))


def cents(shown: str) -> int:
    return round(float(shown) * 100)


def happened(table: str, events: list[dict[str, Any]]) -> What:
    """What the events of an answer come to."""
    moved = amount = 0
    name = ""
    for event in events:
        match event["event"]:
            case "ChipsBrought":
                name, moved = "bring", moved + event["amount"]
            case "ChipsTaken":
                name, moved = "take", moved - event["amount"]
            case "BetPlaced" | "BetIncreased":
                name, amount = "bet", event["stake"]
            case "BetReduced":
                name, amount = "back", amount + event["amount"]
            case other:
                raise AssertionError(other)
    return name, table, moved, amount


def must_be_one_after_the_other(moves: Moves) -> None:
    """Each purse, and each player's chips at each table."""
    for player, history in moves.history.items():
        purse = [
            replace(each, what=("read", *each.what[1:])) if each.what[0] == "look" else each
            for each in purse_history(history)
        ]
        assert linearizable(purse, CHIPS * 100, purse_step), f"the purse of {player}"
        for table in TABLES:
            here = [each for each in history if each.what[1] == table and each.what[0] != "look"]
            assert linearizable(here, (0, 0), chips_step), f"the chips of {player} at {table}"


def must_be_all_there(record: Record, moves: Moves) -> None:
    """Nothing made, nothing lost: what each has, in the purse, at tables and on felts, is what was issued."""
    tables = [
        replay(books(), [decode(stored.body) for stored in record.read(table, 0, 1_000_000)])
        for table in record.tables()
    ]
    with record.reading() as connection:
        held = {row.player: row for row in connection.execute(select(purses))}
    for player in PLAYERS:
        felt = sum(
            bet.stake
            for table in tables
            if table.round is not None and table.round.phase == "betting"
            for bet in table.round.bets.values()
            if bet.player == player
        )
        at_tables = sum(table.accounts.get(f"player:{player}", 0) for table in tables)
        assert held[player].issued == CHIPS * 100
        assert held[player].balance + at_tables + felt == CHIPS * 100, player
    made = verify(record, books())
    wrong = [each for each in made.wrong if "public key" not in each]
    assert not wrong, wrong
    assert not any(table.wrong for table in made.tables), made.tables


@pytest.fixture
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    born: list[Process] = []
    bear = made.bear

    def noted(**settings: Any) -> Any:
        process, heard = bear(**settings)
        born.append(process)
        return process, heard

    made.bear = noted  # type: ignore[method-assign]
    yield made
    for process in born:
        if process.alive:
            process.kill()
    made.close()


async def play(moves: Moves, killed: Any) -> None:
    """Everybody asks; again and again a process is killed under them, and they go on."""
    over = asyncio.Event()
    clients = [asyncio.ensure_future(moves.client(name, over)) for name in PLAYERS for _ in range(CLIENTS)]

    async def some_more() -> None:
        before = moves.answered
        await until_so(
            lambda: moves.answered >= before + BETWEEN or any(each.done() for each in clients),
            "nobody is answered",
        )
        for each in clients:
            if each.done():
                each.result()

    try:
        for number in range(KILLS):
            await some_more()
            await killed(number)
            for table in TABLES:
                await moves.go_on(table)
        await some_more()
        over.set()
        await asyncio.gather(*clients)
    finally:
        # Where one failed, the others leave no connection open that a later test is blamed for.
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        await moves.crowd.http.aclose()


def decided(moves: Moves, record: Record) -> None:
    moves.settle_doubts(record)
    must_be_one_after_the_other(moves)
    must_be_all_there(record, moves)
    _the_same_history_with_a_flaw_is_noticed(moves)
    many = {name: len(history) for name, history in moves.history.items()}
    print(f"{KILLS} deaths, {many} in the histories, {len(moves.doubtful)} in doubt")


def _the_same_history_with_a_flaw_is_noticed(moves: Moves) -> None:
    """So that the checker could have failed: one transfer that counts twice, and then a look."""
    player = max(PLAYERS, key=lambda name: len(moves.history[name]))
    end = max(each.ended for each in moves.history[player] if each.ended < inf)
    purse = CHIPS * 100 - sum(each.what[2] for each in moves.history[player])
    history = [
        replace(each, what=("read", *each.what[1:])) if each.what[0] == "look" else each
        for each in purse_history(moves.history[player])
    ]
    look = Request(end + 1, end + 2, ("read", "t1", 0, purse))
    assert linearizable([*history, look], CHIPS * 100, purse_step)
    for flaw in (-1, 1):
        wrong = replace(look, what=("read", "t1", 0, purse + flaw))
        assert not linearizable([*history, wrong], CHIPS * 100, purse_step)


@in_loop
async def test_one_process_over_sqlite(tmp_path: Path, zygote: Zygote) -> None:
    settings = {"data": str(tmp_path / "house"), "chips": CHIPS, "lease_seconds": 60.0}
    moves = Moves(Crowd(), [await asyncio.to_thread(zygote.open, **settings)], reads_tables=True)
    await moves.put_up()

    async def killed(_: int) -> None:
        await asyncio.to_thread(moves.processes[0].kill)
        moves.processes[0] = await asyncio.to_thread(zygote.open, **settings)

    await play(moves, killed)
    await asyncio.to_thread(moves.processes[0].kill)
    looked = House("sqlite", str(tmp_path / "house" / "house.sqlite"))
    decided(moves, looked.look())
    looked.close()
    assert not [line for line in zygote.errors if "Traceback" in line], "".join(zygote.errors)


@in_loop
async def test_three_processes_over_postgresql(postgres: House, tmp_path: Path, zygote: Zygote) -> None:
    """A process that does not decide for a table may show it a moment late; purses never are."""

    def another(number: int) -> Process:
        return zygote.open(
            data=str(tmp_path / str(number)), store=postgres.where, chips=CHIPS, lease_seconds=60.0,
            peer="http://127.0.0.1:0",
        )  # fmt: skip

    processes = [await asyncio.to_thread(another, number) for number in range(3)]
    moves = Moves(Crowd(), processes, reads_tables=False)
    await moves.put_up()

    async def killed(number: int) -> None:
        owners = {lease.owner.partition("#")[0] for lease in postgres.look().leases().values()}
        holder = next(each for each in processes if each.address in owners)
        await asyncio.to_thread(holder.kill)
        # Its turns run out, as they do after a while.
        with psycopg.connect(postgres.where, autocommit=True) as connection:
            connection.execute("UPDATE leases SET until = 1 WHERE owner LIKE %s", (f"{holder.address}#%",))
        processes[processes.index(holder)] = await asyncio.to_thread(another, 3 + number)

    await play(moves, killed)
    for process in processes:
        await asyncio.to_thread(process.kill)
    postgres.close()
    until(lambda: nobody_else_is_connected(postgres.where))
    decided(moves, postgres.look())
    assert not [line for line in zygote.errors if "Traceback" in line], "".join(zygote.errors)
