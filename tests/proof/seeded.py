"""One theorem, proved of the package that is on the path; what breaks it is played.

Run in a process of its own.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import lammer
from lammer.cli.settle import settle_text
from lammer.proof.differential import prove_differential
from lammer.proof.scenarios import scenario_text
from lammer.proof.theorems import prove, theorems_named
from lammer.proof.working import Broken, Counterexample, Work
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import read, shelf
from lammer.table.script import run


def broken_by(name: str, book: Rulebook, others: tuple[Rulebook, ...]) -> Counterexample | None:
    """What breaks a theorem; two bets are enough for the Differential."""
    if name == "differential":
        try:
            prove_differential(Work(book), bets=2)
        except Broken as broken:
            return broken.counterexample
        return None
    return prove(theorems_named([name])[0], book, others=others).counterexample


def play(found: Counterexample, books: dict[str, Rulebook]) -> list[str]:
    """The refusals a counterexample meets when it is played, or settled, from its file."""
    if found.form == "settle":
        try:
            settle_text(scenario_text(found).encode())
        except Refused as refused:
            return [refused.code]
        return []
    played = run(books, tomllib.loads(scenario_text(found)))
    return [step.refused.code for step in played.steps if step.refused is not None]


def main() -> None:
    name, book_id = sys.argv[1:]
    book = read(Path(book_id)) if book_id.endswith(".toml") else lammer.rulebook(book_id)
    examples = sorted(Path("examples").glob("*-insurance.toml"))
    books = (*shelf(), *map(read, examples)) if name == "versions" else (book,)
    found = None
    for one in books:
        found = found or broken_by(name, one, tuple(other for other in books if other.id != one.id))
    if found is None:
        sys.exit(f"{name} does not notice")
    refused = play(found, {one.id: one for one in (book, *books)}) if found.scenario else ["no scenario"]
    sys.stdout.write(json.dumps({"what": found.what, "cites": found.cites, "refused": refused}))


if __name__ == "__main__":
    main()
