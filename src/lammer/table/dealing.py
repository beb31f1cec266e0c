"""Cards, one by one: dealt, opened, squeezed, by the rules or as they really fell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from lammer.game.cards import Card, parse_cards
from lammer.game.drawing import FIRST_CARDS, must_have_chosen, next_hand, open_choice, third_card_decisions
from lammer.game.hands import total
from lammer.game.shoe import must_be_of_deck
from lammer.rulebook.citation import Citation
from lammer.rulebook.playing import chosen_by
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import RANKS, SIDES, Side
from lammer.table import commands as c, events as e
from lammer.table.insuring import window_after, window_passed
from lammer.table.roles import must_act_for, must_be
from lammer.table.state import OVER, Laid, Round, Shoe, Table

_ANY_RANK: Final = tuple(Card(f"{rank}S") for rank in RANKS)


def require_dealing(table: Table) -> Round:
    """The round whose cards are being dealt, with nothing in the way; or the refusal that says what is."""
    this_round = table.require_round()
    if this_round.phase != "dealing":
        raise Refused(
            "bets_are_open", "Betting is still open.", table.cite("close_bets"), next_step="Close it first."
        )
    table.must_not_be_interrupted()
    if this_round.reported is not None:
        raise Refused(
            "error_to_be_confirmed",
            "A dealing error was reported and waits to be confirmed.",
            table.cite("dealing_error"),
            next_step="A Pit Supervisor or above confirms it, or says that it was none.",
        )
    if this_round.options is not None:
        raise Refused(
            "options_are_open",
            "Players are being asked what they choose.",
            table.cite("players_options"),
            next_step="Close the options first; who does not answer continues.",
        )
    if this_round.withdrawal:
        raise Refused(
            "withdrawal_is_open",
            "Players may still withdraw their bets.",
            table.cite("cut_card_first"),
            next_step="Close the withdrawal first.",
        )
    return this_round


def deal_card(table: Table, call: c.Call, command: c.DealCard) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    must_be(call, "dealer", table.cite("dealing_order"))
    _must_not_misdeal(table, command)
    if this_round.misplaced and command.to is None:
        raise cards_misplaced(table)
    must_have_noted_face_up(table, this_round)
    must_wait_for_nobody(table, this_round)
    face_down_card = _card_to_open(this_round)
    if face_down_card is not None and command.to is None:
        raise _cards_face_down(table, face_down_card)
    # Before the cards that decide it are open, whatever is drawn is out of its turn.
    hands = this_round.values("player"), this_round.values("banker")
    if face_down_card is None:
        must_have_chosen(table.book, *hands)
    proper = None if face_down_card else next_hand(table.book, *hands)
    if proper is None and command.to is None:
        raise Refused(
            "round_is_complete",
            "The Table of Play calls for no further card.",
            table.book.table_of_play.natural_cite,
            next_step="Settle the round; a card drawn all the same is an excess card.",
        )
    if cut_card_due(table):
        shown = cut_card_shown(table, this_round)
        yield shown
        if shown.withdrawal:
            return
    card, carried = next_card(table, command.card)
    side = command.to or proper
    assert side is not None
    yield from window_passed(table, this_round)
    face_up = not this_round.setup.face_down if command.face_up is None else command.face_up
    is_proper = side == proper and not this_round.misplaced
    place = len(this_round.hand(side)) + 1
    yield e.CardDealt(
        card, side, place, face_up, is_proper, carried, _drawing_paragraph(table, this_round, side)
    )
    if is_proper:
        dealt = [*this_round.cards, Laid(Card(card), side, place, face_up)]
        yield from window_after(table, this_round, dealt, drawn=True)


def choose_drawing(table: Table, call: c.Call, command: c.ChooseDrawing) -> Iterator[e.Event]:
    """A hand that may draw says whether it does; until the next card it may still say otherwise."""
    this_round = require_dealing(table)
    _must_choose_for(table, this_round, call, command.hand)
    if this_round.misplaced:
        raise cards_misplaced(table)
    face_down_card = _card_to_open(this_round)
    if face_down_card is not None:
        raise _cards_face_down(table, face_down_card)
    hands = this_round.values("player"), this_round.values("banker")
    # What nothing has come of may be said anew; the Banker's choice comes of the Player's.
    others = {hand: draws for hand, draws in this_round.draws.items() if hand != command.hand}
    said_on = command.hand == "player" and "banker" in this_round.draws
    book = chosen_by(table.books[this_round.setup.rulebook], others)
    waiting = None if said_on else open_choice(book, *hands)
    if waiting is None or waiting[0] != command.hand:
        raise Refused(
            "no_choice_to_make",
            "The {hand} Hand has no choice to draw or stand now.",
            table.book.table_of_play.natural_cite,
            next_step="Deal the next card, or settle the round.",
            hand=Term(command.hand.capitalize()),
        )
    yield e.DrawingChosen(command.hand, command.draws, waiting[1].cite.paragraph)


def _must_choose_for(table: Table, this_round: Round, call: c.Call, hand: Side) -> None:
    """The dealer records what a hand says; a player says it who has the largest Original Bet on that hand."""
    if call.role != "player":
        must_be(call, "dealer", table.cite("dealing_order"))
        return
    leader = leader_of(table, this_round, hand)
    if call.by != leader:
        raise Refused(
            "not_your_hand",
            "{by} does not lead the {hand} Hand.",
            table.book.table_of_play.natural_cite,
            next_step="{leader} chooses for it." if leader else "The dealer records what is said for it.",
            by=call.by,
            hand=Term(hand.capitalize()),
            leader=leader,
        )


def leader_of(table: Table, this_round: Round, hand: Side) -> str:
    """Whose Original Bet on a hand is the largest, the first placed of equal ones; empty if none is."""
    originals = [bet for bet in this_round.bets.values() if table.book.bets[bet.bet].original == hand]
    return min(originals, key=lambda bet: (-bet.stake, bet.key)).player if originals else ""


def _must_not_misdeal(table: Table, command: c.DealCard) -> None:
    """A virtual shoe deals what the Table of Play calls for and nothing else, save at a test table."""
    has_instructions = command.to is not None or command.face_up is not None
    if has_instructions and table.require_setup().shoe == "virtual" and not table.require_setup().test:
        raise Refused(
            "card_comes_from_shoe",
            "The virtual shoe deals each card where the Table of Play sends it.",
            table.cite("dealing_order"),
            next_step="Deal the next card; misdealing is for test tables.",
        )


def must_wait_for_nobody(table: Table, this_round: Round) -> None:
    """Refuse to draw a card while somebody who said in time that they will insure has not done so."""
    if this_round.announced:
        names = ", ".join(sorted({player for player, _, _ in this_round.announced}))
        raise Refused(
            "insurance_announced",
            "{names} said in time that they will insure.",
            table.cite("insurance_forgone"),
            next_step="Take the Insurance bet first, or record that it is declined.",
            names=names,
        )


def must_have_noted_face_up(table: Table, this_round: Round) -> None:
    """Refuse to go on while nobody has noted that a card fell face up at a face-down table."""
    if this_round.setup.face_down and any(laid.dealt_up for laid in this_round.cards):
        raise Refused(
            "face_up_not_noted",
            "A card was dealt face up at this face-down table.",
            table.cite("face_up_cards"),
            next_step="Note it first: players may have a choice.",
        )


def cut_card_due(table: Table) -> bool:
    """Whether the cut card of a virtual shoe comes before the next card."""
    shoe = table.shoe
    return (
        shoe is not None
        and shoe.kind == "virtual"
        and shoe.cut > 0
        and shoe.left <= shoe.cut
        and not shoe.cut_shown
    )


def cut_card_shown(table: Table, this_round: Round) -> e.CutCardShown:
    """The cut card appears; first of the round in a high-limit area, it lets players withdraw.

    A document that does not know it gives no such right: there it is the house's own procedure.
    """
    first = not this_round.cards
    known = "cut_card_first" in table.book.irregularities
    withdrawal = known and first and table.require_setup().high_limit and this_round.phase == "dealing"
    return e.CutCardShown(first, withdrawal, table.paragraph("cut_card_first" if withdrawal else "cut_card"))


def cards_misplaced(table: Table) -> Refused:
    """The refusal while cards lie where the rules did not send them."""
    return Refused(
        "cards_misplaced",
        "Cards lie where the rules did not send them.",
        table.cite("reconstruction"),
        next_step="Reconstruct them, or void the round if that cannot be done.",
    )


def _card_to_open(this_round: Round) -> Laid | None:
    """The card to be opened before another is drawn: whether and where one is due may turn on it.

    The Banker's third comes before the Player's is seen where that was asked for and granted.
    """
    if len(this_round.cards) < FIRST_CARDS:
        return None
    waiting = next((laid for laid in this_round.cards if not laid.face_up), None)
    if waiting is None or (this_round.banker_third_first and (waiting.hand, waiting.place) == ("player", 3)):
        return None
    return waiting


def _cards_face_down(table: Table, waiting: Laid) -> Refused:
    return Refused(
        "cards_face_down",
        "The {hand}'s card {place} is still face down.",
        table.book.table_of_play.natural_cite,
        next_step="Open it first.",
        hand=Term(waiting.hand.capitalize()),
        place=waiting.place,
    )


def _drawing_paragraph(table: Table, this_round: Round, side: Side) -> str:
    if len(this_round.cards) < FIRST_CARDS:
        return table.book.cards.order_cite.paragraph
    if _card_to_open(this_round) is None:
        for decision in third_card_decisions(
            table.book, this_round.values("player"), this_round.values("banker")
        ):
            if decision.hand == side and decision.draws:
                return decision.cite.paragraph
    return table.book.table_of_play.natural_cite.paragraph


def must_have_its_shoe(table: Table, this_round: Round) -> Shoe:
    """The shoe a round is dealt from, unless it was taken away after the round was settled."""
    shoe = table.shoe
    if shoe is None or shoe.number != this_round.shoe:
        raise Refused(
            "no_shoe", "The shoe of this round is gone.", next_step="Settle the round, or have it ruled on."
        )
    return shoe


def next_card(table: Table, name: str) -> tuple[str, bool]:
    """The card that comes now, and whether it was carried over from the round before."""
    shoe = must_have_its_shoe(table, table.require_round())
    if name and shoe.kind == "virtual":
        raise Refused("card_comes_from_shoe", "The virtual shoe deals its own cards.")
    if table.carried:
        card = table.carried[0]
        if name and table.require_setup().face_down:
            # Right or wrong: whoever may try names until one is taken knows the card.
            raise carried_card_first(table)
        if name and name != card:
            raise Refused(
                "impossible_card",
                "The card carried over from before comes first, and it is not {given}.",
                table.cite("excess_cards"),
                given=name,
            )
        return card, True
    if shoe.left <= 0:
        raise Refused(
            "shoe_ran_dry",
            "The shoe has no card left for this round.",
            table.cite("shoe_ran_dry"),
            next_step="Void the round for a shoe that ran dry.",
        )
    if shoe.kind == "virtual":
        return shoe.order[shoe.dealt], False
    if not name:
        raise Refused(
            "card_not_read", "This shoe is read card by card.", next_step="Give the card that was read."
        )
    return fresh_card(table, shoe, name), False


def carried_card_first(table: Table) -> Refused:
    """The refusal of a named card at a face-down table while one waits that was carried over."""
    return Refused(
        "carried_card_first",
        "A card carried over from before comes first, and it is dealt without being named.",
        table.cite("excess_cards"),
        next_step="Deal it without naming a card.",
    )


def times_seen(table: Table, shoe: Shoe, card: str) -> int:
    """How often everybody has seen a card come from the shoe.

    Of what lies face down, or waits at a face-down table, nobody is told whether it is one of them.
    """
    this_round = table.round
    hidden = list(table.carried) if table.require_setup().face_down and shoe is table.shoe else []
    if this_round is not None and this_round.shoe == shoe.number and this_round.phase not in OVER:
        hidden += [laid.card for laid in this_round.cards if not laid.face_up]
    return shoe.seen[card] - hidden.count(card)


def fresh_card(table: Table, shoe: Shoe, name: str) -> Card:
    """A card read from the shoe, unless the set cannot hold one more of it, as far as can be seen."""
    (card,) = parse_cards([name])
    must_be_of_deck(table.book, [card])
    times = times_seen(table, shoe, card)
    if times >= shoe.decks:
        raise Refused(
            "impossible_card",
            "{card} has come {came} times from {decks} decks already.",
            table.cite("foreign_card"),
            next_step="Void the round for a card that is not of the set.",
            card=card,
            came=times,
            decks=shoe.decks,
        )
    return card


def open_card(table: Table, call: c.Call, command: c.OpenCard) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    if call.role != "player":
        must_be(call, "dealer", table.book.squeeze.cite)
    elif call.by != this_round.squeezer:
        raise Refused(
            "no_squeeze_right",
            "{by} was not given the squeeze.",
            table.book.squeeze.cite,
            next_step="The player with the highest bet asks, and the House consents.",
            by=call.by,
        )
    laid = this_round.laid_at(command.hand, command.place)
    if laid.face_up:
        raise Refused("card_is_face_up", "{card} is face up already.", card=laid.card)
    if call.role == "player" and this_round.cards.index(laid) < this_round.squeeze_from:
        raise Refused(
            "no_squeeze_right",
            "The squeeze was asked for after this card was dealt.",
            table.book.squeeze.cite,
            next_step="The dealer opens this card.",
        )
    if command.hand == "banker" and command.place == 3 and not this_round.banker_third_first:
        player = this_round.hand("player")
        if any(not other.face_up for other in player):
            raise Refused(
                "cards_face_down",
                "The Player's cards are opened before the Banker's third.",
                table.cite("squeeze_waiver") or table.cite("squeeze_right"),
                next_step="Open the Player's cards, or ask for the Banker's third card first.",
            )
    if this_round.window == "two_cards":
        must_wait_for_nobody(table, this_round)
        yield from window_passed(table, this_round)
    yield e.CardOpened(command.hand, command.place)
    if not this_round.misplaced:
        shown = [
            Laid(other.card, other.hand, other.place, other.face_up or other is laid)
            for other in this_round.cards
        ]
        yield from window_after(table, this_round, shown, drawn=this_round.window == "two_cards")


def highest_bettor(table: Table, this_round: Round) -> str:
    """Whose bet is the highest: the largest single bet, the first placed of equal ones.

    Bets on Player and Banker come before all others, unless the table reads the paragraph by the letter.
    """
    seated_only = table.book.squeeze.right == "seated_player"
    any_kind = table.reading("highest_bet") == "largest_of_any_kind"
    best: tuple[bool, int, int, str] | None = None
    for bet in this_round.bets.values():
        if seated_only and not bet.seated:
            continue
        behind = not any_kind and table.book.bets[bet.bet].original is None
        rank = (behind, -bet.stake, bet.key, bet.player)
        best = rank if best is None or rank < best else best
    return best[-1] if best else ""


def request_squeeze(table: Table, call: c.Call, command: c.RequestSqueeze) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    player = command.player or (call.by if call.role == "player" else "")
    must_act_for(table, call, player)
    squeeze = table.book.squeeze
    if not this_round.setup.face_down:
        raise Refused("no_squeeze_right", "Cards are dealt face up here.", squeeze.cite)
    if player != highest_bettor(table, this_round):
        who = "seated player" if squeeze.right == "seated_player" else "player"
        raise Refused(
            "no_squeeze_right",
            "The {who} with the highest bet may ask, not {player}.",
            squeeze.cite,
            who=who,
            player=player,
        )
    if this_round.misplaced:
        raise cards_misplaced(table)
    if command.what == "card":
        if not _card_may_come(table, this_round):
            raise Refused(
                "no_squeeze_right",
                "A squeeze is asked for before the card is dealt, and no card is to come.",
                squeeze.cite,
                next_step="Ask in the next round, before its cards are dealt.",
            )
        yield e.SqueezeRequested(player, command.what, squeeze.cite.paragraph)
        return
    if command.what not in squeeze.waivers or squeeze.waiver_cite is None:
        raise Refused(
            "no_such_rule",
            "{rulebook} knows no such request.",
            table.cite("unprovided_matter"),
            next_step="A Table Game Shift Manager or above may rule on it.",
            rulebook=table.book.id,
        )
    _must_allow_waiver(table, this_round, squeeze.waiver_cite)
    yield e.SqueezeRequested(player, command.what, squeeze.waiver_cite.paragraph)


def _must_allow_waiver(table: Table, this_round: Round, cite: Citation) -> None:
    """Refuse to turn the order of the third cards round where that makes no sense, or no longer does."""
    if len(this_round.cards) < FIRST_CARDS or any(
        not laid.face_up and laid.place < 3 for laid in this_round.cards
    ):
        raise Refused(
            "cards_face_down",
            "The first four cards are not all open yet.",
            cite,
            next_step="Ask again when they are.",
        )
    _must_be_in_time(this_round, cite)
    first_player, first_banker = this_round.values("player")[:2], this_round.values("banker")[:2]
    if not third_card_decisions(table.book, first_player, first_banker)[0].draws:
        raise Refused("no_squeeze_right", "The Player takes no third card.", cite)
    banker = total(table.book, first_banker)
    if table.reading("squeeze_order") == "banker_0_1_2" and banker not in (0, 1, 2):
        raise Refused(
            "no_squeeze_right",
            "The Banker's third card is not certain on {banker} before the Player's is seen.",
            cite,
            banker=banker,
        )


def _must_be_in_time(this_round: Round, cite: Citation) -> None:
    """Refuse to turn the order of the third cards once the Banker's lies there or the Player's is open."""
    if len(this_round.hand("banker")) > 2:
        raise Refused(
            "no_squeeze_right",
            "The Banker's third card has been dealt.",
            cite,
            next_step="It is asked for before that card is dealt.",
        )
    if any(laid.face_up for laid in this_round.hand("player")[2:]):
        raise Refused("no_squeeze_right", "The Player's third card is open already.", cite)


def _card_may_come(table: Table, this_round: Round) -> bool:
    """Whether another card can come in this round, as far as anybody can see."""
    player, banker = (this_round.exposed(side) for side in SIDES)
    return any(side is not None for side in possible_next_hands(table, player, banker))


def possible_next_hands(
    table: Table, player: Sequence[Card | None], banker: Sequence[Card | None]
) -> set[Side | None]:
    """Every answer to where the next card belongs, over all that may lie face down."""
    return {
        next_hand(table.book, hands[: len(player)], hands[len(player) :])
        for hands in product(*(_ANY_RANK if card is None else (card,) for card in (*player, *banker)))
    }


def answer_squeeze(table: Table, call: c.Call, command: c.AnswerSqueeze) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    if this_round.squeeze is None:
        raise Refused("no_squeeze_asked", "Nobody has asked to squeeze.", table.book.squeeze.cite)
    player, what = this_round.squeeze
    cite = table.book.squeeze.cite if what == "card" else table.book.squeeze.waiver_cite
    must_be(call, "pit_supervisor", cite)
    waives = what != "card"
    assert cite is not None
    if command.consent and waives:
        if this_round.misplaced:
            raise cards_misplaced(table)
        _must_allow_waiver(table, this_round, cite)
    yield e.SqueezeAnswered(player, what, command.consent, waives, cite.paragraph)
    if command.consent and waives and this_round.window == "third_card":
        yield e.WindowPassed("third_card", (), cite.paragraph)
