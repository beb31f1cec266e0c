"""A round told card by card, each step with its paragraph; then the money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lammer.game.hands import FinishedRound, total
from lammer.game.insurance import offers
from lammer.game.money import show, show_fraction
from lammer.game.settlement import Line, Settlement
from lammer.rulebook.betting import Offer
from lammer.rulebook.citation import TITLE
from lammer.rulebook.model import Rulebook
from lammer.rulebook.wording import spans
from lammer.wording.catalogues import ENGLISH
from lammer.wording.results import result_words

STYLES = {"won": "bold green", "lost": "red", "returned": "yellow"}


def round_story(book: Rulebook, round_: FinishedRound) -> Iterator[tuple[str, str, str]]:
    """The round as rows: what happened, what it means, the paragraph."""
    player, banker = round_.player.cards, round_.banker.cards
    order = {"player": list(player[:2]), "banker": list(banker[:2])}
    first = [order[side].pop(0) for side in book.cards.order]
    points = f"Player {total(book, player[:2])} · Banker {total(book, banker[:2])}"
    yield "  ".join(first), points, book.cards.order_cite.paragraph
    yield from _lammers(offers(book, player[:2], banker[:2]))
    for decision in round_.decisions:
        hand = player if decision.hand == "player" else banker
        yield (
            "",
            f"{decision.hand.capitalize()} {'draws' if decision.draws else 'stands'} {decision.because}",
            decision.cite.paragraph,
        )
        if decision.draws:
            after = f"{decision.hand.capitalize()} {total(book, hand)}"
            yield hand[2], after, book.cards.total_cite.paragraph
            if decision.hand == "player":
                yield from _lammers(offers(book, player, banker[:2]))


def _lammers(on_offer: Sequence[Offer]) -> Iterator[tuple[str, str, str]]:
    for offer in on_offer:
        other = "Banker" if offer.hand == "player" else "Player"
        own, against = spans(offer.own), spans(offer.other)
        sentence = f"{offer.hand.capitalize()} {own} against {other} {against} pays {offer.odds.spoken}"
        yield "insurance", sentence, offer.cite.paragraph


def story_table(book: Rulebook, round_: FinishedRound) -> Table:
    """The story of a round as a table without lines."""
    grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=14)
    grid.add_column(min_width=52)
    grid.add_column(justify="right", style="dim")
    for what, meaning, cite in round_story(book, round_):
        grid.add_row(_cards(what), Text(meaning), "" if cite == TITLE else cite)
    return grid


def _cards(what: str) -> Text:
    text = Text(what)
    for index, letter in enumerate(what):
        if letter in "HD" and index and what[index - 1] in "A23456789TJQK":
            text.stylize("red", index - 1, index + 1)
    return text


def result_sentence(round_: FinishedRound) -> str:
    """Who won, and by what.

    >>> from lammer import deal, parse_cards, rulebook
    >>> result_sentence(deal(rulebook("tiger-buffalo-noncommission@4"), parse_cards("QS 3D 6H AC 5D")))
    'Banker wins 9 to 6'
    """
    return result_words(ENGLISH, round_.player.points, round_.banker.points)


def settlement_table(settlement: Settlement) -> RenderableType:
    """The settlement as people read it: result, a line a bet, each player's total."""
    grid = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    for name in ("player", "box", "bet", "stake", "", "pays", "gain", "paragraphs"):
        right = name in ("box", "stake", "gain", "pays")
        grid.add_column(name, justify="right" if right else "left", overflow="fold")
    for line in settlement.lines:
        grid.add_row(
            Text(line.player),
            str(line.box),
            _bet(line),
            show(line.stake),
            Text(line.outcome, STYLES[line.outcome]),
            str(line.odds or ""),
            signed(line.net),
            _paragraphs(line) + _notes(line),
        )
    for player, cents in settlement.net.items():
        grid.add_row(Text(player, "bold"), "", "net", "", "", "", Text(signed(cents), "bold"), "")
    head = Text.assemble(
        (result_sentence(settlement.round), "bold"),
        (
            ""
            if str(settlement.result_cite).endswith(f" {TITLE}") or settlement.result_cite == TITLE
            else f" ({settlement.result_cite})",
            "dim",
        ),
        (f"   {settlement.rulebook} · sha256 {settlement.sha256[:12]}…", "dim"),
    )
    return Group(head, grid)


def signed(cents: int) -> str:
    """A gain or a loss.

    >>> signed(2500), signed(-5), signed(0)
    ('+25.00', '-0.05', '0.00')
    """
    return f"+{show(cents)}" if cents > 0 else show(cents)


def _bet(line: Line) -> str:
    return line.bet if line.window is None else f"insurance {line.bet}, {line.window.replace('_', ' ')}"


def _paragraphs(line: Line) -> str:
    """The numbers a line stands on, each once; the title page of a file without numbers tells nothing."""
    return " ".join(dict.fromkeys(cite.paragraph for cite in line.cites if cite.paragraph != TITLE))


def _notes(line: Line) -> str:
    notes = f"  commission {show(line.commission)}" if line.commission else ""
    return notes + (f"  {show_fraction(line.remainder)} cut off" if line.remainder else "")
