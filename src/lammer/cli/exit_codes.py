"""What a command ends with, for whoever asks the shell."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
REFUSED: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130
