"""What an auditor looks for: read from the address, offered as a form, and put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from lammer.floor.views.finding import RoundQuery
from lammer.floor.views.round_marks import ANY
from lammer.floor.views.round_truth import RoundTruth
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.site import whole_number
from lammer.game.money import parse_amount
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.refusals import in_language
from lammer.wording.rules import irregularity_title

LONGEST_NUMBER: Final = 15
FIELDS: Final = (
    "table", "number", "since", "until", "player", "result", "points", "natural", "corrected", "irregularity",
    "paragraph", "amount", "sort",
)  # fmt: skip
"""What a search may say."""
RARER: Final = ("result", "points", "natural", "corrected", "irregularity", "paragraph", "amount")
"""What is offered below the rest of the form."""
PAGE_ROUNDS: Final = 50
SORTED_ROUNDS: Final = 500
"""Rounds that are put in order together; among fewer there would be little to learn from their order."""

Value = TypeVar("Value")
TableRound = tuple[str, RoundTruth]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that puts the rows in order: where it leads, its name, how they stand by it now."""

    address: str
    label: str
    order: str

    @property
    def mark(self) -> str:
        return {"ascending": " ▲", "descending": " ▼"}.get(self.order, "")


@dataclass(frozen=True, slots=True)
class Search:
    """What somebody looks for: the fields as they were typed, and the question they make.

    `problems` says of each field that cannot be read why, to whoever typed it.
    """

    typed: dict[str, str]
    query: RoundQuery = field(default_factory=RoundQuery)
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def looks_closer(self) -> bool:
        """Whether anything is looked for that the short form does not ask."""
        return any(self.typed[name] for name in RARER)

    @property
    def limit(self) -> int:
        return SORTED_ROUNDS if self.typed["sort"] else PAGE_ROUNDS

    def going_on(self, **more: str) -> dict[str, str]:
        """The fields of the same search, gone on with elsewhere."""
        return {name: value for name, value in (self.typed | more).items() if value}

    def headings(self, language: Language) -> dict[str, Heading]:
        """The headings that put the rows in order; pressed again they turn it round."""
        names = {
            "opened": say(language, "Opened"),
            "bets": say(language, "Bets"),
            "staked": say(language, "Staked"),
            "won": say(language, "The House won"),
        }
        chosen = self.typed["sort"] or "opened"
        headings = {}
        for name, label in names.items():
            order = {name: "descending", f"-{name}": "ascending"}.get(chosen, "none")
            turned = f"-{name}" if order == "descending" else name
            wanted = self.going_on(sort="" if turned == "opened" else turned)
            headings[name] = Heading(f"/audit?{urlencode(wanted)}", label, order)
        return headings

    def in_order(self, found: Iterable[TableRound]) -> list[TableRound]:
        """The rounds that were found, in the order asked for."""
        name = self.typed["sort"].removeprefix("-")
        value_of = _ORDERS.get(name)
        if value_of is None:
            return list(found)
        return sorted(found, key=lambda found: value_of(found[1]), reverse=self.typed["sort"] == name)


_ORDERS: Final[dict[str, Callable[[RoundTruth], Any]]] = {
    "opened": lambda truth: truth.at,
    "bets": lambda truth: truth.bets,
    "staked": lambda truth: truth.staked,
    "won": lambda truth: truth.won,
}


def read_search(query: Mapping[str, Any], clock: Clock) -> Search:
    """What an address asks for; of a field that cannot be read the search says why."""
    typed = {name: str(query.get(name, "")).strip() for name in FIELDS}
    if typed["sort"].removeprefix("-") not in _ORDERS:
        typed["sort"] = ""
    problems: dict[str, str] = {}
    t = partial(say, clock.language)

    def read(name: str, read_value: Callable[[str], Value], hint: str) -> Value | None:
        try:
            return read_value(typed[name]) if typed[name] else None
        except Refused as refused:
            refusal = in_language(clock.language, refused)
            problems[name] = hint or f"{refusal.sentence} {refusal.next_step}"
            return None

    result = typed["result"]
    if result not in ("", *_RESULTS, "void"):
        problems["result"] = t("There is no such result.")
    moment_hint = t("A moment is a date and a time of day.")
    since = read("since", lambda text: _moment_in(text, clock), moment_hint)
    until = read("until", lambda text: _moment_in(text, clock), moment_hint)
    if since and until and since >= until:
        problems["since"] = t("This is not before the moment the rounds were opened before.")
    wanted = RoundQuery(
        read("number", number_in, t("A round is a number, such as 12.")),
        since,
        until,
        typed["player"],
        winner=result if result in _RESULTS else "",
        points=read("points", _total_in, t("A total is a number from 0 to 9.")),
        natural=bool(typed["natural"]),
        void=result == "void",
        corrected=bool(typed["corrected"]),
        irregularity=typed["irregularity"],
        paragraph=typed["paragraph"].removeprefix("§").strip(),
        amount=read("amount", lambda text: parse_amount(text.replace(",", "")), ""),
    )
    return Search(typed, wanted, problems)


def has_paragraph(books: Iterable[Rulebook], paragraph: str) -> bool:
    """Whether any of these rulebooks has that paragraph, or one under it."""
    return any(
        number == paragraph or number.startswith(f"{paragraph}.")
        for book in books
        for number in book.paragraphs
    )


_RESULTS: Final = ("player", "banker", "tie")


def result_choices(language: Language, chosen: str) -> list[Choice]:
    """The results a round may be looked for by."""
    named = [
        ("", say(language, "any result")),
        ("player", say(language, "Player")),
        ("banker", say(language, "Banker")),
        ("tie", say(language, "Tie")),
        ("void", say(language, "void")),
    ]
    return choices(named, chosen)


def irregularity_choices(language: Language, books: Iterable[Rulebook], chosen: str) -> list[Choice]:
    """The irregularities of these rulebooks, each once, by their names."""
    titles: dict[str, str] = {}
    for book in books:
        for name, rule in book.irregularities.items():
            titles.setdefault(name, irregularity_title(language, book, rule))
    titles.setdefault("card_recorded_wrongly", say(language, "A card recorded wrongly"))
    first: Sequence[tuple[str, str]] = (("", say(language, "not asked")), (ANY, say(language, "any at all")))
    return choices((*first, *sorted(titles.items(), key=lambda title: title[1].casefold())), chosen)


def number_in(text: str) -> int | None:
    """A number that was asked for, if one was."""
    digits = text.strip()
    if not digits:
        return None
    number = whole_number(digits, LONGEST_NUMBER)
    if number is None:
        raise unreadable()
    return number


def _total_in(text: str) -> int:
    total = whole_number(text, 1)
    if total is None:
        raise unreadable()
    return total


def _moment_in(text: str, clock: Clock) -> datetime | None:
    try:
        at = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise unreadable() from None
    return at.replace(tzinfo=clock.zone) if at is not None and at.tzinfo is None else at


def unreadable() -> Refused:
    """That a search cannot be read."""
    return Refused(
        "malformed_input",
        "What is looked for cannot be read.",
        next_step="A round is a number; a moment is a date and a time of day.",
    )
