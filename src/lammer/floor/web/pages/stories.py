"""The story of a round for a page: what was paid and why, then every event in words with its paragraphs.

Lines of money come with their arithmetic; each paragraph is told once, in our own words, with the odds that
stand in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from lammer import draw
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.hashes import hashes
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.floor.web.pages.frame import role_name
from lammer.floor.web.pages.payouts import result_line
from lammer.floor.web.pages.rule_words import in_order, odds_beside
from lammer.game.cards import parse_cards
from lammer.game.hands import Hand, total
from lammer.rulebook.model import Rulebook
from lammer.table.records import PaidLine
from lammer.wording.catalogues import Language
from lammer.wording.events import WINDOWS, EventWriter, Fields, paragraphs_of
from lammer.wording.figures import write_money, write_signed, write_time
from lammer.wording.pictures import picture_words
from lammer.wording.rules import gist_of


def story_shown(
    told: Sequence[RevealedEvent],
    page: Sequence[RevealedEvent],
    viewer: Viewer,
    view: DurableView,
    book_id: str,
    language: Language,
    zone: ZoneInfo,
    number: int,
) -> dict[str, Any]:
    """Everything the page of a story needs: `told` is the whole of it, `page` what is told event by event."""
    book = view.table.books.get(book_id)
    setup = view.table.setup
    boxes = setup.box_names if setup is not None else ()
    whole = [(each, seen) for each in told if (seen := event_seen(each, viewer)) is not None]
    writer = EventWriter(language, book, boxes, bets_in(seen for _, seen in whole))
    known = hashes(view, [each.number for each in page], viewer)
    shown = {each.number for each in page}
    events = [
        {
            "number": each.number,
            "at": _time(language, each.entry.at, zone),
            "by": seen.get("by", ""),
            "role": _role_beside(language, seen),
            "event": seen["event"],
            "sentence": writer.sentence(seen),
            "cites": paragraphs_of(seen),
            "book": book_of(seen, book_id),
            "other_book": book_of(seen, book_id) != book_id,
            "hash": known.get(each.number, ""),
            "hash_begins": known.get(each.number, "")[:12],
        }
        for each, seen in whole
        if each.number in shown
    ]
    settled = [seen for _, seen in whole if seen["event"] == "RoundSettled"]
    # A correction of an earlier round stands on the rulebook that round was played by.
    own = [seen for _, seen in whole if book_of(seen, book_id) == book_id]
    numbers = sorted({each for seen in own for each in paragraphs_of(seen)}, key=in_order)
    beside = odds_beside(book, language) if book else {}
    return {
        "events": events,
        "book": book_id,
        "hands": _picture(book, settled[-1], language) if book and settled else None,
        "paid": list(
            _paid(whole, number, writer, lambda name: replace(writer, book=view.table.books.get(name)))
        ),
        "paragraphs": [
            (each, gist_of(language, book, each), beside.get(each, []))
            for each in numbers
            if book is not None and each in book.paragraphs
        ],
    }


def _role_beside(language: Language, seen: Fields) -> str:
    """The role of whoever did something; nothing where it is the name they go by."""
    role = role_name(language, seen.get("role", ""))
    return "" if role == seen.get("by", "") else role


def bets_in(events: Iterable[Fields]) -> dict[int, Fields]:
    """The bets that these events placed, by their keys."""
    return {seen["key"]: seen for seen in events if seen["event"] in ("BetPlaced", "InsurancePlaced")}


def book_of(seen: Fields, book_id: str) -> str:
    """The rulebook an event's paragraphs are of: a correction names it, all others stand on the table's."""
    return str(seen.get("rulebook") or book_id)


def _paid(
    whole: Sequence[tuple[RevealedEvent, Fields]],
    number: int,
    writer: EventWriter,
    under: Callable[[str], EventWriter],
) -> Iterator[dict[str, Any]]:
    """Every moving of money at the end of a round, in order: settled, taken back, posted anew, returned."""
    here = writer.book.id if writer.book else ""
    for each, seen in whole:
        corrected = seen["event"] == "RoundCorrected"
        book = book_of(seen, here)
        line_writer = writer if book == here else under(book)
        parts = (
            ("Taken back", "reversed"),
            ("Settled anew" if corrected else "Settlement", "posted" if corrected else "lines"),
        )
        for name, part in parts:
            lines = sorted(seen.get(part) or (), key=lambda line: (line["box"], line["key"]))
            if lines:
                yield {
                    "event": each.number,
                    "name": name,
                    "book": book,
                    "other_book": book != here,
                    "other_round": seen["round"] if seen["round"] != number else None,
                    "lines": [_line(line_writer, line) for line in lines],
                    "returned": [],
                }
        if seen.get("returned"):
            given = [_returned(writer, one) for one in seen["returned"]]
            yield {
                "event": each.number,
                "name": "Given back",
                "book": book,
                "other_book": book != here,
                "other_round": seen.get("round") if seen.get("round") != number else None,
                "lines": [],
                "returned": given,
            }


def _time(language: Language, at: datetime, zone: ZoneInfo) -> str:
    """The time of day to the millisecond: events of a round follow one another within a second."""
    return f"{write_time(language, at, zone, seconds=True)}.{at.microsecond // 1000:03d}"


def _line(writer: EventWriter, line: Fields) -> dict[str, Any]:
    net = line["returned"] - line["stake"]
    told = result_line(writer.language, writer.book, msgspec.convert(line, PaidLine)) if writer.book else None
    return {
        "player": line["player"],
        "box": writer.box(line["box"]),
        "bet": _bet_of(writer, line),
        "stake": write_money(writer.language, line["stake"]),
        "outcome": line["outcome"],
        "pays": line["pays"] or "–",
        "sum": told.sum.rpartition(" = ")[0] if told else "",
        "returned": write_money(writer.language, line["returned"]),
        "net": write_signed(writer.language, net),
        "way": "up" if net > 0 else "down" if net < 0 else "",
        "cites": line["cites"],
    }


def _bet_of(writer: EventWriter, line: Fields) -> str:
    """What a line of a settlement was for."""
    if line["window"] is None:
        return writer.bet(line["bet"])
    window = writer.say(WINDOWS[line["window"]])
    return writer.say("Insurance on {hand}, {window}", hand=writer.side(line["bet"]), window=window)


def _returned(writer: EventWriter, one: Fields) -> dict[str, Any]:
    bet = writer.bets.get(one["key"], {})
    insured = {"player": "Insurance on Player", "banker": "Insurance on Banker"}.get(bet.get("hand", ""))
    return {
        "player": one["player"],
        "box": writer.box(bet["box"]) if bet else "",
        "bet": writer.say(insured) if insured else writer.bet(bet.get("bet", "")),
        "amount": write_money(writer.language, one["amount"]),
    }


def _picture(book: Rulebook, seen: Fields, language: Language) -> draw.Svg:
    dealt = [parse_cards(seen[side]) for side in ("player", "banker")]
    player, banker = (Hand(cards, total(book, cards)) for cards in dealt)
    return draw.hands(player, banker, words=picture_words(language))
