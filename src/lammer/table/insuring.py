"""Insurance at the table: windows that open and pass, offers to each player, who has forgone what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS
from lammer.game.insurance import Limit, insurance_of, limit, must_insure_once, offers
from lammer.game.money import Amount, show
from lammer.game.settlement import must_pay_evenly
from lammer.rulebook.betting import Offer
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import SIDES, Side, Window, opposite
from lammer.table import commands as c, events as e
from lammer.table.betting import must_be_stake
from lammer.table.records import OnOffer
from lammer.table.roles import must_act_for
from lammer.table.state import Laid, Round, Table

NOTHING: Final = Fraction(0)


def window_after(
    table: Table, this_round: Round, cards: Sequence[Laid], *, drawn: bool = False, anew: bool = False
) -> Iterator[e.Event]:
    """The window these cards open, once all of them can be seen.

    The one before was ended by a card just `drawn`, or is judged `anew`. Nobody insures against a next card
    that everybody has seen.
    """
    if not table.require_setup().insurance or table.is_over(this_round):
        return
    if (this_round.window is not None and not (drawn or anew)) or this_round.exposed_at == len(cards):
        return
    shown = shown_hands(cards)
    if shown is None:
        return
    player, banker = shown
    if this_round.waived and len(player) == 3:
        return
    window_offers = offers(table.book, player, banker)
    if window_offers:
        listed = tuple(OnOffer(offer.hand, str(offer.odds), offer.cite.paragraph) for offer in window_offers)
        yield e.WindowOpened(window_offers[0].window, listed)


def shown_hands(cards: Sequence[Laid]) -> tuple[list[Card], list[Card]] | None:
    """The hands where all of them lies open, or all of one and nothing of the other; else None."""
    player, banker = ([laid.card for laid in cards if laid.hand == side and laid.face_up] for side in SIDES)
    whole = all(laid.face_up for laid in cards) or sorted((len(player), len(banker))) == [0, 2]
    return (player, banker) if whole else None


def shown_first(table: Table, this_round: Round) -> Side:
    """The hand a dealer opens first where Insurance is offered on one: that of the highest bet on a hand."""
    rules = table.book.insurance
    if rules is None or all(offer.window != "two_cards" for offer in rules.offers):
        return "player"
    sides = [(bet.stake, table.book.bets[bet.bet].original) for bet in this_round.bets.values()]
    highest = max((stake for stake, side in sides if side), default=0)
    return next((side for stake, side in sides if side and stake == highest), "player")


def window_passed(table: Table, this_round: Round) -> Iterator[e.Event]:
    """The next card is drawn: who was offered Insurance and did not bet has forgone it."""
    if this_round.window is None:
        return
    once = insurance_of(table.book).once is not None
    insured = {
        bet.player
        for bet in this_round.insured.values()
        if bet.live and (once or bet.window == this_round.window)
    }
    offered = dict.fromkeys(player for player, _ in insurable_hands(table, this_round))
    forgone = tuple(player for player in offered if player not in insured | this_round.forgone)
    if table.reading("insurance_forgone") == "window":
        forgone = ()
    yield e.WindowPassed(this_round.window, forgone, table.paragraph("insurance_forgone"))


def insurable_hands(table: Table, this_round: Round) -> list[tuple[str, Side]]:
    """Who holds an Original Bet on a hand that is on offer now."""
    hands = {offer.hand for offer in this_round.offers}
    insurable: dict[tuple[str, Side], None] = {}
    for bet in this_round.bets.values():
        side = table.book.bets[bet.bet].original
        if side is not None and side in hands:
            insurable[bet.player, side] = None
    return list(insurable)


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
    this_round = table.round
    if this_round is None or this_round.phase != "dealing" or not _takes_bets(this_round):
        return ()
    boxes = sorted({bet.box for bet in this_round.bets.values() if bet.player == player})
    on_offer = [offer for hand in SIDES if (offer := _offer_to(table, this_round, player, hand)) is not None]
    return tuple(
        OfferTo(box, offer.hand, str(offer.odds), most, offer.cite.paragraph)
        for offer in on_offer
        for box in boxes
        if (original := original_bet(table, this_round, player, box, offer.hand))
        and (most := cap(table, this_round, player, box, offer, original).most) >= 0
    )


def _takes_bets(this_round: Round) -> bool:
    """Whether Insurance can be bet at all at this moment: in an open window, or offered late."""
    is_waiting = (
        this_round.interrupted
        or this_round.reported
        or this_round.options is not None
        or this_round.misplaced
    )
    return not is_waiting and (this_round.window is not None or bool(this_round.missed))


def _offer_to(table: Table, this_round: Round, player: str, hand: Side) -> Offer | None:
    """The offer on a hand to one player: late, if it is offered to them late, else in the open window."""
    if (player, hand) in this_round.missed:
        return late_offer(table, this_round, hand)
    if this_round.window is None or player in this_round.forgone:
        return None
    return next(
        (offer for offer in offers(table.book, *visible_hands(this_round)) if offer.hand == hand), None
    )


def situations(table: Table, this_round: Round) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """What the cards list after the first four, and after the Player's third where it can be seen."""
    player, banker = visible_hands(this_round)
    first = offers(table.book, player[:2], banker[:2])
    third = offers(table.book, player, banker[:2]) if len(player) == 3 and not this_round.waived else ()
    return first, third


def late_offer(table: Table, this_round: Round, hand: Side) -> Offer | None:
    """What is offered late on a hand: the situation now on the table, or else the latest that was missed.

    A situation is on the table until the next card is drawn, and missed from then on.
    """
    first, third = situations(table, this_round)
    hidden = any(not laid.face_up for laid in this_round.cards)
    now, missed = first, first
    if len(this_round.cards) > FIRST_CARDS:
        now, missed = ((), (*third, *first)) if hidden else (third, first)
    listed = {"now_only": now, "missed_only": missed}.get(
        table.reading("missed_insurance_odds"), (*now, *missed)
    )
    return next((offer for offer in listed if offer.hand == hand), None)


def insurance_not_on_offer(table: Table, hand: Side) -> Refused:
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


def visible_hands(this_round: Round) -> tuple[list[Card], list[Card]]:
    """The hands as far as they can be seen; a third card face down counts as not yet drawn."""
    shown = shown_hands(this_round.cards)
    if shown is not None:
        return shown
    if any(not laid.face_up and laid.place < 3 for laid in this_round.cards):
        raise Refused(
            "cards_face_down", "The first four cards are not all open.", next_step="Open them first."
        )
    player, banker = ([laid.card for laid in this_round.hand(side) if laid.face_up] for side in SIDES)
    return player, banker


def _offer_for_bet(table: Table, call: c.Call, this_round: Round, command: c.PlaceInsurance) -> Offer:
    """The offer a bet is taken on. Staff may have put it into the area of the other hand.

    Where the document says what becomes of misplaced Insurance it is recorded where it lies, to be moved.
    """
    offer = _offer_to(table, this_round, command.player, command.hand)
    if offer is None and call.role != "player" and "misplaced_insurance" in table.book.irregularities:
        offer = _offer_to(table, this_round, command.player, opposite(command.hand))
    if offer is None:
        raise insurance_not_on_offer(table, command.hand)
    return offer


def cap(table: Table, this_round: Round, player: str, box: int, offer: Offer, original: int) -> Limit:
    """The most a player may still bet on an offer in a box.

    Offered late, the winnings of all late Insurance on that hand together may not exceed the Original Bet.
    """
    once = insurance_of(table.book).once
    if once is not None and _windows_insured(this_round, player, box, offer.hand) - {offer.window}:
        return Limit(0, "what may be insured once a round", "insured_before", once)
    most = limit(table.book, offer, original, table.require_setup().differential)
    free = max(0, most.most - staked_on(this_round, player, box, offer))
    left = Limit(free, most.because, most.code, most.cite)
    if (player, offer.hand) not in this_round.missed:
        return left
    won = sum(
        (bet.stake * Odds.parse(bet.odds).profit for bet in this_round.insured.values()
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


def _windows_insured(this_round: Round, player: str, box: int, hand: Side) -> set[Window]:
    """The windows of this round in which a player has insured a bet."""
    return {
        bet.window
        for bet in this_round.insured.values()
        if bet.live and (bet.player, bet.box, bet.insures) == (player, box, hand)
    }


def late_stake(left: Fraction, odds: Odds) -> int:
    """The most that may be staked late at these odds, if it may win that much; down to the cent.

    >>> late_stake(Fraction(1_000_00), Odds.parse("3:2"))
    66666
    """
    return max(0, int(left / odds.profit))


def original_bet(table: Table, this_round: Round, player: str, box: int, hand: Side) -> int:
    """What a player has on a hand in a box."""
    keys = (this_round.by_place.get((player, box, name)) for name in _bets_on(table.book, hand))
    return sum([this_round.bets[key].stake for key in keys if key is not None])


@lru_cache(maxsize=128)
def _bets_on(book: Rulebook, hand: Side) -> tuple[str, ...]:
    """The names of the bets on a hand."""
    return tuple(bet.name for bet in book.bets.values() if bet.original == hand)


def place_insurance(table: Table, call: c.Call, command: c.PlaceInsurance) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_act_for(table, call, command.player)
    table.must_mean_this_round(command.round)
    _must_take_bets(table, this_round, command.player)
    offer = _offer_for_bet(table, call, this_round, command)
    must_be_stake(command)
    original = _insurable_bet(table, this_round, command.player, command.box, offer.hand)
    insured = _windows_insured(this_round, command.player, command.box, offer.hand)
    must_insure_once(table.book, command.player, offer.window, insured)
    most = cap(table, this_round, command.player, command.box, offer, original)
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
        (command.player, offer.hand) in this_round.missed,
        offer.hand != command.hand,
    )


def announce_insurance(table: Table, call: c.Call, command: c.AnnounceInsurance) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_act_for(table, call, command.player)
    _must_take_bets(table, this_round, command.player)
    late = (command.player, command.hand) in this_round.missed
    offer = None if late else _offer_to(table, this_round, command.player, command.hand)
    if offer is None:
        raise insurance_not_on_offer(table, command.hand)
    original = _insurable_bet(table, this_round, command.player, command.box, offer.hand)
    if not cap(table, this_round, command.player, command.box, offer, original).most:
        raise Refused(
            "nothing_to_insure",
            "{player} has insured all of that bet.",
            table.cite("insurance_limit"),
            player=command.player,
        )
    if (command.player, command.box, command.hand) in this_round.announced:
        raise Refused(
            "insurance_announced",
            "{player} has said so already.",
            table.cite("insurance_forgone"),
            next_step="Take the Insurance bet.",
            player=command.player,
        )
    if call.by == command.player and (command.player, command.box, command.hand) in this_round.taken_back:
        raise Refused(
            "announced_before",
            "{player} was waited for in this window already.",
            table.cite("insurance_forgone"),
            next_step="Until the next card they may still insure.",
            player=command.player,
        )
    paragraph = table.paragraph("insurance_forgone")
    yield e.InsuranceAnnounced(command.player, command.box, command.hand, paragraph)


def decline_insurance(table: Table, call: c.Call, command: c.DeclineInsurance) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_act_for(table, call, command.player)
    table.must_not_be_interrupted()
    insurance_of(table.book)
    place = command.player, command.box, command.hand
    announced = place in this_round.announced
    if not announced and call.by == command.player and place in this_round.declined:
        raise Refused(
            "insurance_declined",
            "{player} has said no to that Insurance already.",
            table.cite("insurance_forgone"),
            next_step="Until the next card they may still insure.",
            player=command.player,
        )
    if not announced and not (call.by == command.player and _is_asked(table, this_round, command)):
        raise Refused(
            "nothing_announced",
            "{player} has not said that they will insure there.",
            table.cite("insurance_forgone"),
            player=command.player,
        )
    paragraph = table.paragraph("insurance_forgone")
    recorded_by = "" if call.by == command.player else call.by
    yield e.InsuranceDeclined(command.player, command.box, command.hand, paragraph, recorded_by)


def _is_asked(table: Table, this_round: Round, command: c.DeclineInsurance) -> bool:
    """Whether the open window offers a player Insurance on their bet there, so that they may say no to it."""
    return (
        this_round.window is not None
        and _takes_bets(this_round)
        and (command.player, command.hand) not in this_round.missed
        and _offer_to(table, this_round, command.player, command.hand) is not None
        and original_bet(table, this_round, command.player, command.box, command.hand) > 0
    )


def is_awaited(table: Table) -> bool:
    """Whether somebody may still insure in the open window and has not said that they will not."""
    this_round = table.round
    if this_round is None or this_round.window is None:
        return False
    if this_round.announced:
        return True
    players = dict.fromkeys(player for player, _ in insurable_hands(table, this_round))
    answered = this_round.declined | this_round.taken_back
    return any(
        offer.most > 0 and (player, offer.box, offer.hand) not in answered
        for player in players
        for offer in offers_to(table, player)
    )


def _must_take_bets(table: Table, this_round: Round, player: str) -> None:
    """Refuse Insurance to a player who cannot bet on any now, whatever the hand."""
    insurance_of(table.book)
    must_not_be_private(table)
    late = bool(this_round.missed) and any((player, hand) in this_round.missed for hand in SIDES)
    if this_round.waived and len(this_round.hand("player")) == 3 and not late:
        raise Refused(
            "insurance_waived",
            "Insurance after the Player's third card was waived for this round.",
            table.cite("squeeze_waiver"),
        )
    if not _takes_bets(this_round) or (this_round.window is None and not late):
        raise Refused(
            "window_not_open",
            "Insurance is not open now.",
            table.cite("insurance_windows"),
            next_step="It opens after four cards and after the Player's third, while a card is to come.",
        )
    if player in this_round.forgone and not late:
        raise Refused(
            "insurance_forgone",
            "{player} let Insurance pass in this round.",
            table.cite("insurance_forgone"),
            player=player,
        )


def _insurable_bet(table: Table, this_round: Round, player: str, box: int, hand: Side) -> int:
    """The Original Bet on a hand in a box, or `nothing_to_insure`."""
    original = original_bet(table, this_round, player, box, hand)
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


def staked_on(this_round: Round, player: str, box: int, offer: Offer) -> int:
    """What a player has already bet on this Insurance, in whichever area it was put."""
    key = (player, box, offer.window, offer.hand)
    return sum(
        bet.stake
        for bet in this_round.insured.values()
        if bet.live and (bet.player, bet.box, bet.window, bet.insures) == key
    )
