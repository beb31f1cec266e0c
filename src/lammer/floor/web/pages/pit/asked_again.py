"""What is shown once more before a press that costs money where it was a slip: what is, and what would be.

Chips to and from a bank, and another set-up of a table that has one. It decides nothing: the table has been
asked already whether it would do it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from lammer.floor.web.pages.pit import set_up
from lammer.floor.web.pages.rules.book_names import book_label
from lammer.floor.web.pages.site.frame import role_title
from lammer.rulebook.model import Rulebook
from lammer.table import commands as c
from lammer.table.setup import SetUp
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips

Change = tuple[str, str, str]
"""Of what, before and after."""
NONE: Final = "–"


def bank_question(
    table: Table, command: c.FillBank | c.CreditBank, title: str, language: Language
) -> dict[str, Any]:
    """What is asked of a fill or a credit, and the bank before and after.

    >>> from lammer.table.state import Table
    >>> table = Table({}, accounts={"bank": 500_00})
    >>> asked = bank_question(table, c.CreditBank(800_00), "Table 1", "en")
    >>> asked["question"], asked["changes"]
    ('Take 800 from the bank of Table 1?', [('Bank', '500', '−300')])
    """
    t, before = partial(say, language), table.accounts.get("bank", 0)
    fills = isinstance(command, c.FillBank)
    after, amount = (
        before + (command.amount if fills else -command.amount),
        write_chips(language, command.amount),
    )
    bring, take = "Bring {amount} to the bank of {title}?", "Take {amount} from the bank of {title}?"
    return {
        "question": t(bring if fills else take, amount=amount, title=title),
        "changes": [(t("Bank"), write_chips(language, before), write_chips(language, after))],
        "warning": t("The bank would be below zero.") if after < 0 else "",
        "yes": t("Fill {amount}" if fills else "Credit {amount}", amount=amount),
    }


def set_up_question(
    books: Mapping[str, Rulebook], before: SetUp, after: SetUp, title: str, language: Language
) -> dict[str, Any]:
    """What is asked before a set-up takes the place of another, and every part of it that changes.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> old, new = SetUp(book.id, "A", decks=8), SetUp(book.id, "A", decks=6, face_down=True)
    >>> set_up_question({book.id: book}, old, new, "Table 1", "en")["changes"]
    [('Decks', '8', '6'), ('Cards are dealt face down', 'no', 'yes')]
    """
    old, new = (dict(_lines(books, setup, language)) for setup in (before, after))
    names = [*old, *(name for name in new if name not in old)]
    return {
        "question": say(language, "Change the set-up of {title}?", title=title),
        "changes": [
            (name, old.get(name, NONE), new.get(name, NONE))
            for name in names
            if old.get(name, NONE) != new.get(name, NONE)
        ],
        "warning": "",
        "yes": say(language, "Set the table"),
    }


def _lines(books: Mapping[str, Rulebook], setup: SetUp, language: Language) -> Iterator[tuple[str, str]]:
    """Every part of a set-up as it is called, and what it is."""
    t, table = partial(say, language), Table(books)
    table.set_to(setup)
    yield t("Rulebook"), book_label(books, table.book, language)
    yield t("Layout"), setup.layout
    yield t("Boxes"), str(table.box_count)
    yield t("Names of the boxes in order (empty: their numbers)"), ", ".join(setup.box_names) or NONE
    yield t("Decks"), str(setup.decks)
    yield t("Cards behind the cut card"), str(setup.cut)
    shoes = {"virtual": t("a virtual shoe"), "read": t("a real shoe, read card by card")}
    yield t("Cards come from"), shoes[setup.shoe]
    yield from set_up.limit_lines(table, language)
    for label, holds in (
        (t("Private table"), setup.private),
        (t("Insurance is offered"), setup.insurance),
        (t("Players see the exact chances beside Insurance"), setup.exact_chances),
        (t("Test or training table: a virtual shoe may be told to misdeal"), setup.test),
        (t("Cards are dealt face down"), setup.face_down),
        (t("High-limit area"), setup.high_limit),
    ):
        yield label, t("yes") if holds else t("no")
    declined = setup.insurance_declined_by or NONE
    yield t("Player who asked to play without Insurance (private table)"), declined
    yield t("Who decides for the House, or above"), role_title(language, setup.house_role)
    for _, question, choices in set_up.readings_of(table, language):
        yield question, next(choice.label for choice in choices if choice.chosen)
