"""Each event of a table as a sentence in the reader's language, and the paragraphs it stands on.

It is told from what the reader may see of the event, never from the event itself: a card that lies face down
is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_money
from lammer.wording.titles import title_of

Seen = Mapping[str, Any]

SENTENCES: Final[dict[str, str]] = {
    "TableSet": "The table is set to {rulebook}, layout {layout}.{why}",
    "BankFilled": "The bank is filled with {amount}.",
    "BankCredited": "The bank gives back {amount}.",
    "ChipsBrought": "{player} brings {amount} to the table.",
    "ChipsTaken": "{player} takes {amount} away from the table.",
    "SeatTaken": "{player} sits down at box {box}.",
    "SeatLeft": "{player} leaves box {box}.",
    "WalkedAway": "{player} walks away.",
    "StaffBetsAllowed": "{player} lets staff bet for them at this table: {allowed}.",
    "ShoePrepared": "Shoe {shoe} of {decks} decks is ready ({commitment}).",
    "ShoeEnded": "Shoe {shoe} ends.{why}",
    "ShoeToBeReplaced": "The shoe has to be replaced.",
    "BettingOpened": "Round {round}: place your bets, please.",
    "BetPlaced": "{player} bets {stake} on {bet}, box {box}.{by}",
    "BetIncreased": "{player} adds {stake}.{by}",
    "BetReduced": "{player} gets back {amount}: {because}.",
    "BettingClosed": "No more bets.",
    "BetCut": "{player} plays {played}; {amount} goes back unplayed.",
    "CardDealt": "{card} to {hand}.",
    "CardOpened": "Card {place} of {hand} is opened: {card}.",
    "WindowOpened": "Insurance is open ({window}): {offers}.",
    "WindowPassed": "Insurance is over ({window}).",
    "InsuranceAnnounced": "{player} will insure {hand}, box {box}; the next card waits.",
    "InsuranceDeclined": "{player} will not insure {hand}, box {box}, after all.",
    "InsurancePlaced": "{player} insures {hand} with {stake} at {odds}.{late}{by}",
    "SqueezeRequested": "{player} asks: {what}.",
    "SqueezeAnswered": "{player} asked: {what}. The House answers: {consent}.",
    "RoundSettled": "{winner}, {points}. Player {player}, Banker {banker}.",
    "RoundVoided": "Round {round} is void: {cause}.",
    "RoundConcluded": "Round {round} is over without play.",
    "RoundInterrupted": "Round {round} is interrupted: {reason}.",
    "InterruptionResolved": "The interruption of round {round} is resolved.",
    "CutCardShown": "The cut card is out.",
    "WithdrawalClosed": "Bets can no longer be withdrawn.",
    "IrregularityNoted": "Something went wrong: {name}. {detail}",
    "CardsReconstructed": "The cards are put right: {laid}.",
    "CardsStand": "The cards stay where they lie.",
    "OptionsOffered": "{players} may go on or have their bets back.",
    "ErrorReported": "A dealing error is reported: {what}. The round waits.",
    "ErrorRejected": "It was no dealing error: {what}. The round goes on.",
    "OptionChosen": "{player} chooses: {choice}.{by}",
    "OptionsClosed": "Everybody has chosen.",
    "BetsReturned": "Bets go back: {because}.",
    "CardDetermined": "Card {place} of {hand} is made out: {card}.",
    "CardExposed": "{card} came out of the shoe and was seen; it is the next card.",
    "CardsFound": "The cards really lie like this: {laid}.",
    "CardCorrected": "Card {place} of {hand} was recorded wrongly; it is {card}.{why}",
    "SettlementReopened": "The settlement of round {round} is reopened: {reason}.",
    "RoundCorrected": "Round {round} is corrected: {because}. {result}{why}",
    "MissedInsuranceOffered": "{players} may insure {hand} after all.",
    "InsuranceRepositioned": "The Insurance of {player} belongs to {hand}, at {odds}.",
    "MatterRuled": "A ruling: {reason} ({effect}).",
}
"""What is said of each event; the test of the words finds the Chinese for every one of them."""

MONEY: Final = frozenset(("stake", "amount", "played"))
SIDES: Final = {"player": "Player", "banker": "Banker", "tie": "Tie"}
WINNERS: Final = {"player": "Player wins", "banker": "Banker wins"}
WINDOWS: Final = {"four_cards": "after four cards", "third_card": "after the third card"}


SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_told(card: str) -> str:
    """A card as people write it.

    >>> card_told("9H"), card_told("TS"), card_told("")
    ('9♥', '10♠', '')
    """
    return card[:-1].replace("T", "10") + SUITS.get(card[-1:], "")


class Teller:
    """Tells events in one language, under one rulebook, with the boxes by their names."""

    def __init__(self, language: Language, book: Rulebook | None, boxes: Sequence[str] = ()) -> None:
        self.language, self.book, self.boxes = language, book, boxes

    def t(self, text: str, **values: Any) -> str:
        return say(self.language, text, **values)

    def tell_event(self, seen: Seen) -> str:
        """What happened, in a sentence.

        >>> Teller("en", None).tell_event({"event": "BettingOpened", "round": 12})
        'Round 12: place your bets, please.'
        """
        values = {name: self._value(name, value, seen) for name, value in seen.items()}
        values |= self._more(seen)
        return say(self.language, SENTENCES[seen["event"]], **values).strip()

    def bet(self, name: str) -> str:
        """A bet as its document calls it."""
        found = self.book.bets.get(name) if self.book else None
        if found is None:
            return name.replace("_", " ")
        return title_of(self.language, found)

    def box(self, number: int) -> str:
        """A box as the layout prints it."""
        return self.boxes[number - 1] if 0 < number <= len(self.boxes) else str(number)

    def line(self, line: Seen) -> str:
        """What a line of a settlement was for."""
        if line["window"] is None:
            return self.bet(line["bet"])
        window = self.t(WINDOWS[line["window"]])
        return self.t("Insurance on {hand}, {window}", hand=self.t(SIDES[line["bet"]]), window=window)

    def _value(self, name: str, value: Any, seen: Seen) -> str:
        if value is None:
            return ""
        if name in MONEY:
            return write_money(self.language, value)
        if name in ("hand", "winner"):
            return self.t(SIDES.get(value, value))
        if name == "bet":
            return self.bet(value)
        if name == "box":
            return self.box(value)
        if name == "window":
            return self.t(WINDOWS[value])
        if name == "card":
            return card_told(value) or self.t("A card face down")
        if isinstance(value, bool):
            return self.t("yes") if value else self.t("no")
        if isinstance(value, list):
            return ", ".join(each for each in value if isinstance(each, str))
        if name in ("player", "placed_by", "recorded_by", "commitment"):
            return str(value)
        return self.t(str(value).replace("_", " "))

    def _more(self, seen: Seen) -> dict[str, str]:
        found = _MORE.get(seen["event"])
        return found(self, seen) if found else {}


def _set(teller: Teller, seen: Seen) -> dict[str, str]:
    reason = seen.get("reason", "")
    why = teller.t(" It is not in force: {reason}.", reason=reason) if reason else ""
    return {"rulebook": seen["setup"]["rulebook"], "layout": seen["setup"]["layout"], "why": why}


def _why(teller: Teller, seen: Seen) -> dict[str, str]:
    reason = seen.get("reason", "")
    return {"why": teller.t(" Reason: {reason}.", reason=reason) if reason else ""}


def _insured(teller: Teller, seen: Seen) -> dict[str, str]:
    return {"late": teller.t(" It was offered late.") if seen.get("late") else ""} | _by(teller, seen)


def _by(teller: Teller, seen: Seen) -> dict[str, str]:
    """Who of the staff did it for the player, where the reader may know."""
    name = seen.get("placed_by") or seen.get("recorded_by") or ""
    by_staff = name and name != seen["player"]
    return {"by": teller.t(" Recorded by {name}.", name=name) if by_staff else ""}


def _corrected(teller: Teller, seen: Seen) -> dict[str, str]:
    """What a correction came to: void, or the cards and who won."""
    hands = {side: " ".join(map(card_told, seen[side])) for side in ("player", "banker")}
    lay = teller.t("Player {player}, Banker {banker}.", **hands) if all(hands.values()) else ""
    if seen["void"]:
        told = f"{teller.t('It is void.')} {lay}"
    else:
        winner = teller.t(WINNERS.get(seen["winner"], "Tie"))
        told = f"{teller.t('{winner}, {points}.', winner=winner, points=seen['points'])} {lay}"
    return {"result": told.strip()} | _why(teller, seen)


def _offers(teller: Teller, seen: Seen) -> dict[str, str]:
    told = [f"{teller.t(SIDES[offer['hand']])} {offer['odds']}" for offer in seen["offers"]]
    return {"offers": ", ".join(told)}


def _settled(teller: Teller, seen: Seen) -> dict[str, str]:
    winner = WINNERS.get(seen["winner"], "Tie")
    hands = {side: " ".join(map(card_told, seen[side])) for side in ("player", "banker")}
    return {"winner": teller.t(winner)} | hands


def _laid(teller: Teller, seen: Seen) -> dict[str, str]:
    down = teller.t("face down")
    hands = []
    for side in ("player", "banker"):
        cards = [card_told(each["card"]) or down for each in seen["laid"] if each["hand"] == side]
        hands.append(f"{teller.t(SIDES[side])} {' '.join(cards)}")
    return {"laid": ", ".join(hands)}


def _shoe(teller: Teller, seen: Seen) -> dict[str, str]:
    bound = seen["commitment"]
    told = (
        teller.t("bound to {commitment}…", commitment=bound[:16]) if bound else teller.t("read card by card")
    )
    return {"commitment": told}


_MORE: Final[dict[str, Callable[[Teller, Seen], dict[str, str]]]] = {
    "TableSet": _set,
    "WindowOpened": _offers,
    "RoundSettled": _settled,
    "CardsReconstructed": _laid,
    "CardsFound": _laid,
    "CardCorrected": _why,
    "ShoeEnded": _why,
    "BetPlaced": _by,
    "BetIncreased": _by,
    "InsurancePlaced": _insured,
    "OptionChosen": _by,
    "RoundCorrected": _corrected,
    "ShoePrepared": _shoe,
}


def cites(seen: Seen) -> list[str]:
    """The paragraphs an event stands on, each once, those of its offers and lines among them.

    >>> cites({"event": "WindowOpened", "offers": [{"cite": "4.1.14"}, {"cite": "4.1.14"}], "cite": ""})
    ['4.1.14']
    """
    return list(dict.fromkeys(each for each in _cites(seen) if each))


def _cites(seen: Seen) -> Iterator[str]:
    yield seen.get("cite") or ""
    yield from seen.get("cites") or ()
    for part in ("offers", "lines", "posted", "reversed"):
        for each in seen.get(part) or ():
            yield from _cites(each)
