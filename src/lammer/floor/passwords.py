"""Passwords: which ones are taken, and how they are kept (Argon2id) and compared.

Comparing takes the same time whether or not there is anything to compare with. It is slow on purpose, so
one runs at a time and few wait: sign-ins never take more than one core from the tables. It knows no accounts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type

from lammer.floor.throttle import TooManyAttempts
from lammer.rulebook.refusal import Refused

SHORTEST: Final = 12
LONGEST: Final = 1_000
FEWEST_BESIDE_THE_NAME: Final = 8
FEWEST_DIFFERENT: Final = 5

COMMON: Final = frozenset(
    {
        "123456789012",
        "1234567890123",
        "123456789abc",
        "1q2w3e4r5t6y",
        "abcdefghijkl",
        "administrator",
        "baccarat1234",
        "changeme1234",
        "correcthorsebatterystaple",
        "iloveyou1234",
        "lammerlammer",
        "letmein12345",
        "onceuponatime",
        "password1234",
        "password12345",
        "password123456",
        "passwordpassword",
        "qwerty123456",
        "qwertyuiop12",
        "qwertyuiop123",
        "qwertyuiopasdf",
        "welcome12345",
    }
)


def must_be_strong(password: str, name: str) -> None:
    """Refuse a password that others would try.

    >>> must_be_strong("Dealer-Anna-1", "anna")
    >>> must_be_strong("short", "anna")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused weak_password: A password has at least 12 characters. ...
    """
    plain = normalize("NFKC", password).casefold()
    beside = plain.replace(name.casefold(), "") if len(name) > 2 else plain
    if len(normalize("NFKC", password)) < SHORTEST:
        raise _weak(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise _weak(f"A password has at most {LONGEST:,} characters.")
    if plain in COMMON or len(set(plain)) < FEWEST_DIFFERENT:
        raise _weak("This password is among the first that anybody tries.")
    if len(beside) < FEWEST_BESIDE_THE_NAME:
        raise _weak("This password is little more than the account's name.")


def _weak(sentence: str) -> Refused:
    return Refused("weak_password", sentence, next_step="Four or five words chosen at random do well.")


class Passwords:
    """Makes and compares hashes; the strength asked for may grow, see `stale`."""

    def __init__(
        self,
        *,
        rounds: int = 2,
        kibibytes: int = 64 * 1024,
        at_once: int = 1,
        patience: float = 5.0,
    ) -> None:
        self._argon2 = PasswordHasher(
            time_cost=rounds, memory_cost=kibibytes, parallelism=1, hash_len=32, type=Type.ID
        )
        self._turns = BoundedSemaphore(at_once)
        self._patience = patience
        self._nobodys = self._argon2.hash(secrets.token_urlsafe())

    def hash(self, password: str) -> str:
        """What is kept of a password."""
        with self._turn():
            return self._argon2.hash(_bytes(password))

    def matches(self, kept: str | None, password: str) -> bool:
        """Whether it is the password; where nothing is kept the same work is done, and it never is."""
        with self._turn():
            try:
                found = self._argon2.verify(kept or self._nobodys, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False
            return found and kept is not None

    def stale(self, kept: str) -> bool:
        """Whether it was kept with other strength than is asked for now."""
        return self._argon2.check_needs_rehash(kept)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._turns.acquire(timeout=self._patience):
            raise TooManyAttempts(round(self._patience) or 1)
        try:
            yield
        finally:
            self._turns.release()


def _bytes(password: str) -> bytes:
    """However it was typed, the same letters are the same password; what is too long is none."""
    return normalize("NFKC", password[: LONGEST + 1]).encode("utf-8", "surrogatepass")
