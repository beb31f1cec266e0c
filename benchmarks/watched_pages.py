"""What the page of a table costs the house each time something happens there, for a thousand who look on.

    .venv/bin/python benchmarks/watched_pages.py [READERS]

A real `lammer serve` on loopback. After each event every reader asks for the part that changes, as the
scripts of the pages do. A display board is drawn once for all of them; a player's page has the player's own
money on it. Printed is the processor time of the server, not that of the readers.
"""

from __future__ import annotations

import sys
import tempfile
from typing import Any

import httpx

from served import come_in, cpu_seconds, serving

SETUP = {
    "rulebook": "tiger-buffalo-noncommission-insurance@3",
    "layout": "C",
    "limits": {"minimum": "1", "differential": "100000000"},
    "shoe": "virtual",
}
BET = {"do": "place_bet", "player": "p1", "box": 1, "bet": "tie", "stake": "1"}
EVENTS = 4
TABLE = "bench"


def main() -> None:
    readers = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(folder, LAMMER_CHIPS="0", LAMMER_TABLES="0") as (server, told),
    ):
        people = {role: come_in(told, role) for role in ("administrator", "pit_manager", "dealer", "player")}

        def ask(role: str, path: str, asked: dict[str, Any]) -> Any:
            client, token = people[role]
            return client.post(path, json=asked, headers=token).raise_for_status().json()

        commands = f"/api/tables/{TABLE}/commands"
        ask("administrator", "/api/tables", {"table": TABLE, "title": "Bench"})
        ask("pit_manager", commands, {"do": "set_table", "setup": SETUP})
        ask("dealer", commands, {"do": "take_seat", "player": "p1", "box": 1})
        ask("dealer", commands, {"do": "prepare_shoe"})
        ask("dealer", commands, {"do": "open_bets"})
        key = ask("administrator", "/api/keys", {"table": TABLE, "purpose": "display_board"})["key"]
        board = httpx.Client(base_url=str(told["address"]), params={"key": key}, trust_env=False)
        player, _ = people["player"]
        for name, client, path in (
            ("a display board", board, f"/board/{TABLE}/now"),
            ("a player's page", player, f"/tables/{TABLE}/now"),
            ("the felt", player, f"/tables/{TABLE}/felt"),
        ):
            client.get(path).raise_for_status()
            spent = 0.0
            for _ in range(EVENTS):
                ask("dealer", commands, BET)
                before = cpu_seconds(server.pid)
                for _ in range(readers):
                    client.get(path).raise_for_status()
                spent += cpu_seconds(server.pid) - before
            each = spent / EVENTS / readers
            print(f"  {name}: {each * 1000:.2f} s of the processor an event for 1,000 readers")


if __name__ == "__main__":
    main()
