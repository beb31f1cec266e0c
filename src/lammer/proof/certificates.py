"""Certificates: which theorems were proved of which rulebook, of which code, by which solver.

A certificate holds of one rulebook file and one state of the code that decides. When either changes it holds
no more, and nobody says of a paragraph that it is proved until the proofs have been made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from importlib.metadata import version
from importlib.resources.abc import Traversable
from typing import Any, Final

import msgspec

from lammer.proof.solving import SOLVERS, solver_version
from lammer.proof.theorems import THEOREMS, Finding
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused

FORMAT: Final = 1
ROOMS: Final = ("rulebook", "game", "proof")
TABLE_MODULES: Final = ("limits.py", "state.py", "corrections.py")
"""The modules of the table that decide what a theorem speaks of; the rooms count whole."""


class ProblemProved(msgspec.Struct, frozen=True):
    """One problem a solver was given: the SHA-256 of its SMT-LIB 2 text, and what was answered."""

    name: str
    sha256: str
    solver: str
    verdict: str
    seconds: float


class TheoremProved(msgspec.Struct, frozen=True):
    """What came of one theorem."""

    name: str
    says: str
    verdict: str
    paragraphs: tuple[str, ...]
    cases: int
    seconds: float
    problems: tuple[ProblemProved, ...]


class Certificate(msgspec.Struct, frozen=True):
    """What was proved of one rulebook."""

    format: int
    rulebook: str
    rulebook_sha256: str
    code_sha256: str
    lammer: str
    made: str
    solvers: dict[str, str]
    theorems: tuple[TheoremProved, ...]

    def problems_with(self, book: Rulebook) -> tuple[str, ...]:
        """What keeps this certificate from being about this rulebook and this code; nothing if it is."""
        found = []
        if self.rulebook != book.id:
            found.append(f"it is about {self.rulebook}, not {book.id}")
        if self.rulebook_sha256 != book.sha256:
            found.append(f"the rulebook it is about has another text (SHA-256 {self.rulebook_sha256})")
        if self.code_sha256 != code_sha256():
            found.append(f"the code that decides has changed (SHA-256 {self.code_sha256})")
        known = {theorem.name: theorem for theorem in THEOREMS}
        if not self.theorems:
            found.append("it is about no theorem")
        for one in self.theorems:
            theorem = known.get(one.name)
            if theorem is None:
                found.append(f"there is no theorem {one.name}")
            elif one.says != str(theorem.says) or one.paragraphs != theorem.paragraphs(book):
                found.append(f"{one.name} says something else, or of other paragraphs")
            if one.verdict != "proved":
                found.append(f"{one.name} is {one.verdict}")
            found += [
                f"{one.name}: {said.solver} found {said.name} {said.verdict}"
                for said in one.problems
                if said.verdict == "sat"
            ]
        return tuple(found)

    def proved(self) -> dict[str, tuple[str, ...]]:
        """The theorems that are proved of each paragraph."""
        by_paragraph: dict[str, tuple[str, ...]] = {}
        for one in self.theorems:
            if one.verdict == "proved":
                for number in one.paragraphs:
                    by_paragraph[number] = (*by_paragraph.get(number, ()), one.name)
        return by_paragraph


@cache
def code_sha256() -> str:
    """The SHA-256 of the code the theorems are about: name and text of every module, one after the other.

    >>> len(code_sha256())
    64
    """
    digest = hashlib.sha256()
    for name, file in sorted(_modules()):
        digest.update(f"{name}\n".encode())
        digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def _modules() -> Iterable[tuple[str, Traversable]]:
    lammer = resources.files("lammer")
    for room in ROOMS:
        for file in (lammer / room).iterdir():
            if file.name.endswith(".py"):
                yield f"{room}/{file.name}", file
    for name in TABLE_MODULES:
        yield f"table/{name}", lammer / "table" / name


def read_certificate(text: bytes) -> Certificate:
    """A certificate from its JSON, or `not_a_certificate`.

    >>> read_certificate(b"{}")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused not_a_certificate: This is no certificate of proofs: ...
    """
    try:
        certificate = msgspec.json.decode(text, type=Certificate)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _no_certificate(str(error)) from None
    if certificate.format != FORMAT:
        raise _no_certificate(f"its format is {certificate.format}")
    return certificate


def _no_certificate(why: str) -> Refused:
    return Refused(
        "not_a_certificate",
        "This is no certificate of proofs: {why}.",
        next_step="Make one with lammer rulebook prove ID -o proof.json.",
        why=why[:200],
    )


def kept_certificate(book: Rulebook) -> Certificate | None:
    """The certificate of this rulebook that ships, made by `make proofs`, if there is one."""
    file = resources.files("lammer.proof") / "certificates" / f"{book.id}.json"
    return read_certificate(file.read_bytes()) if file.is_file() else None


def proved_theorems(book: Rulebook) -> dict[str, tuple[str, ...]] | None:
    """The theorems proved of each paragraph; None where no certificate holds of this text and this code."""
    certificate = kept_certificate(book)
    if certificate is None or certificate.rulebook_sha256 != book.sha256:
        return None
    return certificate.proved() if certificate.code_sha256 == code_sha256() else None


def certificate_of(book: Rulebook, findings: Iterable[Finding], made: str) -> Certificate:
    """What these findings prove of a rulebook, made at this moment."""
    findings = tuple(findings)
    solvers = sorted({said.solver for finding in findings for said in finding.answers} or {SOLVERS[0]})
    return Certificate(
        FORMAT,
        book.id,
        book.sha256,
        code_sha256(),
        version("lammer"),
        made,
        {solver: solver_version(solver) for solver in solvers},
        tuple(_proved(finding) for finding in findings),
    )


def _proved(finding: Finding) -> TheoremProved:
    return TheoremProved(
        finding.theorem.name,
        str(finding.theorem.says),
        finding.verdict,
        finding.paragraphs,
        finding.cases,
        round(finding.seconds, 2),
        tuple(
            ProblemProved(
                said.problem.name, said.problem.sha256, said.solver, said.verdict, round(said.seconds, 2)
            )
            for said in finding.answers
        ),
    )


def certificate_text(certificate: Certificate) -> bytes:
    """A certificate as the file that is kept."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=1) + b"\n"


def certificate_json(certificate: Certificate) -> Any:
    """A certificate as plain values."""
    return msgspec.to_builtins(certificate)
