"""The story `lammer play` tells: what staff need to know, in the words of the pit, with its paragraph."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer.cli.pit_words import words
from lammer.cli.script_story import heading, story_lines
from lammer.table.per_rulebook import rulebooks_of, under_rulebook
from lammer.table.script import ScriptRun, run

BOOKS = {book.id: book for book in lammer.shelf()}
SCENARIOS = Path(__file__).parents[1] / "scenarios"
FILES = sorted(SCENARIOS.glob("*.toml"))
AT_3 = "tiger-buffalo-noncommission-insurance@3"


def played(name: str, book: str = AT_3) -> ScriptRun:
    script: dict[str, Any] = tomllib.loads((SCENARIOS / f"{name}.toml").read_text("utf-8"))
    return run(BOOKS, under_rulebook(script, book))


def lines(done: ScriptRun) -> list[tuple[str, str]]:
    return [(sentence.text.strip(), sentence.cite) for _, sentence in story_lines(done)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_story_speaks_in_names_of_code(file: Path) -> None:
    for book in rulebooks_of(tomllib.loads(file.read_text("utf-8"))):
        for _, sentence in story_lines(played(file.stem, book)):
            # A refusal gives its code, and what was asked in the table's own sentence.
            if "Refused" not in sentence.text and "Next: " not in sentence.text:
                assert not re.findall(r"[a-z0-9]+_[a-z0-9_]+", sentence.text), sentence.text


def test_a_round_is_told_as_the_pit_would() -> None:
    done = run(
        BOOKS, tomllib.loads((SCENARIOS.parents[1] / "docs/guides/insured-six.toml").read_text("utf-8"))
    )
    assert heading(done) == (
        f"Tiger Buffalo (Non-Commission Baccarat with Insurance Plus) v3 · layout C · {AT_3}"
    )
    assert [line for line in told_plainly(done) if "sits" not in line][3:] == [
        "p1: p1 bets 100.00 on Player, box 1.",
        "dealer: No more bets.",
        "dealer: QS  3D  6H  AC    Player 6 · Banker 4 [3.10]",
        "Insurance is open after four cards: Player 6 against Banker 4 pays 5 to 2. [4.1.14]",
        "Player stands on 6. [3.15]",
        "Banker draws on 4, the Player took no card. [3.13]",
        "p1: p1 insures Player with 50.00 at 5:2, box 1. [4.1.14]",
        "dealer: Insurance after four cards is over. [5.3]",
        "5D to Banker      Banker 9 [3.13]",
        "dealer: Banker wins 9 to 6. Player QS 6H, Banker 3D AC 5D.",
        "p1  box 1  Player                      100.00  lost  −100.00 [3.16 4.1.1]",
        "p1  box 1  Insurance on Player at 5:2   50.00  won   +125.00 [4.1.14 3.11]",
        "p1         in all                                     +25.00",
    ]


def told_plainly(done: ScriptRun) -> list[str]:
    return [
        f"{who}{who and ': '}{sentence.text.strip()}{sentence.cite and f' [{sentence.cite}]'}"
        for who, sentence in story_lines(done)
    ]


def test_an_interruption_says_which_bets_established_the_outcome() -> None:
    assert (
        "An outcome is established (Big Tiger lost): round 1 is played to its end.",
        "5.4.1",
    ) in lines(played("interruption-a-placed-bet-has-lost"))
    void = [text for text, _ in lines(played("power-failure-without-an-outcome")) if "is void" in text]
    assert "A technical interruption. No outcome is established. Returned: p1 " in void[0]


def test_options_say_what_was_established() -> None:
    offered = [line for line in lines(played("hands-swapped-before-an-outcome")) if "may continue" in line[0]]
    assert offered[0][0].startswith("Cards dealt to the wrong area or the wrong person: p1")
    assert offered[0][0].endswith(" or have their bets returned. No outcome is established.")
    none = [line for line in lines(played("hands-swapped-and-decided")) if line[0].endswith("no options.")]
    assert none[0][0].startswith("An outcome is established (Player won; Banker, Tie, ")
    assert none[0][1] == "5.9"


def test_a_correction_says_cards_result_and_money_before_and_after() -> None:
    story = told_plainly(played("extra-card-struck-out"))
    start = next(n for n, line in enumerate(story) if "is corrected" in line)
    assert story[start : start + 4] == [
        "pit supervisor: Round 1 is corrected: An earlier round that did not follow the Table of Play. "
        "Banker wins 9 to 7. Player 7S KH, Banker 2D 3C 4D. "
        "Recorded before: Player 7S KH, Banker 2D 3C 5H: Player wins 7 to 0. [5.15 5.15.2 5.15.4]",
        "p1  had  +100.00  has  −100.00  difference  −200.00",
        "p2  had   −10.00  has   −10.00  difference     0.00",
        "p3  had  −100.00  has  +100.00  difference  +200.00",
    ]


def test_a_refusal_says_its_step_what_was_asked_why_not_and_what_next() -> None:
    story = told_plainly(played("no-more-bets"))
    start = next(n for n, line in enumerate(story) if "bets_are_closed" in line)
    assert re.fullmatch(r"p\d: Step \d+: place bet \(.*bet Tie.*\)", story[start - 1]), story[start - 1]
    assert re.fullmatch(r"Refused bets_are_closed: .* \[3\.8\]", story[start])
    assert story[start + 1].startswith("Next: ")


def test_a_settlement_reopened_says_why_and_what_is_taken_back() -> None:
    story = told_plainly(played("wrong-number-found-after-settlement"))
    start = next(n for n, line in enumerate(story) if "reopened" in line)
    assert story[start].startswith(
        "pit supervisor: The settlement of round 1 is reopened: A hand with a wrong number of cards"
    )
    assert story[start + 1 : start + 3] == ["p1  +100.00  is taken back", "p2  −300.00  is taken back"]


def test_bets_that_go_back_are_named() -> None:
    back = [text for text, _ in lines(played("ruling-returns-bets")) if "Returned:" in text]
    assert back == [
        "Bets go back: A matter the rules do not provide for. Returned: p1 100.00 of Banker, box 1."
    ]


def test_a_correction_that_moves_money_alone_gives_the_cards_once() -> None:
    story = told_plainly(played("insurance-on-the-wrong-side-found-in-the-next-round"))
    start = next(n for n, line in enumerate(story) if "is corrected" in line)
    assert story[start : start + 2] == [
        "dealer: Round 1 is corrected: Insurance put on the wrong side. "
        "Banker wins 9 to 7. Player 7S KH, Banker 2D 3C 4D. Cards and result are as before. [5.18]",
        "p1  had  −50.00  has  +200.00  difference  +250.00",
    ]


def test_cards_face_down_are_not_told() -> None:
    story = told_plainly(played("card-dealt-face-up"))
    assert "dealer: 2S                Player 2 [3.10]" in story
    assert story.count("dealer: A card face down to Banker. [3.10]") == 2
    assert "Bets go back: as the players chose. Returned: p1 100.00 of Player, box 1. [5.16.3]" in story


def test_words_of_names() -> None:
    assert words("void_round") == "void round"
