"""A table put away and taken out again, so that starting does not take longer the longer a table has run.

`freeze` writes the whole state down; `thaw` makes a table of it that goes on as if it had never been away:
the same answers to the same calls, the same keys and cards, for ever. The journal stays the truth. What
`thaw` cannot read, of another version or standing on other rulebooks, is `Unreadable`, and whoever asked
replays the journal from its first event instead. Nothing is guessed and nothing is repaired.

The bytes are a line that says what they are, and JSON. Bets and lines of money come by the thousand and are
written as rows without names; all else is written with names, so that a person can look at it.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import starmap
from operator import attrgetter
from typing import Any, Final

import msgspec

from lammer.game.cards import Card
from lammer.game.roads import Result
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Outcome, Side, Window
from lammer.table.records import OnOffer, PaidLine
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Insured, Laid, Past, Phase, Placed, Round, Shoe, Table

VERSION: Final = 4
"""Raise it when the same fields come to mean something else: when `evolve` folds an event differently."""

BetRow = tuple[int, str, int, str, int, bool, list[tuple[int, int]]]
InsuredRow = tuple[int, str, int, Side, Window, int, str, bool, bool, bool]
LineRow = tuple[
    int, str, int, str, Window | None, int, Outcome, str | None, int, int, str, int, tuple[str, ...], str,
    bool, bool, bool,
]  # fmt: skip

WrittenRounds = dict[int, tuple[Past, msgspec.Raw]]
"""Rounds that are over, as they were written the last time; handed back, they are not written again."""


class Unreadable(Exception):  # noqa: N818 (no fault: the journal is read from its first event instead)
    """A snapshot that cannot be used, and why; the journal has everything it held."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The snapshot cannot be used: {why}. Replay the journal from its first event.")
        self.why = why


class FrozenPast(msgspec.Struct, forbid_unknown_fields=True):
    """A round that is over."""

    number: int
    setup: SetUp
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    winner: str
    points: int
    lines: list[LineRow]
    void: bool
    waived: bool
    opened: tuple[tuple[Window, Side], ...]


class FrozenRound(msgspec.Struct, forbid_unknown_fields=True):
    """The round of the table. Where a bet lies and how many a box holds follow from the bets."""

    number: int
    shoe: int
    setup: SetUp
    book: str
    phase: Phase
    turns: int
    bets: list[BetRow]
    sides: list[tuple[int, str, int]]
    insured: list[InsuredRow]
    cards: list[Laid]
    misplaced: bool
    accepted: int
    exposed_at: int
    window: Window | None
    offers: tuple[OnOffer, ...]
    opened: list[tuple[Window, Side]]
    forgone: list[str]
    announced: list[tuple[str, int, Side]]
    missed: list[tuple[str, Side]]
    key_at_card: int
    waived: bool
    squeeze: tuple[str, str] | None
    squeezer: str
    squeeze_asked: int
    squeeze_from: int
    banker_third_first: bool
    withdrawal: bool
    cut_first: bool
    cut_shown: bool
    interrupted: bool
    reported: tuple[str, bool] | None
    options: dict[str, str] | None
    put_right: bool
    reopened: bool
    lines: list[LineRow]


class FrozenTable(msgspec.Struct, forbid_unknown_fields=True):
    """The table. Of the rulebooks it stands on only ids and SHA-256 are here: they never change."""

    books: dict[str, str]
    setup: SetUp | None
    set_ups: int
    out_of_force: str
    seats: dict[str, int]
    boxes: dict[int, str]
    walked: list[str]
    staff_bets: list[str]
    shoe: Shoe | None
    shoe_before: Shoe | None
    shoes: int
    carried: list[str]
    round: FrozenRound | None
    rounds: int
    keys: int
    past: list[msgspec.Raw]
    corrected: dict[int, int]
    results: dict[int, Result]
    last_of_shoe: bool
    unplayed: int
    unplayed_in_a_row: int
    accounts: dict[str, int]


WRITTEN: Final[tuple[type[Any], ...]] = (
    Table, Round, Past, Shoe, Placed, Insured, Laid, PaidLine, OnOffer, Result, SetUp, Limits,
)  # fmt: skip
"""Every kind of thing a snapshot is made of."""


def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind))


# A field that is added or moved changes the mark by itself: a row is never read into the wrong fields.
_SHAPE = hashlib.sha256(repr([(kind.__name__, _names(kind)) for kind in WRITTEN]).encode()).hexdigest()[:16]
_MARK: Final = b"lammer table %d %s " % (VERSION, _SHAPE.encode())

_bet_row, _insured_row, _line_row = (attrgetter(*_names(kind)) for kind in (Placed, Insured, PaidLine))


def _decode_counter(kind: Any, value: Any) -> Counter[str]:
    """The cards a shoe has shown; of all kinds here only a Counter has to be told how it is made."""
    return Counter(msgspec.convert(value, dict[str, int]))


_encode = msgspec.json.Encoder().encode
_table_decoder = msgspec.json.Decoder(FrozenTable, dec_hook=_decode_counter)
_past_decoder = msgspec.json.Decoder(FrozenPast)


def freeze(table: Table, kept: WrittenRounds | None = None) -> bytes:
    """The whole state of a table as bytes: the same bytes for the same state on every machine.

    Whoever freezes a table again and again keeps a dict for it and hands it in every time: rounds that are
    over are then written once, and only what happened since costs anything.

    >>> from lammer import rulebook
    >>> from lammer.table.script import run
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> steps = [{"by": "dealer", "do": "open_bets"}]
    >>> table = run({book.id: book}, {"rulebook": book.id, "layout": "A", "step": steps}).table
    >>> again = thaw({book.id: book}, freeze(table))
    >>> again == table, again.round.phase
    (True, 'betting')
    """
    this_round = table.round
    copied = {name: getattr(table, name) for name in FrozenTable.__struct_fields__}
    converted = {
        "books": {book.id: book.sha256 for book in _rulebooks_used(table)},
        "walked": sorted(table.walked),
        "staff_bets": sorted(table.staff_bets),
        "carried": list(table.carried),
        "round": None if this_round is None else _freeze_round(this_round),
        "past": _freeze_past_rounds(table, {} if kept is None else kept),
    }
    return _seal(_encode(FrozenTable(**(copied | converted))))


def _rulebooks_used(table: Table) -> Iterator[Rulebook]:
    if table.setup is not None:
        yield table.book
    if table.round is not None:
        yield table.round.book


def _freeze_round(this_round: Round) -> FrozenRound:
    copied = {name: getattr(this_round, name) for name in FrozenRound.__struct_fields__}
    converted = {
        "book": this_round.book.id,
        "bets": list(map(_bet_row, this_round.bets.values())),
        "sides": [(box, side, total) for (box, side), total in this_round.sides.items()],
        "insured": list(map(_insured_row, this_round.insured.values())),
        "opened": sorted(this_round.opened),
        "forgone": sorted(this_round.forgone),
        "announced": sorted(this_round.announced),
        "missed": sorted(this_round.missed),
        "lines": list(map(_line_row, this_round.lines)),
    }
    return FrozenRound(**(copied | converted))


def _freeze_past_rounds(table: Table, kept: WrittenRounds) -> list[msgspec.Raw]:
    """The rounds that are over. One that is put right is another `Past`, so the same one needs no writing."""
    for number in kept.keys() - table.past.keys():
        del kept[number]
    for number, past in table.past.items():
        if number not in kept or kept[number][0] is not past:
            lines = list(map(_line_row, past.lines))
            row = FrozenPast(
                past.number, past.setup, past.player, past.banker, past.winner, past.points, lines, past.void,
                past.waived, past.opened,
            )  # fmt: skip
            kept[number] = past, msgspec.Raw(_encode(row))
    return [kept[number][1] for number in table.past]


def _seal(body: bytes) -> bytes:
    return b"".join((_MARK, hashlib.sha256(body).hexdigest().encode(), b"\n", body))


def thaw(books: Mapping[str, Rulebook], data: bytes) -> Table:
    """The table these bytes were made of, or `Unreadable`.

    >>> thaw({}, b"lammer table 0 of long ago")
    Traceback (most recent call last):
    ...
    lammer.table.snapshot.Unreadable: The snapshot cannot be used: another version wrote it. ...
    """
    if not data.startswith(_MARK):
        raise Unreadable("another version wrote it")
    seal, _, body = data[len(_MARK) :].partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != seal:
        raise Unreadable("its bytes are not those that were written")
    try:
        return _thaw_table(books, _table_decoder.decode(body))
    except (msgspec.MsgspecError, LookupError, ValueError, Refused) as error:
        raise Unreadable(f"it makes no table ({error})") from None


def _thaw_table(books: Mapping[str, Rulebook], frozen: FrozenTable) -> Table:
    for name, sha256 in frozen.books.items():
        if name not in books or books[name].sha256 != sha256:
            raise Unreadable(f"it stands on a {name} that is not here")
    copied = msgspec.structs.asdict(frozen)
    converted = {
        "books": books,
        "walked": set(frozen.walked),
        "staff_bets": set(frozen.staff_bets),
        "carried": deque(frozen.carried),
        "round": None if frozen.round is None else _thaw_round(books, frozen.round),
        "past": {past.number: past for past in map(_thaw_past, frozen.past)},
    }
    table = Table(**(copied | converted))
    if frozen.setup is not None:
        table.set_to(frozen.setup)
    return table


def _thaw_round(books: Mapping[str, Rulebook], frozen: FrozenRound) -> Round:
    copied = msgspec.structs.asdict(frozen)
    bets = list(starmap(Placed, frozen.bets))
    converted = {
        "book": books[frozen.book],
        "bets": {bet.key: bet for bet in bets},
        "by_place": {(bet.player, bet.box, bet.bet): bet.key for bet in bets},
        "sides": {(box, side): total for box, side, total in frozen.sides},
        "live_in_box": Counter((bet.box, bet.player) for bet in bets),
        "insured": {row[0]: Insured(*row) for row in frozen.insured},
        "opened": set(frozen.opened),
        "forgone": set(frozen.forgone),
        "announced": set(frozen.announced),
        "missed": set(frozen.missed),
        "lines": tuple(starmap(PaidLine, frozen.lines)),
    }
    return Round(**(copied | converted))


def _thaw_past(written: msgspec.Raw) -> Past:
    past = _past_decoder.decode(written)
    lines = tuple(starmap(PaidLine, past.lines))
    return Past(
        past.number, past.setup, past.player, past.banker, past.winner, past.points, lines, past.void,
        past.waived, past.opened,
    )  # fmt: skip
