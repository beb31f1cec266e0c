"""What a table has to show, in the reader's language.

To everyone, what its set-up says; `Table.notice` says the same in English. And to players, for a few rounds,
that a round was corrected and what that did to their money.
"""

from __future__ import annotations

from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.recent_corrections import RecentCorrections
from lammer.floor.views.round_marks import RoundMarks
from lammer.floor.web.pages.felt.changes import notice_of, take_and_pay
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say


def notice_text(table: Table, language: Language) -> str:
    """No Insurance, rules not in force, private rules, a test, closed; empty at any other table.

    >>> from lammer import rulebook
    >>> from lammer.table.setup import SetUp
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> table = Table({book.id: book})
    >>> table.set_to(SetUp(book.id, "A", test=True))
    >>> notice_text(table, "en") == table.notice, notice_text(table, "zh")
    (True, '这是测试桌。')
    """
    if table.setup is None:
        return ""
    book, sentences = table.book, []
    paragraph = table.paragraph("private_table")
    if not table.require_setup().insurance and book.insurance is not None and paragraph:
        words = "No Insurance is offered at this table ({book}, {paragraph})."
        sentences.append(say(language, words, book=book.id, paragraph=paragraph))
    if table.out_of_force:
        words = "{book} is not in force (title page): {reason}."
        sentences.append(say(language, words, book=book.id, reason=table.out_of_force))
    if book.is_private:
        sentences.append(say(language, "{book} is a private rulebook; nobody has approved it.", book=book.id))
    if table.require_setup().test:
        sentences.append(say(language, "This is a test table."))
    if table.closed:
        sentences.append(say(language, "This table is closed."))
    return " ".join(sentences)


def closing_text(table: Table, language: Language) -> str:
    """That the table closes when its round is over; empty at any other table.

    >>> closing_text(Table({}, closing_reason="the night is over"), "en"), closing_text(Table({}), "en")
    ('This table closes after this round.', '')
    """
    return say(language, "This table closes after this round.") if table.closing_reason is not None else ""


async def correction_notices(
    corrections: RecentCorrections, view: DurableView, marks: RoundMarks, player: str, language: Language
) -> str:
    """What this player is told about corrections at a table, the newest first; mostly nothing."""
    changes = await corrections.changes(view, marks)
    return " ".join(notice_of(language, change, number, player) for number, change in changes)


async def corrections_to_settle(
    corrections: RecentCorrections, view: DurableView, marks: RoundMarks, language: Language
) -> list[tuple[int, str]]:
    """What is to be taken and paid after corrections of past rounds: the event of each, and a sentence.

    A settlement that was reopened is not among them: it is settled anew, with a pay list of its own.
    """
    return [
        (change.event, take_and_pay(language, change, number))
        for number, change in await corrections.changes(view, marks)
        if change.rulebook
    ]
