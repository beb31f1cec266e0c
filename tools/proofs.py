"""Writes the certificates that ship: every theorem of every rulebook, by z3, with cvc5 asked the same.

    make proofs

The rules page and `lammer rulebook coverage` call a paragraph proved only while the certificate of its
rulebook is about this very text and this very code. `tests/proof/test_certificates.py` fails when one is not.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from lammer.proof.certificates import certificate_of, certificate_text
from lammer.proof.solving import Answer, answer
from lammer.proof.theorems import THEOREMS, Finding, prove
from lammer.rulebook.model import Rulebook
from lammer.shelf import shelf

FOLDER = Path(__file__).parents[1] / "src" / "lammer" / "proof" / "certificates"
SECOND_OPINION_SECONDS = 3
SECOND_OPINIONS_SECONDS = 60
"""What cvc5 has for one problem and for one theorem; what it was not asked in time is left to z3 alone."""
_ASKED: dict[str, Answer] = {}
"""What cvc5 said to a problem, by its hash: problems of no rulebook in particular come again."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for book in shelf():
        findings = [_prove(book, number) for number in range(len(THEOREMS))]
        made = datetime.now(UTC).isoformat(timespec="seconds")
        (FOLDER / f"{book.id}.json").write_bytes(certificate_text(certificate_of(book, findings, made)))
        wrong = [finding.theorem.name for finding in findings if finding.verdict != "proved"]
        if wrong:
            sys.exit(f"{book.id}: not proved: {', '.join(wrong)}")


def _prove(book: Rulebook, number: int) -> Finding:
    theorem = THEOREMS[number]
    others = [other for other in shelf() if other.id != book.id]
    finding = prove(theorem, book, others=others)
    second: list[Answer] = []
    spent = 0.0
    for said in finding.answers:
        key = said.problem.sha256
        if key not in _ASKED and spent < SECOND_OPINIONS_SECONDS:
            _ASKED[key] = answer(said.problem, "cvc5", SECOND_OPINION_SECONDS)
            spent += _ASKED[key].seconds
        if key in _ASKED:
            second.append(_ASKED[key])
    unsure = len(finding.answers) - sum(said.verdict == "unsat" for said in second)
    print(
        f"{book.id}: {theorem.name} {finding.verdict}, {finding.cases:,} cases, {finding.seconds:.1f} s; "
        f"{len(finding.answers)} problems, z3 {sum(said.seconds for said in finding.answers):.1f} s, "
        f"cvc5 {sum(said.seconds for said in second):.1f} s ({unsure} not in time)",
        flush=True,
    )
    if any(said.verdict == "sat" for said in second):
        sys.exit("cvc5 disagrees")
    return replace(finding, answers=(*finding.answers, *second))


if __name__ == "__main__":
    main()
