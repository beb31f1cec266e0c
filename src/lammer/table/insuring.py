"""Insurance at the table: windows that open and pass, offers to each player, who has forgone what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS
from lammer.game.insurance import Limit, insurance_of, limit, offers
from lammer.game.money import LARGEST, Amount, show
from lammer.game.settlement import must_pay_evenly
from lammer.rulebook.betting import Offer
from lammer.rulebook.odds import Odds
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import SIDES, Side, opposite
from lammer.table import commands as c, events as e
from lammer.table.records import OnOffer
from lammer.table.roles import must_act_for
from lammer.table.state import Laid, Round, Table

NOTHING: Final = Fraction(0)


def window_after(
    table: Table, here: Round, cards: Sequence[Laid], *, drawn: bool = False, anew: bool = False
) -> Iterator[e.Event]:
    """The window these cards open, once all of them can be seen.

    The one before was ended by a card just `drawn`, or is judged `anew`. Nobody insures against a next card
    that everybody has seen.
    """
    if not table.require_setup().insurance or table.is_over(here):
        return
    if (here.window is not None and not (drawn or anew)) or here.exposed_at == len(cards):
        return
    if not all(laid.face_up for laid in cards):
        return
    player = [laid.card for laid in cards if laid.hand == "player"]
    banker = [laid.card for laid in cards if laid.hand == "banker"]
    if here.waived and len(player) == 3:
        return
    found = offers(table.book, player, banker)
    if found:
        listed = tuple(OnOffer(offer.hand, str(offer.odds), offer.cite.paragraph) for offer in found)
        yield e.WindowOpened(found[0].window, listed)


def window_passed(table: Table, here: Round) -> Iterator[e.Event]:
    """The next card is drawn: who was offered Insurance and did not bet has forgone it."""
    if here.window is None:
        return
    insured = {bet.player for bet in here.insured.values() if bet.window == here.window and bet.live}
    offered = dict.fromkeys(player for player, _ in insurable(table, here))
    forgone = tuple(player for player in offered if player not in insured | here.forgone)
    if table.reading("insurance_forgone") == "window":
        forgone = ()
    yield e.WindowPassed(here.window, forgone, table.paragraph("insurance_forgone"))


def insurable(table: Table, here: Round) -> list[tuple[str, Side]]:
    """Who holds an Original Bet on a hand that is on offer now."""
    hands = {offer.hand for offer in here.offers}
    found: dict[tuple[str, Side], None] = {}
    for bet in here.bets.values():
        side = table.book.bets[bet.bet].original
        if side is not None and side in hands:
            found[bet.player, side] = None
    return list(found)


@dataclass(frozen=True, slots=True)
class OfferTo:
    """Insurance one player may take now: on which hand in which box, at what odds, how much at most."""

    box: int
    hand: Side
    odds: str
    most: int
    cite: str


def offers_to(table: Table, player: str) -> tuple[OfferTo, ...]:
    """What a player is offered at this moment; nothing they let pass, unless nobody had asked them."""
    here = table.round
    if here is None or here.phase != "dealing" or not _taking_bets(here):
        return ()
    boxes = sorted({bet.box for bet in here.bets.values() if bet.player == player})
    on_offer = [offer for hand in SIDES if (offer := _on_offer_to(table, here, player, hand)) is not None]
    return tuple(
        OfferTo(box, offer.hand, str(offer.odds), most, offer.cite.paragraph)
        for offer in on_offer
        for box in boxes
        if (original := original_bet(table, here, player, box, offer.hand))
        and (most := cap(table, here, player, box, offer, original).most) >= 0
    )


def _taking_bets(here: Round) -> bool:
    """Whether Insurance can be bet at all at this moment: in an open window, or offered late."""
    waits = here.interrupted or here.reported or here.options is not None or here.misplaced
    return not waits and (here.window is not None or bool(here.missed))


def _on_offer_to(table: Table, here: Round, player: str, hand: Side) -> Offer | None:
    """The offer on a hand to one player: late, if it is offered to them late, else in the open window."""
    if (player, hand) in here.missed:
        return late_offer(table, here, hand)
    if here.window is None or player in here.forgone:
        return None
    return next((offer for offer in offers(table.book, *shown(here)) if offer.hand == hand), None)


def situations(table: Table, here: Round) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """What the cards list after the first four, and after the Player's third where it can be seen."""
    player, banker = shown(here)
    first = offers(table.book, player[:2], banker[:2])
    third = offers(table.book, player, banker[:2]) if len(player) == 3 and not here.waived else ()
    return first, third


def late_offer(table: Table, here: Round, hand: Side) -> Offer | None:
    """What is offered late on a hand: the situation now on the table, or else the latest that was missed.

    A situation is on the table until the next card is drawn, and missed from then on.
    """
    first, third = situations(table, here)
    hidden = any(not laid.face_up for laid in here.cards)
    now, missed = first, first
    if len(here.cards) > FIRST_CARDS:
        now, missed = ((), (*third, *first)) if hidden else (third, first)
    listed = {"now_only": now, "missed_only": missed}.get(
        table.reading("missed_insurance_odds"), (*now, *missed)
    )
    return next((offer for offer in listed if offer.hand == hand), None)


def not_on_offer(table: Table, hand: Side) -> Refused:
    """The refusal of Insurance on a hand that has no offer."""
    return Refused(
        "insurance_not_on_offer",
        "Insurance on the {hand} Hand is not on offer now.",
        table.cite("insurance_windows"),
        next_step="It is offered in the situations the pay table lists, while a card is to come.",
        hand=Term(hand.capitalize()),
    )


def must_not_be_private(table: Table) -> None:
    """Refuse at a private table that asked not to be offered Insurance."""
    if not table.require_setup().insurance:
        raise Refused(
            "insurance_not_offered_here",
            "This private table asked not to be offered Insurance.",
            table.cite("private_table"),
        )


def shown(here: Round) -> tuple[list[Card], list[Card]]:
    """The hands as far as they can be seen; a third card face down counts as not yet drawn."""
    if any(not laid.face_up and laid.place < 3 for laid in here.cards):
        raise Refused(
            "cards_face_down", "The first four cards are not all open.", next_step="Open them first."
        )
    player, banker = ([laid.card for laid in here.hand(side) if laid.face_up] for side in SIDES)
    return player, banker


def _taken_on(table: Table, call: c.Call, here: Round, command: c.PlaceInsurance) -> Offer:
    """The offer a bet is taken on. Staff may have put it into the area of the other hand.

    Where the document says what becomes of misplaced Insurance it is recorded where it lies, to be moved.
    """
    offer = _on_offer_to(table, here, command.player, command.hand)
    if offer is None and call.role != "player" and "misplaced_insurance" in table.book.irregularities:
        offer = _on_offer_to(table, here, command.player, opposite(command.hand))
    if offer is None:
        raise not_on_offer(table, command.hand)
    return offer


def cap(table: Table, here: Round, player: str, box: int, offer: Offer, original: int) -> Limit:
    """The most a player may still bet on an offer in a box.

    Offered late, the winnings of all late Insurance on that hand together may not exceed the Original Bet.
    """
    most = limit(table.book, offer, original, table.require_setup().differential)
    free = max(0, most.most - staked(here, player, box, offer))
    left = Limit(free, most.because, most.code, most.cite)
    if (player, offer.hand) not in here.missed:
        return left
    won = sum(
        (bet.stake * Odds.parse(bet.odds).profit for bet in here.insured.values()
         if bet.live and bet.late and (bet.player, bet.box, bet.insures) == (player, box, offer.hand)),
        start=NOTHING,
    )  # fmt: skip
    late = late_stake(original - won, offer.odds)
    if late >= left.most:
        return left
    rule = table.book.irregularities["missed_insurance"]
    because = f"late Insurance may win, the Original Bet of {show(original)} in all"
    cite = table.book.cite(rule.paragraph("cap_insurance_payout"))
    return Limit(late, because, "late_insurance_above_original_bet", cite)


def late_stake(left: Fraction, odds: Odds) -> int:
    """The most that may be staked late at these odds, if it may win that much; down to the cent.

    >>> late_stake(Fraction(1_000_00), Odds.parse("3:2"))
    66666
    """
    return max(0, int(left / odds.profit))


def original_bet(table: Table, here: Round, player: str, box: int, hand: Side) -> int:
    """What a player has on a hand in a box."""
    return sum(
        bet.stake
        for bet in here.bets.values()
        if (bet.player, bet.box) == (player, box) and table.book.bets[bet.bet].original == hand
    )


def place_insurance(table: Table, call: c.Call, command: c.PlaceInsurance) -> Iterator[e.Event]:
    here = table.under_way()
    must_act_for(table, call, command.player)
    table.must_mean_this_round(command.round)
    _must_take_bets(table, here, command.player)
    offer = _taken_on(table, call, here, command)
    if not 0 < command.stake <= LARGEST:
        raise Refused(
            "not_an_amount",
            "{player}'s stake is {stake}.",
            player=command.player,
            stake=Amount(command.stake),
        )
    original = _insurable_bet(table, here, command.player, command.box, offer.hand)
    most = cap(table, here, command.player, command.box, offer, original)
    if command.stake > most.most:
        raise Refused(
            most.code,
            "{player} bets {stake} more Insurance than {because}.",
            most.cite,
            next_step="Up to {most} more may be bet.",
            player=command.player,
            stake=Amount(command.stake),
            because=most.because,
            most=Amount(most.most),
        )
    must_pay_evenly(table.book, command.stake, (offer,), "Insurance", table.require_setup().readings)
    yield e.InsurancePlaced(
        table.keys + 1,
        command.player,
        command.box,
        command.hand,
        offer.window,
        command.stake,
        str(offer.odds),
        call.by,
        offer.cite.paragraph,
        (command.player, offer.hand) in here.missed,
        offer.hand != command.hand,
    )


def announce_insurance(table: Table, call: c.Call, command: c.AnnounceInsurance) -> Iterator[e.Event]:
    here = table.under_way()
    must_act_for(table, call, command.player)
    _must_take_bets(table, here, command.player)
    late = (command.player, command.hand) in here.missed
    offer = None if late else _on_offer_to(table, here, command.player, command.hand)
    if offer is None:
        raise not_on_offer(table, command.hand)
    original = _insurable_bet(table, here, command.player, command.box, offer.hand)
    if not cap(table, here, command.player, command.box, offer, original).most:
        raise Refused(
            "nothing_to_insure",
            "{player} has insured all of that bet.",
            table.cite("insurance_limit"),
            player=command.player,
        )
    if (command.player, command.box, command.hand) in here.announced:
        raise Refused(
            "insurance_announced",
            "{player} has said so already.",
            table.cite("insurance_forgone"),
            next_step="Take the Insurance bet.",
            player=command.player,
        )
    paragraph = table.paragraph("insurance_forgone")
    yield e.InsuranceAnnounced(command.player, command.box, command.hand, paragraph)


def decline_insurance(table: Table, call: c.Call, command: c.DeclineInsurance) -> Iterator[e.Event]:
    here = table.under_way()
    must_act_for(table, call, command.player)
    table.must_not_be_interrupted()
    insurance_of(table.book)
    if (command.player, command.box, command.hand) not in here.announced:
        raise Refused(
            "nothing_announced",
            "{player} has not said that they will insure there.",
            table.cite("insurance_forgone"),
            player=command.player,
        )
    paragraph = table.paragraph("insurance_forgone")
    yield e.InsuranceDeclined(command.player, command.box, command.hand, paragraph)


def _must_take_bets(table: Table, here: Round, player: str) -> None:
    """Refuse Insurance to a player who cannot bet on any now, whatever the hand."""
    insurance_of(table.book)
    must_not_be_private(table)
    late = bool(here.missed) and any((player, hand) in here.missed for hand in SIDES)
    if here.waived and len(here.hand("player")) == 3 and not late:
        raise Refused(
            "insurance_waived",
            "Insurance after the Player's third card was waived for this round.",
            table.cite("squeeze_waiver"),
        )
    if not _taking_bets(here) or (here.window is None and not late):
        raise Refused(
            "window_not_open",
            "Insurance is not open now.",
            table.cite("insurance_windows"),
            next_step="It opens after four cards and after the Player's third, while a card is to come.",
        )
    if player in here.forgone and not late:
        raise Refused(
            "insurance_forgone",
            "{player} let Insurance pass in this round.",
            table.cite("insurance_forgone"),
            player=player,
        )


def _insurable_bet(table: Table, here: Round, player: str, box: int, hand: Side) -> int:
    """The Original Bet on a hand in a box, or `nothing_to_insure`."""
    original = original_bet(table, here, player, box, hand)
    if not original:
        raise Refused(
            "nothing_to_insure",
            "{player} has no Original Bet on {hand} in box {box}.",
            table.cite("insurance_right"),
            player=player,
            hand=Term(hand),
            box=table.require_setup().box_name(box),
        )
    return original


def staked(here: Round, player: str, box: int, offer: Offer) -> int:
    """What a player has already bet on this Insurance, in whichever area it was put."""
    whose = (player, box, offer.window, offer.hand)
    return sum(
        bet.stake
        for bet in here.insured.values()
        if bet.live and (bet.player, bet.box, bet.window, bet.insures) == whose
    )
