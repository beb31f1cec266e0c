"""Rulebooks made of a bet for every word, for tests that hold the words against `plain_bets`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from lammer import Rulebook, load

HERE = Path(__file__).parent
TOTALS, SUITS = "bets_of_every_word", "bets_of_suits"
HEAD = '[rulebook]\ngame = "{game}"\ntitle = "Every word"\n\n[cards]\ndecks = {{ fewest = 1, most = 10 }}\n\n'


@cache
def text_of(*files: str) -> str:
    """A small rulebook with the bets of these files."""
    bets = "\n".join((HERE / f"{name}.toml").read_text("utf-8") for name in files)
    return HEAD.format(game="-and-".join(files).replace("_", "-")) + bets


@cache
def book_of(*files: str) -> Rulebook:
    return load(text_of(*files))


@cache
def bets_of(*files: str) -> dict[str, dict[str, Any]]:
    """The bets of these files as the dictionaries their TOML comes to."""
    return {bet["name"]: bet for bet in tomllib.loads(text_of(*files))["bet"]}
