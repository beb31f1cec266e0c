"""What somebody looks for in the lobby: a game, small limits, a free seat, their favourites.

What is looked for stands in the address, so that it works without scripts and can be kept as a bookmark.
Favourites are kept in a cookie of the browser; the house does not keep them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlencode

from lammer.floor.web.pages.site.frame import Choice, choices
from lammer.floor.web.pages.site.site import Req, asked_number, whole_number
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.titles import title_of

FAVOURITES: Final = "lammer_favourites"
MOST_FAVOURITES: Final = 24
BETWEEN: Final = "!"
"""Stands between the favourites in their cookie; quoted names have none."""
SMALLEST_BETS: Final = (10, 25, 50, 100, 500, 1_000)
"""In dollars, what somebody may say the smallest bet must not be above."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is looked for; `game` is a rulebook's name without its version, `least` is in dollars."""

    game: str = ""
    least: int = 0
    free: bool = False
    favourites: bool = False

    @property
    def query(self) -> str:
        """The same as an address says it.

        >>> Filters("da-hu", 25, True).query, Filters().query
        ('game=da-hu&least=25&free=yes', '')
        """
        asked = {
            "game": self.game,
            "least": str(self.least) if self.least else "",
            "free": "yes" if self.free else "",
            "favourites": "yes" if self.favourites else "",
        }
        return urlencode({name: value for name, value in asked.items() if value})

    def take(self, name: str, table: Table, favourites: Collection[str]) -> bool:
        """Whether a table is one of those looked for."""
        if self.favourites and name not in favourites:
            return False
        if table.setup is None:
            return not (self.game or self.least or self.free)
        return (
            (not self.game or game_name(table) == self.game)
            and (not self.least or smallest_bet(table) <= self.least * 100)
            and (not self.free or len(table.seats) < table.box_count)
        )


def filters_of(request: Req) -> Filters:
    """What the address asks for; what cannot be read is not asked for."""
    query = request.query_params
    return Filters(
        query.get("game", "")[:80],
        asked_number(request, "least", digits=7) or 0,
        query.get("free") == "yes",
        query.get("favourites") == "yes",
    )


def game_name(table: Table) -> str:
    """The game of a table, whichever version of its rules it is played under."""
    return table.book.id.partition("@")[0]


def smallest_bet(table: Table) -> int:
    """The smallest bet on Player or Banker, in cents."""
    setup = table.require_setup()
    return min(
        setup.limit(table.book, bet.name).minimum
        for bet in table.book.offered(table.layout)
        if bet.original is not None
    )


def games(tables: Iterable[Table], asked: str, language: Language) -> list[Choice]:
    """The games that are played in the house, to choose from."""
    titles = {game_name(table): title_of(language, table.book) for table in tables if table.setup is not None}
    return choices((("", say(language, "Every game")), *titles.items()), asked)


def smallest_bets(asked: int, language: Language) -> list[Choice]:
    """How small the smallest bet has to be, to choose from."""
    amounts = [(str(dollars), write_chips(language, dollars * 100)) for dollars in SMALLEST_BETS]
    return choices((("", say(language, "Any limit")), *amounts), str(asked) if asked else "")


def favourites_of(request: Req) -> tuple[str, ...]:
    """The favourites this browser keeps, in the order they were chosen."""
    kept = request.cookies.get(FAVOURITES, "")
    return tuple(unquote(name) for name in kept.split(BETWEEN) if name)[:MOST_FAVOURITES]


def changed_favourites(kept: Iterable[str], table: str, listed: Mapping[str, object]) -> str:
    """The cookie with one table more, or with one less if it was there; tables that are gone go.

    >>> changed_favourites(("a", "gone"), "b", {"a": 1, "b": 2}), changed_favourites(("a",), "a", {"a": 1})
    ('a!b', '')
    """
    names = [name for name in kept if name in listed]
    if table in names:
        names.remove(table)
    elif table in listed:
        names.append(table)
    return BETWEEN.join(quote(name, safe="") for name in names[-MOST_FAVOURITES:])


def names_in(written: str) -> tuple[str, ...]:
    """Tables named in an address, each once.

    >>> names_in("t1,t2,,t1")
    ('t1', 't2')
    """
    return tuple(dict.fromkeys(name for name in written[:500].split(",") if name))


def page_asked(request: Req, pages: int) -> int:
    """Which page of a list is asked for, of so many."""
    return max(1, min(whole_number(request.query_params.get("page", ""), 5) or 1, pages))
