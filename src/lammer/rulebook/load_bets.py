"""The betting half of `load`: bets with their winning conditions and pay tables, and Insurance.

The vocabulary of winning conditions is closed: a hand wins (with totals, numbers of cards, a margin),
the hands tie (on totals), or the first two cards of a hand form a pair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal

from lammer.rulebook import vocabulary as words
from lammer.rulebook.betting import (
    Bet,
    Commission,
    Condition,
    HandWins,
    Insurance,
    Offer,
    Paired,
    Pay,
    PrivateTable,
    ShareOfMaximum,
    ShareOfOriginal,
    Tied,
)
from lammer.rulebook.citation import Citation
from lammer.rulebook.odds import Odds, parse_rate, parse_share
from lammer.rulebook.problems import Row
from lammer.rulebook.vocabulary import Side, Window

Cite = Callable[[str], Citation]
_EVEN = Odds("1:1", Fraction(1))
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LETTERS = re.compile(r"[A-Z]+")
_EITHER: tuple[Side, ...] = words.SIDES


def read_bet(row: Row, cite: Cite) -> Bet:
    """One `[[bet]]` row."""
    name = row.text("name")
    if name and not NAME.fullmatch(name):
        row.note("name", "a short name in lower case", name)
    offered = row.row("offered")
    letters = offered.text("layouts")
    if not _LETTERS.fullmatch(letters) or len(set(letters)) != len(letters):
        offered.note("layouts", "the letters of the appendices, each once", letters)
    return Bet(
        name=name,
        title=row.text("title"),
        title_zh=row.text("title_zh"),
        titles={"zh": row.text("title_zh")},
        original=_side(row, "original") if row.has("original") else None,
        defined=cite(row.cite("defined")),
        wins=_condition(row.row("wins")),
        pays=tuple(_pay(line, cite) for line in row.rows("pays")),
        layouts=frozenset(letters),
        offered=cite(offered.cite()),
        tie_returns=_cited_if(row, "tie_returns", cite),
    )


def _cited_if(row: Row, key: str, cite: Cite) -> Citation | None:
    """The paragraph that says so, where one does."""
    paragraph = row.cite_if(key)
    return cite(paragraph) if paragraph else None


def read_insurance(row: Row, cite: Cite) -> Insurance:
    """The `[insurance]` table with its offers and limits."""
    offers = []
    for line in row.rows("offer"):
        offers.append(
            Offer(
                hand=_side(line, "hand"),
                window=_window(line),
                own=line.integers("own", 0, 9),
                other=line.integers("other", 0, 9),
                odds=line.parsed("odds", Odds.parse, _EVEN),
                cite=cite(line.cite()),
                tie_wins=_cited_if(line, "tie_wins", cite),
                tie_loses=_cited_if(line, "tie_loses", cite),
            )
        )
        if line.has("tie_wins") and line.has("tie_loses"):
            line.note("tie_loses", "one answer to what a tie does", line.values["tie_loses"])
        for key in ("own", "other"):
            if not line.has(key):
                line.note(key, "the point totals this is offered on")
    shares: list[ShareOfMaximum] = []
    shares_of_original: list[ShareOfOriginal] = []
    for line in row.rows("limit") if row.has("limit") else ():
        if line.has("share_of_original") or line.has("winnings_of_original"):
            shares_of_original += _shares_of_original(line, cite)
            if not line.has("share_of_maximum"):
                continue
        odds = line.parsed("odds", Odds.parse, _EVEN)
        share = line.parsed("share_of_maximum", parse_rate, Fraction(1))
        shares.append(ShareOfMaximum(odds, share, cite(line.cite())))
    private = row.row("private_table")
    return Insurance(
        offers=tuple(offers),
        right=cite(row.cite("right")),
        windows=cite(row.cite("windows")),
        still_to_draw=cite(row.cite("still_to_draw")),
        original_bet=cite(row.cite("original_bet")),
        shares=tuple(shares),
        tie_returns=cite(row.cite("tie_returns")),
        private_table=PrivateTable(
            private.word("by", words.DECIDERS), private.flag("notice"), cite(private.cite())
        ),
        shares_of_original=tuple(shares_of_original),
    )


def _shares_of_original(line: Row, cite: Cite) -> Iterator[ShareOfOriginal]:
    """What a limit says of the Original Bet: of the stake, of what may be won, or of both."""
    odds = line.parsed("odds", Odds.parse, _EVEN) if line.has("odds") else None
    window = _window(line) if line.has("window") else None
    whats: tuple[tuple[Literal["stake", "winnings"], str], ...] = (
        ("stake", "share_of_original"),
        ("winnings", "winnings_of_original"),
    )
    for what, key in whats:
        if line.has(key):
            share = line.parsed(key, parse_share, Fraction(1))
            yield ShareOfOriginal(what, share, odds, window, cite(line.cite()))


def _window(row: Row) -> Window:
    return "third_card" if row.word("window", words.WINDOWS) == "third_card" else "four_cards"


def _side(row: Row, key: str) -> Side:
    return "banker" if row.word(key, words.SIDES) == "banker" else "player"


def _hands(row: Row, key: str) -> tuple[Side, ...]:
    word = row.word(key, ("player", "banker", "either"))
    return _EITHER if word == "either" else ("banker",) if word == "banker" else ("player",)


def _condition(row: Row) -> Condition:
    if row.has("pair"):
        return Paired(_hands(row, "pair"))
    if row.flag("tie"):
        return Tied(row.integers("total", 0, 9))
    return HandWins(
        hands=_hands(row, "hand"),
        totals=row.integers("total", 1, 9),
        cards=row.integers("cards", 2, 3),
        by=row.integers("by", 1, 9),
    )


def _pay(row: Row, cite: Cite) -> Pay:
    tiers = frozenset(words.TIERS)
    if row.has("tier"):
        tiers = frozenset({row.word("tier", words.TIERS)})
    commission = None
    if row.has("commission"):
        part = row.row("commission")
        rate = part.parsed("rate", parse_rate, Fraction(1, 2))
        commission = Commission(rate, part.parsed("of", Odds.parse, _EVEN), cite(part.cite()))
    return Pay(
        odds=row.parsed("odds", Odds.parse, _EVEN),
        cites=tuple(cite(paragraph) for paragraph in row.cites()),
        totals=row.integers("total", 0, 9),
        cards=row.integers("cards", 2, 3),
        cards_dealt=row.integers("cards_dealt", 4, 6),
        tiers=tiers,
        commission=commission,
    )
