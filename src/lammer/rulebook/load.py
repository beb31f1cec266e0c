"""TOML -> Rulebook, through one door for the five documents and for your own.

`load` takes the text, not a file: reading files is the shelf's work. It reports every problem of form
at once; whether what is well formed is also whole and consistent is `check`'s question, and `load`
asks it before it lets a rulebook out.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from lammer.rulebook import based_on as based, vocabulary as words
from lammer.rulebook.behaviours import BEHAVIOURS, IRREGULARITIES
from lammer.rulebook.check import citations, defects
from lammer.rulebook.citation import TITLE, Citation, is_number, order
from lammer.rulebook.load_bets import NAME, Cite, read_bet, read_insurance
from lammer.rulebook.model import (
    Cards,
    Cell,
    Drawing,
    Irregularity,
    Layout,
    Paragraph,
    Play,
    Reading,
    Role,
    Rulebook,
    Squeeze,
    Step,
    TableOfPlay,
)
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.problems import DefectiveRulebook, Path, Problem, Problems, Row, line_of, spell
from lammer.rulebook.standard import Values, completed, is_private
from lammer.rulebook.toml_text import toml_of

T = TypeVar("T")
Find = Callable[[str], str]
DEEPEST: Final = 40
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def load(text: str, file: str = "rulebook.toml", find: Find | None = None) -> Rulebook:
    """Read a rulebook, or raise `DefectiveRulebook` with every problem.

    Whether it is whole is checked even when something in it is malformed; only the rows that are
    malformed themselves, and a file that lacks whole tables, are spared the second question. `find` gives
    the text of a rulebook by its id, for files that are based on another.

    >>> load("[rulebook]\\ngame = 'x'", "mine.toml")
    Traceback (most recent call last):
    ...
    lammer.rulebook.problems.DefectiveRulebook: mine.toml has ...

    A path is no text; `lammer.rulebook("mine.toml")` reads a file.

    >>> mine = load('''
    ... rulebook = { game = "mine" }
    ... [[bet]]
    ... name = "player"
    ... wins = { hand = "player" }
    ... pays = "1:1"
    ... tie_returns = true
    ... [[bet]]
    ... name = "banker"
    ... wins = { hand = "banker" }
    ... pays = "0.95:1"
    ... tie_returns = true
    ... ''')
    >>> mine.id, mine.bets["banker"].title, len(mine.irregularities)
    ('mine@1', 'Banker', 26)
    """
    values, places = _whole_values(text, file, find)
    return build(values, text, file, places)


def whole_text(text: str, file: str = "rulebook.toml", find: Find | None = None) -> str:
    """A private file with everything it comes to written out; it stands on its own and has the same SHA-256.

    >>> print(whole_text("rulebook = { game = 'mine' }")[:51])
    [rulebook]
    game = "mine"
    version = 1
    title = "Mine"
    """
    values, _ = _whole_values(text, file, find)
    if not is_private(values):
        return text
    full = completed(values)[0]
    identity = {key: value for key, value in full["rulebook"].items() if value != ""}
    return toml_of({**full, "rulebook": identity})


def _whole_values(text: str, file: str, find: Find | None) -> tuple[Values, Mapping[Path, Path] | None]:
    values = _parsed(text, file)
    identity = values.get("rulebook")
    if not (isinstance(identity, dict) and "based_on" in identity):
        return values, None
    try:
        return based.resolved(values, lambda name: _parsed(find(name) if find else "", name))
    except based.NotBased as refused:
        path = refused.path
        found = repr(identity["based_on"])[:200] if path[0] == "rulebook" else Phrase("none")
        problem = Problem(file, line_of(text, path), spell(path), "", refused.expected, found, path)
        raise DefectiveRulebook(file, (problem,)) from None


def _parsed(text: str, file: str) -> Values:
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        if text.strip().endswith(".toml"):
            raise DefectiveRulebook(file, (_a_path(file, text.strip()),)) from None
        raise DefectiveRulebook(file, (_not_toml(file, str(error)),)) from None
    if _is_deeper(values, DEEPEST):
        expected = Phrase("at most {most} tables inside one another", most=DEEPEST)
        raise DefectiveRulebook(file, (Problem(file, 1, "file", "", expected, Phrase("more")),))
    return values


def _is_deeper(values: Values, most: int) -> bool:
    """Whether tables stand deeper in one another than anybody writes them."""
    level: list[object] = [values]
    for _ in range(most):
        level = [
            inner
            for value in level
            for inner in (
                value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
            )
        ]
    return bool(level)


def build(
    values: Values,
    text: str = "",
    file: str = "rulebook.toml",
    places: Mapping[Path, Path] | None = None,
) -> Rulebook:
    """A rulebook from values already parsed; `text` serves to find rows and for the SHA-256."""
    private = is_private(values)
    full, put_in = completed(values) if private else (values, ())
    problems = Problems(file, text, private, put_in, places)
    top = Row(problems, (), full)
    sha256 = digest(full) if private else hashlib.sha256(text.encode()).hexdigest()
    book = replace(_rulebook(top, sha256), lacks=tuple(problems.lacks))
    if private and "paragraph" not in full:
        book = _indexed(book)
    problems.note_unasked()
    malformed = {problem.path[:2] for problem in problems.found}
    if not any(len(path) < 2 for path in malformed):
        for path, paragraph, expected, found in defects(book):
            if path[:2] not in malformed:
                problems.note(path, paragraph, expected, found)
    if problems.found:
        raise DefectiveRulebook(file, tuple(sorted(dict.fromkeys(problems.found), key=_in_order)))
    return book


def _in_order(problem: Problem) -> tuple[int, str, str, str, str]:
    """The same order every time, since a set has none."""
    return problem.row, problem.where, problem.expected, problem.found, problem.paragraph


def digest(values: Values) -> str:
    """The SHA-256 of everything a file comes to, whatever it left out or took from another.

    >>> digest({"b": 1, "a": [2]}) == digest({"a": [2], "b": 1})
    True
    """
    canonical = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _indexed(book: Rulebook) -> Rulebook:
    """A file without an index: its title page answers for everything, and what it cites is taken to exist."""
    behaviours = tuple(
        name for name in BEHAVIOURS if name not in IRREGULARITIES or name in book.irregularities
    )
    index = {TITLE: Paragraph(TITLE, "A rulebook without numbered paragraphs", behaviours, "", "", "")}
    cited = {citation.paragraph for _, citation in citations(book)}
    for number in sorted((number for number in cited if is_number(number)), key=order):
        index[number] = Paragraph(number, number, (), "The file cites it and has no index.", "", "")
    return replace(book, paragraphs=MappingProxyType(index), has_index=False)


def _not_toml(file: str, error: str) -> Problem:
    at_line = re.search(r"line (\d+)", error)
    return Problem(file, int(at_line[1]) if at_line else 1, "file", "", Phrase("a TOML document"), error)


def _a_path(file: str, path: str) -> Problem:
    """Somebody gave the name of a file where its text is wanted."""
    expected = Phrase("the text of a rulebook; `lammer.rulebook` takes the path of its file")
    return Problem(file, 1, "file", "", expected, Phrase("the path {path}", path=repr(path[:200])))


def _rulebook(top: Row, sha256: str) -> Rulebook:
    identity = top.row("rulebook")
    game = identity.text("game")
    if game and not _SLUG.fullmatch(game):
        identity.note("game", Phrase("lower-case words joined by hyphens"), game)
    version = identity.integer("version", 1, 999)

    def cite(paragraph: str) -> Citation:
        return Citation(f"{game}@{version}", paragraph)

    result = top.row("result")
    layouts = top.row("layouts")
    return Rulebook(
        game=game,
        version=version,
        sha256=sha256,
        title=identity.text("title"),
        title_zh=identity.text("title_zh"),
        titles={"zh": identity.text("title_zh")},
        approved_by=_text_of_approval(identity, "approved_by"),
        operator=_text_of_approval(identity, "operator"),
        in_force_from=_moment(identity),
        time_zone=_time_zone(identity),
        supersedes=identity.text("supersedes") if identity.has("supersedes") else "",
        identity=cite(identity.cite()),
        cards=_cards(top.row("cards"), cite),
        table_of_play=_table_of_play(top.row("table_of_play"), cite),
        winner=cite(result.cite("winner")),
        tie=cite(result.cite("tie")),
        bets=_read_named(top, "bet", lambda row: read_bet(row, cite), lambda bet: bet.name),
        bets_cite=cite(result.cite("bets")),
        layouts=_read_named(
            layouts, "layout", lambda row: _layout(row, cite), lambda layout: layout.appendix
        ),
        layouts_cite=cite(layouts.cite()),
        boxes_cite=cite(layouts.cite("boxes")),
        insurance=read_insurance(top.row("insurance"), cite) if top.has("insurance") else None,
        squeeze=_squeeze(top.row("squeeze"), cite),
        irregularities=_read_named(
            top, "irregularity", lambda row: _irregularity(row, cite), lambda irregularity: irregularity.name
        ),
        roles=_read_named(top, "role", lambda row: _role(row, cite), lambda role: role.name),
        readings=_read_named(top, "reading", lambda row: _reading(row, cite), lambda reading: reading.name),
        paragraphs=_paragraphs(top),
        based_on=identity.text("came_from") if identity.has("came_from") else "",
    )


def _text_of_approval(identity: Row, key: str) -> str:
    """Who approved the file, or whose it is; a private file says neither."""
    return identity.take(key, str, "", "some text") if identity.problems.private else identity.text(key)


def _read_named(
    parent: Row, key: str, read: Callable[[Row], T], name: Callable[[T], str]
) -> MappingProxyType[str, T]:
    """The rows of one kind by name; a name given twice is two rules where there must be one."""
    items: dict[str, T] = {}
    for row in parent.rows(key):
        item = read(row)
        if name(item) in items:
            row.note("", Phrase("one {key} of this name", key=key), name(item))
        items[name(item)] = item
    return MappingProxyType(items)


def _moment(row: Row) -> datetime:
    stand_in = datetime.fromisoformat("1970-01-01T00:00+00:00")
    moment = row.take("in_force_from", datetime, stand_in, Phrase("a date and time with its offset"))
    if moment.tzinfo is None:
        row.note("in_force_from", Phrase("an offset such as +08:00"), str(moment))
        return stand_in
    return moment


def _time_zone(row: Row) -> str:
    name = row.text("time_zone")
    try:
        ZoneInfo(name or "UTC")
    except (ValueError, OSError, LookupError):
        row.note("time_zone", Phrase("a time zone such as Asia/Singapore"), name)
        return "UTC"
    return name or "UTC"


def _cards(row: Row, cite: Cite) -> Cards:
    decks = row.row("decks")
    deck_ranks = _deck_ranks(decks)
    fewest = decks.integer("fewest", 1, 100)
    most = decks.integer("most", fewest, 100)
    points: dict[str, int] = {}
    cites: dict[str, Citation] = {}
    for value in row.rows("value"):
        ranks = value.text("ranks").split()
        citation = cite(value.cite())
        listed = value.take("points", list, [], Phrase("the points of each rank, in the same order"))
        if len(listed) != len(ranks) or any(
            type(number) is not int or not 0 <= number <= 20 for number in listed
        ):
            value.note("points", Phrase("one whole number for each rank, in the same order"), listed)
            listed = [0] * len(ranks)
        for rank, worth in zip(ranks, listed, strict=True):
            if rank not in deck_ranks or len(rank) != 1 or rank in points:
                value.note("ranks", Phrase("each of {ranks} once", ranks=" ".join(deck_ranks)), rank)
            points[rank], cites[rank] = worth, citation
    if missing := [rank for rank in deck_ranks if rank not in points]:
        row.note("value", Phrase("a value for {ranks}", ranks=" ".join(missing)))
    order = row.row("order")
    return Cards(
        fewest_decks=fewest,
        most_decks=most,
        deck=decks.integer("cards", 1, 60),
        decks_cite=cite(decks.cite()),
        points=MappingProxyType(points),
        points_cite=MappingProxyType(cites),
        order=_sides(order),
        order_cite=cite(order.cite()),
        total_cite=cite(row.cite("total")),
        ranks=deck_ranks,
    )


def _deck_ranks(decks: Row) -> str:
    """The ranks of a deck in their usual order: all thirteen, or those the file lists."""
    if not decks.has("ranks"):
        return words.RANKS
    listed = decks.text("ranks").split()
    known = [rank for rank in words.RANKS if rank in listed]
    if not known or len(known) != len(listed):
        decks.note(
            "ranks", Phrase("some of {ranks}, each once", ranks=" ".join(words.RANKS)), decks.values["ranks"]
        )
    return "".join(known) or words.RANKS


def _sides(row: Row) -> tuple[words.Side, ...]:
    names = row.words("hands")
    if strange := [name for name in names if name not in words.SIDES]:
        row.note("hands", Phrase("player and banker only"), strange)
    return tuple("player" if name == "player" else "banker" for name in names)


def _table_of_play(row: Row, cite: Cite) -> TableOfPlay:
    natural = row.row("natural")
    plays = tuple(_play(line) for line in row.rows("play")) if row.has("play") else ()
    usual = plays[0].draws if plays else None
    player: dict[int, Drawing] = {}
    banker: dict[tuple[int, int | None], Drawing] = {}
    for line in row.rows("player"):
        does, citation = line.word("does", words.DRAWING), cite(line.cite())
        for total in sorted(line.integers("total", 0, 9)):
            if total in player:
                line.note("total", Phrase("Player {total} in one row only", total=total), total)
            player[total] = _drawing(does, citation, usual, ("player", total, None))
    for line in row.rows("banker"):
        does, citation = line.word("does", words.DRAWING), cite(line.cite())
        stood = line.flag("player_stood")
        thirds: list[int | None] = [None] if stood else [*sorted(line.integers("third", 0, 9))]
        for total in sorted(line.integers("total", 0, 9)):
            for third in thirds:
                if (total, third) in banker:
                    line.note(
                        "total",
                        Phrase("Banker {total} against {third} in one row only", total=total, third=third),
                        total,
                    )
                banker[total, third] = _drawing(does, citation, usual, ("banker", total, third))
    none = natural.flag("none")
    if none and natural.has("total"):
        natural.note("total", Phrase("no totals where there are no naturals"), natural.values["total"])
    return TableOfPlay(
        natural=frozenset() if none else natural.integers("total", 0, 9),
        natural_cite=cite(natural.cite()),
        player=MappingProxyType(player),
        banker=MappingProxyType(banker),
        natural_ends=natural.flag("ends_drawing") if natural.has("ends_drawing") else True,
        plays=plays,
    )


def _drawing(does: str, cite: Citation, usual: frozenset[Cell] | None, cell: Cell) -> Drawing:
    """What a hand does in a cell; where it may choose, what the usual play does."""
    if does != "may_draw":
        return Drawing(does == "draws", cite)
    return Drawing(usual is None or cell in usual, cite, optional=True)


def _play(row: Row) -> Play:
    """A named way to play the cells in which a hand may draw: those in which it does."""
    name = row.text("name")
    if name and not NAME.fullmatch(name):
        row.note("name", Phrase("a short name in lower case"), name)
    cells: set[Cell] = set()
    for line in row.rows("draws") if row.values.get("draws") != [] else ():
        if line.word("hand", words.SIDES) == "player":
            cells.update(("player", total, None) for total in line.integers("total", 0, 9))
            continue
        stood = line.flag("player_stood")
        thirds = {None} if stood else {*line.integers("third", 0, 9)}
        cells.update(("banker", total, third) for total in line.integers("total", 0, 9) for third in thirds)
    row.asked.add("draws")
    title = row.text("title") if row.has("title") else name.replace("_", " ").capitalize()
    return Play(name, title, frozenset(cells))


def _layout(row: Row, cite: Cite) -> Layout:
    letter = row.text("appendix")
    if not re.fullmatch(r"[A-Z]", letter):
        row.note("appendix", Phrase("one letter"), letter)
    fewest = row.integer("fewest", 1, 99)
    most = row.integer("most", fewest, 99)
    return Layout(letter, fewest, most, row.flag("chinese"), cite(row.cite()))


def _squeeze(row: Row, cite: Cite) -> Squeeze:
    waivers = row.words("waivers") if row.has("waivers") else ()
    if unknown := [word for word in waivers if word not in words.SQUEEZE_REQUESTS]:
        row.note("waivers", Phrase("some of {words}", words=", ".join(words.SQUEEZE_REQUESTS)), unknown)
    waiver_cite = cite(row.cite("waiver_cite")) if waivers else None
    return Squeeze(row.word("right", words.SQUEEZERS), cite(row.cite()), waivers, waiver_cite)


def _irregularity(row: Row, cite: Cite) -> Irregularity:
    steps = tuple(
        Step(
            does=step.word("does", words.DOES),
            when=step.word("when", words.WHEN, absent="always"),
            by=step.word("by", words.DECIDERS, absent="rules"),
            discretion=step.word("discretion", words.DISCRETION, absent="none"),
            cite=cite(step.cite()),
        )
        for step in (row.rows("steps") if row.has("steps") or not row.has("options") else ())
    )
    options = None
    if row.has("options"):
        option_row = row.row("options")
        options = (option_row.word("when", words.WHEN), cite(option_row.cite()))
    name = row.text("name")
    if name not in IRREGULARITIES:
        row.note("name", Phrase("an irregularity the table knows"), name)
    return Irregularity(name, row.text("title"), cite(row.cite()), steps, options)


def _role(row: Row, cite: Cite) -> Role:
    return Role(row.word("name", words.ROLES), cite(row.cite()))


def _reading(row: Row, cite: Cite) -> Reading:
    name = row.text("name")
    if name and not NAME.fullmatch(name):
        row.note("name", Phrase("a short name in lower case"), name)
    choice = row.text("choice")
    alternatives = row.words("alternatives") if row.has("alternatives") else ()
    if unknown := [word for word in (choice, *alternatives) if word not in words.READINGS.get(name, (word,))]:
        row.note("choice", Phrase("choices among {words}", words=", ".join(words.READINGS[name])), unknown)
    cites = tuple(cite(paragraph) for paragraph in row.cites("cites"))
    return Reading(name, row.text("question"), choice, alternatives, row.text("because"), cites)


def _paragraphs(top: Row) -> MappingProxyType[str, Paragraph]:
    if top.problems.private and not top.has("paragraph"):
        top.problems.lack(("paragraph",), Phrase("an index of the document's paragraphs"))
        return MappingProxyType({})
    return _read_named(top, "paragraph", _paragraph, lambda paragraph: paragraph.number)


def _paragraph(row: Row) -> Paragraph:
    number = row.text("number")
    if not is_number(number) and number != TITLE:
        row.note("number", Phrase('a paragraph number such as "5.20" or "4.2.1.a", or "title"'), number)
    behaviours = row.words("behaviour") if row.has("behaviour") else ()
    if unknown := [name for name in behaviours if name not in BEHAVIOURS]:
        row.note("behaviour", Phrase("behaviours Lammer knows"), unknown)
    reason = row.text("not_executable") if row.has("not_executable") else ""
    if bool(behaviours) == bool(reason):
        row.note("", Phrase("either a behaviour that answers or a reason why none can"), number)
    sha256 = row.text("sha256") if row.has("sha256") else ""
    if sha256 and not _SHA256.fullmatch(sha256):
        row.note("sha256", Phrase("64 hexadecimal digits"), sha256)
    lost = row.cite("lost_after") if row.has("lost_after") else ""
    return Paragraph(number, row.text("gist"), behaviours, reason, sha256, lost)
