"""What a round came to for one player, said so that it can be checked: who won, each bet, its arithmetic.

Everything here is made of a settlement's own lines; nothing is worked out anew but the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lammer.game.cards import Card
from lammer.game.hands import total
from lammer.game.money import show, show_fraction
from lammer.rulebook.model import Rulebook
from lammer.table.records import PaidLine
from lammer.wording.catalogues import Language, say
from lammer.wording.titles import title_of


def dollars(cents: int) -> str:
    """Cents as people at a table say them: commas, and no cents where there are none.

    >>> dollars(1500_00), dollars(47_50), dollars(-5_00)
    ('1,500', '47.50', '−5')
    """
    whole, part = show(abs(cents)).split(".")
    return ("−" if cents < 0 else "") + f"{int(whole):,}" + (f".{part}" if part != "00" else "")


def exactly(cents: int) -> str:
    """Cents for a column of figures: commas, and always two places.

    >>> exactly(1985_00), exactly(-47_50)
    ('1,985.00', '−47.50')
    """
    whole, part = show(abs(cents)).split(".")
    return ("−" if cents < 0 else "") + f"{int(whole):,}.{part}"


def gain(cents: int) -> str:
    """A gain or a loss with its sign.

    >>> gain(100_00), gain(-50), gain(0)
    ('+100', '−0.50', '0')
    """
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


@dataclass(frozen=True, slots=True)
class Line:
    """One bet of a settlement as a page says it."""

    bet: str
    stake: str
    outcome: str
    pays: str
    sum: str
    net: int
    gain: str
    cites: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Result:
    """A finished round for one player."""

    number: int
    winner: str
    headline: str
    lines: tuple[Line, ...]
    net: int
    gain: str


def result(
    language: Language,
    book: Rulebook,
    number: int,
    hands: tuple[Sequence[Card], Sequence[Card]],
    lines: Sequence[PaidLine],
) -> Result:
    """A round with these hands (Player's first), and what these lines say of it."""
    points = total(book, hands[0]), total(book, hands[1])
    told = tuple(line_told(language, book, line) for line in lines)
    net = sum(line.net for line in told)
    winner = "tie" if points[0] == points[1] else "player" if points[0] > points[1] else "banker"
    return Result(number, winner, headline(language, *points), told, net, gain(net))


def headline(language: Language, player: int, banker: int) -> str:
    """Who won, and by what.

    >>> headline("en", 4, 7), headline("en", 6, 6), headline("zh", 4, 7)
    ('Banker won 7 to 4.', 'A tie on 6.', '庄 7 点胜闲 4 点。')
    """
    if player == banker:
        return say(language, "A tie on {points}.", points=player)
    if player > banker:
        return say(language, "Player won {own} to {other}.", own=player, other=banker)
    return say(language, "Banker won {own} to {other}.", own=banker, other=player)


def line_told(language: Language, book: Rulebook, line: PaidLine) -> Line:
    """One line, with its arithmetic and a plain sentence."""
    named = bet_named(language, book, line.bet, insured=line.window is not None)
    net = line.returned - line.stake
    outcomes = {"won": "won", "lost": "lost", "returned": "came back"}
    sentences = {
        "won": "Your {stake} on {bet} won {profit} ({pays}, {cites}).",
        "lost": "Your {stake} on {bet} lost ({cites}).",
        "returned": "Your {stake} on {bet} came back ({cites}).",
    }
    sentence = say(
        language,
        sentences[line.outcome],
        stake=dollars(line.stake),
        bet=named,
        profit=dollars(line.profit),
        pays=line.pays or "",
        cites=", ".join(line.cites),
    )
    return Line(
        named,
        dollars(line.stake),
        say(language, outcomes[line.outcome]),
        line.pays or "",
        _sum(language, line),
        net,
        gain(net),
        line.cites,
        sentence,
    )


def bet_named(language: Language, book: Rulebook, bet: str, *, insured: bool = False) -> str:
    """A bet by its title in that language; Insurance by the hand it is on."""
    if insured:
        return say(language, "Insurance on Player" if bet == "player" else "Insurance on Banker")
    known = book.bets.get(bet)
    if known is None:
        return bet.replace("_", " ")
    return title_of(language, known)


def _sum(language: Language, line: PaidLine) -> str:
    if line.outcome == "lost":
        return f"0 − {dollars(line.stake)} = {gain(-line.stake)}"
    if line.outcome == "returned":
        return f"{dollars(line.stake)} − {dollars(line.stake)} = 0"
    made = f"{dollars(line.stake)} × {line.pays}"
    if line.commission:
        before = dollars(line.profit + line.commission)
        made = say(language, "{before} less {commission} commission", before=before,
                    commission=dollars(line.commission))  # fmt: skip
    if line.remainder != "0":
        rest = show_fraction(Fraction(line.remainder))
        made += say(language, ", {rest} rounded off", rest=rest)
    return f"{made} = {gain(line.profit)}"
