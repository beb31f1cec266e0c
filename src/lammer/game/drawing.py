"""Who takes the next card: the dealing order of the first four, then the Table of Play.

Every answer carries the paragraph it stands on. The module sees cards only, in the order they leave
the shoe; it knows nothing of bets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lammer.game.cards import Card
from lammer.game.hands import Decision, FinishedRound, finish_round, total
from lammer.rulebook.model import Drawing, Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Side

FIRST_CARDS = 4


def player_draws(book: Rulebook, player: int, banker: int) -> Drawing:
    """Whether the Player Hand takes a third card on these two-card totals.

    >>> from lammer import rulebook
    >>> player_draws(rulebook("tiger-buffalo-noncommission@4"), player=5, banker=7)
    Drawing(draws=True, cite=Citation(rulebook='tiger-buffalo-noncommission@4', paragraph='3.12'))
    """
    table = book.table_of_play
    if player in table.ending or banker in table.ending:
        return Drawing(False, table.natural_cite)
    return table.player[player]


def banker_draws(book: Rulebook, player: int, banker: int, third: int | None) -> Drawing:
    """Whether the Banker Hand takes a third card.

    The totals are those of two cards; `third` is what the Player's third card is worth, 0 to 9, or
    None when the Player took none.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> banker_draws(book, player=5, banker=6, third=7).draws, banker_draws(book, 5, 6, 8).draws
    (True, False)
    >>> banker_draws(book, player=6, banker=5, third=None).cite.paragraph
    '3.13'
    """
    table = book.table_of_play
    if player in table.ending or banker in table.ending:
        return Drawing(False, table.natural_cite)
    return table.banker[banker, third]


def third_card_decisions(
    book: Rulebook, player: Sequence[Card], banker: Sequence[Card]
) -> tuple[Decision, ...]:
    """The drawing decisions that can be made from these hands, Player's first.

    The Banker's is missing while it has to wait for a Player card that is not there yet.
    """
    third = book.cards.points[player[2][0]] % 10 if len(player) > 2 else None
    return _decisions(book, total(book, player[:2]), total(book, banker[:2]), third)


@lru_cache(maxsize=8192)
def _decisions(
    book: Rulebook, player_total: int, banker_total: int, third: int | None
) -> tuple[Decision, ...]:
    """The decisions on these two-card totals, with what the Player's third card is worth if there is one."""
    table = book.table_of_play
    if player_total in table.ending or banker_total in table.ending:
        whose = [
            name
            for name, points in (("Player", player_total), ("Banker", banker_total))
            if points in table.ending
        ]
        because = (
            Phrase("because Player and Banker have naturals")
            if len(whose) == 2
            else Phrase("because {hand} has a natural", hand=Phrase(whose[0]))
        )
        cite = table.natural_cite
        return Decision("player", False, because, cite), Decision("banker", False, because, cite)
    drawing = player_draws(book, player_total, banker_total)
    chosen = Phrase("on {points}, by choice", points=player_total)
    because = chosen if drawing.chosen else Phrase("on {points}", points=player_total)
    first = Decision("player", drawing.draws, because, drawing.cite, drawing.optional)
    if drawing.draws and third is None:
        return (first,)
    if not drawing.draws:
        third = None
    drawing = banker_draws(book, player_total, banker_total, third)
    because = _banker_because(banker_total, third, drawing)
    return first, Decision("banker", drawing.draws, because, drawing.cite, drawing.optional)


def _banker_because(points: int, third: int | None, drawing: Drawing) -> Phrase:
    if third is None and drawing.chosen:
        return Phrase("on {points}, by choice, the Player took no card", points=points)
    if third is None:
        return Phrase("on {points}, the Player took no card", points=points)
    if drawing.chosen:
        return Phrase("on {points} against a third card of {third}, by choice", points=points, third=third)
    return Phrase("on {points} against a third card of {third}", points=points, third=third)


def open_choice(
    book: Rulebook, player: Sequence[Card], banker: Sequence[Card]
) -> tuple[Side, Drawing] | None:
    """The hand that has now to say whether it draws, with the cell that lets it choose; None where none has.

    >>> from lammer import rulebook
    >>> open_choice(rulebook("tiger-buffalo-noncommission@4"), ["QS", "5H"], ["3D", "AC"])
    """
    if not book.table_of_play.choices or len(player) < 2 or len(banker) != 2:
        return None
    two_cards = total(book, player[:2]), total(book, banker)
    third = book.cards.points[player[2][0]] % 10 if len(player) > 2 else None
    drawing = player_draws(book, *two_cards)
    if third is None:
        if drawing.optional:
            return "player", drawing
        if drawing.draws:
            return None
    drawing = banker_draws(book, *two_cards, third)
    return ("banker", drawing) if drawing.optional else None


def is_complete(book: Rulebook, player: Sequence[Card], banker: Sequence[Card]) -> bool:
    """Whether no card is to come and no hand has still to say whether one is.

    >>> from lammer import rulebook
    >>> is_complete(rulebook("tiger-buffalo-noncommission@4"), ["QS", "8H"], ["3D", "AC"])
    True
    """
    return next_hand(book, player, banker) is None and open_choice(book, player, banker) is None


def drawing_not_chosen(book: Rulebook, side: Side, drawing: Drawing) -> Refused:
    """The refusal to go on while a hand that may draw has not said whether it does."""
    return Refused(
        "drawing_not_chosen",
        "The {side} Hand may draw or stand here, and nobody has said which.",
        drawing.cite,
        next_step="Say whether it draws or stands.",
        side=Term(side.capitalize()),
    )


def next_hand(book: Rulebook, player: Sequence[Card], banker: Sequence[Card]) -> Side | None:
    """Which hand gets the next card, or None when the round is over.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> next_hand(book, [], []), next_hand(book, ["QS", "6H"], ["3D", "AC"])
    ('player', 'banker')
    """
    dealt = len(player) + len(banker)
    if dealt < FIRST_CARDS:
        order = book.cards.order
        if len(player) == order[:dealt].count("player"):
            return order[dealt]
        # Cards that stand where they should not lie: the hand that is short comes next.
        return "player" if len(player) < len(banker) else "banker"
    for decision in third_card_decisions(book, player, banker):
        if decision.draws and len(player if decision.hand == "player" else banker) < 3:
            return decision.hand
    return None


def deal(book: Rulebook, cards: Sequence[Card]) -> FinishedRound:
    """Deal exactly these cards, in shoe order, as one round.

    >>> from lammer import rulebook
    >>> from lammer.game.cards import parse_cards
    >>> played = deal(rulebook("tiger-buffalo-noncommission@4"), parse_cards("QS 3D 6H AC 5D"))
    >>> played.winner, played.player.points, played.banker.points
    ('banker', 6, 9)
    """
    player: list[Card] = []
    banker: list[Card] = []
    if len(cards) < FIRST_CARDS:
        raise _too_few(book, len(cards), book.cards.order[len(cards)])
    for side, card in zip(book.cards.order, cards, strict=False):
        (player if side == "player" else banker).append(card)
    used = FIRST_CARDS
    must_have_chosen(book, player, banker)
    decisions = third_card_decisions(book, player, banker)
    if decisions[0].draws:
        if used == len(cards):
            raise _too_few(book, used, "player", decisions[0])
        player.append(cards[used])
        used += 1
        must_have_chosen(book, player, banker)
        decisions = third_card_decisions(book, player, banker)
    if decisions[1].draws:
        if used == len(cards):
            raise _too_few(book, used, "banker", decisions[1])
        banker.append(cards[used])
        used += 1
    if used < len(cards):
        raise Refused(
            "too_many_cards",
            "The round was over after {used} cards; {count} were given.",
            decisions[1].cite,
            next_step="Leave out {cards}.",
            used=used,
            count=len(cards),
            cards=" ".join(cards[used:]),
        )
    return finish_round(book, player, banker, decisions)


def must_have_chosen(book: Rulebook, player: Sequence[Card], banker: Sequence[Card]) -> None:
    """Refuse to go on while a hand that may draw has not said whether it does."""
    waiting = open_choice(book, player, banker)
    if waiting is not None:
        raise drawing_not_chosen(book, *waiting)


def _too_few(book: Rulebook, count: int, side: Side, decision: Decision | None = None) -> Refused:
    because = f": it draws {decision.because}" if decision else ""
    after = "1 card" if count == 1 else f"{count} cards"
    return Refused(
        "too_few_cards",
        "After {after} the {side} Hand still needs one{because}.",
        decision.cite if decision else book.cards.order_cite,
        next_step="Give every card of the round, in shoe order.",
        after=after,
        side=Term(side.capitalize()),
        because=because,
    )
