"""The vocabulary that is told to people and editors is the one `load` reads."""

from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from lammer import DefectiveRulebook, load
from lammer.rulebook import problems
from lammer.rulebook.keys import SHAPES, WHOLE_FILE, keys_at, shape_of
from lammer.rulebook.load import build
from lammer.rulebook.schema import schema
from lammer.shelf import shipped_ids, text_by_id

ROOT = Path(__file__).parents[2]
FILES = [*(ROOT / "docs/guides").glob("da-hu-nine-bets.toml"), *sorted((ROOT / "examples").glob("*.toml"))]
SMALL = """
[rulebook]
game = "mine"
[[bet]]
name = "player"
wins = { hand = "player" }
pays = "1:1"
[[bet]]
name = "banker"
wins = { hand = "banker" }
pays = "1:1"
"""


MANY = "bet irregularity role reading paragraph value player banker play draws pays layout offer limit steps"
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("table_of_play.play.draws", "third"): {"hand": "banker"},
    ("table_of_play.play.draws", "player_stood"): {"hand": "banker"},
    ("insurance.limit", "window"): {"share_of_original": "50%"},
    ("squeeze", "waiver_cite"): {"waivers": ["squeeze_banker_third_first"]},
    ("condition", "natural"): {"hand": "player"},
    ("condition", "suits"): {"pair": "either"},
}
"""What a key is read beside alone."""


def asked_of(text: str, monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """What `load` asks of a file: the shape of each table and the key."""
    rows: list[problems.Row] = []
    made = problems.Row.__post_init__

    def noticed(row: problems.Row) -> None:
        rows.append(row)
        made(row)

    monkeypatch.setattr(problems.Row, "__post_init__", noticed)
    with suppress(DefectiveRulebook):
        load(text, find=text_by_id)
    return {(shape_of(row.path), key) for row in rows for key in row.asked}


def test_whatever_is_asked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [SMALL, *map(text_by_id, shipped_ids()), *(file.read_text("utf-8") for file in FILES)]
    asked = set().union(*(asked_of(text, monkeypatch) for text in texts))
    told = {(name, key.name) for name, shape in SHAPES.items() for key in shape.keys}
    told |= {("", name) for name in WHOLE_FILE}
    assert asked - told == set()
    assert len(asked) > 90


def examples() -> list[tuple[str, str, str]]:
    return [(name, key.name, key.example) for name, shape in SHAPES.items() for key in shape.keys]


def placed(shape: str, key: str, value: Any) -> Any:
    """A file with that key in a table of that shape, however wrong it is otherwise."""
    inner: Any = {key: value} | BESIDE.get((shape, key), {})
    steps = ["bet", "wins"] if shape == "condition" else shape.split(".")
    for step in reversed(steps):
        inner = {step: [inner] if step in MANY.split() else inner}
    return inner


@pytest.mark.parametrize(("shape", "key", "example"), examples())
def test_examples_are_read_and_meet_the_schema(shape: str, key: str, example: str) -> None:
    """Whatever else is missing, no example is an unknown key, and each is of its own kind."""
    value = tomllib.loads(f"x = {example}")["x"]
    assert not [*jsonschema.Draft7Validator(rooted(shape)["properties"][key]).iter_errors(plain(value))]
    if key in ("removed", "based_on"):  # Taken out before a file is read.
        return
    try:
        build(placed(shape, key, value))
    except DefectiveRulebook as defective:
        path = "wins" if shape == "condition" else shape.rpartition(".")[2]
        mine = [each for each in defective.problems if each.path[-1:] == (key,) and path in each.path]
        assert not [each for each in mine if "only the keys" in each.expected or "string" in each.expected]


def rooted(shape: str) -> dict[str, Any]:
    """One table of the schema, with what it refers to."""
    whole = schema()
    table = whole["$defs"][shape]
    return {
        **table,
        "properties": {key: {**kind, "$defs": whole["$defs"]} for key, kind in table["properties"].items()},
    }


def plain(value: Any) -> Any:
    """As an editor sees it: moments are text."""
    return json.loads(json.dumps(value, default=str))


@pytest.mark.parametrize("name", [*shipped_ids(), *(file.name for file in FILES), "small"])
def test_every_rulebook_meets_the_schema(name: str) -> None:
    files = {file.name: file.read_text("utf-8") for file in FILES} | {"small": SMALL}
    values = tomllib.loads(files.get(name) or text_by_id(name))
    jsonschema.Draft7Validator.check_schema(schema())
    assert not [error.message for error in jsonschema.Draft7Validator(schema()).iter_errors(plain(values))]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rulebook": {"game": "My Game"}},
        {
            "rulebook": {"game": "mine"},
            "bet": [{"name": "tie", "wins": {"tie": True}, "pays": [{"odds": 8}]}],
        },
        {"rulebook": {"game": "mine"}, "bet": [{"name": "tie", "wins": {"draw": True}}]},
        {"rulebook": {"game": "mine"}, "bets": []},
        {"bet": []},
    ],
)
def test_the_schema_finds_slips(wrong: dict[str, Any]) -> None:
    assert [*jsonschema.Draft7Validator(schema()).iter_errors(wrong)]


def test_an_unknown_key_is_answered_with_the_whole_vocabulary() -> None:
    with pytest.raises(DefectiveRulebook) as caught:
        load(f'{SMALL}\n[[bet]]\nname = "lucky"\nwins = {{ tie = true, luck = 7 }}\npays = "7:1"\n')
    (problem,) = caught.value.problems
    assert problem.expected == "only the keys " + ", ".join(keys_at(("bet", 0, "wins")))
    assert {"hand", "tie", "pair", "total"} <= set(keys_at(("bet", 0, "wins")))
