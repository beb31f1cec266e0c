"""What an item is: a question as typed values, its one right answer in a normal form, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lammer.game.cards import Card
from lammer.rulebook.betting import Bet
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Irregularity, Rulebook
from lammer.rulebook.phrase import Phrase, Series, Title
from lammer.rulebook.vocabulary import Side

Form = Literal["points", "choice", "money", "odds", "chips"]
"""How an answer is written: see `grading`."""
Words = Phrase | Series


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers to choose from: its name is the normal form."""

    name: str
    words: Words


@dataclass(frozen=True, slots=True)
class ShownStake:
    """A stake the question shows: whose, sitting or standing, on which side, in cents."""

    player: str
    seated: bool
    side: Side
    amount: int


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One thing that was asked of the table before the question: by whom, as what, which command."""

    by: str
    role: str
    do: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """A question under one rulebook, with exactly one right answer.

    `hands` are the cards on the felt, Player's first; `stakes` what lies in the box. `asked` says which of
    the questions of its kind it is, and `facts` has the numbers of the question for programs. `cites` begins
    with the paragraph the item is about. A case carries the `steps` that led to it, so that anybody can play
    it again.
    """

    kind: str
    asked: str
    rulebook: str
    seed: int
    question: Phrase
    form: Form
    answer: str
    because: Words
    cites: tuple[Citation, ...]
    choices: tuple[Choice, ...] = ()
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    stakes: tuple[ShownStake, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[CaseStep, ...] = ()

    @property
    def paragraph(self) -> str:
        """The paragraph it is about."""
        return self.cites[0].paragraph


def bet_title(bet: Bet) -> Title:
    """What a bet is called, in every language the rulebook has it in.

    >>> from lammer import rulebook
    >>> bet_title(rulebook("tiger-buffalo-noncommission@4").bets["tie"])
    'Tie'
    """
    return Title(bet.title, bet.titles)


def irregularity_title(book: Rulebook, rule: Irregularity) -> Title:
    """What an irregularity is called."""
    names = {
        language: translation.irregularities[rule.name]
        for language, translation in book.translations.items()
        if rule.name in translation.irregularities
    }
    return Title(rule.title, names)


def both(first: Words, second: Words) -> Phrase:
    """Two sentences, one after the other.

    >>> both(Phrase("It wins."), Phrase("5.00 to pay."))
    'It wins. 5.00 to pay.'
    """
    return Phrase("{first} {second}", first=first, second=second)


def cited(*cites: Citation) -> tuple[Citation, ...]:
    """Each paragraph once, in this order."""
    return tuple(dict.fromkeys(cites))
