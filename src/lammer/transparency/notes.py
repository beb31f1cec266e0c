"""Signed notes, as C2SP signed-note has them: a text, and beneath it a line for each signature.

Two kinds of keys sign here: a log signs the text (Ed25519, kind 1), a witness signs the text and the time at
which it saw it (kind 4, tlog-cosignature). Who is trusted is for whoever reads: a note is opened with the
keys one knows, and lines of all others are passed over.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LOG: Final = 1
WITNESS: Final = 4
DASH: Final = "\u2014 "
LARGEST_NOTE_BYTES: Final = 1 << 20
MOST_SIGNATURES: Final = 100
_SIZES: Final = {LOG: 64, WITNESS: 72}
_NAME: Final = re.compile(r"[^\s+]+")


class Unreadable(ValueError):  # noqa: N818 (it says what the thing is)
    """Something is not of the form the specifications give it."""


def decoded(text: str) -> bytes:
    """Standard base64, and nothing that only resembles it."""
    try:
        read = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable("this is not base64") from None
    if b64encode(read).decode() != text:
        raise Unreadable("this is not base64 as it is written")
    return read


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks: who it is of, of which kind, and its 32 bytes.

    >>> from base64 import b64encode
    >>> key = PublicKey.read("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    >>> key.name, key.kind, key.id.hex(), PublicKey.read(key.text) == key
    ('PeterNeumann', 1, 'c74f20a3', True)
    """

    name: str
    kind: int
    key: bytes

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.kind not in _SIZES or len(self.key) != 32:
            raise Unreadable("this is no key of a log or a witness")

    @property
    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.key).digest()[:4]

    @property
    def text(self) -> str:
        """As one hands it on: name, id and key in one word."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.key).decode()}"

    @classmethod
    def read(cls, text: str) -> PublicKey:
        parts = text.strip().split("+", 2)
        if len(parts) != 3:
            raise Unreadable("a key is written name+id+key")
        material = decoded(parts[2])
        key = cls(parts[0], material[0] if material else 0, material[1:])
        if key.id.hex() != parts[1]:
            raise Unreadable("the id is not that of the name and the key")
        return key

    def checks(self, text: str, signature: bytes) -> bool:
        """Whether a signature (without the id before it) is of this key over this text."""
        if len(signature) != _SIZES[self.kind]:
            return False
        signed = text if self.kind == LOG else cosigned_text(text, int.from_bytes(signature[:8], "big"))
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature[-64:], signed.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


def cosigned_text(text: str, at: int) -> str:
    """What a witness signs: that it saw this text at this second.

    >>> cosigned_text("example.com/log\\n1\\nAAAA\\n", 7).splitlines()[:2]
    ['cosignature/v1', 'time 7']
    """
    return f"cosignature/v1\ntime {at}\n{text}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A line beneath a note: a name, the id of a key, and what that key wrote."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        return f"{DASH}{self.name} {b64encode(self.key_id + self.signature).decode()}\n"

    @property
    def at(self) -> int:
        """The second at which a witness signed."""
        return int.from_bytes(self.signature[:8], "big")

    @classmethod
    def read(cls, line: str) -> Signature:
        name, _, written = line.removeprefix(DASH).partition(" ")
        material = decoded(written.removesuffix("\n"))
        if not line.startswith(DASH) or not _NAME.fullmatch(name) or len(material) < 5:
            raise Unreadable("this is no line of a signature")
        return cls(name, material[:4], material[4:])


def signed(text: str, name: str, key: Ed25519PrivateKey) -> Signature:
    """The line a log writes beneath its text.

    >>> key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    >>> public = PublicKey("example.com/log", LOG, key.public_key().public_bytes_raw())
    >>> public.checks("a\\n", signed("a\\n", "example.com/log", key).signature)
    True
    """
    public = PublicKey(name, LOG, key.public_key().public_bytes_raw())
    return Signature(name, public.id, key.sign(text.encode()))


def cosigned(text: str, name: str, key: Ed25519PrivateKey, at: int) -> Signature:
    """The line a witness writes beneath a checkpoint it has seen at that second."""
    public = PublicKey(name, WITNESS, key.public_key().public_bytes_raw())
    written = at.to_bytes(8, "big") + key.sign(cosigned_text(text, at).encode())
    return Signature(name, public.id, written)


@dataclass(frozen=True, slots=True)
class Note:
    """A text that ends in a newline, and the signatures beneath it."""

    text: str
    signatures: tuple[Signature, ...]

    @property
    def written(self) -> str:
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)

    @classmethod
    def read(cls, written: bytes) -> Note:
        """A note as it came; anything else is `Unreadable`."""
        if len(written) > LARGEST_NOTE_BYTES:
            raise Unreadable("this note is too long")
        try:
            text = written.decode()
        except UnicodeDecodeError:
            raise Unreadable("this is not UTF-8") from None
        if any(letter < " " and letter != "\n" for letter in text):
            raise Unreadable("a note has no control characters")
        body, blank, lines = text.rpartition("\n\n")
        if not blank or not lines.endswith("\n"):
            raise Unreadable("a note is a text, an empty line, and signatures")
        rows = lines.split("\n")[:-1]
        if not 0 < len(rows) <= MOST_SIGNATURES:
            raise Unreadable("a note has signatures, and not without end")
        return cls(body + "\n", tuple(Signature.read(row) for row in rows))

    def by(self, keys: Iterable[PublicKey]) -> dict[PublicKey, Signature]:
        """The signatures of those keys; one that does not hold spoils the note."""
        known = {(key.name, key.id): key for key in keys}
        held: dict[PublicKey, Signature] = {}
        for signature in self.signatures:
            key = known.get((signature.name, signature.key_id))
            if key is None or key in held:
                continue
            if not key.checks(self.text, signature.signature):
                raise Unreadable(f"the signature of {key.name} does not hold")
            held[key] = signature
        return held
