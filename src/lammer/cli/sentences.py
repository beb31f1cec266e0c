"""Each event of a table in sentences, with its paragraph: what staff need to know of it, in the pit's words.

Bets and irregularities are called by their titles in the rulebook, never by their names in code. A new event
gets a line in `_SENTENCES` at the end; a test says which has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lammer.cli.money_sentences import round_corrected, round_settled, settlement_reopened
from lammer.cli.pit_words import (
    Sentence,
    bet_title,
    establishing_bets,
    irregularity_title,
    join_names,
    outcome_now,
    words,
)
from lammer.game.hands import total
from lammer.game.money import show
from lammer.rulebook.odds import Odds
from lammer.table import events as e
from lammer.table.records import LaidCard, Returned
from lammer.table.state import Table

SQUEEZES = {
    "card": "to squeeze",
    "squeeze_banker_third_first": "to squeeze the Banker's third card first",
    "expose_banker_third_first": "to have the Banker's third card opened first",
}
WINDOWS = {"four_cards": "after four cards", "third_card": "after the Player's third card"}


def sentences(table: Table, event: e.Event) -> list[Sentence]:
    """What happened in words; `table` is how it stood before.

    >>> sentences(Table({}), e.BettingOpened(12))
    [Sentence(text='Round 12: Place your Bets, please', cite='', style='')]
    """
    say = _SENTENCES.get(type(event))
    text = say(table, event) if say is not None else words(type(event).__name__)
    if not isinstance(text, str):
        return text
    return [Sentence(text, getattr(event, "cite", "") or " ".join(getattr(event, "cites", ())))]


def _hands(laid: Iterable[LaidCard]) -> str:
    cards = {side: " ".join(card.card for card in laid if card.hand == side) for side in ("player", "banker")}
    return f"Player {cards['player']}, Banker {cards['banker']}"


def _bet_placed(table: Table, event: e.BetPlaced) -> str:
    standing = "" if event.seated else ", standing"
    warned = f" ({words(event.warning)})" if event.warning else ""
    bet = bet_title(table, event.bet)
    return f"{event.player} bets {show(event.stake)} on {bet}, box {event.box}{standing}{warned}"


def _bet_words(table: Table, key: int) -> str:
    """A bet on the felt by its key, in words."""
    this_round = table.round
    if this_round is not None and key in this_round.bets:
        return f"{bet_title(table, this_round.bets[key].bet)}, box {this_round.bets[key].box}"
    if this_round is not None and key in this_round.insured:
        return f"Insurance on {this_round.insured[key].hand.capitalize()}, box {this_round.insured[key].box}"
    return "a bet"


def _bet_increased(table: Table, event: e.BetIncreased) -> str:
    warned = f" ({words(event.warning)})" if event.warning else ""
    return f"{event.player} adds {show(event.stake)} to {_bet_words(table, event.key)}{warned}"


def _bet_reduced(table: Table, event: e.BetReduced) -> str:
    why = irregularity_title(table, event.because)
    return f"{event.player} gets back {show(event.amount)} of {_bet_words(table, event.key)}: {why}"


def _bet_cut(table: Table, event: e.BetCut) -> str:
    played, back = show(event.played), show(event.amount)
    return f"{event.player} plays {played} on {_bet_words(table, event.key)}; {back} goes back unplayed"


def _window_opened(table: Table, event: e.WindowOpened) -> list[Sentence]:
    this_round, when = table.round, WINDOWS[event.window]
    assert this_round is not None
    held = {side: total(table.book, this_round.values(side)) for side in ("player", "banker")}
    lines = []
    for offer in event.offers:
        other = "banker" if offer.hand == "player" else "player"
        hands = f"{offer.hand.capitalize()} {held[offer.hand]} against {other.capitalize()} {held[other]}"
        pays = Odds.parse(offer.odds).spoken
        lines.append(Sentence(f"Insurance is open {when}: {hands} pays {pays}", offer.cite))
    return lines


def _window_passed(table: Table, event: e.WindowPassed) -> str:
    lost = f"; forgone by {join_names(event.forgone)}" if event.forgone else ""
    return f"Insurance {WINDOWS[event.window]} is over{lost}"


def _card_dealt(table: Table, event: e.CardDealt) -> str:
    card = event.card if event.face_up else "A card face down"
    kept = ", kept from before" if event.carried else ""
    wrong = "" if event.proper else ", where the rules did not send it"
    return f"{card} to {event.hand.capitalize()}{kept}{wrong}"


def _card_opened(table: Table, event: e.CardOpened) -> str:
    cards = table.round.hand(event.hand) if table.round is not None else []
    card = next((laid.card for laid in cards if laid.place == event.place), "")
    return f"{event.hand.capitalize()}'s card {event.place} is opened: {card}"


def _card_determined(table: Table, event: e.CardDetermined) -> str:
    cards = table.round.hand(event.hand) if table.round is not None else []
    before = next((laid.card for laid in cards if laid.place == event.place), "")
    wrong = "" if event.proper else "; the cards no longer lie where the rules send them"
    return (
        f"{event.hand.capitalize()}'s card {event.place}, recorded as {before}, counts as {event.card}{wrong}"
    )


def _cards_reconstructed(table: Table, event: e.CardsReconstructed) -> str:
    lay = [LaidCard(laid.card, laid.hand, laid.face_up) for laid in table.round.cards] if table.round else []
    rest = f"; {' '.join(event.carried)} waits for the next round" if event.carried else ""
    return f"The cards are put right: they lay {_hands(lay)}; now {_hands(event.laid)}{rest}"


def _shoe_prepared(table: Table, event: e.ShoePrepared) -> str:
    bound = f"bound to {event.commitment[:16]}…" if event.commitment else "read card by card"
    return f"Shoe {event.shoe} of {event.decks} decks, {bound}"


def _cut_card_shown(table: Table, event: e.CutCardShown) -> str:
    first = "The cut card is the first card" if event.first else "The cut card appears"
    withdrawal = "; players may withdraw their bets" if event.withdrawal else ""
    return f"{first}: this is the last round of the shoe{withdrawal}"


def _returned_stakes(table: Table, returned: Sequence[Returned]) -> str:
    """Stakes given back, each with its bet."""
    if not returned:
        return "no bets to return"
    stakes = [f"{stake.player} {show(stake.amount)} of {_bet_words(table, stake.key)}" for stake in returned]
    return f"returned: {'; '.join(stakes)}"


def _round_voided(table: Table, event: e.RoundVoided) -> str:
    cause = irregularity_title(table, event.cause)
    outcome = ", and no outcome is established" if event.cause == "technical_interruption" else ""
    return f"Round {event.round} is void: {cause}{outcome}; {_returned_stakes(table, event.returned)}"


def _bets_returned(table: Table, event: e.BetsReturned) -> str:
    chosen = event.because == "players_options"
    why = "As the players chose" if chosen else irregularity_title(table, event.because)
    return f"{why}: {_returned_stakes(table, event.returned)}"


def _round_interrupted(table: Table, event: e.RoundInterrupted) -> str:
    return f"Round {event.round} is interrupted: {event.reason}"


def _interruption_resolved(table: Table, event: e.InterruptionResolved) -> str:
    if not event.decided_by:
        return f"Round {event.round} goes on"
    by = establishing_bets(table, event.decided_by, outcome_now(table))
    return f"An outcome is established ({by}): round {event.round} is played to its end"


def _options_offered(table: Table, event: e.OptionsOffered) -> list[Sentence]:
    outcome = outcome_now(table)
    put_right = " with the hand put right" if event.put_right else ""
    outcome_words = "No outcome is established"
    if outcome is not None and outcome.established:
        outcome_words = f"An outcome is established ({establishing_bets(table, outcome.by, outcome)})"
    because = irregularity_title(table, event.because)
    offered = f"{join_names(event.players)} may continue{put_right} or have their bets returned"
    return [Sentence(f"{because}. {outcome_words}: {offered}", " ".join(event.cites))]


def _option_chosen(table: Table, event: e.OptionChosen) -> str:
    wish = "continues" if event.choice == "continue" else "has their bets returned"
    recorded = f", recorded by {event.recorded_by}" if event.recorded_by else ""
    return f"{event.player} {wish}{recorded}"


def _irregularity_noted(table: Table, event: e.IrregularityNoted) -> str:
    detail = f": {event.detail}" if event.detail else ""
    return f"{irregularity_title(table, event.name)}{detail}"


def _insurance_placed(table: Table, event: e.InsurancePlaced) -> str:
    hand = event.hand.capitalize()
    late = ", offered late" if event.late else ""
    return f"{event.player} insures {hand} with {show(event.stake)} at {event.odds}, box {event.box}{late}"


def _card_corrected(table: Table, event: e.CardCorrected) -> str:
    hand = table.round.hand(event.hand) if table.round is not None else []
    was = hand[event.place - 1].card if len(hand) >= event.place else "another card"
    because = f", because {event.reason}" if event.reason else ""
    lies = "" if event.proper else "; the cards now lie where the rules did not send them"
    which = f"{event.hand.capitalize()} card {event.place}"
    return f"{which} was recorded as {was} and is {event.card}{because}{lies}"


def _cards_found(table: Table, event: e.CardsFound) -> str:
    lies = "where the rules send them" if event.proper else "where the rules did not send them"
    return f"The cards really lie {lies}: {_hands(event.laid)}"


def _insurance_repositioned(table: Table, event: e.InsuranceRepositioned) -> str:
    return f"{event.player}'s Insurance is moved to {event.hand.capitalize()} at {event.odds}"


def _matter_ruled(table: Table, event: e.MatterRuled) -> str:
    return f"Ruled: {words(event.effect)}, because {event.reason}"


def _table_set(table: Table, event: e.TableSet) -> str:
    setup, book = event.setup, table.books[event.setup.rulebook]
    readings = "".join(f"; {words(name)}: {words(choice)}" for name, choice in setup.readings.items())
    set_to = f"The table is set to {book.title} v{book.version}, layout {setup.layout}"
    out_of_force = f"; not in force, played because {event.reason}" if event.reason else ""
    return f"{set_to}; Differential {show(setup.differential)}{readings}{out_of_force}"


def _squeeze_answered(table: Table, event: e.SqueezeAnswered) -> str:
    waived = "; Insurance after the Player's third card is waived" if event.consent and event.waives else ""
    answer = "consents" if event.consent else "declines"
    return f"The House {answer}: {event.player} asked {SQUEEZES[event.what]}{waived}"


_SENTENCES: dict[type, Callable[[Table, Any], str | list[Sentence]]] = {
    e.TableSet: _table_set,
    e.BankFilled: lambda table, event: f"The bank is filled with {show(event.amount)}",
    e.BankCredited: lambda table, event: f"{show(event.amount)} is taken from the bank",
    e.SeatTaken: lambda table, event: f"{event.player} sits down at box {event.box}",
    e.ChipsBrought: lambda table, event: f"{event.player} brings {show(event.amount)} to the table",
    e.ChipsTaken: lambda table, event: f"{event.player} takes {show(event.amount)} away",
    e.SeatLeft: lambda table, event: f"{event.player} leaves box {event.box}",
    e.WalkedAway: lambda table, event: f"{event.player} walks away; the bets play on",
    e.StaffBetsAllowed: lambda table, event: (
        f"{event.player} {'' if event.allowed else 'no longer '}lets staff bet for them"
    ),
    e.ShoePrepared: _shoe_prepared,
    e.ShoeEnded: lambda table, event: (
        f"Shoe {event.shoe} ends{' and its order is revealed' * bool(event.order)}"
        f"{f': {event.reason}' if event.reason else ''}"
    ),
    e.ShoeToBeReplaced: lambda table, event: "The shoe is replaced after this round",
    e.BettingOpened: lambda table, event: f"Round {event.round}: Place your Bets, please",
    e.BetPlaced: _bet_placed,
    e.BetIncreased: _bet_increased,
    e.BetReduced: _bet_reduced,
    e.BettingClosed: lambda table, event: "No more Bets",
    e.BetCut: _bet_cut,
    e.CardDealt: _card_dealt,
    e.CardOpened: _card_opened,
    e.CardDetermined: _card_determined,
    e.CardsReconstructed: _cards_reconstructed,
    e.CardExposed: lambda table, event: f"{event.card} was seen and will be the next card",
    e.CardCorrected: _card_corrected,
    e.CardsFound: _cards_found,
    e.CardsStand: lambda table, event: "The cards cannot be put right and stay where they lie",
    e.CutCardShown: _cut_card_shown,
    e.WithdrawalClosed: lambda table, event: "Nobody may withdraw any longer",
    e.WindowOpened: _window_opened,
    e.WindowPassed: _window_passed,
    e.InsuranceAnnounced: lambda table, event: (
        f"{event.player} will insure {event.hand.capitalize()}, box {event.box}; no card is drawn before"
    ),
    e.InsuranceDeclined: lambda table, event: (
        f"{event.player} will not insure {event.hand.capitalize()}, box {event.box}, after all"
    ),
    e.InsurancePlaced: _insurance_placed,
    e.InsuranceRepositioned: _insurance_repositioned,
    e.MissedInsuranceOffered: lambda table, event: (
        f"Insurance on {event.hand.capitalize()} is offered late to {join_names(event.players)}"
    ),
    e.SqueezeRequested: lambda table, event: f"{event.player} asks {SQUEEZES[event.what]}",
    e.SqueezeAnswered: _squeeze_answered,
    e.RoundSettled: round_settled,
    e.RoundVoided: _round_voided,
    e.RoundConcluded: lambda table, event: f"Round {event.round} is concluded without play",
    e.RoundInterrupted: _round_interrupted,
    e.InterruptionResolved: _interruption_resolved,
    e.IrregularityNoted: _irregularity_noted,
    e.ErrorReported: lambda table, event: f"A dealing error is reported: {event.what}. The round waits",
    e.ErrorRejected: lambda table, event: f"No dealing error, the round goes on: {event.what}",
    e.OptionsOffered: _options_offered,
    e.OptionChosen: _option_chosen,
    e.OptionsClosed: lambda table, event: f"The asking ends; {join_names(event.continuing)} continues",
    e.BetsReturned: _bets_returned,
    e.SettlementReopened: settlement_reopened,
    e.RoundCorrected: round_corrected,
    e.MatterRuled: _matter_ruled,
}
