"""`lammer drill`: training items in the terminal, graded by the engine; wrong answers come back sooner."""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
import typer
from rich.markup import escape
from rich.text import Text

from lammer.academy.asking import chosen_kinds
from lammer.academy.grading import grade
from lammer.academy.items import Item
from lammer.academy.repetition import (
    ANSWERS_BETWEEN,
    Memory,
    Topic,
    after_answer,
    by_paragraph,
    next_item,
)
from lammer.cli.console import err, out, table
from lammer.cli.exit_codes import WRONG_USAGE
from lammer.rulebook.force import in_force
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import rulebook, shelf
from lammer.wording.catalogues import ENGLISH, Language, catalogues, say
from lammer.wording.phrases import in_words
from lammer.wording.refusals import in_language
from lammer.wording.rules import gist_of
from lammer.wording.titles import title_of
from lammer.wording.training import ItemWords, item_words

DEFAULT_GAME = "tiger-buffalo-noncommission-insurance"
_SEED_BITS = 32


@dataclass(slots=True)
class Sitting:
    """One sitting: what is asked, what was answered, what is remembered of it."""

    book: Rulebook
    kinds: tuple[str, ...]
    seed: int
    language: Language
    seconds: int
    answers: int = 0
    right: int = 0
    memories: dict[Topic, Memory] = field(default_factory=dict)

    def next(self) -> Item:
        """What to ask now."""
        return next_item(self.book, self.kinds, self.memories, self.answers, self.seed + self.answers)

    def take(self, item: Item, written: str, took: float) -> bool:
        """Whether an answer is right, and in time where there is a limit; what is no answer is refused."""
        right = grade(item, written) and not (self.seconds and took > self.seconds)
        self.note(item, right)
        return right

    def note(self, item: Item, right: bool) -> None:
        """Remember how an item was answered; one that was passed over is wrong."""
        self.answers += 1
        self.right += right
        self.memories = after_answer(self.memories, item, right, self.answers, ANSWERS_BETWEEN)


def drill(
    book_name: Annotated[
        str, typer.Argument(metavar="[RULEBOOK]", help="A rulebook's id, or a TOML file of yours.")
    ] = "",
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="Only this kind: totals, drawing, payouts, chips, insurance, differential or cases; "
            "may be repeated.",
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many items are asked.")] = 20,
    seed: Annotated[int | None, typer.Option(help="The same seed asks the same items.")] = None,
    seconds: Annotated[
        int, typer.Option(min=0, help="Seconds for an answer; later counts as wrong. 0: take your time.")
    ] = 0,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="en or zh.")] = ENGLISH,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Items and grades as JSON, a line each; answers are read line by line."),
    ] = False,
) -> None:
    """Train as a dealer: items made from a rulebook and graded by the engine that runs the floor.

    A wrong answer shows its paragraph and comes back sooner. Choices are answered by their number; an empty
    line passes, Ctrl-D ends.
    """
    if language != ENGLISH and language not in catalogues():
        err.print(escape(f"There is no language {language!r}; there are {', '.join(catalogues())}."))
        raise typer.Exit(WRONG_USAGE)
    book = rulebook(book_name) if book_name else in_force(shelf(), DEFAULT_GAME, datetime.now(UTC)).rulebook
    seed = random.SystemRandom().getrandbits(_SEED_BITS) if seed is None else seed
    sitting = Sitting(book, chosen_kinds(book, kind or ()), seed, language, seconds)
    ask = _ask_program if as_json else _ask_person
    if not as_json:
        out.print(Text(f"{title_of(language, book)} v{book.version}", "bold"), Text(f"seed {seed}", "dim"))
    for number in range(1, count + 1):
        if not ask(sitting, sitting.next(), number, count):
            break
    if as_json:
        _print_line({"asked": sitting.answers, "right": sitting.right, "seed": seed, "rulebook": book.id})
    else:
        _print_score(sitting)


def _read_line() -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _ask_person(sitting: Sitting, item: Item, number: int, count: int) -> bool:
    """Ask one item until it is answered; False when nobody answers any more."""
    words, language = item_words(sitting.language, sitting.book, item), sitting.language
    out.print()
    out.print(Text.assemble((f"{number}/{count}  ", "dim"), (words.question, "bold")))
    _print_felt(words)
    started = time.monotonic()
    right: bool | None = None
    while right is None:
        out.print("> ", end="")
        written = _read_line()
        if written is None:
            out.print()
            return False
        if not written.strip():
            right = False
            sitting.note(item, right)
            break
        try:
            right = sitting.take(item, written, time.monotonic() - started)
        except Refused as refused:
            refused = in_language(language, refused)
            out.print(Text(f"{refused.sentence} {refused.next_step}", "yellow"))
    if right:
        out.print(Text(say(language, "Right."), "bold green"))
        return True
    out.print(Text(say(language, "Wrong. The answer: {answer}", answer=words.answer), "bold red"))
    out.print(Text(words.because))
    for paragraph, gist in words.paragraphs:
        out.print(Text(f"§ {paragraph}  {gist}", "dim"))
    return True


def _print_felt(words: ItemWords) -> None:
    for hand, cards in words.hands:
        out.print(Text(f"  {hand}  {'  '.join(card or '▒▒' for card in cards)}"))
    if words.stakes:
        out.print(table(("", "", "", ""), [(f"  {row[0]}", *row[1:]) for row in words.stakes]))
    for number, choice in enumerate(words.choices, start=1):
        out.print(Text(f"  {number}  {choice}"))


def _print_score(sitting: Sitting) -> None:
    language = sitting.language
    out.print()
    score = say(language, "{right} of {asked} right.", right=sitting.right, asked=sitting.answers)
    out.print(Text(score, "bold"))
    missed = [memory for memory in by_paragraph(sitting.memories.values()) if memory.wrong]
    if missed:
        out.print(
            table(
                ("§", say(language, "Right"), say(language, "Wrong"), ""),
                [
                    (
                        memory.paragraph,
                        str(memory.right),
                        str(memory.wrong),
                        gist_of(language, sitting.book, memory.paragraph),
                    )
                    for memory in missed
                ],
            )
        )


def _ask_program(sitting: Sitting, item: Item, number: int, count: int) -> bool:
    _print_line({"number": number, "of": count, **item_json(item, sitting.language)})
    written = _read_line()
    if written is None:
        return False
    refusal = None
    try:
        right = sitting.take(item, written, 0)
    except Refused as refused:
        # A program is not asked twice: what is no answer is a wrong one.
        right = False
        sitting.note(item, right)
        refusal = {"code": refused.code, "sentence": refused.sentence}
    words = item_words(sitting.language, sitting.book, item)
    _print_line(
        {
            "number": number,
            "right": right,
            "answer": item.answer,
            "because": words.because,
            "cites": item.cites,
            "refused": refusal,
        }
    )
    return True


def item_json(item: Item, language: Language) -> dict[str, Any]:
    """An item for a program: everything but the answer."""
    return {
        "rulebook": item.rulebook,
        "kind": item.kind,
        "asked": item.asked,
        "seed": item.seed,
        "question": str(in_words(language, item.question)),
        "form": item.form,
        "choices": {choice.name: str(in_words(language, choice.words)) for choice in item.choices},
        "player": item.hands[0],
        "banker": item.hands[1],
        "stakes": item.stakes,
        "facts": item.facts,
    }


def _print_line(value: dict[str, Any]) -> None:
    out.out(msgspec.json.encode(value).decode(), highlight=False)
