"""Bringing a database up to date at opening, and refusing one that is not ours or from a later Lammer.

Migrations run in one transaction: a crash on the way leaves the database as it was. No settings file and
no command of Alembic's is involved.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from lammer.floor.record.schema import VERSION_TABLE, full_metadata
from lammer.rulebook.refusal import Refused

FOLDER: Final = Path(__file__).parents[1] / "migrations"


def history() -> ScriptDirectory:
    """The migrations that ship with this version."""
    return ScriptDirectory(str(FOLDER), version_locations=[str(FOLDER)])


def bring_up_to_date(connection: Connection) -> None:
    """Run what is missing; the caller's transaction holds it all."""
    script = history()
    if not _lacks(connection, script):
        return
    context = _context(connection)
    missing = script.iterate_revisions("head", context.get_current_revision() or "base")
    with Operations.context(context):
        for revision in reversed(list(missing)):
            revision.module.upgrade()
    context.stamp(script, "head")


def must_be_up_to_date(connection: Connection) -> None:
    """For whoever only reads: they may not change the database, so it has to be current."""
    if _lacks(connection, history()):
        raise Refused(
            "database_out_of_date",
            "This database was not yet brought to this version of Lammer.",
            next_step="Start the server once (lammer serve); it does that at opening.",
        )


def _lacks(connection: Connection, script: ScriptDirectory) -> bool:
    """Whether migrations are missing. Refuses what cannot be brought up to date."""
    current = _context(connection).get_current_revision()
    if current is None:
        ours = full_metadata().tables.keys() & set(inspect(connection).get_table_names())
        if ours:
            raise Refused(
                "database_not_ours",
                "This database has a table {path} that Lammer did not make.",
                next_step="Name an empty database, or a new file.",
                path=repr(min(ours)),
            )
        return True
    if current not in {revision.revision for revision in script.walk_revisions()}:
        raise Refused(
            "database_too_new",
            "This database is of version {current}, which a later Lammer made;"
            " this one knows {revision} and would not read it rightly.",
            next_step="Start the Lammer that made it, or a later one.",
            current=current,
            revision=script.get_current_head(),
        )
    return current != script.get_current_head()


def _context(connection: Connection) -> MigrationContext:
    options = {"version_table": VERSION_TABLE, "transactional_ddl": True}
    return MigrationContext.configure(connection, opts=options)
