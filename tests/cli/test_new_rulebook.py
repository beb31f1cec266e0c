"""`lammer rulebook new` writes what loads, and says of another rulebook only what differs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import lammer as library
from lammer.rulebook.diff import diff
from support.terminal import Terminal

DA_HU = "da-hu-ying-xiong-noncommission-insurance@2"
PLAIN = "tiger-buffalo-noncommission@4"
NINTH = Path(__file__).parents[2] / "docs/guides/da-hu-nine-bets.toml"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_small_file_that_loads(lammer: Terminal) -> None:
    ran = lammer("rulebook", "new", "mine", "--bets", "player,banker,big_tiger", "--decks", "6-8")
    assert ran.code == 0, ran.err
    book = library.rulebook("mine@1.toml")
    assert [*book.bets] == ["player", "banker", "big_tiger"]
    assert (book.cards.fewest_decks, book.cards.most_decks) == (6, 8)
    assert len(Path("mine@1.toml").read_text().splitlines()) < 30
    assert "exists" in lammer("rulebook", "new", "mine").err


def test_of_another_only_what_differs(lammer: Terminal) -> None:
    assert lammer("rulebook", "new", "nine", "--from", DA_HU, "--of", str(NINTH)).code == 0
    said = tomllib.loads(Path("nine@1.toml").read_text())
    assert [row["name"] for row in said["bet"]] == ["lucky_eight"]
    kinds = {change.kind for change in diff(library.rulebook(str(NINTH)), library.rulebook("nine@1.toml"))}
    assert kinds <= {"game", "identity"}


def test_other_odds_and_all_it_comes_to(lammer: Terminal) -> None:
    assert lammer("rulebook", "new", "cheap", "--from", DA_HU, "--pays", "tie=9:1").code == 0
    assert lammer("rulebook", "whole", "cheap@1.toml", "-o", "whole.toml").code == 0
    assert library.rulebook("whole.toml").sha256 == library.rulebook("cheap@1.toml").sha256
    assert str(library.rulebook("whole.toml").bets["tie"].pays[0].odds) == "9:1"


def test_bets_of_another_stay_as_they_are_there(lammer: Terminal) -> None:
    words = ("--from", PLAIN, "--bets", "player,banker,tie", "--pays", "tie=9:1")
    ran = lammer("rulebook", "new", "few", *words)
    assert ran.code == 0, ran.err
    base, few = library.rulebook(PLAIN), library.rulebook("few@1.toml")
    assert [*few.bets] == ["player", "banker", "tie"]
    paid = [[(str(pay.odds), pay.totals) for pay in book.bets["banker"].pays] for book in (base, few)]
    assert paid[0] == paid[1]
    assert str(few.bets["tie"].pays[0].odds) == "9:1"


def test_a_row_to_take_away_that_is_not_there(lammer: Terminal) -> None:
    lines = ["[rulebook]", 'game = "x"', f'based_on = "{PLAIN}"', "[[bet]]", 'name = "no"', "removed = true"]
    Path("x.toml").write_text("\n".join(lines))
    ran = lammer("rulebook", "check", "x.toml")
    assert ran.code == 1
    told = ran.out + ran.err
    assert "x.toml has 1 problem:" in told
    assert "x.toml:4: bet[1]: expected a row of the other rulebook to take away, found none" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "a name"),
        (("x", "--bets", "dragon"), "No shipped rulebook has a bet 'dragon'"),
        (("x", "--decks", "many"), "neither a number"),
        (("x", "--of", str(NINTH)), "--of needs --from"),
        (("x", "--from", "snap@1"), "There is no rulebook"),
        (("x", "--pays", "tie=9"), "odds such as"),
    ],
)
def test_what_cannot_be_written_is_told(lammer: Terminal, words: tuple[str, ...], told: str) -> None:
    ran = lammer("rulebook", "new", *words)
    assert ran.code
    assert told in " ".join(ran.err.split())
    assert not [*Path().iterdir()]


def test_what_is_missing_before_it_can_be_approved(lammer: Terminal) -> None:
    lammer("rulebook", "new", "mine")
    plain, listed = (
        lammer("rulebook", "check", "mine@1.toml"),
        lammer("rulebook", "check", "mine@1.toml", "--approval"),
    )
    assert (plain.code, "to say before it can be approved" in plain.out) == (0, True)
    assert (listed.code, "bet[1].defined" in listed.out.partition("the paragraph it stands on")[2]) == (
        1,
        True,
    )
    assert listed.out.count("its own word; the usual stands in") == 1
    assert lammer("rulebook", "check", DA_HU, "--approval").code == 0
