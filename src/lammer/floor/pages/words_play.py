"""Chinese of the pages for whoever plays."""

from __future__ import annotations

from typing import Final

CHINESE: Final[dict[str, str]] = {}
