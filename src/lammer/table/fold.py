"""`evolve`: one event folded into the state. No rule is applied here; the event says what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from lammer.game.cards import Card
from lammer.game.hands import Hand
from lammer.game.roads import Result
from lammer.table import events as e
from lammer.table.ledger import postings
from lammer.table.setup import SetUp
from lammer.table.state import PAST_ROUNDS, Insured, Laid, Past, Placed, Round, Shoe, Table


def evolve(table: Table, event: e.Event) -> Table:
    """Fold one event into the table, in place, and hand the table back."""
    for posting in postings(event):
        table.accounts[posting.account] = table.accounts.get(posting.account, 0) + posting.amount
    often = _OFTEN.get(type(event))
    if often is not None and table.round is not None:
        often(table, table.round, event)
        return table
    match event:
        case e.TableSet():
            _set(table, event.setup)
        case e.SeatTaken():
            table.seats[event.player] = event.box
            table.boxes[event.box] = event.player
            table.walked.discard(event.player)
            for bet in table.round.bets.values() if table.round is not None else ():
                bet.seated = bet.seated or (bet.player, bet.box) == (event.player, event.box)
        case e.SeatLeft():
            del table.seats[event.player], table.boxes[event.box]
            table.walked.discard(event.player)
        case e.ShoePrepared():
            _shoe(table, event)
        case e.ShoeEnded():
            table.shoe = None
            table.last_of_shoe = False
            table.carried.clear()
        case e.BettingOpened():
            _remember(table)
            table.walked.clear()
            table.round = Round(event.round, table.shoes, table.book)
            table.rounds = event.round
        case e.RoundCorrected():
            _corrected(table, event)
        case _:
            if table.round is not None:
                _in_round(table, table.round, event)
    return table


def _set(table: Table, setup: SetUp) -> None:
    """Take a set-up on. Rounds played under other rules are closed: they cannot be judged by the new ones."""
    before = table.setup
    if before is not None and (before.rulebook, before.layout, before.readings) != (
        setup.rulebook,
        setup.layout,
        setup.readings,
    ):
        table.round = None
        table.past.clear()
    table.set_to(setup)


def _shoe(table: Table, event: e.ShoePrepared) -> None:
    table.shoes = event.shoe
    table.shoe = Shoe(
        event.shoe, event.kind, event.decks, event.cut, event.commitment, event.order, event.salt
    )
    table.last_of_shoe = False
    table.carried.clear()
    table.results.clear()


def _remember(table: Table) -> None:
    """Keep the round that is over for as long as it may have to be corrected."""
    here = table.round
    if here is None or here.phase == "concluded":
        return
    player, banker = tuple(here.values("player")), tuple(here.values("banker"))
    table.past[here.number] = Past(here.number, player, banker, here.lines, here.phase == "void")
    while len(table.past) > PAST_ROUNDS:
        del table.past[next(iter(table.past))]


def _in_round(table: Table, here: Round, event: e.Event) -> None:  # noqa: PLR0912, PLR0915 (a branch an event)
    match event:
        case e.BetIncreased() | e.BetReduced() | e.BetCut() | e.BetsReturned() | e.InsurancePlaced():
            _money(table, here, event)
        case e.InsuranceRepositioned():
            here.insured[event.key].hand = event.hand
            here.insured[event.key].odds = event.odds
        case e.WalkedAway():
            table.walked.add(event.player)
            here.forgone.add(event.player)
        case e.BettingClosed():
            here.phase = "dealing"
        case e.CardOpened() | e.CardDetermined() | e.CardsReconstructed():
            _cards(table, here, event)
        case e.WindowOpened():
            here.window, here.offers = event.window, event.offers
        case e.WindowPassed():
            here.window, here.offers = None, ()
            here.forgone.update(event.forgone)
            here.missed.clear()
        case e.MissedInsuranceOffered():
            here.missed.update((player, event.hand) for player in event.players)
        case e.SqueezeRequested():
            here.squeeze = (event.player, event.what)
        case e.SqueezeAnswered():
            here.squeeze = None
            here.squeezer = event.player if event.consent else here.squeezer
            if event.consent and event.waives:
                here.waived = here.banker_third_first = True
        case e.CutCardShown():
            here.withdrawal, here.cut_first = event.withdrawal, event.first
            table.last_of_shoe = True
            if table.shoe is not None:
                table.shoe.cut_shown = True
        case e.ShoeToBeReplaced():
            table.last_of_shoe = True
        case e.WithdrawalClosed():
            here.withdrawal = False
        case e.RoundInterrupted():
            here.interrupted = True
        case e.InterruptionResolved():
            here.interrupted = False
        case e.CardsStand():
            here.misplaced = False
        case e.IrregularityNoted(name="face_up_cards"):
            # What was noted is dealt with; it gives no options a second time.
            for laid in here.cards:
                laid.dealt_up = False
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
    event: e.BetIncreased | e.BetReduced | e.BetCut | e.BetsReturned | e.InsurancePlaced,
) -> None:
    match event:
        case e.BetIncreased():
            here.bets[event.key].stake += event.stake
            _weigh(table, here, here.bets[event.key], event.stake)
        case e.InsurancePlaced():
            here.insured[event.key] = Insured(
                event.key, event.player, event.box, event.hand, event.window, event.stake, event.odds
            )
            table.keys = event.key
        case e.BetReduced() | e.BetCut():
            placed = here.bets[event.key]
            placed.stake -= event.amount
            _weigh(table, here, placed, -event.amount)
            if not placed.stake:
                _gone(here, placed)
        case e.BetsReturned():
            for back in event.returned:
                bet = here.bets.get(back.key)
                if bet is not None:
                    _weigh(table, here, bet, -bet.stake)
                    _gone(here, bet)
                else:
                    here.insured[back.key].live = False


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


def _cards(table: Table, here: Round, event: e.CardOpened | e.CardDetermined | e.CardsReconstructed) -> None:
    match event:
        case e.CardOpened():
            here.hand(event.hand)[event.place - 1].face_up = True
        case e.CardDetermined():
            laid = here.hand(event.hand)[event.place - 1]
            if table.shoe is not None:
                table.shoe.seen[laid.card] -= 1
                table.shoe.seen[event.card] += 1
            laid.card = Card(event.card)
            here.misplaced = here.misplaced or not event.proper
        case e.CardsReconstructed():
            places: Counter[str] = Counter()
            here.cards = []
            for put in event.laid:
                places[put.hand] += 1
                place = places[put.hand]
                here.cards.append(Laid(Card(put.card), put.hand, place, put.face_up, put.dealt_up))
            here.misplaced = False
            table.carried.extendleft(reversed(event.carried))


def _end(
    table: Table,
    here: Round,
    event: e.RoundSettled | e.RoundVoided | e.RoundConcluded | e.SettlementReopened,
) -> None:
    match event:
        case e.RoundSettled():
            here.phase, here.lines = "settled", event.lines
            if here.shoe == table.shoes:
                table.results[here.number] = result(event.player, event.banker, event.winner, event.points)
        case e.RoundVoided():
            here.phase, here.lines, here.interrupted, here.options = "void", (), False, None
            table.results.pop(here.number, None)
        case e.RoundConcluded():
            here.phase = "concluded"
        case e.SettlementReopened():
            here.phase, here.lines = "dealing", ()
            table.results.pop(here.number, None)


def _corrected(table: Table, event: e.RoundCorrected) -> None:
    """A round that is over is put right: its lines, its cards, its place on the roads."""
    posted = {line.key: line for line in event.posted}
    player, banker = (tuple(Card(card) for card in hand) for hand in (event.player, event.banker))
    if event.round in table.past:
        lines = tuple(posted.get(line.key, line) for line in table.past[event.round].lines)
        table.past[event.round] = Past(event.round, player, banker, lines, event.void)
    elif table.round is not None and table.round.number == event.round:
        table.round.lines = tuple(posted.get(line.key, line) for line in table.round.lines)
    if event.void:
        table.results.pop(event.round, None)
    elif event.round in table.results:
        table.results[event.round] = result(event.player, event.banker, event.winner, event.points)


def result(player: tuple[str, ...], banker: tuple[str, ...], winner: str, points: int) -> Result:
    """What the roads need to know of a round."""
    pairs = [bool(Hand(tuple(Card(card) for card in hand), 0).pair) for hand in (player, banker)]
    return Result(
        "tie" if winner == "tie" else "player" if winner == "player" else "banker", pairs[0], pairs[1], points
    )


def _bet_placed(table: Table, here: Round, event: e.BetPlaced) -> None:
    placed = Placed(event.key, event.player, event.box, event.bet, event.stake, event.seated)
    here.bets[event.key] = placed
    here.by_place[event.player, event.box, event.bet] = event.key
    here.live_in_box[event.box, event.player] += 1
    table.keys = event.key
    _weigh(table, here, placed, event.stake)


def _card_dealt(table: Table, here: Round, event: e.CardDealt) -> None:
    here.missed.clear()
    here.cards.append(Laid(Card(event.card), event.hand, event.place, event.face_up, event.face_up))
    here.misplaced = here.misplaced or not event.proper
    if event.carried:
        table.carried.remove(event.card)
    elif table.shoe is not None:
        table.shoe.dealt += 1
        table.shoe.seen[event.card] += 1


_OFTEN: dict[type, Callable[[Table, Round, Any], None]] = {e.BetPlaced: _bet_placed, e.CardDealt: _card_dealt}
"""Most events are these; they are looked up before anything else is asked."""
