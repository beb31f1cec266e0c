"""The same over HTTP: every byte everybody gets of two face-down rounds, until a card is opened.

One table holds a natural and the other a hand that draws. Whatever is looked at, asked or refused there has
to be the same but for the table's name and the time.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from floor.web.test_api_seeing import PATHS
from lammer.floor.views.viewing import Viewer
from lammer.rulebook.vocabulary import ROLES
from support.open_house import OpenHouse, Person, in_loop, open_house

ROUNDS: Final = {"table-a": ("9H", "KD", "TC", "QS"), "table-b": ("2H", "3D", "KC", "4S")}
TRIED: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("settle", {}),
    ("deal_card", {"card": "5C"}),
    ("deal_card", {"card": "5C", "to": "player"}),
    ("reconstruct", {"irregularity": "excess_cards", "possible": False}),
    ("reconstruct", {"irregularity": "swapped_hands"}),
    ("request_squeeze", {"what": "expose_banker_third_first"}),
    ("place_insurance", {"player": "player", "box": 1, "hand": "player", "stake": "10"}),
    ("offer_missed_insurance", {"players": "player", "hand": "player"}),
    ("resolve_interruption", {}),
    ("close_options", {}),
    ("reconstruct", {"irregularity": "excess_cards"}),
    ("note_dealing_error", {"what": "a card was bent"}),
    ("close_options", {}),
    ("deal_card", {}),
    ("settle", {}),
    ("interrupt", {"reason": "the lights went out"}),
)
CARRIED: Final = {"table-a": "9H", "table-b": "5C"}
GUESSED: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("deal_card", {"card": "9H"}),
    ("deal_card", {"card": "5C"}),
    ("deal_card", {"card": "9H", "to": "banker"}),
    ("order_simultaneous", {"order": "9H KD"}),
    ("order_simultaneous", {"order": "KD 5C"}),
    ("correct_card", {"hand": "player", "place": 1, "card": "9H"}),
    ("place_insurance", {"player": "player", "box": 1, "hand": "player", "stake": "10"}),
    ("deal_card", {}),
    ("settle", {}),
)
_ITS_OWN: Final = re.compile(rb'"(at|hash)":"[^"]*"')
"""Times differ, and so do the hashes from before the shoe, which are made of them."""


def alike(table: str, told: bytes) -> bytes:
    return _ITS_OWN.sub(b"", told).replace(table.encode(), b"the table")


async def looked(house: OpenHouse, person: Person, table: str) -> bytes:
    paths = [path.replace("/t1", f"/{table}") for path in PATHS if "/t1" in path]
    parts = [(await person.get(path)).content for path in paths]
    viewer = Viewer(person.name, person.role or "board")
    stream = house.house.live.stream(house.house.tables.view(table), viewer, 0)
    async for part in stream:
        parts.append(part)
        if not part.startswith(b"retry"):
            break
    await stream.aclose()  # type: ignore[attr-defined]
    return alike(table, b"\n".join(parts))


async def compared(
    house: OpenHouse,
    people: dict[str, Person],
    boards: dict[str, Person],
    tried: tuple[tuple[str, dict[str, Any]], ...],
) -> None:
    """Everybody asks the same of both tables and looks at them; what they are told is the same."""
    asked = 0
    for do, fields in (("note_wrong_display", {"what": "nothing"}), *tried):
        for role, person in people.items():
            told = [
                alike(table, (await person.ask(table, do, **fields)).content)
                for table in boards  # The same, asked of both.
            ]
            assert told[0] == told[1], (role, do, fields, told)
            asked += 1
        for role, person in (people | {"board": boards["table-a"]}).items():
            seen = [
                await looked(house, boards[table] if role == "board" else person, table) for table in boards
            ]
            assert seen[0] == seen[1], (role, do)
            assert len(seen[0]) > 200
    assert asked == len(people) * (len(tried) + 1)


@in_loop
async def test_a_natural_and_a_hand_that_draws_look_alike_until_a_card_is_opened(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        people = {role: await house.person(role) for role in (*ROLES, "auditor", "administrator")}
        boards = {}
        for table, cards in ROUNDS.items():
            await house.table(table, shoe="read", face_down=True)
            boards[table] = await house.key(table, "display_board")
            boards[table].name = "board"
            steps: tuple[tuple[str, str, dict[str, Any]], ...] = (
                ("dealer", "prepare_shoe", {}),
                ("player", "take_seat", {"box": 1}),
                ("dealer", "open_bets", {}),
                ("player", "place_bet", {"box": 1, "bet": "player", "stake": "100"}),
                ("dealer", "close_bets", {}),
                *(("dealer", "deal_card", {"card": card}) for card in cards),
            )
            for by, do, fields in steps:
                answer = await people[by].ask(table, do, **fields)
                assert answer.status_code == 200, answer.text
            # Whoever read the cards knows them; what they were told of it is not compared.
        await compared(house, people, boards, TRIED)
        for board in boards.values():
            await board.http.aclose()


@in_loop
async def test_tables_that_differ_in_the_card_carried_over_look_alike(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        people = {role: await house.person(role) for role in (*ROLES, "auditor", "administrator")}
        boards = {}
        for table, carried in CARRIED.items():
            await house.table(table, shoe="read", face_down=True)
            boards[table] = await house.key(table, "display_board")
            boards[table].name = "board"
            opened = [(hand, place) for hand in ("player", "banker") for place in (1, 2)]
            steps: tuple[tuple[str, str, dict[str, Any]], ...] = (
                ("dealer", "prepare_shoe", {}),
                ("player", "take_seat", {"box": 1}),
                ("dealer", "open_bets", {}),
                ("player", "place_bet", {"box": 1, "bet": "player", "stake": "100"}),
                ("dealer", "close_bets", {}),
                *(("dealer", "deal_card", {"card": card}) for card in ("KH", "3D", "7S", "2S")),
                ("dealer", "deal_card", {"card": carried, "to": "player"}),
                ("pit_supervisor", "reconstruct", {"irregularity": "excess_cards"}),
                ("dealer", "close_options", {}),
                *(("dealer", "open_card", {"hand": hand, "place": place}) for hand, place in opened),
            )
            for by, do, fields in steps:
                answer = await people[by].ask(table, do, **fields)
                assert answer.status_code == 200, answer.text
            at = house.house.tables.view(table).table
            assert list(at.carried) == [carried]
            assert at.round is not None
            assert at.round.window == "four_cards"
        await compared(house, people, boards, GUESSED)
        for board in boards.values():
            await board.http.aclose()
