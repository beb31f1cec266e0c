"""An authenticator in software: makes a passkey and signs with it, honestly or not."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, MADE = 0x01, 0x04, 0x40


def text(given: bytes) -> str:
    return urlsafe_b64encode(given).decode().rstrip("=")


def raw(given: str) -> bytes:
    return urlsafe_b64decode(given + "=" * (-len(given) % 4))


@dataclass
class SoftwareKey:
    """Bound to one site; `counter` is how often it has signed, -1 where it does not count."""

    origin: str
    counter: int = 0
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    _private: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: str) -> str:
        """What a browser says of a new passkey."""
        asked = json.loads(options)
        numbers = self._private.public_key().public_numbers()
        point = {-2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        public = cbor2.dumps({1: 2, 3: -7, -1: 1} | point)
        about = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        data = self._data(asked["rp"]["id"], PRESENT | VERIFIED | MADE) + about
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", asked["challenge"])
        return self._told(clientDataJSON=said, attestationObject=made)

    def sign(self, options: str, *, challenge: str = "") -> str:
        """What a browser says at a sign-in."""
        asked = json.loads(options)
        assert text(self.id) in [each["id"] for each in asked["allowCredentials"]], "it is asked for"
        if self.counter >= 0:
            self.counter += 1
        data = self._data(asked["rpId"], PRESENT | VERIFIED)
        said = self._said("webauthn.get", challenge or asked["challenge"])
        signature = self._private.sign(data + sha256(said).digest(), ec.ECDSA(SHA256()))
        return self._told(clientDataJSON=said, authenticatorData=data, signature=signature)

    def _data(self, site: str, flags: int) -> bytes:
        count = max(0, self.counter).to_bytes(4, "big")
        return sha256(site.encode()).digest() + bytes([flags]) + count

    def _said(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _told(self, **response: bytes) -> str:
        said = {name: text(value) for name, value in response.items()}
        return json.dumps(
            {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": said}
        )
