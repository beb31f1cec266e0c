"""`lammer deal`: one round dealt, explained and settled in the terminal."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from lammer.cli.console import out, say_json
from lammer.cli.settle import settlement_json
from lammer.cli.story import round_story, settlement_table, story_table
from lammer.game.drawing import deal as deal_cards
from lammer.game.insurance import limit, offers_of_round
from lammer.game.settlement import PlacedBet, PlacedInsurance, Settlement, settle
from lammer.game.shoe import shuffled
from lammer.lab.exact.odds import deal_hands
from lammer.rulebook.force import in_force
from lammer.rulebook.model import Rulebook
from lammer.rulebook.playing import played_by
from lammer.rulebook.vocabulary import SIDES
from lammer.shelf import rulebook, shelf

DEFAULT_GAME = "tiger-buffalo-noncommission-insurance"
MAXIMUM = 10_000_00
ORIGINAL, SIDE = 100_00, 10_00


def deal(
    book_name: Annotated[
        str, typer.Option("--rulebook", metavar="ID", help="A rulebook's id, or a TOML file of yours.")
    ] = "",
    layout: Annotated[
        str, typer.Option(help="The appendix letter of the layout; default C, or the first there is.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="The same seed deals the same round.")] = None,
    decks: Annotated[
        int | None, typer.Option(help="Decks in the shoe; 8, or as near to it as the rulebook allows.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the round as JSON.")] = False,
) -> None:
    """Deal one random round and explain it card by card, each step with its paragraph.

    Player p1 bets on Player and p2 on Banker; both take a few of the layout's side bets and insure half
    of what they may whenever Insurance is offered.
    """
    book = rulebook(book_name) if book_name else in_force(shelf(), DEFAULT_GAME, datetime.now(UTC)).rulebook
    layout = layout or ("C" if "C" in book.layouts else next(iter(book.layouts)))
    # A hand that may draw does here what the usual play does.
    book = played_by(book)
    decks = book.cards.usual_decks if decks is None else decks
    seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    settlement = play(book, layout, decks, seed)
    if as_json:
        story = [
            {"cards": cards, "means": meaning, "cite": cite}
            for cards, meaning, cite in round_story(book, settlement.round)
        ]
        say_json({"seed": seed, "story": story, **settlement_json(settlement)})
    else:
        out.print(describe_round(book, settlement, f"layout {layout} · {decks} decks · seed {seed}"))


def play(book: Rulebook, layout: str, decks: int, seed: int) -> Settlement:
    """One round of two players, dealt and bet from this seed alone."""
    felt = book.layout(layout)
    below = _below(random.Random(seed))  # noqa: S311 (a demonstration that can be repeated, not for money)
    shoe = shuffled(book, decks, below).cards
    player_hand, banker_hand = deal_hands(book, shoe)
    cards = shoe[: len(player_hand) + len(banker_hand)]
    sides = [bet.name for bet in book.offered(felt) if bet.original is None]
    box = [0, 1, min(2, felt.most)]
    originals = [next(bet.name for bet in book.bets.values() if bet.original == side) for side in SIDES]
    bets = [
        PlacedBet(f"p{number}", box[number], bet, ORIGINAL) for number, bet in enumerate(originals, start=1)
    ]
    chosen = [sides.pop(below(len(sides))) for _ in range(min(4, len(sides)))]
    bets += [
        PlacedBet(f"p{1 + index % 2}", box[1 + index % 2], name, SIDE) for index, name in enumerate(chosen)
    ]
    insurance: list[PlacedInsurance] = []
    for offer in offers_of_round(book, deal_cards(book, cards)):
        if offer.window == "two_cards":
            continue  # The cards of this story are dealt face up, one to each hand in turn.
        if any(placed.hand == offer.hand for placed in insurance) and book.insurance and book.insurance.once:
            continue
        player = 1 + SIDES.index(offer.hand)
        stake = limit(book, offer, ORIGINAL, MAXIMUM).most // 2
        insurance.append(PlacedInsurance(f"p{player}", box[player], offer.hand, offer.window, stake))
    return settle(book, layout, cards, bets, insurance, decks=decks, maximum=MAXIMUM)


def describe_round(book: Rulebook, settlement: Settlement, subtitle: str) -> RenderableType:
    """The whole round for people: title, story, money."""
    head = Text.assemble((f"{book.title} v{book.version}\n", "bold"), (subtitle, "dim"))
    return Group(head, story_table(book, settlement.round), settlement_table(settlement))


def _below(source: random.Random) -> Callable[[int], int]:
    """Whole numbers below n by rejection, from bits alone, so that a seed means the same on every Python."""

    def below(n: int) -> int:
        bits = n.bit_length()
        while (number := source.getrandbits(bits)) >= n:
            pass
        return number

    return below
