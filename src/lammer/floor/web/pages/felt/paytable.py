"""What each bet of a layout is, for a newcomer: when it wins, what it pays, which paragraph says so."""

from __future__ import annotations

from dataclasses import dataclass

from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import Tied
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.wording import condition_words, pay_words
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.phrases import in_words
from lammer.wording.titles import title_of


@dataclass(frozen=True, slots=True)
class BetDescription:
    """A bet in words."""

    title: str
    wins: str
    pays: tuple[str, ...]
    cites: tuple[str, ...]


def describe_bets(book: Rulebook, layout: Layout, language: Language) -> tuple[BetDescription, ...]:
    """Every bet a layout offers.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> bets = {bet.title: bet for bet in describe_bets(book, book.layout("C"), "en")}
    >>> bets["Banker"].pays, bets["Big Tiger"].wins
    (('on 6 1:2', 'on 1-5, 7-9 1:1'), 'Banker wins on 6 with 3 cards')
    """
    return tuple(
        BetDescription(
            title_of(language, bet),
            in_words(language, condition_words(bet.wins)),
            tuple(in_words(language, pay_words(pay)) for pay in bet.pays),
            tuple(dict.fromkeys(cite.paragraph for pay in bet.pays for cite in pay.cites)),
        )
        for bet in _mains_first(book.offered(layout))
    )


def _mains_first(offered: tuple[Bet, ...]) -> list[Bet]:
    return sorted(offered, key=lambda bet: 0 if bet.original else 1 if isinstance(bet.wins, Tied) else 2)


def limits_on_sign(table: Table, language: Language) -> tuple[tuple[str, str], ...]:
    """The limits as they stand on the sign: kinds of bets first, then bets with limits of their own."""
    kinds = {"original": say(language, "Player, Banker"), "side": say(language, "Side bets")}
    limits = []
    for name, limit in table.require_setup().limits.items():
        least = write_chips(language, limit.minimum)
        most = f"–{write_chips(language, limit.maximum)}" if limit.maximum else "+"
        bet = table.book.bets.get(name)
        limits.append((title_of(language, bet) if bet else kinds.get(name, name), f"{least}{most}"))
    differential = write_chips(language, table.require_setup().differential)
    return (*limits, (say(language, "Differential"), differential))
