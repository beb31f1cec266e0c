"""`lammer verify`, `program write`, `backup`, `restore`, `export`: for auditors and keepers of machines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, err, out, say_json, table as grid
from lammer.cli.exit_codes import REFUSED
from lammer.lab.extras import needs
from lammer.rulebook.refusal import Refused
from lammer.shelf import KEPT, books_by_id

if TYPE_CHECKING:
    from lammer.floor.record.contract import Record
    from lammer.floor.settings import Settings
    from lammer.rulebook.model import Rulebook
    from lammer.transparency.notes import Note

Data = Annotated[str | None, typer.Option(metavar="FOLDER", help="Folder of the house.")]
Where = Annotated[str | None, typer.Option("--store", metavar="URL", help="Where the record is kept.")]
Tables = Annotated[
    list[str] | None, typer.Option("--table", metavar="TABLE", help="Only this table; may be repeated.")
]


program_app = typer.Typer(no_args_is_help=True, help="The program's own files, as a signed manifest.")


@program_app.callback()
def _program_options() -> None:
    """The program's own files, as a signed manifest."""


@contextmanager
def _record(data: str | None, store: str | None) -> Iterator[tuple[Record, Settings]]:
    with needs("floor"):
        from lammer.floor.record.store.opening import open_record  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    settings = Settings.read(data=data, store=store)
    with closing(open_record(settings.record)) as record:
        yield record, settings


def _books(folders: tuple[str, ...], record: Record) -> dict[str, Rulebook]:
    """Every rulebook a record may have been played under: those that ship, one's own, those kept in it."""
    from lammer.floor.tables.kept_rulebooks import kept_books  # noqa: PLC0415

    return books_by_id(*folders) | kept_books(record)


def _moment(text: str) -> datetime | None:
    """A date, or a date and a time; without a zone it is UTC."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Refused(
            "malformed_input",
            "{text} is no time.",
            next_step="Write 2026-11-15 or 2026-11-15T18:00.",
            text=repr(text[:40]),
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def verify(
    data: Data = None,
    store: Where = None,
    tables: Tables = None,
    since: Annotated[str, typer.Option(metavar="TIME", help="Tell only what happened since.")] = "",
    checkpoints: Annotated[
        str, typer.Option(metavar="FILE", help="A copy of the checkpoints that was kept elsewhere.")
    ] = "",
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A public key that may have signed, instead of the house's own."),
    ] = None,
    log_checkpoint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="A checkpoint of the log that was kept elsewhere; may be repeated."
        ),
    ] = None,
    certificate: Annotated[
        str,
        typer.Option(metavar="FILE", help="Check this certificate of training instead of the record."),
    ] = "",
    program: Annotated[
        bool, typer.Option("--program", help="Check the program's own files instead of the record.")
    ] = False,
    manifest: Annotated[
        str,
        typer.Option(
            "--manifest",
            metavar="FILE",
            help="With --program: a manifest somebody else signed; needs no house.",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Work everything out anew from the events alone, and say what does not match, to the event."""
    if certificate:
        _verify_certificate(certificate, data, store, key or [], as_json=as_json)
        return
    if program or manifest:
        _verify_program(manifest, data, store, key or [], as_json=as_json)
        return
    with _record(data, store) as (record, settings):
        from lammer.floor.record.log.log_secrets import known_secrets  # noqa: PLC0415
        from lammer.floor.record.verify.verify import trusted_keys, verify as verify_record  # noqa: PLC0415
        from lammer.floor.record.verify.verify_elsewhere import Elsewhere  # noqa: PLC0415

        books_there = partial(_books, (settings.rulebooks, str(settings.folder / KEPT)))
        if checkpoints and not Path(checkpoints).is_file():
            raise Refused("malformed_input", "There is no file {checkpoints}.", checkpoints=checkpoints)
        verification = verify_record(
            record,
            books_there(record),
            tables=tuple(tables or ()),
            since=_moment(since),
            checkpoints=Path(checkpoints) if checkpoints else settings.folder / "checkpoints.jsonl",
            trusted=trusted_keys(settings.folder, map(Path, key or ())),
            every=settings.checkpoint_seconds,
            elsewhere=Elsewhere(str(settings.record), books_there),
            secrets=known_secrets(settings.folder),
            held=[_held_note(file) for file in log_checkpoint or ()],
        )
    if as_json:
        say_json(
            {
                "holds": verification.holds,
                "checkpoints": verification.checkpoints,
                "tail": verification.tail,
                "wrong": verification.wrong,
                "tables": verification.tables,
                "log": verification.log,
            }
        )
    else:
        rows = []
        for table in verification.tables:
            holds = "DOES NOT HOLD" if table.wrong else "holds"
            rows.append((table.table, f"{table.events:,}", f"{table.rounds:,}", holds))
        out.print(grid(("table", "events", "rounds", "verified"), rows))
        out.print(
            f"{verification.checkpoints} checkpoints {'hold' if not verification.wrong else 'DO NOT HOLD'}"
        )
        log, tail = verification.log, verification.tail
        out.print(f"{log.entries:,} entries of the log")
        if log.blind:
            out.print(
                f"{log.blind:,} of them could not be opened: the secret they were blinded with is not here"
            )
        if tail.events:
            out.print(f"{tail.events:,} events, {tail.seconds:,.0f} seconds, after the last checkpoint")
        for wrong in (verification.wrong, *(table.wrong for table in verification.tables)):
            for problem in wrong:
                err.print(escape(problem))
    if not verification.holds:
        raise typer.Exit(REFUSED)


def _held_note(file: str) -> Note:
    """A checkpoint of the log from a file."""
    from lammer.transparency.notes import Note, Unreadable  # noqa: PLC0415
    from lammer.transparency.tree_heads import TreeHead  # noqa: PLC0415

    try:
        note = Note.read(Path(file).read_bytes())
        TreeHead.read(note.text)
    except (OSError, Unreadable) as error:
        raise Refused(
            "malformed_input", "{file} is no checkpoint of a log: {why}.", file=file, why=error
        ) from None
    return note


def _verify_certificate(
    file: str, data: str | None, store: str | None, keys: list[str], *, as_json: bool
) -> None:
    """Check who signed a certificate, and grade its answers once more."""
    with needs("floor"):
        from lammer.floor.record.certificates import check_certificate, read_certificate  # noqa: PLC0415
        from lammer.floor.record.verify.verify import trusted_keys  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    if not Path(file).is_file():
        raise Refused("malformed_input", "There is no file {certificate}.", certificate=file)
    settings = Settings.read(data=data, store=store)
    contents = Path(file).read_bytes()
    read = read_certificate(contents)
    wrong = check_certificate(
        contents,
        trusted_keys(settings.folder, map(Path, keys)),
        books_by_id(settings.rulebooks, settings.folder / KEPT),
    )
    if as_json:
        say_json({"holds": not wrong, "wrong": wrong, "certificate": read})
    else:
        holds = "DOES NOT HOLD" if wrong else "holds"
        out.print(escape(f"{read.person}, {read.rulebook}: {read.right} of {read.asked} right; it {holds}"))
        for problem in wrong:
            err.print(escape(problem))
    if wrong:
        raise typer.Exit(REFUSED)


def _verify_program(
    manifest: str, data: str | None, store: str | None, keys: list[str], *, as_json: bool
) -> None:
    """Hold the program's files against a manifest: one that is handed in, or the one the house accepted."""
    with needs("floor"):
        from lammer.floor.record.manifest import (  # noqa: PLC0415
            check_signature,
            compare,
            manifest_now,
            read_manifest,
        )
        from lammer.floor.record.programs import check_programs, latest  # noqa: PLC0415
        from lammer.floor.record.verify.verify import trusted_keys  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    settings = Settings.read(data=data, store=store)
    trusted = trusted_keys(settings.folder, map(Path, keys))
    wrong: list[str] = []
    if manifest:
        if not Path(manifest).is_file():
            raise Refused("malformed_input", "There is no file {manifest}.", manifest=manifest)
        contents, whose = Path(manifest).read_bytes(), manifest
    else:
        with _record(data, store) as (record, _):
            accepted = latest(record, "accepted")
            wrong += check_programs(record)
        if accepted is None:
            raise Refused(
                "no_manifest",
                "This house has accepted no program yet.",
                next_step="Start it once (lammer serve), or name a manifest with --manifest.",
            )
        contents, whose = accepted.contents, f"accepted {accepted.at.isoformat(' ', 'seconds')}"
    expected = read_manifest(contents)
    found = manifest_now(books_by_id(), (settings.rulebooks, settings.folder / KEPT))
    differences = compare(expected, found)
    wrong += check_signature(contents, trusted)
    if as_json:
        holds = not (wrong or differences)
        say_json({"holds": holds, "build": found.build, "wrong": wrong, "differences": differences})
    else:
        holds_in_words = "IS NOT" if wrong or differences else "is"
        out.print(
            escape(f"{len(found.files)} files, build {found.build[:12]}: it {holds_in_words} as {whose}")
        )
        for problem in (*wrong, *(difference.phrase for difference in differences)):
            err.print(escape(problem))
    if wrong or differences:
        raise typer.Exit(REFUSED)


def write_program(
    file: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to put the manifest.")],
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Folder with the key that signs; made if there is none."),
    ] = None,
) -> None:
    """Write a manifest of this program, signed: a laboratory's, for houses to verify theirs against."""
    with needs("floor"):
        from lammer.floor.record.manifest import manifest_now, sign_manifest  # noqa: PLC0415
        from lammer.floor.record.signing_key import PUBLIC, house_key  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    settings = Settings.read(data=data)
    manifest = manifest_now(books_by_id(), (settings.rulebooks, settings.folder / KEPT))
    Path(file).write_bytes(sign_manifest(manifest, house_key(settings.folder)))
    out.print(escape(f"{file}: {len(manifest.files)} files, build {manifest.build[:12]}."))
    out.print(
        escape(f"Give out {settings.folder / PUBLIC} with it: lammer verify --program --manifest … --key …")
    )


program_app.command("write")(write_program)


def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to put the copy.")],
    data: Data = None,
    store: Where = None,
) -> None:
    """Copy the whole record as it stands at one moment, while the house runs."""
    with _record(data, store) as (record, _):
        from lammer.floor.record.copies import back_up  # noqa: PLC0415

        rows = back_up(record, Path(file))
    out.print(escape(f"{file}: {rows.get('events', 0):,} events, {sum(rows.values()):,} rows."))


def sealing_key(data: Data = None) -> None:
    """Put a new key first that seals shoes in the record; those before it still open what they sealed."""
    with needs("floor"):
        from lammer.floor.record.sealing import FILE, add_key, house_seals  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    settings = Settings.read(data=data)
    house_seals(settings.folder)
    name = add_key(settings.folder / FILE)
    out.print(escape(f"{settings.folder / FILE}: key {name} comes first. Restart the house."))


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A copy made by `lammer backup`.")],
    data: Data = None,
    store: Where = None,
) -> None:
    """Put a copy back into an empty record, of either kind; every chain is recomputed on the way."""
    with needs("floor"):
        from lammer.floor.record.checkpoints import FILE, level  # noqa: PLC0415
        from lammer.floor.record.copies import restore as restore_copy  # noqa: PLC0415
        from lammer.floor.record.store.opening import open_store  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    if not Path(file).is_file():
        raise Refused(
            "backup_missing", "There is no copy {file}.", next_step="Name one that is there.", file=file
        )
    settings = Settings.read(data=data, store=store)
    settings.folder.mkdir(parents=True, exist_ok=True)
    with closing(open_store(settings.record)) as record:
        rows = restore_copy(record, Path(file))
        out.print(escape(f"{settings.record}: {rows.get('events', 0):,} events restored."))
        # A file that knows of more is left as it is: what came after the copy is lost, and it says so.
        level(record, settings.folder / FILE)
    out.print(
        "The signing key and the secret of the log are not in a copy: put the files of the old folder back,"
        " or verify with --key and the house's public key."
    )


def export(
    data: Data = None,
    store: Where = None,
    tables: Annotated[
        list[str] | None, typer.Option("--table", metavar="TABLE", help="Only this table.")
    ] = None,
    rounds: Annotated[str, typer.Option(metavar="FROM-TO", help="Only these rounds: 12 or 12-40.")] = "",
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Only what happened since (a shift's start).")
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="TIME", help="Only what happened until (a shift's end).")
    ] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="A sheet instead of JSON lines.")] = False,
) -> None:
    """Events for people and other programs, on standard output: JSON lines, or CSV."""
    with _record(data, store) as (record, _):
        from lammer.floor.record.exports import Selection, export as export_events  # noqa: PLC0415

        known = record.tables()
        for name in tables or ():
            if name not in known:
                raise Refused("unknown_table", "The record has no table {name}.", name=repr(name[:40]))
        selection = Selection(
            tuple(tables or ()), rounds=_rounds(rounds), times=(_moment(since), _moment(until))
        )
        export_events(record, sys.stdout, "csv" if as_csv else "jsonl", selection)


def _rounds(text: str) -> tuple[int | None, int | None]:
    first, dash, last = text.partition("-")
    if not text:
        return None, None
    if not first.isdigit() or (dash and not last.isdigit()):
        raise Refused(
            "malformed_input", "{text} are no rounds.", next_step="Write 12 or 12-40.", text=repr(text[:40])
        )
    return int(first), int(last) if dash else int(first)
