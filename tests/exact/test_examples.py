"""The rulebooks in examples/: short files with the figures that were published, and dealt at a table."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer import Rulebook
from lammer.lab.exact.analysis import Analysis, decimals
from lammer.lab.exact.edges import edges
from support.terminal import Terminal

ROOT = Path(__file__).parents[2]
FIGURES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))
NAMES = [name for name in FIGURES if name != "sources"]
FILES = sorted((ROOT / "examples").glob("*.toml"))
ROUNDS = sorted((ROOT / "examples/rounds").glob("*.toml"))


@cache
def book(name: str) -> Rulebook:
    return lammer.rulebook(str(ROOT / f"examples/{name}.toml"))


@cache
def analysis(name: str, decks: int) -> Analysis:
    return edges(book(name), decks=decks)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_a_short_file(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) < 200
    assert lammer.rulebook(str(file)).title


def found(name: str, row: dict[str, Any]) -> Fraction:
    """What the lab makes of a published figure, as a whole ratio."""
    bet = analysis(name, row.get("decks", 8)).bet(row["bet"])
    counted = sum(
        each.combinations
        for each in bet.outcomes
        if each.outcome == row.get("outcome", "won") and row.get("pays", str(each.pays)) == str(each.pays)
    )
    if row["as"] == "edge":
        return bet.edge * 100
    if row["as"] == "return":
        return -bet.edge
    if row["as"] == "combinations":
        return Fraction(counted)
    of = int(row["of"].replace(",", "")) if row["as"] == "share" else 1
    return Fraction(counted * of, bet.combinations)


@pytest.mark.parametrize("name", NAMES)
def test_published_figures_come_out_as_printed(name: str) -> None:
    for row in FIGURES[name]["rows"]:
        printed = row["figure"].replace(",", "")
        places = len(printed.partition(".")[2])
        value = found(name, row)
        assert Decimal(decimals(value, places)) == Decimal(printed), (row, decimals(value, places + 2))
        assert row["source"] in FIGURES["sources"], row


def test_every_source_is_used() -> None:
    assert {row["source"] for name in NAMES for row in FIGURES[name]["rows"]} == FIGURES["sources"].keys()


@pytest.mark.parametrize("file", ROUNDS, ids=lambda file: file.stem)
def test_an_example_is_dealt_at_a_table(
    file: Path, lammer: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened, bet on, dealt and settled by the table itself; the script says what has to come of it."""
    monkeypatch.chdir(ROOT)
    played = lammer("play", str(file.relative_to(ROOT)))
    assert (played.code, played.err) == (0, "")


def test_a_script_that_expects_other_money_fails(
    tmp_path: Path, lammer: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above can fail: a push is no win."""
    monkeypatch.chdir(ROOT)
    wrong = tmp_path / "wrong.toml"
    text = (ROOT / "examples/rounds/ez-baccarat.toml").read_text("utf-8")
    wrong.write_text(text.replace('p1 = "400.00"', 'p1 = "500.00"'))
    assert lammer("play", str(wrong)).code != 0


def test_every_example_of_bets_has_a_round() -> None:
    played = {tomllib.loads(file.read_text("utf-8"))["rulebook"] for file in ROUNDS}
    assert {f"examples/{name}.toml" for name in NAMES} <= played


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_has_its_words_in_chinese(file: Path) -> None:
    made = lammer.rulebook(str(file))
    assert made.titles["zh"] != made.title
    for bet in made.bets.values():
        assert bet.titles["zh"] != bet.title, bet.name
    words = made.translation("zh")
    assert words.questions.keys() == words.reasons.keys() == made.readings.keys()
    assert words.irregularities.keys() == made.irregularities.keys()
