"""What is in a shoe, by rank and suit: full decks, decks less some cards, or any counts of ranks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lammer.game.cards import DECK, Card, parse_cards
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, SUITS

FEWEST = 6
"""A round may need six cards."""

_PART = re.compile(r"([A2-9TJQK])=([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Composition:
    """How many cards of each rank a shoe holds.

    >>> Composition.of_decks(8).size
    416
    >>> Composition.parse("A=31,2=32,3=32,4=32,5=32,6=32,7=32,8=32,9=32,T=32,J=32,Q=32,K=32").size
    415
    """

    ranks: tuple[int, ...]
    suits: tuple[tuple[int, ...], ...] = ()
    """For each rank how many of each suit; nothing where it is not known: then they are as even as can be."""

    @classmethod
    def of_decks(cls, decks: int, ranks: str = RANKS) -> Composition:
        return cls.of(dict.fromkeys(ranks, len(SUITS) * decks))

    @classmethod
    def of_book(cls, book: Rulebook, decks: int | None = None) -> Composition:
        """Full decks of a rulebook: so many, or else the usual number.

        >>> from lammer import rulebook
        >>> Composition.of_book(rulebook("tiger-buffalo-noncommission@4")).size
        416
        """
        return cls.of_decks(book.cards.usual_decks if decks is None else decks, book.cards.ranks)

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Composition:
        """A composition from counts by rank; a rank left out is not there. Too few cards are refused."""
        composition = cls(tuple(counts.get(rank, 0) for rank in RANKS))
        if min(composition.ranks) < 0 or composition.size < FEWEST:
            raise Refused(
                "impossible_shoe",
                "A shoe of {size} cards cannot deal a round.",
                next_step="A round may need {fewest} cards.",
                size=composition.size,
                fewest=FEWEST,
            )
        return composition

    @classmethod
    def parse(cls, text: str) -> Composition:
        """Counts as `A=31,2=32,…`."""
        counts: dict[str, int] = {}
        for part in text.replace(" ", "").split(","):
            match = _PART.fullmatch(part)
            if match is None or match[1] in counts:
                raise Refused(
                    "impossible_shoe",
                    "{part} is not a count of a rank.",
                    next_step="Write A=31,2=32,…,K=32.",
                    part=repr(part[:40]),
                )
            counts[match[1]] = int(match[2])
        return cls.of(counts)

    def without(self, cards: str | Iterable[str]) -> Composition:
        """The same shoe with these cards gone, to deal a round from.

        >>> Composition.of_decks(8).without("9H 9D").counts["9"]
        30
        """
        gone = parse_cards(cards)
        left, suits = Composition.of(self.left(gone)), self.suits_left(gone)
        self.must_hold(gone)
        return left if suits == left.by_suits else Composition(left.ranks, suits)

    def suits_left(self, cards: str | Iterable[str]) -> tuple[tuple[int, ...], ...]:
        """What these cards leave, for each rank by suit; they are cards of the shoe."""
        suits = [list(of_rank) for of_rank in self.by_suits]
        for card in parse_cards(cards):
            of_rank = suits[RANKS.index(card[0])]
            suit = SUITS.index(card[1])
            # Where only ranks were known, it may be a card the even spread does not have.
            of_rank[suit if of_rank[suit] else of_rank.index(max(of_rank))] -= 1
        return tuple(map(tuple, suits))

    def left(self, cards: str | Iterable[str]) -> dict[str, int]:
        """What these cards leave, by rank; enough to go on with if they are cards of the round."""
        cards = parse_cards(cards)
        gone = Counter(card[0] for card in cards)
        left = {rank: count - gone[rank] for rank, count in self.counts.items()}
        if short := [rank for rank, count in left.items() if count < 0]:
            raise Refused(
                "impossible_shoe", "The shoe does not hold so many of {short}.", short=", ".join(short)
            )
        return left

    def must_hold(self, cards: Iterable[Card]) -> None:
        """Refuse more of one card than full decks have; of any other shoe only the ranks are known."""
        decks = self.size // len(DECK)
        if not decks or self != Composition.of_decks(decks):
            return
        for card, count in Counter(cards).items():
            if count > decks:
                raise Refused(
                    "impossible_card",
                    "{card} appears {times} times; {decks} decks hold it {decks} times.",
                    next_step="Check the cards, or treat the extra one as a card that is not of the set.",
                    card=card,
                    times=count,
                    decks=decks,
                )

    @property
    def counts(self) -> dict[str, int]:
        return dict(zip(RANKS, self.ranks, strict=True))

    @property
    def by_suits(self) -> tuple[tuple[int, ...], ...]:
        """For each rank how many of each suit, in the order of `SUITS`.

        >>> Composition.of_decks(8).without("9H 9H").by_suits[8], Composition.parse("9=30").by_suits[8]
        ((8, 6, 8, 8), (8, 8, 7, 7))
        """
        return self.suits or tuple(
            tuple(count // 4 + (place < count % 4) for place in range(4)) for count in self.ranks
        )

    @property
    def size(self) -> int:
        return sum(self.ranks)

    def by_points(self, book: Rulebook) -> list[int]:
        """How many cards are worth 0 to 9; refused where a card is of no deck of this rulebook."""
        counts, points = [0] * 10, book.cards.points
        for rank, count in self.counts.items():
            if rank in points:
                counts[points[rank] % 10] += count
            elif count:
                raise Refused(
                    "impossible_shoe",
                    "The decks of {rulebook} have no {rank}.",
                    book.cards.decks_cite,
                    next_step="They have {ranks}.",
                    rulebook=book.id,
                    rank=rank,
                    ranks=" ".join(book.cards.ranks),
                )
        return counts
