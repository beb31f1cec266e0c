"""What each bet of a layout is, for a newcomer: when it wins, what it pays, which paragraph says so."""

from __future__ import annotations

from dataclasses import dataclass

from lammer.rulebook.betting import Bet, Condition, HandWins, Pay, Tied
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.wording import spans
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.titles import title_of

_TIERS = {"single": "one pair", "double": "two pairs", "twin": "two pairs of one rank"}


@dataclass(frozen=True, slots=True)
class BetTold:
    """A bet in words."""

    title: str
    wins: str
    pays: tuple[str, ...]
    cites: tuple[str, ...]


def bets_told(book: Rulebook, layout: Layout, language: Language) -> tuple[BetTold, ...]:
    """Every bet a layout offers.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> told = {bet.title: bet for bet in bets_told(book, book.layout("C"), "en")}
    >>> told["Banker"].pays, told["Big Tiger"].wins
    (('on 6 1:2', 'on 1-5, 7-9 1:1'), 'Banker wins on 6 with 3 cards')
    """
    return tuple(
        BetTold(
            title_of(language, bet),
            condition(bet.wins, language),
            tuple(pay_told(pay, language) for pay in bet.pays),
            tuple(dict.fromkeys(cite.paragraph for pay in bet.pays for cite in pay.cites)),
        )
        for bet in _mains_first(book.offered(layout))
    )


def _mains_first(offered: tuple[Bet, ...]) -> list[Bet]:
    return sorted(offered, key=lambda bet: 0 if bet.original else 1 if isinstance(bet.wins, Tied) else 2)


def condition(wins: Condition, language: Language) -> str:
    """When a bet wins.

    >>> from lammer import rulebook
    >>> condition(rulebook("tiger-buffalo-noncommission@4").bets["banker_char_siu"].wins, "en")
    'Banker wins on 7-9 by 1'
    """
    if isinstance(wins, Tied):
        if len(wins.totals) == 10:
            return say(language, "The hands tie")
        return say(language, "The hands tie on {totals}", totals=spans(wins.totals))
    either = say(language, " or ").join(
        say(language, "Player" if hand == "player" else "Banker") for hand in wins.hands
    )
    if not isinstance(wins, HandWins):
        return say(language, "{hands} starts with a pair", hands=either)
    told = say(language, "{hands} wins", hands=either)
    if len(wins.totals) < 9:
        told += say(language, " on {totals}", totals=spans(wins.totals))
    if len(wins.cards) < 2:
        told += say(language, " with {cards} cards", cards=spans(wins.cards))
    if len(wins.by) < 9:
        told += say(language, " by {by}", by=spans(wins.by))
    return told


def pay_told(pay: Pay, language: Language) -> str:
    """One line of a pay table: what it is for, and the odds."""
    case = ""
    if len(pay.tiers) < 3:
        case = "/".join(say(language, _TIERS.get(tier, tier)) for tier in sorted(pay.tiers))
    elif len(pay.cards_dealt) < 3:
        case = say(language, "{cards} cards in all", cards=spans(pay.cards_dealt))
    elif len(pay.cards) < 2:
        case = say(language, "{cards} cards", cards=spans(pay.cards))
    elif len(pay.totals) < 10:
        case = say(language, "on {totals}", totals=spans(pay.totals))
    return f"{case} {pay.odds}".strip()


def limits_told(table: Table, language: Language) -> tuple[tuple[str, str], ...]:
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
