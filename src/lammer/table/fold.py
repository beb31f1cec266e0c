"""`evolve`: one event folded into the state. No rule is applied here; the event says what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS
from lammer.game.hands import Hand, finish_round
from lammer.game.roads import Result
from lammer.rulebook.vocabulary import Side
from lammer.table import events as e
from lammer.table.ledger import postings
from lammer.table.records import LaidCard, PaidLine
from lammer.table.state import PAST_ROUNDS, Insured, Laid, Past, Placed, Round, Shoe, Table


def evolve(table: Table, event: e.Event) -> Table:  # noqa: PLR0912 (a branch an event)
    """Fold one event into the table, in place, and hand the table back."""
    for posting in postings(event):
        table.accounts[posting.account] = table.accounts.get(posting.account, 0) + posting.amount
    often = _OFTEN.get(type(event))
    if often is not None and table.round is not None:
        often(table, table.round, event)
        return table
    match event:
        case e.TableSet():
            _set(table, event)
        case e.SeatTaken():
            table.seats[event.player] = event.box
            table.boxes[event.box] = event.player
            table.walked.discard(event.player)
            for bet in table.round.bets.values() if table.round is not None else ():
                bet.seated = bet.seated or (bet.player, bet.box) == (event.player, event.box)
        case e.SeatLeft():
            del table.seats[event.player], table.boxes[event.box]
            table.walked.discard(event.player)
        case e.StaffBetsAllowed():
            (table.staff_bets.add if event.allowed else table.staff_bets.discard)(event.player)
        case e.ShoePrepared():
            _shoe(table, event)
        case e.ShoeEnded():
            if table.shoe is not None:
                table.shoe_before = replace(table.shoe, order=(), salt="")
            table.shoe = None
            table.unplayed += event.unplayed
            table.unplayed_in_a_row += event.unplayed
            table.last_of_shoe = False
            table.carried.clear()
        case e.BettingOpened():
            _remember(table)
            table.walked.clear()
            table.round = Round(event.round, table.shoes, table.require_setup(), table.book)
            table.rounds = event.round
        case e.RoundCorrected():
            _corrected(table, event)
        case e.CardExposed():
            table.carried.append(event.card)
            if table.round is not None:
                table.round.missed.clear()
                table.round.exposed_at = len(table.round.cards)
            _out_of_shoe(table, event.card)
        case _:
            if table.round is not None:
                _in_round(table, table.round, event)
    return table


def _set(table: Table, event: e.TableSet) -> None:
    """Take a set-up on. A round that was played by other rules is an earlier one from here on."""
    if table.setup is not None and not table.setup.plays_like(event.setup):
        _remember(table)
        table.round = None
    table.set_to(event.setup)
    table.set_ups += 1
    table.out_of_force = event.reason


def _shoe(table: Table, event: e.ShoePrepared) -> None:
    table.shoes = event.shoe
    table.shoe = Shoe(
        event.shoe, event.kind, event.decks, event.cut, event.commitment, event.order, event.salt
    )
    table.last_of_shoe = False
    table.carried.clear()
    table.results.clear()


def _remember(table: Table) -> None:
    """Keep the round that is over at hand, in case it has to be corrected."""
    here = table.round
    if here is None or here.phase == "concluded":
        return
    table.past[here.number] = over(here)
    while len(table.past) > PAST_ROUNDS:
        del table.past[next(iter(table.past))]


def over(here: Round) -> Past:
    """A round that is settled or void as what may have to be corrected."""
    player, banker = tuple(here.values("player")), tuple(here.values("banker"))
    void = here.phase == "void"
    winner, points = "", 0
    if not void:
        played = finish_round(here.book, player, banker)
        winner, points = played.winner, played.points
    return Past(
        here.number, here.setup, player, banker, winner, points, here.lines, void, here.waived,
        tuple(sorted(here.opened)),
    )  # fmt: skip


def _in_round(table: Table, here: Round, event: e.Event) -> None:  # noqa: PLR0912, PLR0915 (a branch an event)
    match event:
        case e.BetReduced() | e.BetCut() | e.BetsReturned() | e.InsurancePlaced():
            _money(table, here, event)
        case e.InsuranceRepositioned():
            moved = here.insured[event.key]
            moved.hand, moved.odds, moved.astray = event.hand, event.odds, False
        case e.WalkedAway():
            table.walked.add(event.player)
            here.forgone.add(event.player)
            here.announced = {announced for announced in here.announced if announced[0] != event.player}
        case e.BettingClosed():
            here.phase = "dealing"
        case (
            e.CardOpened() | e.CardDetermined() | e.CardCorrected() | e.CardsFound() | e.CardsReconstructed()
        ):
            _cards(table, here, event)
        case e.WindowOpened():
            here.window, here.offers = event.window, event.offers
            here.opened.update((event.window, offer.hand) for offer in event.offers)
            # Where a card was another, what was announced holds as long as that hand is on offer.
            on_offer = {offer.hand for offer in event.offers}
            here.announced = {announced for announced in here.announced if announced[2] in on_offer}
        case e.WindowPassed():
            here.window, here.offers = None, ()
            here.forgone.update(event.forgone)
            here.announced.clear()
            here.missed.clear()
        case e.InsuranceAnnounced():
            here.announced.add((event.player, event.box, event.hand))
        case e.InsuranceDeclined():
            here.announced.discard((event.player, event.box, event.hand))
        case e.MissedInsuranceOffered():
            here.missed.update((player, event.hand) for player in event.players)
        case e.SqueezeRequested():
            here.squeeze = (event.player, event.what)
            here.squeeze_asked = len(here.cards) if event.what == "card" else FIRST_CARDS
        case e.SqueezeAnswered():
            here.squeeze = None
            if event.consent:
                same = event.player == here.squeezer
                here.squeeze_from = min(here.squeeze_from, here.squeeze_asked) if same else here.squeeze_asked
                here.squeezer = event.player
            if event.consent and event.waives:
                here.waived = here.banker_third_first = True
        case e.CutCardShown():
            here.withdrawal, here.cut_first, here.cut_shown = event.withdrawal, event.first, True
            table.last_of_shoe = True
            if table.shoe is not None:
                table.shoe.cut_shown = True
        case e.ShoeToBeReplaced():
            table.last_of_shoe = True
        case e.WithdrawalClosed():
            here.withdrawal = False
        case e.RoundInterrupted():
            here.interrupted = True
            here.opened = {opened for opened in here.opened if opened[0] != here.window}
        case e.InterruptionResolved():
            here.interrupted = False
        case e.CardsStand():
            here.misplaced, here.accepted = False, len(here.cards)
        case e.ErrorReported():
            here.reported = event.what, event.put_right
        case e.ErrorRejected() | e.IrregularityNoted(name="dealing_error"):
            here.reported = None
        case e.IrregularityNoted(name="face_up_cards"):
            # What was noted is dealt with; it gives no options a second time.
            for laid in here.cards:
                laid.dealt_up = False
        case e.IrregularityNoted(name="withdrawal_not_offered"):
            here.cut_first = True
        case e.OptionsOffered():
            here.options = dict.fromkeys(event.players, "")
            here.put_right = event.put_right
        case e.OptionChosen():
            if here.options is not None:
                here.options[event.player] = event.choice
        case e.OptionsClosed():
            here.options = None
        case e.RoundSettled() | e.RoundVoided() | e.RoundConcluded() | e.SettlementReopened():
            _end(table, here, event)
        case _:
            pass


def _money(
    table: Table,
    here: Round,
    event: e.BetReduced | e.BetCut | e.BetsReturned | e.InsurancePlaced,
) -> None:
    match event:
        case e.InsurancePlaced():
            insured = here.insured[event.key] = Insured(
                event.key, event.player, event.box, event.hand, event.window, event.stake, event.odds,
                late=event.late, astray=event.astray,
            )  # fmt: skip
            here.announced.discard((event.player, event.box, insured.insures))
            table.keys = event.key
        case e.BetReduced() | e.BetCut():
            placed = here.bets[event.key]
            placed.stake -= event.amount
            _take_latest(placed, event.amount)
            _weigh(table, here, placed, -event.amount)
            if not placed.stake:
                _gone(here, placed)
        case e.BetsReturned():
            for back in event.returned:
                _give_back(table, here, back.key)


def _give_back(table: Table, here: Round, key: int) -> None:
    """A bet leaves the round, whole."""
    bet = here.bets.get(key)
    if bet is not None:
        _weigh(table, here, bet, -bet.stake)
        _gone(here, bet)
        side = table.book.bets[bet.bet].original
        if side is not None:
            here.announced.discard((bet.player, bet.box, side))
    else:
        here.insured[key].live = False


def _take_latest(placed: Placed, amount: int) -> None:
    """Take from the chips that were put down last."""
    while amount:
        turn, chip = placed.chips.pop()
        if chip > amount:
            placed.chips.append((turn, chip - amount))
        amount -= min(chip, amount)


def _weigh(table: Table, here: Round, placed: Placed, change: int) -> None:
    """Keep the totals of both sides of a box, so that the Differential is at hand."""
    side = table.book.bets[placed.bet].original
    if side is not None:
        here.sides[placed.box, side] = here.sides.get((placed.box, side), 0) + change


def _gone(here: Round, placed: Placed) -> None:
    """A bet given back is forgotten, or bets placed and withdrawn all evening would pile up."""
    del here.bets[placed.key]
    in_box = (placed.box, placed.player)
    here.live_in_box[in_box] -= 1
    if not here.live_in_box[in_box]:
        del here.live_in_box[in_box]
    here.by_place.pop((placed.player, placed.box, placed.bet), None)


def _cards(
    table: Table,
    here: Round,
    event: e.CardOpened | e.CardDetermined | e.CardCorrected | e.CardsFound | e.CardsReconstructed,
) -> None:
    match event:
        case e.CardOpened():
            here.hand(event.hand)[event.place - 1].face_up = True
        case e.CardDetermined() | e.CardCorrected():
            here.missed.clear()
            laid = here.hand(event.hand)[event.place - 1]
            _seen_as(table, here, laid.card, event.card)
            laid.card = Card(event.card)
            here.misplaced = not event.proper
        case e.CardsFound():
            here.missed.clear()
            here.cards, here.accepted = _laid(event.laid), 0
            here.misplaced = not event.proper
        case e.CardsReconstructed():
            here.missed.clear()
            here.cards = _laid(event.laid)
            here.misplaced = False
            if table.shoe is not None and table.shoe.number == here.shoe:
                table.carried.extendleft(reversed(event.carried))


def _laid(cards: Iterable[LaidCard]) -> list[Laid]:
    """Cards in the order they were drawn, each with its place in its hand."""
    places: Counter[str] = Counter()
    laid = []
    for put in cards:
        places[put.hand] += 1
        laid.append(Laid(Card(put.card), put.hand, places[put.hand], put.face_up, put.dealt_up))
    return laid


def _seen_as(table: Table, here: Round, was: str, card: str) -> None:
    """The shoe of the round showed another card than was recorded."""
    shoe = table.shoe_of(here)
    if shoe is not None:
        shoe.seen[was] -= 1
        shoe.seen[card] += 1


def _never_seen(table: Table, here: Round) -> None:
    """Cards that go with a void round and lay face down were never seen by anybody."""
    shoe = table.shoe_of(here)
    if shoe is not None:
        shoe.seen.subtract(laid.card for laid in here.cards if not laid.face_up)


def _end(
    table: Table,
    here: Round,
    event: e.RoundSettled | e.RoundVoided | e.RoundConcluded | e.SettlementReopened,
) -> None:
    match event:
        case e.RoundSettled():
            # Bets that were given back before a settlement was reopened keep their lines.
            here.phase, here.lines = "settled", (*here.lines, *event.lines)
            if table.shoe is not None and here.shoe == table.shoe.number:
                table.shoe.played, table.unplayed_in_a_row = True, 0
            here.squeeze = None
            if here.shoe == table.shoes:
                table.results[here.number] = result(event.player, event.banker, event.winner, event.points)
        case e.RoundVoided():
            _never_seen(table, here)
            here.phase, here.lines, here.interrupted, here.options = "void", (), False, None
            here.reported = None
            here.announced.clear()
            table.results.pop(here.number, None)
        case e.RoundConcluded():
            here.phase = "concluded"
        case e.SettlementReopened():
            here.phase, here.reopened = "dealing", True
            here.lines = tuple(line for line in here.lines if line.given_back)
            table.results.pop(here.number, None)


def _corrected(table: Table, event: e.RoundCorrected) -> None:
    """A round that is over is put right: its lines, its cards, its place on the roads."""
    table.corrected[event.round] = table.corrected.get(event.round, 0) + 1
    if event.round in table.past:
        table.past[event.round] = put_right(table.past[event.round], event)
    elif table.round is not None and table.round.number == event.round:
        _correct_on_table(table, table.round, event)
    if event.void:
        table.results.pop(event.round, None)
    elif event.round in table.results:
        table.results[event.round] = result(event.player, event.banker, event.winner, event.points)


def _correct_on_table(table: Table, here: Round, event: e.RoundCorrected) -> None:
    """The round that still lies on the table is put right: its lines, and its cards if they were others."""
    here.lines = lines_after(here.lines, event)
    if event.void:
        here.phase = "void"
    for line in event.posted:
        if line.given_back:
            _give_back(table, here, line.key)
    if (tuple(here.values("player")), tuple(here.values("banker"))) != (event.player, event.banker):
        drawn = zip_longest(*(enumerate(hand, start=1) for hand in (event.player, event.banker)))
        sides: tuple[Side, Side] = ("player", "banker")
        here.cards = [
            Laid(Card(put[1]), side, put[0], face_up=True)
            for both in drawn
            for side, put in zip(sides, both, strict=True)
            if put is not None
        ]


def put_right(past: Past, event: e.RoundCorrected) -> Past:
    """An earlier round after a correction of it."""
    player, banker = (tuple(Card(card) for card in hand) for hand in (event.player, event.banker))
    lines = lines_after(past.lines, event)
    return replace(
        past,
        player=player,
        banker=banker,
        winner=event.winner,
        points=event.points,
        lines=lines,
        void=past.void or event.void,
    )


def lines_after(lines: Iterable[PaidLine], event: e.RoundCorrected) -> tuple[PaidLine, ...]:
    """The lines of a round once those that are reversed are replaced by those that are posted."""
    gone = {line.key for line in event.reversed}
    kept = [line for line in lines if line.key not in gone]
    return tuple(sorted((*kept, *event.posted), key=lambda line: line.key))


def result(player: tuple[str, ...], banker: tuple[str, ...], winner: str, points: int) -> Result:
    """What the roads need to know of a round."""
    pairs = [bool(Hand(tuple(Card(card) for card in hand), 0).pair) for hand in (player, banker)]
    return Result(
        "tie" if winner == "tie" else "player" if winner == "player" else "banker", pairs[0], pairs[1], points
    )


def _bet_placed(table: Table, here: Round, event: e.BetPlaced) -> None:
    here.turns += 1
    placed = Placed(
        event.key, event.player, event.box, event.bet, event.stake, event.seated, [(here.turns, event.stake)]
    )
    here.bets[event.key] = placed
    here.by_place[event.player, event.box, event.bet] = event.key
    here.live_in_box[event.box, event.player] += 1
    table.keys = event.key
    _weigh(table, here, placed, event.stake)


def _card_dealt(table: Table, here: Round, event: e.CardDealt) -> None:
    here.missed.clear()
    here.key_at_card = table.keys
    here.cards.append(Laid(Card(event.card), event.hand, event.place, event.face_up, event.face_up))
    here.misplaced = here.misplaced or not event.proper
    if event.carried:
        table.carried.remove(event.card)
    else:
        _out_of_shoe(table, event.card)


def _out_of_shoe(table: Table, card: str) -> None:
    """A card left the shoe in use."""
    if table.shoe is not None:
        table.shoe.dealt += 1
        table.shoe.seen[card] += 1


def _bet_increased(table: Table, here: Round, event: e.BetIncreased) -> None:
    placed = here.bets[event.key]
    placed.stake += event.stake
    here.turns += 1
    placed.chips.append((here.turns, event.stake))
    _weigh(table, here, placed, event.stake)


_OFTEN: dict[type, Callable[[Table, Round, Any], None]] = {
    e.BetPlaced: _bet_placed,
    e.BetIncreased: _bet_increased,
    e.CardDealt: _card_dealt,
}
"""Most events are these; they are looked up before anything else is asked."""
