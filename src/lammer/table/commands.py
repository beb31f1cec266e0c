"""What can be asked of a table: one vocabulary for Python, scripts, HTTP and pages.

Commands are imperative and carry no clock, no chance and no authority of their own: who asks, as what, and
when come with the `Call` around them; entropy for a shuffle is handed in. Amounts are whole cents.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

from lammer.rulebook.vocabulary import Side, Window
from lammer.table.records import BeaconRound
from lammer.table.setup import SetUp

Ruling = Literal[
    "void_round", "continue_round", "return_bets", "reopen_settlement", "resettle_round", "no_effect"
]
RULINGS: Final[tuple[Ruling, ...]] = get_args(Ruling)
VoidCause = Literal["foreign_card", "wrong_deck", "wrong_number_of_cards", "shoe_ran_dry", "unshuffled_cards"]


@dataclass(frozen=True, slots=True)
class SetTable:
    """Set the table up, or change its set-up between rounds; a rulebook not in force needs a reason."""

    setup: SetUp
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FillBank:
    """Bring chips to the table's bank."""

    amount: int


@dataclass(frozen=True, slots=True)
class CreditBank:
    """Take chips from the table's bank."""

    amount: int


@dataclass(frozen=True, slots=True)
class BringChips:
    """Bring chips from a player's purse to this table; also while a round is on."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class TakeChips:
    """Take chips away from this table, back into the player's purse; what lies on the felt stays there."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit a player down at a box."""

    player: str
    box: int


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Give a seat up; in a round that is walking away, and the bets play on."""

    player: str


@dataclass(frozen=True, slots=True)
class AllowStaffBets:
    """Let staff bet and choose for a player at this table from here on, or no longer; theirs alone to say."""

    player: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class PrepareShoe:
    """Bring a new shoe: shuffled here from the entropy given (hexadecimal), or read card by card.

    A shared shuffle that was begun has its entropy; `signature` and `previous` are its beacon's round.
    """

    entropy: str = ""
    signature: str = ""
    previous: str = ""


@dataclass(frozen=True, slots=True)
class EndShoe:
    """Take the shoe away and reveal the order of a virtual one; one nobody played needs a reason."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpenBets:
    """ "Place your Bets, please." """


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """Put a stake on a bet; with a bet there already, the stake is added to it.

    `round` is the round it is meant for, here and in the other commands about bets; 0 is whichever is open.
    """

    player: str
    box: int
    bet: str
    stake: int
    round: int = 0


@dataclass(frozen=True, slots=True)
class WithdrawBet:
    """Take a bet back, all of it or a part."""

    player: str
    box: int
    bet: str
    stake: int = 0
    round: int = 0


@dataclass(frozen=True, slots=True)
class RefuseExcess:
    """Reject what is beyond the Differential in every box, standing players' bets first."""


@dataclass(frozen=True, slots=True)
class CloseBets:
    """ "No more Bets." """


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal the next card: the shoe's own, or the one read; to its proper hand, or where it really fell."""

    card: str = ""
    to: Side | None = None
    face_up: bool | None = None


@dataclass(frozen=True, slots=True)
class ExposeCard:
    """A card came out of the shoe and was seen, and belongs to no hand."""

    card: str


@dataclass(frozen=True, slots=True)
class NoteSwappedCards:
    """Cards recorded with one hand that really lie with the other, by their places there."""

    player: tuple[int, ...] = ()
    banker: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectCard:
    """A card was recorded wrongly: what it really is. Round 0 is the round on the table."""

    hand: Side
    place: int
    card: str
    round: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpenCard:
    """Turn a face-down card over; its place counts from 1."""

    hand: Side
    place: int


@dataclass(frozen=True, slots=True)
class RequestSqueeze:
    """Ask to squeeze, or to have the Banker's third card opened first; staff name the player who asks."""

    what: Literal["card", "squeeze_banker_third_first", "expose_banker_third_first"] = "card"
    player: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSqueeze:
    """The House consents or declines."""

    consent: bool


@dataclass(frozen=True, slots=True)
class PlaceInsurance:
    """Insure an Original Bet in the window that is open."""

    player: str
    box: int
    hand: Side
    stake: int
    round: int = 0


@dataclass(frozen=True, slots=True)
class AnnounceInsurance:
    """Tell the dealer in time that a hand will be insured; no card is drawn until it is."""

    player: str
    box: int
    hand: Side


@dataclass(frozen=True, slots=True)
class DeclineInsurance:
    """Say that a hand will not be insured: take back what was announced, or tell the dealer not to wait."""

    player: str
    box: int
    hand: Side


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle the finished round."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A technical interruption."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResolveInterruption:
    """A person confirms what the rules say: conclude where an outcome stands, otherwise void."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Void the round for one of the faults that demand it."""

    cause: VoidCause


@dataclass(frozen=True, slots=True)
class ShowCutCard:
    """The cut card appears."""


@dataclass(frozen=True, slots=True)
class CloseWithdrawal:
    """End the withdrawal a cut card gave; with no bets left the round is concluded."""


@dataclass(frozen=True, slots=True)
class MissedWithdrawal:
    """The withdrawal after a cut card was not offered."""


@dataclass(frozen=True, slots=True)
class Reconstruct:
    """Put the cards into their intended order: excess or exposed cards, or hands swapped."""

    irregularity: Literal["excess_cards", "swapped_hands"]
    possible: bool = True


@dataclass(frozen=True, slots=True)
class NoteFaceUp:
    """Cards were dealt face up at a face-down table."""


@dataclass(frozen=True, slots=True)
class OrderSimultaneous:
    """Cards drawn together: in which order they count, and whether the shoe is replaced."""

    order: tuple[str, ...]
    replace_shoe: bool = False
    order_known: bool = False


@dataclass(frozen=True, slots=True)
class ResetEquipment:
    """Shoe or shuffler had to be reset."""


@dataclass(frozen=True, slots=True)
class JudgeDamagedCard:
    """A damaged or lost card: the card it is found to be, or none if it cannot be found out."""

    hand: Side
    place: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class NoteDealingError:
    """Any other dealing error; where it gives players a choice, a Pit Supervisor or above confirms it."""

    what: str
    reconstructable: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmError:
    """Say of a dealing error a dealer reported that it was one, or that it was none."""

    confirmed: bool


@dataclass(frozen=True, slots=True)
class ChooseOption:
    """A player's one answer to the options."""

    player: str
    choice: Literal["continue", "return"]


@dataclass(frozen=True, slots=True)
class CloseOptions:
    """End the asking; who has not answered continues."""


@dataclass(frozen=True, slots=True)
class ReopenSettlement:
    """An error found after settlement but before the next round."""

    reason: str


@dataclass(frozen=True, slots=True)
class NoteLateError:
    """An error of an earlier round, noticed only after the next began."""

    round: int
    what: str


@dataclass(frozen=True, slots=True)
class CorrectRound:
    """An earlier round found not to follow the Table of Play; the cards as they really lay."""

    round: int
    player: str
    banker: str
    rectifiable: bool = True


@dataclass(frozen=True, slots=True)
class OfferMissedInsurance:
    """Insurance that was not offered: offer it now, or return the Original Bets it would have saved."""

    players: tuple[str, ...]
    hand: Side
    round: int = 0


@dataclass(frozen=True, slots=True)
class RepositionInsurance:
    """Insurance put on the wrong side is moved to where it belongs."""

    round: int
    player: str
    box: int
    window: Window
    hand: Side


@dataclass(frozen=True, slots=True)
class NoteWrongDisplay:
    """A display showed something else than the table."""

    what: str


@dataclass(frozen=True, slots=True)
class RuleOnMatter:
    """A matter the rules do not provide for, ruled with a written reason. Round 0 is the one on the table.

    To settle a round by other cards, `player` and `banker` are the hands it is settled by.
    """

    reason: str
    effect: Ruling
    players: tuple[str, ...] = ()
    round: int = 0
    player: str = ""
    banker: str = ""


@dataclass(frozen=True, slots=True)
class CallPit:
    """Call the pit to this table, at any moment, and say why."""

    reason: str


@dataclass(frozen=True, slots=True)
class AnswerPitCall:
    """Say that a call to the pit has been seen to, and perhaps what was done; `call` is its number."""

    call: int
    answer: str = ""


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table between rounds: the shoe ends, the seats are free, chips go back into their purses.

    With `after_round` it closes by itself when the round under way is over, or at once where there is none.
    """

    reason: str = ""
    after_round: bool = False


@dataclass(frozen=True, slots=True)
class KeepTableOpen:
    """Take back that the table closes after its round."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a closed table again."""


@dataclass(frozen=True, slots=True)
class BeginShuffle:
    """Begin a shared shuffle: bind the house to its entropy and let those who are seated add their own."""

    entropy: str = ""
    seconds: int = 0
    beacon: BeaconRound | None = None


@dataclass(frozen=True, slots=True)
class AddEntropy:
    """Add to the shuffle that was begun, or change what was added: any words, or where to cut the shoe."""

    player: str
    entropy: str


@dataclass(frozen=True, slots=True)
class AbandonShuffle:
    """Make no shoe of a shuffle that was begun, and say why; the house's entropy is revealed."""

    reason: str


@dataclass(frozen=True, slots=True)
class ChooseDrawing:
    """A hand that may draw or stand says which; the dealer says it for the hand, or whoever leads it does."""

    hand: Side
    draws: bool


Command = (
    SetTable | FillBank | CreditBank | BringChips | TakeChips | TakeSeat | LeaveSeat | PrepareShoe | EndShoe
    | OpenBets | PlaceBet | WithdrawBet | RefuseExcess | CloseBets | DealCard | OpenCard | RequestSqueeze
    | AnswerSqueeze | PlaceInsurance | Settle | Interrupt | ResolveInterruption | VoidRound | ShowCutCard
    | CloseWithdrawal | MissedWithdrawal | Reconstruct | NoteFaceUp | OrderSimultaneous | ResetEquipment
    | JudgeDamagedCard | NoteDealingError | ChooseOption | CloseOptions | ReopenSettlement | NoteLateError
    | CorrectRound | OfferMissedInsurance | RepositionInsurance | NoteWrongDisplay | RuleOnMatter | ExposeCard
    | NoteSwappedCards | CorrectCard | AnnounceInsurance | DeclineInsurance | ConfirmError
    | AllowStaffBets | CallPit | AnswerPitCall | CloseTable | OpenTable | ChooseDrawing
    | BeginShuffle | AddEntropy | AbandonShuffle | KeepTableOpen
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """A command as it reaches the table: who asks, as what, and when."""

    by: str
    role: str
    at: datetime
    command: Command
