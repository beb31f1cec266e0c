"""The kinds of items, which of them a rulebook has rules for, and one item from a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lammer.academy.box_items import box_item, has_box_rules
from lammer.academy.card_items import drawing_item, total_item
from lammer.academy.case_items import case_item
from lammer.academy.cases import can_play_cases
from lammer.academy.dice import Dice
from lammer.academy.insurance_items import insurance_item
from lammer.academy.items import Item
from lammer.academy.pay_items import chips_item, pay_item
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.playing import played_by
from lammer.rulebook.refusal import Refused

ITEMS_VERSION: Final = 2
"""Goes up whenever a seed comes to mean another item: a certificate names the version its seed is of."""
_SEARCHED: Final = 40
"""Seeds that are tried in search of an item about one paragraph."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of items: its name, what it is called, whether a rulebook has rules for it, how one is made."""

    name: str
    title: Phrase
    provided: Callable[[Rulebook], bool]
    make: Callable[[Rulebook, Dice, int], Item]


def _always(book: Rulebook) -> bool:
    return True


KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("totals", Phrase("Totals and winners"), _always, total_item),
        Kind("drawing", Phrase("Who draws"), _always, drawing_item),
        Kind("payouts", Phrase("Pay-outs"), _always, pay_item),
        Kind("chips", Phrase("Pay-outs in chips"), _always, chips_item),
        Kind("insurance", Phrase("Insurance"), lambda book: book.insurance is not None, insurance_item),
        Kind("differential", Phrase("Differential and pro rata"), has_box_rules, box_item),
        Kind("cases", Phrase("Irregularities"), can_play_cases, case_item),
    )
}
"""Every kind of items, in the order they are learned."""


def kinds_of(book: Rulebook) -> tuple[Kind, ...]:
    """The kinds a rulebook has rules for.

    >>> from lammer import rulebook
    >>> [kind.name for kind in kinds_of(rulebook("tiger-buffalo-noncommission@4"))]
    ['totals', 'drawing', 'payouts', 'chips', 'differential', 'cases']
    """
    return tuple(kind for kind in KINDS.values() if kind.provided(book))


def chosen_kinds(book: Rulebook, names: Sequence[str]) -> tuple[str, ...]:
    """These kinds, or all where none is named; one this rulebook has no rule for is `unknown_kind`."""
    known = tuple(kind.name for kind in kinds_of(book))
    for name in names:
        if name not in known:
            raise Refused(
                "unknown_kind",
                "{rulebook} has no items of the kind {kind}.",
                next_step="It has {kinds}.",
                rulebook=book.id,
                kind=repr(name[:40]),
                kinds=", ".join(known),
            )
    return tuple(dict.fromkeys(names)) or known


def make_item(book: Rulebook, kind: str, seed: int) -> Item:
    """The item of this kind, rulebook and seed: always the same one.

    >>> from lammer import rulebook
    >>> item = make_item(rulebook("tiger-buffalo-noncommission@4"), "drawing", 4)
    >>> item.question, item.answer in [choice.name for choice in item.choices]
    ('Who gets the next card?', True)
    """
    (name,) = chosen_kinds(book, [kind])
    # Hands that may draw do here what the usual play does; what they choose is nobody's to know.
    book = played_by(book)
    return KINDS[name].make(book, Dice("academy", book.id, name, seed), seed)


def item_about(book: Rulebook, kind: str, paragraph: str, seed: int) -> Item:
    """An item about a paragraph, where a search from this seed on finds one; else any of the kind."""
    first = make_item(book, kind, seed)
    if first.paragraph == paragraph:
        return first
    for further in range(1, _SEARCHED):
        item = make_item(book, kind, seed + further)
        if item.paragraph == paragraph:
            return item
    return first
