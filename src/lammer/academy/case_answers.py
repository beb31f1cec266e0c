"""What a case may lead to: the answers to choose from, and which of them the table's own events mean.

Answers of one set exclude each other, and a set is a set of meanings: whatever a table does in a case of that
sort means exactly one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lammer.academy.items import Choice
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.table import events as e

Result = tuple[e.Event, ...] | Refused


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to one sort of case; `meaning` names the one that a result at the table has."""

    choices: tuple[Choice, ...]
    meaning: Callable[[Result], str]


VOID: Final = Choice("void", Phrase("The round is void and every bet goes back"))
OPTIONS: Final = Choice("options", Phrase("Each player chooses: play on, or have the bets back"))
GOES_ON: Final = Choice("goes_on", Phrase("The round goes on, and nobody has a choice"))
CONCLUDED: Final = Choice("concluded", Phrase("The round is played out: something has been decided"))
REFUSED: Final = Choice("refused", Phrase("It is refused"))
TAKEN: Final = Choice("taken", Phrase("It is done as asked"))
WITHDRAWAL: Final = Choice("withdrawal", Phrase("Players may withdraw their bets before the first card"))
LATE_OFFER: Final = Choice("late_offer", Phrase("Insurance is offered late"))
ORIGINAL_BACK: Final = Choice("original_back", Phrase("The Original Bet goes back"))
NOTHING_BACK: Final = Choice("nothing_back", Phrase("Nothing is offered and nothing goes back"))
STANDS: Final = Choice("stands", Phrase("The round before stands as it was settled"))
EARLIER_VOID: Final = Choice("earlier_void", Phrase("The round before becomes void"))
STRUCK: Final = Choice("struck", Phrase("The card that was not due is struck out"))
COUNTS: Final = Choice("counts", Phrase("The cards count as they lay"))
SETTLED: Final = Choice("settled", Phrase("The bet is settled like any other"))
BET_BACK: Final = Choice("bet_back", Phrase("The bet goes back"))
AS_MEANT: Final = Choice("as_meant", Phrase("The bet is settled as it was meant"))

MOVED: Final = Choice("moved", Phrase("It is moved to the hand it was meant to insure"))
LEFT_LYING: Final = Choice("left_lying", Phrase("It is settled where it lies"))
INSURANCE_BACK: Final = Choice("insurance_back", Phrase("It goes back"))


def _find(result: Result, *kinds: type) -> e.Event | None:
    events: Sequence[e.Event] = () if isinstance(result, Refused) else result
    return next((event for event in events if isinstance(event, kinds)), None)


def _of_error(result: Result) -> str:
    if _find(result, e.RoundVoided):
        return VOID.name
    return OPTIONS.name if _find(result, e.OptionsOffered) else GOES_ON.name


def _of_interruption(result: Result) -> str:
    return VOID.name if _find(result, e.RoundVoided) else CONCLUDED.name


def _of_request(result: Result) -> str:
    return REFUSED.name if isinstance(result, Refused) else TAKEN.name


def _of_cut_card(result: Result) -> str:
    shown = _find(result, e.CutCardShown)
    return WITHDRAWAL.name if isinstance(shown, e.CutCardShown) and shown.withdrawal else GOES_ON.name


def _of_missed_insurance(result: Result) -> str:
    if _find(result, e.MissedInsuranceOffered):
        return LATE_OFFER.name
    return ORIGINAL_BACK.name if _find(result, e.BetsReturned) else NOTHING_BACK.name


def _of_earlier_round(result: Result) -> str:
    return EARLIER_VOID.name if _find(result, e.RoundCorrected) else STANDS.name


def _of_broken_round(result: Result) -> str:
    corrected = _find(result, e.RoundCorrected)
    if not isinstance(corrected, e.RoundCorrected):
        return COUNTS.name
    return EARLIER_VOID.name if corrected.void else STRUCK.name


def _of_bet(result: Result) -> str:
    return SETTLED.name if _find(result, e.RoundSettled) else BET_BACK.name


def _of_insurance_astray(result: Result) -> str:
    return MOVED.name if _find(result, e.InsuranceRepositioned) else LEFT_LYING.name


ERROR: Final = Answers((VOID, OPTIONS, GOES_ON), _of_error)
INTERRUPTION: Final = Answers((VOID, CONCLUDED, OPTIONS), _of_interruption)
REQUEST: Final = Answers((REFUSED, TAKEN, OPTIONS), _of_request)
CUT_CARD: Final = Answers((WITHDRAWAL, GOES_ON, VOID), _of_cut_card)
MISSED_INSURANCE: Final = Answers((LATE_OFFER, ORIGINAL_BACK, NOTHING_BACK), _of_missed_insurance)
EARLIER_ROUND: Final = Answers((STANDS, EARLIER_VOID), _of_earlier_round)
BROKEN_ROUND: Final = Answers((EARLIER_VOID, STRUCK, COUNTS), _of_broken_round)
BET_OF_SOMEBODY: Final = Answers((SETTLED, BET_BACK, AS_MEANT), _of_bet)
INSURANCE_ASTRAY: Final = Answers((MOVED, LEFT_LYING, INSURANCE_BACK), _of_insurance_astray)

PLAYERS_CHOOSE: Final = Answers(
    (
        Choice("play_on_or_back", Phrase("To play on, or to have their bets back")),
        Choice("withdraw", Phrase("To withdraw their bets before the first card")),
        Choice("insure", Phrase("To insure now")),
        Choice("nothing", Phrase("Nothing")),
    ),
    lambda result: (
        "play_on_or_back"
        if _find(result, e.OptionsOffered)
        else "withdraw"
        if _of_cut_card(result) == WITHDRAWAL.name
        else "insure"
        if _find(result, e.MissedInsuranceOffered)
        else "nothing"
    ),
)
"""What the players themselves may choose."""
