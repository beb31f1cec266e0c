"""What a person or a device may see of a table: the felt for everyone, a player's money for the player.

Nobody sees a card that lies face down, nor the order of a shoe that is still in use, staff and auditors
included: whoever could read them could use them. A player sees their own chips, purse and lines of a
settlement; other people's bets lie on the felt for all to see, in the box they were laid in. Whose they
are is for those who work here: to everybody else another player is `SOMEBODY`, known by their box and not by
name. An event looks the same to the same viewer whenever they read it: as it looked when it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, Final

import msgspec

from lammer.floor.record.revealed import HIDDEN, RevealedEvent
from lammer.game.hands import total
from lammer.game.money import show
from lammer.rulebook.vocabulary import ROLES, SIDES
from lammer.table import events as e
from lammer.table.fold import past_of
from lammer.table.ledger import player as account_of, purse as purse_of
from lammer.table.state import OVER, Past, Round, Table

STAFF: Final = tuple(role for role in ROLES if role != "player")
READS_ALL: Final = frozenset((*STAFF, "auditor"))
SOMEBODY: Final = ""
"""What stands in place of another player's name."""
_PLAYERS: Final = ("players", "forgone", "continuing")
"""Fields of events that name several players."""
_NAMES: Final = ("player", "placed_by", "recorded_by")
"""Fields of events that name one person: the player, and who acted for them."""


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: a person with a role, or a device with the purpose of its key."""

    name: str
    role: str

    @property
    def reads_all(self) -> bool:
        return self.role in READS_ALL


def event_seen(revealed: RevealedEvent, viewer: Viewer) -> dict[str, Any] | None:
    """An event as this viewer may see it; None where it is not for them."""
    entry, event = revealed.entry, revealed.entry.event
    values: dict[str, Any] | None = msgspec.to_builtins(event)
    trim = _TRIMMED.get(type(event))
    if trim is not None and values is not None:
        values = trim(revealed, values, viewer)
    if values is None:
        return None
    if not viewer.reads_all:
        values = _without_other_names(values, viewer)
    head = {"number": entry.number, "at": entry.at.isoformat(), "event": type(event).__name__}
    if viewer.reads_all:
        head |= {"by": entry.by, "role": entry.role}
    return head | values


def event_sent(revealed: RevealedEvent, viewer: Viewer) -> bytes:
    """The same as a Server-Sent Event; one that is not for this viewer is only its number."""
    everyone = viewer.reads_all or not (viewer.role == "player" and _names(revealed.entry.event, viewer.name))
    if everyone and (known := revealed.written.get(viewer.reads_all)) is not None:
        return known
    shown = event_seen(revealed, viewer)
    sent = b"id: %d\n\n" % revealed.number
    if shown is not None:
        body = msgspec.json.encode(shown)
        sent = b"id: %d\nevent: %s\ndata: %s\n\n" % (revealed.number, shown["event"].encode(), body)
    if everyone:
        revealed.written[viewer.reads_all] = sent
    return sent


def _names(event: e.Event, player: str) -> bool:
    """Whether an event names this player, in itself or in one of its lines."""
    if getattr(event, "player", None) == player:
        return True
    if isinstance(event, e.TableSet):
        return event.setup.insurance_declined_by == player
    if any(player in getattr(event, name, ()) for name in _PLAYERS):
        return True
    return any(line.player == player for name in _LINES for line in getattr(event, name, ()))


def _without_other_names(values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """The fields of an event with nobody's name but the viewer's own; lines are theirs already."""
    shown = dict(values)
    if "setup" in shown:
        shown["setup"] = _setup_seen(shown["setup"], viewer)
    for name in _PLAYERS:
        if name in shown:
            shown[name] = [name_seen(player, viewer) for player in shown[name]]
    # In a settlement the field of that name holds the cards of the hand.
    if isinstance(shown.get("player"), str) and not name_seen(shown["player"], viewer):
        shown |= {name: SOMEBODY for name in _NAMES if name in shown}
    return shown


def _setup_seen(setup: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """A set-up without the name of whoever asked for no Insurance, unless it is the viewer's own."""
    return setup | {"insurance_declined_by": name_seen(setup["insurance_declined_by"], viewer)}


def name_seen(player: str, viewer: Viewer) -> str:
    """A player's name as this viewer may know it: their own, everybody's to those who work here, or nobody's.

    >>> anna = Viewer("anna", "player")
    >>> name_seen("anna", anna), name_seen("ben", anna), name_seen("ben", Viewer("mei", "dealer"))
    ('anna', '', 'ben')
    """
    own = viewer.role == "player" and player == viewer.name
    return player if own or viewer.reads_all else SOMEBODY


_Trim = Callable[[RevealedEvent, dict[str, Any], Viewer], dict[str, Any] | None]


def _shoe(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values | {"order": [], "salt": ""}


def _shuffle_begun(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values | {"entropy": ""}


def _dealt(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values if values["face_up"] else values | {"card": HIDDEN}


def _open_now(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values | {"card": revealed.card}


def _found(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    laid = [card if card["face_up"] else card | {"card": HIDDEN} for card in values["laid"]]
    return values | {"laid": laid}


def _reconstructed(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return _found(revealed, values, viewer) | {"carried": [HIDDEN] * len(values["carried"])}


def _irregularity(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    # Cards drawn together are named in the detail, also where they lie face down; their own events follow.
    return values | {"detail": ""} if values["name"] == "simultaneous_cards" else values


def _own_lines(*names: str) -> _Trim:
    def trim(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
        if viewer.reads_all:
            return values
        own = {name: [line for line in values[name] if _is_own(line, viewer)] for name in names}
        return values | own

    return trim


def names_open_cards(because: str) -> bool:
    """Whether the cards a correction names were all open. In a round void for a damaged card some may not be.

    >>> names_open_cards("dealing_error"), names_open_cards("damaged_cards")
    (True, False)
    """
    return because != "damaged_cards"


def _corrected(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any] | None:
    if not names_open_cards(values["because"]):
        values |= {"player": [], "banker": []}
    return _own_lines("reversed", "posted")(revealed, values, viewer)


def _is_own(line: Mapping[str, Any], viewer: Viewer) -> bool:
    return viewer.role == "player" and bool(line["player"] == viewer.name)


def _own_or_all(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any] | None:
    return values if viewer.reads_all or _is_own(values, viewer) else None


def _reads_all_only(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any] | None:
    return values if viewer.reads_all else None


def _without_reason(revealed: RevealedEvent, values: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    return values if viewer.reads_all else values | {"reason": ""}


_BY_NAME: Final[Mapping[type, _Trim]] = {
    e.ChipsBrought: _own_or_all,
    e.ChipsTaken: _own_or_all,
    e.RoundSettled: _own_lines("lines"),
    e.SettlementReopened: _own_lines("reversed"),
    e.RoundCorrected: _corrected,
    e.RoundVoided: _own_lines("returned"),
    e.BetsReturned: _own_lines("returned"),
    e.StaffBetsAllowed: _own_or_all,
}
"""Events of which each player sees their own part."""
_LINES: Final = ("lines", "reversed", "posted", "returned")
"""The parts of such events: lines of money, each of one player."""

_TRIMMED: Final[Mapping[type, _Trim]] = {
    e.ShoePrepared: _shoe,
    e.ShuffleBegun: _shuffle_begun,
    e.CardDealt: _dealt,
    e.CardOpened: _open_now,
    e.CardDetermined: _open_now,
    e.CardCorrected: _open_now,
    e.CardsFound: _found,
    e.CardsReconstructed: _reconstructed,
    e.IrregularityNoted: _irregularity,
    e.BankFilled: _reads_all_only,
    e.BankCredited: _reads_all_only,
    e.MatterRuled: _reads_all_only,
    e.PitCalled: _reads_all_only,
    e.PitCallAnswered: _reads_all_only,
    e.TableClosed: _without_reason,
    e.ClosingAnnounced: _without_reason,
    **_BY_NAME,
}


def table_seen(table: Table, viewer: Viewer, *, purse: int | None = None) -> dict[str, Any]:
    """The table as this viewer sees it now. `purse` is what is in a player's purse, in cents, where known."""
    if table.setup is None:
        return {"set_up": None}
    setup = table.setup
    shown: dict[str, Any] = {
        "set_up": _setup_seen(msgspec.to_builtins(setup), viewer)
        | {"title": table.book.title, "sha256": table.book.sha256},
        "notice": table.notice,
        "boxes": table.box_count,
        "seats": [
            {"player": name_seen(name, viewer), "box": box} for name, box in _in_order(table.seats, viewer)
        ],
        "shoe": _shoe_seen(table),
        "shuffle": _shuffle_seen(table),
        "last_of_shoe": table.last_of_shoe,
        "unplayed": table.unplayed,
        "rounds": table.rounds,
        "round": _round_seen(table.round, viewer) if table.round is not None else None,
        "results": [msgspec.to_builtins(table.results[number]) for number in sorted(table.results)],
        "closed": table.closed,
        "closing": table.closing_reason is not None,
    }
    if viewer.reads_all:
        shown["pit_calls"] = [msgspec.to_builtins(call) for call in table.pit_calls.values()]
    if viewer.role == "player" or viewer.reads_all:
        shown["staff_bets"] = [
            name for name in sorted(table.staff_bets) if viewer.reads_all or name == viewer.name
        ]
    if viewer.role == "player":
        shown["balance"] = show(table.accounts.get(account_of(viewer.name), 0))
        shown["on_felt"] = show(on_felt(table, viewer.name))
        shown["won"] = show(won(table, viewer.name))
        if purse is not None:
            shown["purse"] = show(purse)
    elif viewer.reads_all:
        shown["accounts"] = {name: show(cents) for name, cents in sorted(table.accounts.items())}
    return shown


def _in_order(seats: Mapping[str, int], viewer: Viewer) -> list[tuple[str, int]]:
    """Seats by name for those who may know it; to others the order must not tell the names apart."""
    by = itemgetter(0) if viewer.reads_all else itemgetter(1)
    return sorted(seats.items(), key=by)


def on_felt(table: Table, player: str) -> int:
    """What a player has at stake in cents: bets and Insurance of a round that is not over.

    With their balance it is all they own at this table, at every moment: a stake leaves the balance when it
    is put down, and is in it again, with what it won, when the round is settled or void.
    """
    this_round = table.round
    if this_round is None or this_round.phase in OVER:
        return 0
    return sum(bet.stake for bet in this_round.live() if bet.player == player)


def won(table: Table, player: str) -> int:
    """What a player has won or lost at this table in cents, from the first round on: all they own here, less
    what they brought, and what they took away again.
    """
    owned = table.accounts.get(account_of(player), 0) + on_felt(table, player)
    return owned + table.accounts.get(purse_of(player), 0)


def last_settled(table: Table, viewer: Viewer) -> dict[str, Any] | None:
    """The last round that was settled, with the lines this viewer may see; None before the first.

    It stays that one while the next is bet on and dealt. A void round was not settled.
    """
    this_round = table.round
    if this_round is not None and this_round.phase == "settled":
        last: Past | None = past_of(this_round)
    else:
        last = next((past for past in reversed(table.past.values()) if not past.void), None)
    if last is None:
        return None
    lines = [msgspec.to_builtins(line) for line in last.lines]
    return {
        "number": last.number,
        "set_up": last.setup,
        "lines": lines if viewer.reads_all else [line for line in lines if _is_own(line, viewer)],
    }


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
        "house": shoe.house,
        "parts": msgspec.to_builtins(shoe.parts),
        "beacon": msgspec.to_builtins(shoe.beacon),
    }


def _shuffle_seen(table: Table) -> dict[str, Any] | None:
    """A shuffle that was begun, as everybody sees it: what was added and to what the house is bound."""
    shuffle = table.shuffle
    if shuffle is None:
        return None
    return {
        "shoe": shuffle.shoe,
        "commitment": shuffle.commitment,
        "closes": shuffle.closes.isoformat(),
        "parts": msgspec.to_builtins(shuffle.in_order()),
        "beacon": msgspec.to_builtins(shuffle.beacon),
    }


def _round_seen(this_round: Round, viewer: Viewer) -> dict[str, Any]:
    hands = {}
    for side in SIDES:
        cards = this_round.exposed(side)
        shown = [card for card in cards if card is not None]
        whole = len(shown) == len(cards)
        points = total(this_round.book, shown) if whole and cards else None
        hands[side] = {"cards": [card or HIDDEN for card in cards], "points": points}
    lines = [msgspec.to_builtins(line) for line in this_round.lines]
    return {
        "number": this_round.number,
        "phase": this_round.phase,
        "over": this_round.phase in OVER,
        "rulebook": this_round.book.id,
        "hands": hands,
        "bets": [
            {"player": name_seen(bet.player, viewer), "box": bet.box, "bet": bet.bet, "stake": bet.stake}
            for bet in this_round.bets.values()
        ],
        "insurance": [
            msgspec.to_builtins(bet) | {"player": name_seen(bet.player, viewer)}
            for bet in this_round.insured.values()
            if bet.live
        ],
        "window": this_round.window,
        "offers": [msgspec.to_builtins(offer) for offer in this_round.offers],
        "announced": [
            {"player": name_seen(player, viewer), "box": box, "hand": hand}
            for player, box, hand in sorted(this_round.announced, key=itemgetter(1, 2))
        ],
        "interrupted": this_round.interrupted,
        "withdrawal": this_round.withdrawal,
        "reported": this_round.reported[0] if this_round.reported is not None else None,
        "options": _options_seen(this_round, viewer),
        "squeeze": (
            [name_seen(this_round.squeeze[0], viewer), this_round.squeeze[1]] if this_round.squeeze else None
        ),
        "lines": lines if viewer.reads_all else [line for line in lines if _is_own(line, viewer)],
    }


def _options_seen(this_round: Round, viewer: Viewer) -> dict[str, str] | None:
    if this_round.options is None:
        return None
    if viewer.reads_all:
        return dict(this_round.options)
    return {name: choice for name, choice in this_round.options.items() if name == viewer.name}
