"""The story of a round for a page: every event in words, with its paragraphs and what they say.

Lines of money come with their arithmetic; each paragraph is told once, in our own words, at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from lammer import draw
from lammer.floor.hashes import hashes as hashes_told
from lammer.floor.hosted import Hosted
from lammer.floor.pages.rule_words import in_order
from lammer.floor.pages.telling import Teller, cites
from lammer.floor.pages.words import Language
from lammer.floor.viewing import Told, Viewer, event_seen
from lammer.game.cards import parse_cards
from lammer.game.hands import Hand, total
from lammer.game.money import show
from lammer.rulebook.model import Rulebook

Seen = Mapping[str, Any]


def story_shown(
    told: Sequence[Told], viewer: Viewer, hosted: Hosted, book_id: str, language: Language, zone: ZoneInfo
) -> dict[str, Any]:
    """Everything the page of a story needs."""
    book = hosted.table.books.get(book_id)
    teller = Teller(language, book)
    hashes = _hashes(told, hosted)
    events = []
    cited: list[str] = []
    picture = None
    for each in told:
        seen = event_seen(each, viewer)
        if seen is None:
            continue
        cited += cites(seen)
        if book is not None and seen["event"] == "RoundSettled":
            picture = _picture(book, seen, language)
        events.append(
            {
                "number": each.number,
                "at": f"{each.entry.at.astimezone(zone):%H:%M:%S.%f}"[:-3],
                "by": seen.get("by", ""),
                "role": seen.get("role", "").replace("_", " "),
                "event": seen["event"],
                "told": teller.told(seen),
                "cites": cites(seen),
                "hash": hashes.get(each.number, ""),
                "lines": [_line(teller, line) for line in seen.get("lines") or seen.get("posted") or ()],
                "reversed": [_line(teller, line) for line in seen.get("reversed") or ()],
            }
        )
    numbers = sorted(dict.fromkeys(cited), key=in_order)
    paragraphs = book.paragraphs if book else {}
    return {
        "events": events,
        "book": book_id,
        "hands": picture,
        "paragraphs": [(each, paragraphs[each].gist) for each in numbers if each in paragraphs],
    }


def _hashes(told: Sequence[Told], hosted: Hosted) -> dict[int, str]:
    """The hash of each event that may be told."""
    return hashes_told(hosted, [each.number for each in told])


def _line(teller: Teller, line: Seen) -> dict[str, Any]:
    net = line["returned"] - line["stake"]
    return {
        "player": line["player"],
        "box": line["box"],
        "bet": teller.line(line),
        "stake": show(line["stake"]),
        "outcome": line["outcome"],
        "pays": line["pays"] or "",
        "commission": show(line["commission"]) if line["commission"] else "",
        "returned": show(line["returned"]),
        "net": f"+{show(net)}" if net > 0 else show(net),
        "cites": line["cites"],
    }


def _picture(book: Rulebook, seen: Seen, language: Language) -> draw.Svg:
    player, banker = (parse_cards(seen[side]) for side in ("player", "banker"))
    return draw.hands(Hand(player, total(book, player)), Hand(banker, total(book, banker)), language=language)
