"""Every text of the pages has its translation in every language, and a further language is a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from jinja2 import nodes

import lammer
from lammer.draw.cards import _CARD_NAMES, _FACE_DOWN, _RANK_NAMES
from lammer.draw.roads import _NAMES, _PAIRS
from lammer.floor.access.accounts import ACCOUNT_ROLES
from lammer.floor.settings import Settings, parse_shifts
from lammer.floor.web.pages.accounts import accounts_view
from lammer.floor.web.pages.dealer import dealer_view
from lammer.floor.web.pages.irregularities.what_happened import ASKS, EVERYDAY, GROUPS, PLAIN
from lammer.floor.web.pages.pit import house_report, pit_view
from lammer.floor.web.pages.rules.aligned import Kind
from lammer.floor.web.pages.site.site import LANGUAGE, templates
from lammer.proof.theorems import SAID
from lammer.rulebook.diff import diff
from lammer.rulebook.phrase import Phrase, Series
from lammer.rulebook.vocabulary import DOES, ROLES, WHEN
from lammer.rulebook.wording import condition_words, pays_words, step_words
from lammer.shelf import shelf
from lammer.table.journal import EVENTS
from lammer.wording import catalogues as wording, events
from lammer.wording.catalogues import ENGLISH, catalogues
from lammer.wording.refusals import TO_YOU
from support.open_house import OpenHouse, in_loop, open_house

LAMMER = Path(lammer.__file__).parent
PAGES = LAMMER / "floor/web/pages"
ROOMS = (
    PAGES,
    *(LAMMER / room for room in ("draw", "rulebook", "game", "table", "academy", "wording", "floor/record")),
)
RUNS = (LAMMER / "lab/simulation/simulate.py", LAMMER / "lab/counting/exposure.py", LAMMER / "coverage.py")
STORY = (LAMMER / "cli/script_story.py", LAMMER / "cli/play.py", LAMMER / "cli/drill.py", *RUNS)
MESSAGE_PLACES = {"say": 1, "_where": 1} | dict.fromkeys(
    ("t", "self.t", "words.say", "Phrase", "self.say", "writer.say", "_reason"), 0
)
"""Which argument of a call is the message."""
OTHERS = [language for language in catalogues() if language != ENGLISH]


def in_templates() -> Iterator[str]:
    """Every text a template says as it stands, or chooses from a few."""
    for file in sorted((PAGES / "templates").glob("*.html")):
        tree = templates().parse(file.read_text("utf-8"))
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "t" and not _in_little_room(call):
                yield from _texts(call.args[0])


def _in_little_room(call: nodes.Call) -> bool:
    return any(given.key == "within" for given in call.kwargs)


def _texts(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Const):
        yield str(node.value)
    elif isinstance(node, nodes.CondExpr):
        yield from _texts(node.expr1)
        yield from _texts(node.expr2 or nodes.Const(""))
    elif isinstance(node, nodes.Getitem) and isinstance(node.node, nodes.Dict):
        for pair in node.node.items:
            yield from _texts(pair.value)


def in_code() -> Iterator[str]:
    """Every text the code of these rooms and the story of the command line say as they stand."""
    for file in sorted((*STORY, *(file for room in ROOMS for file in room.rglob("*.py")))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            place = MESSAGE_PLACES.get(ast.unparse(node.func), len(node.args))
            if place < len(node.args) and not any(each.arg == "within" for each in node.keywords):
                yield from _strings(node.args[place])


@cache
def plurals() -> frozenset[tuple[str, str]]:
    """Every text about a number of things: for one of them, for several."""
    found: set[tuple[str, str]] = set()
    for file in sorted((*PAGES.rglob("*.py"), LAMMER / "wording/events.py")):
        text = file.read_text("utf-8")
        found |= set(re.findall(r'= "([^"]*{count}[^"]*)", "([^"]*{count}[^"]*)"', text))
    for file in sorted((PAGES / "templates").glob("*.html")):
        for call in templates().parse(file.read_text("utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "t_count":
                one, many = (arg.as_const() for arg in call.args[:2])
                found.add((one, many))
    return frozenset(found)


def _strings(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body)
        yield from _strings(node.orelse)


def from_lists() -> Iterator[str]:
    """Texts that are chosen by what happened, from lists in the code and in the rulebooks."""
    yield from (*events.MESSAGES.values(), *events.WITHOUT_CARDS.values())
    yield from (message for _, _, message in events.VARIANTS.values())
    for words in (events.SIDES, events.RESULTS, events.WINDOWS, events.SQUEEZES, events.EFFECTS):
        yield from words.values()
    yield from (*events.REASONS.values(), *events.WARNINGS.values(), *events.STANDINGS.values())
    yield from events.PIT_REASONS
    yield from ("won", "lost", "returned", " Reason: {reason}.")
    yield from (role.replace("_", " ") for role in ACCOUNT_ROLES)
    yield from re.findall(r'\("[a-z]+", "([^"]*)"\)', (PAGES / "lobby/board.py").read_text("utf-8"))
    for change in (change for a in shelf() for b in shelf() for change in diff(a, b)):
        yield change.kind
        yield from (*messages(change.subject), *messages(change.sentence))
    for book in shelf():
        yield from (
            text
            for rule in book.irregularities.values()
            for words, _ in step_words(rule)
            for text in messages(words)
        )
        yield from (text for bet in book.bets.values() for text in messages(condition_words(bet.wins)))
        yield from (text for bet in book.bets.values() for text in messages(pays_words(bet)))
    yield from re.findall(r'Phrase\("([^"]+)"', (LAMMER / "rulebook/wording.py").read_text("utf-8"))
    yield from (" or ", " and ")  # between conditions, of which no document puts several together
    yield from (shift.name for shift in parse_shifts(Settings().shifts))
    yield "A card recorded wrongly"  # no document has this irregularity; the page makes it
    yield from (*get_args(Kind), "Settlement", "Settled anew", "Taken back", "Given back")
    yield from (*dealer_view.KEY_LABELS.values(), *PLAIN.values())
    yield from (dealer_view.DEAL_TO, dealer_view.CLOSE_AND_DEAL, dealer_view.OPEN, *EVERYDAY.values())
    yield from (*pit_view.ASKED.values(), *GROUPS)
    yield from (*accounts_view.ASKED.values(), *accounts_view.GRANTED.values())
    yield accounts_view.TAKEN_AT_THE_MACHINE
    yield from (message for _, message in accounts_view.CHANGED)
    yield from house_report.TITLES.values()
    yield from (ask.label for asks in ASKS.values() for ask in asks)
    yield from (field.label for asks in ASKS.values() for ask in asks for field in ask.fields)
    yield from (does.replace("_", " ").capitalize() for does in DOES)
    yield from (f"if {when.replace('_', ' ')}" for when in WHEN if when != "always")
    yield from (f"{role.replace('_', ' ').title()} or above" for role in ROLES[1:])
    yield from (*_CARD_NAMES.values(), *_RANK_NAMES.values(), _FACE_DOWN)
    yield from TO_YOU.values()
    yield from (*_NAMES.values(), *_PAIRS.values(), "red", "blue")
    yield from (said.message for said in SAID.values())


def messages(words: object) -> Iterator[str]:
    """The messages of a phrase and of every phrase inside it."""
    if isinstance(words, Phrase):
        yield words.message
        yield from (text for value in words.values.values() for text in messages(value))
    elif isinstance(words, Series):
        yield from (text for part in words.parts for text in messages(part))


@cache
def texts() -> frozenset[str]:
    found = {*in_templates(), *in_code(), *from_lists()}
    return frozenset(text for text in found if re.search("[A-Za-z]{2}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_its_translation(language: str) -> None:
    assert len(texts()) > 1_000, "they are found"
    assert sorted(texts() - catalogues()[language].texts.keys()) == []


def test_every_event_has_its_message() -> None:
    assert set(EVENTS) == set(events.MESSAGES)
    assert {*events.VARIANTS, *events.WITHOUT_CARDS, *events.SILENT} <= set(EVENTS)


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_about_a_number_of_things_has_its_forms(language: str) -> None:
    known = catalogues()[language]
    for one, many in plurals():
        forms = known.plurals[one]
        assert {known.form_of(number) for number in range(200)} == set(range(len(forms))), one
        assert all(set(places(form)) == set(places(many)) for form in forms), one


def places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", OTHERS)
def test_every_place_is_carried_over(language: str) -> None:
    said = catalogues()[language].texts
    assert {text: said[text] for text in texts() if set(places(text)) != set(places(said[text]))} == {}


def test_no_letter_of_another_language_stands_outside_the_catalogues() -> None:
    """But where an example shows one."""
    files = [*Path(lammer.__file__).parent.rglob("*.py")]
    files += [*(PAGES / "templates").glob("*.html"), *(PAGES / "static").glob("*.js")]
    found = {file.name for file in files if re.search("[\u4e00-\u9fff]", _without_examples(file))}
    assert found == set()


def _without_examples(file: Path) -> str:
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        return text
    tree = ast.parse(text)
    examples = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in examples)
    return " ".join(str(node.value) for node in strings)


LETTERS = str.maketrans("aeiouAEIOUcnsyCNSY", "áéíóúÁÉÍÓÚçñšýÇÑŠÝ")
"""Each English letter in a dress of its own, so that a text that was not translated is seen at once."""
MARK = "⟦"


def pseudo(text: str) -> str:
    """A text in no language: longer than English, its places as they were.

    >>> pseudo("Round {number}")
    '⟦Róúñd {number} ··⟧'
    """
    parts = [
        each.translate(LETTERS) if not each.startswith("{") else each for each in re.split(r"(\{\w*\})", text)
    ]
    return f"{MARK}{''.join(parts)} {'·' * (len(text) // 6)}⟧"


def write_pseudo_language(folder: Path, every: Mapping[str, str]) -> None:
    """A file for a language nobody speaks, beside those there are; it goes by the name of one that exists."""
    for file in wording.folder().iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    catalogue = Catalog(locale="eo", fuzzy=False)
    for text in every:
        within, _, said = text.rpartition("\x04")
        catalogue.add(said, pseudo(said), context=within or None)
    for one, many in plurals():
        catalogue.add((one, many), (pseudo(one), pseudo(many)))
    with (folder / "eo.po").open("wb") as written:
        write_po(written, catalogue)


@pytest.fixture
def pseudo_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "languages"
    folder.mkdir()
    write_pseudo_language(folder, catalogues()["zh"].texts)
    monkeypatch.setattr(wording, "folder", lambda: folder)
    catalogues.cache_clear()
    yield
    monkeypatch.undo()
    catalogues.cache_clear()


EVERYBODY = {
    "player": "/lobby /lobby/tables /tables/t1 /tables/t1/now /tables/t1/felt /tables/t1/roads "
    "/tables/t1/history /tables/t1/history/1 /history /board/t1 /rules /second-factor "
    "/rules/tiger-buffalo-noncommission@4 /rules/tiger-buffalo-noncommission@4/layouts/A",
    "dealer": "/tables/t1/deal /tables/t1/deal/now /tables/t1/deal/felt /tables/t1/deal/wrong "
    "/academy /academy/drill",
    "pit_manager": "/pit /pit/-now /pit/-staff /pit/-report /pit/t1 /pit/t1/now /pit/t1/corrections "
    "/pit/t1/set-up /pit/t1/report /lab /lab/decks /lab/work /stops /academy/trainer",
    "auditor": "/audit /audit?table=t1 /audit?table=* /audit/*/verify "
    "/audit/t1/rounds/1 /audit/t1/verify /rules/compare",
    "administrator": "/accounts /accounts/denials /accounts/changes /accounts/sessions /accounts/many",
}
"""Pages by who reads them; the workbench reads in a process of its own, which knows no made-up language."""


@in_loop
async def test_a_further_language_is_a_file_and_nothing_else(tmp_path: Path, pseudo_language: None) -> None:
    async with open_house(tmp_path / "house", pages=True) as house:
        await house.table("t1")
        await _play_a_round(house)
        for role, paths in EVERYBODY.items():
            person = await house.person(role)
            person.http.cookies.set(LANGUAGE, "eo")
            for path in paths.split():
                answer = await person.get(path)
                assert answer.status_code == 200, (path, answer.status_code, answer.text[:500])
                assert MARK in answer.text, path
                if answer.text.startswith("<!doctype"):
                    assert '<html lang="eo">' in answer.text
                if 'action="/language"' in answer.text:
                    assert ">Esperanto<" not in answer.text, "one does not change to what one reads"
                    assert ">English<" in answer.text
                    assert ">中文<" in answer.text
        stranger = house.stranger()
        front = await stranger.get("/sign-in", headers={"Accept-Language": "eo, en;q=0.5"})
        assert '<html lang="eo">' in front.text
        await stranger.http.aclose()


async def _play_a_round(house: OpenHouse) -> None:
    dealer, player = await house.person("dealer"), await house.person("player")
    await dealer.ask("t1", "prepare_shoe")
    await player.ask("t1", "take_seat", box=1)
    await dealer.ask("t1", "open_bets")
    await player.ask("t1", "place_bet", box=1, bet="player", stake="100")
    await dealer.ask("t1", "close_bets")
    for card in ("9S", "2D", "KH", "5C"):
        await dealer.ask("t1", "deal_card", card=card)
    settled = await dealer.ask("t1", "settle")
    assert settled.status_code == 200, settled.text


def test_catalogues_come_with_the_package() -> None:
    assert (resources.files("lammer.wording") / "languages" / "zh.po").is_file()
