"""`lammer drill`: people answer line by line, programs in JSON, and both are graded by the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lammer
from lammer.academy.asking import make_item
from lammer.cli import app

BOOK = "tiger-buffalo-noncommission-insurance@3"


def drill(*args: str, answers: str = "") -> Any:
    return CliRunner().invoke(app, ["drill", *args], input=answers)


def first_item(kind: str, seed: int) -> Any:
    return make_item(lammer.rulebook(BOOK), kind, seed)


def lines(ran: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_a_right_answer_is_right_and_a_wrong_one_shows_its_paragraph() -> None:
    item = first_item("totals", 7)
    ran = drill(BOOK, "--kind", "totals", "--seed", "7", "--count", "1", answers=f"{item.answer}\n")
    assert ran.exit_code == 0
    assert "Right." in ran.stdout
    assert "1 of 1 right." in ran.stdout
    wrong = "3" if item.answer == "2" else "2"
    ran = drill(BOOK, "--kind", "totals", "--seed", "7", "--count", "1", answers=f"{wrong}\n")
    assert "Wrong. The answer:" in ran.stdout
    assert f"§ {item.paragraph}" in ran.stdout
    assert "0 of 1 right." in ran.stdout


def test_what_is_no_answer_is_asked_again() -> None:
    item = first_item("drawing", 3)
    answers = f"perhaps\n{item.answer}\n"
    ran = drill(BOOK, "--kind", "drawing", "--seed", "3", "--count", "1", answers=answers)
    assert "is not an answer to this question" in ran.stdout
    assert "1 of 1 right." in ran.stdout


def test_an_empty_line_passes_and_the_end_of_input_ends() -> None:
    ran = drill(BOOK, "--seed", "3", "--count", "5", answers="\n\n")
    assert ran.exit_code == 0
    assert ran.stdout.count("Wrong. The answer:") == 2
    assert "0 of 2 right." in ran.stdout


def test_it_is_asked_in_chinese() -> None:
    item = first_item("drawing", 3)
    ran = drill(BOOK, "--kind", "drawing", "--seed", "3", "--count", "1", "--language", "zh", answers="1\n")
    assert "谁" in ran.stdout
    assert "Who gets" not in ran.stdout
    assert item.question not in ran.stdout


def test_a_program_answers_line_by_line() -> None:
    asked = lines(drill(BOOK, "--seed", "11", "--count", "1", "--json", answers=""))
    item = make_item(lammer.rulebook(BOOK), asked[0]["kind"], asked[0]["seed"])
    assert "answer" not in asked[0]
    ran = drill(BOOK, "--seed", "11", "--count", "1", "--json", answers=f"{item.answer}\n")
    question, graded, score = lines(ran)
    assert question == asked[0]
    assert graded["right"] is True
    assert graded["cites"][0] == {"rulebook": BOOK, "paragraph": item.paragraph}
    assert score == {"asked": 1, "right": 1, "seed": 11, "rulebook": BOOK}


def test_every_kind_can_be_written_as_json() -> None:
    for kind in ("totals", "drawing", "payouts", "chips", "insurance", "differential", "cases"):
        ran = drill(BOOK, "--kind", kind, "--seed", "5", "--count", "3", "--json", answers="?\n?\n?\n")
        assert ran.exit_code == 0, ran.output
        assert [line["refused"]["code"] for line in lines(ran) if "refused" in line] == ["not_an_answer"] * 3


def test_a_wrong_answer_comes_back_soon() -> None:
    answers = "\n" * 4
    ran = drill(BOOK, "--kind", "drawing", "--seed", "21", "--count", "4", "--json", answers=answers)
    graded = [line for line in lines(ran) if "cites" in line]
    paragraphs = [line["cites"][0]["paragraph"] for line in graded]
    assert paragraphs[0] in paragraphs[2:]


def test_a_rulebook_of_ones_own_and_a_kind_it_has_no_rule_for(tmp_path: Path) -> None:
    text = Path(str(Path(lammer.__file__).parent / "rulebook/documents/tiger-buffalo-noncommission@4.toml"))
    own = tmp_path / "own.toml"
    own.write_text(text.read_text("utf-8").replace('game = "tiger-buffalo-noncommission"', 'game = "own"'))
    ran = drill(str(own), "--seed", "1", "--count", "2", answers="\n\n")
    assert ran.exit_code == 0, ran.output
    refused = drill("tiger-buffalo-noncommission@4", "--kind", "insurance")
    assert isinstance(refused.exception, lammer.Refused)
    assert refused.exception.code == "unknown_kind"


def test_a_language_there_is_not() -> None:
    assert drill(BOOK, "--language", "xx").exit_code == 2


@pytest.mark.parametrize("seconds", ["0", "3600"])
def test_timed_and_untimed(seconds: str) -> None:
    item = first_item("totals", 7)
    ran = drill(
        BOOK,
        "--kind",
        "totals",
        "--seed",
        "7",
        "--count",
        "1",
        "--seconds",
        seconds,
        answers=f"{item.answer}\n",
    )
    assert "1 of 1 right." in ran.stdout
