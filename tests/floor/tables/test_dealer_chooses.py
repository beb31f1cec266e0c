"""The virtual dealer where a hand may draw: it chooses by the play the table was set to, and never waits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer.floor.record.registry import Listed, Pace
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.tables.next_steps import lawful, next_of
from lammer.floor.tables.virtual_dealer import VirtualDealer
from lammer.game.drawing import deal
from lammer.rulebook.playing import played_by
from lammer.table import commands as c, events as e
from lammer.table.journal import decode
from lammer.table.script import run
from support.awaited import until_so as until
from support.open_house import SETUP, ask, house_on, in_loop

BOOK = lammer.rulebook(str(Path(__file__).parents[3] / "examples" / "chemin-de-fer.toml"))
ROUNDS = 12


@pytest.mark.parametrize("play", ["", "never_draws", "player_stands_on_5"])
@in_loop
async def test_every_round_is_dealt_by_the_play_of_the_table(tmp_path: Path, play: str) -> None:
    async with house_on(tmp_path / "house.sqlite", own=(BOOK,)) as house:
        listed = Listed("t1", "One", Pace(0.0005, 0.0005, 0.0005, 0.0005))
        await asyncio.to_thread(house.registry.add, listed, 1)
        live_table = await house.tables.host(listed)
        setup = SETUP | {"rulebook": BOOK.id, "layout": "A", "decks": 6, "shoe": "virtual", "play": play}
        # A private rulebook of no date holds whenever somebody tries it.
        await ask(house, "pit_manager", "set_table", setup=setup)
        dealer = VirtualDealer(CommandGateway(house), listed, waiting=0.01)
        at_work = asyncio.create_task(dealer.run())

        def happened(kind: type) -> list[Any]:
            entries = [decode(each.body) for each in live_table.store.read(live_table.id, 0, 100_000)]
            return [entry for entry in entries if isinstance(entry.event, kind)]

        await until(lambda: len(happened(e.RoundSettled)) >= ROUNDS, "rounds are dealt and settled")
        dealer.finish()
        await at_work
        chosen, settled = happened(e.DrawingChosen), happened(e.RoundSettled)
    assert chosen, "and hands had something to choose"
    assert {each.by for each in chosen} == {"virtual dealer"}
    book = played_by(BOOK, play)
    for each in (entry.event for entry in settled):
        in_turns = [each.player[0], each.banker[0], each.player[1], each.banker[1]]
        played = deal(book, lammer.parse_cards([*in_turns, *each.player[2:], *each.banker[2:]]))
        assert (played.player.cards, played.banker.cards) == (each.player, each.banker)


def test_the_console_offers_both_and_presses_neither() -> None:
    """A dealer may record that the hand draws, or that it stands; neither comes by itself."""
    steps = [{"by": "dealer", "do": do} for do in ("open_bets", "close_bets")]
    steps.append({"by": "dealer", "do": "deal_cards", "cards": "2S KD 3H 6C"})
    table = run({BOOK.id: BOOK}, {"rulebook": BOOK.id, "layout": "A", "decks": 6, "step": steps}).table
    now = BOOK.in_force_from
    offered = lawful(table, lambda asked: c.Call("mei", "dealer", now, asked))
    choices = [step.fields for step in offered if step.do == "choose_drawing" and step.lawful]
    assert choices == [{"hand": "player", "draws": True}, {"hand": "player", "draws": False}]
    assert next_of(table, offered) is None
    (deal_card,) = [step for step in offered if step.do == "deal_card"]
    assert deal_card.refused is not None
    assert deal_card.refused.code == "drawing_not_chosen"
