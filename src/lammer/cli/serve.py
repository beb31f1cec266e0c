"""`lammer serve`: the house, open until Ctrl-C."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import Annotated

import typer
from rich.markup import escape

from lammer.cli.console import err, out, say_json
from lammer.lab.extras import needs
from lammer.rulebook.refusal import Refused
from lammer.shelf import books_by_id


def serve(
    data: Annotated[str | None, typer.Option(metavar="FOLDER", help="Folder of the house.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the record is kept: postgresql://…")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 for any free one.")] = None,
    peer: Annotated[
        str | None, typer.Option(metavar="URL", help="How other processes of the house reach this one.")
    ] = None,
    tables: Annotated[int | None, typer.Option(help="Auto-dealt tables made at the first start.")] = None,
    test_players: Annotated[
        int | None, typer.Option(help="Test players at each auto-dealt table of a house to try out.")
    ] = None,
    clock_is_right: Annotated[
        bool,
        typer.Option(
            "--clock-is-right", help="I looked: the clock is right, however far the record's times are."
        ),
    ] = False,
    record_is_right: Annotated[
        bool,
        typer.Option(
            "--record-is-right", help="I looked: go on with a record older than its checkpoint file."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print address and links as JSON.")] = False,
) -> None:
    """Serve a house of tables. The first start makes accounts and prints one-time sign-in links.

    Every other setting is an environment variable; the reference lists them.
    """
    with needs("floor"):
        import uvloop  # noqa: PLC0415

        from lammer.floor.logs import log_to_stderr  # noqa: PLC0415
        from lammer.floor.main import RunningHouse, Vouched, serve as serve_house  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    settings = Settings.read(
        data=data, store=store, host=host, port=port, peer=peer, tables=tables, test_players=test_players
    )
    for name in Settings.unknown():
        err.print(escape(f"{name} is no setting and changes nothing; the reference lists every one."))
    books = books_by_id(settings.rulebooks)

    def announce(address: str, house: RunningHouse) -> None:
        links = [(name, role, f"{address}/link?token={token}") for name, role, token in house.links]
        if as_json:
            links_json = [dict(zip(("name", "role", "link"), row, strict=True)) for row in links]
            say_json({"address": address, "links": links_json})
            return
        out.print(f"The house is open at [bold]{escape(address)}[/bold] (Ctrl-C closes it).", soft_wrap=True)
        if links:
            out.print("Sign in by these links; each works once:")
            for name, _, link in links:
                out.print(f"  {name:<26} {escape(link)}", soft_wrap=True)

    vouched = Vouched(clock=clock_is_right, record=record_is_right)
    log_to_stderr()

    def open_house(vouched: Vouched) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve_house(settings, books, announce, vouched=vouched))

    try:
        open_house(vouched)
    except Refused as refused:
        if refused.code != "clock_in_doubt" or not _says_yes(refused.sentence, "Is this clock right?"):
            raise
        open_house(replace(vouched, clock=True))


def _says_yes(statement: str, question: str) -> bool:
    """Ask whoever sits at the terminal; where nobody does, nobody says yes."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        return False
    err.print(escape(statement))
    err.print(escape(f"{question} [y/N]"), end=" ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
