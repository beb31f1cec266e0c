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
            f"This needs {missing.name or 'more'}, which is not installed.",
            next_step=f"Install lammer[{extra}].",
        ) from None
