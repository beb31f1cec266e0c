"""`lammer settle`: a round as JSON in, its settlement out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape

from lammer.cli.console import err, out, say_json
from lammer.cli.story import settlement_table
from lammer.game.cards import parse_cards
from lammer.game.money import parse_amount, show, show_fraction
from lammer.game.settlement import Line, PlacedBet, PlacedInsurance, Settlement
from lammer.game.settlement import settle as settle_round
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side, Window
from lammer.shelf import rulebook

LARGEST_INPUT = 4_000_000
"""Bytes; ten thousand bets fit well within it."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class BetIn(msgspec.Struct, forbid_unknown_fields=True):
    """One bet as the input writes it."""

    player: Name
    box: int
    bet: str
    stake: str


class InsuranceIn(msgspec.Struct, forbid_unknown_fields=True):
    """One Insurance bet as the input writes it."""

    player: Name
    box: int
    hand: Side
    window: Window
    stake: str


class RoundIn(msgspec.Struct, forbid_unknown_fields=True):
    """The whole input."""

    rulebook: str
    layout: str
    cards: str
    bets: list[BetIn]
    insurance: list[InsuranceIn] = []
    decks: int = 8
    maximum: str | None = None
    readings: dict[str, str] = {}


def settle(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The round as JSON; - reads standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the settlement as JSON.")] = False,
) -> None:
    """Settle one round and say what each bet came to, under which paragraph."""
    settled = settle_text(_read(file))
    if as_json:
        say_json(settlement_json(settled))
    else:
        out.print(settlement_table(settled))


def settle_text(text: bytes) -> Settlement:
    """Settle a round given as JSON."""
    given = parse_round(text)
    book = rulebook(given.rulebook)
    maximum = None if given.maximum is None else parse_amount(given.maximum, "The maximum")
    return settle_round(
        book,
        given.layout,
        parse_cards(given.cards),
        [PlacedBet(b.player, b.box, b.bet, parse_amount(b.stake, f"{b.player}'s stake")) for b in given.bets],
        [
            PlacedInsurance(i.player, i.box, i.hand, i.window, parse_amount(i.stake, f"{i.player}'s stake"))
            for i in given.insurance
        ],
        decks=given.decks,
        maximum=maximum,
        readings=given.readings,
    )


def parse_round(text: bytes) -> RoundIn:
    """The input as values, or `malformed_input` naming the place and what was expected there."""
    try:
        return msgspec.json.decode(text, type=RoundIn)
    except msgspec.ValidationError as error:
        told = str(error).replace("`str`", "a string").replace("`int`", "a whole number").replace("`", "")
        if "a string, got int" in told or "a string, got float" in told:
            told += '; amounts are strings such as "100" or "47.50"'
        raise Refused("malformed_input", f"{told}.", next_step="See docs/guides/settle-a-round.md.") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused(
            "malformed_input",
            f"The input is not JSON: {error}.",
            next_step="See docs/guides/settle-a-round.md.",
        ) from None


def _read(file: str) -> bytes:
    try:
        text = sys.stdin.buffer.read(LARGEST_INPUT + 1) if file == "-" else _head(Path(file))
    except OSError as error:
        err.print(escape(f"{file} cannot be read: {error.strerror}."))
        raise typer.Exit(2) from None
    if len(text) > LARGEST_INPUT:
        raise Refused("malformed_input", f"The input is larger than {LARGEST_INPUT // 1_000_000} MB.")
    return text


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(LARGEST_INPUT + 1)


def settlement_json(settled: Settlement) -> dict[str, Any]:
    """A settlement in the shape the issue tracker and the guides describe."""
    played = settled.round
    return {
        "rulebook": {"id": settled.rulebook, "sha256": settled.sha256},
        "result": {
            "winner": played.winner,
            "player": {"cards": list(played.player.cards), "points": played.player.points},
            "banker": {"cards": list(played.banker.cards), "points": played.banker.points},
        },
        "lines": [_line_json(line) for line in settled.lines],
        "net": {player: show(cents) for player, cents in settled.net.items()},
    }


def _line_json(line: Line) -> dict[str, Any]:
    what = {"bet": line.bet} if line.window is None else {"insurance": line.bet, "window": line.window}
    return {
        "player": line.player,
        "box": line.box,
        **what,
        "stake": show(line.stake),
        "outcome": line.outcome,
        "pays": str(line.odds) if line.odds else None,
        "profit": show(line.profit),
        "commission": show(line.commission),
        "remainder": show_fraction(line.remainder),
        "returned": show(line.returned),
        "cites": [cite.paragraph for cite in line.cites],
    }
