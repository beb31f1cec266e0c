"""The academy's pages: items to answer, what is known of each paragraph, and table tests.

For dealers and whoever stands above them; players need none of it. Everything works without scripts: a form
carries the seed of its item, so the same item is made again to grade it. In a drill the right answer is shown
at once, in a test when it is over.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from lammer import draw
from lammer.academy.asking import KINDS, chosen_kinds, kinds_of, make_item
from lammer.academy.grading import grade, normal_form
from lammer.academy.items import Item
from lammer.academy.repetition import SECONDS_BETWEEN, Memory, by_paragraph, next_item, reviewed
from lammer.floor.record.training import TableTest
from lammer.floor.views.viewing import STAFF
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.academy.table_tests import (
    TRAINERS,
    answered_items,
    book_as_set,
    listed_tests,
    mark_of_answer,
    next_item_of,
    now_of,
    own_test,
    state_words,
    training_of,
)
from lammer.floor.web.pages.rules.book_names import book_choices, book_name
from lammer.floor.web.pages.rules.rules import book_of
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import (
    Req,
    language_of,
    page,
    refused_page,
    verified_fields,
    whole_number,
)
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.pictures import picture_words
from lammer.wording.rules import gist_of
from lammer.wording.titles import title_of
from lammer.wording.training import answer_words, item_words

SECONDS: Final = (0, 10, 20, 30, 60)
"""Seconds one may be given for an answer; 0 is no limit."""
SEEDS: Final = 2**31
_SECOND: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Drill:
    """What somebody trains: a rulebook, kinds of items, and the seconds for an answer."""

    book: Rulebook
    kinds: tuple[str, ...]
    seconds: int

    @property
    def query(self) -> str:
        """The same as part of an address."""
        chosen = {f"kind_{kind}": "on" for kind in self.kinds}
        return urlencode({"book": self.book.id, "seconds": self.seconds, **chosen})


class Academy(Pages):
    """Training for one person."""

    path = "/academy"

    @get()
    async def home(self, request: Req) -> Response[Any]:
        session = must_read(request, *STAFF)
        drill, language = drill_of(request, request.query_params), language_of(request)
        training, name = training_of(request), session.account.name
        remembered = await asyncio.to_thread(training.memories, name, drill.book.id)
        tests = await listed_tests(request, account=name)
        return page(
            request,
            "academy.html",
            books=book_choices(context_of(request).house.books, drill.book.id, language),
            book=drill.book,
            title=title_of(language, drill.book),
            kinds=_kind_choices(language, drill),
            seconds=_second_choices(language, drill.seconds),
            progress=progress_rows(language, drill.book, remembered.values()),
            tests=[_test_row(language, test, context_of(request).house.books) for test in tests],
            trainer=session.account.role in TRAINERS,
        )

    @get("/drill")
    async def ask(self, request: Req) -> Response[Any]:
        session = must_read(request, *STAFF)
        drill = drill_of(request, request.query_params)
        now = now_of(request)
        remembered = await asyncio.to_thread(
            training_of(request).memories, session.account.name, drill.book.id
        )
        seed = secrets.randbelow(SEEDS)
        item = await asyncio.to_thread(next_item, drill.book, drill.kinds, remembered, now // _SECOND, seed)
        return page(request, "academy_drill.html", **_drill_values(request, drill, item, now))

    @post("/drill")
    async def answer(self, request: Req, data: Form) -> Response[Any]:
        session = must_read(request, *STAFF)
        fields = texts_of(verified_fields(session, data))
        drill, now = drill_of(request, fields), now_of(request)
        item = await _item_of(drill.book, fields)
        written = fields.get("choice") or fields.get("answer", "")
        asked_at = whole_number(fields.get("asked_at", ""), 17) or now
        late = drill.seconds > 0 and now - asked_at > drill.seconds * _SECOND
        try:
            right = grade(item, written) and not late
        except Refused as refused:
            values = _drill_values(request, drill, item, asked_at)
            return refused_page(request, refused, "academy_drill.html", **values)
        await asyncio.to_thread(
            training_of(request).answer,
            session.account.name,
            drill.book.id,
            (item.kind, item.paragraph),
            now,
            lambda memory: reviewed(memory, right, now // _SECOND, SECONDS_BETWEEN),
        )
        answered = {"kind": item.kind, "seed": item.seed, "answer": normal_form(item, written)}
        late_too = {"late": "yes"} if late else {}
        return Redirect(f"/academy/answered?{drill.query}&{urlencode(answered | late_too)}", status_code=303)

    @get("/answered")
    async def answered(self, request: Req) -> Response[Any]:
        must_read(request, *STAFF)
        query = dict(request.query_params)
        drill, language = drill_of(request, query), language_of(request)
        item = await _item_of(drill.book, query)
        written, late = query.get("answer", ""), "late" in query
        values = _item_values(language, drill.book, item)
        values |= _drill_frame(drill, language)
        right = grade(item, written)
        words = answer_words(language, item, normal_form(item, written))
        return page(
            request,
            "academy_answered.html",
            right=right and not late,
            late=late and right,
            written=words,
            **values,
        )

    @get("/tests/{test_id:str}")
    async def test(self, request: Req, test_id: FromPath[str]) -> Response[Any]:
        session = must_read(request, *STAFF)
        test = await own_test(request, test_id, session.account.name, session.account.role)
        over = test.finished_at is not None
        book = book_of(request, test.rulebook) if over else book_as_set(request, test)
        language, mine = language_of(request), test.account == session.account.name
        values: dict[str, Any] = {
            "test": test,
            "mine": mine,
            "book": book,
            "title": book_name(language, book),
        }
        if over:
            rows, missed = await answered_items(request, language, test)
            values |= {
                "answered": rows,
                "missed": [(number, gist_of(language, book, number)) for number in missed],
            }
            return page(request, "academy_result.html", **values)
        values |= {
            "composition": [
                (in_words(language, KINDS[kind].title), count)
                for kind, count in test.composition.items.items()
            ],
            "number": len(test.answers) + 1,
            "ends_at": _ends_at(test),
        }
        if test.started_at is None or not mine:
            return page(request, "academy_test.html", **values)
        item = await next_item_of(book, test)
        return page(request, "academy_test.html", **values, **_item_values(language, book, item))

    @post("/tests/{test_id:str}")
    async def take(self, request: Req, test_id: FromPath[str], data: Form) -> Response[Any]:
        """Begin a test, or answer its next item; the last answer, or one after the time, ends it."""
        session = must_read(request, *STAFF)
        fields = texts_of(verified_fields(session, data))
        test = await own_test(request, test_id, session.account.name)
        training, now = training_of(request), now_of(request)
        if test.finished_at is None:
            book = book_as_set(request, test)
            if "begin" in fields:
                await asyncio.to_thread(training.start, test.id, now)
            elif test.started_at is not None:
                number = whole_number(fields.get("number", ""), 4) or 0
                written = fields.get("choice") or fields.get("answer", "")
                mark = await mark_of_answer(book, test, number, written)
                await asyncio.to_thread(training.note_answer, test.id, number, written[:200], now, mark)
                await own_test(request, test_id, session.account.name)
        return Redirect(f"/academy/tests/{test.id}", status_code=303)

    @get("/tests/{test_id:str}/certificate.json")
    async def certificate(self, request: Req, test_id: FromPath[str]) -> Response[bytes]:
        session = must_read(request, *STAFF)
        test = await own_test(request, test_id, session.account.name, session.account.role)
        signed = await asyncio.to_thread(training_of(request).certificate, test.id)
        if signed is None:
            raise Refused("unknown_test", "There is no certificate of this test.")
        name = f'attachment; filename="certificate-{test.id}.json"'
        return Response(signed, media_type="application/json", headers={"Content-Disposition": name})


def drill_of(request: Req, fields: Mapping[str, str]) -> Drill:
    """What is trained, by a form or an address; else the first rulebook of the house and all kinds."""
    books = context_of(request).house.books
    book = book_of(request, fields.get("book") or next(iter(books)))
    names = [name for name in KINDS if f"kind_{name}" in fields]
    # Kinds that another rulebook had are not asked of this one.
    known = {kind.name for kind in kinds_of(book)}
    kinds = chosen_kinds(book, [name for name in names if name in known])
    seconds = whole_number(fields.get("seconds", ""), 3) or 0
    return Drill(book, kinds, seconds if seconds in SECONDS else 0)


def progress_rows(language: Language, book: Rulebook, remembered: Iterable[Memory]) -> list[dict[str, Any]]:
    """What somebody knows of a rulebook, paragraph by paragraph."""
    return [
        {
            "paragraph": memory.paragraph,
            "gist": gist_of(language, book, memory.paragraph),
            "kind": in_words(language, KINDS[memory.kind].title) if memory.kind in KINDS else memory.kind,
            "right": memory.right,
            "wrong": memory.wrong,
            "step": memory.step,
            "steps": len(SECONDS_BETWEEN) - 1,
            "due": datetime.fromtimestamp(memory.due, UTC),
        }
        for memory in by_paragraph(remembered)
    ]


def texts_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form that are text."""
    return {name: value for name, value in data.items() if isinstance(value, str)}


async def _item_of(book: Rulebook, fields: Mapping[str, str]) -> Item:
    """The item a form is about: made again from its kind and seed."""
    seed = whole_number(fields.get("seed", ""), 12) or 0
    return await asyncio.to_thread(make_item, book, fields.get("kind", ""), seed)


def _ends_at(test: TableTest) -> datetime | None:
    if test.started_at is None or not test.composition.minutes:
        return None
    return datetime.fromtimestamp(test.started_at // _SECOND + test.composition.minutes * 60, UTC)


def _drill_values(request: Req, drill: Drill, item: Item, asked_at: int) -> dict[str, Any]:
    language = language_of(request)
    values = _item_values(language, drill.book, item) | _drill_frame(drill, language)
    return values | {"asked_at": asked_at}


def _drill_frame(drill: Drill, language: Language) -> dict[str, Any]:
    return {
        "drill": drill,
        "book": drill.book,
        "title": title_of(language, drill.book),
        "hidden": {f"kind_{kind}": "on" for kind in drill.kinds}
        | {"book": drill.book.id, "seconds": str(drill.seconds)},
    }


def _item_values(language: Language, book: Rulebook, item: Item) -> dict[str, Any]:
    words = item_words(language, book, item)
    pictures = picture_words(language)
    return {
        "item": item,
        "words": words,
        "kind_title": in_words(language, KINDS[item.kind].title),
        "hands": [
            (name, [draw.card(card, face_down=not card, words=pictures) for card in cards])
            for (name, _), cards in zip(words.hands, item.hands, strict=False)
        ],
        "hint": in_words(language, _HINTS[item.form]),
        "keyboard": "decimal" if item.form == "money" else "text",
        "numbered": list(enumerate(zip(item.choices, words.choices, strict=True), start=1)),
    }


_HINTS: Final = {
    "points": Phrase("One digit, 0 to 9"),
    "choice": Phrase("The number of your answer"),
    "money": Phrase("An amount such as 47.50; nothing is 0"),
    "odds": Phrase("Odds such as 5:2"),
    "chips": Phrase("Chips such as 2x100 1x25"),
}


def _kind_choices(language: Language, drill: Drill) -> list[Choice]:
    return [
        Choice(kind.name, in_words(language, kind.title), kind.name in drill.kinds)
        for kind in kinds_of(drill.book)
    ]


def _second_choices(language: Language, chosen: int) -> list[Choice]:
    t = partial(say, language)
    return choices(
        (
            (str(seconds), t("{seconds} seconds for each", seconds=seconds) if seconds else t("Untimed"))
            for seconds in SECONDS
        ),
        str(chosen),
    )


def _test_row(language: Language, test: TableTest, books: Mapping[str, Rulebook]) -> dict[str, Any]:
    book = books.get(test.rulebook)
    return {
        "test": test,
        "rulebook": book_name(language, book) if book is not None else test.rulebook,
        "state": state_words(language, test),
        "set_at": datetime.fromtimestamp(test.set_at // _SECOND, UTC),
        "asked": test.composition.count,
    }
