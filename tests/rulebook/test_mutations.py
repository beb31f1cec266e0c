"""Flipping any single odds, total, card number or word of a rule makes some test fail.

Each value of each shipped document is changed, one at a time, and the changed rulebook goes through the
door every rulebook goes through. Either `load` refuses it, or one of the clause proofs of that rulebook
fails. A change that survives both is listed by its place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lammer
from lammer import DefectiveRulebook, Refused, Rulebook
from lammer.rulebook.load import build
from lammer.rulebook.vocabulary import DECIDERS, DISCRETION, DOES, SQUEEZERS, WHEN
from lammer.shelf import shipped_ids
from paragraphs.clause import PROOFS, Clause
from paragraphs.conftest import clauses

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

LISTS = Path(__file__).parents[1] / "paragraphs"
DOCUMENTS = Path(lammer.__file__).parent / "rulebook" / "documents"
NUMBERS = {"total", "cards", "cards_dealt", "by", "sum", "third", "own", "other", "points", "fewest", "most"}
ODDS = {"odds", "of"}
RATES = {"rate": "6%", "share_of_maximum": "26%"}
WORDS = {
    "hand": {"player": "banker", "banker": "player", "either": "banker"},
    "pair": {"player": "banker", "banker": "player", "either": "player", "both": "either"},
    "has": {"player": "banker", "banker": "player", "either": "both", "both": "either"},
    "suits": {"same": "mixed", "one_colour": "mixed", "mixed": "same"},
    "window": {"four_cards": "third_card", "third_card": "four_cards"},
    "tier": {"single": "double", "double": "twin", "twin": "single"},
    "does": {"draws": "stands", "stands": "draws"},
    "original": {"player": "banker", "banker": "player"},
}
FLAGS = {"tie_wins", "tie_returns", "player_stood", "chinese", "options", "notice"}
DROPPED = FLAGS | {"natural", "returns", "loses", "not"}
VOCABULARY = {
    "does": DOES,
    "when": WHEN,
    "by": DECIDERS,
    "discretion": DISCRETION,
    "right": SQUEEZERS,
}
Change = tuple[Any, Any, Any, str, tuple[str, ...]]
Proofs = list[tuple[str, str, dict[str, Any]]]
# A step that a document lacks is a StopIteration, and a RuntimeError where a generator looked for it.
NOTICED = (AssertionError, Refused, LookupError, StopIteration, RuntimeError, pytest.fail.Exception)


def changes(node: Any, path: str = "", cites: tuple[str, ...] = ()) -> Iterator[Change]:
    """Every single change worth proving: container, key, new value (or DROP), where, and what it cites."""
    if isinstance(node, dict):
        if "cite" in node:
            cites = tuple(node["cite"]) if isinstance(node["cite"], list) else (node["cite"],)
        for key, value in list(node.items()):
            where = f"{path}.{key}"
            if key in ("paragraph", "reading", "rulebook"):
                continue
            if key in ODDS:
                first, second = value.split(":")
                yield node, key, f"{first}:{int(second) + 1}", where, cites
                yield node, key, f"{int(first) + 1 if first.isdigit() else 1}:{second}", where, cites
            elif key in RATES:
                yield node, key, RATES[key], where, cites
            elif key in NUMBERS and isinstance(value, int | list):
                yield from _number_changes(node, key, value, where, cites)
            elif key in WORDS and isinstance(value, str) and value in WORDS[key]:
                yield node, key, WORDS[key][value], where, cites
            elif key in VOCABULARY and isinstance(value, str):
                others = [word for word in VOCABULARY[key] if word != value]
                yield node, key, others[0], where, cites
                yield node, key, others[-1], where, cites
            elif key in ("steps", "waivers"):
                yield node, key, value[1:], where, cites
                yield from changes(value, where, cites)
            elif key == "layouts" and isinstance(value, str):
                yield node, key, value[:-1] or "Z", where, cites
                yield node, key, "".join(sorted(set("ABCDEFGHIJK") ^ set(value))) or "A", where, cites
            elif key in DROPPED:
                yield node, key, DROP, where, cites
            else:
                yield from changes(value, where, cites)
    elif isinstance(node, list):
        for index, item in enumerate(node):
            yield from changes(item, f"{path}[{index + 1}]", cites)


DROP = object()


def _number_changes(node: Any, key: str, value: Any, where: str, cites: tuple[str, ...]) -> Iterator[Change]:
    if isinstance(value, list):
        for index, number in enumerate(value):
            yield value, index, number + 1, f"{where}[{index + 1}]", cites
            yield value, index, number - 1, f"{where}[{index + 1}]", cites
        if key != "points":
            yield node, key, value[1:], where, cites
            yield node, key, value[:-1], where, cites
    else:
        yield node, key, value + 1, where, cites
        yield node, key, value - 1, where, cites


def survives(book: Rulebook, proofs: Proofs, cites: tuple[str, ...] = ()) -> bool:
    """Whether every clause proof still passes on this rulebook.

    Proofs of the paragraph that was changed come first, then those that failed last: all are asked
    only of a change that nothing notices.
    """
    for number, name, facts in sorted(proofs, key=lambda row: not row[0].startswith(cites)):
        try:
            PROOFS[name](Clause(book, number, facts))
        except NOTICED:
            row = (number, name, facts)
            proofs.remove(row)
            proofs.insert(0, row)
            return False
    return True


@pytest.mark.parametrize("name", shipped_ids())
def test_no_single_change_goes_unnoticed(name: str) -> None:
    values = tomllib.loads((DOCUMENTS / f"{name}.toml").read_text("utf-8"))
    proofs = list(clauses(LISTS / f"{name}.toml"))
    assert survives(build(values), proofs), "the proofs must hold on the document itself"
    tried, unnoticed = 0, []
    for container, key, new, where, cites in changes(values):
        old = container[key]
        if new is DROP:
            del container[key]
        else:
            container[key] = new
        tried += 1
        try:
            if survives(build(values), proofs, cites):
                unnoticed.append(f"{where}: {old!r} -> {new!r}")
        except DefectiveRulebook:
            pass
        finally:
            container[key] = old
    assert not unnoticed
    assert tried > 300, "the document has more values than that"


def test_a_change_does_go_unnoticed_where_nothing_is_proved() -> None:
    """The test above can fail: without proofs, other odds are just another whole rulebook."""
    values = tomllib.loads((DOCUMENTS / "tiger-buffalo-noncommission@4.toml").read_text("utf-8"))
    values["bet"][2]["pays"][0]["odds"] = "9:1"
    assert survives(build(values), [])
    assert not survives(build(values), list(clauses(LISTS / "tiger-buffalo-noncommission@4.toml")))
