"""`lammer play`, `lammer replay` and `lammer figures` as their users type them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.terminal import Terminal

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "guides" / "insured-six.toml"


def test_play_tells_replay_compares_figures_count(lammer: Terminal, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    told = lammer("play", str(SCRIPT), "--journal", str(journal))
    assert told.code == 0
    assert re.search(r"Insurance is open after four cards: .* pays 5 to 2\. +4\.1\.14", told.out)
    assert "Everything matches." in lammer("replay", str(journal)).out
    (document,) = lammer("play", str(SCRIPT), "--json").json
    assert document["accounts"] == {"player:p1": "25.00", "in_play": "0.00", "bank": "-25.00"}
    assert sum(float(row["amount"]) for row in document["ledger"]) == 0
    figures = lammer("figures", str(journal), "--json").json
    assert figures["rounds"] == {"settled": 1, "void": 0, "concluded": 0}
    assert figures["figures"][0]["win"] == "-25.00"
    rows = lammer("figures", str(journal), "--csv").out.splitlines()
    assert rows[1] == "total,,2,150.00,-25.00,0.00,-16.66"
    assert "1 settled" in lammer("figures", str(journal)).out


def test_a_story_is_told_in_any_language(lammer: Terminal) -> None:
    told = lammer("play", str(SCRIPT), "--language", "zh")
    assert re.search(r"保险开放（四张牌之后）：闲 6 点对庄 4 点，赔 5:2。 +4\.1\.14", told.out)
    assert "庄补牌：4 点，闲未补牌。" in told.out
    assert "庄 9 点赢闲 6 点。闲 QS 6H，庄 3D AC 5D。" in told.out
    assert re.search(r"bank +−25\.00", told.out)
    unknown = lammer("play", str(SCRIPT), "--language", "tlh")
    assert unknown.code == 2
    assert "There is no language 'tlh'; there are en, zh." in unknown.err


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
    assert "Step 5: place insurance (" in none.out, "a refusal is part of the story"
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


EXPECTED = """
[expect]
net = { p1 = "25" }
ends = "settled"
hands = { player = "QS 6H", banker = "3D AC 5D" }
"""


def test_what_a_script_expects_must_come_true(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "script.toml"
    file.write_text(SCRIPT.read_text() + EXPECTED)
    assert lammer("play", str(file)).code == 0
    file.write_text(SCRIPT.read_text() + EXPECTED.replace("25", "99.00").replace("settled", "void"))
    ran = lammer("play", str(file))
    assert ran.code == 1
    assert "Not as the script says: net of p1: expected 99.00, came 25.00" in ran.out
    assert "Not as the script says: ends: expected void, came settled" in ran.out
    (document,) = lammer("play", str(file), "--json").json
    assert document["unmet"] == [
        {"where": "net of p1", "expected": "99.00", "came": "25.00"},
        {"where": "ends", "expected": "void", "came": "settled"},
    ]


def test_a_misspelt_expectation_is_refused_before_anything_is_told(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "script.toml"
    file.write_text(SCRIPT.read_text() + EXPECTED.replace("ends", "endss"))
    ran = lammer("play", str(file))
    assert (ran.code, ran.out) == (1, "")
    assert "Refused malformed_input: expect has no endss. It may have bank, carried, cites, " in ran.err


AT_3, AT_4 = "tiger-buffalo-noncommission-insurance@3", "tiger-buffalo-noncommission@4"


def under_two(file: Path, net: str = "100.00") -> str:
    """A round that pays the same under two rulebooks, on another layout of each."""
    file.write_text(f"""
title = "A natural under two rulebooks"
rulebooks."{AT_3}" = ["4.1.1"]
rulebooks."{AT_4}" = ["4.1.1"]
layout = {{ "{AT_3}" = "C", "{AT_4}" = "A" }}
seats = {{ p1 = 1 }}
step = [
  {{ by = "dealer", do = "open_bets" }},
  {{ by = "p1", do = "place_bet", box = 1, bet = "player", stake = "100" }},
  {{ by = "dealer", do = "close_bets" }},
  {{ by = "p1", do = "place_bet", box = 1, bet = "tie", stake = "50", refused = "bets_are_closed" }},
  {{ by = "dealer", do = "deal_cards", cards = "9S 2D KH 3C" }},
  {{ by = "dealer", do = "settle" }},
]
[expect]
net.p1 = {{ "{AT_3}" = "100", "{AT_4}" = "{net}" }}
""")
    return str(file)


def test_every_rulebook_a_script_names_is_played(lammer: Terminal, tmp_path: Path) -> None:
    script = under_two(tmp_path / "script.toml")
    ran = lammer("play", script)
    assert ran.code == 0
    heads = [f"v3 · layout C · {AT_3}", f"v4 · layout A · {AT_4}"]
    assert [ran.out.count(head) for head in heads] == [1, 1]
    assert [one["rulebook"] for one in lammer("play", script, "--json").json] == [AT_3, AT_4]
    assert [one["rulebook"] for one in lammer("play", script, "--json", "--rulebook", AT_4).json] == [AT_4]
    assert heads[0] not in lammer("play", script, "--rulebook", AT_4).out


def test_one_rulebook_that_disappoints_is_enough_to_fail(lammer: Terminal, tmp_path: Path) -> None:
    script = under_two(tmp_path / "script.toml", net="99")
    ran = lammer("play", script, "--json")
    assert (ran.code, [len(one["unmet"]) for one in ran.json]) == (1, [0, 1])
    assert lammer("play", script, "--rulebook", AT_3).code == 0
    missing = lammer("play", script, "--rulebook", "tiger-buffalo-commission-insurance@3")
    assert "layout says nothing for tiger-buffalo-commission-insurance@3." in missing.err


def test_journals_of_several_rulebooks_are_several_files(lammer: Terminal, tmp_path: Path) -> None:
    script = under_two(tmp_path / "script.toml")
    assert lammer("play", script, "--journal", str(tmp_path / "night.jsonl")).code == 0
    assert sorted(file.name for file in tmp_path.glob("*.jsonl")) == [
        f"night.{AT_3}.jsonl",
        f"night.{AT_4}.jsonl",
    ]
    for file in tmp_path.glob("*.jsonl"):
        assert "Everything matches." in lammer("replay", str(file)).out
    assert lammer("play", script, "--rulebook", AT_4, "--journal", str(tmp_path / "one.jsonl")).code == 0
    assert (tmp_path / "one.jsonl").exists()


def test_a_refusal_carries_its_step_and_what_was_asked(lammer: Terminal, tmp_path: Path) -> None:
    script = under_two(tmp_path / "script.toml")
    (refusal,) = lammer("play", script, "--json").json[1]["refusals"]
    assert (refusal["step"], refusal["by"], refusal["do"]) == (4, "p1", "place_bet")
    assert refusal["asked"] == {"box": 1, "bet": "tie", "stake": "50", "player": "p1"}
    assert (refusal["refused"]["code"], refusal["refused"]["citation"]["paragraph"]) == (
        "bets_are_closed",
        "3.8",
    )
    out = lammer("play", script).out
    assert "Step 4: place bet (box 1, bet Tie, stake 50, player p1)" in out
    assert re.search(r"Refused bets_are_closed: .* +3\.8\n", out)


def test_the_script_of_the_guide_plays(lammer: Terminal, tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "guides" / "dealer.md").read_text("utf-8")
    file = tmp_path / "script.toml"
    file.write_text(guide.split("```toml\n")[1].split("```")[0])
    ran = lammer("play", str(file))
    assert (ran.code, ran.out.count("Refused bets_are_closed")) == (0, 2)
