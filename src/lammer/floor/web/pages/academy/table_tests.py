"""Table tests as the academy's pages have them: whose they are, when they end, and what they came to.

A test ends with its last answer or with its time, whoever looks at it next. Its items are made again from its
seed, so its rulebook must still be the one it was set under. Making items takes a worker thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from lammer.academy.asking import ITEMS_VERSION
from lammer.academy.exams import Certificate, grade_test, graded_by_marks, item_of_test, items_of_test
from lammer.academy.grading import normal_form
from lammer.academy.items import Item
from lammer.floor.record.certificates import sign_certificate
from lammer.floor.record.monotonic_clock import microseconds
from lammer.floor.record.signing_key import house_key
from lammer.floor.record.training import TableTest, TestState, Training
from lammer.floor.views.viewing import STAFF
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.rules.rules import book_of
from lammer.floor.web.pages.site.site import Req
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.training import ItemWords, answer_words, item_words

TRAINERS: Final = STAFF[1:]
"""Who sets tests and sees how others do: a Pit Supervisor or above."""
_STATES: Final[Mapping[TestState, Phrase]] = {
    "passed": Phrase("passed"),
    "not_passed": Phrase("not passed"),
    "under_way": Phrase("under way"),
    "to_be_taken": Phrase("to be taken"),
}


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """An item of a test that is over: what was asked, what the person answered, and what is right."""

    number: int
    question: str
    felt: tuple[str, ...]
    written: str
    answer: str
    right: bool


def training_of(request: Req) -> Training:
    """The training of the house."""
    return Training(context_of(request).house.store)


def now_of(request: Req) -> int:
    """The time of the house, in microseconds since 1970."""
    return microseconds(context_of(request).house.clock.now())


def state_words(language: Language, test: TableTest) -> str:
    """How far a test is, in words."""
    words: str = in_words(language, _STATES[test.state])
    return words


async def own_test(request: Req, test_id: str, name: str, role: str = "") -> TableTest:
    """A test of one's own, or for a trainer anybody's; it is closed where it is over."""
    test = await asyncio.to_thread(training_of(request).test, test_id)
    if test.account != name and role not in TRAINERS:
        raise Refused(
            "not_your_role", "The test is {account}'s.", next_step="Take your own.", account=test.account
        )
    if test.finished_at is not None or not test.is_over(now_of(request)):
        return test
    await finish(request, test)
    return await asyncio.to_thread(training_of(request).test, test_id)


async def listed_tests(request: Req, *, account: str = "", rulebook: str = "") -> list[TableTest]:
    """The latest tests of a person or under a rulebook, closed where they are over."""
    read = partial(training_of(request).tests, account=account, rulebook=rulebook)
    listed, now = await asyncio.to_thread(read), now_of(request)
    over = [
        test
        for test in listed
        if test.finished_at is None and test.is_over(now) and (test.is_marked or _is_as_set(request, test))
    ]
    for test in over:
        await finish(request, test)
    return await asyncio.to_thread(read) if over else listed


def book_as_set(request: Req, test: TableTest) -> Rulebook:
    """The rulebook of a test, or `rulebook_changed` where its questions would be others than it asked."""
    book = book_of(request, test.rulebook)
    if book.sha256 == test.rulebook_sha256 and not _asks_todays_items(test):
        raise Refused(
            "rulebook_changed",
            "The house was brought up to date while this test was taken, and its questions are others now.",
            next_step="Have a new test set.",
        )
    if not _is_as_set(request, test):
        raise Refused(
            "rulebook_changed",
            "{rulebook} was changed since this test was set, so its questions are others now.",
            next_step="Have a new test set.",
            rulebook=test.rulebook,
        )
    return book


def _is_as_set(request: Req, test: TableTest) -> bool:
    book = context_of(request).house.books.get(test.rulebook)
    return book is not None and book.sha256 == test.rulebook_sha256 and _asks_todays_items(test)


def _asks_todays_items(test: TableTest) -> bool:
    """Whether this Lammer makes the items of the test; one that was not begun asks whichever there are."""
    return test.started_at is None or test.items_version == ITEMS_VERSION


async def next_item_of(book: Rulebook, test: TableTest) -> Item:
    """The item of a test that is to be answered now."""
    number = min(len(test.answers) + 1, test.composition.count)
    return await asyncio.to_thread(item_of_test, book, test.composition, test.seed, number)


async def mark_of_answer(book: Rulebook, test: TableTest, number: int, written: str) -> str:
    """The paragraph an answer to the next item gets wrong, or nothing where it is right.

    What cannot be read as an answer is refused; it can be written again.
    """
    if number != len(test.answers) + 1 or number > test.composition.count:
        return ""  # An answer to another item than the next is not kept, so it needs no mark.
    item = await next_item_of(book, test)
    return "" if normal_form(item, written) == item.answer else item.paragraph


async def finish(request: Req, test: TableTest) -> None:
    """Grade a test, and sign a certificate where it was passed."""
    now, training = now_of(request), training_of(request)
    composition, folder = test.composition, context_of(request).settings.folder
    book = None if test.is_marked else book_as_set(request, test)

    def work() -> None:
        if book is None:
            # The items may be others by now: each answer was marked as it was given.
            graded = graded_by_marks(test.marks, composition.pass_mark)
        else:
            items = items_of_test(book, composition, test.seed)
            graded = grade_test(items, test.answers, composition.pass_mark)
        signed = None
        if graded.passed:
            certificate = Certificate(
                person=test.account,
                items_version=test.items_version,
                rulebook=test.rulebook,
                rulebook_sha256=test.rulebook_sha256,
                composition=dict(composition.items),
                minutes=composition.minutes,
                pass_mark=composition.pass_mark,
                seed=test.seed,
                answers=list(test.answers),
                right=graded.right,
                asked=graded.asked,
                set_by=test.set_by,
                finished_at=now,
            )
            signed = sign_certificate(certificate, house_key(folder))
        training.finish(test.id, graded.right, signed, now)

    await asyncio.to_thread(work)


async def answered_items(
    request: Req, language: Language, test: TableTest
) -> tuple[list[AnsweredItem], tuple[str, ...]]:
    """Every item of a test that is over, and the paragraphs that went wrong; none if the rulebook changed."""
    if not _is_as_set(request, test):
        return [], ()
    book = book_of(request, test.rulebook)

    def work() -> tuple[list[AnsweredItem], tuple[str, ...]]:
        items = items_of_test(book, test.composition, test.seed)
        graded = grade_test(items, test.answers, test.composition.pass_mark)
        return answered_rows(language, book, items, test.answers), graded.missed

    return await asyncio.to_thread(work)


def _cards_told(language: Language, words: ItemWords) -> list[str]:
    return [
        say(language, "{hand}: {cards}.", hand=hand, cards=" ".join(cards))
        for hand, cards in words.hands
        if cards
    ]


def _stakes_told(language: Language, words: ItemWords) -> list[str]:
    return [
        say(
            language,
            "{player} ({place}): {hand} {stake}.",
            player=player,
            place=place,
            hand=hand,
            stake=stake,
        )
        for player, place, hand, stake in words.stakes
    ]


def answered_rows(
    language: Language, book: Rulebook, items: Sequence[Item], answers: Sequence[str]
) -> list[AnsweredItem]:
    """Items beside what was written; what is missing was not answered."""
    rows = []
    for number, item in enumerate(items, start=1):
        words = item_words(language, book, item)
        try:
            normal = normal_form(item, answers[number - 1] if number <= len(answers) else "")
        except Refused:
            normal = ""
        rows.append(
            AnsweredItem(
                number,
                words.question,
                (*_cards_told(language, words), *_stakes_told(language, words)),
                answer_words(language, item, normal) if normal else say(language, "Not answered"),
                words.answer,
                normal == item.answer,
            )
        )
    return rows
