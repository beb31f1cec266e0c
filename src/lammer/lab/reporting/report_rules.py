"""What the report says of a rulebook before any mathematics: who it is, what it offers, and where.

Sheets of words taken from the rulebook, each beside its paragraph. Nothing is counted here.
"""

from __future__ import annotations

from lammer.lab.output.sheet import Sheet
from lammer.rulebook.force import force_start
from lammer.rulebook.model import Rulebook
from lammer.rulebook.wording import condition_words, pays_words


def identity_of(book: Rulebook) -> Sheet:
    """Name, approval, dates and the SHA-256 of the file.

    >>> from lammer import rulebook
    >>> identity_of(rulebook("tiger-buffalo-noncommission@4")).rows[0]
    ('rulebook', 'tiger-buffalo-noncommission@4')
    """
    cards = book.cards
    rows = (
        ("rulebook", book.id),
        ("title", book.title),
        ("title in Chinese", book.title_zh),
        ("operator", book.operator),
        ("approved by", book.approved_by or "nobody: a private rulebook"),
        ("based on", book.based_on),
        ("in force from", force_start(book)),
        ("supersedes", book.supersedes),
        ("decks", f"{cards.fewest_decks} to {cards.most_decks} of {cards.deck} cards"),
        ("SHA-256 of the file", book.sha256),
    )
    return Sheet("Identity", ("what", "which"), tuple((what, which) for what, which in rows if which))


def bets_of(book: Rulebook) -> Sheet:
    """Every bet: when it wins, what it pays, and the paragraphs that say so.

    >>> from lammer import rulebook
    >>> bets_of(rulebook("tiger-buffalo-noncommission@4")).rows[1][2:4]
    ('Banker wins', 'on 6 1:2, on 1-5, 7-9 1:1')
    """
    rows = []
    for bet in book.bets.values():
        cites = dict.fromkeys(
            (bet.defined.paragraph, *(cite.paragraph for pay in bet.pays for cite in pay.cites))
        )
        rows.append((bet.title, bet.title_zh, condition_words(bet.wins), pays_words(bet), ", ".join(cites)))
    return Sheet("Bets", ("bet", "in Chinese", "wins when", "pays", "paragraphs"), tuple(rows))


def layouts_of(book: Rulebook) -> Sheet:
    """Which layout offers which bet.

    >>> from lammer import rulebook
    >>> sheet = layouts_of(rulebook("da-hu-ying-xiong-noncommission-insurance@2"))
    >>> sheet.columns[:3], sheet.rows[0][:3]
    (('bet', 'A', 'B'), ('Player', '✓', '✓'))
    """
    rows = tuple(
        (bet.title, *("✓" if letter in bet.layouts else "" for letter in book.layouts))
        for bet in book.bets.values()
    )
    return Sheet("Layouts that offer each bet, by appendix", ("bet", *book.layouts), rows)


def with_bet_titles(book: Rulebook, sheet: Sheet) -> Sheet:
    """The sheet with the bets of its first column called as the rulebook calls them.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> with_bet_titles(book, Sheet("Edges", ("bet", "edge %"), (("small_tiger", "14.3325"),))).rows
    (('Small Tiger', '14.3325'),)
    """
    titles = {bet.name: bet.title for bet in book.bets.values()}
    rows = tuple((titles.get(str(first), first), *rest) for first, *rest in sheet.rows)
    return Sheet(sheet.name, sheet.columns, rows)
