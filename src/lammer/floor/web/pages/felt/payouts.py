"""What a round came to for one player, written so that it can be checked: who won, each bet, its arithmetic.

Everything here is made of a settlement's own lines; nothing is worked out anew but the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from lammer.game.cards import Card
from lammer.game.hands import total, winner_of
from lammer.game.money import show_fraction
from lammer.rulebook.model import Rulebook
from lammer.table.records import PaidLine
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips, write_gain
from lammer.wording.results import result_words
from lammer.wording.titles import title_of


@dataclass(frozen=True, slots=True)
class Line:
    """One bet of a settlement as a page says it: a plain sentence, the arithmetic, the paragraphs."""

    sentence: str
    sum: str
    net: int
    gain: str
    cites: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Up, down or even: its class on the page."""
        return "up" if self.net > 0 else "down" if self.net < 0 else "even"

    @property
    def mark(self) -> str:
        return {"up": "▲", "down": "▼", "even": "●"}[self.kind]


@dataclass(frozen=True, slots=True)
class Result:
    """A finished round for one player."""

    number: int
    winner: str
    headline: str
    lines: tuple[Line, ...]
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
    result_lines = tuple(result_line(language, book, line) for line in lines)
    gain = write_gain(language, sum(line.net for line in result_lines))
    return Result(number, winner_of(*points), headline(language, *points), result_lines, gain)


def headline(language: Language, player: int, banker: int) -> str:
    """Who wins, and by what, as a sentence.

    >>> headline("en", 4, 7), headline("en", 6, 6), headline("zh", 4, 7)
    ('Banker wins 7 to 4.', 'Tie on 6.', '庄 7 点赢闲 4 点。')
    """
    return say(language, "{result}.", result=result_words(language, player, banker))


def result_line(language: Language, book: Rulebook, line: PaidLine) -> Line:
    """One line, with its arithmetic and a plain sentence."""
    net = line.returned - line.stake
    bet = bet_title(language, book, line.bet, insured=line.window is not None)
    t = partial(say, language, stake=write_chips(language, line.stake), bet=bet)
    if net > 0:
        profit = write_chips(language, net)
        sentence = t("Your {stake} on {bet} won {profit} at {pays}.", profit=profit, pays=line.pays or "")
    else:
        sentence = t("Your {stake} on {bet} lost.") if net else t("Your {stake} on {bet} came back.")
    return Line(sentence, _sum(language, line), net, write_gain(language, net), line.cites)


def bet_title(language: Language, book: Rulebook, bet: str, *, insured: bool = False) -> str:
    """A bet by its title in that language; Insurance by the hand it is on."""
    if insured:
        return say(language, "Insurance on Player" if bet == "player" else "Insurance on Banker")
    known = book.bets.get(bet)
    if known is None:
        return bet.replace("_", " ")
    return title_of(language, known)


def _sum(language: Language, line: PaidLine) -> str:
    if line.outcome == "lost":
        return f"0 − {write_chips(language, line.stake)} = {write_gain(language, -line.stake)}"
    if line.outcome == "returned":
        return f"{write_chips(language, line.stake)} − {write_chips(language, line.stake)} = 0"
    arithmetic = f"{write_chips(language, line.stake)} × {line.pays}"
    if line.commission:
        before = write_chips(language, line.profit + line.commission)
        arithmetic = say(language, "{before} less {commission} commission", before=before,
                    commission=write_chips(language, line.commission))  # fmt: skip
    if line.remainder != "0":
        rest = show_fraction(Fraction(line.remainder))
        arithmetic += say(language, ", {rest} rounded off", rest=rest)
    return f"{arithmetic} = {write_gain(language, line.profit)}"
