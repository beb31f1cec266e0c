"""The lab as pages without a browser: figures taken away, charts over decks, runs that are kept."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer.floor.web.long_work import Work, WorkQueue
from lammer.floor.web.pages.lab import lab_work
from lammer.floor.web.pages.lab.lab_work import KEPT_RUNS
from lammer.floor.web.pages.site.site import LANGUAGE
from lammer.lab.exact.side_by_side import decks_of
from lammer.lab.output.sheet import Sheet
from lammer.rulebook.phrase import Phrase, Series
from support.awaited import until, until_so
from support.open_house import BOOK, in_loop, open_house


class Counted:
    """What a run came to, without dealing a million rounds."""

    def __init__(self, times: int) -> None:
        self.times = times

    def sheets(self) -> tuple[Sheet, ...]:
        return (Sheet("Bets", ("bet", "edge %"), (("tie", str(self.times)),)),)

    @property
    def description(self) -> Series:
        return Series([BOOK, Phrase("{rounds} rounds", rounds=f"{self.times:,}")], " · ")


@in_loop
async def test_edges_are_taken_away_as_a_sheet(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player = await house.person("player")
        answer = await player.get(f"/lab/edges.csv?book={BOOK}&decks=8&called=mine")
        assert answer.headers["content-type"].startswith("text/csv")
        assert answer.headers["content-disposition"] == f'attachment; filename="{BOOK}-edges.csv"'
        rows = {row["bet"]: row["edge %"] for row in csv.DictReader(io.StringIO(answer.text))}
        assert rows["banker"] == "1.4581"
        assert rows.keys() == lammer.rulebook(BOOK).bets.keys()
        decks = list(csv.reader(io.StringIO((await player.get(f"/lab/decks.csv?book={BOOK}")).text)))
        assert decks[0][1:] == [f"{number} decks" for number in decks_of(lammer.rulebook(BOOK))]


@in_loop
async def test_every_bet_has_its_line_over_decks(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player = await house.person("player")
        text = (await player.get(f"/lab/decks?book={BOOK}")).text
        book = lammer.rulebook(BOOK)
        assert text.count("<figure>") == len(book.bets)
        assert text.count("<circle") >= len(book.bets) * len(decks_of(book))
        assert "14.3596%" in text


@in_loop
async def test_a_what_if_has_a_name_in_its_address(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        player = await house.person("player")
        query = f"book={BOOK}&decks=6&called=Six+%3Cdecks%3E"
        text = (await player.get(f"/lab?{query}")).text
        assert "What if: Six &lt;decks&gt;" in text
        assert "<title>Six &lt;decks&gt; · Lab" in text
        assert f'href="/lab?{query.replace("&", "&amp;")}"' in text
        assert 'action="/lab#figures"' in text


@in_loop
async def test_runs_are_kept_and_shown_again(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_work, "do_work", lambda book, work: Counted(work.what["times"]))
        patch.setattr(lab_work, "must_be_installed", lambda: None)
        async with open_house(tmp_path, pages=True) as house:
            auditor, manager = await house.person("auditor"), await house.person("pit_manager")
            queue = house.made.context.long_work

            async def run(person: Any, times: int) -> None:
                form = {"csrf": person.http.headers["x-csrf-token"], "book": BOOK, "times": str(times)}
                begun = await person.http.post("/lab/work", data=form)
                assert (begun.status_code, begun.headers["location"]) == (303, "/lab/work#results")
                await until_so(lambda: not queue["lab"].busy)

            await run(manager, 777)
            assert "777 rounds" in (await auditor.get("/lab/work")).text, (
                "a colleague's, where there is no own"
            )
            for times in range(1001, 1001 + KEPT_RUNS + 2):
                await run(auditor, times)
            last = 1000 + KEPT_RUNS + 2
            text = (await auditor.get("/lab/work")).text
            assert f"{last:,} rounds" in text
            assert "777 rounds" in (await manager.get("/lab/work")).text, "each finds their own last run"
            runs = re.findall(r"/lab/work\?run=(\d+)#results", text)
            assert len(runs) == KEPT_RUNS + 1
            again = (await auditor.get(f"/lab/work?run={runs[1]}")).text
            assert f"{last - 1:,} rounds" in again
            assert f'data-live="/lab/work/now?run={runs[1]}"' in again
            sheet = await auditor.get(f"/lab/work/csv?run={runs[1]}")
            assert sheet.text == f"bet,edge %\ntie,{last - 1}\n"
            assert (await auditor.get("/lab/work/csv?run=0")).status_code == 404
            auditor.http.cookies.set(LANGUAGE, "zh")
            chinese = (await auditor.get("/lab/work")).text
            assert f"{last:,} 局" in chinese
            assert 'lang="en"' not in chinese


def test_a_queue_forgets_the_oldest_of_one_person_alone() -> None:
    queue = WorkQueue()
    for number, by in enumerate(("anna", "boris", "anna", "anna")):
        work = Work({}, 1, by, datetime.now(UTC), name=str(number))
        queue.begin(work, lambda _: None)
        until(lambda: not queue.busy)
    queue.keep_of("anna", 2)
    assert [work.name for work in queue.history()] == ["3", "2", "1"]
