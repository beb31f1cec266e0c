"""What would follow, as sentences: the events of an irregularity told before they happen.

Cards are not told here, only what is done with them: what lies face down stays there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from lammer.game.money import show
from lammer.table import events as e


class Says(Protocol):
    """A text in the reader's language, its places filled."""

    def __call__(self, text: str, **values: Any) -> str: ...


def tell_consequences(t: Says, events: Iterable[e.Event]) -> list[tuple[str, str]]:
    """Each event that matters as a sentence, with its paragraph.

    >>> events = [e.OptionsOffered(("p1",), "", True, ("5.9",))]
    >>> tell_consequences(lambda text, **values: text.format(**values), events)
    [('p1 may go on or have the bets back.', '5.9')]
    """
    made = []
    for event in events:
        sentence = _cards(t, event) or _recorded(t, event) or _money(t, event)
        if sentence:
            cite = getattr(event, "cite", "") or " ".join(getattr(event, "cites", ()))
            made.append((sentence, cite))
    return made


def _cards(t: Says, event: e.Event) -> str:
    match event:
        case e.CardsReconstructed():
            back = len(event.carried)
            carried = t(" {count} go to the next round.", count=back) if back else ""
            return t("The cards are put into their intended order.") + carried
        case e.CardsStand():
            return t("The cards stay where they lie.")
        case e.OptionsOffered():
            return t("{players} may go on or have the bets back.", players=", ".join(event.players))
        case e.WindowOpened():
            return t("Insurance is open.")
        case e.CutCardShown():
            words = "This is the last round of the shoe."
            return t("Players may withdraw their bets.") if event.withdrawal else t(words)
        case e.ShoeEnded():
            return t("The shoe is taken away.")
        case e.ShoeToBeReplaced():
            return t("The shoe is replaced after this round.")
        case e.CardDetermined():
            return t("The card counts as it was found to be.")
        case e.InterruptionResolved():
            by = ", ".join(event.decided_by)
            return (
                t("An outcome stands ({bets}); the round is concluded.", bets=by)
                if by
                else t("The round goes on.")
            )
        case e.IrregularityNoted():
            return t("It is written down.")
        case _:
            return ""


def _recorded(t: Says, event: e.Event) -> str:
    """What is put into the record: cards as they really are, and who will insure."""
    match event:
        case e.CardCorrected():
            return t("The record says the right card.") + (
                "" if event.proper else t(" The cards then lie against the rules.")
            )
        case e.CardsFound():
            return t("The record says where the cards really lie.")
        case e.CardExposed():
            return t("The card is the next one out of the shoe.")
        case e.BettingClosed():
            return t("No more bets are taken.")
        case e.WindowPassed():
            return t("Insurance is over.")
        case e.InsuranceAnnounced():
            return t("{player} will insure; the next card waits.", player=event.player)
        case e.InsuranceDeclined():
            return t("{player} will not insure after all.", player=event.player)
        case _:
            return ""


def _corrected(t: Says, event: e.RoundCorrected) -> str:
    if event.void:
        return t("Round {round} becomes void.", round=event.round)
    if not event.reversed and not event.posted:
        return t("The record of round {round} is put right; its money stands.", round=event.round)
    if event.because == "missed_insurance":
        players = ", ".join(dict.fromkeys(line.player for line in event.posted))
        return t("The bets of {players} go back.", players=players)
    return t("Round {round} is settled again.", round=event.round)


def _money(t: Says, event: e.Event) -> str:
    match event:
        case e.RoundVoided():
            amount = sum(back.amount for back in event.returned)
            return t("The round is void; {amount} goes back.", amount=show(amount))
        case e.BetsReturned():
            players = ", ".join(dict.fromkeys(back.player for back in event.returned))
            return t("The bets of {players} go back.", players=players)
        case e.BetReduced() | e.BetCut():
            return t("{player} gets {amount} back.", player=event.player, amount=show(event.amount))
        case e.SettlementReopened():
            return t("The settlement of round {round} is undone.", round=event.round)
        case e.RoundSettled():
            return t("Round {round} is settled again.", round=event.round)
        case e.RoundCorrected():
            return _corrected(t, event)
        case e.InsuranceRepositioned():
            return t("The Insurance of {player} is moved.", player=event.player)
        case e.MissedInsuranceOffered():
            return t("Insurance is offered to {players}.", players=", ".join(event.players))
        case e.RoundConcluded():
            return t("The round is concluded without play.")
        case e.MatterRuled():
            return t("The ruling is written down.")
        case _:
            return ""
