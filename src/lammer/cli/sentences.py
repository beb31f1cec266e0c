"""Each event of a table in sentences, with its paragraph: what staff need to know of it, in the pit's words.

Bets and irregularities are called by their titles in the rulebook, never by their names in code. A new event
gets a line in `_SENTENCES` at the end; a test says which has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lammer.cli.money_sentences import corrected, reopened, settled
from lammer.cli.pit_words import (
    Sentence,
    bet_title,
    established,
    irregularity_title,
    listed,
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
    said = say(table, event) if say is not None else words(type(event).__name__)
    if not isinstance(said, str):
        return said
    return [Sentence(said, getattr(event, "cite", "") or " ".join(getattr(event, "cites", ())))]


def _hands(laid: Iterable[LaidCard]) -> str:
    cards = {side: " ".join(card.card for card in laid if card.hand == side) for side in ("player", "banker")}
    return f"Player {cards['player']}, Banker {cards['banker']}"


def _placed(table: Table, event: e.BetPlaced) -> str:
    stands = "" if event.seated else ", standing"
    warned = f" ({words(event.warning)})" if event.warning else ""
    bet = bet_title(table, event.bet)
    return f"{event.player} bets {show(event.stake)} on {bet}, box {event.box}{stands}{warned}"


def _bet(table: Table, key: int) -> str:
    """A bet on the felt by its key, in words."""
    here = table.round
    if here is not None and key in here.bets:
        return f"{bet_title(table, here.bets[key].bet)}, box {here.bets[key].box}"
    if here is not None and key in here.insured:
        return f"Insurance on {here.insured[key].hand.capitalize()}, box {here.insured[key].box}"
    return "a bet"


def _increased(table: Table, event: e.BetIncreased) -> str:
    warned = f" ({words(event.warning)})" if event.warning else ""
    return f"{event.player} adds {show(event.stake)} to {_bet(table, event.key)}{warned}"


def _reduced(table: Table, event: e.BetReduced) -> str:
    why = irregularity_title(table, event.because)
    return f"{event.player} gets back {show(event.amount)} of {_bet(table, event.key)}: {why}"


def _cut(table: Table, event: e.BetCut) -> str:
    played, back = show(event.played), show(event.amount)
    return f"{event.player} plays {played} on {_bet(table, event.key)}; {back} goes back unplayed"


def _window(table: Table, event: e.WindowOpened) -> list[Sentence]:
    here, when = table.round, WINDOWS[event.window]
    assert here is not None
    held = {side: total(table.book, here.values(side)) for side in ("player", "banker")}
    found = []
    for offer in event.offers:
        other = "banker" if offer.hand == "player" else "player"
        hands = f"{offer.hand.capitalize()} {held[offer.hand]} against {other.capitalize()} {held[other]}"
        pays = Odds.parse(offer.odds).spoken
        found.append(Sentence(f"Insurance is open {when}: {hands} pays {pays}", offer.cite))
    return found


def _passed(table: Table, event: e.WindowPassed) -> str:
    lost = f"; forgone by {listed(event.forgone)}" if event.forgone else ""
    return f"Insurance {WINDOWS[event.window]} is over{lost}"


def _dealt(table: Table, event: e.CardDealt) -> str:
    shown = event.card if event.face_up else "A card face down"
    kept = ", kept from before" if event.carried else ""
    wrong = "" if event.proper else ", where the rules did not send it"
    return f"{shown} to {event.hand.capitalize()}{kept}{wrong}"


def _opened(table: Table, event: e.CardOpened) -> str:
    cards = table.round.hand(event.hand) if table.round is not None else []
    shown = next((laid.card for laid in cards if laid.place == event.place), "")
    return f"{event.hand.capitalize()}'s card {event.place} is opened: {shown}"


def _determined(table: Table, event: e.CardDetermined) -> str:
    cards = table.round.hand(event.hand) if table.round is not None else []
    before = next((laid.card for laid in cards if laid.place == event.place), "")
    wrong = "" if event.proper else "; the cards no longer lie where the rules send them"
    return (
        f"{event.hand.capitalize()}'s card {event.place}, recorded as {before}, counts as {event.card}{wrong}"
    )


def _reconstructed(table: Table, event: e.CardsReconstructed) -> str:
    lay = [LaidCard(laid.card, laid.hand, laid.face_up) for laid in table.round.cards] if table.round else []
    rest = f"; {' '.join(event.carried)} waits for the next round" if event.carried else ""
    return f"The cards are put right: they lay {_hands(lay)}; now {_hands(event.laid)}{rest}"


def _shoe(table: Table, event: e.ShoePrepared) -> str:
    bound = f"bound to {event.commitment[:16]}…" if event.commitment else "read card by card"
    return f"Shoe {event.shoe} of {event.decks} decks, {bound}"


def _cut_card(table: Table, event: e.CutCardShown) -> str:
    first = "The cut card is the first card" if event.first else "The cut card appears"
    withdrawal = "; players may withdraw their bets" if event.withdrawal else ""
    return f"{first}: this is the last round of the shoe{withdrawal}"


def _backs(table: Table, returned: Sequence[Returned]) -> str:
    """Stakes given back, each with its bet."""
    if not returned:
        return "no bets to return"
    backs = [f"{back.player} {show(back.amount)} of {_bet(table, back.key)}" for back in returned]
    return f"returned: {'; '.join(backs)}"


def _voided(table: Table, event: e.RoundVoided) -> str:
    cause = irregularity_title(table, event.cause)
    outcome = ", and no outcome is established" if event.cause == "technical_interruption" else ""
    return f"Round {event.round} is void: {cause}{outcome}; {_backs(table, event.returned)}"


def _returned(table: Table, event: e.BetsReturned) -> str:
    chosen = event.because == "players_options"
    why = "As the players chose" if chosen else irregularity_title(table, event.because)
    return f"{why}: {_backs(table, event.returned)}"


def _interrupted(table: Table, event: e.RoundInterrupted) -> str:
    return f"Round {event.round} is interrupted: {event.reason}"


def _resolved(table: Table, event: e.InterruptionResolved) -> str:
    if not event.decided_by:
        return f"Round {event.round} goes on"
    by = established(table, event.decided_by, outcome_now(table))
    return f"An outcome is established ({by}): round {event.round} is played to its end"


def _options(table: Table, event: e.OptionsOffered) -> list[Sentence]:
    outcome = outcome_now(table)
    put_right = " with the hand put right" if event.put_right else ""
    found = "No outcome is established"
    if outcome is not None and outcome.established:
        found = f"An outcome is established ({established(table, outcome.by, outcome)})"
    because = irregularity_title(table, event.because)
    offered = f"{listed(event.players)} may continue{put_right} or have their bets returned"
    return [Sentence(f"{because}. {found}: {offered}", " ".join(event.cites))]


def _chosen(table: Table, event: e.OptionChosen) -> str:
    wish = "continues" if event.choice == "continue" else "has their bets returned"
    recorded = f", recorded by {event.recorded_by}" if event.recorded_by else ""
    return f"{event.player} {wish}{recorded}"


def _noted(table: Table, event: e.IrregularityNoted) -> str:
    detail = f": {event.detail}" if event.detail else ""
    return f"{irregularity_title(table, event.name)}{detail}"


def _insured(table: Table, event: e.InsurancePlaced) -> str:
    hand = event.hand.capitalize()
    late = ", offered late" if event.late else ""
    return f"{event.player} insures {hand} with {show(event.stake)} at {event.odds}, box {event.box}{late}"


def _corrected_card(table: Table, event: e.CardCorrected) -> str:
    hand = table.round.hand(event.hand) if table.round is not None else []
    was = hand[event.place - 1].card if len(hand) >= event.place else "another card"
    because = f", because {event.reason}" if event.reason else ""
    lies = "" if event.proper else "; the cards now lie where the rules did not send them"
    which = f"{event.hand.capitalize()} card {event.place}"
    return f"{which} was recorded as {was} and is {event.card}{because}{lies}"


def _found(table: Table, event: e.CardsFound) -> str:
    lies = "where the rules send them" if event.proper else "where the rules did not send them"
    return f"The cards really lie {lies}: {_hands(event.laid)}"


def _repositioned(table: Table, event: e.InsuranceRepositioned) -> str:
    return f"{event.player}'s Insurance is moved to {event.hand.capitalize()} at {event.odds}"


def _ruled(table: Table, event: e.MatterRuled) -> str:
    return f"Ruled: {words(event.effect)}, because {event.reason}"


def _set(table: Table, event: e.TableSet) -> str:
    setup, book = event.setup, table.books[event.setup.rulebook]
    readings = "".join(f"; {words(name)}: {words(choice)}" for name, choice in setup.readings.items())
    set_to = f"The table is set to {book.title} v{book.version}, layout {setup.layout}"
    out_of_force = f"; not in force, played because {event.reason}" if event.reason else ""
    return f"{set_to}; Differential {show(setup.differential)}{readings}{out_of_force}"


def _answered(table: Table, event: e.SqueezeAnswered) -> str:
    waived = "; Insurance after the Player's third card is waived" if event.consent and event.waives else ""
    answer = "consents" if event.consent else "declines"
    return f"The House {answer}: {event.player} asked {SQUEEZES[event.what]}{waived}"


_SENTENCES: dict[type, Callable[[Table, Any], str | list[Sentence]]] = {
    e.TableSet: _set,
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
    e.ShoePrepared: _shoe,
    e.ShoeEnded: lambda table, event: (
        f"Shoe {event.shoe} ends{' and its order is revealed' * bool(event.order)}"
        f"{f': {event.reason}' if event.reason else ''}"
    ),
    e.ShoeToBeReplaced: lambda table, event: "The shoe is replaced after this round",
    e.BettingOpened: lambda table, event: f"Round {event.round}: Place your Bets, please",
    e.BetPlaced: _placed,
    e.BetIncreased: _increased,
    e.BetReduced: _reduced,
    e.BettingClosed: lambda table, event: "No more Bets",
    e.BetCut: _cut,
    e.CardDealt: _dealt,
    e.CardOpened: _opened,
    e.CardDetermined: _determined,
    e.CardsReconstructed: _reconstructed,
    e.CardExposed: lambda table, event: f"{event.card} was seen and will be the next card",
    e.CardCorrected: _corrected_card,
    e.CardsFound: _found,
    e.CardsStand: lambda table, event: "The cards cannot be put right and stay where they lie",
    e.CutCardShown: _cut_card,
    e.WithdrawalClosed: lambda table, event: "Nobody may withdraw any longer",
    e.WindowOpened: _window,
    e.WindowPassed: _passed,
    e.InsuranceAnnounced: lambda table, event: (
        f"{event.player} will insure {event.hand.capitalize()}, box {event.box}; no card is drawn before"
    ),
    e.InsuranceDeclined: lambda table, event: (
        f"{event.player} will not insure {event.hand.capitalize()}, box {event.box}, after all"
    ),
    e.InsurancePlaced: _insured,
    e.InsuranceRepositioned: _repositioned,
    e.MissedInsuranceOffered: lambda table, event: (
        f"Insurance on {event.hand.capitalize()} is offered late to {listed(event.players)}"
    ),
    e.SqueezeRequested: lambda table, event: f"{event.player} asks {SQUEEZES[event.what]}",
    e.SqueezeAnswered: _answered,
    e.RoundSettled: settled,
    e.RoundVoided: _voided,
    e.RoundConcluded: lambda table, event: f"Round {event.round} is concluded without play",
    e.RoundInterrupted: _interrupted,
    e.InterruptionResolved: _resolved,
    e.IrregularityNoted: _noted,
    e.ErrorReported: lambda table, event: f"A dealing error is reported: {event.what}. The round waits",
    e.ErrorRejected: lambda table, event: f"No dealing error, the round goes on: {event.what}",
    e.OptionsOffered: _options,
    e.OptionChosen: _chosen,
    e.OptionsClosed: lambda table, event: f"The asking ends; {listed(event.continuing)} continues",
    e.BetsReturned: _returned,
    e.SettlementReopened: reopened,
    e.RoundCorrected: corrected,
    e.MatterRuled: _ruled,
}
