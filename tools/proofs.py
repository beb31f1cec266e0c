"""Writes the certificates that ship: every theorem of every rulebook, by z3, with cvc5 asked the same.

    make proofs

The rules page and `lammer rulebook coverage` call a paragraph proved only while the certificate of its
rulebook is about this very text and this very code. `tests/proof/test_certificates.py` fails when one is not.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace as replaced
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from lammer.proof.certificates import ProblemProved, TheoremProved, certificate_of, certificate_text
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
        certificate = certificate_of(book, findings, made)
        short = replace(certificate, theorems=tuple(map(_shortened, certificate.theorems)))
        (FOLDER / f"{book.id}.json").write_bytes(certificate_text(short))
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
    return replaced(finding, answers=(*finding.answers, *second))


def _shortened(proved: TheoremProved) -> TheoremProved:
    """A theorem with its problems added up by solver and answer; the hash is of their hashes, by name."""
    kinds: dict[tuple[str, str], list[ProblemProved]] = {}
    for said in proved.problems:
        kinds.setdefault((said.solver, said.verdict), []).append(said)
    rows = []
    for (solver, verdict), said_so in kinds.items():
        hashes = "\n".join(said.sha256 for said in sorted(said_so, key=lambda said: said.name))
        sha256 = hashlib.sha256(hashes.encode()).hexdigest()
        seconds = round(sum(said.seconds for said in said_so), 2)
        rows.append(ProblemProved(f"{len(said_so)} problems", sha256, solver, verdict, seconds))
    return replace(proved, problems=tuple(rows))


if __name__ == "__main__":
    main()
