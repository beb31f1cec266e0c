"""What a person or a device may see of a table: the felt for everyone, a player's money for the player.

Nobody sees a card that lies face down, nor the order of a shoe that is still in use, staff and auditors
included: whoever could read them could use them. A player sees his own balance and his own lines of a
settlement; other people's chips lie on the felt for all to see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from lammer.game.hands import total
from lammer.game.money import show
from lammer.rulebook.vocabulary import ROLES, SIDES
from lammer.table import events as e
from lammer.table.journal import Entry
from lammer.table.ledger import player as account_of
from lammer.table.state import OVER, Placed, Round, Table

STAFF: Final = frozenset(role for role in ROLES if role != "player")
READS_ALL: Final = STAFF | {"auditor"}
HIDDEN: Final = ""
"""What stands in place of a card that lies face down."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a person with a role, or a device with the purpose of its key."""

    name: str
    role: str

    @property
    def reads_all(self) -> bool:
        return self.role in READS_ALL


def event_seen(table: Table, entry: Entry, viewer: Viewer) -> dict[str, Any] | None:
    """An event as this viewer may see it; None where it is none of his business.

    `table` is the table after the event, or any later state: what was opened since may be told.
    """
    event = entry.event
    trim = _TRIMMED.get(type(event))
    values: dict[str, Any] | None = msgspec.to_builtins(event)
    if trim is not None and values is not None:
        values = trim(table, values, viewer)
    if values is None:
        return None
    head = {"number": entry.number, "at": entry.at.isoformat(), "event": type(event).__name__}
    if viewer.reads_all:
        head |= {"by": entry.by, "role": entry.role}
    return head | values


def _shoe(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values | {"order": [], "salt": ""}


def _card(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values if values["face_up"] else values | {"card": HIDDEN}


def _determined(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    here = table.round
    laid = here.hand(values["hand"]) if here is not None else []
    up = len(laid) >= values["place"] and laid[values["place"] - 1].face_up
    return values if up else values | {"card": HIDDEN}


def _reconstructed(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    laid = [each if each["face_up"] else each | {"card": HIDDEN} for each in values["laid"]]
    return values | {"laid": laid, "carried": [HIDDEN] * len(values["carried"])}


def _irregularity(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    hides = table.setup is not None and table.setup.face_down and values["name"] == "simultaneous_cards"
    return values | {"detail": ""} if hides else values


def _own_lines(*names: str) -> Callable[[Table, dict[str, Any], Viewer], dict[str, Any]]:
    def trim(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
        if viewer.reads_all:
            return values
        own = {name: [line for line in values[name] if line["player"] == viewer.name] for name in names}
        return values | own

    return trim


def _own_only(table: Table, values: dict[str, Any], viewer: Viewer) -> dict[str, Any] | None:
    return values if viewer.reads_all else None


_Trim = Callable[[Table, dict[str, Any], Viewer], dict[str, Any] | None]
_TRIMMED: Final[Mapping[type, _Trim]] = {
    e.ShoePrepared: _shoe,
    e.CardDealt: _card,
    e.CardDetermined: _determined,
    e.CardsReconstructed: _reconstructed,
    e.IrregularityNoted: _irregularity,
    e.RoundSettled: _own_lines("lines"),
    e.SettlementReopened: _own_lines("reversed"),
    e.RoundCorrected: _own_lines("reversed", "posted"),
    e.RoundVoided: _own_lines("returned"),
    e.BetsReturned: _own_lines("returned"),
    e.BankFilled: _own_only,
    e.BankCredited: _own_only,
    e.MatterRuled: _own_only,
}


def table_seen(table: Table, viewer: Viewer, *, chips: int = 0) -> dict[str, Any]:
    """The table as this viewer sees it now. `chips` is what a player brought, in cents; 0 if not counted."""
    if table.setup is None:
        return {"set_up": None}
    setup = table.setup
    seen: dict[str, Any] = {
        "set_up": msgspec.to_builtins(setup) | {"title": table.book.title, "sha256": table.book.sha256},
        "notice": table.notice,
        "boxes": table.box_count,
        "seats": [{"player": name, "box": box} for name, box in sorted(table.seats.items())],
        "shoe": _shoe_seen(table),
        "last_of_shoe": table.last_of_shoe,
        "rounds": table.rounds,
        "round": _round_seen(table, table.round, viewer) if table.round is not None else None,
        "results": [msgspec.to_builtins(table.results[number]) for number in sorted(table.results)],
    }
    if viewer.role == "player":
        seen["balance"] = show(table.accounts.get(account_of(viewer.name), 0) + chips)
    elif viewer.reads_all:
        seen["accounts"] = {name: show(cents) for name, cents in sorted(table.accounts.items())}
    return seen


def _shoe_seen(table: Table) -> dict[str, Any] | None:
    shoe = table.shoe
    if shoe is None:
        return None
    return {
        "number": shoe.number,
        "kind": shoe.kind,
        "decks": shoe.decks,
        "dealt": shoe.dealt,
        "left": shoe.left,
        "commitment": shoe.commitment,
        "cut_shown": shoe.cut_shown,
    }


def _round_seen(table: Table, here: Round, viewer: Viewer) -> dict[str, Any]:
    hands = {}
    for side in SIDES:
        cards = here.exposed(side)
        shown = [card for card in cards if card is not None]
        whole = len(shown) == len(cards)
        points = total(here.book, shown) if whole and cards else None
        hands[side] = {"cards": [card or HIDDEN for card in cards], "points": points}
    lines = [msgspec.to_builtins(line) for line in here.lines]
    if not viewer.reads_all:
        lines = [line for line in lines if line["player"] == viewer.name]
    return {
        "number": here.number,
        "phase": here.phase,
        "over": here.phase in OVER,
        "rulebook": here.book.id,
        "hands": hands,
        "bets": [_bet_seen(bet) for bet in here.bets.values() if bet.live],
        "insurance": [msgspec.to_builtins(bet) for bet in here.insured.values() if bet.live],
        "window": here.window,
        "offers": [msgspec.to_builtins(offer) for offer in here.offers],
        "interrupted": here.interrupted,
        "withdrawal": here.withdrawal,
        "options": _options_seen(here, viewer),
        "squeeze": list(here.squeeze) if here.squeeze else None,
        "lines": lines,
    }


def _bet_seen(bet: Placed) -> dict[str, Any]:
    return {"player": bet.player, "box": bet.box, "bet": bet.bet, "stake": bet.stake}


def _options_seen(here: Round, viewer: Viewer) -> dict[str, str] | None:
    if here.options is None:
        return None
    if viewer.reads_all:
        return dict(here.options)
    return {name: choice for name, choice in here.options.items() if name == viewer.name}
