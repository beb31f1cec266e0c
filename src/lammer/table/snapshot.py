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
from collections.abc import Collection, Iterator, Mapping
from itertools import starmap
from operator import attrgetter
from typing import Any, Final, get_type_hints

import msgspec

from lammer.game.roads import Result
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Outcome, Side, Window
from lammer.table.records import BeaconRound, OnOffer, PaidLine, ShufflePart, field_names
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Insured, Laid, Past, PitCall, Placed, Round, Shoe, Shuffle, Table

VERSION: Final = 6
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


def _frozen(kind: type[Any], otherwise: Mapping[str, Any], left_out: Collection[str] = ()) -> Any:
    """What a kind is written as: every field under its name, some in another form, some not at all."""
    written = {name: hint for name, hint in get_type_hints(kind).items() if name not in left_out}
    fields_written = [(name, otherwise.get(name, hint)) for name, hint in written.items()]
    return msgspec.defstruct(f"Frozen{kind.__name__}", fields_written, forbid_unknown_fields=True)


FrozenPast = _frozen(Past, {"lines": list[LineRow]})
"""A round that is over."""

FrozenRound = _frozen(
    Round,
    {
        "book": str,
        "bets": list[BetRow],
        "sides": list[tuple[int, str, int]],
        "insured": list[InsuredRow],
        "opened": list[tuple[Window, Side]],
        "forgone": list[str],
        "announced": list[tuple[str, int, Side]],
        "declined": list[tuple[str, int, Side]],
        "taken_back": list[tuple[str, int, Side]],
        "missed": list[tuple[str, Side]],
        "lines": list[LineRow],
    },
    left_out=("by_place", "live_in_box"),
)
"""The round of the table. Where a bet lies and how many a box holds follow from the bets."""

FrozenTable = _frozen(
    Table,
    {
        "books": dict[str, str],
        "walked": list[str],
        "staff_bets": list[str],
        "carried": list[str],
        "round": FrozenRound | None,
        "past": list[msgspec.Raw],
    },
    left_out=("book", "layout", "recall"),
)
"""The table. Of the rulebooks it stands on only ids and SHA-256 are here: they never change."""

WRITTEN: Final[tuple[type[Any], ...]] = (
    Table, Round, Past, Shoe, Placed, Insured, Laid, PaidLine, OnOffer, Result, SetUp, Limits, PitCall,
    Shuffle, ShufflePart, BeaconRound,
)  # fmt: skip
"""Every kind of thing a snapshot is made of."""


# A field that is added or moved changes the mark by itself: a row is never read into the wrong fields.
_SHAPES = repr([(kind.__name__, field_names(kind)) for kind in WRITTEN])
_SHAPE = hashlib.sha256(_SHAPES.encode()).hexdigest()[:16]
_MARK: Final = b"lammer table %d %s " % (VERSION, _SHAPE.encode())

_bet_row, _insured_row, _line_row = (attrgetter(*field_names(kind)) for kind in (Placed, Insured, PaidLine))


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
    converted = {
        "books": {book.id: book.sha256 for book in _rulebooks_used(table)},
        "walked": sorted(table.walked),
        "staff_bets": sorted(table.staff_bets),
        "carried": list(table.carried),
        "round": None if this_round is None else _freeze_round(this_round),
        "past": _freeze_past_rounds(table, {} if kept is None else kept),
    }
    return _seal(_encode(_freeze_as(FrozenTable, table, converted)))


def _freeze_as(frozen: Any, state: Table | Round | Past, converted: dict[str, Any]) -> Any:
    """A part of the state in the form it is written in: what is not converted is copied."""
    copied = {name: getattr(state, name) for name in frozen.__struct_fields__}
    return frozen(**(copied | converted))


def _rulebooks_used(table: Table) -> Iterator[Rulebook]:
    if table.setup is not None:
        yield table.book
    if table.round is not None:
        yield table.round.book


def _freeze_round(this_round: Round) -> Any:
    converted = {
        "book": this_round.book.id,
        "bets": list(map(_bet_row, this_round.bets.values())),
        "sides": [(box, side, total) for (box, side), total in this_round.sides.items()],
        "insured": list(map(_insured_row, this_round.insured.values())),
        "opened": sorted(this_round.opened),
        "forgone": sorted(this_round.forgone),
        "announced": sorted(this_round.announced),
        "declined": sorted(this_round.declined),
        "taken_back": sorted(this_round.taken_back),
        "missed": sorted(this_round.missed),
        "lines": list(map(_line_row, this_round.lines)),
    }
    return _freeze_as(FrozenRound, this_round, converted)


def _freeze_past_rounds(table: Table, kept: WrittenRounds) -> list[msgspec.Raw]:
    """The rounds that are over. One that is put right is another `Past`, so the same one needs no writing."""
    for number in kept.keys() - table.past.keys():
        del kept[number]
    for number, past in table.past.items():
        if number not in kept or kept[number][0] is not past:
            row = _freeze_as(FrozenPast, past, {"lines": list(map(_line_row, past.lines))})
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


def _thaw_table(books: Mapping[str, Rulebook], frozen: Any) -> Table:
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
    table.take_choices()
    return table


def _thaw_round(books: Mapping[str, Rulebook], frozen: Any) -> Round:
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
        "declined": set(frozen.declined),
        "taken_back": set(frozen.taken_back),
        "missed": set(frozen.missed),
        "lines": tuple(starmap(PaidLine, frozen.lines)),
    }
    return Round(**(copied | converted))


def _thaw_past(written: msgspec.Raw) -> Past:
    copied = msgspec.structs.asdict(_past_decoder.decode(written))
    return Past(**(copied | {"lines": tuple(starmap(PaidLine, copied["lines"]))}))
