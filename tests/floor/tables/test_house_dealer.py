"""The virtual dealer: round after round by the book, through windows, cut cards and new shoes.

Where a person is needed it waits; told to finish it ends its round at once. Whoever plays here has their turn
in the dealer's pauses, by a clock of the test's own: nobody is too late because the machine is slow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lammer.floor import main as opening
from lammer.floor.record.clock import Clock
from lammer.floor.record.registry import Listed, Pace
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.tables.house import House
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.tables.two_people import SecondPerson
from lammer.floor.tables.virtual_dealer import Pause, VirtualDealer, pause
from lammer.floor.views.durable_view import DurableView
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.table import events as e
from lammer.table.insuring import offers_to
from lammer.table.journal import decode
from lammer.table.seating import commitment
from lammer.table.state import OVER
from support.awaited import GUARD, until_so as until
from support.failing_store import FAULTS, Failing
from support.open_house import SETUP, as_recorded, ask, house_on, in_loop, open_house

QUICK = Pace(0.002, 0.0005, 0.004, 0.0005)
BETTING = 0.003
"""Seconds for bets at the tables a newcomer finds; no other pause is as long."""
SHORT_SHOE: dict[str, Any] = {"shoe": "virtual", "cut": 380, "layout": "C"}


class OwnTime:
    """Time that passes in the dealer's pauses alone, and first whoever plays has their turn."""

    def __init__(self) -> None:
        self.wall = datetime(2026, 7, 1, 12, tzinfo=UTC)
        self.pauses = 0
        self.turn: Callable[[], Awaitable[object]] | None = None

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.wall)

    async def pause(self, over: asyncio.Event, seconds: float) -> None:
        self.pauses += 1
        if self.turn is not None and not over.is_set():
            await self.turn()
        if not over.is_set():
            self.wall += timedelta(seconds=seconds)
        await asyncio.sleep(0)


async def dealt(
    house: House, pace: Pace = QUICK, pause: Pause = pause, **setup: Any
) -> tuple[LiveTable, VirtualDealer]:
    """A table that deals itself, with a dealer who has not begun."""
    listed = Listed("t1", "One", pace)
    await asyncio.to_thread(house.registry.add, listed, 1)
    live_table = await house.tables.host(listed)
    await ask(house, "pit_manager", "set_table", setup=SETUP | {"shoe": "virtual"} | setup)
    return live_table, VirtualDealer(CommandGateway(house), listed, waiting=0.01, pause=pause)


def events(live_table: LiveTable, *kinds: type) -> list[Any]:
    found = live_table.store.read(live_table.id, 0, 100_000)
    made = [decode(each.body).event for each in found]
    return [event for event in made if not kinds or isinstance(event, kinds)]


def lasted(live_table: LiveTable, opening: type, closing: type) -> list[float]:
    """How long each of something was open, in seconds, by the record."""
    found: list[float] = []
    since = None
    for stored in live_table.store.read(live_table.id, 0, 100_000):
        entry = decode(stored.body)
        if isinstance(entry.event, opening):
            since = entry.at
        elif isinstance(entry.event, closing) and since is not None:
            found.append((entry.at - since).total_seconds())
    return found


async def interrupted(house: House, reason: str) -> None:
    """Interrupt a round; between two there is none to interrupt."""
    while True:
        try:
            await ask(house, "dealer", "interrupt", reason=reason)
            return
        except Refused:
            await asyncio.sleep(0)


@in_loop
async def test_round_after_round_through_windows_cut_cards_and_new_shoes(tmp_path: Path) -> None:
    time = OwnTime()
    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, dealer = await dealt(house, pause=time.pause, **SHORT_SHOE)
        await ask(house, "p1", "take_seat", box=1)
        insured = 0
        table = live_table.view.table
        given: dict[type, list[float]] = {}

        async def play() -> None:
            nonlocal insured
            here = table.round
            if here is None or here.phase in OVER:
                return
            if table.shoes >= 4 and insured:
                # Told to finish in the middle of a round: only the rest of this one is cut short.
                for opening, closing in (
                    (e.BettingOpened, e.BettingClosed),
                    (e.WindowOpened, e.WindowPassed),
                ):
                    given[opening] = await asyncio.to_thread(lasted, live_table, opening, closing)
                dealer.finish()
            elif here.phase == "betting" and not here.bets:
                for side in ("player", "banker"):
                    await ask(house, "p1", "place_bet", box=1, bet=side, stake="100")
            elif here.window is not None and not here.insured:
                hand = here.offers[0].hand
                await ask(house, "p1", "place_insurance", box=1, hand=hand, stake="10")
                insured += 1

        time.turn = play
        await asyncio.wait_for(dealer.run(), GUARD)
        assert table.round is None or table.round.phase in OVER
        settled = events(live_table, e.RoundSettled)
        assert len(settled) == table.rounds, "every round was settled"
        assert any(line.window for each in settled for line in each.lines), "also those who insured"
        assert events(live_table, e.CutCardShown)
        for opening, seconds in ((e.BettingOpened, QUICK.betting), (e.WindowOpened, QUICK.window)):
            assert min(given[opening]) >= seconds, "everyone gets their time"
        for ended in events(live_table, e.ShoeEnded):
            assert commitment(ended.order, ended.salt) == ended.commitment
        assert sum(table.accounts.values()) == 0
        assert as_recorded(live_table)


@in_loop
async def test_a_cut_card_that_comes_first_lets_players_withdraw(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        # A round or two to a shoe: now and then the cut card comes before the first card of a round.
        live_table, dealer = await dealt(house, high_limit=True, cut=52 * 8 - 6)
        await ask(house, "p1", "take_seat", box=1)
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: events(live_table, e.WithdrawalClosed))
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        shown = [each for each in events(live_table, e.CutCardShown) if each.withdrawal]
        assert len(shown) == len(events(live_table, e.WithdrawalClosed)) > 0
        assert events(live_table, e.RoundConcluded), "nobody had bet"


@in_loop
async def test_cards_dealt_face_down_are_opened(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table, dealer = await dealt(house, face_down=True)
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: live_table.view.table.rounds >= 8)
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert len(events(live_table, e.CardOpened)) == len(events(live_table, e.CardDealt))
        assert len(events(live_table, e.RoundSettled)) == live_table.view.table.rounds


@in_loop
async def test_a_squeeze_granted_is_left_to_whoever_asked(tmp_path: Path) -> None:
    """Face down, with bets, and now and then the Banker's third card before the Player's."""
    time = OwnTime()
    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, dealer = await dealt(house, pause=time.pause, face_down=True)
        await ask(house, "p1", "take_seat", box=1)
        waived: list[int] = []
        opened: list[int] = []

        def hear(_: DurableView, made: tuple[RevealedEvent, ...]) -> None:
            for each in made:
                if isinstance(each.entry.event, e.SqueezeAnswered) and each.entry.event.waives:
                    waived.append(each.number)
                elif isinstance(each.entry.event, e.CardOpened) and each.entry.by == "p1":
                    opened.append(each.number)

        async def play() -> None:
            here = live_table.view.table.round
            if here is None or here.phase in OVER or (waived and opened):
                return
            with suppress(Refused):  # Not every squeeze can be had.
                if here.phase == "betting":
                    if not here.bets:
                        await ask(house, "p1", "place_bet", box=1, bet="banker", stake="100")
                elif here.squeeze is not None:
                    await ask(house, "pit_supervisor", "answer_squeeze", consent=True)
                elif here.squeezer and (hidden := [laid for laid in here.cards if not laid.face_up]):
                    await ask(house, "p1", "open_card", hand=hidden[0].hand, place=hidden[0].place)
                elif len(here.cards) >= 4:
                    what = "card" if here.number % 2 else "expose_banker_third_first"
                    await ask(house, "p1", "request_squeeze", what=what)

        house.live.listeners.append(hear)
        time.turn = play
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: waived and opened, "no squeeze comes about")
        rounds = live_table.view.table.rounds
        await until(lambda: live_table.view.table.rounds > rounds + 2)
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert len(events(live_table, e.CardOpened)) == len(events(live_table, e.CardDealt))
        assert len(events(live_table, e.RoundSettled)) == live_table.view.table.rounds
        assert as_recorded(live_table)


@in_loop
async def test_whoever_announces_insurance_is_waited_for_as_long_as_a_window_lasts(tmp_path: Path) -> None:
    time = OwnTime()
    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, dealer = await dealt(house, pause=time.pause)
        await ask(house, "p1", "take_seat", box=1)

        async def play() -> None:
            here = live_table.view.table.round
            with suppress(Refused):  # Not every hand on offer has a bet on it.
                if here is not None and here.phase == "betting" and not here.bets:
                    for side in ("player", "banker"):
                        await ask(house, "p1", "place_bet", box=1, bet=side, stake="100")
                elif here is not None and here.window is not None and not here.announced:
                    await ask(house, "p1", "announce_insurance", box=1, hand=here.offers[0].hand)

        time.turn = play
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: events(live_table, e.InsuranceDeclined), "nobody can announce anything")
        rounds = live_table.view.table.rounds
        await until(lambda: live_table.view.table.rounds > rounds + 1)
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        by = [decode(each.body) for each in live_table.store.read("t1", 0, 100_000)]
        assert {each.by for each in by if isinstance(each.event, e.InsuranceDeclined)} == {"virtual dealer"}
        assert as_recorded(live_table)


@in_loop
async def test_nobody_keeps_a_table_waiting_by_announcing_again(tmp_path: Path) -> None:
    """A script announces Insurance again whenever the dealer has ended the wait, before the next card."""
    time = OwnTime()
    answered: list[str] = []

    class Interrupted(VirtualDealer):
        async def _do(self, do: str, **fields: object) -> None:
            await super()._do(do, **fields)
            if do == "decline_insurance":
                try:
                    await ask(self.house, "p1", "announce_insurance", box=1, hand=str(fields["hand"]))
                except Refused as refused:
                    answered.append(refused.code)
                else:
                    answered.append("announced")

    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, sedate = await dealt(house, pause=time.pause)
        dealer = Interrupted(sedate.gateway, house.tables.listed["t1"], waiting=0.01, pause=time.pause)
        await ask(house, "p1", "take_seat", box=1)

        async def play() -> None:
            here = live_table.view.table.round
            with suppress(Refused):  # Not every hand on offer has a bet on it.
                if here is not None and here.phase == "betting" and not here.bets:
                    for side in ("player", "banker"):
                        await ask(house, "p1", "place_bet", box=1, bet=side, stake="100")
                elif here is not None and here.window is not None and not here.announced:
                    await ask(house, "p1", "announce_insurance", box=1, hand=here.offers[0].hand)

        time.turn = play
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: len(answered) > 2, "nobody can announce anything")
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert set(answered) == {"announced_before"}
        ended = events(live_table, e.InsuranceDeclined)
        assert {event.recorded_by for event in ended} == {"virtual dealer"}
        assert len(ended) == len(answered)
        assert as_recorded(live_table)


@in_loop
async def test_several_who_announce_late_get_no_second_window(tmp_path: Path) -> None:
    """Once the time for Insurance is over, a place nobody had announced for may still be, in vain."""
    time = OwnTime()
    given: list[tuple[int, int]] = []

    class Interrupted(VirtualDealer):
        async def _do(self, do: str, **fields: object) -> None:
            here = self.this_round
            if do == "deal_card" and here is not None and here.window is not None:
                with suppress(Refused):
                    await ask(self.house, "p1", "announce_insurance", box=1, hand=here.offers[0].hand)
            await super()._do(do, **fields)

    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, sedate = await dealt(house, Windows.LONG, pause=time.pause)

        async def count(over: asyncio.Event, seconds: float) -> None:
            here = live_table.view.table.round
            if seconds == Windows.LONG.window and here is not None:
                given.append((here.number, len(here.cards)))
            await time.pause(over, seconds)

        dealer = Interrupted(sedate.gateway, house.tables.listed["t1"], waiting=0.01, pause=count)
        await ask(house, "p1", "take_seat", box=1)

        async def play() -> None:
            here = live_table.view.table.round
            if here is not None and here.phase == "betting" and not here.bets:
                for side in ("player", "banker"):
                    await ask(house, "p1", "place_bet", box=1, bet=side, stake="100")

        time.turn = play
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: len(events(live_table, e.InsuranceDeclined)) > 2, "nobody announces late")
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert len(given) == len(set(given)), "some window was given twice"
        assert as_recorded(live_table)


class Windows:
    """Counts the windows of Insurance that opened, and how long the dealer gave each."""

    LONG = Pace(0.002, 0.0005, 77, 0.0005)

    def __init__(self, time: OwnTime) -> None:
        self.time, self.cut_short, self.whole = time, 0, 0
        self.lasting = False

    async def pause(self, over: asyncio.Event, seconds: float) -> None:
        self.lasting = seconds == self.LONG.window
        await self.time.pause(over, seconds)
        if self.lasting:
            self.cut_short += over.is_set()
            self.whole += not over.is_set()


@pytest.mark.parametrize("answer", ["nothing to insure", "declined", "insured the most", "silent"])
@in_loop
async def test_the_next_card_comes_when_nobody_is_left_to_insure(tmp_path: Path, answer: str) -> None:
    """A window lasts for those who may still insure and have not said no; with none of them it does not."""
    time = OwnTime()
    windows = Windows(time)
    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, dealer = await dealt(house, Windows.LONG, windows.pause)
        await ask(house, "p1", "take_seat", box=1)

        async def play() -> None:
            table = live_table.view.table
            here = table.round
            with suppress(Refused):
                if here is not None and here.phase == "betting" and not here.bets:
                    bets = ("tie",) if answer == "nothing to insure" else ("player", "banker")
                    for bet in bets:
                        await ask(house, "p1", "place_bet", box=1, bet=bet, stake="100")
                elif here is not None and here.window is not None and windows.lasting:
                    for offer in offers_to(table, "p1"):
                        asked: dict[str, Any] = {"box": offer.box, "hand": offer.hand}
                        if answer == "declined":
                            await ask(house, "p1", "decline_insurance", **asked)
                        elif answer == "insured the most" and offer.most:
                            await ask(house, "p1", "place_insurance", **asked, stake=show(offer.most))

        time.turn = play
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: len(events(live_table, e.WindowPassed)) > 4, "no window opens")
        # Told to finish, the dealer cuts short whatever window is open then.
        whole, cut_short = windows.whole, windows.cut_short
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert bool(whole) == (answer == "silent")
        assert bool(cut_short) == (answer in ("declined", "insured the most"))
        assert dealer._hear not in house.live.listeners
        assert as_recorded(live_table)


@in_loop
async def test_a_round_reopened_is_left_to_whoever_reopened_it(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table, dealer = await dealt(house, Pace(0.001, 0.001, 0.001, 300))
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: events(live_table, e.RoundSettled))
        asked = CommandRequest("anna", "pit_supervisor", "reopen_settlement", {"reason": "a card"}, "k1")
        await house.commands.ask("t1", asked, SecondPerson("ben", "pit_supervisor"))
        assert dealer.this_round is not None
        dealer.pace = QUICK
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert len(events(live_table, e.RoundSettled)) == 1, "who looks into it settles it"


@in_loop
async def test_bets_opened_without_an_answer_are_open_as_long_as_any(tmp_path: Path) -> None:
    time = OwnTime()
    async with house_on(tmp_path / "house.sqlite", Failing, clock=time.clock) as house:
        live_table, dealer = await dealt(house, Pace(0.5, 0.001, 0.001, 0.001), time.pause)
        await ask(house, "dealer", "prepare_shoe")
        house.store.silent = 1  # type: ignore[attr-defined]
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: events(live_table, e.BettingClosed))
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert lasted(live_table, e.BettingOpened, e.BettingClosed)[0] >= 0.5


@in_loop
async def test_a_shoe_without_a_cut_card_ends_before_it_runs_dry(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite") as house:
        live_table, dealer = await dealt(house, Pace(0.0001, 0.0001, 0.0001, 0.0001), cut=0)
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: live_table.view.table.shoes >= 2)
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert len(events(live_table, e.RoundSettled)) == live_table.view.table.rounds


@in_loop
async def test_interrupted_it_waits_for_a_person(tmp_path: Path) -> None:
    time = OwnTime()
    async with house_on(tmp_path / "house.sqlite", clock=time.clock) as house:
        live_table, dealer = await dealt(house, pause=time.pause)
        dealing = asyncio.ensure_future(dealer.run())
        await until(lambda: live_table.view.table.rounds >= 2)
        await interrupted(house, "the lights went out")
        stands, looked = live_table.number, time.pauses
        await until(lambda: time.pauses > looked + 20)
        assert live_table.number == stands, "it looks again and again, and decides nothing"
        await ask(house, "pit_supervisor", "resolve_interruption")
        rounds = live_table.view.table.rounds
        await until(lambda: live_table.view.table.rounds > rounds)
        # Told to finish while a person is needed, it leaves the round as it is.
        await interrupted(house, "again")
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert live_table.view.table.round is not None
        assert live_table.view.table.round.interrupted


@in_loop
async def test_a_record_that_fails_for_a_while_does_not_end_the_dealing(tmp_path: Path) -> None:
    async with house_on(tmp_path / "house.sqlite", Failing) as house:
        live_table, dealer = await dealt(house)
        dealing = asyncio.ensure_future(dealer.run())
        for _ in range(3):
            rounds = live_table.view.table.rounds
            await until(lambda rounds=rounds: live_table.view.table.rounds > rounds)  # type: ignore[misc]
            house.store.faults = [FAULTS["gone"], FAULTS["conflict"]]  # type: ignore[attr-defined]
        rounds = live_table.view.table.rounds
        await until(lambda: live_table.view.table.rounds > rounds + 2)
        dealer.finish()
        await asyncio.wait_for(dealing, GUARD)
        assert as_recorded(live_table)


@pytest.mark.parametrize("moment", ["betting", "dealing"])
@in_loop
async def test_a_house_that_closes_ends_its_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Bets have an hour to go, or cards have: nobody waits for that, and nothing comes back interrupted."""
    pace = Pace(3600, 0.001, 0.001, 0.001) if moment == "betting" else Pace(0.001, 3600, 3600, 0.001)
    # A dealer who waited for their hour would be sent away in it, and their round come back interrupted.
    monkeypatch.setattr(opening, "FINISHING_SECONDS", GUARD)
    async with open_house(tmp_path) as house:
        live_table = await house.table("t1", pace, shoe="virtual")
        await until(
            lambda: live_table.view.table.round is not None and live_table.view.table.round.phase == moment
        )
    async with open_house(tmp_path) as house:
        live_table = house.house.tables.at("t1")
        assert not events(live_table, e.RoundInterrupted)
        assert events(live_table, e.RoundSettled)
        await until(lambda: live_table.view.table.rounds >= 2)


class HeldOpen:
    """Pauses like any other, but bets stay open until somebody has bet."""

    def __init__(self) -> None:
        self.open, self.over = asyncio.Event(), asyncio.Event()

    async def pause(self, over: asyncio.Event, seconds: float) -> None:
        if seconds == BETTING and not self.over.is_set():
            self.open.set()
            await self.over.wait()
        await pause(over, seconds)


@in_loop
async def test_a_newcomer_finds_tables_that_deal(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "betting_seconds": BETTING,
        "pause_seconds": 0.001,
        "window_seconds": 0.001,
        "between_seconds": 0.001,
    }
    async with open_house(tmp_path, tables=3, **given) as house:
        player = await house.person("player")
        lobby = (await player.get("/api/tables")).json()
        assert [each["deals_itself"] and each["set_up"] for each in lobby] == [True] * 3
        name = lobby[0]["table"]
        assert (await player.ask(name, "take_seat", box=1)).status_code == 200
        live_table, held = house.house.tables.at(name), HeldOpen()
        house.made.dealers[name][0].pause = held.pause
        await asyncio.wait_for(held.open.wait(), GUARD)
        placed = await player.ask(name, "place_bet", box=1, bet="banker", stake="50")
        assert placed.status_code == 200, placed.text
        rounds = live_table.view.table.rounds
        held.over.set()
        await until(lambda: live_table.view.table.rounds > rounds)
        story = (await player.get(f"/api/tables/{name}/rounds/{rounds}")).json()
        (settled,) = [event for event in story["events"] if event["event"] == "RoundSettled"]
        assert [line["player"] for line in settled["lines"]] == ["player"]


@in_loop
async def test_a_first_start_that_was_cut_off_is_finished_by_the_next(tmp_path: Path) -> None:
    """The first table was put up, and then the process ended."""
    async with open_house(tmp_path) as house:
        await asyncio.to_thread(house.house.registry.add, Listed("tiger-buffalo-1", "One", QUICK), 1)
    for _ in range(2):
        async with open_house(tmp_path, tables=3) as house:
            assert sorted(house.house.tables.listed) == [
                "da-hu-1",
                "tiger-buffalo-1",
                "tiger-buffalo-commission-1",
            ]
            set_up = [live_table.view.table.setup for live_table in house.house.tables.live_tables.values()]
            assert all(set_up)
            assert all(
                live_table.view.table.accounts["bank"] == 1_000_000_00
                for live_table in house.house.tables.held
            )
    async with open_house(tmp_path, tables=4) as house:
        assert len(house.house.tables.listed) == 3, "a house that has begun is left as it is"
