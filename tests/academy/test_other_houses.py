"""Training on rules of other houses: items of every kind, and none asks what a hand is free to choose."""

from __future__ import annotations

from pathlib import Path

import pytest

import lammer
from lammer.academy.asking import kinds_of, make_item
from lammer.game.drawing import open_choice

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["chemin-de-fer", "no-naturals", "macau-style-insurance"])
def test_every_kind_of_item_can_be_made(name: str) -> None:
    book = lammer.rulebook(str(EXAMPLES / f"{name}.toml"))
    ranks = set(book.cards.ranks)
    for kind in kinds_of(book):
        for seed in range(6):
            item = make_item(book, kind.name, seed)
            cards = [card for hand in item.hands for card in hand if card]
            assert {card[0] for card in cards} <= ranks
            if kind.name == "drawing":
                assert open_choice(book, *item.hands) is None, item
