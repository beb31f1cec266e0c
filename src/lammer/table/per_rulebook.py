"""Scripts that hold under several rulebooks, and the values that differ between them.

Wherever a script gives a value, it may give a table of values keyed by rulebook instead:

    layout = { "tiger-buffalo-noncommission@4" = "A", "tiger-buffalo-noncommission-insurance@3" = "C" }

`under_rulebook` takes the value of one rulebook everywhere, and leaves a script that holds under that one
alone. A rulebook without a value in such a table is refused, and so is one the script does not name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from lammer.rulebook.model import Rulebook
from lammer.table.known_keys import malformed, must_be_table

_RULEBOOK = re.compile(r"[a-z0-9][a-z0-9-]*@[0-9]+")


def rulebooks_of(script: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The rulebooks a script names, each with the paragraphs it proves there.

    >>> rulebooks_of({"rulebook": "snap@1", "proves": ["1.1"]})
    {'snap@1': ('1.1',)}
    >>> rulebooks_of({"rulebooks": {"snap@1": ["1.1"], "snap@2": ["1.2", "1.3"]}})
    {'snap@1': ('1.1',), 'snap@2': ('1.2', '1.3')}
    """
    if "rulebooks" not in script:
        named = script.get("rulebook")
        if not isinstance(named, str):
            raise malformed("rulebook", "is the id of a rulebook, such as tiger-buffalo-noncommission@4.")
        return {named: _paragraphs(script.get("proves", ()), "proves")}
    for key in ("rulebook", "proves"):
        if key in script:
            raise malformed(key, "stands beside rulebooks.", "Give one rulebook or several, not both.")
    several = must_be_table(script["rulebooks"], "rulebooks")
    if not several:
        raise malformed("rulebooks", "names none.")
    return {book: _paragraphs(proven, f"rulebooks.{book}") for book, proven in several.items()}


def _paragraphs(proven: object, place: str) -> tuple[str, ...]:
    if not isinstance(proven, list | tuple) or not all(isinstance(number, str) for number in proven):
        raise malformed(place, 'is a list of paragraphs, such as ["4.1.14"].')
    return tuple(proven)


def under_rulebook(script: Mapping[str, Any], rulebook: str) -> dict[str, Any]:
    """The script as it reads under one rulebook, which may be one that it does not name.

    >>> both = {"snap@1": ["1.1"], "snap@2": ["1.2"]}
    >>> script = {"rulebooks": both, "layout": {"snap@1": "A", "snap@2": "B"}}
    >>> under_rulebook(script, "snap@2")
    {'layout': 'B', 'rulebook': 'snap@2', 'proves': ('1.2',)}
    >>> under_rulebook(script, "snap@3")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: layout says nothing for snap@3. ...
    """
    named = rulebooks_of(script)
    rest = {key: part for key, part in script.items() if key not in ("rulebook", "rulebooks", "proves")}
    values = {key: _value_under(part, rulebook, {*named, rulebook}, key) for key, part in rest.items()}
    return {**values, "rulebook": rulebook, "proves": named.get(rulebook, ())}


def _value_under(value: Any, rulebook: str, named: Collection[str], place: str) -> Any:
    """The value with every table keyed by rulebooks replaced by what it says for this one."""
    if isinstance(value, list | tuple):
        return [
            _value_under(part, rulebook, named, f"{place} {index}")
            for index, part in enumerate(value, start=1)
        ]
    if not isinstance(value, Mapping):
        return value
    ids = [key for key in value if _RULEBOOK.fullmatch(str(key))]
    if not ids:
        return {key: _value_under(part, rulebook, named, f"{place}.{key}") for key, part in value.items()}
    if len(ids) < len(value):
        others = ", ".join(sorted(str(key) for key in value if key not in ids))
        raise malformed(place, f"mixes rulebooks with {others}.", "Give a value for each rulebook.")
    strange = sorted(set(ids) - set(named))
    if strange:
        known = f"It names {', '.join(sorted(named))}."
        raise malformed(place, f"speaks of {', '.join(strange)}, which the script does not name.", known)
    if rulebook not in ids:
        raise malformed(place, f"says nothing for {rulebook}.", f"It has {', '.join(ids)}.")
    return _value_under(value[rulebook], rulebook, named, place)


def must_prove_paragraphs(books: Mapping[str, Rulebook], script: Mapping[str, Any]) -> None:
    """Refuse a script under one rulebook that says it proves what the rulebook does not have."""
    book = books.get(script["rulebook"])
    unknown = [number for number in script["proves"] if book is not None and number not in book.paragraphs]
    if unknown:
        raise malformed("proves", f"names {', '.join(unknown)}, which {script['rulebook']} does not have.")
