"""What to say when an optional part of the lab is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lammer.rulebook.refusal import Refused


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Imports inside need an optional extra; without it they are refused in a sentence.

    >>> with needs("lab"):
    ...     import math
    """
    try:
        yield
    except ImportError as missing:
        if (missing.name or "").startswith("lammer"):
            raise
        raise Refused(
            "extra_missing",
            "This needs {package}, which is not installed.",
            next_step="Install lammer[{extra}].",
            package=missing.name or "more",
            extra=extra,
        ) from None
