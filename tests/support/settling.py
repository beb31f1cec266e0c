"""The round of the guide, changed and settled through the command line."""

from __future__ import annotations

import json
from typing import Any

from support.terminal import Ran, Terminal

BOOK = "tiger-buffalo-noncommission-insurance@3"
ROUND: dict[str, Any] = {
    "rulebook": BOOK,
    "layout": "C",
    "decks": 8,
    "maximum": "10000",
    "bets": [{"player": "p1", "box": 1, "bet": "player", "stake": "100"}],
    "cards": "QS 3D 6H AC 5D",
    "insurance": [{"player": "p1", "box": 1, "hand": "player", "window": "four_cards", "stake": "50"}],
}


def settle(lammer: Terminal, change: dict[str, Any] | bytes) -> Ran:
    """Settle the round of the guide with this changed, or any bytes at all."""
    text = change if isinstance(change, bytes) else json.dumps({**ROUND, **change}).encode()
    return lammer("settle", "-", "--json", stdin=text)


def bets(*names: str, **more: str) -> dict[str, Any]:
    return {
        "bets": [{"player": "p1", "box": 1, "bet": name, "stake": "10", **more} for name in names],
        "insurance": [],
    }


def insured(**change: Any) -> dict[str, Any]:
    return {"insurance": [{**ROUND["insurance"][0], **change}]}
