"""What to say when an optional part of the lab is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lammer.rulebook.refusal import Refused


@contextmanager
def needs_lab() -> Iterator[None]:
    """Imports inside need numpy and numba; without them it is refused in a sentence.

    >>> with needs_lab():
    ...     import math
    """
    try:
        yield
    except ImportError as missing:
        raise Refused(
            "extra_missing",
            f"This needs {missing.name or 'numba'}, which is not installed.",
            next_step="Install lammer[lab].",
        ) from None
