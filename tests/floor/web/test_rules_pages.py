"""The rules as pages without a browser: a paragraph in place, a player's view, search without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lammer
from lammer.floor.web.pages.site.site import LANGUAGE
from support.open_house import BOOK, in_loop, open_house

QUOTED = BOOK.replace("@", "%40")
IN_PLACE = {"X-Lammer": "now"}


@in_loop
async def test_a_paragraph_is_told_in_place(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        stranger, book = house.stranger(), lammer.rulebook(BOOK)
        for number in ("3.16", "4.1.2", next(iter(book.paragraphs))):
            found = await stranger.get(f"/rules/{BOOK}/paragraphs/{number}", headers=IN_PLACE)
            assert found.status_code == 200
            assert found.headers["content-type"].startswith("text/html")
            assert found.text.lstrip().startswith(
                f'<article class="one-paragraph" data-paragraph="{number}">'
            )
            assert book.paragraphs[number].gist in found.text
            plain = await stranger.get(f"/rules/{BOOK}/paragraphs/{number}")
            assert (plain.status_code, plain.headers["location"]) == (303, f"/rules/{QUOTED}#p-{number}")
        reading = next(iter(book.readings.values()))
        read = await stranger.get(f"/rules/{BOOK}/paragraphs/{reading.cites[0].paragraph}", headers=IN_PLACE)
        assert reading.question in read.text.replace("&#39;", "'")
        assert (await stranger.get(f"/rules/{BOOK}/paragraphs/99.9", headers=IN_PLACE)).status_code == 404
        assert (await stranger.get("/rules/nothing@1/paragraphs/1.1", headers=IN_PLACE)).status_code != 200
        await stranger.http.aclose()


@in_loop
async def test_every_paragraph_is_told_in_chinese(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        stranger = house.stranger()
        stranger.http.cookies.set(LANGUAGE, "zh")
        for number in lammer.rulebook(BOOK).paragraphs:
            found = await stranger.get(f"/rules/{BOOK}/paragraphs/{number}", headers=IN_PLACE)
            assert re.search("[\u4e00-\u9fff]", found.text), number
        await stranger.http.aclose()


CODE_NAMES = ("SHA-256", BOOK + "<", "<code>", "proofs:", 'class="covered')


@in_loop
async def test_players_read_the_rules_without_code_names(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        for role, query, full in (
            ("player", "", False),
            ("player", "?view=full", False),
            ("", "", False),
            ("auditor", "", True),
            ("dealer", "", True),
            ("auditor", "?view=player", False),
            ("auditor", "?view=full", True),
        ):
            reader = await house.person(role) if role else house.stranger()
            text = (await reader.get(f"/rules/{BOOK}{query}")).text
            assert [name for name in CODE_NAMES if name in text] == (list(CODE_NAMES) if full else []), role
            assert "_" not in re.sub(r"<[^>]*>", "", text) or full
            named = "settlement.settle" in text
            assert named == (full and (role, query) != ("auditor", "")), (role, query)
            assert ("?view=" in text) == (role in ("auditor", "dealer"))
            assert len(re.findall(r'<div id="p-', text)) == len(lammer.rulebook(BOOK).paragraphs)
            if not role:
                await reader.http.aclose()


@in_loop
async def test_words_are_found_without_scripts(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player = await house.person("player")
        text = (await player.get(f"/rules/{BOOK}?find=higher+total")).text
        assert re.findall(r'<div id="p-([^"]+)"', text) == ["3.16"]
        assert "Paragraphs with “higher total”: 1" in text
        by_number = (await player.get(f"/rules/{BOOK}?find=3.1")).text
        numbers = re.findall(r'<div id="p-([^"]+)"', by_number)
        assert numbers
        assert any(number.startswith("3.1") for number in numbers)
        hostile = (await player.get(f"/rules/{BOOK}", params={"find": "<script>"})).text
        assert "<script>" not in hostile.replace("<script type", "")


@pytest.mark.parametrize("book", [each.id for each in lammer.shelf()])
def test_no_english_is_marked_on_a_page_of_rules_or_lab(book: str, tmp_path: Path) -> None:
    @in_loop
    async def look() -> None:
        async with open_house(tmp_path, pages=True) as house:
            auditor = await house.person("auditor")
            auditor.http.cookies.set(LANGUAGE, "zh")
            letter = next(iter(lammer.rulebook(book).layouts))
            for path in (f"/rules/{book}", f"/rules/{book}/layouts/{letter}", f"/rules/compare?a={book}"):
                text = (await auditor.get(path)).text
                assert 'lang="en"' not in text, path
                plain = re.sub(r"<(script|style|code|title).*?</\1>|<[^>]*>", "", text, flags=re.S)
                assert re.findall(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}", plain) == [], path

    look()
