"""What the report says of a rulebook before any mathematics: its rules in full.

Sheets of words taken from the rulebook, each beside its paragraph: who it is, what cards are worth, the Table
of Play, bets and pays, layouts, Insurance, and how it is read. Nothing is counted here.
"""

from __future__ import annotations

from typing import Final

from lammer.lab.output.sheet import Cell, Sheet
from lammer.rulebook.betting import Bet
from lammer.rulebook.force import force_start
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase, Series, Title
from lammer.rulebook.playing import plays_of
from lammer.rulebook.table_of_play import table_of_play_rows
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import (
    ENDS,
    HANDS,
    WINDOW_TITLES,
    cells_words,
    condition_words,
    full_pays_words,
    share_words,
    spans,
    times_words,
)

SHA_OF_FILE: Final = "SHA-256 of the file"
SHA_OF_ALL: Final = "SHA-256 of everything the rulebook comes to, what it leaves out included"
SHORT: Final = 2
"""Letters of a part of an id that stand for words of their own, as in EZ Baccarat."""
_EITHER: Final = Phrase("Either hand")


def identity_of(book: Rulebook, file: str = "", file_sha256: str = "") -> Sheet:
    """Name, approval, dates and hashes; `file` and `file_sha256` are of the file it was read from.

    What a private rulebook does not say itself is not stated, whatever stands in for it elsewhere.

    >>> from lammer import rulebook
    >>> identity_of(rulebook("tiger-buffalo-noncommission@4")).rows[0]
    ('rulebook', 'tiger-buffalo-noncommission@4')
    """
    shown = file or not book.is_private
    rows: tuple[tuple[str, Cell], ...] = (
        ("rulebook", book.id),
        ("title", _stated(book, "title", title_in_english(book))),
        ("title in Chinese", _stated(book, "title_zh", book.title_zh)),
        ("operator", book.operator),
        ("approved by", book.approved_by or "nobody: a private rulebook"),
        ("based on", book.based_on),
        ("in force from", _stated(book, "in_force_from", force_start(book))),
        ("supersedes", book.supersedes),
        (SHA_OF_ALL if book.is_private else SHA_OF_FILE, book.sha256),
        ("which this command prints", f"lammer rulebook check {file or book.id} --json" if shown else ""),
        (Phrase("SHA-256 of {file} itself, as sha256sum prints it", file=file), file_sha256),
    )
    return Sheet(
        "Which rulebook this is", ("what", "which"), tuple((what, which) for what, which in rows if which)
    )


def _stated(book: Rulebook, key: str, said: str) -> Cell:
    """What the file itself says; a stand-in for what it leaves out is no fact."""
    return Phrase("not stated") if is_unstated(book, key) else said


def is_unstated(book: Rulebook, key: str) -> bool:
    """Whether a private rulebook leaves that part of its identity out."""
    return any(lacking.path == ("rulebook", key) for lacking in book.lacks)


def title_in_english(book: Rulebook) -> str:
    """The title the file gives; one made from its id has its short parts in capitals.

    >>> from lammer import load
    >>> bets = "{ name = 'player', wins = { hand = 'player' }, pays = '1:1' },"
    >>> bets += "{ name = 'banker', wins = { hand = 'banker' }, pays = '1:1' }"
    >>> title_in_english(load("rulebook.game = 'ez-baccarat'" + chr(10) + f"bet = [{bets}]"))
    'EZ Baccarat'
    """
    if not is_unstated(book, "title"):
        return book.title
    return " ".join(word.upper() if len(word) <= SHORT else word for word in book.title.split())


def shoe_of(book: Rulebook) -> Sheet:
    """Decks, their ranks where some are left out, and the dealing order.

    >>> from lammer import rulebook
    >>> shoe_of(rulebook("tiger-buffalo-noncommission@4")).rows[0][:2]
    ('decks', '4 to 10 decks of 52 cards')
    """
    cards = book.cards
    decks = Phrase(
        "{fewest} to {most} decks of {deck} cards",
        fewest=cards.fewest_decks,
        most=cards.most_decks,
        deck=cards.deck,
    )
    order = Series((HANDS[hand] for hand in cards.order), ", ")
    if cards.fewest_decks == cards.most_decks:
        decks = Phrase("{decks} × {deck} cards", decks=cards.fewest_decks, deck=cards.deck)
    rows: list[tuple[str, str, str]] = [
        (Phrase("decks"), decks, cards.decks_cite.paragraph),
        (Phrase("dealing order"), order, cards.order_cite.paragraph),
    ]
    if cards.ranks != RANKS:
        rows.insert(1, (Phrase("ranks of a deck"), " ".join(cards.ranks), cards.decks_cite.paragraph))
    return Sheet("The shoe", ("what", "which", "paragraph"), tuple(rows))


def cards_of(book: Rulebook) -> Sheet:
    """What each rank is worth.

    >>> from lammer import rulebook
    >>> cards_of(rulebook("tiger-buffalo-noncommission@4")).rows[0][:2]
    ('A', '1')
    """
    cards = book.cards
    rows = [(rank, str(points), cards.points_cite[rank].paragraph) for rank, points in cards.points.items()]
    return Sheet("Cards", ("card", "points", "paragraph"), tuple(rows))


def table_of_play_of(book: Rulebook) -> Sheet:
    """Every drawing decision.

    >>> from lammer import rulebook
    >>> table_of_play_of(rulebook("tiger-buffalo-noncommission@4")).rows[1]
    ('Player', '0-5', '', 'draws', '3.12')
    """
    rows = tuple((HANDS.get(hand, _EITHER), *rest) for hand, *rest in table_of_play_rows(book))
    return Sheet("Table of Play", ("hand", "two cards", "Player's third", "does", "paragraph"), rows)


def plays_sheet(book: Rulebook) -> Sheet:
    """How the hands that may draw can choose, the usual play first; no rows where none may.

    >>> from lammer import rulebook
    >>> plays_sheet(rulebook("tiger-buffalo-noncommission@4")).rows
    ()
    """
    rows = tuple((play.name, play.title, cells_words(play.draws)) for play in plays_of(book))
    return Sheet("Plays of the hands that may draw, the usual one first", ("play", "title", "draws on"), rows)


def bets_of(book: Rulebook) -> Sheet:
    """Every bet: when it wins, what it pays, and the paragraphs that say so.

    >>> from lammer import rulebook
    >>> bets_of(rulebook("tiger-buffalo-noncommission@4")).rows[1][2:5]
    ('Banker wins', 'on 6 1:2; on 1-5, 7-9 1:1', 'returned')
    """
    rows = []
    for bet in book.bets.values():
        cites = dict.fromkeys(
            (bet.defined.paragraph, *(cite.paragraph for pay in bet.pays for cite in pay.cites))
        )
        pays = full_pays_words(bet, "; ")
        tie = Phrase("returned") if bet.tie_returns else ""
        rows.append((title_of_bet(bet), bet.title_zh, condition_words(bet.wins), pays, tie, ", ".join(cites)))
    columns = ("bet", "in Chinese", "wins when", "pays", "on a tie", "paragraphs")
    return Sheet("Bets and pays", columns, tuple(rows))


def layouts_of(book: Rulebook) -> Sheet:
    """Which layout offers which bet.

    >>> from lammer import rulebook
    >>> sheet = layouts_of(rulebook("da-hu-ying-xiong-noncommission-insurance@2"))
    >>> sheet.columns[:3], sheet.rows[0][:3]
    (('bet', 'A', 'B'), ('Player', '✓', '✓'))
    """
    rows = tuple(
        (title_of_bet(bet), *("✓" if letter in bet.layouts else "" for letter in book.layouts))
        for bet in book.bets.values()
    )
    return Sheet("Layouts that offer each bet, by appendix", ("bet", *book.layouts), rows)


def insurance_of(book: Rulebook) -> Sheet:
    """Every Insurance on offer: which hand, when, on which totals, what it pays, and what a tie does.

    >>> from lammer import rulebook
    >>> insurance_of(rulebook("tiger-buffalo-noncommission-insurance@3")).rows[0][:5]
    ('Player', 'After four cards', '5', '4', '3:2')
    """
    offers = book.insurance.offers if book.insurance else ()
    rows = tuple(
        (
            HANDS[offer.hand],
            WINDOW_TITLES[offer.window],
            spans(offer.own),
            spans(offer.other) if offer.window != "two_cards" else Phrase("any total"),
            str(offer.odds),
            ENDS[offer.on_tie],
            offer.cite.paragraph,
        )
        for offer in offers
    )
    columns = ("insurance", "window", "own total", "against", "pays", "on a tie", "paragraph")
    return Sheet("Insurance on offer", columns, rows)


def insurance_limits_of(book: Rulebook) -> Sheet:
    """What Insurance is limited to."""
    rows: list[tuple[str, str]] = []
    if book.insurance:
        rows.append((Phrase("the Original Bet, each time"), book.insurance.original_bet.paragraph))
        if book.insurance.once:
            rows.append((times_words(book.insurance), book.insurance.once.paragraph))
        rows += [
            (
                Phrase("{odds}: {share}% of the maximum", odds=share.odds, share=share.share * 100),
                share.cite.paragraph,
            )
            for share in book.insurance.shares
        ]
        rows += [(share_words(limit), limit.cite.paragraph) for limit in book.insurance.shares_of_original]
    return Sheet("Insurance at most", ("at most", "paragraph"), tuple(rows))


def readings_of(book: Rulebook) -> Sheet:
    """How places are read that are silent or can be read two ways."""

    def said(english: str, kind: str, name: str) -> Title:
        texts = {code: getattr(words, kind) for code, words in book.translations.items()}
        return Title(english, {code: text[name] for code, text in texts.items() if name in text})

    rows = tuple(
        (
            said(reading.question, "questions", reading.name),
            said(reading.choice, "choices", reading.choice),
            said(reading.because, "reasons", reading.name),
            ", ".join(cite.paragraph for cite in reading.cites),
        )
        for reading in book.readings.values()
    )
    return Sheet("How open places are read", ("question", "our choice", "because", "paragraphs"), rows)


def title_of_bet(bet: Bet) -> Title:
    """What the document calls a bet, in any language it has a name for it."""
    return Title(bet.title, bet.titles)


def title_of_book(book: Rulebook) -> Phrase:
    """What the document is called, with its version."""
    title = Title(title_in_english(book), {} if is_unstated(book, "title_zh") else book.titles)
    return Phrase("{title}, version {version}", title=title, version=book.version)


def with_bet_titles(book: Rulebook, sheet: Sheet) -> Sheet:
    """The sheet with the bets of its first column called as the rulebook calls them.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> with_bet_titles(book, Sheet("Edges", ("bet", "edge %"), (("small_tiger", "14.3325"),))).rows
    (('Small Tiger', '14.3325'),)
    """
    rows = tuple((title_by_name(book, first), *rest) for first, *rest in sheet.rows)
    return Sheet(sheet.name, sheet.columns, rows)


def title_by_name(book: Rulebook, name: Cell) -> Cell:
    """What the document calls the bet of that name; what is no bet keeps its name."""
    return title_of_bet(book.bets[name]) if isinstance(name, str) and name in book.bets else name


def with_hands(sheet: Sheet) -> Sheet:
    """The sheet with the hands of its first columns, and the windows, called as the pit calls them.

    >>> with_hands(Sheet("Insurance", ("insurance", "window"), (("player", "four cards"),))).rows
    (('Player', 'After four cards'),)
    """
    known = {**HANDS, **{name.replace("_", " "): words for name, words in WINDOW_TITLES.items()}}
    rows = tuple(
        (*(known.get(cell, cell) if isinstance(cell, str) else cell for cell in row[:2]), *row[2:])
        for row in sheet.rows
    )
    return Sheet(sheet.name, sheet.columns, rows)
