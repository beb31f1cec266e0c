"""Money, numbers, moments and lists as a reader's language writes them, by CLDR through Babel.

English is the international kind: the day before the month, no comma before "and". CLDR has a hyphen for
minus in most languages; we print the minus sign, which is as wide as a figure and never read as a dash.
Machines read `lammer.game.money.show`, never these.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import Final

from lammer.draw.words import JOINER
from lammer.wording.catalogues import Language, conventions_of, say

MINUS: Final = "−"
_WITH_CENTS: Final = "#,##0.00"
_WHOLE: Final = "#,##0"
_KEPT: Final = 4096
"""Amounts that are kept once written: pages repeat them, and Babel takes 20 microseconds for each."""


@lru_cache(maxsize=_KEPT)
def _figure(language: Language, number: int, places: int, pattern: str) -> str:
    from babel.numbers import format_decimal  # noqa: PLC0415 (a command that prints no amounts need not wait for it)

    amount = Decimal(abs(number)).scaleb(-places)
    written = format_decimal(amount, format=pattern, locale=conventions_of(language))
    return MINUS + written if number < 0 else written


def write_money(language: Language, cents: int) -> str:
    """Cents for a column of figures: always two places.

    >>> write_money("en", 1985_00), write_money("zh", -47_50)
    ('1,985.00', '−47.50')
    """
    return _figure(language, cents, 2, _WITH_CENTS)


def write_signed(language: Language, cents: int) -> str:
    """A gain or a loss for a column of figures.

    >>> write_signed("en", 1985_00), write_signed("en", -50), write_signed("en", 0)
    ('+1,985.00', '−0.50', '0.00')
    """
    return f"+{write_money(language, cents)}" if cents > 0 else write_money(language, cents)


def write_chips(language: Language, cents: int) -> str:
    """Cents as people at a table say them: no places where there are no cents.

    >>> write_chips("en", 1500_00), write_chips("en", 47_50), write_chips("en", -5_00)
    ('1,500', '47.50', '−5')
    """
    return write_money(language, cents) if cents % 100 else _figure(language, cents, 2, _WHOLE)


def write_gain(language: Language, cents: int) -> str:
    """A gain or a loss with its sign.

    >>> write_gain("en", 100_00), write_gain("en", -50), write_gain("en", 0)
    ('+100', '−0.50', '0')
    """
    return f"+{write_chips(language, cents)}" if cents > 0 else write_chips(language, cents)


def write_count(language: Language, number: int) -> str:
    """A number of things.

    >>> write_count("en", 1000000)
    '1,000,000'
    """
    return _figure(language, number, 0, _WHOLE)


def write_moment(language: Language, at: datetime, zone: tzinfo, *, seconds: bool = True) -> str:
    """A date and the time of day in that zone.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 11, 16, 12, 5, 9, tzinfo=UTC)
    >>> write_moment("en", noon, UTC), write_moment("zh", noon, UTC, seconds=False)
    ('16 Nov 2026, 12:05:09', '2026年11月16日 12:05')
    """
    from babel.dates import get_datetime_format  # noqa: PLC0415

    day = write_day(language, at.astimezone(zone).date())
    time = write_time(language, at, zone, seconds=seconds)
    together = str(get_datetime_format("medium", locale=conventions_of(language)))
    return together.replace("{1}", day).replace("{0}", time)


def write_day(language: Language, day: date) -> str:
    """A date.

    >>> write_day("en", date(2026, 11, 16)), write_day("zh", date(2026, 11, 16))
    ('16 Nov 2026', '2026年11月16日')
    """
    from babel.dates import format_date  # noqa: PLC0415

    return str(format_date(day, "medium", locale=conventions_of(language)))


def write_time(language: Language, at: datetime, zone: tzinfo, *, seconds: bool = False) -> str:
    """The time of day in that zone, by 24 hours.

    >>> from datetime import UTC
    >>> write_time("en", datetime(2026, 11, 16, 12, 5, 9, tzinfo=UTC), UTC)
    '12:05'
    """
    from babel.dates import format_skeleton  # noqa: PLC0415

    assert at.tzinfo is not None, "a moment of the record knows its zone"
    return format_skeleton("Hms" if seconds else "Hm", at.astimezone(zone), locale=conventions_of(language))


def write_items(language: Language, items: Iterable[str]) -> str:
    """Items one after the other, of which none is the last word: what is done, what is meant.

    >>> write_items("en", ["Tie", "Player"]), write_items("zh", ["和", "闲"])
    ('Tie, Player', '和、闲')
    """
    return say(language, ", ", within=JOINER).join(items)


def write_list(language: Language, names: Iterable[str]) -> str:
    """Names in a row, as they are spoken.

    >>> write_list("en", ["p1", "p2", "p3"]), write_list("zh", ["p1", "p2"]), write_list("en", [])
    ('p1, p2 and p3', 'p1和p2', '')
    """
    from babel.lists import format_list  # noqa: PLC0415

    return format_list(list(names), locale=conventions_of(language))
