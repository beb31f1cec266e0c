"""Certificates of training, signed by the house's key: a file anybody can check without the house.

The signature is over the certificate's own bytes under a name of their own, so that no checkpoint can pass as
one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lammer.academy.exams import Certificate, certificate_bytes, check_score
from lammer.floor.record.checkpoints import NOT_TRUSTED
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused

_SIGNED: Final = b"lammer/certificate/1\0"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    certificate: Certificate
    key: str
    signature: str


def sign_certificate(certificate: Certificate, key: Ed25519PrivateKey) -> bytes:
    """The certificate as a file: what it says, the public key, and the signature, both in hexadecimal."""
    signature = key.sign(_SIGNED + certificate_bytes(certificate)).hex()
    signed = _File(certificate, key.public_key().public_bytes_raw().hex(), signature)
    return msgspec.json.format(msgspec.json.encode(signed), indent=2) + b"\n"


def read_certificate(contents: bytes) -> Certificate:
    """What a file says, signed or not; anything else is `malformed_input`."""
    return _file(contents).certificate


def check_certificate(
    contents: bytes, trusted: Collection[bytes], books: Mapping[str, Rulebook]
) -> list[Phrase]:
    """What is wrong with a certificate: who signed it, its signature, and its answers graded once more."""
    signed = _file(contents)
    wrong: list[Phrase] = []
    try:
        key = bytes.fromhex(signed.key)
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(signed.signature), _SIGNED + certificate_bytes(signed.certificate)
        )
        if key not in trusted:
            wrong.append(NOT_TRUSTED)
    except (InvalidSignature, ValueError):
        wrong.append(Phrase("its signature is not of this key and these contents"))
    book = books.get(signed.certificate.rulebook)
    if book is None:
        wrong.append(
            Phrase(
                "there is no rulebook {rulebook} here to grade it by", rulebook=signed.certificate.rulebook
            )
        )
    else:
        wrong += check_score(book, signed.certificate)
    return wrong


def _file(contents: bytes) -> _File:
    try:
        return msgspec.json.decode(contents, type=_File)
    except msgspec.MsgspecError as error:
        raise Refused("malformed_input", "This is not a certificate: {error}.", error=error) from None
