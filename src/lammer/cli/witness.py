"""`lammer witness`: run a witness, make its key, and compare what two of them saw."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from lammer.cli.console import REFUSED, AsJson, err, out, say_json
from lammer.cli.on_demand import PLAIN
from lammer.lab.extras import needs
from lammer.rulebook.refusal import Refused

KEY: str = "witness-key.pem"
SEEN: str = "seen.log"

app = typer.Typer(
    help="See how the logs of houses grow, and sign that they only grew.",
    no_args_is_help=True,
    **PLAIN,
)

Folder = Annotated[
    Path, typer.Option("--data", metavar="FOLDER", help="Folder of the witness: key and memory.")
]
Name = Annotated[str, typer.Option(metavar="NAME", help="Name of the witness: an address without a scheme.")]


@app.command("key")
def show_key(name: Name, data: Folder = Path("witness")) -> None:
    """The public key of this witness, for the houses that list it; made now if there is none."""
    out.print(escape(_public(name, data)), soft_wrap=True)


@app.command("serve")
def serve(
    name: Name,
    log: Annotated[
        list[str], typer.Option("--log", metavar="KEY", help="Public key of a log to watch; may be repeated.")
    ],
    data: Folder = Path("witness"),
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8600,
) -> None:
    """Cosign what the logs named show to have only grown, and remember it."""
    with needs("floor"):
        import uvicorn  # noqa: PLC0415

        from lammer.floor.record.signing_key import private_key  # noqa: PLC0415
    from lammer.transparency.notes import PublicKey, Unreadable  # noqa: PLC0415
    from lammer.witness.memory import Memory  # noqa: PLC0415
    from lammer.witness.serving import Witness  # noqa: PLC0415

    logs: dict[str, tuple[PublicKey, ...]] = {}
    for text in log:
        try:
            key = PublicKey.read(text)
        except Unreadable as error:
            raise Refused(
                "malformed_input", "{text} is no key of a log: {why}.", text=repr(text), why=error
            ) from None
        logs[key.name] = (*logs.get(key.name, ()), key)
    out.print(escape(_public(name, data)), soft_wrap=True)
    with Memory(data / SEEN) as memory:
        witness = Witness(name, private_key(data / KEY), logs, memory)
        uvicorn.run(witness, host=host, port=port, log_level="warning", access_log=False, lifespan="off")


@app.command("compare")
def compare(
    one: Annotated[
        str, typer.Argument(metavar="A", help="Address of a witness, or a file with a checkpoint.")
    ],
    other: Annotated[str, typer.Argument(metavar="B", help="The same of another.")],
    log: Annotated[
        str,
        typer.Option("--log", metavar="ADDRESS", help="Address of the log, for its tiles: https://house/log"),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Say whether a log told both the same story."""
    from lammer.transparency.notes import Unreadable  # noqa: PLC0415
    from lammer.witness.comparing import compare as compare_heads, heads_in  # noqa: PLC0415

    read = None if not log else lambda path: _fetch(f"{log.rstrip('/')}/{path}")
    try:
        first, second = (heads_in(_seen_by(place)) for place in (one, other))
        compared = [
            compare_heads(first[origin], second[origin], read)
            for origin in sorted(first.keys() & second.keys())
        ]
    except Unreadable as error:
        raise Refused("malformed_input", "What was read is no checkpoint: {why}.", why=error) from None
    if as_json:
        say_json([{"log": c.origin, "sizes": [c.one.size, c.other.size], "agree": c.agree} for c in compared])
    else:
        for pair in compared:
            verdicts = {True: "one story", False: "TWO STORIES", None: "unknown; name the log with --log"}
            sizes = f"{pair.one.size:,} and {pair.other.size:,} entries"
            out.print(escape(f"{pair.origin}: {sizes}: {verdicts[pair.agree]}"), soft_wrap=True)
        if not compared:
            err.print("They have no log in common.")
    if not compared or not all(pair.agree for pair in compared):
        raise typer.Exit(REFUSED)


def _public(name: str, data: Path) -> str:
    with needs("floor"):
        from lammer.floor.record.signing_key import private_key  # noqa: PLC0415
    from lammer.transparency.notes import WITNESS, PublicKey, Unreadable  # noqa: PLC0415

    data.mkdir(parents=True, exist_ok=True)
    try:
        return PublicKey(name, WITNESS, private_key(data / KEY).public_key().public_bytes_raw()).text
    except Unreadable:
        raise Refused("malformed_input", "{name} cannot be the name of a witness.", name=repr(name)) from None


def _seen_by(place: str) -> str:
    if "://" in place:
        return _fetch(f"{place.rstrip('/')}/seen").decode()
    if not os.path.isfile(place):
        raise Refused("malformed_input", "There is no file {file}.", file=place)
    return Path(place).read_text("utf-8")


def _fetch(address: str) -> bytes:
    with needs("floor"):
        import httpx  # noqa: PLC0415
    try:
        return httpx.get(address, timeout=10).raise_for_status().content
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Refused(
            "malformed_input", "{address} cannot be read: {why}.", address=address, why=error
        ) from None
