"""Who decides, by each of the five documents: the paragraphs that name somebody, asked for over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from floor.tables.test_roles import AUTHORITY, DOCUMENTS, at_moment
from lammer.rulebook.paragraphs import split
from lammer.rulebook.vocabulary import ROLES
from support.open_house import in_loop, open_house
from support.texts import FOLDER

TITLES: Final = {
    "Pit Supervisor or above": "pit_supervisor",
    "Pit Manager or above": "pit_manager",
    "Table Game Shift Manager or above": "table_game_shift_manager",
}
INSURED: Final = AUTHORITY["offer_missed_insurance"]["fields"]
TOGETHER: Final = AUTHORITY["order_simultaneous"]["fields"]
RULING: Final = AUTHORITY["rule_on_matter"]["fields"]


def asked(book: str) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """For each paragraph that names somebody: the moment, the command and its fields."""
    made: dict[str, tuple[str, str, dict[str, Any]]] = {}
    for paragraph, role in DOCUMENTS[book].items():
        if role == "pit_manager":
            moment = "window" if paragraph.endswith(".1") else "missed insurance"
            made[paragraph] = (moment, "offer_missed_insurance", INSURED)
        elif role == "table_game_shift_manager":
            made[paragraph] = ("bet", "rule_on_matter", RULING)
        else:
            more = {"replace_shoe": True} if paragraph.count(".") == 2 else {}
            made[paragraph] = ("closed", "order_simultaneous", TOGETHER | more)
    return made


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the approved texts are not at {FOLDER}")
@pytest.mark.parametrize("book", DOCUMENTS)
def test_the_documents_name_them_there_and_nowhere_else(book: str) -> None:
    text = (FOLDER / f"{book}.txt").read_text()
    named = {
        paragraph: role
        for paragraph, words in split(text).items()
        for title, role in TITLES.items()
        if title in words
    }
    assert named == DOCUMENTS[book]


@pytest.mark.parametrize("book", DOCUMENTS)
@in_loop
async def test_whom_the_document_names_decides(tmp_path: Path, book: str) -> None:
    async with open_house(tmp_path) as house:
        for paragraph, (moment, do, fields) in asked(book).items():
            table = f"p{paragraph}"
            await at_moment(house, table, moment, rulebook=book, layout="A")
            before, least = house.house.tables.at(table).durable, DOCUMENTS[book][paragraph]
            for role in (*ROLES[: ROLES.index(least)], "auditor", "administrator"):
                answer = await (await house.person(role)).ask(table, do, **fields)
                told = answer.json()
                assert (answer.status_code, told["code"]) == (403, "not_your_role"), (paragraph, role)
                if role in ROLES:
                    cited = told["citation"]
                    assert cited["rulebook"] == book
                    assert paragraph.startswith(cited["paragraph"].rpartition(".")[0]), (paragraph, cited)
            assert house.house.tables.at(table).durable == before
            answer = await (await house.person(least)).ask(table, do, **fields)
            if moment == "window":
                # While it is open it is not missed; that is what whoever may offer it is told.
                assert answer.json()["code"] == "insurance_is_open"
            else:
                assert answer.status_code == (202 if do == "rule_on_matter" else 200), answer.text
