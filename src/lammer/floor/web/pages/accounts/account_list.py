"""A list of people as an administrator pastes it: a line a person, with what is wrong beside its line.

A line is name, role and what the person is called, parted by commas, semicolons or tabs, as spreadsheets
write them. It says what could be made; nothing is made here.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from lammer.floor.access.accounts import ACCOUNT_ROLES, Account, account_exists, canonical, new_account
from lammer.floor.access.grants import DECIDING
from lammer.floor.web.pages.site.frame import role_name
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.refusals import in_language

MOST_PEOPLE: Final = 200
"""People on one list."""


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A person of a list: their line, the account they would have, and what is wrong with it."""

    line: int
    account: Account
    problem: str = ""

    @property
    def waits(self) -> bool:
        """Whether the account has to be agreed to by a second person."""
        return self.account.role in DECIDING


def read_list(written: str, taken: Collection[str], language: Language) -> list[ListedPerson]:
    """Everybody on a list, in its order; `taken` are the names that have an account.

    >>> for person in read_list("Name, Role\\nmei, Dealer, Mei Chen\\nli; boss\\nmei,player", {"li"}, "en"):
    ...     print(person.line, person.account.name, person.account.role, person.problem[:24] or "-")
    2 mei dealer -
    3 li boss 'boss' is no role of thi
    4 mei player mei is on line 2 already
    """
    t = partial(say, language)
    people: list[ListedPerson] = []
    first_line: dict[str, int] = {}
    for line, cells in _lines(written):
        if not people and cells[0].lower() in ("name", t("Name").lower()):
            continue
        name, role, title = (*cells, "", "")[:3]
        asked = Account(canonical(name) or name, title or name, _role_called(role, language), active=True)
        problem = _problem(asked, taken, language)
        if not problem and asked.name in first_line:
            problem = t("{name} is on line {line} already.", name=asked.name, line=first_line[asked.name])
        if len(people) >= MOST_PEOPLE:
            problem = t("A list has at most {most} people.", most=MOST_PEOPLE)
        people.append(ListedPerson(line, asked, problem))
        first_line.setdefault(asked.name, line)
        if len(people) > MOST_PEOPLE:
            break
    return people


def _lines(written: str) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(written.splitlines(), start=1):
        parted_by = next((mark for mark in ("\t", ";") if mark in text), ",")
        rows = csv.reader([text], delimiter=parted_by, skipinitialspace=True)
        cells = [cell.strip() for row in rows for cell in row]
        if any(cells):
            yield line, cells


def _role_called(written: str, language: Language) -> str:
    """A role by its name in the record or in the reader's language; anything else as it was written."""
    plain = " ".join(written.lower().replace("_", " ").replace("-", " ").split())
    for role in ACCOUNT_ROLES:
        if plain in (role.replace("_", " "), role_name(language, role).lower()):
            return role
    return written


def _problem(asked: Account, taken: Collection[str], language: Language) -> str:
    try:
        account = new_account(asked.name, asked.title, asked.role)
        if account.name in taken:
            raise account_exists(account.name)
    except Refused as refused:
        refusal = in_language(language, refused)
        return f"{refusal.sentence} {refusal.next_step}".strip()
    return ""
