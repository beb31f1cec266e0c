"""What staff do for a player names them: to the player it was done for and to staff, and to nobody else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lammer import rulebook
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.viewing import Viewer, event_seen, event_sent
from lammer.table import events as e
from lammer.table.script import run
from lammer.wording.events import EventWriter

BOOK = rulebook("tiger-buffalo-noncommission-insurance@3")
STEPS: tuple[dict[str, Any], ...] = (
    {"by": "dealer", "do": "open_bets"},
    {"by": "dealer", "do": "place_bet", "player": "p1", "box": 1, "bet": "player", "stake": "100"},
    {"by": "dealer", "do": "place_bet", "player": "p1", "box": 1, "bet": "player", "stake": "50"},
    {"by": "p2", "do": "place_bet", "box": 2, "bet": "banker", "stake": "100"},
    {"by": "dealer", "do": "close_bets"},
    {"by": "dealer", "do": "deal_cards", "cards": "KS 2D 7H 3C"},
    {"by": "dealer", "do": "place_insurance", "player": "p1", "box": 1, "hand": "player", "stake": "10"},
    {"by": "pit_supervisor", "do": "note_dealing_error", "what": "a card was bent"},
    {"by": "dealer", "do": "choose_option", "player": "p1", "choice": "continue"},
    {"by": "p2", "do": "choose_option", "choice": "continue"},
)
KINDS = (e.BetPlaced, e.BetIncreased, e.InsurancePlaced, e.OptionChosen)
VIEWERS = {
    name: Viewer(name, role)
    for name, role in (
        ("p1", "player"),
        ("p2", "player"),
        ("mei", "dealer"),
        ("ann", "auditor"),
        ("", "board"),
    )
}


def told() -> list[RevealedEvent]:
    script = {"rulebook": BOOK.id, "layout": "C", "seats": {"p1": 1, "p2": 2}, "step": list(STEPS)}
    played = run({BOOK.id: BOOK}, script)
    assert not [step.refused for step in played.steps if step.refused]
    return [RevealedEvent(entry) for entry in played.journal if isinstance(entry.event, KINDS)]


def by(values: dict[str, Any]) -> str:
    return str(values.get("placed_by", values.get("recorded_by")))


@pytest.mark.parametrize("order", [("p1", "p2", "mei", "ann", ""), ("", "ann", "mei", "p2", "p1")])
def test_the_player_is_told_who_did_it_and_other_players_are_not(order: tuple[str, ...]) -> None:
    for_p1 = [each for each in told() if each.entry.event.player == "p1"]  # type: ignore[union-attr]
    assert {type(each.entry.event) for each in for_p1} == set(KINDS)
    for each in for_p1:
        for name in order:
            sent = event_sent(each, VIEWERS[name])
            data = msgspec.json.decode(sent.split(b"data: ")[1])
            assert data == msgspec.to_builtins(event_seen(each, VIEWERS[name]))
            assert by(data) == ("dealer" if name in ("p1", "mei", "ann") else ""), (name, data)


def test_what_a_player_does_themselves_looks_the_same_to_every_other_player() -> None:
    for each in told():
        event = each.entry.event
        if event.player == "p2":  # type: ignore[union-attr]
            sent = {event_sent(each, VIEWERS[name]) for name in ("p1", "")}
            assert len(sent) == 1
            assert by(event_seen(each, VIEWERS["p1"]) or {}) in ("p2", "")


def test_the_story_of_the_round_says_it_to_the_player() -> None:
    first = told()[0]
    sentences = {
        (language, name): EventWriter(language, BOOK).sentence(event_seen(first, VIEWERS[name]) or {})
        for language in ("en", "zh")
        for name in ("p1", "p2")
    }
    assert sentences["en", "p1"] == "p1 bets 100.00 on Player, box 1. Recorded by dealer."
    assert sentences["en", "p2"] == "Another player bets 100.00 on Player, box 1."
    assert sentences["zh", "p1"].endswith("由 dealer 代为记录。")
