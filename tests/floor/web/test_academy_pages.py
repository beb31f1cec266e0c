"""The academy's pages, by their forms as they stand: train, be tested, be certified; a trainer looks on."""

from __future__ import annotations

import asyncio
import re
import threading
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from lammer.academy.asking import ITEMS_VERSION, make_item
from lammer.academy.exams import Composition, items_of_test
from lammer.academy.items import Item
from lammer.cli import app
from lammer.floor.record.certificates import read_certificate
from lammer.floor.record.training import Training
from lammer.floor.web.pages.academy.table_tests import mark_of_answer
from lammer.rulebook.model import Rulebook
from lammer.wording.training import item_words
from support.open_house import BOOK, OpenHouse, Person, books, in_loop, open_house

HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')


def form_of(page: str) -> dict[str, str]:
    """The hidden fields of the form a page is about; the ones around it are not."""
    body = page[page.index("<main") :]
    return {name: unescape(value) for name, value in HIDDEN.findall(body)}


async def drill(person: Person, answer: str | None = None, **query: str) -> tuple[httpx.Response, str]:
    """Ask for an item and answer it, rightly where nothing is given; what is sent back, and the paragraph."""
    asked = await person.get("/academy/drill", params={"book": BOOK, **query})
    assert asked.status_code == 200, asked.text
    form = form_of(asked.text)
    item = make_item(books()[BOOK], form["kind"], int(form["seed"]))
    sent = await person.http.post("/academy/drill", data={**form, "answer": answer or item.answer})
    return sent, item.paragraph


@in_loop
async def test_a_dealer_trains_and_wrong_answers_show_their_paragraph(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer = await house.person("dealer")
        home = await dealer.get("/academy")
        assert 'name="kind_insurance"' in home.text
        assert "Nothing was answered" in home.text
        sent, paragraph = await drill(dealer, kind_totals="on")
        assert sent.status_code == 303
        right = await dealer.get(sent.headers["location"])
        assert "Right:" in right.text
        form = form_of((await dealer.get("/academy/drill", params={"book": BOOK, "kind_totals": "on"})).text)
        item = make_item(books()[BOOK], form["kind"], int(form["seed"]))
        names = [choice.name for choice in item.choices]
        # One of the other choices, or another digit.
        other = next(name for name in names or "01" if name != item.answer)
        sent = await dealer.http.post("/academy/drill", data={**form, "answer": other})
        wrong = await dealer.get(sent.headers["location"])
        assert "Wrong. The answer:" in wrong.text
        assert f"/rules/{BOOK.replace('@', '%40')}#p-{item.paragraph}" in wrong.text
        home = await dealer.get("/academy", params={"book": BOOK})
        assert f"#p-{paragraph}" in home.text
        known = Training(house.house.store).memories(dealer.name, BOOK)
        assert sum(memory.right for memory in known.values()) == 1
        assert sum(memory.wrong for memory in known.values()) == 1


@in_loop
async def test_what_is_no_answer_is_asked_again_and_not_counted(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer = await house.person("dealer")
        asked = await dealer.get("/academy/drill", params={"book": BOOK, "kind_drawing": "on"})
        form = form_of(asked.text)
        sent = await dealer.http.post("/academy/drill", data={**form, "answer": "perhaps"})
        assert sent.status_code == 422
        assert "is not an answer to this question" in sent.text
        assert form_of(sent.text)["seed"] == form["seed"]
        assert Training(house.house.store).memories(dealer.name, BOOK) == {}


@in_loop
async def test_an_answer_after_the_time_is_right_but_too_late(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer = await house.person("dealer")
        query = {"book": BOOK, "kind_totals": "on", "seconds": "10"}
        form = form_of((await dealer.get("/academy/drill", params=query)).text)
        item = make_item(books()[BOOK], form["kind"], int(form["seed"]))
        long_ago = str(int(form["asked_at"]) - 11_000_000)
        answer = {"asked_at": long_ago, "answer": item.answer}
        sent = await dealer.http.post("/academy/drill", data=form | answer)
        assert "too late" in (await dealer.get(sent.headers["location"])).text
        (memory,) = Training(house.house.store).memories(dealer.name, BOOK).values()
        assert (memory.right, memory.wrong) == (0, 1)


@in_loop
async def test_every_kind_is_shown_in_both_languages(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer = await house.person("dealer")
        for kind in ("totals", "drawing", "payouts", "chips", "insurance", "differential", "cases"):
            for language, word in (("en", "Academy"), ("zh", "学院")):
                dealer.http.cookies.set("lammer_language", language)
                page = await dealer.get("/academy/drill", params={"book": BOOK, f"kind_{kind}": "on"})
                assert page.status_code == 200
                assert word in page.text
                assert "style=" not in page.text[page.text.index("<main") :]


@in_loop
async def test_players_auditors_and_strangers_have_no_academy(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        for role in ("player", "auditor", "administrator"):
            person = await house.person(role)
            assert (await person.get("/academy")).status_code == 403
            assert '"/academy"' not in (await person.get("/rules")).text
        assert (await house.stranger().get("/academy")).status_code == 303
        dealer = await house.person("dealer")
        assert '"/academy"' in (await dealer.get("/rules")).text
        assert (await dealer.get("/academy/trainer")).status_code == 403


async def set_test(house: OpenHouse, **fields: Any) -> str:
    """A test for the dealer, set by the pit supervisor by the form of the page."""
    trainer, dealer = await house.person("pit_supervisor"), await house.person("dealer")
    page = await trainer.get("/academy/trainer", params={"book": BOOK})
    form = {**form_of(page.text), "person": dealer.name, "minutes": "10", "pass_mark": "100", **fields}
    sent = await trainer.http.post("/academy/trainer", data=form)
    assert sent.status_code == 303, sent.text
    (test,) = Training(house.house.store).tests(dealer.name)
    return test.id


async def take_test(house: OpenHouse, test_id: str, *, wrong: bool = False) -> str:
    """Begin it, answer every item, and look at the result."""
    dealer, training = await house.person("dealer"), Training(house.house.store)
    page = await dealer.get(f"/academy/tests/{test_id}")
    csrf = form_of(page.text)["csrf"]
    await dealer.http.post(f"/academy/tests/{test_id}", data={"csrf": csrf, "begin": "yes"})
    test = training.test(test_id)
    for item in items_of_test(books()[BOOK], test.composition, test.seed):
        page = await dealer.get(f"/academy/tests/{test_id}")
        answer = "9999999" if wrong and item.form == "money" else item.answer
        sent = await dealer.http.post(
            f"/academy/tests/{test_id}", data={**form_of(page.text), "answer": answer}
        )
        assert sent.status_code == 303
    return (await dealer.get(f"/academy/tests/{test_id}")).text


@in_loop
async def test_a_test_is_set_taken_passed_and_certified(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        counts = {"items_totals": "1", "items_chips": "1", "items_cases": "2"}
        test_id = await set_test(house, **counts)
        dealer = await house.person("dealer")
        assert f"/academy/tests/{test_id}" in (await dealer.get("/academy")).text
        result = await take_test(house, test_id)
        assert "Passed" in result
        assert "4 of 4 right." in result
        certificate = await dealer.get(f"/academy/tests/{test_id}/certificate.json")
        file = tmp_path / "certificate.json"
        file.write_bytes(certificate.content)
        trainer = await house.person("pit_supervisor")
        looked_on = (await trainer.get("/academy/trainer", params={"book": BOOK})).text
        assert "4/4" in looked_on
        assert "1/1" in looked_on
        assert f">{BOOK}<" not in looked_on, "rulebooks go by their titles"
        other = await house.another("zoe", "dealer")
        assert (await other.get(f"/academy/tests/{test_id}")).status_code == 403
        assert (await other.get(f"/academy/tests/{test_id}/certificate.json")).status_code == 403
    ran = CliRunner().invoke(app, ["verify", "--data", str(tmp_path), "--certificate", str(file)])
    assert ran.exit_code == 0, ran.output
    assert "4 of 4 right; it holds" in ran.stdout
    forged = tmp_path / "forged.json"
    forged.write_bytes(file.read_bytes().replace(f'"{dealer.name}"'.encode(), b'"somebody"', 1))
    ran = CliRunner().invoke(app, ["verify", "--data", str(tmp_path), "--certificate", str(forged)])
    assert ran.exit_code == 1
    assert "signature" in ran.output
    whole = CliRunner().invoke(app, ["verify", "--data", str(tmp_path)])
    assert whole.exit_code == 0, whole.output


@in_loop
async def test_a_test_that_is_not_passed_has_no_certificate(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        test_id = await set_test(house, items_differential="2")
        result = await take_test(house, test_id, wrong=True)
        assert "Not passed" in result
        assert "0 of 2 right." in result
        assert "#p-5.1" in result
        shown = Training(house.house.store).test(test_id)
        for item in items_of_test(books()[BOOK], shown.composition, shown.seed):
            words = item_words("en", books()[BOOK], item)
            assert words.question in unescape(result)
            assert f"<td>{words.answer}</td>" in result
        assert result.count("9,999,999.00") == 2
        dealer = await house.person("dealer")
        assert (await dealer.get(f"/academy/tests/{test_id}/certificate.json")).status_code == 404
        again = await take_again(house, test_id)
        assert "0 of 2 right." in again


async def take_again(house: OpenHouse, test_id: str) -> str:
    """Send an answer to a test that is over: nothing changes."""
    dealer = await house.person("dealer")
    form = form_of((await dealer.get("/academy")).text)
    csrf = dealer.http.headers["x-csrf-token"]
    sent = await dealer.http.post(
        f"/academy/tests/{test_id}", data={**form, "csrf": csrf, "number": "1", "answer": "1"}
    )
    assert sent.status_code == 303
    return (await dealer.get(f"/academy/tests/{test_id}")).text


@in_loop
async def test_an_answer_after_the_time_ends_the_test(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        test_id = await set_test(house, items_totals="3", minutes="1")
        dealer, training = await house.person("dealer"), Training(house.house.store)
        csrf = dealer.http.headers["x-csrf-token"]
        await asyncio.to_thread(training.start, test_id, 1_000_000)  # half a century ago
        sent = await dealer.http.post(
            f"/academy/tests/{test_id}", data={"csrf": csrf, "number": "1", "answer": "1"}
        )
        assert sent.status_code == 303
        assert "0 of 3 right." in (await dealer.get(f"/academy/tests/{test_id}")).text


@pytest.mark.parametrize("page", ["/academy/tests/{id}", "/academy", "/academy/trainer?book={book}"])
@in_loop
async def test_looking_at_a_test_whose_time_is_up_ends_it(tmp_path: Path, page: str) -> None:
    async with open_house(tmp_path, pages=True) as house:
        test_id = await set_test(house, items_totals="3", minutes="1")
        training = Training(house.house.store)
        await asyncio.to_thread(training.start, test_id, 1_000_000)  # half a century ago
        who = await house.person("pit_supervisor" if "trainer" in page else "dealer")
        shown = await who.get(page.format(id=test_id, book=BOOK))
        assert shown.status_code == 200
        assert "not passed" in shown.text.lower()
        assert training.test(test_id).state == "not_passed"


@in_loop
async def test_a_test_of_a_rulebook_that_was_changed_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        dealer, training = await house.person("dealer"), Training(house.house.store)
        as_it_was = (BOOK, "0" * 64)
        composition = Composition({"totals": 1}, 10, 80)
        await asyncio.to_thread(
            training.set_test, "changed", dealer.name, as_it_was, composition, 5, "ada", 1_000_000
        )
        path = "/academy/tests/changed"
        refused = await dealer.get(path)
        assert refused.status_code == 409
        assert "was changed since this test was set" in refused.text
        csrf = dealer.http.headers["x-csrf-token"]
        for fields in ({"begin": "yes"}, {"number": "1", "answer": "1"}):
            assert (await dealer.http.post(path, data={"csrf": csrf, **fields})).status_code == 409
        assert training.test("changed").state == "to_be_taken"
        await asyncio.to_thread(training.start, "changed", 1_000_000)
        assert (await dealer.get("/academy")).status_code == 200
        assert (await dealer.get(path)).status_code == 409
        await asyncio.to_thread(training.finish, "changed", 0, None, 2_000_000)
        assert "cannot be made again" in (await dealer.get(path)).text


@in_loop
async def test_an_answer_to_a_test_makes_its_own_item_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def make(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return make_item(*args)

    async with open_house(tmp_path, pages=True) as house:
        test_id = await set_test(house, items_totals="9")
        dealer = await house.person("dealer")
        csrf = dealer.http.headers["x-csrf-token"]
        path = f"/academy/tests/{test_id}"
        await dealer.http.post(path, data={"csrf": csrf, "begin": "yes"})
        monkeypatch.setattr("lammer.academy.exams.make_item", make)
        refused = await dealer.http.post(path, data={"csrf": csrf, "number": "1", "answer": "perhaps"})
        assert refused.status_code == 422
        assert len(threads) == 1
        assert (await dealer.get(path)).status_code == 200
        assert len(threads) == 2
        assert threading.current_thread().name not in threads


@in_loop
async def test_nobody_sets_a_test_for_themselves(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        trainer = await house.person("pit_supervisor")
        page = await trainer.get("/academy/trainer", params={"book": BOOK})
        assert f'<option value="{trainer.name}"' not in page.text
        form = {**form_of(page.text), "person": trainer.name, "items_totals": "1", "minutes": "1"}
        refused = await trainer.http.post("/academy/trainer", data={**form, "pass_mark": "80"})
        assert refused.status_code == 403
        assert "Nobody sets a test for themselves" in refused.text
        assert Training(house.house.store).tests() == []


@in_loop
async def test_a_test_that_cannot_be_set_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        trainer, dealer = await house.person("pit_supervisor"), await house.person("dealer")
        page = await trainer.get("/academy/trainer", params={"book": BOOK})
        form = {**form_of(page.text), "person": dealer.name, "minutes": "10", "pass_mark": "80"}
        for changed in ({}, {"items_totals": "999"}, {"items_totals": "1", "pass_mark": "101"}):
            refused = await trainer.http.post("/academy/trainer", data=form | changed)
            assert refused.status_code == 422
            assert "cannot be set" in refused.text
        somebody = {"items_totals": "1", "person": "nobody"}
        assert (await trainer.http.post("/academy/trainer", data=form | somebody)).status_code == 404
        foreign = await trainer.http.post("/academy/trainer", data=form | {"csrf": "x", "items_totals": "1"})
        assert foreign.status_code == 403
        assert Training(house.house.store).tests() == []


@in_loop
async def test_a_test_is_graded_by_what_was_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lammer is brought up to date, and the same seeds mean other items."""

    def other_items(book: Rulebook, kind: str, seed: int) -> Item:
        return make_item(book, kind, seed + 1)

    async with open_house(tmp_path, pages=True) as house:
        dealer, training = await house.person("dealer"), Training(house.house.store)
        composition, book = Composition({"totals": 4}, 10, 75), (BOOK, books()[BOOK].sha256)
        for name in ("answered", "under way", "to come"):
            await asyncio.to_thread(
                training.set_test, name, dealer.name, book, composition, 5, "ada", 1_000_000
            )
        csrf = dealer.http.headers["x-csrf-token"]
        for name, count in (("answered", 4), ("under way", 2)):
            path = f"/academy/tests/{name}"
            await dealer.http.post(path, data={"csrf": csrf, "begin": "yes"})
            items = items_of_test(books()[BOOK], composition, 5)
            # The last answer is kept and not graded yet, as when the power goes between the two.
            for number, item in enumerate(items[:count], start=1):
                wrong = "8" if item.answer == "9" else "9"
                answer = wrong if number == 2 else item.answer
                mark = await mark_of_answer(books()[BOOK], training.test(name), number, answer)
                assert bool(mark) == (number == 2)
                now = training.test(name).started_at
                assert now is not None
                await asyncio.to_thread(training.note_answer, name, number, answer, now, mark)
        monkeypatch.setattr("lammer.academy.exams.make_item", other_items)
        for module in ("record.training", "web.pages.academy.table_tests"):
            monkeypatch.setattr(f"lammer.floor.{module}.ITEMS_VERSION", ITEMS_VERSION + 1)
        assert "3 of 4 right." in (await dealer.get("/academy/tests/answered")).text
        certificate = read_certificate(training.certificate("answered") or b"")
        assert (certificate.items_version, certificate.right) == (ITEMS_VERSION, 3)
        # One in the middle of which the questions changed is not graded by two kinds of them.
        refused = await dealer.get("/academy/tests/under way")
        assert refused.status_code == 409
        assert "its questions are others now" in refused.text
        # One that was not begun asks what there is now.
        path = "/academy/tests/to come"
        assert (await dealer.http.post(path, data={"csrf": csrf, "begin": "yes"})).status_code == 303
        assert training.test("to come").items_version == ITEMS_VERSION + 1
        assert (await dealer.get(path)).status_code == 200
