"""Codes of an authenticator app (TOTP, RFC 6238), and recovery codes for the day the phone is lost.

A code of the app belongs to a time step of half a minute. One step to each side of now is taken, since clocks
differ, and only a step later than the last one that was taken: so a code counts once. It knows no accounts.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Final
from unicodedata import normalize

import pyotp

from lammer.floor.record.monotonic_clock import SECOND, microseconds

PERIOD: Final = 30
EITHER_SIDE: Final = 1
"""Steps before and after now whose codes are taken."""
RECOVERY_CODES: Final = 10
LONGEST: Final = 40
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that are taken for each other on paper."""
_GROUPS, _GROUP = 4, 4


def new_secret() -> str:
    """160 bits in the letters an app takes."""
    return pyotp.random_base32()


def app_address(secret: str, account: str, house: str) -> str:
    """What an app reads from the QR code.

    >>> app_address("JBSWY3DPEHPK3PXP", "anna", "Lammer")
    'otpauth://totp/Lammer:anna?secret=JBSWY3DPEHPK3PXP&issuer=Lammer'
    """
    return pyotp.TOTP(secret).provisioning_uri(account, issuer_name=house)


def step_at(moment: datetime) -> int:
    """The time step of a moment.

    >>> from datetime import UTC
    >>> step_at(datetime(1970, 1, 1, 0, 1, tzinfo=UTC))
    2
    """
    return microseconds(moment) // (PERIOD * SECOND)


def step_of(secret: str, code: str, now: int, after: int) -> int | None:
    """The step a code is of, if it is near `now` and later than `after`; None for a code that is not taken.

    >>> secret = "JBSWY3DPEHPK3PXP"
    >>> code = pyotp.TOTP(secret).generate_otp(1000)
    >>> step_of(secret, code, 1000, 0), step_of(secret, code, 1001, 0), step_of(secret, code, 1002, 0)
    (1000, 1000, None)
    >>> step_of(secret, code, 1000, after=1000) is None
    True
    """
    typed, app, taken = plain(code).encode("utf-8", "surrogatepass"), pyotp.TOTP(secret), None
    for step in range(max(0, now - EITHER_SIDE), now + EITHER_SIDE + 1):
        if hmac.compare_digest(app.generate_otp(step).encode(), typed) and step > after:
            taken = step
    return taken


def plain(code: str) -> str:
    """A code as it is compared, however it was typed.

    >>> plain(" 123 456 "), plain("ABCD-efgh"), plain("１２３")
    ('123456', 'abcdefgh', '123')
    """
    typed = normalize("NFKC", code[:LONGEST]).lower()
    return "".join(letter for letter in typed if letter.isalnum())


def new_recovery_code() -> str:
    """79 bits, for paper.

    >>> len(new_recovery_code())
    19
    """
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def recovery_digest(account: str, code: str) -> bytes:
    """What is kept of a recovery code.

    >>> recovery_digest("anna", "ABCD efgh") == recovery_digest("anna", "abcd-efgh")
    True
    >>> recovery_digest("anna", "abcd-efgh") == recovery_digest("bo", "abcd-efgh")
    False
    """
    return sha256(f"lammer recovery {account} {plain(code)}".encode("utf-8", "surrogatepass")).digest()
