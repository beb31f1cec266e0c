"""Where a hand may draw or stand as it likes: the plays a rulebook names, and a rulebook played by one.

A rulebook with such cells says of each what the usual play does there. Played by a named play, or once a
hand has chosen at a table, it is a rulebook whose Table of Play leaves nothing open, and everything that
deals, judges or counts works on that. It is the same document: its id and its hash stay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from lammer.rulebook.model import Cell, Drawing, Play, Rulebook, TableOfPlay
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ALWAYS_DRAWS, NEVER_DRAWS, Side


def plays_of(book: Rulebook) -> tuple[Play, ...]:
    """The plays of a rulebook, the usual one first; none where no hand may choose.

    >>> from lammer import rulebook
    >>> plays_of(rulebook("tiger-buffalo-noncommission@4"))
    ()
    """
    return _plays(book.table_of_play)


def _plays(table: TableOfPlay) -> tuple[Play, ...]:
    choices = table.choices
    if not choices:
        return ()
    known = (
        Play(ALWAYS_DRAWS, "Draws whenever it may", choices),
        Play(NEVER_DRAWS, "Never draws where it need not", frozenset()),
    )
    named = {play.name for play in table.plays}
    return (*table.plays, *(play for play in known if play.name not in named))


def play_named(book: Rulebook, name: str) -> Play | None:
    """The play of that name, the usual one for an empty name; None where no hand may choose.

    >>> from lammer import rulebook
    >>> play_named(rulebook("tiger-buffalo-noncommission@4"), "always_draws")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused unknown_play: ...
    """
    plays = plays_of(book)
    if not name:
        return plays[0] if plays else None
    for play in plays:
        if play.name == name:
            return play
    if not plays:
        raise Refused(
            "unknown_play",
            "{rulebook} leaves no hand a choice, so there is no play to name.",
            book.table_of_play.natural_cite,
            next_step="Leave the play out.",
            rulebook=book.id,
        )
    raise Refused(
        "unknown_play",
        "{rulebook} has no play {name}.",
        book.table_of_play.natural_cite,
        next_step="It has {plays}.",
        rulebook=book.id,
        name=repr(name[:40]),
        plays=", ".join(play.name for play in plays),
    )


def played_by(book: Rulebook, name: str = "") -> Rulebook:
    """The rulebook with every choice made as the named play makes it; itself where nothing is open.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> played_by(book) is book
    True
    """
    play = play_named(book, name)
    return book if play is None else drawing_in(book, play.draws)


def chosen_by(book: Rulebook, choices: Mapping[Side, bool]) -> Rulebook:
    """The rulebook of a round in which these hands have chosen: True to draw, False to stand.

    What a hand that has not chosen may do stays open.
    """
    return _chosen(book, tuple(sorted(choices.items()))) if choices and book.table_of_play.choices else book


def drawing_in(book: Rulebook, cells: Collection[Cell]) -> Rulebook:
    """The rulebook in which the hands that may draw do so in these cells, and stand in the others."""
    return _drawing_in(book, frozenset(cells) & book.table_of_play.choices)


@lru_cache(maxsize=256)
def _drawing_in(book: Rulebook, cells: frozenset[Cell]) -> Rulebook:
    return _decided(book, {cell: cell in cells for cell in book.table_of_play.choices})


@lru_cache(maxsize=256)
def _chosen(book: Rulebook, choices: tuple[tuple[Side, bool], ...]) -> Rulebook:
    draws = dict(choices)
    open_cells = book.table_of_play.choices
    return _decided(book, {cell: draws[cell[0]] for cell in open_cells if cell[0] in draws})


def _decided(book: Rulebook, cells: Mapping[Cell, bool]) -> Rulebook:
    table = book.table_of_play
    player = {
        total: _decide(cell, cells.get(("player", total, None))) for total, cell in table.player.items()
    }
    banker = {key: _decide(cell, cells.get(("banker", *key))) for key, cell in table.banker.items()}
    decided = replace(table, player=MappingProxyType(player), banker=MappingProxyType(banker))
    return replace(book, table_of_play=decided)


def _decide(cell: Drawing, draws: bool | None) -> Drawing:
    return cell if draws is None else Drawing(draws, cell.cite, chosen=True)
