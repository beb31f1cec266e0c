"""A bench for the proofs of the table: set up under the clause's rulebook, worked by name and role.

People are written `p1` (a player), `dealer` (a role, acting under that name) or `mei as dealer`. Every
refusal is held to change nothing, and every event to leave the accounts at zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest

from lammer import Refused
from lammer.game.money import parse_amount
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c, events as e
from lammer.table.decoding import COMMANDS, command_of
from lammer.table.journal import snapshot
from lammer.table.play import decide, record
from lammer.table.records import PaidLine
from lammer.table.setup import Limits, SetUp
from lammer.table.state import OutcomeNow, Round, Table
from paragraphs.clause import Clause

E = TypeVar("E")
Events = tuple[e.Event, ...]

NATURAL = "KS KD 8H 7C"
"""Player 8 over Banker 7, with no pair: the round is over after four cards."""
NO_OUTCOME = "KS 2D"
"""Two cards, after which no bet of any rulebook is decided."""
FINISH = "8H 5C"
"""After those two: Player 8 over Banker 7, as in the natural."""

PRIVATE: dict[str, Any] = {"insurance": False, "private": True, "insurance_declined_by": "p1"}
"""The set-up of a private table at which p1 asked not to be offered Insurance."""


class Pit:
    """A table with a read shoe, and what happened at it."""

    def __init__(
        self,
        clause: Clause,
        *,
        seats: str = "p1 1",
        minimum: str = "1",
        maximum: str = "",
        differential: str = "10000",
        entropy: str = "",
        readings: dict[str, str] | None = None,
        **more: Any,
    ) -> None:
        self.clause, self.book = clause, clause.book
        self.table = Table({self.book.id: self.book})
        self.events: list[e.Event] = []
        self.at = datetime(2026, 1, 1, 12, tzinfo=UTC)
        limits = Limits(parse_amount(minimum), parse_amount(maximum) if maximum else 0)
        self.setup = SetUp(
            self.book.id,
            more.pop("layout", "A"),
            limits={"original": limits, "side": limits},
            differential=parse_amount(differential),
            shoe="virtual" if entropy else "read",
            readings=readings or {},
            **more,
        )
        self.call("pit_manager", c.SetTable(self.setup))
        for seat in seats.split(", "):
            player, box = seat.split()
            self.does(player, "take_seat", box=int(box))
        self.does("dealer", "prepare_shoe", entropy=entropy)

    def call(self, by: str, command: c.Command) -> Events:
        """Decide and fold; the accounts add up to nothing afterwards."""
        happened = record(self.table, self._call(by, command))
        assert sum(self.table.accounts.values()) == 0
        self.events.extend(happened)
        return happened

    def does(self, by: str, do: str, **fields: Any) -> Events:
        """Somebody does something: `pit.does("dealer", "close_bets")`."""
        return self.call(by, self._command(by, do, fields))

    def refused(
        self,
        by: str,
        do: str,
        code: str | tuple[str, ...],
        cite: str | tuple[str, ...] | None = None,
        **fields: Any,
    ) -> Refused:
        """The attempt is refused with this code, under this paragraph, and changes nothing."""
        return self.refused_call(by, self._command(by, do, fields), code, cite)

    def refused_call(
        self,
        by: str,
        command: c.Command,
        code: str | tuple[str, ...],
        cite: str | tuple[str, ...] | None = None,
    ) -> Refused:
        before = snapshot(self.table)
        with pytest.raises(Refused) as caught:
            decide(self.table, self._call(by, command))
        assert snapshot(self.table) == before
        assert caught.value.code in ((code,) if isinstance(code, str) else code), str(caught.value)
        if cite is not None:
            assert caught.value.citation is not None
            assert caught.value.citation.rulebook == self.book.id
            cites = (cite,) if isinstance(cite, str) else cite
            assert caught.value.citation.paragraph in cites, str(caught.value)
        return caught.value

    def bets(self, bets: str, by: str = "p1", box: int = 1) -> None:
        """Place `player 100, tie 10`."""
        for written in bets.split(", "):
            bet, stake = written.split()
            self.does(by, "place_bet", bet=bet, stake=stake, box=box)

    def deal(self, cards: str, **how: Any) -> Events:
        """Deal these cards one by one; what the last of them led to."""
        happened: Events = ()
        for card in cards.split():
            happened = self.does("dealer", "deal_card", card=card, **how)
        return happened

    def begin(
        self, bets: str, cards: str = "", more: Iterable[tuple[str, int, str]] = (), **how: Any
    ) -> Events:
        """Open, bet (p1 in box 1, then `more` as player, box, bets), close and deal."""
        self.does("dealer", "open_bets")
        if bets:
            self.bets(bets)
        for player, box, theirs in more:
            self.bets(theirs, player, box)
        self.does("dealer", "close_bets")
        return self.deal(cards, **how) if cards else ()

    def round(self, bets: str, cards: str, more: Iterable[tuple[str, int, str]] = ()) -> e.RoundSettled:
        """A whole round, settled."""
        self.begin(bets, cards, more)
        return self.settle()

    def settle(self) -> e.RoundSettled:
        return one(self.does("dealer", "settle"), e.RoundSettled)

    def open_all(self) -> None:
        """The dealer turns every card that still lies face down."""
        for laid in list(self.here.cards):
            if not laid.face_up:
                self.does("dealer", "open_card", hand=laid.hand, place=laid.place)

    @property
    def here(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def accounts(self) -> dict[str, int]:
        return {name: amount for name, amount in self.table.accounts.items() if amount}

    def money(self, player: str = "p1") -> int:
        """What a player is up or down, in cents, with what lies on the felt counted as gone."""
        return self.table.accounts.get(f"player:{player}", 0)

    def outcome(self) -> OutcomeNow:
        return self.table.outcome()

    def hand(self, side: str) -> str:
        return " ".join(laid.card for laid in self.here.cards if laid.hand == side)

    def _call(self, by: str, command: c.Command) -> c.Call:
        name, _, role = by.partition(" as ")
        self.at += timedelta(seconds=1)
        return c.Call(name, role or (name if name in ROLES else "player"), self.at, command)

    def _command(self, by: str, do: str, fields: dict[str, Any]) -> c.Command:
        known = COMMANDS[do].__dataclass_fields__  # type: ignore[attr-defined]
        if "player" in known and by not in ROLES and " as " not in by:
            fields.setdefault("player", by)
        if "box" in known:
            fields.setdefault("box", 1)
        return command_of(do, fields)


def one(events: Iterable[e.Event], kind: type[E]) -> E:
    """The one event of that kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def none(events: Iterable[e.Event], kind: type[E]) -> bool:
    """No event of that kind."""
    return not any(isinstance(event, kind) for event in events)


def line(settled: e.RoundSettled | e.RoundCorrected, bet: str, player: str = "p1") -> PaidLine:
    """The one line of a bet in a settlement or in what a correction posted."""
    lines = settled.lines if isinstance(settled, e.RoundSettled) else settled.posted
    (found,) = [each for each in lines if (each.bet, each.player) == (bet, player) and each.window is None]
    return found


def cited(clause: Clause, *paragraphs: str) -> None:
    """The clause's own paragraph is cited, or the one it is part of."""
    assert any(clause.number == each or clause.number.startswith(f"{each}.") for each in paragraphs), (
        f"{paragraphs} do not cite {clause.number}"
    )


def part(clause: Clause, number: str) -> Clause:
    """A sub-paragraph of the clause's own."""
    return replace(clause, number=f"{clause.number}.{number}")


def options(clause: Clause, events: Iterable[e.Event], *players: str, under: str = "") -> None:
    """These players are given their options, under this paragraph and the one that lists them."""
    asked = one(events, e.OptionsOffered)
    assert asked.players == players
    error = clause.book.irregularities["dealing_error"].cite.paragraph
    assert asked.cites == tuple(dict.fromkeys((under or clause.number, error)))
