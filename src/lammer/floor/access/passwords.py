"""Passwords: which ones are taken, and how they are kept (Argon2id) and compared.

Comparing takes the same time whether or not there is anything to compare with. It is slow on purpose, so
one runs at a time and few wait: sign-ins never take more than one core from the tables. It knows no accounts.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore
from time import perf_counter
from typing import Any, Final
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type

from lammer.floor.access.throttle import TooManyAttempts
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


TRIED: Final = (
    "spring", "summer", "autumn", "winter", "fall", "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "password", "passwort", "passw0rd", "welcome", "letmein",
    "changeme", "admin", "administrator", "root", "user", "login", "secret", "master", "iloveyou", "love",
    "hello", "sunshine", "princess", "dragon", "monkey", "football", "baseball", "superman", "batman",
    "shadow", "freedom", "trustno1", "access", "money", "casino", "baccarat", "lammer", "dealer", "player",
    "banker", "tiger", "lucky", "jackpot", "manager", "supervisor", "auditor", "table", "house", "test",
    "temp", "guest", "qwerty", "abc",
)  # fmt: skip
"""Words of most passwords that are guessed: seasons, months, days, what lies near at a gaming table."""
ROWS: Final = (
    "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "1234567890", "0123456789",
    "abcdefghijklmnopqrstuvwxyz", "1q2w3e4r5t6y7u8i9o0p", "qazwsxedcrfvtgbyhnujm", "1qaz2wsx3edc4rfv",
)  # fmt: skip
FEWEST_KEYS: Final = 3
"""Keys next to each other that make a row."""
FEWEST_OF_ONES_OWN: Final = 5
"""Letters and digits that have to be left when everything that is tried first is taken out."""
ENOUGH_WORDS: Final = 4
"""So many different words are enough, however common each."""
_LOOKS_LIKE: Final = str.maketrans("0134578@$!", "oieastbasi")
_YEAR: Final = re.compile(r"(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_AGAIN: Final = re.compile(r"(.)\1+")


def must_be_strong(password: str, name: str, also: Collection[str] = ()) -> None:
    """Refuse a password that others would try; `also` are further names its owner or the house goes by.

    >>> must_be_strong("seven lucky tigers", "anna")
    >>> must_be_strong("short", "anna")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused weak_password: A password has at least 12 characters. ...
    >>> must_be_strong("Summer2026!!", "anna")
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused weak_password: This password is made of words, ...
    """
    plain = normalize("NFKC", password).casefold()
    beside = plain.replace(name.casefold(), "") if len(name) > 2 else plain
    if len(normalize("NFKC", password)) < SHORTEST:
        raise _weak("A password has at least {shortest} characters.", shortest=SHORTEST)
    if len(password) > LONGEST:
        raise _weak("A password has at most {longest} characters.", longest=f"{LONGEST:,}")
    if plain in COMMON or len(set(plain)) < FEWEST_DIFFERENT:
        raise _weak("This password is among the first that anybody tries.")
    if len(beside) < FEWEST_BESIDE_THE_NAME:
        raise _weak("This password is little more than the account's name.")
    if _is_easily_tried(plain, (name.casefold(), *(word.casefold() for word in also))):
        raise _weak("This password is made of words, years and rows of keys that are tried first.")


def _is_easily_tried(plain: str, names: Collection[str]) -> bool:
    """Whether little is left of a password when what guessers try first is taken out of it.

    >>> [_is_easily_tried(word, ("anna",)) for word in ("p@ssw0rd-2026", "asdfghjkl;12", "anna.berg.x9q")]
    [True, True, False]
    """
    words = sorted({*TRIED, *(name for name in names if len(name) > 2)}, key=len, reverse=True)
    for read in (plain, plain.translate(_LOOKS_LIKE)):
        left, words_found = _YEAR.sub(" ", read), set()
        for word in words:
            if word in left:
                left = left.replace(word, " ")
                words_found.add(word)
        for row in ROWS:
            left = _without_rows(left, row)
        left = _AGAIN.sub(r"\1", left)
        own = sum(map(str.isalnum, left))
        if own < FEWEST_OF_ONES_OWN and len(words_found) < ENOUGH_WORDS:
            return True
    return False


def _without_rows(text: str, row: str) -> str:
    """A text without the keys that follow each other in a row, either way.

    >>> _without_rows("xasdfgx", "asdfghjkl"), _without_rows("4321", "1234567890")
    ('x x', ' ')
    """
    for keys in (row, row[::-1]):
        start = 0
        while start <= len(text) - FEWEST_KEYS:
            long = FEWEST_KEYS
            if text[start : start + long] not in keys:
                start += 1
                continue
            while start + long < len(text) and text[start : start + long + 1] in keys:
                long += 1
            text = f"{text[:start]} {text[start + long :]}"
            start += 1
    return text


def _weak(message: str, **values: Any) -> Refused:
    return Refused(
        "weak_password", message, next_step="Four or five words chosen at random do well.", **values
    )


def _hasher(rounds: int, kibibytes: int) -> PasswordHasher:
    return PasswordHasher(time_cost=rounds, memory_cost=kibibytes, parallelism=1, hash_len=32, type=Type.ID)


@cache
def _hash_of_nobody(rounds: int, kibibytes: int) -> tuple[str, float]:
    """What is compared where no password is kept, and the seconds a hash takes; worked out once a process."""
    begun = perf_counter()
    return _hasher(rounds, kibibytes).hash(secrets.token_urlsafe()), perf_counter() - begun


class Passwords:
    """Makes and compares hashes; the strength asked for may grow, see `stale`."""

    def __init__(self, *, rounds: int = 2, kibibytes: int = 64 * 1024, patience: float = 5.0) -> None:
        self._argon2 = _hasher(rounds, kibibytes)
        self._turns = BoundedSemaphore(1)
        self._patience = patience
        self._nobodys, self.takes = _hash_of_nobody(rounds, kibibytes)

    def hash(self, password: str) -> str:
        """What is kept of a password."""
        with self._turn():
            return self._argon2.hash(_bytes(password))

    def matches(self, kept: str | None, password: str) -> bool:
        """Whether it is the password; where nothing is kept the same work is done, and it never is."""
        with self._turn():
            try:
                verified = self._argon2.verify(kept or self._nobodys, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False
            return verified and kept is not None

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
