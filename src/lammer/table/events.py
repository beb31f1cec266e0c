"""What happened at a table, in the past tense. State, ledger and roads follow from the events.

An event carries everything needed to fold it: no rule is applied twice. Amounts are whole cents, cards
are written as the pit writes them, `cite` and `cites` are paragraphs of the rulebook the table is set to.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from lammer.rulebook.vocabulary import Side, Window
from lammer.table.records import BeaconRound, LaidCard, OnOffer, PaidLine, Returned, ShufflePart
from lammer.table.setup import SetUp

# Around the rounds: the set-up, the bank, players' chips, the seats, the shoe.


class TableSet(Struct, frozen=True):
    """The set-up, and the SHA-256 of the rulebook every round from here on stands on.

    `reason` is why a rulebook is played that was not in force; empty for one that was.
    """

    setup: SetUp
    sha256: str
    reason: str = ""


class BankFilled(Struct, frozen=True):
    amount: int


class BankCredited(Struct, frozen=True):
    amount: int


class ChipsBrought(Struct, frozen=True):
    """From the player's purse to this table."""

    player: str
    amount: int


class ChipsTaken(Struct, frozen=True):
    """From this table back into the player's purse."""

    player: str
    amount: int


class SeatTaken(Struct, frozen=True):
    player: str
    box: int


class SeatLeft(Struct, frozen=True):
    player: str
    box: int


class WalkedAway(Struct, frozen=True):
    player: str
    cite: str


class StaffBetsAllowed(Struct, frozen=True):
    """A player lets staff bet and choose for them at this table, or no longer."""

    player: str
    allowed: bool


class ShoePrepared(Struct, frozen=True):
    """`commitment` is public; `order` and `salt` are for the record alone until the shoe ends.

    A shoe of a shared shuffle says what it was made of: `house` is the commitment to the house's entropy,
    `parts` what was added at the boxes, `beacon` the round of a public beacon.
    """

    shoe: int
    kind: str
    decks: int
    cut: int
    commitment: str
    order: tuple[str, ...]
    salt: str
    house: str = ""
    parts: tuple[ShufflePart, ...] = ()
    beacon: BeaconRound | None = None


class ShoeEnded(Struct, frozen=True):
    """`unplayed` if it was a virtual shoe with a round left in it and none settled; `reason` says why.

    `entropy` is the house's part of a shared shuffle, revealed now.
    """

    shoe: int
    commitment: str
    order: tuple[str, ...]
    salt: str
    reason: str = ""
    unplayed: bool = False
    entropy: str = ""


class ShuffleBegun(Struct, frozen=True):
    """The house is bound to its entropy; until `closes` those who are seated may add their own.

    `entropy` is for the record alone until the shoe ends. `beacon` is a round that comes after that moment.
    """

    shoe: int
    decks: int
    commitment: str
    closes: datetime
    beacon: BeaconRound | None
    entropy: str


class EntropyAdded(Struct, frozen=True):
    """Somebody seated added to the shuffle, or changed what they had added."""

    shoe: int
    player: str
    box: int
    entropy: str


class ShuffleAbandoned(Struct, frozen=True):
    """No shoe is made of a shuffle; `entropy` shows which one it would have been."""

    shoe: int
    commitment: str
    entropy: str
    reason: str


class ShoeToBeReplaced(Struct, frozen=True):
    cite: str


# Rounds.


class BettingOpened(Struct, frozen=True):
    """`set_up` counts the set-ups of the table so far, so that a round finds the one it was played under."""

    round: int
    set_up: int = 0


class BetPlaced(Struct, frozen=True):
    key: int
    player: str
    box: int
    bet: str
    stake: int
    seated: bool
    placed_by: str
    warning: str = ""


class BetIncreased(Struct, frozen=True):
    key: int
    player: str
    stake: int
    placed_by: str
    warning: str = ""


class BetReduced(Struct, frozen=True):
    """A bet withdrawn by its player or refused by the House, all of it or a part."""

    key: int
    player: str
    amount: int
    because: str
    cite: str


class BettingClosed(Struct, frozen=True):
    round: int
    below_minimum: tuple[int, ...] = ()


class BetCut(Struct, frozen=True):
    """A bet cut pro rata to the Differential; what is not played goes back."""

    key: int
    player: str
    played: int
    amount: int
    cite: str


class CardDealt(Struct, frozen=True):
    """A card on the table; `proper` says whether it lies where the rules send it."""

    card: str
    hand: Side
    place: int
    face_up: bool
    proper: bool
    carried: bool
    cite: str


class CardExposed(Struct, frozen=True):
    """A card that came out of the shoe and was seen, and belongs to no hand: it will be the next one."""

    card: str
    cite: str


class CardsFound(Struct, frozen=True):
    """Where the cards really lie, in the order they were drawn; `proper` if the rules send them there."""

    laid: tuple[LaidCard, ...]
    proper: bool
    cite: str


class CardCorrected(Struct, frozen=True):
    """A card that had been recorded as another; `proper` if the cards now lie where the rules send them."""

    hand: Side
    place: int
    card: str
    proper: bool
    reason: str
    cite: str


class CardOpened(Struct, frozen=True):
    hand: Side
    place: int


class WindowOpened(Struct, frozen=True):
    window: Window
    offers: tuple[OnOffer, ...]


class WindowPassed(Struct, frozen=True):
    window: Window
    forgone: tuple[str, ...]
    cite: str


class InsuranceAnnounced(Struct, frozen=True):
    """A player told the dealer in time that they will insure: the next card waits for them."""

    player: str
    box: int
    hand: Side
    cite: str


class InsuranceDeclined(Struct, frozen=True):
    """A player will not insure a hand: they had said that they would, or tell the dealer not to wait.

    `recorded_by` is who of the staff ended the wait for them; empty where the player said so themselves.
    """

    player: str
    box: int
    hand: Side
    cite: str
    recorded_by: str = ""


class InsurancePlaced(Struct, frozen=True):
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


class SqueezeRequested(Struct, frozen=True):
    player: str
    what: str
    cite: str


class SqueezeAnswered(Struct, frozen=True):
    player: str
    what: str
    consent: bool
    waives: bool
    cite: str


class RoundSettled(Struct, frozen=True):
    round: int
    player: tuple[str, ...]
    banker: tuple[str, ...]
    winner: str
    points: int
    lines: tuple[PaidLine, ...]


class RoundVoided(Struct, frozen=True):
    round: int
    cause: str
    returned: tuple[Returned, ...]
    cites: tuple[str, ...]


class RoundConcluded(Struct, frozen=True):
    """Over without play: no bets remained. Neither settled nor void."""

    round: int
    cite: str


class RoundInterrupted(Struct, frozen=True):
    round: int
    reason: str
    cite: str


class InterruptionResolved(Struct, frozen=True):
    round: int
    decided_by: tuple[str, ...]
    cite: str


class CutCardShown(Struct, frozen=True):
    first: bool
    withdrawal: bool
    cite: str


class WithdrawalClosed(Struct, frozen=True):
    round: int


class IrregularityNoted(Struct, frozen=True):
    """Something went wrong; what it demands follows as events of its own."""

    name: str
    detail: str
    cite: str


class CardsReconstructed(Struct, frozen=True):
    """The hands after the cards were put into their intended order; the rest goes to the next round."""

    laid: tuple[LaidCard, ...]
    carried: tuple[str, ...]
    cite: str


class CardsStand(Struct, frozen=True):
    """Cards that cannot be put right, each hand with its right number, stay where they lie."""

    cite: str


class ErrorReported(Struct, frozen=True):
    """A dealing error as a dealer tells of it: the round waits until somebody above says if it was one."""

    what: str
    put_right: bool
    cite: str


class ErrorRejected(Struct, frozen=True):
    """What a dealer reported was no dealing error: the round goes on."""

    what: str
    cite: str


class OptionsOffered(Struct, frozen=True):
    """`put_right` says whether the hand to go on with is a reconstructed one."""

    players: tuple[str, ...]
    because: str
    put_right: bool
    cites: tuple[str, ...]


class OptionChosen(Struct, frozen=True):
    """`recorded_by` is who of the staff recorded the answer; empty where the player gave it themselves."""

    player: str
    choice: str
    cite: str
    recorded_by: str = ""


class OptionsClosed(Struct, frozen=True):
    continuing: tuple[str, ...]


class BetsReturned(Struct, frozen=True):
    """Bets of a round under way that are given back before it is settled."""

    returned: tuple[Returned, ...]
    because: str
    cite: str


class CardDetermined(Struct, frozen=True):
    hand: Side
    place: int
    card: str
    proper: bool
    cite: str


class SettlementReopened(Struct, frozen=True):
    round: int
    reason: str
    reversed: tuple[PaidLine, ...]
    cite: str


class RoundCorrected(Struct, frozen=True):
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


class MissedInsuranceOffered(Struct, frozen=True):
    players: tuple[str, ...]
    hand: Side
    cite: str


class InsuranceRepositioned(Struct, frozen=True):
    key: int
    player: str
    hand: Side
    odds: str
    cite: str


class MatterRuled(Struct, frozen=True):
    reason: str
    effect: str
    cite: str


class PitCalled(Struct, frozen=True):
    """The pit is wanted at the table; calls are numbered from 1 on."""

    call: int
    reason: str
    called_by: str
    called_at: datetime


class PitCallAnswered(Struct, frozen=True):
    call: int
    answer: str = ""


class TableClosed(Struct, frozen=True):
    """No round is opened until the table is opened again; what it had to give back went before."""

    reason: str = ""


class TableOpened(Struct, frozen=True):
    """A closed table is open again."""


class DrawingChosen(Struct, frozen=True):
    """A hand that may draw or stand has said which; what is said last before the next card holds."""

    hand: Side
    draws: bool
    cite: str


class ClosingAnnounced(Struct, frozen=True):
    """The table closes by itself when the round under way is over."""

    reason: str = ""


class ClosingTakenBack(Struct, frozen=True):
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
    | DrawingChosen | ShuffleBegun | EntropyAdded | ShuffleAbandoned | ClosingAnnounced | ClosingTakenBack
)  # fmt: skip
