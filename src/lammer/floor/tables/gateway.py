"""The one way a command goes, whoever asks: a form, the API, a device, another process, the virtual dealer.

Whether the house still takes it, then the house itself (who may, the key, two people, deciding, the record),
then how long it took. What is refused leaves as `Refused`; whoever serves HTTP makes an answer of it, counts
it and writes denials down. What the house's own dealers and test players are refused is counted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Literal

from lammer.floor.record.log.witnesses import Witnesses
from lammer.floor.tables.approvals import Proposal
from lammer.floor.tables.command_handler import Unreached
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.tables.durations import Durations
from lammer.floor.tables.house import House
from lammer.floor.tables.least_role import instead_of
from lammer.floor.tables.shoe_feed import CardScan
from lammer.floor.tables.shoe_readers import Readers
from lammer.floor.tables.two_people import SecondPerson
from lammer.rulebook.refusal import Refused

Source = Literal["person", "peer", "house"]
"""Who asks: somebody over HTTP, another process of the house, or the house itself.

The house itself sets its first tables up, deals at some and has test players there. Only what people ask is
handed on to another process.
"""


class CommandGateway:
    """Every command of this process. While it is `closing`, only the house's own dealers may go on."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.readers = Readers(house)
        self.durations = Durations()
        self.refusals: Counter[str] = Counter()
        self.closing = False
        # Those that have to have seen the log before a round begins, at tables where the house asks for it.
        self.witnesses: Witnesses | None = None
        self.must_be_witnessed: Callable[[str], bool] = lambda table: False

    async def ask(
        self,
        table: str,
        request: CommandRequest,
        agreed: SecondPerson | None = None,
        *,
        source: Source = "person",
    ) -> bytes:
        """Have a command decided and written down; the answer, once it is on disk."""
        self.must_be_open(table, source)
        with self._counted(source):
            if request.do == "open_bets" and self.must_be_witnessed(table):
                self._witnesses_must_be_there()
            try:
                return await self.house.commands.ask(table, request, agreed, hand_on=source == "person")
            except Refused as refused:
                raise instead_of(refused, request.by, request.role, request.do) from None

    async def read_card(self, table: str, key: str, scan: CardScan, *, source: Source = "person") -> bytes:
        """A card from a shoe reader, by the key of the device."""
        self.must_be_open(table, source)
        with self._counted(source):
            return await self.readers.take(table, key, scan, hand_on=source == "person")

    async def took(self, table: str, request: CommandRequest) -> bool:
        """Whether a request of this key was taken before; asked again it counts once."""
        return await self.house.commands.took(table, request)

    async def agree(self, table: str, number: str, second: SecondPerson) -> bytes:
        """A second person agrees to what waits; it happens now."""
        self.must_be_open(table)
        with self._counted():
            return await self.house.approval_handler.agree(table, number, second)

    async def decline(self, table: str, number: str, second: SecondPerson) -> Proposal:
        """A second person declines what waits; it never happens."""
        self.must_be_open(table)
        with self._counted():
            return await self.house.approval_handler.decline(table, number, second)

    def must_be_open(self, table: str, source: Source = "person") -> None:
        """Refuse whatever comes when the house is closing; another process is told to ask elsewhere."""
        if self.closing and source == "peer":
            raise Unreached(table)
        if self.closing and source == "person":
            raise Refused("shutting_down", "The house is closing.", next_step="Try again in a moment.")

    def _witnesses_must_be_there(self) -> None:
        """Refuse a new round where too few witnesses have seen the log lately."""
        witnesses = self.witnesses
        if witnesses is not None and witnesses.behind:
            raise Refused(
                "witnesses_behind",
                "Only {seen} of {quorum} witnesses have seen the log of the house lately; no round begins.",
                next_step="Reach the witnesses, or change LAMMER_WITNESS_STOP.",
                seen=witnesses.up_to_date(),
                quorum=witnesses.quorum,
            )

    @contextmanager
    def _counted(self, source: Source = "person") -> Iterator[None]:
        """Count what was done and how long it took. What a peer hands on is counted where it was asked."""
        begun = perf_counter()
        try:
            yield
        except Refused as refused:
            if source == "house":
                self.refusals[refused.code] += 1
            raise
        if source != "peer":
            self.durations.add(perf_counter() - begun)
