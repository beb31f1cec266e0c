"""The story of a round for a page: what was paid and why, then every event in words with its paragraphs.

Lines of money come with their arithmetic; each paragraph is told once, in our own words, with the odds that
stand in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from lammer import draw
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.tables.virtual_dealer import NAME as VIRTUAL_DEALER
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.hashes import hashes
from lammer.floor.views.round_truth import Outcome, RoundTruth
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.floor.web.pages.felt.payouts import result_line
from lammer.floor.web.pages.rules.rule_words import odds_beside
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.frame import role_name
from lammer.game.cards import parse_cards
from lammer.game.hands import Hand, total
from lammer.rulebook.citation import order
from lammer.rulebook.model import Rulebook
from lammer.table.records import PaidLine
from lammer.wording.catalogues import Language
from lammer.wording.events import WINDOWS, EventWriter, Fields, paragraphs_of
from lammer.wording.figures import write_list, write_money, write_signed, write_time
from lammer.wording.pictures import picture_words
from lammer.wording.rules import gist_of

SeenEvent = tuple[RevealedEvent, Fields]
"""An event, and what its reader may see of it."""


def story_values(
    story: Sequence[RevealedEvent],
    page: Sequence[RevealedEvent],
    viewer: Viewer,
    view: DurableView,
    book_id: str,
    clock: Clock,
    truth: RoundTruth,
) -> dict[str, Any]:
    """Everything the page of a story needs: `story` is the whole of it, `page` what is told one by one."""
    book, language = view.table.books.get(book_id), clock.language
    whole = seen_by(viewer, story)
    writer = story_writer(view, book, language, whole)
    known = hashes(view, [event.number for event in page], viewer)
    shown = {event.number for event in page}
    shown_events = [(event, seen) for event, seen in whole if event.number in shown]
    # A correction of an earlier round stands on the rulebook that round was played by.
    own = [seen for _, seen in whole if book_of(seen, book_id) == book_id]
    numbers = sorted({number for seen in own for number in paragraphs_of(seen)}, key=order)
    beside = odds_beside(book, language) if book else {}
    return {
        "events": event_rows(shown_events, writer, book_id, known, lambda at: _time(clock, at)),
        "book": book_id,
        "hands": _picture(book, truth.outcome, language) if book else None,
        "paid": list(
            _paid(whole, truth.number, writer, lambda name: replace(writer, book=view.table.books.get(name)))
        ),
        "paragraphs": [
            (paragraph, gist_of(language, book, paragraph), beside.get(paragraph, []))
            for paragraph in numbers
            if book is not None and paragraph in book.paragraphs
        ],
    }


def seen_by(viewer: Viewer, events: Iterable[RevealedEvent]) -> list[SeenEvent]:
    """These events with what somebody may see of each; without those of which they may see nothing."""
    return [(event, seen) for event in events if (seen := event_seen(event, viewer)) is not None]


def story_writer(
    view: DurableView, book: Rulebook | None, language: Language, whole: Iterable[SeenEvent], reader: str = ""
) -> EventWriter:
    """Writes a round of a table in words, knowing all of its bets that the reader may know.

    `reader` is the player who reads, where one does.
    """
    setup = view.table.setup
    bets = {seen["key"]: seen for _, seen in whole if seen["event"] in ("BetPlaced", "InsurancePlaced")}
    return EventWriter(language, book, setup.box_names if setup is not None else (), bets, reader=reader)


def event_rows(
    seen_events: Iterable[SeenEvent],
    writer: EventWriter,
    book_id: str,
    known: Mapping[int, str],
    write_at: Callable[[datetime], str],
) -> list[dict[str, Any]]:
    """Each event as a sentence with its paragraphs, and its hash where it is known."""
    return [
        {
            "number": event.number,
            "at": write_at(event.entry.at),
            "by": write_list(
                writer.language,
                [
                    writer.say("virtual dealer") if who == VIRTUAL_DEALER else who
                    for who in seen.get("by", "").split(" and ")
                ],
            ),
            "role": _role_beside(writer.language, seen),
            "sentence": writer.sentence(seen),
            "cites": paragraphs_of(seen),
            "book": book_of(seen, book_id),
            "other_book": book_of(seen, book_id) != book_id,
            "hash": known.get(event.number, ""),
        }
        for event, seen in seen_events
    ]


def _role_beside(language: Language, seen: Fields) -> str:
    """The role of whoever did something; nothing where it is the name they go by."""
    role = role_name(language, seen.get("role", ""))
    return "" if role == seen.get("by", "") else role


def book_of(seen: Fields, book_id: str) -> str:
    """The rulebook an event's paragraphs are of: a correction names it, all others stand on the table's."""
    return str(seen.get("rulebook") or book_id)


def _paid(
    whole: Iterable[SeenEvent],
    number: int,
    writer: EventWriter,
    under: Callable[[str], EventWriter],
) -> Iterator[dict[str, Any]]:
    """Every moving of money at the end of a round, in order: settled, taken back, posted anew, returned."""
    own_book = writer.book.id if writer.book else ""
    for event, seen in whole:
        corrected = seen["event"] == "RoundCorrected"
        book = book_of(seen, own_book)
        line_writer = writer if book == own_book else under(book)
        parts = (
            ("Taken back", "reversed"),
            ("Settled anew" if corrected else "Settlement", "posted" if corrected else "lines"),
            ("Given back", "returned"),
        )
        for name, part in parts:
            moved = seen.get(part)
            if not moved:
                continue
            sign = -1 if part == "reversed" else 1
            if part == "returned":
                lines, returned = [], [_returned(writer, stake) for stake in moved]
                together = write_money(writer.language, sum(stake["amount"] for stake in moved))
            else:
                in_order_of_boxes = sorted(moved, key=lambda line: (line["box"], line["key"]))
                lines, returned = [_line(line_writer, line, sign) for line in in_order_of_boxes], []
                gain = sum(line["returned"] - line["stake"] for line in moved)
                together = write_signed(writer.language, sign * gain)
            yield {
                "event": event.number,
                "name": name,
                "book": book,
                "other_book": book != own_book,
                "other_round": seen.get("round") if seen.get("round") != number else None,
                "lines": lines,
                "returned": returned,
                "together": together,
            }


def _time(clock: Clock, at: datetime) -> str:
    """The time of day to the millisecond: events of a round follow one another within a second."""
    return f"{write_time(clock.language, at, clock.zone, seconds=True)}.{at.microsecond // 1000:03d}"


def _line(writer: EventWriter, line: Fields, sign: int) -> dict[str, Any]:
    """A line of money; one that is taken back has the sign −1."""
    net = sign * (line["returned"] - line["stake"])
    result = (
        result_line(writer.language, writer.book, msgspec.convert(line, PaidLine)) if writer.book else None
    )
    return {
        "player": line["player"],
        "box": writer.box(line["box"]),
        "bet": _bet_of(writer, line),
        "stake": write_money(writer.language, line["stake"]),
        "outcome": line["outcome"],
        "pays": line["pays"] or "–",
        "sum": result.sum.rpartition(" = ")[0] if result else "",
        "returned": write_money(writer.language, sign * line["returned"]),
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


def _returned(writer: EventWriter, returned: Fields) -> dict[str, Any]:
    bet = writer.bets.get(returned["key"], {})
    insured = {"player": "Insurance on Player", "banker": "Insurance on Banker"}.get(bet.get("hand", ""))
    return {
        "player": returned["player"],
        "box": writer.box(bet["box"]) if bet else "",
        "bet": writer.say(insured) if insured else writer.bet(bet.get("bet", "")),
        "amount": write_money(writer.language, returned["amount"]),
    }


def _picture(book: Rulebook, outcome: Outcome, language: Language) -> draw.Svg | None:
    """The hands a round was settled by; none where it is not."""
    if outcome.state != "settled":
        return None
    dealt = [parse_cards(cards) for cards in (outcome.player, outcome.banker)]
    player, banker = (Hand(cards, total(book, cards)) for cards in dealt)
    return draw.hands(player, banker, words=picture_words(language))
