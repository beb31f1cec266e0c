"""What a table has to show everyone, in the reader's language; `Table.notice` says the same in English."""

from __future__ import annotations

from lammer.table.state import Table
from lammer.wording.catalogues import Language, say


def notice_text(table: Table, language: Language) -> str:
    """No Insurance, rules not in force, a test; empty at any other table.

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
    if table.require_setup().test:
        sentences.append(say(language, "This is a test table."))
    return " ".join(sentences)
