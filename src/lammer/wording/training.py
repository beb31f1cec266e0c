"""Training items in the reader's language: what is asked, what lies on the felt, the answer, and why."""

from __future__ import annotations

from dataclasses import dataclass

from lammer.academy.items import Item
from lammer.game.cards import write_card
from lammer.game.money import parse_amount
from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_money
from lammer.wording.phrases import in_words
from lammer.wording.rules import gist_of


@dataclass(frozen=True, slots=True)
class ItemWords:
    """An item as people read it. `paragraphs` are numbers, each with what it says in a few words."""

    question: str
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    stakes: tuple[tuple[str, str, str, str], ...]
    choices: tuple[str, ...]
    answer: str
    because: str
    paragraphs: tuple[tuple[str, str], ...]


def item_words(language: Language, book: Rulebook, item: Item) -> ItemWords:
    """An item in that language.

    >>> from lammer import rulebook
    >>> from lammer.academy.asking import make_item
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> item_words("en", book, make_item(book, "drawing", 4)).choices
    ('Player', 'Banker', 'Nobody: the round is over')
    """
    sides = {"player": say(language, "Player"), "banker": say(language, "Banker")}
    shown = any(item.hands)
    return ItemWords(
        in_words(language, item.question),
        tuple(
            (name, tuple(map(write_card, cards)))
            for name, cards in zip(sides.values(), item.hands, strict=True)
            if shown
        ),
        tuple(
            (
                stake.player,
                say(language, "seated") if stake.seated else say(language, "standing"),
                sides[stake.side],
                write_money(language, stake.amount),
            )
            for stake in item.stakes
        ),
        tuple(in_words(language, choice.words) for choice in item.choices),
        answer_words(language, item),
        in_words(language, item.because),
        tuple((cite.paragraph, gist_of(language, book, cite.paragraph)) for cite in item.cites),
    )


def answer_words(language: Language, item: Item, answer: str = "") -> str:
    """An answer in its normal form as people read it; the right one where none is given."""
    answer = answer or item.answer
    if item.form == "choice":
        words: str = in_words(
            language, next(choice.words for choice in item.choices if choice.name == answer)
        )
        return words
    if item.form == "money":
        return write_money(language, parse_amount(answer) if answer != "0.00" else 0)
    return answer
