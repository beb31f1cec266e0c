"""Which paragraph is answered by which behaviour, and by which code, tests and theorems."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import lammer
from lammer.game import answers as game_answers
from lammer.proof.certificates import proved_theorems
from lammer.rulebook import answers as rulebook_answers
from lammer.rulebook.behaviours import BEHAVIOURS
from lammer.rulebook.model import Paragraph, Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.table import answers as table_answers

ANSWERED, AWAITED, NOT_EXECUTABLE = "answered", "awaited", "not executable"
_ANSWERS = {**rulebook_answers.ANSWERS, **game_answers.ANSWERS, **table_answers.ANSWERS}
"""The functions of the rooms that answer for each behaviour."""


def code_for(behaviour: str) -> tuple[str, ...]:
    """The functions that keep a promise.

    >>> code_for("player_third_card"), code_for("unprovided_matter")
    (('lammer.game.drawing.player_draws',), ('lammer.table.corrections.rule_on_matter',))
    """
    functions = _ANSWERS.get(behaviour, ())
    return tuple(f"{function.__module__}.{function.__qualname__}" for function in functions)


def status(paragraph: Paragraph) -> str:
    """Whether a paragraph is answered in full, awaits a room, or cannot be executed."""
    if paragraph.not_executable:
        return NOT_EXECUTABLE
    return ANSWERED if all(code_for(behaviour) for behaviour in paragraph.behaviours) else AWAITED


def clause_tests(book: Rulebook) -> dict[str, tuple[str, ...]] | None:
    """The tests of each paragraph, or None where the tests are not beside the code."""
    folder = Path(lammer.__file__).parents[2] / "tests" / "paragraphs"
    file = folder / f"{book.id}.toml"
    if not file.is_file():
        return None if not folder.is_dir() else {}
    listed = tomllib.loads(file.read_text("utf-8"))
    return {number: tuple(proof["proof"] for proof in proofs) for number, proofs in listed.items()}


def coverage_json(book: Rulebook) -> dict[str, Any]:
    """The whole picture of one rulebook."""
    tests, proved = clause_tests(book), proved_theorems(book)
    rows = [
        {
            "number": paragraph.number,
            "gist": paragraph.gist,
            "status": status(paragraph),
            "behaviours": [
                {"name": name, "room": BEHAVIOURS[name].room, "code": list(code_for(name))}
                for name in paragraph.behaviours
            ],
            "not_executable": paragraph.not_executable,
            "tests": None if tests is None else list(tests.get(paragraph.number, ())),
            "proved": None if proved is None else list(proved.get(paragraph.number, ())),
        }
        for paragraph in book.paragraphs.values()
    ]
    count = {kind: sum(row["status"] == kind for row in rows) for kind in (ANSWERED, AWAITED, NOT_EXECUTABLE)}
    tested = sum(bool(row["tests"]) for row in rows)
    return {
        "rulebook": {"id": book.id, "sha256": book.sha256},
        "summary": {
            "paragraphs": len(rows),
            **count,
            "tested": None if tests is None else tested,
            "proved": None if proved is None else sum(bool(row["proved"]) for row in rows),
        },
        "paragraphs": rows,
    }


def summary_sentence(report: dict[str, Any]) -> Phrase:
    """One line that says how far we are."""
    count = report["summary"]
    executable = count["paragraphs"] - count[NOT_EXECUTABLE]
    tested = (
        Phrase("tests are not beside the code")
        if count["tested"] is None
        else Phrase("{count} with tests", count=count["tested"])
    )
    return Phrase(
        "{paragraphs} paragraphs: {answered} answered, {awaited} awaited, {others} not executable; "
        "{share}% of the executable ones answered; {tested}",
        paragraphs=count["paragraphs"],
        answered=count[ANSWERED],
        awaited=count[AWAITED],
        others=count[NOT_EXECUTABLE],
        share=100 * count[ANSWERED] // executable if executable else 100,
        tested=tested,
    )


def proved_sentence(report: dict[str, Any]) -> Phrase:
    """How many paragraphs a theorem is proved of, or that no certificate holds of this text and this code."""
    count = report["summary"]["proved"]
    if count is None:
        return Phrase("No certificate of proofs holds of this text and this code")
    return Phrase("{count} paragraphs with a theorem proved of them", count=count)
