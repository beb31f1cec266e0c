"""`lammer settle`: a round as JSON in, its settlement out."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape

from lammer.cli.console import err, out, say_json
from lammer.cli.exit_codes import WRONG_USAGE
from lammer.cli.story import settlement_table
from lammer.game.cards import parse_cards
from lammer.game.drawing import deal
from lammer.game.money import parse_amount, show, show_fraction
from lammer.game.settlement import (
    Line,
    PlacedBet,
    PlacedInsurance,
    Settlement,
    must_bear_on_settlement,
    settle as settle_round,
)
from lammer.game.shoe import must_allow_decks, must_fit
from lammer.rulebook.playing import chosen_by
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, WINDOWS, Side, Window
from lammer.shelf import rulebook

LARGEST_INPUT_BYTES = 4_000_000
"""Bytes; ten thousand bets fit well within it."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
Name = Annotated[str, msgspec.Meta(max_length=64)]


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
    decks: int | None = None
    maximum: str | None = None
    readings: dict[str, str] = {}
    draws: dict[Side, bool] = {}


def settle(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The round as JSON; - reads standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the settlement as JSON.")] = False,
) -> None:
    """Settle one round and say what each bet came to, under which paragraph."""
    settlement = settle_text(_read(file))
    if as_json:
        say_json(settlement_json(settlement))
    else:
        out.print(settlement_table(settlement))


def settle_text(text: bytes) -> Settlement:
    """Settle a round given as JSON."""
    round_input = parse_round(text)
    book = chosen_by(rulebook(round_input.rulebook), round_input.draws)
    decks = book.cards.usual_decks if round_input.decks is None else round_input.decks
    # The order in which refusals are given: rules, layout and cards come before money.
    must_bear_on_settlement(book, round_input.readings)
    book.layout(round_input.layout)
    must_allow_decks(book, decks)
    cards = parse_cards(round_input.cards)
    must_fit(book, decks, cards)
    deal(book, cards)
    maximum = None if round_input.maximum is None else parse_amount(round_input.maximum, "The maximum")
    return settle_round(
        book,
        round_input.layout,
        cards,
        [PlacedBet(bet.player, bet.box, bet.bet, _stake(bet)) for bet in round_input.bets],
        [
            PlacedInsurance(
                insurance.player, insurance.box, insurance.hand, insurance.window, _stake(insurance)
            )
            for insurance in round_input.insurance
        ],
        decks=decks,
        maximum=maximum,
        readings=round_input.readings,
    )


def _stake(bet: BetIn | InsuranceIn) -> int:
    return parse_amount(bet.stake, f"The stake of {bet.player[:40]!r}")


def parse_round(text: bytes) -> RoundIn:
    """The input as values, or `malformed_input` naming the place and what was expected there."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        if not text.strip():
            raise _malformed("The input is empty")
        round_input = msgspec.json.decode(text, type=RoundIn)
        json.loads(text, object_pairs_hook=_no_key_twice)
    except msgspec.ValidationError as error:
        raise _malformed(_plain(str(error))) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _malformed(f"The input is not JSON: {error}") from None
    return round_input


def _malformed(sentence: str) -> Refused:
    return Refused(
        "malformed_input", "{what}.", next_step="See docs/guides/settle-a-round.md.", what=sentence[:400]
    )


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, count in Counter(key for key, _ in pairs).items():
        if count > 1:
            raise _malformed(f"{key[:40]!r} is given {count} times")
    return dict(pairs)


def _plain(error: str) -> str:
    """The decoder's sentence in words a dealer knows.

    >>> _plain("Expected `str`, got `int` - at `$.bets[0].stake`")
    'bets[1].stake: expected text in quotes, got a whole number; amounts are written like "100" or "47.50"'
    >>> _plain("Object missing required field `cards`")
    'the round: cards is missing'
    """
    message, _, place = error.partition(" - at ")
    place = place.strip("`").removeprefix("$").removeprefix(".")
    place = re.sub(r"\[(\d+)\]", lambda match: f"[{int(match[1]) + 1}]", place) or "the round"
    words = {
        "str | null": "text in quotes",
        "str": "text in quotes",
        "int": "a whole number",
        "float": "a number with decimals",
        "bool": "true or false",
        "null": "nothing",
        "array": "a list",
        "object": "fields in braces",
    }
    message = re.sub(r"`([a-z |]+)`", lambda match: words.get(match[1], match[1]), message)
    message = re.sub(r"^Object missing required field (\S+)", r"\1 is missing", message.replace("`", ""))
    message = re.sub(r"^Object contains unknown field (\S+)", r"there is no field \1", message)
    message = re.sub(r"^Invalid enum value (.*)$", rf"\1 is not one of {_choices(place)}", message)
    if place.endswith(("stake", "maximum")) and "expected" in message.lower():
        message += '; amounts are written like "100" or "47.50"'
    return f"{place}: {message[:1].lower()}{message[1:]}"


def _choices(place: str) -> str:
    return ", ".join(WINDOWS if place.endswith("window") else SIDES)


def _read(file: str) -> bytes:
    try:
        if file == "-" and sys.stdin is None:
            raise OSError(0, "standard input is closed")
        text = sys.stdin.buffer.read(LARGEST_INPUT_BYTES + 1) if file == "-" else _head(Path(file))
    except (OSError, ValueError) as error:
        err.print(escape(f"{file[:200]!r} cannot be read: {getattr(error, 'strerror', None) or error}."))
        raise typer.Exit(WRONG_USAGE) from None
    if len(text) > LARGEST_INPUT_BYTES:
        raise Refused(
            "malformed_input",
            "The input is larger than {megabytes} MB.",
            megabytes=LARGEST_INPUT_BYTES // 1000000,
        )
    return text


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(LARGEST_INPUT_BYTES + 1)


def settlement_json(settlement: Settlement) -> dict[str, Any]:
    """A settlement in the shape docs/guides/settle-a-round.md describes."""
    round_ = settlement.round
    return {
        "rulebook": {"id": settlement.rulebook, "sha256": settlement.sha256},
        "result": {
            "winner": round_.winner,
            "player": {"cards": list(round_.player.cards), "points": round_.player.points},
            "banker": {"cards": list(round_.banker.cards), "points": round_.banker.points},
        },
        "lines": [_line_json(line) for line in settlement.lines],
        "net": {player: show(cents) for player, cents in settlement.net.items()},
        **({"readings": dict(settlement.readings)} if settlement.readings else {}),
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
