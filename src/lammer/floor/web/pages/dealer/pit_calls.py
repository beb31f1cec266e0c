"""Calls to the pit as pages show them: why, by whom, since when, and who may answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from lammer.floor.tables.least_role import least_role
from lammer.floor.web.pages.site.moments import age, milliseconds
from lammer.rulebook.vocabulary import ROLES
from lammer.table.state import PitCall, Table
from lammer.wording.catalogues import Language, say
from lammer.wording.events import PIT_REASONS


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call that nobody has answered; `since` is in milliseconds, for a clock that goes on by itself."""

    number: int
    reason: str
    by: str
    age: str
    since: int


def shown_calls(calls: Iterable[PitCall], now: datetime, language: Language) -> list[ShownCall]:
    """Calls in a reader's language, the oldest first."""
    return [
        ShownCall(
            call.number,
            say(language, call.reason),
            call.by,
            age(partial(say, language), now - call.at),
            milliseconds(call.at),
        )
        for call in calls
    ]


def calls_at(table: Table, now: datetime, language: Language) -> list[ShownCall]:
    """The calls at one table."""
    return shown_calls(table.pit_calls.values(), now, language)


def reasons(language: Language) -> list[tuple[str, str]]:
    """What the pit is called for most: what is written down, and what the button says."""
    t = partial(say, language)
    return [(reason, t(reason)) for reason in PIT_REASONS]


def may_answer(role: str) -> bool:
    """Whether somebody of that role may say that a call was seen to.

    >>> may_answer("dealer"), may_answer("pit_supervisor")
    (False, True)
    """
    return role in ROLES and ROLES.index(role) >= ROLES.index(least_role("answer_pit_call"))
