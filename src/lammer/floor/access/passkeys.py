"""Passkeys (WebAuthn): what a browser is asked, and whether what it answers holds. Nothing is kept here.

A passkey signs a challenge of ours for one address: it is of no use on a page that only looks like the
house's. What comes from a browser is a stranger's text until its signature holds, whatever it breaks on the
way; so every failure is the same refusal.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from typing import Final, TypeVar
from urllib.parse import urlsplit

from lammer.rulebook.refusal import Refused

T = TypeVar("T")

HOUSE: Final = "Lammer"
LONGEST: Final = 20_000
"""Letters of what a browser says; a key of the largest kind needs a fraction of it."""


@dataclass(frozen=True, slots=True)
class Party:
    """Who asks for a passkey: the name it is bound to, and the address its pages have."""

    id: str
    origin: str


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """A new passkey: its id, its public half, and how often it has signed."""

    credential: bytes
    public_key: bytes
    counter: int


def party_of(address: str) -> Party | None:
    """The house as passkeys know it; None where browsers allow none: a bare number, or plain HTTP.

    >>> party_of("https://lammer.example:8443/"), party_of("http://localhost:8500")
    (Party(id='lammer.example', origin='https://lammer.example:8443'), Party(id='localhost', origin='http://localhost:8500'))
    >>> party_of("http://127.0.0.1:8500"), party_of("http://lammer.example"), party_of("")
    (None, None, None)
    """
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").lower()
        usual = parts.port == {"https": 443, "http": 80}.get(parts.scheme)
        port = "" if parts.port is None or usual else f":{parts.port}"
    except ValueError:
        return None
    local = host == "localhost" or host.endswith(".localhost")
    safe = parts.scheme == "https" or (parts.scheme == "http" and local)
    if not host or not safe or _is_number(host):
        return None
    return Party(host, f"{parts.scheme}://{host}{port}")


def new_challenge() -> bytes:
    """256 bits to be signed."""
    return secrets.token_bytes(32)


def registration_options(
    party: Party, name: str, title: str, challenge: bytes, known: Sequence[bytes] = ()
) -> str:
    """What a browser is asked for a new passkey, as JSON; `known` are those the account has."""
    from webauthn import generate_registration_options, options_to_json  # noqa: PLC0415 (it is slow to load)
    from webauthn.helpers.structs import (  # noqa: PLC0415
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=party.id,
        rp_name=HOUSE,
        user_name=name,
        user_display_name=title,
        user_id=sha256(f"lammer account {name}".encode()).digest(),
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.DISCOURAGED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=credential) for credential in known],
    )
    return options_to_json(options)


def signing_options(party: Party, challenge: bytes, known: Sequence[bytes]) -> str:
    """What a browser is asked at a sign-in, as JSON; `known` are the passkeys of the account."""
    from webauthn import generate_authentication_options, options_to_json  # noqa: PLC0415
    from webauthn.helpers.structs import (  # noqa: PLC0415
        PublicKeyCredentialDescriptor,
        UserVerificationRequirement,
    )

    options = generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        allow_credentials=[PublicKeyCredentialDescriptor(id=credential) for credential in known],
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json(options)


def verify_registration(party: Party, challenge: bytes, response: str) -> NewPasskey:
    """A new passkey, if what the browser says holds."""
    from webauthn import verify_registration_response  # noqa: PLC0415

    verified = _refuse_failures(
        lambda: verify_registration_response(
            credential=_must_be_short(response),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    )
    return NewPasskey(verified.credential_id, verified.credential_public_key, verified.sign_count)


def credential_of(response: str) -> bytes:
    """Which passkey says it has signed."""
    from webauthn.helpers import parse_authentication_credential_json  # noqa: PLC0415

    return _refuse_failures(lambda: parse_authentication_credential_json(_must_be_short(response)).raw_id)


def verify_signature(party: Party, challenge: bytes, response: str, public_key: bytes, counter: int) -> int:
    """How often the passkey has signed now, if it has signed this challenge and is no copy left behind."""
    from webauthn import verify_authentication_response  # noqa: PLC0415

    return _refuse_failures(
        lambda: (
            verify_authentication_response(
                credential=_must_be_short(response),
                expected_challenge=challenge,
                expected_rp_id=party.id,
                expected_origin=party.origin,
                credential_public_key=public_key,
                credential_current_sign_count=counter,
            ).new_sign_count
        )
    )


def passkey_refused() -> Refused:
    return Refused(
        "passkey_refused",
        "This passkey does not fit what it was asked.",
        next_step="Try again, or use another way.",
    )


def _refuse_failures(look: Callable[[], T]) -> T:
    try:
        return look()
    except Exception:
        # What a stranger sends may fail in any way; every failure gets the same answer.
        raise passkey_refused() from None


def _must_be_short(response: str) -> str:
    if len(response) > LONGEST:
        raise ValueError("too long to be read")
    return response


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
