"""The commands as their users type them: what they print, how they refuse, how they end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.awaited import GUARD
from support.settling import bets, settle
from support.terminal import Terminal

ROOT = Path(__file__).parents[2]

NINTH = str(ROOT / "docs" / "guides" / "da-hu-nine-bets.toml")
BOOK = "tiger-buffalo-noncommission-insurance@3"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("settle",),
        ("settle", "no-such-file.json"),
        ("settle", str(ROOT)),
        ("deal", "--seed", "x"),
        ("dela",),
        ("rulebook",),
        ("rulebook", "show"),
        ("rulebooks", "--on", "yesterday"),
        ("rulebooks", "--on", "2025-06-01"),
        ("rulebook", "coverage", BOOK, "--text", "no-such-file.txt"),
    ],
)
def test_wrong_usage_ends_with_2(lammer: Terminal, words: tuple[str, ...]) -> None:
    assert lammer(*words).code == 2


def test_rulebooks_in_force_on_a_day(lammer: Terminal) -> None:
    found = lammer("rulebooks", "--on", "2025-06-01T12:00+08:00", "--json").json
    answers = {row["game"]: row["in_force"] for row in found["in_force"]}
    assert answers == {
        "da-hu-ying-xiong-noncommission-insurance": "da-hu-ying-xiong-noncommission-insurance@2",
        "tiger-buffalo-commission-insurance": None,
        "tiger-buffalo-noncommission": None,
        "tiger-buffalo-noncommission-insurance": "tiger-buffalo-noncommission-insurance@1",
    }
    told = lammer("rulebooks", "--on", "2025-06-01T12:00+08:00").out
    assert "the texts do not tell" in told
    assert "version 2 is not among the texts" in told


def test_show_a_superseded_rulebook_says_so(lammer: Terminal) -> None:
    told = lammer("rulebook", "show", "tiger-buffalo-noncommission-insurance@1")
    assert told.code == 0
    assert "superseded by tiger-buffalo-noncommission-insurance@3" in told.out
    document = lammer("rulebook", "show", BOOK, "--layout", "M", "--json").json
    assert [bet["bet"] for bet in document["bets"]][-1] == "wu_dalang"
    assert document["superseded_by"] is None
    assert lammer("rulebook", "show", BOOK, "--layout", "Z").code == 1


def test_check_lists_every_problem_of_every_file(lammer: Terminal, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(
        Path(NINTH).read_text("utf-8").replace('"24:1"', "24.1").replace('"lucky_eight"', '"Lucky"')
    )
    ran = lammer("rulebook", "check", NINTH, str(bad), BOOK, "--json")
    assert ran.code == 1
    good, defective, shipped = ran.json
    assert (good["id"], good["problems"], shipped["problems"]) == ("da-hu-nine-bets@1", [], [])
    assert [problem["where"] for problem in defective["problems"]] == ["bet[9].name", "bet[9].pays[1].odds"]
    assert "bad.toml has 2 problems" in lammer("rulebook", "check", str(bad)).out
    ran = settle(lammer, {"rulebook": str(bad)})
    refused = ran.json["refused"]
    assert (ran.code, refused["code"], len(refused["problems"])) == (1, "defective_rulebook", 2)
    assert "Refused defective_rulebook: " in ran.err
    ran = lammer("rulebook", "check", "missing.toml", str(bad), NINTH, "--json")
    assert (ran.code, [len(result["problems"]) for result in ran.json]) == (2, [0, 2, 0])


def test_diff_shows_both_paragraphs(lammer: Terminal) -> None:
    words = ("rulebook", "diff", "tiger-buffalo-noncommission-insurance@1", BOOK)
    document = lammer(*words, "--json").json
    widened = [change for change in document["changes"] if change["kind"] == "squeeze right widened"]
    assert [(change["from"], change["to"]) for change in widened] == [("3.9", "3.9")]
    assert "5.12 -> 5.16" in lammer(*words, "--moved").out


def test_coverage_ties_paragraphs_to_behaviour_and_tests(lammer: Terminal) -> None:
    report = lammer("rulebook", "coverage", BOOK, "--json").json
    rows = {row["number"]: row for row in report["paragraphs"]}
    assert rows["4.1.4"]["tests"] == ["tigers_pay", "offered_on"]
    assert rows["3.15"]["behaviours"][0]["code"] == ["lammer.game.drawing.player_draws"]
    assert rows["5.23"]["status"] == "answered"
    assert not any(row["status"] == "awaited" for row in rows.values())
    assert rows["1.5"]["not_executable"]
    assert "152 paragraphs" in lammer("rulebook", "coverage", BOOK).out


def test_a_rulebook_of_your_own_works_everywhere(lammer: Terminal) -> None:
    original = "da-hu-ying-xiong-noncommission-insurance@2"
    changes = lammer("rulebook", "diff", original, NINTH, "--json").json["changes"]
    assert {"bet added": "Lucky Eight"}.items() <= {c["kind"]: c["subject"] for c in changes}.items()
    assert "lucky_eight" in lammer("rulebook", "show", NINTH, "--layout", "A").out
    assert "lucky_eight" not in lammer("rulebook", "show", NINTH, "--layout", "C").out
    change = {"rulebook": NINTH, "layout": "A", "cards": "AS KD KH 2C 7D 3S", **bets("lucky_eight")}
    settled = settle(lammer, change).json
    assert settled["net"] == {"p1": "240.00"}
    assert settled["lines"][0]["cites"] == ["4.1.3", "1.27"]
    assert settled["rulebook"]["id"] == "da-hu-nine-bets@1"
    assert lammer("deal", "--rulebook", NINTH, "--layout", "A", "--seed", "1").code == 0


def test_deal_is_repeatable_and_cited(lammer: Terminal) -> None:
    once, again = (lammer("deal", "--seed", "7").out for _ in range(2))
    assert once == again
    document = lammer("deal", "--seed", "7", "--json").json
    assert all(step["cite"] for step in document["story"])
    assert all(line["cites"] for line in document["lines"])
    assert lammer("deal").code == 0
    assert lammer("deal", "--layout", "Z").code == 1
    assert lammer("deal", "--decks", "2").code == 1


@pytest.mark.parametrize(
    "book", ["tiger-buffalo-noncommission@4", "da-hu-ying-xiong-noncommission-insurance@2"]
)
def test_deal_under_any_rulebook_and_seed(lammer: Terminal, book: str) -> None:
    for seed in range(25):
        assert lammer("deal", "--rulebook", book, "--seed", str(seed)).code == 0


COMMAND = str(Path(sys.executable).with_name("lammer"))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{0} settle - <&-", 2),
        ("{0} deal --seed 1 >&-", 2),
        ("{0} rulebook show {1} --json >/dev/full", 1),
        ("LC_ALL=C PYTHONUTF8=0 PYTHONIOENCODING=ascii {0} rulebook show {1} >/dev/null", 0),
        ("{0} rulebook coverage {1} | head -1", 0),
        ("{0} --version", 0),
    ],
)
def test_odd_surroundings_end_without_a_traceback(line: str, code: int) -> None:
    shell = line.format(COMMAND, BOOK)
    ran = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=GUARD, check=False)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_installed_command_ends_as_it_says() -> None:
    command = Path(sys.executable).with_name("lammer")
    ran = subprocess.run(
        [command, "settle", "-"], input=b"{}", capture_output=True, timeout=GUARD, check=False
    )
    assert ran.returncode == 1
    assert b"Refused malformed_input" in ran.stderr
    assert not ran.stdout
