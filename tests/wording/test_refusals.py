"""Every refusal is a message with named values, and every language says it: sentence, values, next step.

The refusals are read out of the code that raises them, so that one added there is missed here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from string import Formatter

import pytest

import lammer
from lammer.floor.web.pages.site.site import LANGUAGE
from lammer.game.money import Amount
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import ROLES, SIDES
from lammer.table.roles import title
from lammer.wording.catalogues import ENGLISH, catalogues, say
from lammer.wording.phrases import TERM
from lammer.wording.refusals import in_language
from support.open_house import in_loop, open_house

SOURCE = Path(lammer.__file__).parent
OTHERS = [language for language in catalogues() if language != ENGLISH]
RAISES = {"Refused": 1, "super().__init__": 1, "_weak": 0}
"""What makes a refusal, and where its message stands among what it is given."""
FROM_ELSEWHERE = {
    "floor/access/passwords.py": "a weak password's message is given where it is found weak",
    "floor/web/peers.py": "what another process refused",
    "lab/output/writing.py": "what to do about a file goes by what the machine says of it",
    "table/known_keys.py": "what is wrong with a script is put together where it is found",
}
"""Where a message is no literal, and why."""
ON_PAGES = ("academy/", "table/", "floor/access/", "floor/tables/", "floor/web/pages/")
"""The rooms whose refusals people read on pages, and not on a command line or in a log."""
STAYS = re.compile(r"\{\w+\}|`[^`]*`|[A-Z]+_[A-Z_]+|lammer\[lab\]|numba")
"""What is not put into another language: places, settings, names of packages."""


@dataclass(frozen=True, slots=True)
class Raised:
    """A refusal as it stands in the code."""

    where: str
    messages: tuple[str, ...]
    literal: bool
    values: frozenset[str]


def raised() -> Iterator[Raised]:
    for file in sorted(SOURCE.rglob("*.py")):
        path = str(file.relative_to(SOURCE))
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        calls = [node for node in nodes if isinstance(node, ast.Call) and _called(node) in RAISES]
        for call in calls:
            if _called(call) == "super().__init__" and not _makes_a_refusal(call, nodes):
                continue
            steps = [given.value for given in call.keywords if given.arg == "next_step"]
            parts = [*call.args[RAISES[_called(call)] :][:1], *steps]
            found = [_literals(part) for part in parts]
            yield Raised(
                f"{path}:{call.lineno}",
                tuple(text for texts in found if texts is not None for text in texts if text),
                all(texts is not None for texts in found),
                frozenset(given.arg for given in call.keywords if given.arg not in (None, "next_step")),
            )


def _called(call: ast.Call) -> str:
    """What is called, as far as it can be what makes a refusal."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    is_init = isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
    return ast.unparse(call.func) if is_init else ""


def _makes_a_refusal(call: ast.Call, nodes: Iterable[ast.AST]) -> bool:
    """Whether it stands in a kind of refusal, and says what it refuses."""
    classes = (node for node in nodes if isinstance(node, ast.ClassDef))
    return any(
        "Refused" in map(ast.unparse, each.bases) and call in ast.walk(each) for each in classes
    ) and isinstance(call.args[0], ast.Constant)


def _literals(node: ast.expr) -> list[str] | None:
    """The texts a message may be; None where it is none that can be read here."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        both = _literals(node.body), _literals(node.orelse)
        return None if both[0] is None or both[1] is None else [*both[0], *both[1]]
    return None


FOUND = list(raised())
MESSAGES = sorted({text for each in FOUND for text in each.messages})


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_the_code_is_read() -> None:
    assert len(FOUND) > 350
    assert len(MESSAGES) > 550
    assert 'Bets are closed for round {round}: "No more Bets" was called.' in MESSAGES


def test_messages_are_literals_so_that_they_can_be_looked_up() -> None:
    assert {each.where.partition(":")[0] for each in FOUND if not each.literal} == FROM_ELSEWHERE.keys()


def test_every_place_has_its_value_and_every_value_its_place() -> None:
    wrong = []
    for each in FOUND:
        if each.literal and each.values:
            wanted = set().union(*map(places, each.messages))
            wrong += [each.where] if wanted != each.values else []
        elif each.literal:
            # Without values nothing is filled in, and braces are only braces.
            wrong += [each.where for text in each.messages if re.search(r"\{\w+\}", text)]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_its_translation(language: str) -> None:
    assert [text for text in MESSAGES if text not in catalogues()[language].texts] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_fills_in_nothing_that_is_not_there(language: str) -> None:
    """It may leave a value out: who asks knows their own name."""
    assert [text for text in MESSAGES if not places(say(language, text)) <= places(text)] == []


def test_no_english_is_left_on_a_chinese_page() -> None:
    left: dict[str, list[str]] = {}
    for text in (text for each in FOUND if each.where.startswith(ON_PAGES) for text in each.messages):
        words = re.findall(r"[A-Za-z]{3,}", STAYS.sub("", say("zh", text)))
        left |= {text: words} if words else {}
    assert left == {}


@pytest.mark.parametrize("language", OTHERS)
def test_every_term_has_its_word(language: str) -> None:
    hands = {f"{side}{hand}" for side, hand in product((*SIDES, *map(str.capitalize, SIDES)), ("", " Hand"))}
    moments = {"after four cards", "after the Player's third card"}
    for term in {*hands, *moments, *map(title, ROLES)} - {f"{side} Hand" for side in SIDES}:
        assert say(language, term, within=TERM) != term, term


def test_amounts_and_names_are_carried_over() -> None:
    full = Refused(
        "over_differential",
        "Box {box} may take {free} more on {side}: its sides may differ by {most}.",
        next_step="Up to {free_there} on {other} is free.",
        box=3,
        free=Amount(25_00),
        side=Term("banker"),
        most=Amount(10_000_00),
        free_there=Amount(100_00),
        other=Term("player"),
    )
    assert full.sentence == "Box 3 may take 25.00 more on banker: its sides may differ by 10,000.00."
    said = in_language("zh", full)
    assert said.sentence == "3 号位的庄只能再收 25.00：庄闲差额上限为 10,000.00。"
    assert (said.code, said.citation) == (full.code, full.citation)
    assert in_language("zh", said).sentence == said.sentence, "said twice it stays as it is"
    assert in_language("en", full).sentence == full.sentence


def test_what_no_catalogue_knows_is_said_in_english() -> None:
    assert in_language("zh", Refused("bets_are_closed", "No {what}.", what="more")).sentence == "No more."


@in_loop
async def test_a_form_sent_by_a_script_is_answered_in_the_readers_language(tmp_path: Path) -> None:
    async with open_house(tmp_path / "house", pages=True) as house:
        await house.table("t1")
        dealer = await house.person("dealer")
        dealer.http.cookies.set(LANGUAGE, "zh")
        form = {"do": "settle", "csrf": dealer.http.headers["x-csrf-token"]}
        answer = await dealer.http.post("/tables/t1/deal", data=form, headers={"Accept": "application/json"})
        assert answer.status_code == 422, answer.text
        told = answer.json()
        assert told["code"] == "no_round"
        assert (told["detail"], told["next"]) == ("目前没有进行中的牌局。", "请先开始下注。")
