"""A JSON Schema of a rulebook's file, so that an editor completes and checks it while one writes.

Made from `keys`. A schema knows keys, kinds and words; whether a rulebook is whole only `load` can say.
"""

from __future__ import annotations

from typing import Any

from lammer.rulebook.keys import SHAPES, WHOLE_FILE, Key, Shape

_MANY = "[["


def schema() -> dict[str, Any]:
    """The schema of a whole file, private or approved.

    >>> schema()["properties"]["bet"]["items"]
    {'$ref': '#/$defs/bet'}
    """
    return {
        "title": "A Lammer rulebook",
        "type": "object",
        "additionalProperties": False,
        "required": ["rulebook"],
        "properties": {name: _at_top(name) for name in WHOLE_FILE},
        "$defs": {name: _of(shape) for name, shape in SHAPES.items()},
    }


def _at_top(name: str) -> dict[str, Any]:
    reference = {"$ref": f"#/$defs/{name}"}
    return {"type": "array", "items": reference} if SHAPES[name].head.startswith(_MANY) else reference


def _of(shape: Shape) -> dict[str, Any]:
    return {
        "type": "object",
        "description": shape.means,
        "additionalProperties": False,
        "required": [key.name for key in shape.keys if key.needed],
        "properties": {key.name: _of_key(key) for key in shape.keys},
    }


def _of_key(key: Key) -> dict[str, Any]:
    return {"description": f"{key.means} For example: {key.example}", **key.kind.schema}
