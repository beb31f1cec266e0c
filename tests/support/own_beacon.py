"""A beacon of the tests' own, in drand's form: it signs with a key it has, and answers over HTTP."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import httpx
import pyblst

from lammer.transparency.beacons import CHAINED, QUICKNET, Chain, signed_message

G1 = "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
G2 = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)


@dataclass
class OwnBeacon:
    """A chain whose secret everybody here knows. `come` says how many rounds it gives out."""

    genesis: int
    period: int = 3
    scheme: str = QUICKNET
    secret: int = 0x1234_5678_9ABC_DEF0
    come: int = 10**9
    asked: list[str] = field(default_factory=list)

    @property
    def chain(self) -> Chain:
        if self.scheme == QUICKNET:
            key = pyblst.BlstP2Element.uncompress(bytes.fromhex(G2)).scalar_mul(self.secret).compress()
        else:
            key = pyblst.BlstP1Element.uncompress(bytes.fromhex(G1)).scalar_mul(self.secret).compress()
        return Chain(self.scheme, bytes(key), self.genesis, self.period, bytes(range(32)), "own")

    @property
    def address(self) -> str:
        return f"http://beacon/{self.chain.hash}"

    def signature(self, number: int) -> bytes:
        previous = self.previous(number)
        message = signed_message(self.scheme, number, previous)
        if self.scheme == QUICKNET:
            point = pyblst.BlstP1Element.hash_to_group(
                message, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
            )
        else:
            point = pyblst.BlstP2Element.hash_to_group(
                message, b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"
            )
        return bytes(point.scalar_mul(self.secret).compress())

    def previous(self, number: int) -> bytes:
        """What stands for the round before; that of a real chain is its signature."""
        return number.to_bytes(96, "big") if self.scheme == CHAINED else b""

    def answer(self, request: httpx.Request) -> httpx.Response:
        """As drand answers."""
        path = request.url.path.removeprefix(f"/{self.chain.hash}/")
        self.asked.append(path)
        if path == "info":
            told = {
                "public_key": self.chain.key.hex(), "period": self.period, "genesis_time": self.genesis,
                "hash": self.chain.hash, "groupHash": self.chain.group.hex(), "schemeID": self.scheme,
                "metadata": {"beaconID": "own"},
            }  # fmt: skip
            return httpx.Response(200, json=told)
        number = int(path.removeprefix("public/"))
        if number > self.come:
            return httpx.Response(425)
        previous = self.previous(number)
        told = {"round": number, "randomness": "", "signature": self.signature(number).hex()}
        return httpx.Response(
            200, content=json.dumps(told | ({"previous_signature": previous.hex()} if previous else {}))
        )

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.answer)
