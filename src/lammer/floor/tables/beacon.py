"""The public beacon of a house: asked over HTTP for its rounds, and believed by the key of its chain alone.

Its address ends in the hash of the chain, which binds the key; so nobody who answers there can name another
key. Which round a shuffle takes is fixed when it begins, and that round is due only after it has closed: no
other will do, however long it takes to come.
"""

from __future__ import annotations

import logging
from typing import Final, TypeVar

import httpx
import msgspec

from lammer.rulebook.refusal import Refused
from lammer.table.records import BeaconRound
from lammer.transparency.beacons import SCHEMES, Chain, signed_by_chain

SECONDS: Final = 5.0
"""Seconds the beacon may take to answer."""
MARGIN_SECONDS: Final = 3.0
"""Seconds the house's clock may be slow: by so much a round is due later than the shuffle closes."""
T = TypeVar("T")
_log = logging.getLogger("lammer.floor")


class _Metadata(msgspec.Struct):
    name: str = msgspec.field(default="", name="beaconID")


class _Info(msgspec.Struct):
    key: str = msgspec.field(name="public_key")
    period: int
    genesis: int = msgspec.field(name="genesis_time")
    group: str = msgspec.field(name="groupHash")
    scheme: str = msgspec.field(default=SCHEMES[1], name="schemeID")
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


class _Round(msgspec.Struct):
    round: int
    signature: str
    previous: str = msgspec.field(default="", name="previous_signature")


class Beacon:
    """The chain at an address. What it says of itself is asked once, and has to hash to its name."""

    def __init__(self, address: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.address = address.rstrip("/")
        self.hash = self.address.rpartition("/")[2].lower()
        if not self.address.startswith(("http://", "https://")) or len(self.hash) != 64:
            raise Refused(
                "malformed_input",
                "The address of a beacon ends in the hash of its chain: {address}.",
                next_step="Write its whole address.",
                address=repr(address[:100]),
            )
        self._transport = transport
        self._chain: Chain | None = None

    async def learn(self) -> None:
        """Ask the beacon for its chain, unless it is known."""
        self._chain = self._chain or await self._ask_for_chain()

    def round_after(self, moment: float) -> BeaconRound:
        """The round a shuffle takes that closes at this Unix time; it has not come yet."""
        chain = self._chain
        assert chain is not None, "the chain was learnt before"
        number = chain.round_after(moment + MARGIN_SECONDS)
        return BeaconRound(self.hash, chain.scheme, chain.key.hex(), chain.genesis, chain.period, number)

    async def come(self, wanted: BeaconRound) -> tuple[str, str]:
        """Signature of that round, and of the one before where the chain signs it too; both hexadecimal."""
        if wanted.chain != self.hash:
            raise _unreachable("the shuffle waits for another chain than the one that is set")
        told = _decoded(await self._get(f"public/{wanted.round}"), _Round)
        try:
            signature, previous = bytes.fromhex(told.signature), bytes.fromhex(told.previous)
            key = bytes.fromhex(wanted.key)
            good = signed_by_chain(wanted.scheme, key, wanted.round, signature, previous)
        except ValueError:
            good = False
        if told.round != wanted.round or not good:
            _log.error("the beacon told what its chain did not sign as round %s", wanted.round)
            raise _unreachable("what it tells is not signed by its chain")
        return told.signature, told.previous

    async def _ask_for_chain(self) -> Chain:
        info = _decoded(await self._get("info"), _Info)
        try:
            key, group = bytes.fromhex(info.key), bytes.fromhex(info.group)
            chain = Chain(info.scheme, key, info.genesis, info.period, group, info.metadata.name)
            good = chain.hash == self.hash and info.period > 0 and info.scheme in SCHEMES
        except (ValueError, OverflowError):
            good = False
        if not good:
            raise _unreachable("what it says of its chain does not hash to the chain's name")
        return chain

    async def _get(self, path: str) -> bytes:
        try:
            async with httpx.AsyncClient(transport=self._transport, timeout=SECONDS) as client:
                return (await client.get(f"{self.address}/{path}")).raise_for_status().content
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(str(error) or type(error).__name__) from None


def _decoded(body: bytes, type_: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=type_)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _unreachable("its answer cannot be read") from None


def _unreachable(why: str) -> Refused:
    return Refused(
        "beacon_unreachable",
        "The beacon cannot be believed or reached just now: {why}.",
        next_step="Try again in a moment. A shuffle that waits for a round takes no other.",
        why=why,
    )
