"""What would follow, as sentences: the events of an irregularity told before they happen.

Cards are not told here, only what is done with them: what lies face down stays there.
"""

from __future__ import annotations

from collections.abc import Iterable

from lammer.table import events as e
from lammer.wording.catalogues import Language, say, say_count
from lammer.wording.figures import write_list, write_money


def tell_consequences(language: Language, events: Iterable[e.Event]) -> list[tuple[str, str]]:
    """Each event that matters as a sentence, with its paragraph.

    >>> events = [e.OptionsOffered(("p1",), "", True, ("5.9",))]
    >>> tell_consequences("en", events)
    [('p1 may go on or have the bets back.', '5.9')]
    """
    made = []
    for event in events:
        sentence = _cards(language, event) or _recorded(language, event) or _money(language, event)
        if sentence:
            cite = getattr(event, "cite", "") or " ".join(getattr(event, "cites", ()))
            made.append((sentence, cite))
    return made


def _cards(language: Language, event: e.Event) -> str:
    match event:
        case e.CardsReconstructed():
            back = len(event.carried)
            goes = " {count} card goes to the next round.", " {count} cards go to the next round."
            carried = say_count(language, *goes, back) if back else ""
            return say(language, "The cards are put into their intended order.") + carried
        case e.CardsStand():
            return say(language, "The cards stay where they lie.")
        case e.OptionsOffered():
            return say(
                language,
                "{players} may go on or have the bets back.",
                players=write_list(language, event.players),
            )
        case e.WindowOpened():
            return say(language, "Insurance is open.")
        case e.CutCardShown():
            words = "This is the last round of the shoe."
            return (
                say(language, "Players may withdraw their bets.")
                if event.withdrawal
                else say(language, words)
            )
        case e.ShoeEnded():
            return say(language, "The shoe is taken away.")
        case e.ShoeToBeReplaced():
            return say(language, "The shoe is replaced after this round.")
        case e.CardDetermined():
            return say(language, "The card counts as it was found to be.")
        case e.InterruptionResolved():
            by = write_list(language, event.decided_by)
            return (
                say(language, "An outcome stands ({bets}); the round is concluded.", bets=by)
                if by
                else say(language, "The round goes on.")
            )
        case e.IrregularityNoted():
            return say(language, "It is written down.")
        case _:
            return ""


def _recorded(language: Language, event: e.Event) -> str:
    """What is put into the record: cards as they really are, and who will insure."""
    match event:
        case e.CardCorrected():
            return say(language, "The record says the right card.") + (
                "" if event.proper else say(language, " The cards then lie against the rules.")
            )
        case e.CardsFound():
            return say(language, "The record says where the cards really lie.")
        case e.CardExposed():
            return say(language, "The card is the next one out of the shoe.")
        case e.BettingClosed():
            return say(language, "No more bets are taken.")
        case e.WindowPassed():
            return say(language, "Insurance is over.")
        case e.InsuranceAnnounced():
            return say(language, "{player} will insure; the next card waits.", player=event.player)
        case e.InsuranceDeclined():
            return say(language, "{player} will not insure after all.", player=event.player)
        case _:
            return ""


def _corrected(language: Language, event: e.RoundCorrected) -> str:
    if event.void:
        return say(language, "Round {round} becomes void.", round=event.round)
    if not event.reversed and not event.posted:
        return say(language, "The record of round {round} is put right; its money stands.", round=event.round)
    if event.because == "missed_insurance":
        players = write_list(language, dict.fromkeys(line.player for line in event.posted))
        return say(language, "The bets of {players} go back.", players=players)
    return say(language, "Round {round} is settled again.", round=event.round)


def _money(language: Language, event: e.Event) -> str:
    match event:
        case e.RoundVoided():
            amount = sum(back.amount for back in event.returned)
            return say(
                language, "The round is void; {amount} goes back.", amount=write_money(language, amount)
            )
        case e.BetsReturned():
            players = write_list(language, dict.fromkeys(back.player for back in event.returned))
            return say(language, "The bets of {players} go back.", players=players)
        case e.BetReduced() | e.BetCut():
            return say(
                language,
                "{player} gets {amount} back.",
                player=event.player,
                amount=write_money(language, event.amount),
            )
        case e.SettlementReopened():
            return say(language, "The settlement of round {round} is undone.", round=event.round)
        case e.RoundSettled():
            return say(language, "Round {round} is settled again.", round=event.round)
        case e.RoundCorrected():
            return _corrected(language, event)
        case e.InsuranceRepositioned():
            return say(language, "The Insurance of {player} is moved.", player=event.player)
        case e.MissedInsuranceOffered():
            return say(
                language, "Insurance is offered to {players}.", players=write_list(language, event.players)
            )
        case e.RoundConcluded():
            return say(language, "The round is concluded without play.")
        case e.MatterRuled():
            return say(language, "The ruling is written down.")
        case _:
            return ""
