"""Reading a TOML table while collecting everything wrong with it.

A rulebook's author gets the whole list at once: which file, which row, which paragraph, what was
expected. A `Row` hands out typed values; where one is missing or wrong it notes a problem and hands
out a stand-in, so that reading goes on. Nothing read with a problem ever leaves `load`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lammer.rulebook.citation import TITLE, is_number, is_place
from lammer.rulebook.keys import keys_at
from lammer.rulebook.phrase import Phrase

T = TypeVar("T")
Path = tuple[str | int, ...]
_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]")
_CITING = ("number", "cite", "defined", "cites")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in one place of a rulebook.

    >>> print(Problem("my.toml", 12, "bet[3].pays[1].odds", "4.1.4", "odds such as \\"50:1\\"", "50"))
    my.toml:12: bet[3].pays[1].odds (4.1.4): expected odds such as "50:1", found 50
    """

    file: str
    row: int
    where: str
    paragraph: str
    expected: str
    found: str
    path: Path = ()

    def __str__(self) -> str:
        paragraph = f" ({self.paragraph})" if self.paragraph else ""
        return (
            f"{self.file}:{self.row}: {self.where}{paragraph}: expected {self.expected}, found {self.found}"
        )


class DefectiveRulebook(Exception):  # noqa: N818 (named for what it is, like Refused)
    """A rulebook that cannot be used, with every reason."""

    def __init__(self, file: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(file, problems)
        self.file = file
        self.problems = problems

    def __str__(self) -> str:
        count = len(self.problems)
        head = f"{self.file} has {count} problem{'s' if count != 1 else ''}:"
        return "\n".join([head, *(f"  {problem}" for problem in self.problems)])


@dataclass(slots=True)
class Problems:
    """The list being collected, the text to find rows in, and every table that was read.

    In a private file a value needs no paragraph: it then stands on the title page, and `lacks` says so for
    whoever wants the file approved one day. `put_in` are the places of what the file itself does not say;
    `places` says where rows of a file that is based on another stand in it.
    """

    file: str
    text: str
    private: bool = False
    put_in: tuple[Path, ...] = ()
    places: Mapping[Path, Path] | None = None
    found: list[Problem] = field(default_factory=list)
    lacks: list[Problem] = field(default_factory=list)
    tables: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path in self.put_in:
            self.lack(path, Phrase("its own word; the usual stands in"))

    def note(self, path: Path, paragraph: str, expected: str, found: str) -> None:
        self.found.append(self._problem(path, paragraph, expected, found))

    def lack(self, path: Path, expected: str) -> None:
        """Remember what is missing before the file can be approved, once for a part that is missing whole."""
        if not any(path[: len(part)] == part and path != part for part in self.put_in):
            self.lacks.append(self._problem(path, "", expected, Phrase("nothing")))

    def _problem(self, path: Path, paragraph: str, expected: str, found: str) -> Problem:
        there = self._in_file(path)
        row = line_of(self.text, there)
        return Problem(
            self.file,
            row,
            spell(there),
            paragraph,
            expected,
            found if isinstance(found, Phrase) else found[:200],
            path,
        )

    def _in_file(self, path: Path) -> Path:
        """Where that stands in the file itself; what came from another file is put down to `based_on`."""
        if self.places is None:
            return path
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return (*self.places[path[:length]], *path[length:])
        return path if all(isinstance(step, str) for step in path) else ("rulebook", "based_on")

    def note_unasked(self) -> None:
        """Once all is read: every key that nobody asked for is a slip worth knowing about."""
        for table in self.tables:
            for key in table.values:
                if key not in table.asked:
                    known = keys_at(table.path) or sorted(table.asked)
                    if key in known:
                        table.note(
                            key, Phrase("nothing of the kind beside the other keys of this table"), key
                        )
                    else:
                        table.note(key, Phrase("only the keys {keys}", keys=", ".join(known)), key)


def spell(path: Path) -> str:
    """A path as its author counts: from one.

    >>> spell(("bet", 2, "pays", 0, "odds"))
    'bet[3].pays[1].odds'
    """
    spelled = ""
    for step in path:
        spelled += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if spelled else step
    return spelled or "file"


def line_of(text: str, path: Path) -> int:
    """The line a value stands on, or its table's first line; 1 where neither can be found.

    >>> line_of("[[b]]\\ny = 2\\n[[b]]\\ny = [\\n  { z = 1 },\\n  { z = 2 },\\n]", ("b", 1, "y", 1, "z"))
    6
    """
    header = ".".join(step for step in path if isinstance(step, str))
    counts: dict[str, int] = {}
    best = 1
    table = ""
    at: Path = ()
    lines = text.splitlines()
    for row, line in enumerate(lines, start=1):
        if match := _HEADER.match(line):
            table = match[2]
            counts[table] = counts.get(table, -1) + 1
            at = (*table.split("."), counts[table]) if match[1] == "[[" else tuple(table.split("."))
            if path[: len(at)] == at:
                best = row
        elif at and path[: len(at)] == at and len(path) > len(at) and header.startswith(table):
            key, rest = path[len(at)], path[len(at) + 1 :]
            if re.match(rf"\s*{re.escape(str(key))}\s*=", line):
                inside = rest[0] if rest and isinstance(rest[0], int) else None
                if inside is None or not line.rstrip().endswith("["):
                    return row
                rows = [
                    number
                    for number, inner_line in enumerate(lines[row:], start=row + 1)
                    if inner_line.lstrip().startswith("{")
                ]
                return rows[inside] if inside < len(rows) else row
    return best


@dataclass(slots=True)
class Row:
    """One table of the file: asks for values by key, notes what is wrong, remembers what was asked."""

    problems: Problems
    path: Path
    values: dict[str, Any]
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.problems.tables.append(self)

    def note(self, key: str, expected: str, found: object = None) -> None:
        shown = Phrase("nothing") if found is None else repr(found)
        self.problems.note((*self.path, key) if key else self.path, self.paragraph, expected, shown)

    @property
    def paragraph(self) -> str:
        for key in _CITING:
            value = self.values.get(key)
            if isinstance(value, list) and value:
                value = value[0]
            if isinstance(value, str):
                return value
        return ""

    def has(self, key: str) -> bool:
        return key in self.values

    def take(self, key: str, kind: type[T], stand_in: T, expected: str) -> T:
        self.asked.add(key)
        value = self.values.get(key)
        if type(value) is kind:
            return value
        self.note(key, expected, value)
        return stand_in

    def text(self, key: str) -> str:
        value = self.take(key, str, "", Phrase("some text"))
        if self.has(key) and isinstance(self.values[key], str) and not value.strip():
            self.note(key, Phrase("some text"), value)
        return value

    def integer(self, key: str, least: int, most: int) -> int:
        expected = Phrase("a whole number from {least} to {most}", least=least, most=most)
        value = self.take(key, int, least, expected)
        if not least <= value <= most:
            self.note(key, expected, value)
            return least
        return value

    def integers(self, key: str, least: int, most: int) -> frozenset[int]:
        """One number or a list of different ones; an absent key means every number is allowed."""
        if not self.has(key):
            return frozenset(range(least, most + 1))
        self.asked.add(key)
        value = self.values[key]
        listed = value if isinstance(value, list) else [value]
        good = [number for number in listed if type(number) is int and least <= number <= most]
        if not listed or len(set(good)) != len(listed):
            expected = Phrase("different whole numbers from {least} to {most}", least=least, most=most)
            self.note(key, expected, value)
        return frozenset(good) or frozenset({least})

    def word(self, key: str, words: tuple[str, ...], absent: str | None = None) -> str:
        if absent is not None and not self.has(key):
            return absent
        expected = Phrase("one of {words}", words=", ".join(words))
        value = self.take(key, str, words[0], expected)
        if value not in words:
            self.note(key, expected, value)
            return words[0]
        return value

    def choices(self, key: str, words: tuple[str, ...]) -> frozenset[str]:
        """One word or a list of different ones; an absent key means every word is allowed."""
        if not self.has(key):
            return frozenset(words)
        self.asked.add(key)
        value = self.values[key]
        listed = value if isinstance(value, list) else [value]
        good = [word for word in listed if isinstance(word, str) and word in words]
        if not listed or len(set(good)) != len(listed):
            self.note(key, Phrase("one of {words}", words=", ".join(words)), value)
        return frozenset(good) or frozenset(words[:1])

    def flag(self, key: str) -> bool:
        return self.take(key, bool, False, Phrase("true or false")) if self.has(key) else False

    def parsed(self, key: str, parse: Callable[[str], T], stand_in: T) -> T:
        """A string that `parse` understands; its ValueError says what was expected."""
        self.asked.add(key)
        value = self.values.get(key)
        try:
            return parse(value if type(value) is str else "")
        except ValueError as error:
            self.note(key, Phrase("{expected} as a string", expected=error.args[0]), value)
            return stand_in

    def cite(self, key: str = "cite") -> str:
        if self._needs_no(key):
            return TITLE
        value = self.take(key, str, "title", Phrase("the paragraph this stands on, as a string"))
        if not (is_number(value) or is_place(value)):
            self.note(key, Phrase('a paragraph such as "3.15", "title" or "appendix C"'), value)
        return value

    def cites(self, key: str = "cite") -> tuple[str, ...]:
        """One paragraph or a list of them, at least one."""
        value = self.values.get(key)
        if not isinstance(value, list):
            return (self.cite(key),)
        self.asked.add(key)
        good = tuple(item for item in value if isinstance(item, str) and (is_number(item) or is_place(item)))
        if not good or len(good) != len(value):
            self.note(key, Phrase("a list of paragraphs as strings"), value)
        return good or ("title",)

    def cite_if(self, key: str) -> str:
        """The paragraph that says so, empty where none does; a private file may say `true` or `false`."""
        if self.problems.private and isinstance(self.values.get(key), bool):
            if not self.flag(key):
                return ""
            self.problems.lack((*self.path, key), Phrase("the paragraph it stands on"))
            return TITLE
        return self.cite(key) if self.has(key) else ""

    def _needs_no(self, key: str) -> bool:
        """Whether this value of a private file stands without a paragraph, which is then remembered."""
        if not self.problems.private or self.has(key):
            return False
        self.asked.add(key)
        self.problems.lack((*self.path, key), Phrase("the paragraph it stands on"))
        return True

    def words(self, key: str) -> tuple[str, ...]:
        value = self.take(key, list, [], Phrase("a list of strings"))
        if not all(isinstance(item, str) for item in value):
            self.note(key, Phrase("a list of strings"), value)
        return tuple(str(item) for item in value)

    def row(self, key: str) -> Row:
        return Row(self.problems, (*self.path, key), self.take(key, dict, {}, Phrase("a table")))

    def rows(self, key: str) -> Iterator[Row]:
        value = self.take(key, list, [], Phrase("at least one row"))
        if self.values.get(key) == []:
            self.note(key, Phrase("at least one row"), value)
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield Row(self.problems, (*self.path, key, index), item)
            else:
                self.problems.note(
                    (*self.path, key, index), self.paragraph, Phrase("a row of keys"), repr(item)
                )
