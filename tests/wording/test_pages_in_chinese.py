"""No English is left on a Chinese page, save names, ids, codes and what stands in the record."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from lammer.floor.web.pages.site.site import LANGUAGE
from support.open_house import in_loop, open_house
from wording.test_catalogues import EVERYBODY, _play_a_round

SPOKEN = ("title", "aria-label", "placeholder", "alt")
"""Attributes that are read to somebody."""
AS_WRITTEN = {"code", "pre", "script", "style", "textarea", "kbd"}
"""Elements whose text is for machines, or was written by somebody."""
ALONE = {"input", "img", "link", "meta", "br", "hr", "path", "use", "circle", "rect", "line"}
NAMES = re.compile(
    r"\S*[@/_]\S*|[\w-]+-[\w-]*noncommission[\w-]*|\b[0-9a-f]{12,64}\b|verify_round\.py"
    r"|\b(UTC|CSV|JSON|TOML|HTTPS|SHA|English|Lammer|lammer verify|Enter|Esc|Space|Delete|GET|POST)\b"
    r"|\b(Player|Dealer|Pit Manager|Pit Supervisor|Table Game Shift Manager|Auditor|Administrator)\b"
    r"|\b(player|dealer|auditor|administrator|first start|Day|Swing|Night|Mei|Chen|mei)\b"
)
"""What is no English sentence: ids, addresses, hashes, keys of a keyboard, and the people of this house."""


class Spoken(HTMLParser):
    """Whatever a page says: its texts, and what its elements are called."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in SPOKEN and value]
        if tag not in ALONE:
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            while self._within.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not AS_WRITTEN.intersection(self._within):
            self.texts.append(data.strip())


@in_loop
async def test_every_page_speaks_chinese(tmp_path: Path) -> None:
    english: dict[str, str] = {}
    async with open_house(tmp_path / "house", pages=True) as house:
        await house.table("t1")
        await _play_a_round(house)
        for role, paths in EVERYBODY.items():
            person = await house.person(role)
            person.http.cookies.set(LANGUAGE, "zh")
            for path in paths.split():
                answer = await person.get(path)
                assert answer.status_code == 200, path
                page = Spoken()
                page.feed(answer.text)
                assert any(re.search("[\u4e00-\u9fff]", text) for text in page.texts), path
                for text in page.texts:
                    if re.search("[A-Za-z]{3,}", NAMES.sub("", text)):
                        english.setdefault(text, path)
    assert english == {}
