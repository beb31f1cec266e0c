"""`lammer rulebook diff`: what changed between two rulebooks."""

from __future__ import annotations

from typing import Annotated

import typer

from lammer.cli.console import AsJson, counted, out, say_json, table
from lammer.lab.exact.side_by_side import changes_sheet
from lammer.rulebook.diff import Change, diff as changes_between, moved_paragraphs as moved_between
from lammer.shelf import rulebook


def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="The rulebook to compare from.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The rulebook to compare to.")],
    moved: Annotated[bool, typer.Option("--moved", help="Also list paragraphs that only moved.")] = False,
    as_json: AsJson = False,
) -> None:
    """What changed between two rulebooks, by meaning, with both paragraph numbers."""
    old, new = rulebook(before), rulebook(after)
    changes = changes_between(old, new)
    renumbered = moved_between(old, new)
    if as_json:
        said, shifted = ([change_json(change) for change in listed] for listed in (changes, renumbered))
        say_json({"from": old.id, "to": new.id, "changes": said, "moved": shifted})
        return
    heads = (before, after) if old.id == new.id else None
    sheet = changes_sheet(old, new, changes, heads)
    out.print(table(sheet.columns, sheet.texts()) if sheet.rows else "No change of meaning.")
    if moved:
        sheet = changes_sheet(old, new, renumbered, heads)
        out.print()
        out.print(table(("moved", *sheet.columns[1:]), sheet.texts()))
    else:
        out.print(f"{counted(len(renumbered), 'paragraph')} only moved; --moved lists them.", style="dim")


def change_json(change: Change) -> dict[str, str | None]:
    """A change for programs."""
    return {
        "kind": change.kind,
        "subject": change.subject,
        "sentence": change.sentence,
        "from": change.before or None,
        "to": change.after or None,
    }
