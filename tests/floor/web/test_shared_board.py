"""What hangs over a table is drawn once for all who see the same, and anew with the next event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lammer.floor.web.pages.lobby import board as board_page
from support.open_house import in_loop
from support.working_pages import TABLE, desk


@in_loop
async def test_every_board_of_a_table_gets_what_was_drawn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    draw = board_page.board_of

    def counted(view: Any, *given: Any) -> dict[str, Any]:
        drawn.append(view.number)
        return draw(view, *given)

    monkeypatch.setattr(board_page, "board_of", counted)
    async with desk(tmp_path) as at:
        boards = [await at.house.key(TABLE, "display_board") for _ in range(3)]
        now = f"/board/{TABLE}/now"
        first = [await each.get(now) for each in boards]
        assert {answer.status_code for answer in first} == {200}
        assert len({answer.content for answer in first}) == 1
        assert len(drawn) == 1
        assert all(answer.headers["cache-control"] == "no-store" for answer in first)
        # Whoever is signed in may see more than hangs there, and is drawn their own.
        dealer = await at.house.person("dealer")
        assert (await dealer.get(now)).content == first[0].content
        assert len(drawn) == 2
        await at.play("open_bets")
        later = [await each.get(now) for each in boards]
        assert len({answer.content for answer in later}) == 1
        assert later[0].content != first[0].content
        assert len(drawn) == 3
        chinese = await boards[0].http.get(f"{now}", headers={"accept-language": "zh"})
        assert chinese.content != later[0].content
        assert len(drawn) == 4
        for each in boards:
            await each.http.aclose()
