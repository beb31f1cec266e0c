"""Many accounts at once: every problem beside its line, all of a list or none of it, links shown once."""

from __future__ import annotations

import re
from pathlib import Path

from support.open_house import OpenHouse, Person, in_loop, open_house
from support.working_pages import text

LIST = """Name, Role, Called
mei.c, dealer, Mei Chen
li.w; Pit Manager; "Li; the second"
bo\tplayer
"""


async def sent(person: Person, written: str, do: str = "look") -> str:
    form = {"csrf": person.http.headers["x-csrf-token"], "list": written, "do": do}
    answer = await person.http.post("/accounts/many", data=form)
    assert answer.status_code == 200, answer.text
    return answer.text


async def names(house: OpenHouse) -> set[str]:
    told = (await (await house.person("administrator")).get("/api/accounts")).json()
    return {account["name"] for account in told}


@in_loop
async def test_a_list_is_looked_over_and_made(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        administrator = await house.person("administrator")
        before = await names(house)
        looked_over = text(await sent(administrator, LIST))
        assert "2 mei.c Mei Chen dealer a link, shown once" in looked_over
        assert "3 li.w Li; the second pit manager waits for a second person" in looked_over
        assert "4 bo bo player a link, shown once" in looked_over
        assert "Make all 3 accounts" in looked_over
        assert await names(house) == before, "nothing is made before it is asked for"
        made = await sent(administrator, LIST, "make")
        assert await names(house) == before | {"mei.c", "bo"}
        links = re.findall(r"/link\?token=([\w-]+)", made)
        assert len(links) == 2
        assert "li.w, pit manager" in text(made)
        mei = await house.signed_in(links[0])
        assert (mei.name, mei.role) == ("mei.c", "dealer")
        # Sent once more, every line says that somebody has the name; nothing is made twice.
        again = text(await sent(administrator, LIST, "make"))
        assert "2 lines have a problem" in again
        await mei.http.aclose()


@in_loop
async def test_one_problem_keeps_a_whole_list_from_being_made(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        administrator = await house.person("administrator")
        before = await names(house)
        wrong = "ann, dealer\nann, player\nanna bell, dealer\nbo, boss\ndealer, dealer\ncy"
        for do in ("look", "make"):
            page = text(await sent(administrator, wrong, do))
            assert "2 ann ann player ! ann is on line 1 already." in page
            assert "! An account's name is up to 40 letters" in page
            assert "! 'boss' is no role of this house." in page
            assert "5 dealer dealer dealer !" in page
            assert "5 lines have a problem" in page
            assert "Make " not in page
        too_many = "\n".join(f"p{number}, player" for number in range(201))
        assert "A list has at most 200 people." in text(await sent(administrator, too_many, "make"))
        assert await names(house) == before
        for role in ("pit_manager", "auditor"):
            assert (await (await house.person(role)).get("/accounts/many")).status_code == 403


@in_loop
async def test_an_administrator_closes_a_table_and_opens_it_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        live_table = await house.table("t1")
        administrator, auditor = await house.person("administrator"), await house.person("auditor")
        for do, label, closed in (("close_table", "closed", True), ("open_table", "set up", False)):
            form = {"csrf": administrator.http.headers["x-csrf-token"], "do": do}
            answer = await administrator.http.post("/accounts/tables/t1", data=form)
            assert answer.status_code == 303, text(answer.text)
            assert live_table.view.table.closed is closed
            assert f"T1 people {label}" in text((await administrator.get("/accounts")).text)
        form = {"csrf": auditor.http.headers["x-csrf-token"], "do": "close_table"}
        assert (await auditor.http.post("/accounts/tables/t1", data=form)).status_code == 403


@in_loop
async def test_an_administrator_closes_a_table_after_its_round_or_leaves_it_open(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        live_table = await house.table("t1", shoe="read")
        administrator, dealer = await house.person("administrator"), await house.person("dealer")
        for do in ("prepare_shoe", "open_bets"):
            assert (await dealer.ask("t1", do)).is_success
        now = await administrator.ask("t1", "close_table")
        assert (now.status_code, now.json()["code"]) == (422, "round_under_way"), (
            "why not, and not whose it is"
        )

        async def press(do: str) -> str:
            form = {"csrf": administrator.http.headers["x-csrf-token"], "do": do}
            answer = await administrator.http.post("/accounts/tables/t1", data=form)
            assert answer.status_code == 303, text(answer.text)
            return text((await administrator.get("/accounts")).text)

        assert "T1 people closes after this round Board of T1 Leave it open" in await press("close_table")
        assert "T1 people set up Board of T1 Close" in await press("keep_table_open")
        await press("close_table")
        await dealer.ask("t1", "close_bets")
        for card in ("8S", "KD", "KH", "QC"):
            await dealer.ask("t1", "deal_card", card=card)
        await dealer.ask("t1", "settle")
        assert live_table.view.table.closed
        form = {"csrf": administrator.http.headers["x-csrf-token"], "do": "settle"}
        assert (await administrator.http.post("/accounts/tables/t1", data=form)).status_code == 400
