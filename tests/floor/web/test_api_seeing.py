"""What a viewer may see: every byte of every answer and of every stream, for everybody who looks.

Cards are chosen so that a card's two letters stand for that card and nothing else; then "not in any byte" is
the whole test.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from lammer.floor.record.chain import link
from lammer.floor.record.contract import StoredEvent
from lammer.floor.views.hashes import hashes
from lammer.floor.views.shown_record import ShownRecord
from lammer.floor.views.viewing import STAFF, Viewer
from lammer.game.cards import DECK
from lammer.table.journal import decode
from support.awaited import until_so
from support.open_house import OpenHouse, Person, in_loop, open_house

PATHS = (
    "/api/tables",
    "/api/tables/t1",
    "/api/tables/t1/events",
    "/api/tables/t1/rounds/1",
    "/api/tables/t1/rounds/2",
    "/api/tables/t1/roads",
    "/api/tables/t1/offers",
    "/api/tables/t1/ledger",
    "/api/tables/t1/report",
    "/api/tables/t1/proposals",
    "/api/accounts",
    "/api/keys",
    "/api/denials",
    "/metrics",
    "/ready",
)


class Watch:
    """Everybody who looks, what each has been told so far, and what each sees now."""

    def __init__(self, house: OpenHouse, people: dict[str, Person]) -> None:
        self.house, self.people = house, people
        self.told: dict[str, list[bytes]] = {name: [] for name in people}

    async def ask(self, by: str, do: str, **fields: Any) -> None:
        answer = await self.people[by].ask("t1", do, **fields)
        assert answer.status_code == 200, answer.text
        self.told[by].append(answer.content)

    async def seen(self) -> dict[str, bytes]:
        """Every byte everybody can get: all answers, every answer so far, the whole stream."""
        found = {}
        for name, person in self.people.items():
            parts = [(await person.get(path)).content for path in PATHS]
            found[name] = b"\n".join([*parts, *self.told[name], await self._streamed(person)])
        return found

    async def _streamed(self, person: Person) -> bytes:
        viewer = Viewer(person.name, person.role or "board")
        stream = self.house.house.live.stream(self.house.house.tables.view("t1"), viewer, 0)
        sent = b""
        async for part in stream:
            sent += part
            if not part.startswith(b"retry"):
                break
        await stream.aclose()  # type: ignore[attr-defined]
        return sent


@asynccontextmanager
async def watched(folder: Path, **setup: Any) -> AsyncIterator[Watch]:
    async with open_house(folder) as house:
        await house.table("t1", **setup)
        people = {role: await house.person(role) for role in (*STAFF, "auditor", "administrator")}
        people |= {name: await house.another(name, "player") for name in ("mei", "eve")}
        people["board"] = await house.key("t1", "display_board")
        watch = Watch(house, people)
        await watch.ask("dealer", "prepare_shoe")
        for box, name in enumerate(("mei", "eve"), 1):
            await watch.ask(name, "take_seat", box=box)
        await watch.ask("dealer", "open_bets")
        yield watch
        await people["board"].http.aclose()


def holders(seen: dict[str, bytes], secret: str) -> set[str]:
    """Who has got to know something."""
    return {name for name, told in seen.items() if secret.encode() in told}


READER: Final = Viewer("auditor", "auditor")


@in_loop
async def test_no_player_learns_from_a_hash_who_placed_a_bet(tmp_path: Path) -> None:
    """The name of whoever placed a bet could be tried until the hash comes out, as a card could."""
    async with open_house(tmp_path, pages=True) as house:
        await house.table("t1")
        dealer, mei, eve = (
            await house.person("dealer"),
            await house.another("mei", "player"),
            await house.another("eve", "player"),
        )
        assert (await dealer.ask("t1", "prepare_shoe")).status_code == 200
        assert (await mei.ask("t1", "take_seat", box=1)).status_code == 200
        assert (await mei.ask("t1", "allow_staff_bets", allowed=True)).status_code == 200
        assert (await dealer.ask("t1", "open_bets")).status_code == 200
        placed: dict[str, Any] = {"player": "mei", "box": 1, "bet": "banker", "stake": "100"}
        assert (await dealer.ask("t1", "place_bet", **placed)).status_code == 200
        stored = house.house.store.read("t1", 0, 1000)
        before, bet = stored[-2:]
        by = [name for name in ("mei", "eve", "pit_manager", "dealer") if _by(before, bet, name) == bet.hash]
        assert by == ["dealer"], "that is how it would be done"
        known = {each.hash.hex() for each in stored}
        for person in (mei, eve):
            for path in ("/tables/t1/history/1", "/api/tables/t1/events", "/api/tables/t1/rounds/1"):
                answer = await person.get(path)
                assert answer.status_code == 200
                assert not [each for each in known if each in answer.text], path
        page = (await dealer.get("/tables/t1/history/1")).text
        assert bet.hash.hex() in page, "whoever reads everything is told"


def _by(before: StoredEvent, bet: StoredEvent, name: str) -> bytes:
    """The hash, had somebody of that name placed it."""
    body = bet.body.replace(b'"placed_by":"dealer"', b'"placed_by":"%s"' % name.encode())
    return link(before.hash, "t1", bet.number, body)


@in_loop
async def test_a_card_face_down_is_known_to_nobody_and_an_open_one_to_everyone(tmp_path: Path) -> None:
    async with watched(tmp_path, shoe="read", face_down=True) as watch:
        await watch.ask("mei", "place_bet", box=1, bet="banker", stake="100")
        await watch.ask("dealer", "close_bets")
        cards = {("player", 1): "9H", ("banker", 1): "7D", ("player", 2): "TC", ("banker", 2): "QS"}
        reader = await watch.house.key("t1", "shoe_reader")
        for number, card in enumerate(cards.values(), 1):
            told = await reader.http.post("/api/tables/t1/readings", json={"sequence": number, "card": card})
            assert told.status_code == 200
            assert told.json()["kind"] == "card"
            watch.told["dealer"].append(told.content)
        watch.told["dealer"].append(
            (await reader.http.post("/api/tables/t1/readings", json={"sequence": 9, "card": "5C"})).content
        )
        await watch.ask("table_game_shift_manager", "note_wrong_display", what="nothing")
        seen = await watch.seen()
        for card in (*cards.values(), "5C"):
            assert holders(seen, card) == set(), card
        ruling = {"reason": "the reader slipped", "effect": "continue_round"}
        waiting = (
            await watch.people["table_game_shift_manager"].ask("t1", "rule_on_matter", **ruling)
        ).json()
        second = await watch.house.another("second", "table_game_shift_manager")
        agreed = await second.post(f"/api/tables/t1/proposals/{waiting['waiting']}/agree")
        assert agreed.status_code == 200
        opened: set[str] = set()
        everyone = set(watch.people) - {"administrator"}
        for (hand, place), card in cards.items():
            await watch.ask("dealer", "open_card", hand=hand, place=place)
            opened.add(card)
            seen = await watch.seen()
            for other in cards.values():
                if other in opened:
                    assert everyone <= holders(seen, other), other
                else:
                    assert holders(seen, other) == set(), other
        await reader.http.aclose()


@in_loop
async def test_the_order_of_a_shoe_is_known_to_nobody_until_it_has_ended(tmp_path: Path) -> None:
    async with watched(tmp_path, shoe="virtual") as watch:
        shoe = watch.house.house.tables.view("t1").table.shoe
        assert shoe is not None
        await watch.ask("dealer", "close_bets")
        for _ in range(4):
            await watch.ask("dealer", "deal_card")
        order, salt = shoe.order, shoe.salt
        to_come = [f'"{first}","{second}"' for first, second in pairwise(order[8:])]
        seen = await watch.seen()
        assert holders(seen, salt) == set()
        for name, told in seen.items():
            known = sum(pair.encode() in told for pair in to_come[:40])
            assert known < 5, f"{name} knows what is to come"
        here = watch.house.house.tables.view("t1").table
        while here.next_hand() is not None:
            await watch.ask("dealer", "deal_card")
        await watch.ask("dealer", "settle")
        assert holders(await watch.seen(), salt) == set()
        await watch.ask("dealer", "end_shoe")
        seen = await watch.seen()
        assert holders(seen, salt) == set(watch.people), "then everyone can check it"
        whole = msgspec.json.encode(order).decode()
        assert holders(seen, whole) == set(watch.people)


@in_loop
async def test_a_player_sees_his_own_money_and_everyones_chips(tmp_path: Path) -> None:
    async with watched(tmp_path, shoe="read") as watch:
        await watch.ask("eve", "place_bet", box=2, bet="player", stake="123.45")
        await watch.ask("mei", "place_bet", box=1, bet="banker", stake="50")
        seen = await watch.seen()
        reads_all = {"dealer", "pit_supervisor", "pit_manager", "table_game_shift_manager", "auditor"}
        assert holders(seen, "12345") == set(watch.people) - {"administrator"} | {"administrator"}, (
            "on the felt"
        )
        assert holders(seen, "876.55") == {"eve"} | reads_all, "of the thousand that came from their purse"
        assert holders(seen, "9000.00") == {"eve", "mei"}, "each sees their own purse"
        assert holders(seen, "player:eve") == reads_all
        assert holders(seen, "purse:eve") == reads_all
        assert holders(seen, '"ChipsBrought"') == {"eve", "mei"} | reads_all
        assert holders(seen, '"ChipsBrought","player":"eve"') == {"eve"}
        await watch.ask("dealer", "close_bets")
        for card in ("KS", "2D", "9S", "3D"):
            await watch.ask("dealer", "deal_card", card=card)
        await watch.ask("dealer", "settle")
        seen = await watch.seen()
        # What eve won: 123.45 and the stake.
        assert holders(seen, "24690") == {"eve"} | reads_all
        assert holders(seen, "1123.45") == {"eve"} | reads_all
        assert holders(seen, "950.00") == {"mei"} | reads_all


@in_loop
async def test_a_hash_gives_no_face_down_card_away(tmp_path: Path) -> None:
    """Whoever knows an event but for one card could try all fifty-two: the hash waits for the shoe's end."""
    async with watched(tmp_path, shoe="read", face_down=True) as watch:
        await watch.ask("dealer", "close_bets")
        await watch.ask("dealer", "deal_card", card="9H")
        stored = watch.house.house.store.read("t1", 0, 1000)
        before, dealt = stored[-2:]
        guesses = [
            card
            for card in DECK
            if link(before.hash, "t1", dealt.number, dealt.body.replace(b"9H", card.encode())) == dealt.hash
        ]
        assert guesses == ["9H"], "that is how it would be done"
        assert decode(dealt.body).number == dealt.number
        auditor = watch.people["auditor"]
        events = (await auditor.get("/api/tables/t1/events")).json()["events"]
        assert [bool(event.get("hash")) for event in events] == [True, *[False] * (len(events) - 1)]
        assert holders(await watch.seen(), dealt.hash.hex()) == set()
        view = watch.house.house.tables.view("t1")
        assert hashes(view, [each.number for each in stored], READER) == {1: stored[0].hash.hex()}, (
            "on no page"
        )
        shown = ShownRecord(view.store, "t1", view.table, READER)
        assert [each.number for each in shown.read("t1") if each.hash] == [1], "nor in a download"


@in_loop
async def test_a_card_put_down_at_a_face_up_table_has_its_hash_untold_too(tmp_path: Path) -> None:
    async with watched(tmp_path, shoe="read") as watch:
        await watch.ask("dealer", "close_bets")
        await watch.ask("dealer", "deal_card", card="9H", face_up=False)
        dealt = watch.house.house.store.read("t1", 0, 1000)[-1]
        assert holders(await watch.seen(), dealt.hash.hex()) == set()
        await watch.ask("dealer", "open_card", hand="player", place=1)
        assert "auditor" in holders(await watch.seen(), dealt.hash.hex()), "and told once it is open"


@in_loop
async def test_every_denied_attempt_is_written_down_once(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.table("t1")
        player, stranger = await house.person("player"), house.stranger()
        await player.get("/api/tables/t1/ledger")
        await stranger.get("/api/tables/t1")
        await stranger.http.post("/api/tables/t1/readings", json={"sequence": 1, "card": "9H"})
        await stranger.post("/api/session/link", token="made up")
        await stranger.post("/api/session", name="player", password="made up")
        reader = await house.key("t1", "shoe_reader")
        await reader.get("/api/tables/t1/events")
        await player.post("/peers/ask")
        denials = house.made.context.authenticator.denials
        await asyncio.to_thread(denials.flush)
        lines = [(each.who, each.role, each.key, each.what, each.code, each.table) for each in denials.read()]
        assert sorted(lines) == sorted(
            [
                ("player", "player", "", "GET /api/tables/t1/ledger", "not_your_role", "t1"),
                ("", "", "", "GET /api/tables/t1", "not_signed_in", "t1"),
                ("", "", "", "POST /api/tables/t1/readings", "not_signed_in", "t1"),
                ("", "", "", "sign_in_by_link", "link_not_valid", ""),
                ("player", "player", "", "sign_in", "sign_in_failed", ""),
                ("", "", reader.name, "GET /api/tables/t1/events", "not_signed_in", "t1"),
                ("player", "player", "", "POST /peers/ask", "not_signed_in", ""),
            ]
        )
        await reader.http.aclose()
        await stranger.http.aclose()


@in_loop
async def test_an_event_looks_the_same_whenever_it_is_read(tmp_path: Path) -> None:
    """Also across the moment a card was opened, and long after the round."""
    async with watched(tmp_path, shoe="read", face_down=True) as watch:
        await watch.ask("dealer", "close_bets")
        house, mei = watch.house.house, watch.people["mei"]
        live = bytearray()
        stream = house.live.stream(
            house.tables.view("t1"), Viewer("mei", "player"), house.tables.at("t1").durable
        )

        async def listen() -> None:
            async for part in stream:
                live.extend(part)

        listening = asyncio.ensure_future(listen())
        await asyncio.sleep(0)
        start = house.tables.at("t1").durable
        for card in ("KS", "2D", "9S", "3D"):
            await watch.ask("dealer", "deal_card", card=card)
        for hand, place in (("player", 2), ("banker", 1), ("player", 1), ("banker", 2)):
            await watch.ask("dealer", "open_card", hand=hand, place=place)
        await watch.ask("dealer", "settle")
        await until_so(lambda: b"event: RoundSettled" in live)
        house.live.end(account="mei")
        await listening
        whole = bytes(live).partition(b"\n\n")[2]
        assert whole.count(b"event: CardOpened") == 4
        for card in ("KS", "2D", "9S", "3D"):
            assert whole.count(b'"card":"%s"' % card.encode()) == 1, (
                "named as it is opened, not as it is dealt"
            )
        await watch.ask("dealer", "open_bets")
        for after in range(start, house.tables.at("t1").durable - 1):
            again = await watch._streamed(mei) if after == 0 else await _from(watch, after)
            assert again.startswith(whole[whole.index(b"id: %d\n" % (after + 1)) :]), after


async def _from(watch: Watch, after: int) -> bytes:
    house = watch.house.house
    stream = house.live.stream(house.tables.view("t1"), Viewer("mei", "player"), after)
    parts = [part async for part in _two(stream)]
    return parts[1]


async def _two(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield await anext(stream)
    yield await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]
