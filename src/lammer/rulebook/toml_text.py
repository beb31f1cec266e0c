"""The values of a rulebook as TOML, laid out as a person would write it.

The way back from `tomllib`: what is written here reads as the same values. Only what a rulebook can hold is
known: text, whole numbers, yes and no, moments, lists and tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

WIDEST: Final = 100
"""A list that would make a longer line is written a row a line."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def toml_of(values: Mapping[str, Any]) -> str:
    """A whole file: what belongs together in tables, what repeats in rows.

    >>> text = toml_of({"rulebook": {"game": "mine"}, "bet": [{"name": "tie", "pays": [{"odds": "8:1"}]}]})
    >>> print(text, end="")
    [rulebook]
    game = "mine"
    <BLANKLINE>
    [[bet]]
    name = "tie"
    pays = [{ odds = "8:1" }]
    """
    return "\n".join(_parts(values))


def _parts(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield "\n".join([f"[{_key(key)}]", *_lines(value), ""])
        elif isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
            for row in value:
                yield "\n".join([f"[[{_key(key)}]]", *_lines(row), ""])
        else:
            raise TypeError(f"a rulebook holds tables, not {type(value).__name__}")


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        line = f"{_key(key)} = {_inline(value)}"
        rows = isinstance(value, list) and len(value) > 1 and isinstance(value[0], Mapping)
        if rows or (isinstance(value, list) and len(line) > WIDEST):
            line = "\n".join([f"{_key(key)} = [", *(f"  {_inline(item)}," for item in value), "]"])
        yield line


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _inline(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(part)}" for key, part in value.items()) + " }"
    raise TypeError(f"a rulebook holds no {type(value).__name__}")


def _text(text: str) -> str:
    written = "".join(_ESCAPES.get(letter, letter) for letter in text)
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", written) + '"'
