"""Commands as forms, requests of programs and scripts write them: a name, and amounts and cards as strings.

What is written becomes a command of the table's own vocabulary here, or is refused; nothing is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields as fields_in
from typing import Any, Final, get_args

import msgspec

from lammer.game.money import parse_amount
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c
from lammer.table.known_keys import must_be_table, must_know, parse_cents
from lammer.table.setup import SetUp

COMMANDS: Final[Mapping[str, type]] = {
    re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower(): kind for kind in get_args(c.Command)
}
"""Every command by the name it is asked by."""
_FIELDS: Final = {do: frozenset(part.name for part in fields_in(kind)) for do, kind in COMMANDS.items()}
SET_UP: Final = tuple(name for name in SetUp.__dataclass_fields__ if name != "differential")
"""What a set-up may say; the Differential stands among its limits."""
_MONEY: Final = ("stake", "amount")
_LIMITS: Final = ("minimum", "maximum")


def command_of(do: str, fields: Mapping[str, Any]) -> c.Command:
    """A command as a script, a form or a request writes it: amounts and cards as strings.

    >>> command_of("place_bet", {"player": "p1", "box": 1, "bet": "tie", "stake": "47.50"})
    PlaceBet(player='p1', box=1, bet='tie', stake=4750, round=0)
    """
    kind = COMMANDS.get(do)
    if kind is None:
        raise Refused(
            "malformed_input",
            "There is no command {do}.",
            next_step="There are {commands}.",
            do=repr(do[:40]),
            commands=", ".join(COMMANDS),
        )
    values = dict(fields)
    for key in _MONEY:
        if key in values:
            values[key] = parse_cents(values[key], f"The {key}")
    for key in ("order", "players"):
        if isinstance(values.get(key), str):
            values[key] = values[key].split()
    if kind is c.SetTable and isinstance(values.get("setup"), dict):
        values["setup"] = msgspec.to_builtins(setup_of(values["setup"]))
    try:
        command: c.Command = msgspec.convert(values, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Refused("malformed_input", "{do}: {error}.", do=do, error=error) from None
    must_know(values, fields_of(do), do)
    return command


def fields_of(do: str) -> frozenset[str]:
    """The fields of a command.

    >>> sorted(fields_of("open_card"))
    ['hand', 'place']
    """
    return _FIELDS[do]


def setup_of(written: Mapping[str, Any]) -> SetUp:
    """A set-up as it is written: limits in dollars, and a shoe that is read unless entropy is given.

    >>> setup_of({"rulebook": "snap@1", "layout": "A", "limits": {"minimum": "50"}}).limits["side"]
    Limits(minimum=5000, maximum=0)
    """
    values = {key: value for key, value in written.items() if key in SET_UP and key != "limits"}
    amounts = dict(written.get("limits", {}))
    differential = parse_amount(str(amounts.pop("differential", "10000")))
    limits = {"original": _limits(amounts), "side": _limits(amounts)}
    limits |= {name: _limits(part) for name, part in amounts.items() if isinstance(part, dict)}
    shoe = written.get("shoe") or ("virtual" if written.get("entropy") else "read")
    values.update(shoe=shoe, limits=limits, differential=differential)
    try:
        return msgspec.convert(values, SetUp)
    except msgspec.ValidationError as error:
        raise Refused("malformed_input", "The set-up cannot be read: {error}.", error=error) from None


def must_be_setup(written: Mapping[str, Any]) -> None:
    """Refuse a set-up with parts nobody would look at.

    >>> must_be_setup({"rulebook": "snap@1", "boxs": 7})
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: A set-up has no boxs. It may have ...
    """
    must_know(written, SET_UP, "A set-up")
    must_be_parts_of_setup(written, "")


def must_be_parts_of_setup(setup: Mapping[str, Any], place: str) -> None:
    """Refuse readings that are no table, and limits nobody looks at."""
    must_be_table(setup.get("readings", {}), f"{place}readings")
    limits = must_be_table(setup.get("limits", {}), f"{place}limits")
    plain = [key for key, part in limits.items() if not isinstance(part, Mapping)]
    must_know(plain, (*_LIMITS, "differential"), f"{place}limits")
    for name, part in limits.items():
        if isinstance(part, Mapping):
            must_know(part, _LIMITS, f"{place}limits.{name}")


def _limits(part: Mapping[str, Any]) -> dict[str, int]:
    minimum = parse_amount(str(part.get("minimum", "1")))
    maximum = parse_amount(str(part["maximum"])) if part.get("maximum") else 0
    return {"minimum": minimum, "maximum": maximum}
