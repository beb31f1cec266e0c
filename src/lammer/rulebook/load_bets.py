"""The betting half of `load`: bets with their winning conditions and pay tables, and Insurance.

The vocabulary of conditions is closed (`conditions`), and so is that of pay tables: a line pays odds, returns
the stake or loses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final, Literal

from lammer.rulebook import vocabulary as words
from lammer.rulebook.betting import (
    Bet,
    Commission,
    Insurance,
    Offer,
    Pay,
    PrivateTable,
    ShareOfMaximum,
    ShareOfOriginal,
)
from lammer.rulebook.citation import Citation
from lammer.rulebook.conditions import (
    AllOf,
    AnyOf,
    Condition,
    Dealt,
    HandHas,
    HandWins,
    NotSo,
    Paired,
    Summed,
    Tied,
)
from lammer.rulebook.odds import Odds, parse_rate, parse_share
from lammer.rulebook.problems import Row
from lammer.rulebook.vocabulary import Outcome, Side, Window

Cite = Callable[[str], Citation]
_EVEN = Odds("1:1", Fraction(1))
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LETTERS = re.compile(r"[A-Z]+")
_EITHER: tuple[Side, ...] = words.SIDES
DEEPEST: Final = 6
"""So many conditions inside one another; more is nothing a person can read."""
_SUBJECTS: Final = ("hand", "tie", "has")
_ENDS: Final = ("odds", "returns", "loses")


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
        wins=read_condition(row.row("wins")),
        pays=_pays(row, cite),
        layouts=frozenset(letters),
        offered=cite(offered.cite()),
        tie_returns=_cited_if(row, "tie_returns", cite),
    )


def _pays(row: Row, cite: Cite) -> tuple[Pay, ...]:
    """The lines of a pay table; a bare number is taken for odds whose other side was left out."""
    number = row.values.get("pays")
    if type(number) is int:
        row.asked.add("pays")
        row.note("pays", f'odds as a string: write "{number}:1"', str(number))
        return ()
    return tuple(_pay(line, cite) for line in row.rows("pays"))


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
        shown = ("own",) if offers[-1].window == "two_cards" else ("own", "other")
        for key in shown:
            if not line.has(key):
                line.note(key, "the point totals this is offered on")
        if "other" not in shown and line.has("other"):
            expected = "no total of the other hand, which is not shown after two_cards"
            line.note("other", expected, line.values["other"])
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
        once=_cited_if(row, "once", cite),
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
    said = row.word("window", words.WINDOWS)
    return next((window for window in words.WINDOWS if window == said), "four_cards")


def _side(row: Row, key: str) -> Side:
    return "banker" if row.word(key, words.SIDES) == "banker" else "player"


def _hands(row: Row, key: str) -> tuple[Side, ...]:
    known = ("player", "banker", "either") if key == "hand" else ("player", "banker", "either", "both")
    word = row.word(key, known)
    return _EITHER if word in ("either", "both") else ("banker",) if word == "banker" else ("player",)


def read_condition(row: Row, depth: int = 1) -> Condition:
    """One table of keys; all it says has to hold."""
    parts: list[Condition] = []
    subjects = [key for key in _SUBJECTS if row.has(key)]
    if len(subjects) > 1:
        row.note(subjects[1], f"one of {', '.join(_SUBJECTS)} in a condition", row.values[subjects[1]])
    if row.has("pair"):
        every = row.values["pair"] == "both"
        parts.append(Paired(_hands(row, "pair"), row.choices("suits", words.PAIR_SUITS), every))
    if row.has("cards_dealt"):
        parts.append(Dealt(row.integers("cards_dealt", 4, 6)))
    if row.has("sum"):
        parts.append(Summed(row.integers("sum", 0, 18)))
    if row.has("any") or row.has("not"):
        if depth == DEEPEST:
            row.note("", f"at most {DEEPEST} conditions inside one another", "more")
        else:
            if row.has("any"):
                parts.append(AnyOf(tuple(read_condition(part, depth + 1) for part in row.rows("any"))))
            if row.has("not"):
                parts.append(NotSo(read_condition(row.row("not"), depth + 1)))
    if subjects or not parts:
        parts.insert(0, _of_hands(row, subjects[0] if subjects else "hand"))
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def _of_hands(row: Row, subject: str) -> Condition:
    natural = row.flag("natural") if row.has("natural") else None
    if subject == "tie":
        if not row.flag("tie"):
            row.note("tie", "tie = true", row.values["tie"])
        return Tied(row.integers("total", 0, 9), natural)
    if subject == "has":
        every = row.values["has"] == "both"
        totals, cards = row.integers("total", 0, 9), row.integers("cards", 2, 3)
        if not any(row.has(key) for key in ("total", "cards", "natural")):
            row.note("has", "a total, a number of cards or a natural that the hand has")
        return HandHas(_hands(row, "has"), every, totals, cards, natural)
    return HandWins(
        hands=_hands(row, "hand"),
        totals=row.integers("total", 1, 9),
        cards=row.integers("cards", 2, 3),
        by=row.integers("by", 1, 9),
        natural=natural,
    )


def _pay(row: Row, cite: Cite) -> Pay:
    commission = None
    if row.has("commission"):
        part = row.row("commission")
        rate = part.parsed("rate", parse_rate, Fraction(1, 2))
        commission = Commission(rate, part.parsed("of", Odds.parse, _EVEN), cite(part.cite()))
    outcome = _outcome(row)
    if commission and outcome != "won":
        row.note("commission", "commission only where odds are paid", "commission")
    return Pay(
        odds=row.parsed("odds", Odds.parse, _EVEN) if outcome == "won" else None,
        cites=tuple(cite(paragraph) for paragraph in row.cites()),
        totals=row.integers("total", 0, 9),
        cards=row.integers("cards", 2, 3),
        cards_dealt=row.integers("cards_dealt", 4, 6),
        tiers=row.choices("tier", words.TIERS),
        commission=commission,
        outcome=outcome,
        by=row.integers("by", 0, 9),
        natural=row.flag("natural") if row.has("natural") else None,
        sums=row.integers("sum", 0, 18),
        when=read_condition(row.row("when")) if row.has("when") else None,
    )


def _outcome(row: Row) -> Outcome:
    ends = [key for key in _ENDS if row.has(key)]
    if len(ends) > 1:
        row.note(ends[1], "one of odds, returns = true and loses = true", row.values[ends[1]])
    if not ends or ends[0] == "odds":
        return "won"
    if not row.flag(ends[0]):
        row.note(ends[0], f"{ends[0]} = true", row.values[ends[0]])
    return "returned" if ends[0] == "returns" else "lost"
