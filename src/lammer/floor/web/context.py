"""Everything a request may need, held together: the house, its people, their sessions, what is denied.

And who is asking: a person by a session cookie, or a device by a key. Both are looked up at most once a
request, from memory where they were seen within the last second and in a worker thread otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from litestar import Request

from lammer.floor.access.accounts import ACCOUNT_ROLES
from lammer.floor.access.api_keys import ApiKey, Purpose
from lammer.floor.access.authenticator import Authenticator
from lammer.floor.access.sessions import Session
from lammer.floor.access.throttle import TooManyAttempts
from lammer.floor.record.log.witnesses import Witnesses
from lammer.floor.settings import Settings
from lammer.floor.tables.gateway import CommandGateway
from lammer.floor.tables.house import House
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.finding import SetUps
from lammer.floor.views.openings import Openings
from lammer.floor.views.play_today import PlayToday
from lammer.floor.views.recent_corrections import RecentCorrections
from lammer.floor.views.round_marks import RoundMarks
from lammer.floor.views.viewing import Viewer
from lammer.floor.web.long_work import WorkLine, WorkQueue
from lammer.floor.web.origin import is_cross_site, wrong_origin
from lammer.floor.web.peers import Peers
from lammer.floor.web.problems import Problem, problem
from lammer.floor.web.stream_places import Places
from lammer.floor.web.wire import must_not_repeat_fields, own_hosts
from lammer.floor.web.workbench import Workbench
from lammer.rulebook.refusal import Refused

T = TypeVar("T")
STAFF: Final = frozenset(ACCOUNT_ROLES) - {"player"}
"""Of whom a house may require a second factor."""
Req = Request[Any, Any, Any]

SESSION: Final = "lammer_session"
KEY: Final = "lammer_key"
LIMITED: Final = "lammer_limited"
"""The session of somebody who has to set a second factor up first; to most routes it is none."""
COOKIE: Final = "lammer_session"
CSRF: Final = "x-csrf-token"
API: Final = "/api/"
FOR_ROLES: Final = "for_roles"
"""What a route says of itself: the roles it is for; of none, everybody who is signed in."""
FOR_DEVICE: Final = "for_device"
"""The same of a device: the purpose its key was made for."""
BEFORE_FACTOR: Final = "before_factor"
"""What a route says that is also for whoever has to set a second factor up first."""
SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
AT_THE_DOOR: Final = 100
"""Sign-ins that may wait their turn; whoever comes then is told to come back."""
AT_THE_DESK: Final = 1_000
"""The same for what people do who are in."""
NOTED_AT_SIGN_IN: Final = frozenset(
    (
        "sign_in_failed", "link_not_valid", "account_disabled", "second_factor_needed", "wrong_code",
        "passkey_refused", "half_sign_in_over",
    )
)  # fmt: skip
"""Denials that signing in has written down already."""
LOOK_AGAIN_SECONDS: Final = 1.0
"""Seconds between two looks at whether the sessions and keys of open streams are still good."""

log = logging.getLogger("lammer.floor")


class Queue:
    """Slow work by a few threads of its own; beyond so many waiting, whoever comes is told to come back."""

    def __init__(self, name: str, threads: int, most: int) -> None:
        self.pool = ThreadPoolExecutor(threads, name)
        self.most, self.waiting = most, 0

    async def turn(self, work: Callable[[], T]) -> T:
        """Do it, behind those who came before."""
        if self.waiting >= self.most:
            raise TooManyAttempts(5)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.pool, work)
        finally:
            self.waiting -= 1


@dataclass(slots=True)
class AppContext:
    """The running house as its API sees it."""

    settings: Settings
    gateway: CommandGateway
    authenticator: Authenticator
    peers: Peers | None = None
    witnesses: Witnesses | None = None
    # For the metrics: how often something happened, and refusals by their code.
    counts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    places: Places = field(default_factory=Places)
    # Whether the record answered when it was last looked at, and when that was; one looks at a time.
    checked: tuple[float, bool] = (-1e9, False)
    # How many appends the record had taken then, and how often it had failed.
    checked_at: tuple[int, int] = (0, 0)
    checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    # A report reads a table's whole history; one at a time.
    reporting: asyncio.Lock = field(default_factory=asyncio.Lock)
    # Verifying and counting take long: one piece of each kind at a time, and the questions of
    # the lab, and of players about their history, in a line.
    long_work: dict[str, WorkQueue] = field(default_factory=dict)
    lab_line: WorkLine = field(default_factory=lambda: WorkLine("lammer-lab"))
    workbench: Workbench = field(init=False)
    history_line: WorkLine = field(default_factory=lambda: WorkLine("lammer-history"))
    # The same for all who look: the set-ups of a table by event, its rounds something happened to, and its
    # pictures as last drawn.
    setups: SetUps = field(default_factory=SetUps)
    marks: RoundMarks = field(default_factory=RoundMarks)
    play_today: PlayToday = field(init=False)
    pictures: dict[tuple[str, str, str], tuple[DurableView, int, bytes]] = field(default_factory=dict)
    openings: Openings = field(default_factory=Openings)
    corrections: RecentCorrections = field(default_factory=RecentCorrections)
    # Passwords are slow on purpose: they wait for each other here, and nobody else waits for them.
    _door: Queue = field(default_factory=lambda: Queue("lammer-door", 4, AT_THE_DOOR))
    _links: Queue = field(default_factory=lambda: Queue("lammer-links", 2, AT_THE_DOOR))
    _desk: Queue = field(default_factory=lambda: Queue("lammer-desk", 2, AT_THE_DESK))
    # Who asks is looked up by threads of their own: strangers with made-up cookies keep nobody waiting.
    _lookup_threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2, "lammer-who"))
    _lookups: dict[str, asyncio.Future[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        settings = self.settings
        self.places = Places(settings.streams_per_session, settings.streams_per_address, settings.streams)
        self.play_today = PlayToday(self.house.books)
        self.workbench = Workbench(self.house.clock.steady)
        loop = asyncio.get_running_loop()

        def end_streams(account: str) -> None:
            loop.call_soon_threadsafe(lambda: self.house.live.end(account=account))

        self.authenticator.accounts.follow(end_streams)
        self.marks.corrected_rounds = self._corrected_rounds
        self.house.live.listeners += [self.openings.follow, self.corrections.follow]

    @property
    def house(self) -> House:
        return self.gateway.house

    def _corrected_rounds(self, table: str) -> Mapping[int, int] | None:
        """How often a table says that rounds were corrected; None where it was not read here."""
        view = self.house.tables.view(table)
        return view.table.corrected if view.number else None

    def note_refusal(self, request: Req, error: Refused) -> Problem:
        """A refusal as it is answered, counted; a denied one is written down for the auditors."""
        body = problem(error)
        self.refusals[error.code] += 1
        if body.status in (401, 403) and error.code not in NOTED_AT_SIGN_IN:
            self.note_denial(request, error)
        return body

    async def at_door(self, work: Callable[[], T]) -> T:
        """A password to be looked at, behind those who came before."""
        try:
            return await self._door.turn(work)
        except TooManyAttempts:
            # Who has to wait is told about as late as who is wrong, so that the time tells no more than the
            # answer. Nobody's turn is taken meanwhile.
            await asyncio.sleep(self.authenticator.accounts.comparing_takes)
            raise

    async def by_link(self, work: Callable[[], T]) -> T:
        """A link to be looked at: whoever tries passwords by the thousand keeps nobody out who has one."""
        return await self._links.turn(work)

    async def at_desk(self, work: Callable[[], T]) -> T:
        """Something slow with accounts or keys, for somebody who is in: they wait for no stranger."""
        return await self._desk.turn(work)

    async def session(self, token: str) -> Session | None:
        """The session of a cookie: from memory, or looked up once for all who ask at the same moment."""
        return self.authenticator.sessions.fresh(token) or await self._look_up(
            token, self.authenticator.sessions.find
        )

    async def key(self, secret: str) -> ApiKey | None:
        """The key a device shows, in the same way."""
        return self.authenticator.keys.fresh(secret) or await self._look_up(
            secret, self.authenticator.keys.find
        )

    async def _look_up(self, credential: str, find: Callable[[str], T]) -> T:
        lookup = self._lookups.get(credential)
        if lookup is None:
            lookup = asyncio.get_running_loop().run_in_executor(self._lookup_threads, find, credential)
            self._lookups[credential] = lookup
            lookup.add_done_callback(lambda _: self._lookups.pop(credential, None))
        result: T = await asyncio.shield(lookup)
        return result

    @property
    def waiting_at_door(self) -> int:
        return sum(queue.waiting for queue in (self._door, self._links, self._desk))

    def close_queues(self) -> None:
        """Nobody comes in any more; whoever is on the way ends it."""
        for queue in (self._door, self._links, self._desk):
            queue.pool.shutdown(wait=True)
        self._lookup_threads.shutdown(wait=True)

    def must_set_up(self, session: Session) -> bool:
        """Whether the house asks this person for a second factor, and there is none."""
        required = self.settings.second_factor == "required"
        return required and session.account.role in STAFF and not session.factor

    def note_denial(self, request: Req, error: Refused) -> None:
        """Write a denied attempt down, without holding the answer up."""
        self.counts["denied"] += 1
        session = found_session(request) or limited_session(request)
        key: ApiKey | None = request.scope.get(KEY)  # type: ignore[assignment]
        who = session.account if session is not None else None
        self.authenticator.denials.note(
            f"{request.method} {request.url.path}"[:200],
            error.code,
            who=who.name if who else "",
            role=who.role if who else "",
            key=key.id if key else "",
            address=address_of(request),
            table=str(request.path_params.get("table", "")),
        )

    async def look_again(self) -> None:
        """End streams whose session or key another process has ended, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            watching = self.house.live.watched_by()
            if not watching:
                continue
            try:
                good = await asyncio.to_thread(
                    lambda: self.authenticator.sessions.good() | self.authenticator.keys.good()
                )
            except Refused as refused:
                log.warning("sessions of live streams could not be checked: %s", refused.sentence)
                continue
            self.house.live.end(watching - good)


def context_of(request: Req) -> AppContext:
    context: AppContext = request.app.state.context
    return context


def address_of(request: Req) -> str:
    """Where a request comes from, as the socket says; a header is believed from the house's own proxies."""
    client = request.scope.get("client")
    return client[0] if client else ""


async def identify_caller(request: Req) -> None:
    """Before anything else: who asks, by cookie or by key, and from where.

    From then on nobody has to wait to know it. What another site's page sends is refused for all routes.
    """
    scope: Any = request.scope
    context = context_of(request)
    token, session = request.cookies.get(COOKIE), None
    if token:
        session = await context.session(token)
    scope[LIMITED] = None
    if (
        session is not None
        and context.must_set_up(session)
        and not request.route_handler.opt.get(BEFORE_FACTOR)
    ):
        scope[LIMITED], session = session, None
    scope[SESSION] = session
    header = request.headers.get("authorization", "")
    secret, key = header[7:].strip() if header[:7].lower() == "bearer " else "", None
    if not secret and request.method == "GET":
        # A browser's EventSource can send no header.
        secret = request.query_params.get("key", "")
    if secret:
        key = await context.key(secret)
    scope[KEY] = key
    if request.method not in SAFE and is_cross_site_request(request):
        raise wrong_origin()
    _must_be_allowed(request)
    if request.method not in SAFE and request.scope["path"].startswith(API):
        must_not_repeat_fields(await request.body())


def _must_be_allowed(request: Req) -> None:
    """Whether they may ask at all, where the route says for whom it is, before what they ask is read."""
    options = request.route_handler.opt
    if FOR_ROLES in options:
        roles: tuple[str, ...] = options[FOR_ROLES]
        if roles:
            must_be(request, *roles)
        else:
            session_of(request)
    if FOR_DEVICE in options:
        device_of(request, str(request.path_params.get("table", "")), options[FOR_DEVICE])


def is_cross_site_request(request: Req) -> bool:
    """Whether a browser sends this from a page of another site."""
    headers = request.headers
    return is_cross_site(
        headers.getall("sec-fetch-site", []),
        headers.getall("origin", []),
        [*headers.getall("host", []), *own_hosts(context_of(request).settings)],
    )


def found_session(request: Req) -> Session | None:
    """The session of a request, if there is one."""
    session: Session | None = request.scope.get(SESSION)  # type: ignore[assignment]
    return session


def limited_session(request: Req) -> Session | None:
    """The session of somebody who has to set a second factor up first, where the route is not for that."""
    session: Session | None = request.scope.get(LIMITED)  # type: ignore[assignment]
    return session


def nobody(request: Req) -> Refused:
    """Why there is nobody to go by: not signed in, or no second factor yet where the house asks for one."""
    if limited_session(request) is not None:
        return Refused(
            "second_factor_missing",
            "This house asks its staff for a second factor, and you have none yet.",
            next_step="Set one up on the page Your second factor.",
        )
    return Refused(
        "not_signed_in", "This needs a person who is signed in.", next_step="Sign in, or use your link."
    )


def session_of(request: Req) -> Session:
    """The session of a request, or `not_signed_in`; a request that changes something proves its origin."""
    session = found_session(request)
    if session is None:
        raise nobody(request)
    if request.method not in SAFE and not session.allows(request.headers.get(CSRF)):
        raise Refused(
            "wrong_origin",
            "The request does not carry the token of its session.",
            next_step="Send the session's token in {csrf}.",
            csrf=CSRF,
        )
    return session


def must_be(request: Req, *roles: str) -> Session:
    """The session of somebody with one of these roles."""
    return must_have_role(session_of(request), *roles)


def must_have_role(session: Session, *roles: str) -> Session:
    """The same session, or `not_your_role`."""
    if session.account.role not in roles:
        raise Refused(
            "not_your_role",
            "{account} is {role}; this is for {roles}.",
            next_step="Ask one of them.",
            account=session.account.name,
            role=session.account.role.replace("_", " "),
            roles=" or ".join(role.replace("_", " ") for role in roles),
        )
    return session


def device_of(request: Req, table: str, purpose: Purpose) -> str:
    """The id of the key a device shows for this table and this purpose, or `not_signed_in`."""
    key: ApiKey | None = request.scope.get(KEY)  # type: ignore[assignment]
    if key is None or not key.serves(table, purpose):
        raise Refused(
            "not_signed_in",
            "This needs a key of table {table} made for this purpose ({purpose}).",
            next_step="An administrator makes such keys.",
            table=repr(table[:40]),
            purpose=purpose.replace("_", " "),
        )
    return key.id


def viewer_of(request: Req, table: str) -> Viewer:
    """Who looks at a table: a person, or a display board with its key."""
    session = found_session(request)
    if session is not None:
        return Viewer(session.account.name, session.account.role)
    if limited_session(request) is not None:
        raise nobody(request)
    return Viewer(device_of(request, table, "display_board"), "board")


def credential_of(request: Req) -> str:
    """The id of the session or key a request came by."""
    session = found_session(request)
    key: ApiKey | None = request.scope.get(KEY)  # type: ignore[assignment]
    return session.id if session is not None else key.id if key is not None else ""
