"""Random commands from random people, legal and illegal: what must hold of a table whatever is asked of it.

A walk asks a table several hundred things, some sensible in its phase, some not, under a random rulebook
and set-up. After every step: money adds up, stakes on the felt are what the open round holds, a refusal
changed nothing, nobody did what their role may not. At the end: replay gives the same bytes, every round
ended, the roads agree with a plain reading of the settled rounds. A table put away and taken out again at
any moment answers every call as the one that was there all along.
"""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import lammer
from game.test_roads import by_looking_left
from lammer import Refused
from lammer.game.roads import Result
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c, events as e
from lammer.table.commands import Call
from lammer.table.fold import evolve
from lammer.table.journal import EVENTS, decode, encode, replay, snapshot
from lammer.table.play import record
from lammer.table.snapshot import WrittenRounds, freeze, thaw
from lammer.table.state import OVER, Table
from lammer.table.verify import verify
from properties.test_second_table import A_WALK
from support.two_tables import walk as walk_both
from support.walk import BOOKS, LEAST, STEPS, WALKS, ChoosingWalk, Walk

CHEMIN_DE_FER = lammer.rulebook(str(Path(__file__).parents[2] / "examples/chemin-de-fer.toml"))


def must_hold(walk: Walk, do: str, role: str, events: tuple[e.Event, ...]) -> None:
    """After a command that was carried out."""
    table = walk.table
    least = LEAST.get(do)
    assert least is None or ROLES.index(role) >= ROLES.index(least), (do, role)
    here = table.round
    on_felt = sum(bet.stake for bet in here.live()) if here is not None and here.phase not in OVER else 0
    assert table.accounts.get("in_play", 0) == on_felt
    for event in events:
        if isinstance(event, e.RoundSettled):
            assert {line.key for line in event.lines} == {bet.key for bet in here.live()} if here else False
    options_as_due(walk, events)


def options_as_due(walk: Walk, events: tuple[e.Event, ...]) -> None:
    """Options are offered when due and never otherwise (reading 11), judged on the table after the call."""
    noted = [event.name for event in events if isinstance(event, e.IrregularityNoted)]
    offered = any(isinstance(event, e.OptionsOffered) for event in events)
    voided = any(isinstance(event, e.RoundVoided) for event in events)
    table = walk.table
    here = table.round
    if not noted or voided or here is None or here.phase in OVER:
        assert not offered
        return
    name = noted[0]
    stands = table.outcome().established
    always = {"simultaneous_cards", "dealing_error"}
    while_none = {
        "excess_cards",
        "swapped_hands",
        "face_up_cards",
        "equipment_reset",
        "withdrawal_not_offered",
    }
    stuck = any(isinstance(event, e.CardsStand) for event in events)
    due = bool(here.players()) and (
        name in always or (stuck and name == "swapped_hands") or (name in while_none and not stands)
    )
    assert offered == due, (name, stands)


def test_walks_see_nearly_everything() -> None:
    """The walks are worth their steps: nearly every kind of event happens in them."""
    seen: set[str] = set()
    for seed in range(WALKS):
        walk = Walk(seed)
        for _ in range(500):
            walk.step()
        seen.update(type(entry.event).__name__ for entry in walk.journal)
    choosing = ChoosingWalk(0, CHEMIN_DE_FER)
    for _ in range(500):
        choosing.step()
    seen.update(type(entry.event).__name__ for entry in choosing.journal)
    for seed in range(WALKS):
        seen.update(type(event).__name__ for event in walk_both(seed, A_WALK).events)
    rare = {"InsuranceRepositioned", "BankCredited", "MissedInsuranceOffered", "CardsStand"}
    assert seen | rare == set(EVENTS) | rare


@pytest.mark.parametrize("seed", range(-2, WALKS))
def test_walk(seed: int) -> None:
    """Two of the walks are under a rulebook whose hands may choose whether they draw."""
    walk = Walk(seed) if seed >= 0 else ChoosingWalk(seed, CHEMIN_DE_FER)
    carried_out = refused = 0
    for _ in range(STEPS // WALKS):
        do, role, events = walk.step()
        if events is None:
            refused += 1
        else:
            carried_out += 1
            must_hold(walk, do, role, events)
    assert carried_out > refused // 4
    finish(walk)
    again = [decode(encode(entry)) for entry in walk.journal]
    assert again == walk.journal
    assert snapshot(replay(walk.table.books, again)) == snapshot(walk.table)
    verified, wrong = verify(walk.table.books, again)
    assert not wrong
    assert snapshot(verified) == snapshot(walk.table)
    cut = walk.random.randrange(len(again))
    resumed = thaw(walk.table.books, freeze(replay(walk.table.books, again[:cut])))
    for entry in again[cut:]:
        evolve(resumed, entry.event)
    assert snapshot(resumed) == snapshot(walk.table), f"resumed after event {cut}"
    assert freeze(resumed) == freeze(walk.table)
    rounds_end_and_roads_agree(walk)


class Twins(Walk):
    """A walk of two tables side by side: one that was there all along, one taken out of a snapshot."""

    def __init__(self, seed: int) -> None:
        self.twin: Table | None = None
        self.kept: WrittenRounds = {}
        self.moments = random.Random(f"moments of {seed}")
        super().__init__(seed)

    def put_away(self) -> None:
        """A new twin out of a snapshot; it, the twin before it and the table freeze to the same bytes."""
        frozen = freeze(self.table, self.kept)
        assert self.twin is None or freeze(self.twin) == frozen
        self.twin = thaw(BOOKS, frozen)
        assert freeze(self.twin) == frozen

    def ask(self, by: str, role: str, command: c.Command) -> tuple[e.Event, ...]:
        if self.twin is None:
            return super().ask(by, role, command)
        call = Call(by, role, self.at + timedelta(seconds=1), command)
        told: tuple[Any, ...]
        try:
            told = record(self.twin, call)
        except Refused as refused:
            told = refused.args
        answered: tuple[Any, ...] = ()
        try:
            answered = super().ask(by, role, command)
        except Refused as refused:
            answered = refused.args
            raise
        finally:
            assert told == answered, call
        return answered


@pytest.mark.parametrize("seed", range(WALKS))
def test_a_table_taken_out_of_a_snapshot_goes_on_as_if_it_had_stayed(seed: int) -> None:
    """A walk alone, then side by side: the same events, refusals and bytes, whenever it was put away."""
    twins = Twins(seed)
    steps = STEPS // WALKS
    for _ in range(twins.moments.randrange(steps * 2 // 3)):
        twins.step()
    for step in range(min(steps // 10, 500)):
        if step == 0 or twins.moments.random() < 0.1:
            twins.put_away()
        twins.step()
        assert twins.twin is not None
        assert snapshot(twins.twin) == snapshot(twins.table)


def finish(walk: Walk) -> None:
    """Bring the last round to an end."""
    here = walk.table.round
    if here is not None and here.phase not in OVER:
        walk.ask("boss", "table_game_shift_manager", c.RuleOnMatter("the walk is over", "void_round"))
    assert walk.table.accounts.get("in_play", 0) == 0


def plain_result(event: e.RoundSettled | e.RoundCorrected) -> Result:
    player, banker = event.player, event.banker
    winner: Any = event.winner
    return Result(winner, player[0][0] == player[1][0], banker[0][0] == banker[1][0], event.points)


def rounds_end_and_roads_agree(walk: Walk) -> None:
    opened: set[int] = set()
    ended: set[int] = set()
    of_this_shoe: set[int] = set()
    results: dict[int, Result] = {}
    for entry in walk.journal:
        event = entry.event
        if isinstance(event, e.BettingOpened):
            assert opened == ended, "a round was opened before the last had ended"
            opened.add(event.round)
            of_this_shoe.add(event.round)
        elif isinstance(event, e.RoundSettled | e.RoundVoided | e.RoundConcluded):
            ended.add(event.round)
        elif isinstance(event, e.SettlementReopened):
            ended.discard(event.round)
        if isinstance(event, e.ShoePrepared):
            results.clear()
            of_this_shoe.clear()
        if isinstance(event, e.RoundSettled) and event.round in of_this_shoe:
            results[event.round] = plain_result(event)
        elif isinstance(event, e.RoundVoided | e.SettlementReopened) or (
            isinstance(event, e.RoundCorrected) and event.void
        ):
            results.pop(event.round, None)
        elif isinstance(event, e.RoundCorrected) and event.round in results:
            results[event.round] = plain_result(event)
    assert opened == ended
    in_order = [results[number] for number in sorted(results)]
    assert [walk.table.results[number] for number in sorted(walk.table.results)] == in_order
    made = walk.table.roads()
    letters = "".join(result.winner[0].upper() for result in in_order)
    assert made.statistics.rounds == len(letters)
    for back, road in ((1, made.big_eye_boy), (2, made.small_road), (3, made.cockroach_pig)):
        assert "".join(mark[0] for mark in road.marks) == by_looking_left(letters, back)
