"""`lammer rulebook prove`: theorems of a rulebook, certificates, problems for other solvers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, err, out, say_json, table
from lammer.cli.exit_codes import REFUSED, WRONG_USAGE
from lammer.proof.certificates import (
    Certificate,
    certificate_json,
    certificate_of,
    certificate_text,
    read_certificate,
)
from lammer.proof.scenarios import scenario_text
from lammer.proof.solving import SOLVERS, Problem
from lammer.proof.theorems import Finding, prove as prove_one, theorems_named
from lammer.rulebook.model import Rulebook
from lammer.shelf import rulebook, shelf


def prove(
    book_id: Annotated[
        str, typer.Argument(metavar="ID|FILE", help="A rulebook's id, or a TOML file of yours.")
    ] = "",
    theorem: Annotated[
        list[str] | None, typer.Option("--theorem", metavar="NAME", help="Only this theorem; repeatable.")
    ] = None,
    solver: Annotated[str, typer.Option(metavar="NAME", help="Who answers: z3 or cvc5.")] = SOLVERS[0],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Write a certificate here.")
    ] = "",
    smt: Annotated[
        str, typer.Option(metavar="FOLDER", help="Write every problem here, as SMT-LIB 2 for any solver.")
    ] = "",
    scenarios: Annotated[
        str, typer.Option(metavar="FOLDER", help="Where a scenario goes that breaks a theorem.")
    ] = ".",
    check: Annotated[
        str, typer.Option(metavar="FILE", help="Prove nothing: say whether this certificate holds.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Prove what a rulebook promises, for every round and every stake, or write a scenario that breaks it."""
    if solver not in SOLVERS:
        err.print(escape(f"--solver {solver!r} is not known; there are {', '.join(SOLVERS)}."))
        raise typer.Exit(WRONG_USAGE)
    if check:
        _check(check, book_id, as_json)
        return
    if not book_id:
        err.print("Name a rulebook, or a certificate to --check.")
        raise typer.Exit(WRONG_USAGE)
    book = rulebook(book_id)
    others = [other for other in shelf() if other.id != book.id]
    problems: list[Problem] = []
    findings: list[Finding] = []
    with err.status("") as status:
        for one in theorems_named(theorem or []):
            status.update(f"{book.id}: {one.name}")
            findings.append(
                prove_one(
                    one,
                    book,
                    others=others,
                    solver=solver,
                    told=lambda cases, name=one.name: status.update(f"{book.id}: {name}, {cases:,} cases"),  # type: ignore[misc]
                    keep_problems=problems.append,
                )
            )
    certificate = certificate_of(book, findings, datetime.now(UTC).isoformat(timespec="seconds"))
    if smt:
        _write_problems(Path(smt), problems)
    if output:
        _write(Path(output), certificate_text(certificate))
    written = {
        finding.theorem.name: _write_scenario(Path(scenarios), book_id, book, finding)
        for finding in findings
        if finding.counterexample is not None and finding.counterexample.scenario
    }
    if as_json:
        said = certificate_json(certificate)
        for row, finding in zip(said["theorems"], findings, strict=True):
            row |= {
                "domain": finding.theorem.domain,
                "run": finding.theorem.run,
                "assumes": finding.theorem.assumes,
            }
            row["because"] = finding.because
            found = finding.counterexample
            row["counterexample"] = (
                None
                if found is None
                else {"what": found.what, "cites": found.cites, "scenario": written.get(finding.theorem.name)}
            )
        say_json(said)
    else:
        _tell(book, findings, written, certificate)
    if any(finding.verdict != "proved" for finding in findings):
        raise typer.Exit(REFUSED)


def _tell(
    book: Rulebook, findings: Sequence[Finding], written: dict[str, str], certificate: Certificate
) -> None:
    rows = [
        (
            finding.theorem.name,
            finding.verdict,
            str(finding.theorem.says),
            f"{finding.cases:,}",
            f"{finding.seconds:.1f}",
            ", ".join(finding.paragraphs),
        )
        for finding in findings
    ]
    columns = ("theorem", "", "what it says", "cases", "seconds", "paragraphs")
    out.print(table(columns, rows, title=f"{book.id}, {next(iter(certificate.solvers))}", whole=2))
    for finding in findings if len(findings) == 1 else ():
        for what in (finding.theorem.domain, finding.theorem.run):
            out.print(escape(str(what)))
        out.print(escape(f"Assumed: {finding.theorem.assumes}"))
    for finding in findings:
        if finding.counterexample is not None:
            found = finding.counterexample
            out.print(escape(f"{finding.theorem.name} is broken ({', '.join(found.cites)}): {found.what}"))
            if finding.theorem.name in written:
                out.print(escape(f"  {written[finding.theorem.name]}"), style="dim")
        elif finding.because:
            out.print(escape(f"{finding.theorem.name} is undecided: {finding.because}"))
    seconds = sum(finding.seconds for finding in findings)
    proved = sum(finding.verdict == "proved" for finding in findings)
    out.print(f"{proved} of {len(findings)} theorems proved in {seconds:.1f} seconds.")


def _write_scenario(folder: Path, book_id: str, book: Rulebook, finding: Finding) -> str:
    """Write what breaks a theorem, under this rulebook or this file; how to play it is what comes back."""
    found = finding.counterexample
    assert found is not None
    if found.scenario["rulebook"] == book.id and Path(book_id).is_file():
        found = replace(found, scenario={**found.scenario, "rulebook": str(Path(book_id).resolve())})
    ending = "json" if found.form == "settle" else "toml"
    file = folder / f"{finding.theorem.name}.{book.id}.{ending}"
    _write(file, scenario_text(found).encode())
    return f"lammer {found.form} {file}"


def _write_problems(folder: Path, problems: Sequence[Problem]) -> None:
    for number, asked in enumerate(problems, 1):
        name = re.sub(r"[^a-z0-9@]+", "-", asked.name.lower()).strip("-")
        _write(folder / f"{number:03d}-{name}.smt2", asked.text.encode())


def _write(file: Path, text: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    except OSError as error:
        err.print(escape(f"{file} cannot be written: {error.strerror}"))
        raise typer.Exit(WRONG_USAGE) from None


def _check(file: str, book_id: str, as_json: bool) -> None:
    """Whether a certificate holds: of this text, of this code, every theorem of it proved."""
    try:
        text = Path(file).read_bytes()
    except OSError as error:
        err.print(escape(f"{file} cannot be read: {error.strerror}"))
        raise typer.Exit(WRONG_USAGE) from None
    certificate = read_certificate(text)
    book = rulebook(book_id or certificate.rulebook)
    wrong = certificate.problems_with(book)
    if as_json:
        say_json({"rulebook": book.id, "holds": not wrong, "wrong": wrong})
    elif wrong:
        out.print("\n".join(f"{file} does not hold: {why}." for why in wrong), markup=False)
    else:
        names = ", ".join(one.name for one in certificate.theorems)
        out.print(f"{file} holds of {book.id} and of this code: {names}.", markup=False)
    if wrong:
        raise typer.Exit(REFUSED)
