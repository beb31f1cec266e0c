"""What if: other decks, cards gone, other pays; read from a form, and worked out to the last fraction.

Every odds a document prints can be asked to be another: of a bet that pays in several ways each of them, and
of Insurance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from lammer.floor.web.pages.site.site import whole_number
from lammer.lab.exact.analysis import Analysis, BetEdge, Outcome
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import pay_case
from lammer.wording.catalogues import Language, say
from lammer.wording.phrases import in_words
from lammer.wording.titles import title_of

INSURANCE: Final = ""
"""What Insurance is called where bets have their names."""

Pays = tuple[tuple[str, str, str], ...]
"""Which bet, what its document prints, and what it is to pay instead."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What is asked: so many decks, so many cards gone of each rank, these other odds."""

    decks: int
    gone: tuple[int, ...]
    pays: Pays

    def is_plain(self, book: Rulebook) -> bool:
        """Whether nothing is changed."""
        return self.decks == book.cards.usual_decks and not any(self.gone) and not self.pays

    def shoe(self, book: Rulebook) -> Composition:
        """The shoe of the question: full decks of this rulebook less the cards that are gone."""
        gone = dict(zip(RANKS, self.gone, strict=True))
        return Composition.of({rank: 4 * self.decks - gone[rank] for rank in book.cards.ranks})


def plain(book: Rulebook) -> WhatIf:
    """Nothing is changed: the usual number of decks."""
    return WhatIf(book.cards.usual_decks, (0,) * len(RANKS), ())


def fields(book: Rulebook) -> dict[str, tuple[str, str]]:
    """The odds that can be changed: by the name of their field, the bet and what its document prints.

    >>> from lammer import rulebook
    >>> odds = fields(rulebook("tiger-buffalo-noncommission-insurance@3"))
    >>> odds["pays_tie"], odds["pays_banker_2"], odds["pays__1"]
    (('tie', '8:1'), ('banker', '1:1'), ('', '3:2'))
    """
    printed = {bet.name: [str(odds) for odds in bet.odds] for bet in book.bets.values()}
    offers = book.insurance.offers if book.insurance else ()
    printed[INSURANCE] = sorted(
        {str(offer.odds) for offer in offers}, key=lambda odds: Odds.parse(odds).profit
    )
    return {
        f"pays_{name}" if name and len(odds) == 1 else f"pays_{name}_{number}": (name, printed_odds)
        for name, odds in printed.items()
        for number, printed_odds in enumerate(odds, 1)
    }


def labels(book: Rulebook, language: Language) -> dict[str, str]:
    """What each of those fields is called."""
    by_field = {}
    for field, (name, odds) in fields(book).items():
        if name == INSURANCE:
            by_field[field] = say(language, "Insurance, where it pays {odds}", odds=odds)
            continue
        bet = book.bets[name]
        kinds = [in_words(language, pay_case(pay)) for pay in bet.pays if str(pay.odds) == odds]
        several = len(bet.odds) > 1
        called = title_of(language, bet)
        by_field[field] = f"{called}, {', '.join(kinds)}" if several else called
    return by_field


def what_if(asked: Mapping[str, str], book: Rulebook) -> WhatIf:
    """The question of a form; what cannot be read is refused in a sentence.

    Pays that were typed for another rulebook are not asked of this one.
    """
    decks = _whole(asked.get("decks") or str(book.cards.usual_decks))
    gone = tuple(_whole(asked.get(f"gone_{rank}") or "0") for rank in RANKS)
    if not 1 <= decks <= book.cards.most_decks:
        raise Refused(
            "impossible_shoe",
            "A shoe here has 1 to {most_decks} decks.",
            book.cards.decks_cite,
            next_step="{rulebook} knows {fewest_decks} to {most_decks} decks.",
            rulebook=book.id,
            fewest_decks=book.cards.fewest_decks,
            most_decks=book.cards.most_decks,
        )
    for rank, count in zip(RANKS, gone, strict=True):
        if count > 4 * decks and rank in book.cards.ranks:
            raise Refused(
                "impossible_shoe",
                "{count} cards of rank {rank} cannot be gone: {decks} decks have {most}.",
                next_step="Take fewer away, or put more decks in.",
                count=count,
                rank=rank,
                decks=decks,
                most=4 * decks,
            )
    if asked.get("of", book.id) != book.id:
        return WhatIf(decks, gone, ())
    pays = []
    for field, (name, printed) in fields(book).items():
        asked_odds = asked.get(field, "").strip() or printed
        if asked_odds != printed:
            _odds(asked_odds)
            pays.append((name, printed, asked_odds))
    return WhatIf(decks, gone, tuple(pays))


def _whole(text: str) -> int:
    digits = text.strip()
    number = whole_number(digits, 4)
    if number is None:
        raise Refused(
            "malformed_input",
            "{given} is not a number of decks or cards.",
            next_step="Write digits only.",
            given=repr(digits[:20]),
        )
    return number


def _odds(text: str) -> Odds:
    try:
        return Odds.parse(text)
    except ValueError as expected:
        raise Refused(
            "not_odds", "{text} are not odds: expected {expected}.", text=repr(text[:40]), expected=expected
        ) from None


@lru_cache(maxsize=32)
def document(book: Rulebook) -> Analysis:
    """What everything is held against: the document as it stands, from full decks."""
    return edges(book)


@lru_cache(maxsize=256)
def analyse(book: Rulebook, question: WhatIf) -> Analysis:
    """What the question comes to."""
    if question.is_plain(book):
        return document(book)
    other = {(name, printed): _odds(odds) for name, printed, odds in question.pays}
    analysis = edges(_insured_at_odds(book, other), question.shoe(book))
    return replace(analysis, bets=tuple(_bet_at_odds(bet, other) for bet in analysis.bets))


def _bet_at_odds(bet: BetEdge, other: Mapping[tuple[str, str], Odds]) -> BetEdge:
    def outcome_at_odds(outcome: Outcome) -> Outcome:
        odds = other.get((bet.bet, str(outcome.pays)))
        return replace(outcome, pays=odds) if odds and outcome.outcome == "won" else outcome

    return replace(bet, outcomes=tuple(map(outcome_at_odds, bet.outcomes)))


def _insured_at_odds(book: Rulebook, other: Mapping[tuple[str, str], Odds]) -> Rulebook:
    """The rulebook with the odds asked for in its offers: an offer also costs what those before it leave."""
    if book.insurance is None or not any(name == INSURANCE for name, _ in other):
        return book
    offers = tuple(
        replace(offer, odds=other.get((INSURANCE, str(offer.odds)), offer.odds))
        for offer in book.insurance.offers
    )
    return replace(book, insurance=replace(book.insurance, offers=offers))
