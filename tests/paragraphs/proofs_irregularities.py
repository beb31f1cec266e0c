"""Proofs about what the documents say of people and of what goes wrong, as data the table will act on."""

from __future__ import annotations

from paragraphs.clause import Clause, proof


@proof
def irregularity(c: Clause) -> None:
    """What this paragraph allows or demands, when, by whom, at whose discretion; and the options it gives.

    The paragraph that names the irregularity lists all its steps, whichever paragraph they stand in.
    """
    found = c.book.irregularities[c.facts["irregularity"]]
    assert found.cite.paragraph == c.facts["under"]
    assert found.name in c.book.paragraphs[c.number].behaviours
    steps = [
        f"{step.cite.paragraph} {step.does} {step.when} {step.by} {step.discretion}"
        for step in found.steps
        if c.number in (found.cite.paragraph, step.cite.paragraph)
    ]
    assert steps == c.facts["steps"]
    given = found.options[0] if found.options and found.options[1].paragraph == c.number else ""
    assert given == c.facts.get("options", "")


@proof
def role(c: Clause) -> None:
    assert [name for name, role in c.book.roles.items() if role.cite.paragraph == c.number] == c.facts[
        "roles"
    ]
    assert list(c.book.roles) == [
        "player",
        "dealer",
        "pit_supervisor",
        "pit_manager",
        "table_game_shift_manager",
    ]


@proof
def squeeze_right(c: Clause) -> None:
    assert (c.book.squeeze.right, c.book.squeeze.cite.paragraph) == (c.facts["right"], c.number)


@proof
def squeeze_waivers(c: Clause) -> None:
    assert c.book.squeeze.waivers == ("squeeze_banker_third_first", "expose_banker_third_first")
    assert c.book.squeeze.waiver_cite == c.book.cite(c.number)


@proof
def private_table(c: Clause) -> None:
    assert c.book.insurance is not None
    private = c.book.insurance.private_table
    assert (private.by, private.notice, private.cite.paragraph) == ("house", True, c.number)
