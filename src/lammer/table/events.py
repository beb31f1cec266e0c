"""What happened at a table, in the past tense. State, ledger and roads follow from the events.

An event carries everything needed to fold it: no rule is applied twice. Amounts are whole cents, cards
are written as the pit writes them, `cite` and `cites` are paragraphs of the rulebook the table is set to.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lammer.rulebook.vocabulary import Side, Window
from lammer.table.records import LaidCard, OnOffer, PaidLine, Returned
from lammer.table.setup import SetUp

# Around the rounds: the set-up, the bank, players' chips, the seats, the shoe.


@dataclass(frozen=True, slots=True)
class TableSet:
    """The set-up, and the SHA-256 of the rulebook every round from here on stands on.

    `reason` is why a rulebook is played that was not in force; empty for one that was.
    """

    setup: SetUp
    sha256: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BankFilled:
    amount: int


@dataclass(frozen=True, slots=True)
class BankCredited:
    amount: int


@dataclass(frozen=True, slots=True)
class ChipsBrought:
    """From the player's purse to this table."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class ChipsTaken:
    """From this table back into the player's purse."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    player: str
    box: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    player: str
    box: int


@dataclass(frozen=True, slots=True)
class WalkedAway:
    player: str
    cite: str


@dataclass(frozen=True, slots=True)
class StaffBetsAllowed:
    """A player lets staff bet and choose for them at this table, or no longer."""

    player: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class ShoePrepared:
    """`commitment` is public; `order` and `salt` are for the record alone until the shoe ends."""

    shoe: int
    kind: str
    decks: int
    cut: int
    commitment: str
    order: tuple[str, ...]
    salt: str


@dataclass(frozen=True, slots=True)
class ShoeEnded:
    """`unplayed` if it was a virtual shoe with a round left in it and none settled; `reason` says why."""

    shoe: int
    commitment: str
    order: tuple[str, ...]
    salt: str
    reason: str = ""
    unplayed: bool = False


@dataclass(frozen=True, slots=True)
class ShoeToBeReplaced:
    cite: str


# Rounds.


@dataclass(frozen=True, slots=True)
class BettingOpened:
    """`set_up` counts the set-ups of the table so far, so that a round finds the one it was played under."""

    round: int
    set_up: int = 0


@dataclass(frozen=True, slots=True)
class BetPlaced:
    key: int
    player: str
    box: int
    bet: str
    stake: int
    seated: bool
    placed_by: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class BetIncreased:
    key: int
    player: str
    stake: int
    placed_by: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class BetReduced:
    """A bet withdrawn by its player or refused by the House, all of it or a part."""

    key: int
    player: str
    amount: int
    because: str
    cite: str


@dataclass(frozen=True, slots=True)
class BettingClosed:
    round: int
    below_minimum: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BetCut:
    """A bet cut pro rata to the Differential; what is not played goes back."""

    key: int
    player: str
    played: int
    amount: int
    cite: str


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card on the table; `proper` says whether it lies where the rules send it."""

    card: str
    hand: Side
    place: int
    face_up: bool
    proper: bool
    carried: bool
    cite: str


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card that came out of the shoe and was seen, and belongs to no hand: it will be the next one."""

    card: str
    cite: str


@dataclass(frozen=True, slots=True)
class CardsFound:
    """Where the cards really lie, in the order they were drawn; `proper` if the rules send them there."""

    laid: tuple[LaidCard, ...]
    proper: bool
    cite: str


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A card that had been recorded as another; `proper` if the cards now lie where the rules send them."""

    hand: Side
    place: int
    card: str
    proper: bool
    reason: str
    cite: str


@dataclass(frozen=True, slots=True)
class CardOpened:
    hand: Side
    place: int


@dataclass(frozen=True, slots=True)
class WindowOpened:
    window: Window
    offers: tuple[OnOffer, ...]


@dataclass(frozen=True, slots=True)
class WindowPassed:
    window: Window
    forgone: tuple[str, ...]
    cite: str


@dataclass(frozen=True, slots=True)
class InsuranceAnnounced:
    """A player told the dealer in time that they will insure: the next card waits for them."""

    player: str
    box: int
    hand: Side
    cite: str


@dataclass(frozen=True, slots=True)
class InsuranceDeclined:
    """A player will not insure a hand: they had said that they would, or tell the dealer not to wait.

    `recorded_by` is who of the staff ended the wait for them; empty where the player said so themselves.
    """

    player: str
    box: int
    hand: Side
    cite: str
    recorded_by: str = ""


@dataclass(frozen=True, slots=True)
class InsurancePlaced:
    """`late` if it was offered late, so that its winnings are capped.

    `astray` if the chips were put with the other hand than the one they insure.
    """

    key: int
    player: str
    box: int
    hand: Side
    window: Window
    stake: int
    odds: str
    placed_by: str
    cite: str
    late: bool = False
    astray: bool = False


@dataclass(frozen=True, slots=True)
class SqueezeRequested:
    player: str
    what: str
    cite: str


@dataclass(frozen=True, slots=True)
class SqueezeAnswered:
    player: str
    what: str
    consent: bool
    waives: bool
    cite: str


@dataclass(frozen=True, slots=True)
class RoundSettled:
    round: int
    player: tuple[str, ...]
    banker: tuple[str, ...]
    winner: str
    points: int
    lines: tuple[PaidLine, ...]


@dataclass(frozen=True, slots=True)
class RoundVoided:
    round: int
    cause: str
    returned: tuple[Returned, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundConcluded:
    """Over without play: no bets remained. Neither settled nor void."""

    round: int
    cite: str


@dataclass(frozen=True, slots=True)
class RoundInterrupted:
    round: int
    reason: str
    cite: str


@dataclass(frozen=True, slots=True)
class InterruptionResolved:
    round: int
    decided_by: tuple[str, ...]
    cite: str


@dataclass(frozen=True, slots=True)
class CutCardShown:
    first: bool
    withdrawal: bool
    cite: str


@dataclass(frozen=True, slots=True)
class WithdrawalClosed:
    round: int


@dataclass(frozen=True, slots=True)
class IrregularityNoted:
    """Something went wrong; what it demands follows as events of its own."""

    name: str
    detail: str
    cite: str


@dataclass(frozen=True, slots=True)
class CardsReconstructed:
    """The hands after the cards were put into their intended order; the rest goes to the next round."""

    laid: tuple[LaidCard, ...]
    carried: tuple[str, ...]
    cite: str


@dataclass(frozen=True, slots=True)
class CardsStand:
    """Cards that cannot be put right, each hand with its right number, stay where they lie."""

    cite: str


@dataclass(frozen=True, slots=True)
class ErrorReported:
    """A dealing error as a dealer tells of it: the round waits until somebody above says if it was one."""

    what: str
    put_right: bool
    cite: str


@dataclass(frozen=True, slots=True)
class ErrorRejected:
    """What a dealer reported was no dealing error: the round goes on."""

    what: str
    cite: str


@dataclass(frozen=True, slots=True)
class OptionsOffered:
    """`put_right` says whether the hand to go on with is a reconstructed one."""

    players: tuple[str, ...]
    because: str
    put_right: bool
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionChosen:
    """`recorded_by` is who of the staff recorded the answer; empty where the player gave it themselves."""

    player: str
    choice: str
    cite: str
    recorded_by: str = ""


@dataclass(frozen=True, slots=True)
class OptionsClosed:
    continuing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BetsReturned:
    """Bets of a round under way that are given back before it is settled."""

    returned: tuple[Returned, ...]
    because: str
    cite: str


@dataclass(frozen=True, slots=True)
class CardDetermined:
    hand: Side
    place: int
    card: str
    proper: bool
    cite: str


@dataclass(frozen=True, slots=True)
class SettlementReopened:
    round: int
    reason: str
    reversed: tuple[PaidLine, ...]
    cite: str


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """A round that is over put right: what was posted is reversed, what is right is posted.

    `rulebook` is the one the round was played under, which the citations are of.
    """

    round: int
    because: str
    void: bool
    player: tuple[str, ...]
    banker: tuple[str, ...]
    winner: str
    points: int
    reversed: tuple[PaidLine, ...]
    posted: tuple[PaidLine, ...]
    cites: tuple[str, ...]
    reason: str = ""
    rulebook: str = ""


@dataclass(frozen=True, slots=True)
class MissedInsuranceOffered:
    players: tuple[str, ...]
    hand: Side
    cite: str


@dataclass(frozen=True, slots=True)
class InsuranceRepositioned:
    key: int
    player: str
    hand: Side
    odds: str
    cite: str


@dataclass(frozen=True, slots=True)
class MatterRuled:
    reason: str
    effect: str
    cite: str


@dataclass(frozen=True, slots=True)
class PitCalled:
    """The pit is wanted at the table; calls are numbered from 1 on."""

    call: int
    reason: str
    called_by: str
    called_at: datetime


@dataclass(frozen=True, slots=True)
class PitCallAnswered:
    call: int
    answer: str = ""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """No round is opened until the table is opened again; what it had to give back went before."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A closed table is open again."""


@dataclass(frozen=True, slots=True)
class DrawingChosen:
    """A hand that may draw or stand has said which; what is said last before the next card holds."""

    hand: Side
    draws: bool
    cite: str


@dataclass(frozen=True, slots=True)
class ClosingAnnounced:
    """The table closes by itself when the round under way is over."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClosingTakenBack:
    """The table stays open when its round is over."""


Event = (
    TableSet | BankFilled | BankCredited | ChipsBrought | ChipsTaken | SeatTaken | SeatLeft | WalkedAway
    | ShoePrepared | ShoeEnded | BettingOpened | BetPlaced | BetIncreased | BetReduced | BettingClosed
    | BetCut | CardDealt | CardOpened | WindowOpened | WindowPassed | InsurancePlaced | SqueezeRequested
    | SqueezeAnswered | RoundSettled | RoundVoided | RoundConcluded | RoundInterrupted | InterruptionResolved
    | CutCardShown | WithdrawalClosed | IrregularityNoted | CardsReconstructed | OptionsOffered | OptionChosen
    | OptionsClosed | BetsReturned | CardDetermined | SettlementReopened | RoundCorrected
    | MissedInsuranceOffered | InsuranceRepositioned | MatterRuled | ShoeToBeReplaced | CardsStand
    | CardExposed | CardsFound | CardCorrected | InsuranceAnnounced | InsuranceDeclined | ErrorReported
    | ErrorRejected | StaffBetsAllowed | PitCalled | PitCallAnswered | TableClosed | TableOpened
    | DrawingChosen | ClosingAnnounced | ClosingTakenBack
)  # fmt: skip
