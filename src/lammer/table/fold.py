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
from lammer.table.ledger import Posting, postings
from lammer.table.records import LaidCard, PaidLine, ShufflePart
from lammer.table.state import PAST_ROUNDS, Insured, Laid, Past, PitCall, Placed, Round, Shoe, Shuffle, Table


def evolve(table: Table, event: e.Event, posted: Iterable[Posting] | None = None) -> Table:  # noqa: PLR0912, PLR0915 (a branch an event)
    """Fold one event into the table, in place, and hand the table back.

    `posted` is what it does to the accounts, where that has been worked out already.
    """
    accounts = table.accounts
    for posting in postings(event) if posted is None else posted:
        accounts[posting.account] = accounts.get(posting.account, 0) + posting.amount
    handler = _FREQUENT.get(type(event))
    if handler is not None and table.round is not None:
        handler(table, table.round, event)
        return table
    match event:
        case e.TableSet():
            _set_table(table, event)
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
        case e.PitCalled():
            table.calls = event.call
            table.pit_calls[event.call] = PitCall(event.call, event.reason, event.called_by, event.called_at)
        case e.PitCallAnswered():
            del table.pit_calls[event.call]
        case e.TableClosed() | e.TableOpened():
            table.closed, table.closing_reason = isinstance(event, e.TableClosed), None
        case e.ClosingAnnounced():
            table.closing_reason = event.reason
        case e.ClosingTakenBack():
            table.closing_reason = None
        case e.ShoePrepared():
            _prepare_shoe(table, event)
        case e.ShuffleBegun():
            table.shuffle = Shuffle(
                event.shoe, event.decks, event.commitment, event.closes, event.beacon, event.entropy
            )
        case e.EntropyAdded():
            if table.shuffle is not None:
                table.shuffle.parts[event.player] = ShufflePart(event.box, event.entropy)
        case e.ShuffleAbandoned():
            table.shuffle = None
        case e.ShoeEnded():
            if table.shoe is not None:
                table.shoe_before = replace(table.shoe, order=(), salt="", entropy="")
            table.shoe = None
            table.unplayed += event.unplayed
            table.unplayed_in_a_row += event.unplayed
            table.last_of_shoe = False
            table.carried.clear()
        case e.BettingOpened():
            _remember(table)
            table.walked.clear()
            table.book = table.books[table.require_setup().rulebook]
            table.round = Round(event.round, table.shoes, table.require_setup(), table.book)
            table.rounds = event.round
        case e.RoundCorrected():
            _correct_round(table, event)
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


def _set_table(table: Table, event: e.TableSet) -> None:
    """Take a set-up on. A round that was played by other rules is an earlier one from here on."""
    if table.setup is not None and not table.setup.plays_like(event.setup):
        _remember(table)
        table.round = None
    table.set_to(event.setup)
    table.take_choices()
    table.set_ups += 1
    table.out_of_force = event.reason


def _prepare_shoe(table: Table, event: e.ShoePrepared) -> None:
    table.shoes = event.shoe
    table.shoe = Shoe(
        event.shoe, event.kind, event.decks, event.cut, event.commitment, event.order, event.salt,
        deck=table.book.cards.deck, house=event.house, parts=event.parts, beacon=event.beacon,
        entropy=table.shuffle.entropy if table.shuffle is not None else "",
    )  # fmt: skip
    table.shuffle = None
    table.last_of_shoe = False
    table.carried.clear()
    table.results.clear()


def _remember(table: Table) -> None:
    """Keep the round that is over at hand, in case it has to be corrected."""
    this_round = table.round
    if this_round is None or this_round.phase == "concluded":
        return
    table.past[this_round.number] = past_of(this_round)
    while len(table.past) > PAST_ROUNDS:
        del table.past[next(iter(table.past))]


def past_of(this_round: Round) -> Past:
    """A round that is settled or void as what may have to be corrected."""
    player, banker = tuple(this_round.values("player")), tuple(this_round.values("banker"))
    void = this_round.phase == "void"
    winner, points = "", 0
    if not void:
        played = finish_round(this_round.book, player, banker)
        winner, points = played.winner, played.points
    return Past(
        this_round.number, this_round.setup, player, banker, winner, points, this_round.lines, void,
        this_round.waived, tuple(sorted(this_round.opened)), tuple(sorted(this_round.draws.items())),
    )  # fmt: skip


def _in_round(table: Table, this_round: Round, event: e.Event) -> None:  # noqa: PLR0912, PLR0915 (a branch an event)
    match event:
        case e.BetReduced() | e.BetCut() | e.BetsReturned() | e.InsurancePlaced():
            _move_money(table, this_round, event)
        case e.InsuranceRepositioned():
            moved = this_round.insured[event.key]
            moved.hand, moved.odds, moved.astray = event.hand, event.odds, False
        case e.WalkedAway():
            table.walked.add(event.player)
            this_round.forgone.add(event.player)
            this_round.announced = {
                announced for announced in this_round.announced if announced[0] != event.player
            }
        case e.BettingClosed():
            this_round.phase = "dealing"
        case e.DrawingChosen():
            this_round.draws[event.hand] = event.draws
            table.take_choices()
        case (
            e.CardOpened() | e.CardDetermined() | e.CardCorrected() | e.CardsFound() | e.CardsReconstructed()
        ):
            _change_cards(table, this_round, event)
        case e.WindowOpened():
            this_round.window, this_round.offers = event.window, event.offers
            this_round.opened.update((event.window, offer.hand) for offer in event.offers)
            # Where a card was another, what was announced holds as long as that hand is on offer.
            on_offer = {offer.hand for offer in event.offers}
            this_round.announced = {
                announced for announced in this_round.announced if announced[2] in on_offer
            }
            this_round.declined.clear()
            this_round.taken_back.clear()
        case e.WindowPassed():
            this_round.window, this_round.offers = None, ()
            this_round.forgone.update(event.forgone)
            this_round.announced.clear()
            this_round.declined.clear()
            this_round.taken_back.clear()
            this_round.missed.clear()
        case e.InsuranceAnnounced():
            this_round.announced.add((event.player, event.box, event.hand))
            this_round.declined.discard((event.player, event.box, event.hand))
        case e.InsuranceDeclined():
            place = event.player, event.box, event.hand
            if place in this_round.announced:
                this_round.announced.remove(place)
                this_round.taken_back.add(place)
            if not event.recorded_by:
                this_round.declined.add(place)
        case e.MissedInsuranceOffered():
            this_round.missed.update((player, event.hand) for player in event.players)
        case e.SqueezeRequested():
            this_round.squeeze = (event.player, event.what)
            this_round.squeeze_asked = len(this_round.cards) if event.what == "card" else FIRST_CARDS
        case e.SqueezeAnswered():
            this_round.squeeze = None
            if event.consent:
                asked, same = this_round.squeeze_asked, event.player == this_round.squeezer
                this_round.squeeze_from = min(this_round.squeeze_from, asked) if same else asked
                this_round.squeezer = event.player
            if event.consent and event.waives:
                this_round.waived = this_round.banker_third_first = True
        case e.CutCardShown():
            this_round.withdrawal, this_round.cut_first = event.withdrawal, event.first
            this_round.cut_shown = True
            table.last_of_shoe = True
            if table.shoe is not None:
                table.shoe.cut_shown = True
        case e.ShoeToBeReplaced():
            table.last_of_shoe = True
        case e.WithdrawalClosed():
            this_round.withdrawal = False
        case e.RoundInterrupted():
            this_round.interrupted = True
            this_round.opened = {opened for opened in this_round.opened if opened[0] != this_round.window}
        case e.InterruptionResolved():
            this_round.interrupted = False
        case e.CardsStand():
            this_round.misplaced, this_round.accepted = False, len(this_round.cards)
        case e.ErrorReported():
            this_round.reported = event.what, event.put_right
        case e.ErrorRejected() | e.IrregularityNoted(name="dealing_error"):
            this_round.reported = None
        case e.IrregularityNoted(name="face_up_cards"):
            # What was noted is dealt with; it gives no options a second time.
            for laid in this_round.cards:
                laid.dealt_up = False
        case e.IrregularityNoted(name="withdrawal_not_offered"):
            this_round.cut_first = True
        case e.OptionsOffered():
            this_round.options = dict.fromkeys(event.players, "")
            this_round.put_right = event.put_right
        case e.OptionChosen():
            if this_round.options is not None:
                this_round.options[event.player] = event.choice
        case e.OptionsClosed():
            this_round.options = None
        case e.RoundSettled() | e.RoundVoided() | e.RoundConcluded() | e.SettlementReopened():
            _end_round(table, this_round, event)
        case _:
            pass


def _move_money(
    table: Table,
    this_round: Round,
    event: e.BetReduced | e.BetCut | e.BetsReturned | e.InsurancePlaced,
) -> None:
    match event:
        case e.InsurancePlaced():
            insured = this_round.insured[event.key] = Insured(
                event.key, event.player, event.box, event.hand, event.window, event.stake, event.odds,
                late=event.late, astray=event.astray,
            )  # fmt: skip
            this_round.announced.discard((event.player, event.box, insured.insures))
            this_round.declined.discard((event.player, event.box, insured.insures))
            table.keys = event.key
        case e.BetReduced() | e.BetCut():
            placed = this_round.bets[event.key]
            placed.stake -= event.amount
            _take_latest(placed, event.amount)
            _weigh(table, this_round, placed, -event.amount)
            if not placed.stake:
                _forget_bet(this_round, placed)
        case e.BetsReturned():
            for returned in event.returned:
                _give_back(table, this_round, returned.key)


def _give_back(table: Table, this_round: Round, key: int) -> None:
    """A bet leaves the round, whole."""
    bet = this_round.bets.get(key)
    if bet is not None:
        _weigh(table, this_round, bet, -bet.stake)
        _forget_bet(this_round, bet)
        side = table.book.bets[bet.bet].original
        if side is not None:
            this_round.announced.discard((bet.player, bet.box, side))
    else:
        this_round.insured[key].live = False


def _take_latest(placed: Placed, amount: int) -> None:
    """Take from the chips that were put down last."""
    while amount:
        turn, chip = placed.chips.pop()
        if chip > amount:
            placed.chips.append((turn, chip - amount))
        amount -= min(chip, amount)


def _weigh(table: Table, this_round: Round, placed: Placed, change: int) -> None:
    """Keep the totals of both sides of a box, so that the Differential is at hand."""
    side = table.book.bets[placed.bet].original
    if side is not None:
        this_round.sides[placed.box, side] = this_round.sides.get((placed.box, side), 0) + change


def _forget_bet(this_round: Round, placed: Placed) -> None:
    """A bet given back is forgotten, or bets placed and withdrawn all evening would pile up."""
    del this_round.bets[placed.key]
    in_box = (placed.box, placed.player)
    this_round.live_in_box[in_box] -= 1
    if not this_round.live_in_box[in_box]:
        del this_round.live_in_box[in_box]
    this_round.by_place.pop((placed.player, placed.box, placed.bet), None)


def _change_cards(
    table: Table,
    this_round: Round,
    event: e.CardOpened | e.CardDetermined | e.CardCorrected | e.CardsFound | e.CardsReconstructed,
) -> None:
    match event:
        case e.CardOpened():
            this_round.hand(event.hand)[event.place - 1].face_up = True
        case e.CardDetermined() | e.CardCorrected():
            this_round.missed.clear()
            laid = this_round.hand(event.hand)[event.place - 1]
            _correct_seen(table, this_round, laid.card, event.card)
            laid.card = Card(event.card)
            this_round.misplaced = not event.proper
        case e.CardsFound():
            this_round.missed.clear()
            this_round.cards, this_round.accepted = _lay_cards(event.laid), 0
            this_round.misplaced = not event.proper
        case e.CardsReconstructed():
            this_round.missed.clear()
            this_round.cards = _lay_cards(event.laid)
            this_round.misplaced = False
            if table.shoe is not None and table.shoe.number == this_round.shoe:
                table.carried.extendleft(reversed(event.carried))


def _lay_cards(cards: Iterable[LaidCard]) -> list[Laid]:
    """Cards in the order they were drawn, each with its place in its hand."""
    places: Counter[str] = Counter()
    laid = []
    for card in cards:
        places[card.hand] += 1
        laid.append(Laid(Card(card.card), card.hand, places[card.hand], card.face_up, card.dealt_up))
    return laid


def _correct_seen(table: Table, this_round: Round, recorded: str, card: str) -> None:
    """The shoe of the round showed another card than was recorded."""
    shoe = table.shoe_of(this_round)
    if shoe is not None:
        shoe.seen[recorded] -= 1
        shoe.seen[card] += 1


def _forget_unseen(table: Table, this_round: Round) -> None:
    """Cards that go with a void round and lay face down were never seen by anybody."""
    shoe = table.shoe_of(this_round)
    if shoe is not None:
        shoe.seen.subtract(laid.card for laid in this_round.cards if not laid.face_up)


def _end_round(
    table: Table,
    this_round: Round,
    event: e.RoundSettled | e.RoundVoided | e.RoundConcluded | e.SettlementReopened,
) -> None:
    match event:
        case e.RoundSettled():
            # Bets that were given back before a settlement was reopened keep their lines.
            this_round.phase, this_round.lines = "settled", (*this_round.lines, *event.lines)
            if table.shoe is not None and this_round.shoe == table.shoe.number:
                table.shoe.played, table.unplayed_in_a_row = True, 0
            this_round.squeeze = None
            if this_round.shoe == table.shoes:
                table.results[this_round.number] = road_result(
                    event.player, event.banker, event.winner, event.points
                )
        case e.RoundVoided():
            _forget_unseen(table, this_round)
            this_round.phase, this_round.lines = "void", ()
            this_round.interrupted, this_round.options, this_round.reported = False, None, None
            this_round.announced.clear()
            table.results.pop(this_round.number, None)
        case e.RoundConcluded():
            this_round.phase = "concluded"
        case e.SettlementReopened():
            this_round.phase, this_round.reopened = "dealing", True
            this_round.lines = tuple(line for line in this_round.lines if line.given_back)
            table.results.pop(this_round.number, None)


def _correct_round(table: Table, event: e.RoundCorrected) -> None:
    """A round that is over is put right: its lines, its cards, its place on the roads."""
    table.corrected[event.round] = table.corrected.get(event.round, 0) + 1
    if event.round in table.past:
        table.past[event.round] = correct_past(table.past[event.round], event)
    elif table.round is not None and table.round.number == event.round:
        _correct_on_table(table, table.round, event)
    if event.void:
        table.results.pop(event.round, None)
    elif event.round in table.results:
        table.results[event.round] = road_result(event.player, event.banker, event.winner, event.points)


def _correct_on_table(table: Table, this_round: Round, event: e.RoundCorrected) -> None:
    """The round that still lies on the table is put right: its lines, and its cards if they were others."""
    this_round.lines = lines_after(this_round.lines, event)
    if event.void:
        this_round.phase = "void"
    for line in event.posted:
        if line.given_back:
            _give_back(table, this_round, line.key)
    hands = tuple(this_round.values("player")), tuple(this_round.values("banker"))
    if hands != (event.player, event.banker):
        drawn = zip_longest(*(enumerate(hand, start=1) for hand in (event.player, event.banker)))
        sides: tuple[Side, Side] = ("player", "banker")
        this_round.cards = [
            Laid(Card(put[1]), side, put[0], face_up=True)
            for both in drawn
            for side, put in zip(sides, both, strict=True)
            if put is not None
        ]


def correct_past(past: Past, event: e.RoundCorrected) -> Past:
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
    reversed_keys = {line.key for line in event.reversed}
    kept = [line for line in lines if line.key not in reversed_keys]
    return tuple(sorted((*kept, *event.posted), key=lambda line: line.key))


def road_result(player: tuple[str, ...], banker: tuple[str, ...], winner: str, points: int) -> Result:
    """What the roads need to know of a round."""
    pairs = [bool(Hand(tuple(Card(card) for card in hand), 0).pair) for hand in (player, banker)]
    return Result(
        "tie" if winner == "tie" else "player" if winner == "player" else "banker", pairs[0], pairs[1], points
    )


def _bet_placed(table: Table, this_round: Round, event: e.BetPlaced) -> None:
    this_round.turns += 1
    chips = [(this_round.turns, event.stake)]
    placed = Placed(event.key, event.player, event.box, event.bet, event.stake, event.seated, chips)
    this_round.bets[event.key] = placed
    this_round.by_place[event.player, event.box, event.bet] = event.key
    this_round.live_in_box[event.box, event.player] += 1
    table.keys = event.key
    _weigh(table, this_round, placed, event.stake)


def _card_dealt(table: Table, this_round: Round, event: e.CardDealt) -> None:
    this_round.missed.clear()
    this_round.key_at_card = table.keys
    this_round.cards.append(Laid(Card(event.card), event.hand, event.place, event.face_up, event.face_up))
    this_round.misplaced = this_round.misplaced or not event.proper
    if event.carried:
        table.carried.remove(event.card)
    else:
        _out_of_shoe(table, event.card)


def _out_of_shoe(table: Table, card: str) -> None:
    """A card left the shoe in use."""
    if table.shoe is not None:
        table.shoe.dealt += 1
        table.shoe.seen[card] += 1


def _bet_increased(table: Table, this_round: Round, event: e.BetIncreased) -> None:
    placed = this_round.bets[event.key]
    placed.stake += event.stake
    this_round.turns += 1
    placed.chips.append((this_round.turns, event.stake))
    _weigh(table, this_round, placed, event.stake)


_FREQUENT: dict[type, Callable[[Table, Round, Any], None]] = {
    e.BetPlaced: _bet_placed,
    e.BetIncreased: _bet_increased,
    e.CardDealt: _card_dealt,
}
"""Most events are these; they are looked up before anything else is asked."""
