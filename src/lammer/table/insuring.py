"""Insurance at the table: windows that open and pass, offers to each player, who has forgone what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lammer.game.cards import Card
from lammer.game.insurance import Limit, insurance_of, limit, offers
from lammer.game.money import LARGEST, show
from lammer.game.settlement import must_pay_evenly
from lammer.rulebook.betting import Offer
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.table import commands as c, events as e
from lammer.table.records import OnOffer
from lammer.table.roles import must_act_for
from lammer.table.state import Laid, Round, Table


def window_after(
    table: Table, here: Round, cards: Sequence[Laid], *, drawn: bool = False
) -> Iterator[e.Event]:
    """The window these cards open, once all of them can be seen; a card just drawn ended the one before."""
    if not table.set.insurance or (here.window is not None and not drawn):
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
    bought = {
        (bet.player, bet.hand) for bet in here.insured.values() if bet.window == here.window and bet.live
    }
    forgone = []
    for player, hand in insurable(table, here):
        if (player, hand) not in bought and player not in forgone and player not in here.forgone:
            forgone.append(player)
    keep = {player for player, _ in bought}
    if table.reading("insurance_forgone") == "window":
        forgone = []
    lost = tuple(player for player in forgone if player not in keep)
    yield e.WindowPassed(here.window, lost, table.paragraph("insurance_forgone"))


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
    """What a player is offered at this moment; nothing he let pass, unless nobody had asked him."""
    here = table.round
    asked = here is not None and here.window is not None and player not in here.forgone
    if here is None or not (asked or here.missed):
        return ()
    boxes = {bet.box for bet in here.bets.values() if bet.player == player}
    found = []
    for offer in offers(table.book, *shown(here)):
        if not asked and (player, offer.hand) not in here.missed:
            continue
        for box in sorted(boxes):
            original = original_bet(table, here, player, box, offer.hand)
            if original:
                taken = staked(here, player, box, offer)
                most = cap(table, here, player, offer, original).most - taken
                found.append(OfferTo(box, offer.hand, str(offer.odds), most, offer.cite.paragraph))
    return tuple(found)


def offer_for(table: Table, here: Round, hand: Side) -> Offer:
    """The offer on a hand as the cards lie now, or the refusal that says why there is none."""
    _must_be_offered_here(table, here)
    for offer in offers(table.book, *shown(here)):
        if offer.hand == hand:
            return offer
    raise Refused(
        "insurance_not_on_offer",
        f"Insurance on the {hand.capitalize()} Hand is not on offer now.",
        table.cite("insurance_windows"),
    )


def must_not_be_private(table: Table) -> None:
    """Refuse at a private table that asked not to be offered Insurance."""
    if not table.set.insurance:
        raise Refused(
            "insurance_not_offered_here",
            "This private table asked not to be offered Insurance.",
            table.cite("private_table"),
        )


def _must_be_offered_here(table: Table, here: Round) -> None:
    """Refuse at a private table that asked for none, and after a squeeze that waived it for everyone."""
    must_not_be_private(table)
    if here.waived and len(here.hand("player")) == 3:
        raise Refused(
            "insurance_waived",
            "Insurance after the Player's third card was waived for this round.",
            table.cite("squeeze_waiver"),
        )


def shown(here: Round) -> tuple[list[Card], list[Card]]:
    """The hands as far as they can be seen; a third card face down counts as not yet drawn."""
    if any(not laid.face_up and laid.place < 3 for laid in here.cards):
        raise Refused(
            "cards_face_down", "The first four cards are not all open.", next_step="Open them first."
        )
    player, banker = ([laid.card for laid in here.hand(side) if laid.face_up] for side in SIDES)
    return player, banker


def _taken_on(table: Table, call: c.Call, here: Round, hand: Side) -> Offer:
    """The offer a bet is taken on. Staff may have put it into the area of the other hand.

    Where the document says what becomes of misplaced Insurance it is recorded where it lies, to be moved.
    """
    on_offer = offers(table.book, *shown(here))
    for offer in on_offer:
        if offer.hand == hand:
            return offer
    if call.role != "player" and "misplaced_insurance" in table.book.irregularities:
        for offer in on_offer:
            return offer
    return offer_for(table, here, hand)


def cap(table: Table, here: Round, player: str, offer: Offer, original: int) -> Limit:
    """The most a player may bet on an offer; offered late, its winnings may not exceed the Original Bet."""
    most = limit(table.book, offer, original, table.set.differential)
    late = int(original / offer.odds.profit)
    if (player, offer.hand) not in here.missed or late >= most.most:
        return most
    because = f"{show(late)}, which wins the Original Bet of {show(original)}"
    return Limit(late, because, most.code, table.cite("missed_insurance") or most.cite)


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
    insurance_of(table.book)
    _must_be_offered_here(table, here)
    missed = (command.player, command.hand) in here.missed
    if here.interrupted or here.options is not None or here.misplaced or (here.window is None and not missed):
        raise Refused(
            "window_not_open",
            "Insurance is not open now.",
            table.cite("insurance_windows"),
            next_step="It opens after four cards and after the Player's third, while a card is to come.",
        )
    offer = _taken_on(table, call, here, command.hand)
    if command.player in here.forgone and not missed:
        raise Refused(
            "insurance_forgone",
            f"{command.player} let Insurance pass in this round.",
            table.cite("insurance_forgone"),
        )
    if not 0 < command.stake <= LARGEST:
        raise Refused("not_an_amount", f"{command.player}'s stake is {show(command.stake)}.")
    original = original_bet(table, here, command.player, command.box, offer.hand)
    if not original:
        raise Refused(
            "nothing_to_insure",
            f"{command.player} has no Original Bet on {offer.hand} in box {command.box}.",
            table.cite("insurance_right"),
        )
    already = staked(here, command.player, command.box, offer)
    most = cap(table, here, command.player, offer, original)
    if already + command.stake > most.most:
        raise Refused(
            most.code,
            f"{command.player} bets {show(already + command.stake)} Insurance, more than {most.because}.",
            most.cite,
            next_step=f"Up to {show(most.most - already)} more may be bet.",
        )
    must_pay_evenly(table.book, command.stake, [offer.odds], "Insurance", table.set.readings)
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
    )


def staked(here: Round, player: str, box: int, offer: Offer) -> int:
    """What a player has already bet on this Insurance, in whichever area it was put."""
    elsewhere = {on_offer.hand for on_offer in here.offers} - {offer.hand}
    return sum(
        bet.stake
        for bet in here.insured.values()
        if bet.live
        and (bet.player, bet.box, bet.window) == (player, box, offer.window)
        and bet.hand not in elsewhere
    )
