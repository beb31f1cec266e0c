"""The shapes of what the API answers, for its schema. What is sent is made elsewhere; the tests compare."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from lammer.floor.web.problems import Cited

Cents = Annotated[int, msgspec.Meta(description="Whole cents.")]
Dollars = Annotated[str, msgspec.Meta(description="Dollars with two decimals.", examples=["-47.50"])]
CardShown = Annotated[
    str, msgspec.Meta(description="A card; empty where it lies face down.", examples=["9H"])
]


class Event(msgspec.Struct, frozen=True):
    """Something that happened, with the fields of its kind (see the reference) that you may see."""

    number: int
    at: datetime
    event: Annotated[str, msgspec.Meta(examples=["BetPlaced"])]
    by: str = ""
    role: str = ""
    hash: str = ""


EVENT = {
    "number": 7,
    "at": "2026-07-01T12:00:00+00:00",
    "event": "BetPlaced",
    "key": 1,
    "player": "mei",
    "box": 3,
    "bet": "banker",
    "stake": 10000,
    "seated": True,
    "placed_by": "mei",
    "warning": "",
}


class Reply(msgspec.Struct, frozen=True):
    """What a command came to; it is on disk. `version` is the number of the table's last event then."""

    table: str
    version: int
    events: list[Event]


REPLY = {"table": "t1", "version": 7, "events": [EVENT]}


class Waiting(msgspec.Struct, frozen=True):
    """It takes two people: this number waits for the second."""

    waiting: str
    table: str
    events: list[Event]


WAITING = {"waiting": "5f3a1c0d9e8b7a66", "table": "t1", "events": []}


class Limit(msgspec.Struct, frozen=True):
    minimum: Cents
    maximum: Cents


class InLobby(msgspec.Struct, frozen=True):
    """A table of the house; what is not set up yet has no game."""

    table: str
    title: str
    deals_itself: bool
    set_up: bool
    rulebook: str = ""
    game: str = ""
    layout: str = ""
    limits: dict[str, Limit] = {}
    differential: Cents = 0
    seated: int = 0
    boxes: int = 0
    round: int = 0
    phase: str = ""
    interrupted: bool = False
    results: list[str] = []


IN_LOBBY = {
    "table": "tiger-buffalo-1",
    "title": "Tiger Buffalo 1",
    "deals_itself": True,
    "set_up": True,
    "rulebook": "tiger-buffalo-noncommission-insurance@3",
    "game": "Tiger Buffalo (Non-Commission, Insurance Plus)",
    "layout": "C",
    "limits": {"original": {"minimum": 1000, "maximum": 500000}},
    "differential": 1000000,
    "seated": 1,
    "boxes": 9,
    "round": 12,
    "phase": "betting",
    "interrupted": False,
    "results": ["banker", "tie"],
}


class HandSeen(msgspec.Struct, frozen=True):
    cards: list[CardShown]
    points: int | None


class Seat(msgspec.Struct, frozen=True):
    player: str
    box: int


class ShoeSeen(msgspec.Struct, frozen=True):
    """The shoe in use: what binds it to its order, never the order."""

    number: int
    kind: Literal["virtual", "read"]
    decks: int
    dealt: int
    left: int
    commitment: str
    cut_shown: bool
    house: str = ""
    parts: list[dict[str, Any]] = []
    beacon: dict[str, Any] | None = None


class ShuffleSeen(msgspec.Struct, frozen=True):
    """A shuffle that was begun for the next shoe: until `closes` those who are seated may add to it."""

    shoe: int
    commitment: str
    closes: str
    parts: list[dict[str, Any]]
    beacon: dict[str, Any] | None


class RoundSeen(msgspec.Struct, frozen=True):
    """The round: everyone's chips, open cards, and your own lines of the settlement."""

    number: int
    phase: Literal["betting", "dealing", "settled", "void", "concluded"]
    over: bool
    rulebook: str
    hands: dict[str, HandSeen]
    bets: list[dict[str, Any]]
    insurance: list[dict[str, Any]]
    window: Literal["two_cards", "four_cards", "third_card"] | None
    offers: list[dict[str, Any]]
    announced: list[dict[str, Any]]
    interrupted: bool
    withdrawal: bool
    reported: str | None
    options: dict[str, str] | None
    squeeze: list[str] | None
    lines: list[dict[str, Any]]


class TableSeen(msgspec.Struct, frozen=True):
    """A table as you see it, after event `version`. Staff see all `accounts`.

    A player sees their `balance`, the chips they have at this table, what they have at stake `on_felt`, what
    they have `won` or lost here in all, and what is in their `purse`. The name of another player is empty to
    them: others are known by their box.
    `staff_bets` names who lets staff bet for them: a player sees their own name there, staff every one.
    `pit_calls` are calls to the pit that nobody has answered, for staff. A `closed` table opens no round; a
    `closing` one closes when its round is over.
    """

    table: str
    version: int
    set_up: dict[str, Any] | None
    notice: str = ""
    boxes: int = 0
    seats: list[Seat] = []
    shoe: ShoeSeen | None = None
    shuffle: ShuffleSeen | None = None
    last_of_shoe: bool = False
    unplayed: int = 0
    rounds: int = 0
    round: RoundSeen | None = None
    results: list[dict[str, Any]] = []
    staff_bets: list[str] = []
    balance: Dollars = ""
    on_felt: Dollars = ""
    won: Dollars = ""
    purse: Dollars = ""
    accounts: dict[str, Dollars] = {}
    closed: bool = False
    pit_calls: list[dict[str, Any]] = []
    closing: bool = False


TABLE_SEEN = {
    "table": "t1",
    "version": 41,
    "set_up": {"rulebook": "tiger-buffalo-noncommission@4", "layout": "A"},
    "seats": [{"player": "mei", "box": 3}],
    "rounds": 12,
    "round": None,
    "results": [],
    "staff_bets": [],
    "balance": "900.00",
    "on_felt": "100.00",
    "won": "0.00",
    "purse": "9000.00",
    "closed": False,
    "closing": False,
}


Share = Annotated[str, msgspec.Meta(description="An exact fraction.", examples=["4/13"])]


class InsuranceChances(msgspec.Struct, frozen=True):
    """How often Insurance on a hand wins, comes back and loses, and what one unit of it gains on average."""

    hand: Literal["player", "banker"]
    won: Share
    returned: Share
    lost: Share
    worth: Share


class OffersSeen(msgspec.Struct, frozen=True):
    """Insurance on offer now, and what you may take of it.

    `chances` is counted from full decks less the open cards of this round; empty at a table that shows none.
    """

    window: Literal["two_cards", "four_cards", "third_card"] | None
    offers: list[dict[str, Any]]
    yours: list[dict[str, Any]]
    chances: list[InsuranceChances] = []


OFFERS = {
    "window": "four_cards",
    "offers": [{"hand": "banker", "odds": "3:2", "cite": "4.1.14"}],
    "yours": [{"box": 3, "hand": "banker", "odds": "3:2", "most": 10000, "cite": "4.1.14"}],
    "chances": [{"hand": "banker", "won": "2/5", "returned": "1/10", "lost": "1/2", "worth": "1/10"}],
}


class EventsPage(msgspec.Struct, frozen=True):
    """Events in order; go on after `last`. `hash` is for whoever reads everything, once no card is hidden."""

    table: str
    events: list[Event]
    last: int


class RoundStands(msgspec.Struct, frozen=True):
    """How a round stands or stood. `gain` is that of your own bets; of all, for whoever reads everything."""

    state: Literal["under way", "interrupted", "settled", "void", "concluded", "reopened"]
    winner: str
    points: int | None
    player: list[CardShown]
    banker: list[CardShown]
    staked: Dollars
    gain: Dollars


class RoundChange(msgspec.Struct, frozen=True):
    """A round put right or made void; `by` is who did it and who agreed, for whoever reads everything."""

    event: int
    at: datetime
    before: RoundStands
    after: RoundStands
    because: str
    reason: str
    cites: list[str]
    rulebook: str
    by: list[str]


class RoundStory(msgspec.Struct, frozen=True):
    """A round from the opening of bets on, and what was said of it later; go on after the last event.

    `stands` is how it stands now, with every correction; `changes` says what it was before, and why.
    """

    table: str
    round: int
    events: list[Event]
    more: bool
    stands: RoundStands
    changes: list[RoundChange]


ROUND_STORY = {
    "table": "t1",
    "round": 12,
    "events": [EVENT],
    "more": False,
    "stands": {
        "state": "settled",
        "winner": "banker",
        "points": 8,
        "player": ["2S", "5H"],
        "banker": ["KD", "8C"],
        "staked": "100.00",
        "gain": "100.00",
    },
    "changes": [],
}


class Posting(msgspec.Struct, frozen=True):
    number: int
    account: str
    amount: Dollars
    why: str


class LedgerPage(msgspec.Struct, frozen=True):
    """Postings of these events; those of each event add up to zero."""

    table: str
    postings: list[Posting]
    last: int


LEDGER = {
    "table": "t1",
    "postings": [
        {"number": 7, "account": "player:mei", "amount": "-100.00", "why": "stake"},
        {"number": 7, "account": "in_play", "amount": "100.00", "why": "stake"},
    ],
    "last": 7,
}


class Figures(msgspec.Struct, frozen=True):
    """The figures of the events up to `last`; money in cents, hold in percent."""

    table: str
    last: int
    rounds: dict[str, int]
    figures: list[dict[str, Any]]
    corrections: list[dict[str, str]]


FIGURES = {
    "table": "t1",
    "last": 311,
    "rounds": {"settled": 12, "void": 0, "concluded": 0},
    "figures": [
        {
            "what": "total",
            "which": "",
            "bets": 3,
            "turnover": 30000,
            "win": 10000,
            "commission": 0,
            "hold": "33.33",
        }
    ],
    "corrections": [],
}


class ReadIn(msgspec.Struct, frozen=True):
    """What became of a card a reader sent."""

    kind: Literal["card", "repeat", "irregularity"]
    sentence: str
    irregularity: str
    citation: Cited | None
    next: str
    version: int
    events: list[Event]


READ_IN: dict[str, Any] = {
    "kind": "card",
    "sentence": "Card 13 (KS) is dealt.",
    "irregularity": "",
    "citation": None,
    "next": "",
    "version": 52,
    "events": [],
}


class ProposalSeen(msgspec.Struct, frozen=True):
    """What one person asked for, and what a second said."""

    id: str
    table: str
    by: str
    role: str
    do: str
    fields: dict[str, Any]
    asked_at: datetime
    stands: Literal["waiting", "agreed", "declined"]
    second: str
    stood: str


PROPOSAL = {
    "id": "5f3a1c0d9e8b7a66",
    "table": "t1",
    "by": "wen",
    "role": "table_game_shift_manager",
    "do": "rule_on_matter",
    "fields": {"reason": "a bird flew in", "effect": "void_round"},
    "asked_at": "2026-07-01T12:00:00Z",
    "stands": "waiting",
    "second": "",
    "stood": "round 12 betting",
}
