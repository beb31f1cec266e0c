"""`lammer play`, `lammer replay` and `lammer figures` as their users type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from terminal import Terminal

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "guides" / "insured-six.toml"


def test_play_tells_replay_compares_figures_count(lammer: Terminal, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    told = lammer("play", str(SCRIPT), "--journal", str(journal))
    assert told.code == 0
    assert "Insurance is open, four cards: player at 5:2 (4.1.14)" in told.out
    assert "Everything matches." in lammer("replay", str(journal)).out
    document = lammer("play", str(SCRIPT), "--json").json
    assert document["accounts"] == {"player:p1": "25.00", "in_play": "0.00", "bank": "-25.00"}
    assert sum(float(row["amount"]) for row in document["ledger"]) == 0
    figures = lammer("figures", str(journal), "--json").json
    assert figures["rounds"] == {"settled": 1, "void": 0, "concluded": 0}
    assert figures["figures"][0]["win"] == "-25.00"
    rows = lammer("figures", str(journal), "--csv").out.splitlines()
    assert rows[1] == "total,,2,150.00,-25.00,0.00,-16.66"
    assert "1 settled" in lammer("figures", str(journal)).out


def test_a_journal_that_was_touched_is_found_out(lammer: Terminal, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    lammer("play", str(SCRIPT), "--journal", str(journal))
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[:5] + lines[6:]))
    assert lammer("replay", str(journal)).code == 1
    journal.write_text("\n".join(line.replace('"number":7,', '"number":7 ,') for line in lines))
    assert "is not written as it would be" in lammer("replay", str(journal)).out
    paid = [
        line.replace('"profit":12500', '"profit":99900').replace('"returned":17500', '"returned":104900')
        for line in lines
    ]
    assert paid != lines
    journal.write_text("\n".join(paid))
    assert "the settlement is not what cards and bets come to" in lammer("replay", str(journal)).out
    journal.write_text("\n".join(lines[1:]))
    assert lammer("replay", str(journal)).code == 1
    journal.write_text("")
    assert "there are no events" in lammer("replay", str(journal)).out
    journal.write_text("rubbish")
    assert lammer("replay", str(journal)).code == 1
    assert lammer("replay", "missing.jsonl").code == 2
    assert lammer("play", "missing.toml").code == 2


def test_a_script_under_another_rulebook(lammer: Terminal) -> None:
    told = lammer("play", str(SCRIPT), "--rulebook", "tiger-buffalo-commission-insurance@3")
    assert "4.1.15" in told.out
    none = lammer("play", str(SCRIPT), "--rulebook", "tiger-buffalo-noncommission@4")
    assert "place_insurance: " in none.out, "a refusal is part of the story"
    assert lammer("play", str(SCRIPT), "--rulebook", "snap@1").code == 1


def test_a_rulebook_of_your_own_is_played_and_replayed(lammer: Terminal, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    own = str(ROOT / "docs" / "guides" / "da-hu-nine-bets.toml")
    assert lammer("play", str(SCRIPT), "--rulebook", own, "--journal", str(journal)).code == 0
    assert lammer("replay", str(journal)).code == 1
    assert "Everything matches." in lammer("replay", str(journal), "--rulebook", own).out


@pytest.mark.parametrize(
    "change",
    [
        "face_dwon = true",
        'limits = { minimun = "50" }',
        'limits = "5"',
        "seats = [1]",
        'step = "a"',
        '[[step]]\ndo = "open_bets"',
        '[[step]]\nby = "dealer"\ndo = "deal_cards"',
    ],
)
def test_scripts_that_are_none_are_refused(lammer: Terminal, tmp_path: Path, change: str) -> None:
    file = tmp_path / "script.toml"
    file.write_text(f'rulebook = "tiger-buffalo-noncommission@4"\nlayout = "A"\n{change}\n')
    ran = lammer("play", str(file))
    assert (ran.code, "malformed_input" in ran.err) == (1, True)


def test_what_a_script_expects_must_come_true(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "script.toml"
    file.write_text(SCRIPT.read_text() + '[expect]\nnet = { p1 = "99.00" }\n')
    ran = lammer("play", str(file))
    assert (ran.code, "p1: expected 99.00, came 25.00" in ran.out) == (1, True)
