"""Certificates are about one text and one state of the code; what is shown as proved rests on them."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import msgspec
import pytest

import lammer as library
from lammer.coverage import coverage_json, proved_sentence
from lammer.proof import certificates
from lammer.proof.certificates import kept_certificate, proved_theorems, read_certificate
from lammer.proof.theorems import NAMES
from lammer.shelf import shelf, shipped_ids
from support.terminal import Terminal

BOOK = "tiger-buffalo-noncommission-insurance@3"


@pytest.mark.parametrize("name", shipped_ids())
def test_the_certificate_that_ships_is_about_this_text_and_this_code(name: str) -> None:
    """If this fails nothing need be wrong: `make proofs` proves everything anew, in two minutes or so."""
    book = library.rulebook(name)
    certificate = kept_certificate(book)
    assert certificate is not None
    assert certificate.problems_with(book) == ()
    assert tuple(one.name for one in certificate.theorems) == NAMES
    verdicts = {said.verdict for one in certificate.theorems for said in one.problems}
    assert verdicts <= {"unsat", "unknown"}
    by_z3 = [said for one in certificate.theorems for said in one.problems if said.solver == "z3"]
    assert {said.verdict for said in by_z3} == {"unsat"}


def test_what_is_proved_is_read_from_the_certificate_and_goes_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = library.rulebook(BOOK)
    certificate = kept_certificate(book)
    assert certificate is not None
    monkeypatch.setattr(certificates, "code_sha256", lambda: certificate.code_sha256)
    proved = proved_theorems(book)
    assert proved is not None
    assert "insurance" in proved["4.2.1.a"]
    assert "table-of-play" in proved["3.15"]
    report = coverage_json(book)
    assert report["summary"]["proved"] == len(proved)
    monkeypatch.setattr(certificates, "code_sha256", lambda: "another state of the code")
    assert proved_theorems(book) is None
    report = coverage_json(book)
    assert report["summary"]["proved"] is None
    assert {row["proved"] for row in report["paragraphs"]} == {None}
    assert "No certificate" in proved_sentence(report)


def test_a_certificate_is_checked_against_text_and_code(lammer: Terminal, tmp_path: Path) -> None:
    made = tmp_path / "proof.json"
    smt = tmp_path / "smt"
    ran = lammer("rulebook", "prove", BOOK, "--theorem", "insurance", "-o", str(made), "--smt", str(smt))
    assert ran.code == 0
    assert "1 of 1 theorems proved" in ran.out
    assert lammer("rulebook", "prove", "--check", str(made)).code == 0
    certificate = read_certificate(made.read_bytes())
    (written,) = smt.iterdir()
    (said,) = certificate.theorems[0].problems
    text = written.read_text("utf-8")
    assert "(check-sat)" in text
    assert said.sha256 == hashlib.sha256(text.encode()).hexdigest()
    other = msgspec.structs.replace(certificate, rulebook_sha256="0" * 64, code_sha256="1" * 64)
    made.write_bytes(msgspec.json.encode(other))
    ran = lammer("rulebook", "prove", "--check", str(made))
    assert ran.code == 1
    assert ran.out.count("does not hold") == 2
    (proved,) = certificate.theorems
    forged = msgspec.structs.replace(proved, says="Everything.", verdict="broken")
    unknown = msgspec.structs.replace(proved, name="riemann")
    for theorems, wrong in (((), 1), ((forged,), 2), ((unknown,), 1)):
        made.write_bytes(msgspec.json.encode(msgspec.structs.replace(certificate, theorems=theorems)))
        ran = lammer("rulebook", "prove", "--check", str(made))
        assert ran.code == 1
        assert ran.out.count("does not hold") == wrong


def test_a_broken_theorem_writes_a_scenario_and_says_how_to_play_it(lammer: Terminal, tmp_path: Path) -> None:
    text = (Path(library.__file__).parent / "rulebook" / "documents" / f"{BOOK}.toml").read_text("utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(', tie_wins = "4.2.1.a"', ""), "utf-8")
    options = ("--theorem", "insurance", "--scenarios", str(tmp_path))
    ran = lammer("rulebook", "prove", str(file), *options)
    assert ran.code == 1
    assert "can never be won" in ran.out
    (scenario,) = tmp_path.glob("insurance.*.toml")
    assert "place_insurance" in str(tomllib.loads(scenario.read_text("utf-8")))
    assert f"lammer play {scenario}" in ran.out
    played = lammer("play", str(scenario))
    assert played.code == 0


def test_what_is_asked_wrongly_is_said(lammer: Terminal, tmp_path: Path) -> None:
    assert lammer("rulebook", "prove").code == 2
    assert lammer("rulebook", "prove", BOOK, "--solver", "abacus").code == 2
    ran = lammer("rulebook", "prove", BOOK, "--theorem", "riemann")
    assert ran.code == 1
    assert "unknown_theorem" in ran.err
    (tmp_path / "no.json").write_text("{}")
    ran = lammer("rulebook", "prove", "--check", str(tmp_path / "no.json"))
    assert ran.code == 1
    assert "not_a_certificate" in ran.err


def test_every_rulebook_on_the_shelf_has_a_certificate_and_no_other() -> None:
    folder = Path(certificates.__file__).parent / "certificates"
    assert {file.stem for file in folder.glob("*.json")} == {book.id for book in shelf()}
