"""A rulebook that is another one with some rows changed.

`based_on = "…@3"` under `[rulebook]` takes everything from there but `[rulebook]` itself: a what-if has a
name, a date and an approval of its own. What the file says then replaces what stands there: a key of a
table, a key of a row of the same name, or a whole row that is new. `removed = true` takes a row away. What
comes of it is read like any other file and hashed as a whole; `came_from` then says what it was based on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from lammer.rulebook.phrase import Phrase
from lammer.rulebook.problems import Path
from lammer.rulebook.standard import Values, completed, is_private

Find = Callable[[str], Values]
"""Gives the values of a rulebook by its id; refuses one that is not there."""

DEEPEST: Final = 8
"""So many files may stand on one another."""

_OFFER: Final = ("hand", "window", "own", "other")
_KNOWN_BY: Final[dict[Path, tuple[str, ...]]] = {
    ("bet",): ("name",),
    ("irregularity",): ("name",),
    ("role",): ("name",),
    ("reading",): ("name",),
    ("paragraph",): ("number",),
    ("layouts", "layout"): ("appendix",),
    ("insurance", "offer"): _OFFER,
    ("insurance", "limit"): ("odds",),
}
"""By which keys a row of these tables is known again. Other lists are replaced whole."""


class NotBased(ValueError):  # noqa: N818 (named for what it is, like Refused)
    """Why a file cannot be based on another: what was expected, and where if not in `rulebook.based_on`."""

    def __init__(self, expected: str, path: Path = ("rulebook", "based_on")) -> None:
        super().__init__(expected)
        self.expected, self.path = expected, path


def resolved(values: Values, find: Find) -> tuple[Values, dict[Path, Path]]:
    """A file with what it is based on, and where its own rows have come to stand.

    >>> base = {"rulebook": {"game": "a", "approved_by": "GRA"}, "bet": [{"name": "tie", "pays": "8:1"}]}
    >>> mine = {"rulebook": {"game": "b", "based_on": "a@1"}, "bet": [{"name": "tie", "pays": "9:1"}]}
    >>> resolved(mine, {"a@1": base}.__getitem__)[0]["bet"]
    [{'name': 'tie', 'pays': '9:1'}]
    """
    places: dict[Path, Path] = {}
    whole = _merged(_base(values, find, ()), values, places)
    identity = whole["rulebook"]
    whole["rulebook"] = {key: value for key, value in identity.items() if key != "based_on"}
    whole["rulebook"]["came_from"] = identity["based_on"]
    return whole, places


def _base(values: Values, find: Find, below: tuple[str, ...]) -> Values:
    if not is_private(values):
        raise NotBased(Phrase("a complete file, because it says who approved it"))
    name = values["rulebook"]["based_on"]
    if not isinstance(name, str) or name in below or len(below) == DEEPEST:
        raise NotBased(Phrase('the id of another rulebook, such as "tiger-buffalo-noncommission@4"'))
    base = find(name)
    identity = base.get("rulebook")
    if isinstance(identity, dict) and "based_on" in identity:
        base = _merged(_base(base, find, (*below, name)), base, {})
    return completed(base)[0] if is_private(base) else base


def _merged(base: Values, changes: Values, places: dict[Path, Path]) -> Values:
    merged = {key: deepcopy(value) for key, value in base.items() if key != "rulebook"}
    for key, value in changes.items():
        if key == "rulebook" or key not in merged:
            merged[key] = deepcopy(value)
        elif isinstance(value, dict) and isinstance(merged[key], dict):
            if value.get("removed") is True:
                del merged[key]
            else:
                _merge_table((key,), merged[key], value, places)
        elif (key,) in _KNOWN_BY and isinstance(value, list) and isinstance(merged[key], list):
            _merge_rows((key,), merged[key], value, places)
        else:
            merged[key] = deepcopy(value)
    return merged


def _merge_table(path: Path, table: Values, changes: Values, places: dict[Path, Path]) -> None:
    for key, value in changes.items():
        there = (*path, key)
        if there in _KNOWN_BY and isinstance(value, list) and isinstance(table.get(key), list):
            _merge_rows(there, table[key], value, places)
        else:
            table[key] = deepcopy(value)


def _merge_rows(path: Path, rows: list[Any], changes: list[Any], places: dict[Path, Path]) -> None:
    """Each changed row into the one of its name; new ones behind the others."""
    removed: set[int] = set()
    touched: dict[int, int] = {}
    for number, change in enumerate(changes):
        place = _place_of(path, rows, change)
        if place is None and isinstance(change, Mapping) and change.get("removed") is True:
            raise NotBased(Phrase("a row of the other rulebook to take away"), (*path, number))
        if isinstance(change, Mapping) and place is not None and place not in touched:
            if change.get("removed") is True:
                removed.add(place)
            else:
                rows[place].update(deepcopy(dict(change)))
        else:
            place = len(rows)
            rows.append(deepcopy(change))
        touched[place] = number
    kept = [place for place in range(len(rows)) if place not in removed]
    places.update({(*path, new): (*path, touched[old]) for new, old in enumerate(kept) if old in touched})
    rows[:] = [rows[place] for place in kept]


def _place_of(path: Path, rows: list[Any], change: object) -> int | None:
    if not isinstance(change, Mapping):
        return None
    keys = _KNOWN_BY[path]
    name = [_listed(change.get(key)) for key in keys]
    found = (
        place
        for place, row in enumerate(rows)
        if isinstance(row, Mapping) and [_listed(row.get(key)) for key in keys] == name
    )
    return next(found, None)


def _listed(value: object) -> object:
    """`total = 6` and `total = [6]` say the same."""
    return value if isinstance(value, list) else [value]


def differences(base: Values, values: Values) -> Iterator[tuple[str, Any]]:
    """What a file based on `base` would have to say to come to `values`; the reverse of `resolved`.

    >>> base = {"bet": [{"name": "tie", "pays": "8:1"}, {"name": "player"}]}
    >>> list(differences(base, {"bet": [{"name": "tie", "pays": "9:1"}]}))
    [('bet', [{'name': 'tie', 'pays': '9:1'}, {'name': 'player', 'removed': True}])]
    """
    for key in [*values, *(key for key in base if key not in values)]:
        if key == "rulebook" or base.get(key) == values.get(key):
            continue
        if key not in values:
            yield key, {"removed": True}
        elif (key,) in _KNOWN_BY:
            yield key, _changed_rows((key,), base.get(key, []), values[key])
        elif isinstance(values[key], dict) and isinstance(base.get(key), dict):
            changed = {
                part: _changed_rows((key, part), base[key].get(part, []), value)
                if (key, part) in _KNOWN_BY
                else value
                for part, value in values[key].items()
                if base[key].get(part) != value
            }
            yield key, changed
        else:
            yield key, values[key]


def _changed_rows(path: Path, base: list[Values], rows: list[Values]) -> list[Values]:
    changed: list[Values] = []
    for row in rows:
        place = _place_of(path, base, row)
        known = {} if place is None else base[place]
        said = {key: value for key, value in row.items() if key in _KNOWN_BY[path] or known.get(key) != value}
        if place is None or said.keys() - set(_KNOWN_BY[path]):
            changed.append(said)
    gone = [row for row in base if _place_of(path, rows, row) is None]
    named = [{key: row[key] for key in _KNOWN_BY[path] if key in row} for row in gone]
    return [*changed, *(row | {"removed": True} for row in named)]
