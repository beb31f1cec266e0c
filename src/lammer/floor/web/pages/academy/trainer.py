"""The trainer's page: how everybody does, by person and by paragraph, and tests to be set.

For a Pit Supervisor or above.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from lammer.academy.asking import KINDS, kinds_of
from lammer.academy.exams import MOST_ITEMS, MOST_MINUTES, Composition, must_be_test
from lammer.academy.repetition import SECONDS_BETWEEN, Memory
from lammer.floor.access.accounts import Account
from lammer.floor.access.tokens import new_id
from lammer.floor.record.training import Remembered, TableTest
from lammer.floor.views.viewing import STAFF
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.academy.academy import SEEDS, progress_rows, texts_of
from lammer.floor.web.pages.academy.table_tests import (
    TRAINERS,
    listed_tests,
    now_of,
    state_words,
    training_of,
)
from lammer.floor.web.pages.rules.book_names import book_choices
from lammer.floor.web.pages.rules.rules import book_of
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.frame import choices
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, language_of, page, verified_fields, whole_number
from lammer.rulebook.refusal import Refused
from lammer.wording.phrases import in_words

USUAL_ITEMS = 3
USUAL_MINUTES = 30
USUAL_PASS_MARK = 90


class Trainer(Pages):
    """Progress of everybody, and tests."""

    path = "/academy/trainer"

    @get()
    async def desk(self, request: Req) -> Response[Any]:
        session = must_read(request, *TRAINERS)
        books, language = context_of(request).house.books, language_of(request)
        book = book_of(request, request.query_params.get("book") or next(iter(books)))
        everybody = await asyncio.to_thread(training_of(request).everybody, book.id)
        tests = await listed_tests(request, rulebook=book.id)
        staff = await staff_of(request)
        names = {account.name: account.title for account in staff}
        person = request.query_params.get("person", "")
        one = person if person in names else ""
        return page(
            request,
            "academy_trainer.html",
            books=book_choices(books, book.id, language),
            book=book,
            staff=choices(
                (account.name, account.title) for account in staff if account.name != session.account.name
            ),
            kinds=[(kind.name, in_words(language, kind.title), USUAL_ITEMS) for kind in kinds_of(book)],
            people=person_rows(staff, everybody, tests),
            one=names.get(one, ""),
            paragraphs=progress_rows(
                language, book, in_all(row for row in everybody if one in ("", row.account))
            ),
            tests=[(test, state_words(language, test)) for test in tests],
            names=names,
            usual={"minutes": USUAL_MINUTES, "pass_mark": USUAL_PASS_MARK},
            most={"items": MOST_ITEMS, "minutes": MOST_MINUTES},
        )

    @post()
    async def set_test(self, request: Req, data: Form) -> Response[Any]:
        session = must_read(request, *TRAINERS)
        fields = texts_of(verified_fields(session, data))
        book = book_of(request, fields.get("book", ""))
        person = fields.get("person", "")
        if person not in {account.name for account in await staff_of(request)}:
            raise Refused("no_such_account", "{name} is not on the staff.", name=repr(person[:40]))
        if person == session.account.name:
            raise Refused(
                "not_your_role",
                "Nobody sets a test for themselves.",
                next_step="Another Pit Supervisor or above sets it.",
            )
        composition = composition_of(fields)
        must_be_test(book, composition)
        await asyncio.to_thread(
            training_of(request).set_test,
            new_id(),
            person,
            (book.id, book.sha256),
            composition,
            secrets.randbelow(SEEDS),
            session.account.name,
            now_of(request),
        )
        return Redirect(f"/academy/trainer?book={book.id}", status_code=303)


async def staff_of(request: Req) -> list[Account]:
    """Whoever may be trained."""
    accounts = await asyncio.to_thread(context_of(request).authenticator.accounts.list)
    return [account for account in accounts if account.role in STAFF]


def composition_of(fields: Mapping[str, str]) -> Composition:
    """How a test is set, by the trainer's form; a kind without items is left out.

    >>> composition_of({"items_totals": "2", "items_chips": "0", "minutes": "10", "pass_mark": "80"})
    Composition(items={'totals': 2}, minutes=10, pass_mark=80)
    """
    counts = {kind: whole_number(fields.get(f"items_{kind}", ""), 3) or 0 for kind in KINDS}
    return Composition(
        {kind: count for kind, count in counts.items() if count},
        whole_number(fields.get("minutes", ""), 4) or 0,
        whole_number(fields.get("pass_mark", ""), 3) or 0,
    )


def person_rows(
    staff: Iterable[Account], everybody: Iterable[Remembered], tests: Iterable[TableTest]
) -> list[dict[str, Any]]:
    """How each person does: answers, how many paragraphs are well known, which go wrong most."""
    rows = []
    for account in staff:
        known = [row.memory for row in everybody if row.account == account.name]
        right, wrong = sum(memory.right for memory in known), sum(memory.wrong for memory in known)
        own_tests = [test for test in tests if test.account == account.name]
        rows.append(
            {
                "account": account,
                "answers": right + wrong,
                "share": f"{100 * right // (right + wrong)}%" if right + wrong else "",
                "paragraphs": len(known),
                "firm": sum(memory.step >= len(SECONDS_BETWEEN) // 2 for memory in known),
                "weakest": sorted(
                    (memory for memory in known if memory.wrong),
                    key=lambda memory: (-memory.wrong, memory.paragraph),
                )[:3],
                "passed": sum(test.passed for test in own_tests),
                "taken": sum(test.finished_at is not None for test in own_tests),
            }
        )
    return rows


def in_all(everybody: Iterable[Remembered]) -> list[Memory]:
    """What all together remember of each paragraph: the answers added up, the firmness of the least firm."""
    together: dict[tuple[str, str], Memory] = {}
    for row in everybody:
        memory, before = row.memory, together.get(row.memory.topic)
        if before is not None:
            memory = Memory(
                memory.kind,
                memory.paragraph,
                min(memory.step, before.step),
                min(memory.due, before.due),
                memory.right + before.right,
                memory.wrong + before.wrong,
            )
        together[memory.topic] = memory
    return list(together.values())
