"""What is asked of a table: decided by the process that holds it, and answered when it is on disk.

Under a key a request counts once, however often and through however many processes it is sent. What takes two
people waits until the second agrees.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec
from msgspec import structs

from lammer.floor.record.contract import Conflict, Fenced, Key, KeyReused, StoreUnavailable
from lammer.floor.record.purses import (
    PurseMoved,
    Purses,
    Transfer,
    chips_back,
    missing,
    must_be_counted,
    transfer,
)
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.record.store.lookups import BatchedLookup
from lammer.floor.tables.approvals import Approvals
from lammer.floor.tables.beacon import Beacon
from lammer.floor.tables.command_request import CommandRequest, ForwardedRequest, decode_command, named_round
from lammer.floor.tables.live_table import LiveTable
from lammer.floor.tables.ownership import TableOwnership
from lammer.floor.tables.players_leave import PlayerLogins, must_have_leave
from lammer.floor.tables.shuffle import Draw, ShuffleTerms
from lammer.floor.tables.two_people import SecondPerson, must_stand_as_asked, needs_two, standing
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table.commands import Call, Command
from lammer.table.ledger import player as account_of
from lammer.table.state import Table

log = logging.getLogger("lammer.floor")

TRIES: Final = 4
"""How often a request is decided anew that was decided on something the record did not take."""
LOOKS: Final = 4
"""How often a purse is looked into for one request before it is refused, while its player moves chips."""

Forward = Callable[[str, ForwardedRequest], Awaitable[bytes]]


@dataclass(slots=True, eq=False)
class _PendingRequest:
    """A request that is being decided; `answer` is for whoever sends the same one again meanwhile.

    `elsewhere` says that another process is asked about it, and this one waits for what that says.
    """

    key: Key
    answer: asyncio.Future[bytes]
    elsewhere: bool = False

    async def same(self, key: Key) -> bytes:
        """The answer to the first request of this key."""
        if self.key.digest != key.digest:
            raise KeyReused(key)
        return await asyncio.shield(self.answer)


@dataclass(frozen=True, slots=True)
class _PurseContents:
    """What was in a purse, and the chips at the table before that was looked up."""

    purse: int
    had: int
    times: int


class _PurseNeeded(Exception):  # noqa: N818 (nothing is wrong: it is looked up, and decided then)
    """What is asked needs chips from a purse."""

    def __init__(self, player: str, had: int, times: int = 0) -> None:
        super().__init__(player)
        self.player, self.had, self.times = player, had, times


class Unreached(Refused):
    """The process that holds a table cannot be reached; nothing was asked of it."""

    def __init__(self, table: str) -> None:
        super().__init__(
            "table_held_elsewhere",
            "The process that holds table {table} does not answer.",
            next_step="Send the request again; another process takes the table within seconds.",
            table=table,
        )


class CommandHandler:
    """Decides what is asked of the tables held here, and hands on what is asked of the others."""

    def __init__(
        self,
        tables: TableOwnership,
        purses: Purses,
        logins: PlayerLogins,
        approvals: Approvals,
        forward: Forward | None,
        draw: Draw,
        *,
        two_to_close: bool = False,
        shuffle_seconds: int = 0,
        beacon: Beacon | None = None,
    ) -> None:
        self.tables, self.purses, self.logins, self.approvals = tables, purses, logins, approvals
        self.forward, self.draw, self.two_to_close = forward, draw, two_to_close
        self.shuffle_seconds, self.beacon = shuffle_seconds, beacon
        self.kept_replies = BatchedLookup(tables.store.recall)
        self.clock = tables.clock
        self._requests: dict[tuple[str, str], _PendingRequest] = {}

    async def ask(
        self, name: str, request: CommandRequest, agreed: SecondPerson | None = None, *, hand_on: bool = True
    ) -> bytes:
        """Decide a request, here or where the table is held, and answer when it is on disk.

        What needs two people waits (`is_waiting`), unless the second is `agreed`; both must have the right.
        """
        live_table = self.tables.live_tables.get(name) or await self.tables.find(name)
        key = request.key_at(name)
        decide = partial(self._decide, live_table, request, agreed, key)
        forwarded = partial(ForwardedRequest, name, request, agreed)
        if key is None:
            return await self.ask_holder(live_table, decide, forwarded, hand_on=hand_on)
        pending = self._requests.get((key.client, key.key))
        if pending is not None:
            if pending.elsewhere and not hand_on:
                # Each of two processes believes that the other holds the table, and asks it about the same
                # request. Waiting for each other, neither would ever answer.
                raise _between_processes(name)
            return await pending.same(key)
        first = _PendingRequest(key, asyncio.get_running_loop().create_future())
        self._requests[key.client, key.key] = first
        try:
            reply = await self.ask_holder(live_table, decide, forwarded, hand_on=hand_on, pending=first)
        except BaseException as error:
            cut_off = StoreUnavailable("the first request of this key was cut off")
            first.answer.set_exception(error if isinstance(error, Refused) else cut_off)
            first.answer.exception()  # Marks it as looked at: mostly nobody has sent it again.
            raise
        else:
            first.answer.set_result(reply)
            return reply
        finally:
            del self._requests[key.client, key.key]

    async def took(self, name: str, request: CommandRequest) -> bool:
        """Whether a request of this key was taken before, or is being decided: asked again it counts once."""
        key = request.key_at(name)
        if key is None:
            return False
        if (key.client, key.key) in self._requests:
            return True
        live_table = self.tables.live_tables.get(name) or await self.tables.find(name)
        if self.tables.recent_keys.was_asked_here(key):
            await live_table.handed_in()
        return await self.kept_replies.find(key) is not None

    async def ask_holder(
        self,
        live_table: LiveTable,
        decide: Callable[[], Awaitable[bytes]],
        forwarded: Callable[[], ForwardedRequest],
        *,
        hand_on: bool,
        pending: _PendingRequest | None = None,
    ) -> bytes:
        """Decide it where the table is held here, else hand it on; anew where the table changes hands."""
        for _ in range(TRIES):
            try:
                held = live_table.held or await self.tables.holds(live_table)
                if pending is not None:
                    pending.elsewhere = not held
                if held:
                    return await decide()
                return await self._hand_on(live_table, forwarded(), hand_on=hand_on)
            except (Conflict, PurseMoved):
                continue  # It was decided on something the record did not take, and is not written.
            except Fenced:
                self.tables.lose(live_table)
            except Unreached:
                if not await self.tables.take(live_table):
                    raise
        raise StoreUnavailable(f"table {live_table.id} changes hands")

    async def _decide(
        self, live_table: LiveTable, request: CommandRequest, agreed: SecondPerson | None, key: Key | None
    ) -> bytes:
        if key is not None and self.tables.recent_keys.may_be_there(key):
            reply = await self._recall_reply(live_table, key)
            if reply is not None:
                return reply
        known_login = self.logins.known(live_table.deciding, request)
        has_login = await self.logins.look_up(request) if known_login is None else known_login
        if named_round(request) or not (live_table.sound and live_table.held):
            await self._ready_for(live_table, request)
        terms = await self._shuffle_terms(live_table, request)
        contents: _PurseContents | None = None
        while True:
            # From here until the record has it nothing waits: each is decided on all that was decided before.
            table = live_table.must_decide()
            try:
                if self.tables.switch.any:
                    self.tables.switch.must_go_on(live_table.id, request.do)
                command = decode_command(table, request, self.draw, terms)
                must_have_leave(table, live_table.id, command, has_login=has_login)
                if not self.purses.counted:
                    must_be_counted(command)
                call = Call(request.by, request.role, live_table.moment(self.clock.now()), command)
                events = live_table.decide(call)
                brought = self._purse_transfer(table, command, contents)
                if agreed is not None:
                    live_table.decide(replace(call, by=agreed.name, role=agreed.role))
                    must_stand_as_asked(table, command, agreed)
                break
            except _PurseNeeded as needs:
                contents = await self._look_into_purse(live_table, needs)
            except Refused:
                # Asked a second time it may be too late for what was done the first time; that is told again.
                reply = None if key is None else await self._recall_reply(live_table, key)
                if reply is None:
                    raise
                return reply
        if needs_two(command, events, two_to_close=self.two_to_close):
            if agreed is None:
                return await self._propose(live_table, request, key, standing(table, command))
            call = replace(call, by=f"{request.by} and {agreed.name}")
        viewer = Viewer(request.by, request.role)

        def make_reply(revealed: tuple[RevealedEvent, ...]) -> bytes:
            return encode_reply(live_table.id, revealed, viewer, live_table.number)

        transfers = chips_back(events) if brought is None else (brought,)
        moves_chips = bool(transfers) and self.purses.counted
        beside = self.purses.beside(*transfers) if moves_chips else None
        with_chips = events if brought is None else brought.with_bet(events)
        return await live_table.record(call, with_chips, key, make_reply, beside)

    async def _shuffle_terms(self, live_table: LiveTable, request: CommandRequest) -> ShuffleTerms:
        """What a shuffle needs from outside: how long it is open, and the beacon's round, if there is one."""
        if request.role not in ROLES or request.role == "player":
            return ShuffleTerms(self.shuffle_seconds)
        if request.do == "begin_shuffle" and self.beacon is not None:
            await self.beacon.learn()
            closes = live_table.moment(self.clock.now()) + timedelta(seconds=self.shuffle_seconds)
            return ShuffleTerms(self.shuffle_seconds, self.beacon.round_after(closes.timestamp()))
        if request.do == "prepare_shoe":
            await live_table.ready(self.clock.now)
            shuffle = live_table.must_decide().shuffle
            wanted = None if shuffle is None else shuffle.beacon
            # Before it is due nobody has it: the table says how long that is.
            if wanted is not None and self.clock.now().timestamp() >= wanted.due:
                if self.beacon is None:
                    raise Refused(
                        "beacon_unreachable",
                        "The beacon cannot be believed or reached just now: {why}.",
                        next_step="Set LAMMER_BEACON to the chain the shuffle waits for.",
                        why="none is set",
                    )
                signature, previous = await self.beacon.come(wanted)
                come = structs.replace(wanted, signature=signature, previous=previous)
                return ShuffleTerms(self.shuffle_seconds, come)
        return ShuffleTerms(self.shuffle_seconds)

    def _purse_transfer(
        self, table: Table, command: Command, contents: _PurseContents | None
    ) -> Transfer | None:
        """The chips a command needs from a purse; few do that."""
        if not self.purses.counted or missing(table, command) <= 0:
            return None
        player = getattr(command, "player", "")
        has = table.accounts.get(account_of(player), 0)
        if contents is None:
            raise _PurseNeeded(player, has)
        try:
            return transfer(table, command, contents.purse)
        except Refused:
            if contents.had != has and contents.times < LOOKS:
                raise _PurseNeeded(player, has, contents.times) from None
            raise

    async def _look_into_purse(self, live_table: LiveTable, needs: _PurseNeeded) -> _PurseContents:
        """What is in a purse, once everything handed in is on disk: chips on their way are in neither."""
        await live_table.handed_in()
        purse = await asyncio.to_thread(self.purses.holds, needs.player)
        await self._wait_until_ready(live_table)
        return _PurseContents(purse, needs.had, needs.times + 1)

    async def _ready_for(self, live_table: LiveTable, request: CommandRequest) -> None:
        """Wait until the table can be decided on, with the earlier round at hand that is asked about."""
        await self._wait_until_ready(live_table)
        await live_table.recall(named_round(request))
        if not live_table.sound:
            raise StoreUnavailable(f"table {live_table.id} was read again meanwhile")

    async def _wait_until_ready(self, live_table: LiveTable) -> None:
        """Wait until the table can be decided on; `Fenced` where it is no longer decided here."""
        await live_table.ready(self.clock.now)
        if not live_table.held:
            raise Fenced(live_table.id, 0, None)

    async def _recall_reply(self, live_table: LiveTable, key: Key) -> bytes | None:
        """What the request of this key was told, be it that it is still on its way to the disk."""
        if self.tables.recent_keys.was_asked_here(key):
            await live_table.handed_in()
        answer = await self.kept_replies.find(key)
        if answer is None:
            return None
        if isinstance(answer, KeyReused):
            raise answer
        # Whoever is told that it happened can look at it: what is on disk is shown first.
        if live_table.held:
            await live_table.ready(self.clock.now)
        return answer.reply

    async def _propose(
        self, live_table: LiveTable, request: CommandRequest, key: Key | None, stood: str
    ) -> bytes:
        proposal = await asyncio.to_thread(
            self.approvals.propose, live_table.id, request, key, self.clock.now(), stood
        )
        reply = msgspec.json.encode({"waiting": proposal.id, "table": live_table.id, "events": []})
        if key is not None:
            await live_table.ready(self.clock.now)
            await live_table.remember(key, reply)
        return reply

    async def _hand_on(self, live_table: LiveTable, forwarded: ForwardedRequest, *, hand_on: bool) -> bytes:
        """Hand a request on to the process that holds the table; what it wrote can then be read here too."""
        owner = await self.tables.holder(live_table) if hand_on and self.forward is not None else None
        if owner is None or self.forward is None:
            raise _between_processes(live_table.id)
        try:
            reply = await self.forward(owner, forwarded)
        except Refused as refused:
            if refused.code == "table_held_elsewhere":
                self.tables.forget_holder(live_table)
            raise
        if msgspec.json.decode(reply, type=_Version).version > live_table.durable:
            try:
                await live_table.catch_up()
            except Refused as refused:
                log.warning(
                    "table %s: what its holder wrote cannot be read here yet: %s", live_table.id, refused.code
                )
        return reply


def _between_processes(table: str) -> Refused:
    return Refused(
        "table_held_elsewhere",
        "Table {table} is between two processes.",
        next_step="Send the request again in a moment.",
        table=table,
    )


class _Version(msgspec.Struct):
    version: int = 0


def encode_reply(table: str, revealed: tuple[RevealedEvent, ...], viewer: Viewer, before: int) -> bytes:
    """What a request came to, as its asker may see it."""
    events = [fields for event in revealed if (fields := event_seen(event, viewer)) is not None]
    version = revealed[-1].number if revealed else before
    return msgspec.json.encode({"table": table, "version": version, "events": events})


def is_waiting(reply: bytes) -> bool:
    """Whether the answer is that a second person has to agree.

    >>> is_waiting(b'{"waiting":"5f3a","table":"t1","events":[]}'), is_waiting(b'{"table":"t1","version":7}')
    (True, False)
    """
    return reply.startswith(b'{"waiting":')
