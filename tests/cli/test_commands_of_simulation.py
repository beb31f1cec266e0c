"""`lammer simulate` as a game mathematician types it, Ctrl-C included."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from lammer.lab import extras
from lammer.lab.output import plotting
from lammer.rulebook.refusal import Refused
from support.awaited import GUARD
from support.terminal import Terminal

BOOK = "tiger-buffalo-commission-insurance@3"
PLAIN = "tiger-buffalo-noncommission@4"
HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
"""Tests run in the background may have been told to ignore Ctrl-C; whoever sits at a terminal has not."""
LAMMER = [sys.executable, "-c", f"{HEARS}; from lammer.cli import main; main()"]
MORE_TIME = (
    f"from lammer.lab.simulation.cluster import Cluster; Cluster.__init__.__kwdefaults__['answer'] = {GUARD}"
)
PATIENT = [sys.executable, "-c", f"{MORE_TIME}; {LAMMER[-1]}"]
"""The same for a cluster that may take its time to answer: on a busy machine it does."""
DEALT_AT_A_RATE = re.compile(r"[1-9][\d,]* of [\d,]+ rounds.*[1-9][\d,]* rounds/s")
HANGS = 300
"""Seconds after which a command that has not ended will not end."""


def test_every_bet_is_told_beside_its_exact_edge(lammer: Terminal) -> None:
    told = lammer("simulate", PLAIN, "--rounds", "2e5", "--seed", "4")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"{PLAIN} · 416 cards, cut card 14 from the end · 200,000 rounds · seed 4\n")
    assert "exact edge %" in told.out
    assert "z is dealt less exact in standard errors" in told.out
    assert len(re.findall(r"^\w+ +[\d.]+ +[\d.-]+ +[\d.]+ +[+-]\d+\.\d\d", told.out, re.MULTILINE)) == 20
    assert "Insurance" not in told.out
    assert "The house's win" not in told.out


def test_a_mix_is_told_by_percentiles(lammer: Terminal) -> None:
    words = ("--mix", "banker=100,small_tiger=10", "--insure", "when-positive")
    told = lammer("simulate", BOOK, "--rounds", "250_000", *words).out
    assert "banker=100.00,small_tiger=10.00 · insured when positive" in told
    assert "Insurance when it is worth it" in told
    assert told.index("The house's win") > told.index("Insurance when it is worth it")
    assert len(re.findall(r"^10+ +\d+ +-?\d+\.\d\d", told, re.MULTILINE)) == 3
    assert "Amounts are in dollars" in told


def test_programs_read_json(lammer: Terminal) -> None:
    words = ("--rounds", "120000", "--mix", "player=10", "--insure", "when-positive", "--seed", "3")
    made = lammer("simulate", BOOK, *words, "--json").json
    assert [made[key] for key in ("rulebook", "rounds", "asked", "seed", "cut", "stopped", "insure")] == [
        BOOK,
        120_000,
        120_000,
        3,
        14,
        "",
        "when-positive",
    ]
    bet = made["bets"][0]
    assert bet.keys() == {"bet", "exact", "dealt", "standard_error", "z"}
    distance = Fraction(bet["dealt"]) - Fraction(bet["exact"])
    assert bet["z"] == pytest.approx(float(distance) / bet["standard_error"], abs=1e-4)
    assert 120_000 % Fraction(bet["dealt"]).denominator == 0
    assert {(each["hand"], each["window"]) for each in made["insurance"]} == {
        (hand, window) for hand in ("player", "banker") for window in ("four_cards", "third_card")
    }
    assert sum(each["taken"] for each in made["insured"]) > 0
    assert [(row["rounds"], row["stretches"]) for row in made["wins"]] == [
        (1000, 120),
        (10000, 12),
        (100000, 1),
    ]
    assert list(made["wins"][0]["percentiles"]) == ["1", "5", "25", "50", "75", "95", "99"]
    thousands, tens_of_thousands, _ = (float(row["mean"]) for row in made["wins"])
    assert 10 * thousands == pytest.approx(tens_of_thousands, abs=0.06), "the mean is rounded to the cent"
    again = lammer("simulate", BOOK, *words, "--threads", "1", "--json").json
    assert again == made
    assert lammer("simulate", PLAIN, "--rounds", "1e3", "--json").json["wins"] == []


def test_spreadsheets_read_csv(lammer: Terminal) -> None:
    lines = lammer("simulate", BOOK, "--rounds", "5000", "--mix", "tie=1", "--csv").out.splitlines()
    assert lines[:2] == ["# Bets", "bet,exact edge %,dealt edge %,error %,z"]
    assert "# Insurance" in lines
    assert lines[lines.index("# The house's win") + 1].startswith("rounds,stretches,1%,5%")


def test_any_shoe_and_any_cut(lammer: Terminal) -> None:
    six = lammer("simulate", PLAIN, "--rounds", "1000", "--shoe", "A=20,5=20,9=20", "--cut", "6", "--json")
    assert six.json["shoe"]["5"] == 20
    assert six.json["cut"] == 6
    assert lammer("simulate", PLAIN, "--rounds", "1000", "--decks", "10").out.count("520 cards") == 1
    guide = Path(__file__).parents[2] / "docs/guides/da-hu-nine-bets.toml"
    assert "lucky_eight" in lammer("simulate", str(guide), "--rounds", "1000").out


@pytest.mark.parametrize("mix", [(), ("--mix", "banker=100")])
def test_a_chart_is_written(lammer: Terminal, tmp_path: Path, mix: tuple[str, ...]) -> None:
    for name, begins in (("play.svg", b"<svg"), ("play.png", b"\x89PNG")):
        ran = lammer("simulate", PLAIN, "--rounds", "2e4", *mix, "--plot", str(tmp_path / name))
        assert (ran.code, ran.err) == (0, "")
        assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_chart_that_cannot_be_written_costs_no_figures(lammer: Terminal, tmp_path: Path) -> None:
    ran = lammer("simulate", PLAIN, "--rounds", "1e4", "--plot", str(tmp_path / "no" / "play.svg"))
    assert ran.code == 1
    assert "wu_dalang" in ran.out
    assert "Refused cannot_write: " in ran.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--rounds", "many"), "impossible_run"),
        (("--mix", ""), "impossible_run"),
        (("--mix", " , "), "impossible_run"),
        (("--decks", "6", "--shoe", "A=20,5=20,9=20"), "options_disagree"),
        (("--csv", "--json"), "options_disagree"),
        (("--rounds", "1.5"), "impossible_run"),
        (("--rounds", "1e-3"), "impossible_run"),
        (("--rounds", "-5"), "impossible_run"),
        (("--rounds", "nan"), "impossible_run"),
        (("--rounds", "inf"), "impossible_run"),
        (("--rounds", "1e99"), "impossible_run"),
        (("--rounds", "1e999999999"), "impossible_run"),
        (("--rounds", "0"), "impossible_run"),
        (("--rounds", "١٠"), "impossible_run"),
        (("--rounds", ""), "impossible_run"),
        (("--cut", "5"), "impossible_run"),
        (("--seed", "-1"), "impossible_run"),
        (("--device", "abacus"), "impossible_run"),
        (("--insure", "sometimes"), "impossible_run"),
        (("--threads", "2", "--cluster", "tcp://127.0.0.1:9"), "impossible_run"),
        (("--device", "cuda", "--threads", "2"), "impossible_run"),
        (("--insure", "always"), "nothing_to_insure"),
        (("--mix", "dragon=5"), "unknown_bet"),
        (("--mix", "tie=lots"), "not_an_amount"),
        (("--shoe", "A=1"), "impossible_shoe"),
        (("--decks", "11"), "impossible_shoe"),
        (("--plot", "play.doc"), "unknown_format"),
        (("--cluster", "carrier-pigeon"), "cluster_silent"),
    ],
)
def test_bad_input_is_a_sentence(lammer: Terminal, words: tuple[str, ...], code: str) -> None:
    given = words if "--rounds" in words else ("--rounds", "1e4", *words)
    ran = lammer("simulate", BOOK, *given, "--json")
    assert (ran.code, ran.json["refused"]["code"]) == (1, code)
    assert ran.json["refused"]["sentence"].endswith(".")


def test_no_insurance_where_there_is_none(lammer: Terminal) -> None:
    ran = lammer("simulate", PLAIN, "--rounds", "1e4", "--insure", "when-positive", "--json")
    assert ran.json["refused"]["code"] == "no_insurance_here"


def test_what_is_missing_is_said_before_anything_is_dealt(
    lammer: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(_name: str) -> None:
        raise Refused("extra_missing", "Charts need altair.")

    monkeypatch.setattr(plotting, "_import_or_refuse", absent)
    assert "extra_missing" in lammer("simulate", PLAIN, "--rounds", "1e15", "--plot", "play.svg").err
    with pytest.raises(Refused, match="extra_missing"), extras.needs("lab"):
        raise ImportError(name="numba")


def once_dealt(
    then: Callable[[subprocess.Popen[bytes]], object], *words: str, lammer: Sequence[str] = LAMMER
) -> tuple[int, str, str]:
    """Runs a command with a terminal for its errors, and does something once the bar shows a rate.

    It shows one when two blocks have come back; before that it cannot know any.
    """
    ours, theirs = pty.openpty()
    shown = ""
    with subprocess.Popen(
        [*lammer, *words], stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "COLUMNS": "160"}
    ) as running:
        os.close(theirs)
        # Whoever hangs is ended, and then has told nothing.
        hanging = threading.Timer(HANGS, running.kill)
        hanging.start()
        done = False
        while True:
            try:
                shown += os.read(ours, 4096).decode(errors="replace")
            except OSError:
                break  # The other end is closed.
            if not done and DEALT_AT_A_RATE.search(shown):
                then(running)
                done = True
        assert running.stdout is not None
        told = running.stdout.read().decode()
        running.wait()
        hanging.cancel()
    os.close(ours)
    return running.returncode, told, shown


def ctrl_c(running: subprocess.Popen[bytes]) -> None:
    running.send_signal(signal.SIGINT)


def test_ctrl_c_prints_what_it_has() -> None:
    code, told, shown = once_dealt(ctrl_c, "simulate", BOOK, "--rounds", "1e13", "--mix", "banker=100")
    assert code == 130
    first = told.splitlines()[0]
    dealt = re.search(r"([\d,]+) rounds of 10,000,000,000,000 asked for \(interrupted\)", first)
    assert dealt is not None
    assert int(dealt[1].replace(",", "")) >= 1_600_000
    assert "wu_dalang" in told
    assert "The house's win" in told
    assert "rounds/s" in shown
    assert "Stopped after" in shown
    assert "Traceback" not in shown


def test_ctrl_c_prints_json_too() -> None:
    code, told, _ = once_dealt(ctrl_c, "simulate", PLAIN, "--rounds", "1e13", "--json")
    made = json.loads(told)
    assert code == 130
    assert made["stopped"] == "interrupted"
    assert 0 < made["rounds"] < made["asked"] == 10**13


def test_a_cluster_is_asked_by_its_address() -> None:
    """In processes of their own, so that whatever dask says on standard error is seen."""
    distributed = pytest.importorskip("distributed")
    words = ["simulate", BOOK, "--rounds", "4e6", "--seed", "6", "--json"]
    alone = subprocess.run([*LAMMER, *words], capture_output=True, text=True, check=True)
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        host="127.0.0.1",
        silence_logs="CRITICAL",
    ) as cluster:
        address = cluster.scheduler_address
        there = [*PATIENT, *words, "--cluster", address]
        shared = subprocess.run(there, capture_output=True, text=True, check=True)
        assert shared.stderr == ""
        assert json.loads(shared.stdout) == json.loads(alone.stdout)
        long = ("simulate", BOOK, "--rounds", "1e10", "--cluster", address, "--json")
        code, told, shown = once_dealt(lambda _: cluster.close(), *long, lammer=PATIENT)
    assert code == 1
    assert "Traceback" not in shown
    assert "distributed" not in shown
    made = json.loads(told)
    assert "no longer answers" in made["stopped"]
    assert 0 < made["rounds"] < made["asked"]
    nobody = [*LAMMER, *words, "--cluster", address]
    gone = subprocess.run(nobody, capture_output=True, text=True, check=False)
    assert gone.returncode == 1
    assert json.loads(gone.stdout)["refused"]["code"] == "cluster_silent"
    assert len(gone.stderr.splitlines()) == 1
