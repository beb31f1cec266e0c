"""`lammer rulebook new`, `whole`, `schema`: a file to begin with, all it comes to, help for editors."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer
from rich.markup import escape

from lammer.cli.console import WRONG_USAGE, err, out
from lammer.rulebook.based_on import differences
from lammer.rulebook.load import load, whole_text
from lammer.rulebook.schema import schema as json_schema
from lammer.rulebook.standard import Values, completed, is_private
from lammer.rulebook.toml_text import toml_of
from lammer.shelf import read, shipped_ids, text_by_id

USUAL_BETS: Final = "player,banker,tie"
WITH_COMMISSION: Final = "tiger-buffalo-commission-insurance@3"
_KEPT_OF_A_BET: Final = ("name", "wins", "pays")
_CITING: Final = ("cite", "cites", "defined")


def new(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="What it is called: lower-case words joined by hyphens.")
    ] = "",
    base: Annotated[
        str, typer.Option("--from", metavar="ID", help="Take everything from this rulebook but what differs.")
    ] = "",
    of: Annotated[
        str, typer.Option("--of", metavar="FILE", help="With --from: keep of this file only what differs.")
    ] = "",
    bets: Annotated[
        str, typer.Option(metavar="NAMES", help="The bets, with commas; any that a shipped rulebook has.")
    ] = "",
    pays: Annotated[
        list[str], typer.Option(metavar="BET=ODDS", help="What a bet pays, e.g. tie=9:1; repeatable.")
    ] = [],  # noqa: B006 (typer makes a fresh list)
    decks: Annotated[str, typer.Option(metavar="N or N-N", help="How many decks, e.g. 8 or 6-8.")] = "",
    file: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Where to; default GAME@1.toml, - prints it."),
    ] = "",
) -> None:
    """Write a small rulebook of your own; what it leaves out is as usual, or as in another.

    Asks for the name and the bets where they are not given and somebody sits at the terminal.
    """
    if not game and sys.stdin.isatty():
        game = typer.prompt("What is the game called (lower-case words joined by hyphens)?")
        bets = bets or ("" if base else typer.prompt("Which bets, with commas?", default=USUAL_BETS))
    if not game:
        _wrong("Give the game a name, e.g. lammer rulebook new my-baccarat.")
    values: Values = {"rulebook": {"game": game} | ({"based_on": base} if base else {})}
    if of:
        values |= _differing(base, of)
    if bets or not base:
        values["bet"] = [_bet_row(name.strip()) for name in (bets or USUAL_BETS).split(",")]
    _pay(values, pays)
    if decks:
        values["cards"] = {"decks": _decks(decks)}
    text = toml_of(values)
    book = load(text, f"{game}@1.toml", lambda name: text_by_id(name, Path()))
    if file == "-":
        sys.stdout.write(text)
        return
    path = Path(file or f"{book.id}.toml")
    try:
        with path.open("x", encoding="utf-8") as there:
            there.write(text)
    except OSError as error:
        _wrong(f"{path} cannot be written: {error.strerror}.")
    name = escape(str(path))
    out.print(f"{name}: {book.id}, {len(book.bets)} bets, {len(text.splitlines())} lines.")
    out.print(f"Next: lammer rulebook check {name} · lammer edges {name}", style="dim")


def _differing(base: str, of: str) -> Values:
    """What a file says otherwise than the rulebook it is to be based on."""
    if not base:
        _wrong("--of needs --from: what it differs from.")
    read(Path(of))
    return dict(differences(_values(text_by_id(base, Path())), _values(Path(of).read_text("utf-8"))))


def _pay(values: Values, pays: list[str]) -> None:
    """Other odds, in the rows there are or in new ones that change the base's."""
    rows = {row["name"]: row for row in values.get("bet", [])}
    for pay in pays:
        name, _, odds = pay.partition("=")
        if name not in rows:
            values.setdefault("bet", []).append(rows.setdefault(name, {"name": name}))
        rows[name]["pays"] = odds


def _decks(written: str) -> Values:
    fewest, _, most = written.partition("-")
    if not (fewest.isdecimal() and (most or fewest).isdecimal()):
        _wrong(f"--decks {written!r} is neither a number nor two with a hyphen.")
    return {"fewest": int(fewest), "most": int(most or fewest)}


def whole(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A rulebook of yours.")],
    to: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; without it, it is printed.")
    ] = "",
) -> None:
    """Write out everything a small file comes to: it stands on its own and has the same SHA-256."""
    path = Path(file)
    read(path)  # Refuses what cannot be read, with every problem.
    text = whole_text(path.read_text("utf-8"), file, lambda name: text_by_id(name, path.parent))
    if to:
        Path(to).write_text(text, "utf-8")
        out.print(f"{escape(to)}: {len(text.splitlines())} lines.")
    else:
        sys.stdout.write(text)


def schema() -> None:
    """Print a JSON Schema of rulebook files, for editors that complete and check TOML."""
    sys.stdout.write(json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n")


def _values(text: str) -> Values:
    values = tomllib.loads(text)
    return completed(values)[0] if is_private(values) else values


def _bet_row(name: str) -> Values:
    """A bet as a shipped rulebook has it, without paragraphs and layouts."""
    row = next((row for row in _shipped_bets() if row["name"] == name), None)
    if row is None:
        known = dict.fromkeys(row["name"] for row in _shipped_bets())
        _wrong(f"No shipped rulebook has a bet {name!r}; they have {', '.join(known)}.")
    bet = {key: _uncited(row[key]) for key in _KEPT_OF_A_BET}
    if len(bet["pays"]) == 1 and bet["pays"][0].keys() == {"odds"}:
        bet["pays"] = bet["pays"][0]["odds"]
    return bet | ({"tie_returns": True} if "tie_returns" in row else {})


def _shipped_bets() -> Iterator[Values]:
    """Every bet of every shipped rulebook; the one with a commission first, since that is played most."""
    for name in sorted(shipped_ids(), key=lambda name: (name != WITH_COMMISSION, name)):
        yield from tomllib.loads(text_by_id(name))["bet"]


def _uncited(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _uncited(part) for key, part in value.items() if key not in _CITING}
    return [_uncited(item) for item in value] if isinstance(value, list) else value


def _wrong(sentence: str) -> NoReturn:
    err.print(escape(sentence))
    raise typer.Exit(WRONG_USAGE)
