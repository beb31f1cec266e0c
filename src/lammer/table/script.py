"""Scripts: a set-up and commands that a pit manager can read, run against a fresh table.

    title    = "Player 6 insured, Banker draws to 9"
    proves   = ["4.1.14"]
    rulebook = "tiger-buffalo-noncommission-insurance@3"
    layout   = "C"
    limits   = { minimum = "50", differential = "10000" }
    seats    = { p1 = 1 }

    [[step]]
    by = "dealer"
    do = "open_bets"

`by` is a player's name or a role. A step may say that it is `refused`, with the code and the paragraph;
`expect` at the end says what must have come out. `rulebooks` in place of `rulebook` lists several a scenario
holds under, each with the paragraphs it proves there. Unless `entropy` is given the shoe is read, and
`deal_cards` deals several cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec

from lammer.game.money import parse_amount, show
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c
from lammer.table.journal import Entry, entries
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Table

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
COMMANDS: dict[str, type] = {
    re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower(): kind for kind in get_args(c.Command)
}
_MONEY = ("stake", "amount")
_TABLE = ("title", "proves", "rulebooks", "seats", "bank", "entropy", "step", "expect", "limits")


@dataclass(slots=True)
class Told:
    """One step of a script and what came of it."""

    by: str
    do: str
    entries: tuple[Entry, ...] = ()
    refused: Refused | None = None


@dataclass(slots=True)
class Played:
    """A script that was run: the table it left, the journal, step by step."""

    title: str
    table: Table
    journal: list[Entry] = field(default_factory=list)
    steps: list[Told] = field(default_factory=list)


def setup_of(script: Mapping[str, Any]) -> SetUp:
    """The set-up a script describes."""
    values = {key: value for key, value in script.items() if key not in _TABLE}
    given = dict(script.get("limits", {}))
    differential = parse_amount(str(given.pop("differential", "10000")))
    limits = {"original": _limits(given), "side": _limits(given)}
    for name, part in given.items():
        if isinstance(part, dict):
            limits[name] = _limits(part)
    values.update(
        shoe=script.get("shoe") or ("virtual" if script.get("entropy") else "read"),
        limits={name: {"minimum": each.minimum, "maximum": each.maximum} for name, each in limits.items()},
        differential=differential,
    )
    try:
        return msgspec.convert(values, SetUp)
    except msgspec.ValidationError as error:
        raise Refused("malformed_input", f"The set-up of the script: {error}.") from None


def _limits(part: Mapping[str, Any]) -> Limits:
    minimum = parse_amount(str(part.get("minimum", "1")))
    return Limits(minimum, parse_amount(str(part["maximum"])) if part.get("maximum") else 0)


def command_of(do: str, fields: Mapping[str, Any]) -> c.Command:
    """A command as a script, a form or a request writes it: amounts and cards as strings."""
    kind = COMMANDS.get(do)
    if kind is None:
        raise Refused(
            "malformed_input",
            f"There is no command {do[:40]!r}.",
            next_step=f"There are {', '.join(COMMANDS)}.",
        )
    values = dict(fields)
    for key in _MONEY:
        if key in values:
            values[key] = parse_amount(str(values[key]), f"The {key}")
    for key in ("order", "players"):
        if isinstance(values.get(key), str):
            values[key] = values[key].split()
    if kind is c.SetTable and isinstance(values.get("setup"), dict):
        return c.SetTable(setup_of(values["setup"]))
    try:
        made: c.Command = msgspec.convert(values, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Refused("malformed_input", f"{do}: {error}.") from None
    unknown = values.keys() - kind.__dataclass_fields__.keys()  # type: ignore[attr-defined]
    if unknown:
        raise Refused("malformed_input", f"{do} has no {', '.join(sorted(unknown))}.")
    return made


def unmet(script: Mapping[str, Any], done: Played) -> list[str]:
    """What a script said of itself and did not come true: refusals, and the players' money at the end."""
    book = done.table.set.rulebook if done.table.setup is not None else ""
    told = []
    asked = [step for step in script.get("step", ()) for _ in _each(step)]
    for step, result in zip(asked, done.steps[len(done.steps) - len(asked) :], strict=True):
        wanted = _under(book, step.get("refused", ""))
        code = result.refused.code if result.refused is not None else ""
        if wanted != code:
            told.append(
                f"{result.by} {result.do}: expected {wanted or 'no refusal'}, came {code or 'no refusal'}"
            )
    expected = _under(book, script.get("expect", {})).get("net", {})
    for player, amount in expected.items():
        cents = done.table.accounts.get(f"player:{player}", 0)
        if _under(book, amount) != show(cents):
            told.append(f"{player}: expected {_under(book, amount)}, came {show(cents)}")
    return told


def _under(book: str, value: Any) -> Any:
    """A value that differs from rulebook to rulebook is a table by their ids."""
    if isinstance(value, dict) and value and all("@" in key for key in value):
        return value.get(book, "")
    return value


def _each(step: Mapping[str, Any]) -> Iterator[None]:
    """One for each call a step makes."""
    yield from [None] * (len(str(step.get("cards", "")).split()) if step.get("do") == "deal_cards" else 1)


def must_be_script(script: Mapping[str, Any]) -> None:
    """Refuse what is not a script: unknown keys, steps without a person or a command."""
    known = {*_TABLE, *SetUp.__dataclass_fields__}
    strange = sorted(set(script) - known)
    limits = script.get("limits", {})
    if isinstance(limits, dict):
        inner = [part for part in limits.values() if isinstance(part, dict)]
        named = [key for key, part in limits.items() if not isinstance(part, dict)]
        strange += sorted(
            {key for part in (dict.fromkeys(named), *inner) for key in part}
            - {"minimum", "maximum", "differential"}
        )
    if strange:
        raise Refused("malformed_input", f"A script has no {', '.join(strange)}.")
    for key in ("limits", "seats", "readings", "expect"):
        if not isinstance(script.get(key, {}), dict):
            raise Refused("malformed_input", f"{key} of a script is a table.")
    if not isinstance(script.get("step", []), list | tuple):
        raise Refused("malformed_input", "The steps of a script are a list.")
    for number, step in enumerate(script.get("step", ()), start=1):
        good = isinstance(step, dict) and all(isinstance(step.get(key), str) for key in ("by", "do"))
        if not good or (step["do"] == "deal_cards" and not isinstance(step.get("cards"), str)):
            raise Refused("malformed_input", f"Step {number} needs by and do, and deal_cards its cards.")


def run(books: Mapping[str, Rulebook], script: Mapping[str, Any]) -> Played:
    """Run a script on a fresh table, one second a step; refusals are told, not raised."""
    must_be_script(script)
    done = Played(str(script.get("title", "")), Table(books))
    at = START
    for by, do, command in calls(script):
        at += timedelta(seconds=1)
        role = by if by in ROLES else "player"
        told = Told(by, do)
        try:
            asked = command if not isinstance(command, dict) else command_of(do, command)
            told.entries = entries(done.table, c.Call(by, role, at, asked), len(done.journal) + 1)
            done.journal.extend(told.entries)
        except Refused as refused:
            told.refused = refused
        done.steps.append(told)
    return done


def calls(script: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Everything a script asks of a fresh table, in order: by whom, what, and its fields."""
    yield "pit_manager", "set_table", c.SetTable(setup_of(script))
    if "bank" in script:
        yield "pit_supervisor", "fill_bank", {"amount": script["bank"]}
    for player, box in script.get("seats", {}).items():
        yield player, "take_seat", {"player": player, "box": box}
    yield "dealer", "prepare_shoe", {"entropy": script.get("entropy", "")}
    for step in script.get("step", ()):
        by, do = step["by"], step["do"]
        fields = {key: value for key, value in step.items() if key not in ("by", "do", "refused", "cites")}
        if do == "deal_cards":
            for card in fields["cards"].split():
                yield by, "deal_card", {"card": card}
            continue
        kind = COMMANDS.get(do)
        if kind is not None and "player" in kind.__dataclass_fields__ and by not in ROLES:  # type: ignore[attr-defined]
            fields.setdefault("player", by)
        yield by, do, fields
