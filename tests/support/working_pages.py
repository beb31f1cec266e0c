"""A table with two players and the pages of those who work at it: read as text, forms sent as they stand."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any, Final

from lammer.table.state import Round, Table
from support.open_house import OpenHouse, open_house

TABLE: Final = "t1"


class Desk:
    """A table with two players, and the pages of those who work at it."""

    def __init__(self, house: OpenHouse) -> None:
        self.house = house

    @property
    def table(self) -> Table:
        return self.house.house.tables.view(TABLE).table

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    async def play(self, *steps: str) -> None:
        """Steps by name; a word that is none is a card."""
        dealer = await self.house.person("dealer")
        for step in steps:
            if step == "bet":
                for number, (bet, stake) in enumerate((("player", "100"), ("banker", "200")), 1):
                    given: dict[str, Any] = {
                        "player": f"p{number}",
                        "box": number,
                        "bet": bet,
                        "stake": stake,
                    }
                    assert (await dealer.ask(TABLE, "place_bet", **given)).is_success
            elif step in ("open_bets", "close_bets", "settle", "show_cut_card"):
                answer = await dealer.ask(TABLE, step)
                assert answer.is_success, answer.text
            else:
                answer = await dealer.ask(TABLE, "deal_card", card=step)
                assert answer.is_success, answer.text

    async def page(self, role: str, name: str) -> str:
        answer = await (await self.house.person(role)).get(f"/tables/{TABLE}/deal/wrong/{name}")
        assert answer.status_code == 200, answer.text
        return answer.text

    async def send(self, role: str, name: str, do: str, **typed: Any) -> str:
        """Fill in the form for that command on the page of what happened, and send it; what comes back."""
        fixed = {key[1:]: value for key, value in typed.items() if key.startswith("_")}
        said = {key: value for key, value in typed.items() if not key.startswith("_")}
        form = form_for(await self.page(role, name), do, fixed)
        unknown = said.keys() - form.keys() - {"players"}
        assert not unknown, f"the form for {do} does not ask for {unknown}"
        person = await self.house.person(role)
        person.http.headers["accept"] = "text/html"
        path = f"/tables/{TABLE}/deal/wrong/{name}"
        answer = await person.http.post(path, data={**form, **said}, follow_redirects=True)
        del person.http.headers["accept"]
        return answer.text


def form_for(page: str, do: str, fixed: Mapping[str, str]) -> dict[str, str]:
    """The fields of the form that sends this command with these values fixed, as they stand on the page."""
    for form in re.findall(r"<form[^>]*>(.*?)</form>", page, re.DOTALL):
        fields = {}
        for tag in re.findall(r"<(?:input|textarea)[^>]*>", form):
            of = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if of.get("type") != "checkbox" and "name" in of:
                fields[of["name"]] = unescape(of.get("value", ""))
            elif "name" in of:
                fields.setdefault(of["name"], "")
        for chosen, inside in re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.DOTALL):
            fields[chosen] = re.findall(r'<option(?: value="([^"]*)")?', inside)[0]
        if fields.get("do") == do and fixed.items() <= fields.items():
            return fields
    raise AssertionError(f"the page has no form for {do} {fixed}")


@asynccontextmanager
async def desk(folder: Path, **setup: Any) -> AsyncIterator[Desk]:
    async with open_house(folder, pages=True) as house:
        await house.table(TABLE, **setup)
        dealer = await house.person("dealer")
        assert (await dealer.ask(TABLE, "prepare_shoe")).is_success
        for number in (1, 2):
            assert (await dealer.ask(TABLE, "take_seat", player=f"p{number}", box=number)).is_success
        yield Desk(house)


def text(page: str) -> str:
    """What a page says, without its marks."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))
