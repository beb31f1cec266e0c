"""The workbench: what a stranger may try, what it may cost, and what a Pit Manager keeps of it."""

from __future__ import annotations

import asyncio
import html
import re
from pathlib import Path

import httpx
import pytest

import lammer
from lammer import Refused
from lammer.floor.web import workbench
from lammer.floor.web.pages.rules.workbench import BEGINNING, CHANGED
from lammer.floor.web.tried_rulebook import Asked, Fault, try_out
from lammer.floor.web.workbench import A_MINUTE, LARGEST_BYTES, Workbench
from support.open_house import BOOK, in_loop, open_house

NINE = CHANGED.format(base=BOOK) + '\n[[bet]]\nname = "tie"\npays = "9:1"\n'
ENDLESS = "x = [" + "{ y = " * 40 + "1" + " }" * 40 + "]"


def test_the_first_page_is_ez_baccarat_with_its_published_edges() -> None:
    """Wizard of Odds: Player 1.24 %, Banker 1.02 %, Dragon 7 7.61 %, Panda 8 10.19 %, of eight decks."""
    tried = try_out(Asked(BEGINNING, "en"))
    edges = {bet.name: bet.edge for bet in tried.bets}
    assert edges == {
        "player": "1.2351",
        "banker": "1.0183",
        "tie": "14.3596",
        "dragon_7": "7.6113",
        "panda_8": "10.1876",
    }
    assert not tried.doubts


def test_beside_the_one_it_came_from() -> None:
    tried = try_out(Asked(NINE, "en", bet="tie", line="9:1", edge="10"))
    tie = next(bet for bet in tried.bets if bet.name == "tie")
    assert (tried.against, tie.edge, tie.edge_was, tie.moved) == (BOOK, "4.8440", "14.3596", "▼ 9.5156")
    assert [change for change in tried.changes if change[0] == "Tie"] == [("Tie", "pays 8:1 -> 9:1")]
    assert tried.reached.startswith("Tie: about 8.4582:1 instead of 9:1 would leave 10.00%.")
    assert "8:1 → 14.3596%" in tried.reached


def test_odds_no_house_would_print_are_not_offered() -> None:
    """Player of 1:1 would have to pay 0.0036:1 for an edge of 45.5 %; one of 99 % is refused already."""
    told = try_out(Asked(NINE, "en", bet="player", line="1:1", edge="45.5")).reached
    assert told == "Player: no sensible odds instead of 1:1 would leave 45.50%."


def test_changes_say_what_came_and_went_and_no_bare_codes() -> None:
    tried = try_out(Asked(BEGINNING, "en", against=BOOK))
    changes = dict(tried.changes)
    assert changes["Dragon 7" if "Dragon 7" in changes else "Dragon_7"] == "added"
    assert changes["Tiger"] == "removed"
    pair = lammer.rulebook(BOOK).readings["pair"]
    assert changes[pair.question].startswith("removed: ")
    assert not [subject for subject in changes if "_" in subject]


def test_the_first_page_is_the_rulebook_of_the_guide() -> None:
    """So that the hash on the page is the hash of the file somebody wrote by the guide."""
    guide = Path(lammer.__file__).parents[2] / "docs/guides/write-your-own-rulebook.md"
    assert guide.read_text("utf-8").partition("```toml\n")[2].partition("```")[0] == BEGINNING


@in_loop
async def test_another_language_keeps_the_text_that_was_typed(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as opened:
        stranger = opened.stranger().http
        page = (await stranger.get("/workbench")).text
        assert re.search(
            r'<button form="bench" formaction="/workbench/language" name="language" value="zh"', page
        )
        typed = BEGINNING.replace("40:1", "41:1")
        chinese = await stranger.post("/workbench/language", data={"text": typed, "language": "zh"})
        assert '<html lang="zh' in chinese.text
        assert "41:1&#34;" in chinese.text
        assert "data-sent" in chinese.text
        # It stays chosen.
        assert '<html lang="zh' in (await stranger.get("/workbench")).text
        unknown = await stranger.post("/workbench/language", data={"text": typed, "language": "xx"})
        assert '<html lang="en' in unknown.text


@in_loop
async def test_the_summary_stands_under_the_text(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as opened:
        stranger = opened.stranger().http
        for text, summary in ((NINE, "is whole."), (NINE.replace('"9:1"', '"9"'), "1 problem")):
            page = (await stranger.post("/workbench", data={"text": text})).text
            assert summary in page.partition("</textarea>")[2].partition("Work it out")[0]


@pytest.mark.parametrize(
    ("change", "line", "where"),
    [
        (('"9:1"', '"9"'), 12, "bet[1].pays[1].odds"),
        (('"my-game"', '"My Game"'), 2, "rulebook.game"),
        ((BOOK, "snap@1"), 1, "rulebook.based_on"),
        (('"9:1"', '"9:1'), 12, "file"),
        (('pays = "9:1"', 'wins = { hand = "player", total = 3, cards = 2 }'), 12, "bet[1].wins"),
    ],
)
def test_problems_stand_beside_their_lines(change: tuple[str, str], line: int, where: str) -> None:
    tried = try_out(Asked(NINE.replace(*change), "zh"))
    assert [(fault.line, fault.where) for fault in tried.faults] == [(line, where)]
    assert not tried.bets


def test_problems_and_doubts_are_said_in_the_readers_language() -> None:
    hole = NINE + '\n[[bet]]\nname = "player"\npays = [{ total = [1, 2], odds = "1:1" }]\n'
    (told,) = try_out(Asked(hole, "zh")).faults
    assert told.sentence == (
        "应为 赔率表中恰有一行适用于：以 3 点胜，6 张牌中占 3 张，实为 没有适用的规则；另有 16 种结局同样如此"
    )
    (doubt,) = try_out(Asked(NINE.replace("9:1", "10:1"), "zh")).doubts
    assert doubt.startswith("和：")


@pytest.mark.parametrize(
    ("pays", "doubt"),
    [
        ('[[bet]]\nname = "tie"\npays = "10:1"', "Tie: the player has the edge, 4.6716%."),
        (
            '[[bet]]\nname = "tie"\npays = "3:1"',
            "Tie: the House keeps more than half of the stake, 61.9",
        ),
        ('[[bet]]\nname = "banker"\ntie_returns = false', "Banker: a tie loses it"),
    ],
)
def test_what_cannot_be_meant_is_asked_about(pays: str, doubt: str) -> None:
    text = CHANGED.format(base="tiger-buffalo-noncommission@4") + pays
    tried = try_out(Asked(text, "en"))
    assert [doubted for doubted in tried.doubts if doubted.startswith(doubt)], (tried.doubts, tried.faults)


@in_loop
async def test_one_text_after_the_other_in_a_process_that_is_ended() -> None:
    """One that takes too long is ended, and the next is answered by another process."""
    bench = Workbench(lambda: 0.0)
    try:
        first, second = await asyncio.gather(*(bench.try_out(Asked(NINE, "en"), "192.0.2.7") for _ in "ab"))
        assert first == second == try_out(Asked(NINE, "en"))
        process = bench._process
        bench._seconds = 0.0
        with pytest.raises(Refused, match="too_much_to_try"):
            await bench.try_out(Asked(NINE + "\n# again", "en"), "192.0.2.7")
        assert process is not None
        assert not process.is_alive()
        with pytest.raises(Refused, match="too_much_asked"):
            await bench.try_out(Asked(NINE, "en"), "192.0.2.7")
        bench._seconds = workbench.SECONDS
        assert (await bench.try_out(Asked(NINE, "en"), "192.0.2.8")).id == "my-game@1"
    finally:
        await asyncio.to_thread(bench.close)


@in_loop
async def test_an_address_asks_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    bench = Workbench(lambda: now)
    monkeypatch.setattr(bench, "_ask", lambda asked: asked)
    for _ in range(A_MINUTE):
        await bench.try_out(Asked("", "en"), "192.0.2.7")
    with pytest.raises(Refused, match="too_much_asked"):
        await bench.try_out(Asked("", "en"), "192.0.2.7")
    await bench.try_out(Asked("", "en"), "192.0.2.8")
    now = 2 * 60 / A_MINUTE
    await bench.try_out(Asked("", "en"), "192.0.2.7")
    with pytest.raises(Refused, match="too_much_to_try"):
        await bench.try_out(Asked("x" * (LARGEST_BYTES + 1), "en"), "192.0.2.8")


@pytest.mark.parametrize("text", [ENDLESS, "a." * 5_000 + "b = 1", "=" * 100_000, '"' * 99_999, ""])
def test_what_nests_or_is_no_rulebook_is_answered_like_anything_else(text: str) -> None:
    assert isinstance(try_out(Asked(text, "en")).faults[0], Fault)


@in_loop
async def test_a_stranger_tries_and_keeps_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as opened:
        stranger = opened.stranger().http
        begun = await stranger.get("/workbench", params={"from": BOOK})
        assert begun.status_code == 200
        assert f"based_on = &#34;{BOOK}&#34;" in begun.text
        tried = await stranger.post("/workbench", data={"text": NINE})
        assert ("4.8440" in tried.text, tried.status_code) == (True, 200)
        taken = await stranger.post("/workbench/file", data={"text": NINE})
        assert (taken.text, taken.headers["Content-Disposition"]) == (
            NINE,
            'attachment; filename="my-game@1.toml"',
        )
        assert (await stranger.post("/workbench/keep", data={"text": NINE})).status_code in (303, 401)
        assert not (tmp_path / "rulebooks").exists()


@in_loop
async def test_a_kept_rulebook_is_played_and_replayed_from_the_record(tmp_path: Path) -> None:
    """Whatever becomes of its base: what is kept stands on its own and has the hash the record names."""
    async with open_house(tmp_path, pages=True) as opened:
        manager = await opened.person("pit_manager")
        csrf = await token_of(manager.http)
        kept = await manager.http.post("/workbench/keep", data={"text": NINE, "csrf": csrf})
        assert "my-game@1 is kept in this house." in kept.text
        again = await manager.http.post(
            "/workbench/keep", data={"text": NINE.replace("9:1", "7:1"), "csrf": csrf}
        )
        assert again.status_code == 409
        await opened.table("t1", rulebook="my-game@1")
        sha256 = opened.house.books["my-game@1"].sha256
    assert "based_on" not in (tmp_path / "rulebooks/my-game@1.toml").read_text()
    async with open_house(tmp_path, pages=True) as opened:
        view = await opened.house.tables.seen("t1")
        assert (view.table.book.id, view.table.book.sha256) == ("my-game@1", sha256)


async def token_of(http: httpx.AsyncClient) -> str:
    text = (await http.get("/workbench")).text
    return html.unescape(text.partition('name="csrf" value="')[2].partition('"')[0])
