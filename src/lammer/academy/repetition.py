"""What is asked again, and when: a wrong answer brings its paragraph back soon, right ones ever later.

Time is whatever the caller counts: seconds on the pages, answers in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lammer.academy.asking import item_about, make_item
from lammer.academy.dice import Dice
from lammer.academy.items import Item
from lammer.rulebook.citation import order
from lammer.rulebook.model import Rulebook

_MINUTE: Final = 60
_DAY: Final = 24 * 60 * _MINUTE
SECONDS_BETWEEN: Final = (_MINUTE, 10 * _MINUTE, _DAY, 3 * _DAY, 7 * _DAY, 16 * _DAY, 35 * _DAY)
"""Seconds until a paragraph is asked again: after a wrong answer, after one right one, after two, …"""
ANSWERS_BETWEEN: Final = (2, 6, 15, 40)
"""The same in answers, for a sitting in a terminal."""

Topic = tuple[str, str]
"""A kind of items and a paragraph."""


@dataclass(frozen=True, slots=True)
class Memory:
    """How well somebody knows a paragraph in items of one kind, and when it is due again.

    `step` counts the right answers since the last wrong one, up to the longest wait.
    """

    kind: str
    paragraph: str
    step: int = 0
    due: int = 0
    right: int = 0
    wrong: int = 0

    @property
    def topic(self) -> Topic:
        return self.kind, self.paragraph


def reviewed(memory: Memory, right: bool, now: int, between: Sequence[int] = SECONDS_BETWEEN) -> Memory:
    """What is remembered after an answer.

    >>> wrong = reviewed(Memory("drawing", "3.15", step=3), right=False, now=100)
    >>> wrong.step, wrong.due, reviewed(wrong, right=True, now=160).due
    (0, 160, 760)
    """
    step = min(memory.step + 1, len(between) - 1) if right else 0
    return replace(
        memory,
        step=step,
        due=now + between[step],
        right=memory.right + right,
        wrong=memory.wrong + (not right),
    )


def first_due(memories: Iterable[Memory], kinds: Sequence[str], now: int) -> Memory | None:
    """What is due, of these kinds: what went wrong last before what went right, then the longest due.

    >>> first_due([Memory("totals", "1.25", step=2, due=5), Memory("drawing", "3.15", due=9)], ["drawing"], 9)
    Memory(kind='drawing', paragraph='3.15', step=0, due=9, right=0, wrong=0)
    """
    waiting = [memory for memory in memories if memory.kind in kinds and memory.due <= now]
    return min(waiting, key=lambda memory: (memory.step, memory.due, memory.topic), default=None)


def next_item(
    book: Rulebook, kinds: Sequence[str], memories: Mapping[Topic, Memory], now: int, seed: int
) -> Item:
    """What to ask now: what is due, otherwise something by chance."""
    due = first_due(memories.values(), kinds, now)
    if due is not None:
        return item_about(book, due.kind, due.paragraph, seed)
    return make_item(book, Dice("next", book.id, seed).pick(kinds), seed)


def after_answer(
    memories: Mapping[Topic, Memory],
    item: Item,
    right: bool,
    now: int,
    between: Sequence[int] = SECONDS_BETWEEN,
) -> dict[Topic, Memory]:
    """The memories with what this answer says about the item's paragraph."""
    topic = item.kind, item.paragraph
    return {**memories, topic: reviewed(memories.get(topic, Memory(*topic)), right, now, between)}


def by_paragraph(memories: Iterable[Memory]) -> list[Memory]:
    """In the order of the document."""
    return sorted(memories, key=lambda memory: (order(memory.paragraph), memory.kind))
