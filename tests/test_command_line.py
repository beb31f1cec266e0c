"""The commands as their users type them: what they print, how they refuse, how they end."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lammer.cli import console, main
from lammer.rulebook.refusal import CODES

ROOT = Path(__file__).parents[1]
NINTH = str(ROOT / "docs" / "guides" / "da-hu-nine-bets.toml")
BOOK = "tiger-buffalo-noncommission-insurance@3"
ROUND: dict[str, Any] = {
    "rulebook": BOOK,
    "layout": "C",
    "decks": 8,
    "maximum": "10000",
    "bets": [{"player": "p1", "box": 1, "bet": "player", "stake": "100"}],
    "cards": "QS 3D 6H AC 5D",
    "insurance": [{"player": "p1", "box": 1, "hand": "player", "window": "four_cards", "stake": "50"}],
}


class Ran:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal:
    """Types commands."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        console.out.width = console.PIPED_WIDTH

    def __call__(self, *words: str, stdin: bytes | None = None) -> Ran:
        self.monkeypatch.setattr(sys, "argv", ["lammer", *words])
        if stdin is not None:
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = self.capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(int(ended.value.code or 0), captured.out, captured.err)

    def settle(self, change: dict[str, Any] | bytes) -> Ran:
        text = change if isinstance(change, bytes) else json.dumps({**ROUND, **change}).encode()
        return self("settle", "-", "--json", stdin=text)


@pytest.fixture
def lammer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


def test_settle_gives_the_shape_the_guides_describe(lammer: Terminal) -> None:
    settled = lammer.settle({})
    assert settled.code == 0
    document = settled.json
    assert document["net"] == {"p1": "25.00"}
    assert document["rulebook"]["id"] == BOOK
    assert len(document["rulebook"]["sha256"]) == 64
    assert document["result"] == {
        "winner": "banker",
        "player": {"cards": ["QS", "6H"], "points": 6},
        "banker": {"cards": ["3D", "AC", "5D"], "points": 9},
    }
    bet, insurance = document["lines"]
    assert bet == {
        "player": "p1",
        "box": 1,
        "bet": "player",
        "stake": "100.00",
        "outcome": "lost",
        "pays": None,
        "profit": "0.00",
        "commission": "0.00",
        "remainder": "0.00",
        "returned": "0.00",
        "cites": ["3.16", "4.1.1"],
    }
    assert insurance == {
        "player": "p1",
        "box": 1,
        "insurance": "player",
        "window": "four_cards",
        "stake": "50.00",
        "outcome": "won",
        "pays": "5:2",
        "profit": "125.00",
        "commission": "0.00",
        "remainder": "0.00",
        "returned": "175.00",
        "cites": ["4.1.14", "3.11"],
    }


def test_settle_reads_a_file_and_tells_people(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(
        json.dumps({**ROUND, "bets": [{**ROUND["bets"][0], "player": "[red]p1[/red]"}], "insurance": []})
    )
    told = lammer("settle", str(file))
    assert told.code == 0
    assert "Banker wins 9 to 6" in told.out
    assert "[red]p1[/red]" in told.out, "a name is text, not markup"


def bets(*names: str, **more: str) -> dict[str, Any]:
    return {
        "bets": [{"player": "p1", "box": 1, "bet": name, "stake": "10", **more} for name in names],
        "insurance": [],
    }


def insured(**change: Any) -> dict[str, Any]:
    return {"insurance": [{**ROUND["insurance"][0], **change}]}


REFUSALS: list[tuple[dict[str, Any] | bytes, str, str | None]] = [
    (b"", "malformed_input", None),
    (b"{", "malformed_input", None),
    (b"[]", "malformed_input", None),
    (b"\xff\xfe{}", "malformed_input", None),
    (b"[" * 100_000, "malformed_input", None),
    (b" " * 5_000_000, "malformed_input", None),
    ({"colour": "red"}, "malformed_input", None),
    ({"bets": "player"}, "malformed_input", None),
    ({"cards": ["QS"]}, "malformed_input", None),
    ({"decks": "8"}, "malformed_input", None),
    ({"decks": 10**30}, "impossible_decks", "2.2.1"),
    ({"bets": [{"player": "", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "p\x1b[2J", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "\u200b", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "p1 ", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "x" * 65, "box": 1, "bet": "player", "stake": "1"}]}, "malformed_input", None),
    (b'{"layout": "A", "layout": "B"}', "malformed_input", None),
    ({"rulebook": "x\x00.toml"}, "unknown_rulebook", None),
    ({"readings": {"insurance_forgone": "window"}}, "unknown_reading", "5.3"),
    ({"layout": "Z", **{"maximum": "-1"}}, "unknown_layout", "2.1.1"),
    (
        {
            "maximum": None,
            **{
                "cards": "KS KD 5H 4C 4D 6S",
                "insurance": [{**ROUND["insurance"][0], "window": "third_card", "stake": "101"}],
            },
        },
        "insurance_above_original_bet",
        "3.12.2",
    ),
    (
        {"bets": [{"player": " ", "box": 1, "bet": "player", "stake": "1"}], "insurance": []},
        "not_a_player",
        None,
    ),
    (insured(window="fifth_card"), "malformed_input", None),
    ({"rulebook": "snap@1"}, "unknown_rulebook", None),
    ({"rulebook": "../../etc/passwd"}, "unknown_rulebook", None),
    ({"rulebook": "missing.toml"}, "unknown_rulebook", None),
    ({"readings": {"luck": "good"}}, "unknown_reading", None),
    ({"readings": {"rounding": "up"}}, "unknown_reading", "4.1.1"),
    ({"layout": "Z"}, "unknown_layout", "2.1.1"),
    ({"layout": "c"}, "unknown_layout", "2.1.1"),
    ({"decks": 3}, "impossible_decks", "2.2.1"),
    ({"decks": 11}, "impossible_decks", "2.2.1"),
    ({"cards": "QS 3D 6H AC 5X"}, "not_a_card", None),
    ({"cards": "QS 3D 6H AC 10D"}, "not_a_card", None),
    ({"cards": "QS QS QS QS QS QS", "decks": 4}, "impossible_card", "2.2.1"),
    ({"cards": ""}, "too_few_cards", "3.10"),
    ({"cards": "QS 3D 6H"}, "too_few_cards", "3.10"),
    ({"cards": "QS 3D 6H AC"}, "too_few_cards", "3.13"),
    ({"cards": "QS 3D 6H AC 5D 2D"}, "too_many_cards", "3.13"),
    ({"cards": "QS 3D 8H AC 5D"}, "too_many_cards", "3.15"),
    (bets("dragon"), "unknown_bet", "3.7"),
    (bets("tiger_pair"), "not_on_this_layout", "4.1.9"),
    (bets("player", stake="0"), "not_an_amount", None),
    (bets("player", stake="-5"), "not_an_amount", None),
    (bets("player", stake="1.005"), "not_an_amount", None),
    (bets("player", stake="1e3"), "not_an_amount", None),
    (bets("player", stake="1,000"), "not_an_amount", None),
    (bets("player", stake="NaN"), "not_an_amount", None),
    (bets("player", stake="١٠"), "not_an_amount", None),
    (bets("player", stake="9" * 10_000), "not_an_amount", None),
    (bets("player", stake="1000000000.01"), "amount_too_large", None),
    ({"maximum": "-1"}, "not_an_amount", None),
    ({"bets": [{"player": "p1", "box": 7, "bet": "player", "stake": "1"}]}, "no_such_box", "2.1.1.a"),
    ({"rulebook": "tiger-buffalo-noncommission@4"}, "no_insurance_here", "3.7"),
    (insured(window="third_card"), "insurance_not_on_offer", "3.12"),
    (insured(hand="banker"), "insurance_not_on_offer", "3.12"),
    (insured(box=2), "nothing_to_insure", "3.11"),
    (insured(player="p2"), "nothing_to_insure", "3.11"),
    (insured(stake="100.01"), "insurance_above_original_bet", "3.12.2"),
    (
        {"cards": "KS KD 5H 4C 4D 6S", "maximum": None, **insured(window="third_card")},
        "maximum_not_given",
        "3.12.2",
    ),
    (
        {"cards": "KS KD 5H 4C 4D 6S", "maximum": "100", **insured(window="third_card")},
        "insurance_above_share_of_maximum",
        "3.12.2",
    ),
    (
        {**bets("banker", stake="0.05"), "readings": {"rounding": "even_stakes_only"}},
        "does_not_pay_evenly",
        "4.1.1",
    ),
]


@pytest.mark.parametrize(
    ("given", "code", "paragraph"), REFUSALS, ids=[f"{n}-{r[1]}" for n, r in enumerate(REFUSALS)]
)
def test_settle_refuses(
    lammer: Terminal, given: dict[str, Any] | bytes, code: str, paragraph: str | None
) -> None:
    ran = lammer.settle(given)
    assert ran.code == 1
    refused = ran.json["refused"]
    assert refused["code"] == code
    assert refused["sentence"]
    citation = refused["citation"]
    assert (citation and citation["paragraph"]) == paragraph
    assert f"Refused {code}: " in ran.err


def test_every_code_can_be_reached() -> None:
    """The other three are reached by a defective file, by `standings` and by `in_force`, in their tests."""
    reached = {code for _, code, _ in REFUSALS}
    table = "".join(file.read_text("utf-8") for file in (ROOT / "src/lammer/table").glob("*.py"))
    at_the_table = {code for code in CODES if f'"{code}"' in table}
    assert reached | {"defective_rulebook", "no_completion", "texts_do_not_tell"} | at_the_table == set(CODES)


def test_amounts_as_numbers_are_explained(lammer: Terminal) -> None:
    for stake in (100, 100.5, None):
        ran = lammer.settle({"bets": [{"player": "p1", "box": 1, "bet": "player", "stake": stake}]})
        assert "bets[1].stake" in ran.json["refused"]["sentence"]
        assert 'like "100" or "47.50"' in ran.json["refused"]["sentence"]
    assert "47.50" not in lammer.settle({"layout": 1.5}).json["refused"]["sentence"]


def test_words_that_are_not_allowed_name_those_that_are(lammer: Terminal) -> None:
    sentence = lammer.settle(insured(window="fifth_card")).json["refused"]["sentence"]
    assert "four_cards, third_card" in sentence
    assert "decks is missing" not in sentence
    assert "there is no field colour" in lammer.settle({"colour": "red"}).json["refused"]["sentence"]


def test_a_key_given_twice_is_refused(lammer: Terminal) -> None:
    text = json.dumps(ROUND).replace('"stake": "100"', '"stake": "100", "stake": "1"').encode()
    assert "'stake' is given 2 times" in lammer.settle(text).json["refused"]["sentence"]


def test_other_readings_are_named_in_the_settlement(lammer: Terminal) -> None:
    change = {"layout": "M", "cards": "KS QD KH QC 2D 3S", **bets("tiger_pair")}
    assert "readings" not in lammer.settle(change).json
    other = lammer.settle({**change, "readings": {"twin_pair": "same_value"}}).json
    assert other["readings"] == {"twin_pair": "same_value"}
    assert other["net"] == {"p1": "1000.00"}


def test_no_bets_settle_to_nothing(lammer: Terminal) -> None:
    assert lammer.settle({"bets": [], "insurance": []}).json["net"] == {}


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
    ran = lammer.settle({"rulebook": str(bad)})
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
    assert "151 paragraphs" in lammer("rulebook", "coverage", BOOK).out


def test_a_rulebook_of_your_own_works_everywhere(lammer: Terminal) -> None:
    original = "da-hu-ying-xiong-noncommission-insurance@2"
    changes = lammer("rulebook", "diff", original, NINTH, "--json").json["changes"]
    assert {"bet added": "Lucky Eight"}.items() <= {c["kind"]: c["subject"] for c in changes}.items()
    assert "lucky_eight" in lammer("rulebook", "show", NINTH, "--layout", "A").out
    assert "lucky_eight" not in lammer("rulebook", "show", NINTH, "--layout", "C").out
    change = {"rulebook": NINTH, "layout": "A", "cards": "AS KD KH 2C 7D 3S", **bets("lucky_eight")}
    settled = lammer.settle(change).json
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
    ran = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr


SCRIPT = ROOT / "docs" / "guides" / "insured-six.toml"


def test_play_tells_replay_compares_report_counts(lammer: Terminal, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    told = lammer("play", str(SCRIPT), "--journal", str(journal))
    assert told.code == 0
    assert "Insurance is open, four cards: player at 5:2 (4.1.14)" in told.out
    assert "Everything matches." in lammer("replay", str(journal)).out
    document = lammer("play", str(SCRIPT), "--json").json
    assert document["accounts"] == {"player:p1": "25.00", "in_play": "0.00", "bank": "-25.00"}
    assert sum(float(row["amount"]) for row in document["ledger"]) == 0
    figures = lammer("report", str(journal), "--json").json
    assert figures["rounds"] == {"settled": 1, "void": 0, "concluded": 0}
    assert figures["figures"][0]["win"] == "-25.00"
    rows = lammer("report", str(journal), "--csv").out.splitlines()
    assert rows[1] == "total,,2,150.00,-25.00,0.00,-16.66"
    assert "1 settled" in lammer("report", str(journal)).out


def test_a_journal_that_was_touched_is_found_out(lammer: Terminal, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    lammer("play", str(SCRIPT), "--journal", str(journal))
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[:5] + lines[6:]))
    assert lammer("replay", str(journal)).code == 1
    journal.write_text("\n".join(line.replace('"number":7,', '"number":7 ,') for line in lines))
    assert "is not written as it would be" in lammer("replay", str(journal)).out
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


def test_the_installed_command_ends_as_it_says() -> None:
    command = Path(sys.executable).with_name("lammer")
    ran = subprocess.run([command, "settle", "-"], input=b"{}", capture_output=True, timeout=60, check=False)
    assert ran.returncode == 1
    assert b"Refused malformed_input" in ran.stderr
    assert not ran.stdout
