"""What a table has to show everyone, in the reader's language; `Table.notice` says the same in English."""

from __future__ import annotations

from lammer.table.state import Table
from lammer.wording.catalogues import Language, say


def notice_told(table: Table, language: Language) -> str:
    """No Insurance, rules not in force, a test; empty at any other table.

    >>> from lammer import rulebook
    >>> from lammer.table.setup import SetUp
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> table = Table({book.id: book})
    >>> table.set_to(SetUp(book.id, "A", test=True))
    >>> notice_told(table, "en") == table.notice, notice_told(table, "zh")
    (True, '这是测试桌。')
    """
    if table.setup is None:
        return ""
    book, told = table.book, []
    paragraph = table.paragraph("private_table")
    if not table.require_setup().insurance and book.insurance is not None and paragraph:
        words = "No Insurance is offered at this table ({book}, {paragraph})."
        told.append(say(language, words, book=book.id, paragraph=paragraph))
    if table.out_of_force:
        words = "{book} is not in force (title page): {reason}."
        told.append(say(language, words, book=book.id, reason=table.out_of_force))
    if table.require_setup().test:
        told.append(say(language, "This is a test table."))
    return " ".join(told)
