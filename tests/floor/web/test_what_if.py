"""What-if on the page of the lab: every odds of every document can be another; nobody crowds it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from threading import Event

import pytest

import lammer
from lammer.floor.web.long_work import WAITING, WorkLine
from lammer.floor.web.pages.lab.what_if import analyse, document, fields, labels, plain, what_if
from lammer.floor.web.pages.rules.aligned import align
from lammer.lab.exact.edges import edges
from lammer.rulebook.odds import Odds
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD
from support.open_house import in_loop

BOOKS = [book.id for book in lammer.shelf()]
INSURED = "tiger-buffalo-commission-insurance@3"


@pytest.mark.parametrize("name", BOOKS)
def test_every_odds_a_document_prints_has_its_field(name: str) -> None:
    book = lammer.rulebook(name)
    printed = {(bet.name, str(pay.odds)) for bet in book.bets.values() for pay in bet.pays}
    printed |= {("", str(offer.odds)) for offer in (book.insurance.offers if book.insurance else ())}
    assert set(fields(book).values()) == printed
    assert labels(book, "en").keys() == fields(book).keys()
    assert what_if({field: odds for field, (_, odds) in fields(book).items()}, book) == plain(book)
    assert analyse(book, plain(book)) is document(book)


def test_one_way_of_several_is_paid_otherwise() -> None:
    book = lammer.rulebook(INSURED)
    question = what_if({"pays_tiger_2": "22:1", "decks": "6", "gone_9": "3"}, book)
    before = edges(book, question.shoe(book)).bet("tiger")
    after = analyse(book, question).bet("tiger")
    shares = {str(each.pays): each.combinations for each in before.outcomes if each.pays}
    assert (before.edge - after.edge) * before.combinations == 2 * shares["20:1"]
    assert {str(each.pays) for each in after.outcomes if each.pays} == {"12:1", "22:1"}


def test_insurance_paid_otherwise_is_what_the_changed_document_comes_to() -> None:
    book = lammer.rulebook(INSURED)
    field = next(field for field, known in fields(book).items() if known == ("", "10:1"))
    made = analyse(book, what_if({field: "9:1"}, book))
    assert book.insurance is not None
    offers = tuple(
        replace(offer, odds=Odds.parse("9:1")) if str(offer.odds) == "10:1" else offer
        for offer in book.insurance.offers
    )
    changed = replace(book, insurance=replace(book.insurance, offers=offers), sha256="changed")
    assert made.insurance == edges(changed).insurance
    assert made.insurance != edges(book).insurance


def test_odds_typed_for_another_rulebook_are_not_asked_of_this_one() -> None:
    book = lammer.rulebook(INSURED)
    assert what_if({"of": BOOKS[0], "pays_tie": "9:1", "decks": "6"}, book).pays == ()
    assert what_if({"of": INSURED, "pays_tie": "9:1"}, book).pays == (("tie", "8:1", "9:1"),)


@in_loop
async def test_one_thread_does_the_work_and_nobody_crowds_the_line() -> None:
    line, go = WorkLine("test"), Event()
    mine = [asyncio.ensure_future(line.do("anna", lambda: go.wait(GUARD))) for _ in range(WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="questions of anna are being worked out already"):
        await line.do("anna", lambda: True)
    other = asyncio.ensure_future(line.do("boris", lambda: "his"))
    go.set()
    assert await asyncio.gather(*mine) == [True] * WAITING
    assert await other == "his"
    assert await line.do("anna", lambda: "again") == "again"


@pytest.mark.parametrize("a", BOOKS)
@pytest.mark.parametrize("b", BOOKS)
def test_every_paragraph_of_both_stands_beside_something(a: str, b: str) -> None:
    pairs = align(lammer.rulebook(a), lammer.rulebook(b))
    assert sorted(each.before.number for each in pairs if each.before) == sorted(
        lammer.rulebook(a).paragraphs
    )
    assert sorted(each.after.number for each in pairs if each.after) == sorted(lammer.rulebook(b).paragraphs)
    if a == b:
        assert {each.kind for each in pairs} == {"same"}
        assert not any(each.moved for each in pairs)
