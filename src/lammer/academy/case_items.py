"""Items about cases: what now, who decides it, what may the players choose."""

from __future__ import annotations

from typing import Final

from lammer.academy.case_answers import PLAYERS_CHOOSE, Result
from lammer.academy.cases import CASES, Case
from lammer.academy.dice import Dice
from lammer.academy.items import Choice, Item, Words, both, cited, irregularity_title
from lammer.academy.training_table import MOST_AUTHORITY, STAFF
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.refusal import Refused
from lammer.rulebook.wording import step_words

_ROLES: Final = tuple(Choice(role, Phrase(f"{role.replace('_', ' ').title()} or above")) for role in STAFF)

_TRIES: Final = 40
"""Irregularities that are tried in search of one that can be played."""


def case_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """A case of one of the irregularities this rulebook provides for, and a question about it."""
    case = _some_case(book, dice)
    by = case.by or MOST_AUTHORITY
    result = case.table.would(by, case.do, **case.fields)
    asked = dice.pick(_questions(case, result))
    question, choices, answer = _question(case, result, asked)
    return Item(
        "cases",
        asked,
        book.id,
        seed,
        question,
        "choice",
        answer,
        _because(book, case),
        cited(*_paragraphs(book, case, result)),
        choices,
        case.table.hands,
        case.table.stakes,
        facts={
            "irregularity": case.irregularity,
            "do": case.do,
            "fields": dict(case.fields),
            "by": case.by,
            "setup": case.table.setup,
        },
        steps=tuple(case.table.steps),
    )


def _some_case(book: Rulebook, dice: Dice) -> Case:
    names = [name for name in CASES if name in book.irregularities]
    for _ in range(_TRIES):
        case = CASES[dice.pick(names)](book, dice)
        if case is not None:
            return case
    raise Refused(
        "unknown_kind",
        "No irregularity of {rulebook} can be played as a case.",
        next_step="Choose another kind of questions.",
        rulebook=book.id,
    )


def _questions(case: Case, result: Result) -> list[str]:
    if case.irregularity == "unprovided_matter":
        return ["who"]
    if case.by or not case.decided:
        return ["now"]
    if isinstance(result, Refused):
        return ["now", "players"]
    return ["now", "who", "players"]


def _question(case: Case, result: Result, asked: str) -> tuple[Phrase, tuple[Choice, ...], str]:
    if asked == "who":
        question = Phrase("{happened} From which role on may it be decided?", happened=case.happened)
        return question, _ROLES, _least_role(case, result)
    if asked == "players":
        question = Phrase("{happened} What may the players choose?", happened=case.happened)
        return question, PLAYERS_CHOOSE.choices, PLAYERS_CHOOSE.meaning(result)
    question = Phrase("{happened} What now?", happened=case.happened)
    return question, case.answers.choices, case.answers.meaning(result)


def _least_role(case: Case, result: Result) -> str:
    """The lowest role that may take the step, to the same effect as the highest."""
    meaning = case.answers.meaning(result)
    for role in STAFF:
        tried = case.table.would(role, case.do, **case.fields)
        if not isinstance(tried, Refused) and case.answers.meaning(tried) == meaning:
            return role
    return MOST_AUTHORITY


def _paragraphs(book: Rulebook, case: Case, result: Result) -> list[Citation]:
    rule = book.irregularities[case.irregularity]
    if isinstance(result, Refused):
        return [rule.cite, *([result.citation] if result.citation else [])]
    numbers = [rule.cite.paragraph]
    for event in result:
        numbers += [getattr(event, "cite", "") or "", *getattr(event, "cites", ())]
    return [book.cite(number) for number in numbers if number in book.paragraphs or number == numbers[0]]


def _because(book: Rulebook, case: Case) -> Words:
    rule = book.irregularities[case.irregularity]
    steps = Series((words for words, _ in step_words(rule)), "; ")
    says = Phrase("{title}: {steps}.", title=irregularity_title(book, rule), steps=steps)
    if rule.options is None and case.irregularity != "technical_interruption":
        return says
    stands = (
        Phrase("By the cards seen an outcome stands.")
        if case.table.table.outcome().established
        else Phrase("By the cards seen no outcome stands yet.")
    )
    return both(says, stands)
