"""The one place where an event of a table becomes a sentence, in any language, for pages and command line.

An event is a message of the catalogue, filled with the fields its reader may see, and clauses after it: what
a field says besides, and what the table as it stood before says, where the caller hands it in. A card that
the fields do not hold is not in the sentence. A new event gets a line in `MESSAGES`; a test says which has
none. Lines of money are in `money_lines`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from lammer.game.cards import parse_cards, write_card
from lammer.game.hands import total, winner_of
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.wording import MOMENTS
from lammer.table import events as e
from lammer.table.state import OutcomeNow, Table
from lammer.wording.catalogues import Language, say, say_count
from lammer.wording.figures import write_list, write_money
from lammer.wording.results import result_words
from lammer.wording.rules import choice_of, irregularity_title, reading_words
from lammer.wording.titles import title_of

Fields = Mapping[str, Any]
"""The fields of an event as its reader may see them, and its name under `event`."""

MESSAGES: Final[dict[str, str]] = {
    "TableSet": "The table is set to {rulebook}, layout {layout}; the Differential is {differential}.",
    "BankFilled": "The bank is filled with {amount}.",
    "BankCredited": "The bank gives back {amount}.",
    "ChipsBrought": "{player} brings {amount} to the table.",
    "ChipsTaken": "{player} takes {amount} away from the table.",
    "SeatTaken": "{player} sits down at box {box}.",
    "SeatLeft": "{player} leaves box {box}.",
    "WalkedAway": "{player} walks away; the bets play on.",
    "StaffBetsAllowed": "{player} lets staff bet for them at this table.",
    "ShoePrepared": "Shoe {shoe} of {decks} decks is ready ({commitment}).",
    "ShoeEnded": "Shoe {shoe} ends.",
    "ShoeToBeReplaced": "The shoe is replaced after this round.",
    "BettingOpened": "Round {round}: place your bets, please.",
    "BetPlaced": "{player} bets {stake} on {bet}, box {box}.",
    "BetIncreased": "{player} adds {stake} to {bet}.",
    "BetReduced": "{player} gets back {amount} of {bet}: {because}.",
    "BettingClosed": "No more bets.",
    "BetCut": "{player} plays {played} on {bet}; {amount} goes back unplayed.",
    "CardDealt": "{card} to {hand}.",
    "CardOpened": "Card {place} of {hand} is opened: {card}.",
    "WindowOpened": "Insurance is open {window}: {offers}.",
    "WindowPassed": "Insurance {window} is over.",
    "InsuranceAnnounced": "{player} will insure {hand}, box {box}; the next card waits.",
    "InsuranceDeclined": "{player} will not insure {hand}, box {box}.",
    "InsurancePlaced": "{player} insures {hand} with {stake} at {odds}, box {box}.",
    "SqueezeRequested": "{player} asks {what}.",
    "SqueezeAnswered": "{player} asked {what}; the House consents.",
    "RoundSettled": "{result}. Player {player}, Banker {banker}.",
    "RoundVoided": "Round {round} is void: {cause}.",
    "RoundConcluded": "Round {round} is over without play.",
    "RoundInterrupted": "Round {round} is interrupted.",
    "InterruptionResolved": "An outcome is established ({bets}): round {round} is played to its end.",
    "CutCardShown": "The cut card is out: this is the last round of the shoe.",
    "WithdrawalClosed": "Bets can no longer be withdrawn.",
    "IrregularityNoted": "Something went wrong: {name}.",
    "CardsReconstructed": "The cards are put right: {laid}.",
    "CardsStand": "The cards cannot be put right and stay where they lie.",
    "OptionsOffered": "{because}: {players} may continue or have their bets returned.",
    "ErrorReported": "A dealing error is reported: {what}. The round waits.",
    "ErrorRejected": "It was no dealing error: {what}. The round goes on.",
    "OptionChosen": "{player} continues.",
    "OptionsClosed": "Everybody has chosen. Who continues: {continuing}.",
    "BetsReturned": "Bets go back: {because}.",
    "CardDetermined": "Card {place} of {hand} counts as {card}.",
    "CardExposed": "{card} came out of the shoe and was seen; it is the next card.",
    "CardsFound": "The cards really lie like this: {laid}.",
    "CardCorrected": "Card {place} of {hand} was recorded wrongly; it is {card}.",
    "SettlementReopened": "The settlement of round {round} is reopened: {reason}.",
    "RoundCorrected": "Round {round} is corrected: {because}.",
    "MissedInsuranceOffered": "{players} may insure {hand} after all.",
    "InsuranceRepositioned": "The Insurance of {player} is moved to {hand}, at {odds}.",
    "MatterRuled": "A ruling: {reason} ({effect}).",
    "DrawingChosen": "{hand} stands, as it may.",
    "PitCalled": "The pit is called to the table: {reason}.",
    "PitCallAnswered": "The pit has come to the table.",
    "TableClosed": "The table is closed.",
    "TableOpened": "The table is open again.",
    "ShuffleBegun": "The shuffle of shoe {shoe} begins; the house is bound to {commitment}….",
    "EntropyAdded": "{player} adds to the shuffle of shoe {shoe}, box {box}: {entropy}",
    "ShuffleAbandoned": "The shuffle of shoe {shoe} is given up: {reason}.",
    "ClosingAnnounced": "The table closes after this round.",
    "ClosingTakenBack": "The table stays open after this round.",
}
"""What is said of each event."""

VARIANTS: Final[dict[str, tuple[str, Callable[[Any], bool], str]]] = {
    "StaffBetsAllowed": (
        "allowed", lambda allowed: not allowed, "{player} no longer lets staff bet for them at this table.",
    ),
    "SqueezeAnswered": (
        "consent", lambda consent: not consent, "{player} asked {what}; the House declines.",
    ),
    "InterruptionResolved": ("decided_by", lambda bets: not bets, "Round {round} goes on."),
    "CutCardShown": ("first", bool, "The cut card is the first card: this is the last round of the shoe."),
    "OptionsOffered": (
        "put_right", bool,
        "{because}: {players} may continue with the hand put right or have their bets returned.",
    ),
    "IrregularityNoted": ("detail", bool, "Something went wrong: {name} ({detail})."),
    "OptionChosen": ("choice", lambda choice: choice != "continue", "{player} has their bets returned."),
    "DrawingChosen": ("draws", bool, "{hand} draws, as it may."),
    "PitCallAnswered": ("answer", bool, "The pit has come to the table: {answer}."),
    "OptionsClosed": ("continuing", lambda players: not players, "Everybody has chosen. Nobody continues."),
}  # fmt: skip
"""What is said instead where a field of the event is so: the field, its test, the message."""

WITHOUT_CARDS: Final[dict[str, str]] = {
    "WindowOpened": "Insurance is open.",
    "RoundSettled": "Round {round} is settled again.",
    "IrregularityNoted": "It is written down.",
    "CardsReconstructed": "The cards are put into their intended order.",
    "CardDetermined": "The card counts as it was found to be.",
    "CardExposed": "The card is the next one out of the shoe.",
    "CardsFound": "The record says where the cards really lie.",
    "CardCorrected": "The record says the right card.",
}
"""What is said where cards are not to be named: before it happens, and of a card that lies face down."""

SILENT: Final = frozenset(("CardDealt", "CardOpened"))
"""Of these nothing is said before they happen: even where a card goes may come from cards face down."""

SIDES: Final = {"player": "Player", "banker": "Banker", "tie": "Tie"}
RESULTS: Final = {
    "player": "Player wins on {points}", "banker": "Banker wins on {points}", "tie": "Tie on {points}",
}  # fmt: skip
WINDOWS: Final = MOMENTS
SQUEEZES: Final = {
    "card": "to squeeze",
    "squeeze_banker_third_first": "to squeeze the Banker’s third card first",
    "expose_banker_third_first": "to have the Banker’s third card opened first",
}
EFFECTS: Final = {
    "no_effect": "no effect",
    "continue_round": "the round goes on",
    "void_round": "the round is void",
    "return_bets": "bets go back",
    "reopen_settlement": "the settlement is reopened",
    "resettle_round": "the round is settled by other cards",
}
REASONS: Final = {
    "withdrawn": "withdrawn",
    "the seated player withdrew": "the seated player withdrew",
    "a seated player comes first": "a seated player comes first",
    "beyond the maximum Differential": "beyond the maximum Differential",
    "players_options": "as the players chose",
    "cannot be reconstructed": "cannot be reconstructed",
    "card_recorded_wrongly": "a card recorded wrongly",
}
"""Why something is done, where it is no irregularity of the rulebook."""
PIT_REASONS: Final = (
    "A dispute", "A fill is needed", "A large bet or buy-in", "A player asks for the pit",
    "Cards or the shoe", "A device does not work", "Relief is late", "Somebody is unwell",
)  # fmt: skip
"""What the pit is called for most; a reason that is none of them is shown as it was typed."""
WARNINGS: Final = {
    "below_minimum": " It is below the minimum.",
    "above_maximum": " It is above the maximum.",
    "over_differential": " It goes beyond the Differential.",
}
STANDINGS: Final = {
    "won": "{bets} won", "lost": "{bets} lost", "returned": "{bets} returned", "open": "{bets} decided",
}  # fmt: skip
"""How bets that establish an outcome stand."""
_MONEY: Final = frozenset(("stake", "amount", "played"))
_PARTS: Final = ("offers", "lines", "posted", "reversed")


def fields_of(event: e.Event, before: Table | None = None) -> dict[str, Any]:
    """An event by its fields, without the cards that are dealt or laid face down.

    >>> fields_of(e.CardDealt("9H", "banker", 1, False, True, False, "3.10"))["card"]
    ''
    """
    fields: dict[str, Any] = {"event": type(event).__name__, **msgspec.to_builtins(event)}
    match event:
        case e.CardDealt() if not event.face_up:
            fields["card"] = ""
        case e.CardsFound() | e.CardsReconstructed():
            fields["laid"] = [card if card["face_up"] else card | {"card": ""} for card in fields["laid"]]
        case e.CardOpened():
            fields["card"] = _card_at(before, event.hand, event.place)
    return fields


def bets_on(table: Table) -> Mapping[int, Fields]:
    """The bets of the round on a table by their keys, with what they are on.

    >>> bets_on(Table({}))
    {}
    """
    if table.round is None:
        return {}
    bets: dict[int, Fields] = {key: {"bet": bet.bet, "box": bet.box} for key, bet in table.round.bets.items()}
    return bets | {key: {"hand": bet.hand, "box": bet.box} for key, bet in table.round.insured.items()}


def paragraphs_of(fields: Fields, parts: Collection[str] = _PARTS) -> list[str]:
    """The paragraphs an event stands on, each once, those of its offers and lines among them.

    >>> paragraphs_of({"event": "WindowOpened", "offers": [{"cite": "4.1.14"}, {"cite": "4.1.14"}]})
    ['4.1.14']
    """
    found = [fields.get("cite") or "", *(fields.get("cites") or ())]
    for part in parts:
        for line in fields.get(part) or ():
            found += paragraphs_of(line)
    return [number for number in dict.fromkeys(found) if number]


def outcome_now(table: Table) -> OutcomeNow | None:
    """The outcome as the cards on the table stand; none where no round could show them.

    >>> outcome_now(Table({}))
    OutcomeNow(by=(), standings={})
    """
    try:
        return table.outcome()
    except Refused:
        return None


def preview_sentences(language: Language, table: Table, events: Iterable[e.Event]) -> list[tuple[str, str]]:
    """What would follow at this table, event by event, each with its paragraphs; no card is named.

    >>> preview_sentences("en", Table({}), [e.CardsStand("5.9")])
    [('The cards cannot be put right and stay where they lie.', '5.9')]
    """
    setup = table.setup
    writer = EventWriter(
        language,
        None if setup is None else table.book,
        () if setup is None else setup.box_names,
        bets_on(table),
    )
    previews = []
    for event in events:
        fields = fields_of(event)
        if sentence := writer.preview(fields):
            previews.append((sentence, " ".join(paragraphs_of(fields, parts=()))))
    return previews


@dataclass(frozen=True)
class EventWriter:
    """Writes events in one language, under one rulebook, with the boxes by their names.

    `bets` are the bets of the round by their keys, as far as the reader knows them. `reader` is the player
    who reads: they are told which name is theirs. A name that is not told is another player's.
    """

    language: Language
    book: Rulebook | None
    boxes: Sequence[str] = ()
    bets: Mapping[int, Fields] = field(default_factory=dict)
    card: Callable[[str], str] = write_card
    reader: str = ""

    def say(self, message: str, **values: Any) -> str:
        return say(self.language, message, **values)

    def sentence(self, fields: Fields, before: Table | None = None) -> str:
        """What happened; `before` is the table as it stood, for readers who may know all of it.

        >>> EventWriter("en", None).sentence({"event": "BettingOpened", "round": 12})
        'Round 12: place your bets, please.'
        """
        name = fields["event"]
        if fields.get("card") == "" and name in WITHOUT_CARDS:
            return self.preview(fields)
        clauses = "".join(clause(self, fields, before) for clause in _CLAUSES.get(name, ()))
        return self.say(self._message(fields), **self._values(fields, before)) + clauses

    def preview(self, fields: Fields) -> str:
        """What would happen, no card named; nothing where there is nothing to say.

        >>> EventWriter("en", None).preview(fields_of(e.CardExposed("9H", "5.8")))
        'The card is the next one out of the shoe.'
        """
        name = fields["event"]
        if name in SILENT:
            return ""
        message = WITHOUT_CARDS.get(name) or self._message(fields)
        clauses = "".join(clause(self, fields, None) for clause in _PREVIEWED.get(name, ()))
        return self.say(message, **self._values(fields, None)) + clauses

    def bet(self, name: str) -> str:
        """A bet as its document calls it."""
        bet = self.book.bets.get(name) if self.book else None
        return name.replace("_", " ") if bet is None else title_of(self.language, bet)

    def box(self, number: int) -> str:
        """A box as the layout prints it."""
        return self.boxes[number - 1] if 0 < number <= len(self.boxes) else str(number)

    def side(self, name: str) -> str:
        """A hand by its name."""
        return self.say(SIDES.get(name, name))

    def bet_at(self, key: int) -> str:
        """A bet on the felt by its key: what it is on, and its box."""
        bet = self.bets.get(key)
        if bet is None:
            return self.say("a bet")
        box = self.box(bet["box"])
        if "hand" in bet:
            return self.say("Insurance on {hand}, box {box}", hand=self.side(bet["hand"]), box=box)
        return self.say("{bet}, box {box}", bet=self.bet(bet["bet"]), box=box)

    def irregularity(self, name: str) -> str:
        """What the rulebook calls an irregularity; any other reason as it was written."""
        rule = self.book.irregularities.get(name) if self.book else None
        if self.book is not None and rule is not None:
            return irregularity_title(self.language, self.book, rule)
        return self.say(REASONS.get(name, name))

    def hands(self, laid: Iterable[tuple[str, str]]) -> str:
        """Cards as they lie, each with its hand; one that is not named lies face down."""
        down = self.say("face down")
        cards: dict[str, list[str]] = {"player": [], "banker": []}
        for hand, card in laid:
            cards[hand].append(self.card(card) if card else down)
        joined = {hand: " ".join(written) for hand, written in cards.items()}
        return self.say("Player {player}, Banker {banker}", **joined)

    def result(self, fields: Fields) -> str:
        """Who won, and by what.

        Where the cards do not come to what was recorded, as under a rulebook that counts them otherwise, the
        record is right.
        """
        points = self.points(fields)
        if points is not None:
            player, banker = points
            if (winner_of(player, banker), max(points)) == (fields["winner"], fields["points"]):
                return result_words(self.language, player, banker)
        return self.say(RESULTS[fields["winner"]], points=fields["points"])

    def points(self, cards: Fields) -> tuple[int, int] | None:
        """What the hands come to, where their cards and the rulebook are known."""
        if self.book is None or not cards["player"] or not cards["banker"]:
            return None
        return total(self.book, parse_cards(cards["player"])), total(self.book, parse_cards(cards["banker"]))

    def establishing(self, names: Iterable[str], outcome: OutcomeNow | None) -> str:
        """The bets that establish an outcome, and how they stand where that is known."""
        if outcome is None:
            return write_list(self.language, map(self.bet, names))
        by_standing: dict[str, list[str]] = {}
        for name in names:
            by_standing.setdefault(outcome.standings.get(name, "open"), []).append(self.bet(name))
        return self.say("; ").join(
            self.say(STANDINGS[standing], bets=write_list(self.language, bets))
            for standing, bets in by_standing.items()
        )

    def _message(self, fields: Fields) -> str:
        name = fields["event"]
        if name in VARIANTS:
            of, is_so, message = VARIANTS[name]
            if is_so(fields[of]):
                return message
        return MESSAGES[name]

    def _values(self, fields: Fields, before: Table | None) -> dict[str, Any]:
        values = {name: self.value(name, value) for name, value in fields.items()}
        if "key" in fields and "bet" not in fields:
            values["bet"] = self.bet_at(fields["key"])
        more = _VALUES.get(fields["event"])
        return values | more(self, fields, before) if more else values

    def value(self, name: str, value: Any) -> Any:
        """A field of an event or a command, as a person reads it."""
        match name, value:
            case _, None:
                return ""
            case _, int() if name in _MONEY:
                return write_money(self.language, value)
            case "hand", _:
                return self.side(value)
            case "bet", _:
                return self.bet(value)
            case "box", _:
                return self.box(value)
            case "window", _:
                return self.say(WINDOWS[value])
            case "card", _:
                return self.card(value) if value else self.say("A card face down")
            case "because" | "cause" | "name" | "detail", _:
                return self.irregularity(value)
            case "effect", _:
                return self.say(EFFECTS.get(value, value))
            case "what", _:
                return self.say(SQUEEZES.get(value, value))
            case "players" | "continuing", _:
                return self.players(value)
            case "player", str():
                return self.player(value)
        return value

    def player(self, name: str) -> str:
        """A player as the reader knows them: by name, as themselves, or as somebody else."""
        if not name:
            return self.say("Another player")
        return self.say("{name} (you)", name=name) if name == self.reader else name

    def players(self, names: Iterable[str]) -> str:
        """Players in a row; those whose names are not told are counted.

        >>> EventWriter("en", None, reader="anna").players(["", "anna", ""])
        'anna (you) and 2 other players'
        """
        known = list(names)
        listed = [self.player(name) for name in dict.fromkeys(known) if name]
        if others := known.count(""):
            listed.append(say_count(self.language, "another player", "{count} other players", others))
        return write_list(self.language, listed)


# Values that a field alone does not give.


def _set_up(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    setup = fields["setup"]
    book = _book_set(writer, setup["rulebook"], before)
    name = f"{title_of(writer.language, book)} v{book.version}" if book else setup["rulebook"]
    differential = write_money(writer.language, setup["differential"])
    return {"rulebook": name, "layout": setup["layout"], "differential": differential}


def _book_set(writer: EventWriter, name: str, before: Table | None) -> Rulebook | None:
    if before is not None:
        return before.books.get(name)
    return writer.book if writer.book is not None and writer.book.id == name else None


def _shoe(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    bound = fields["commitment"][:16]
    known = (
        writer.say("bound to {commitment}…", commitment=bound) if bound else writer.say("read card by card")
    )
    return {"commitment": known}


def _offers(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    points: dict[str, int] = {}
    if before is not None and before.round is not None:
        points = {side: total(before.book, before.round.values(side)) for side in ("player", "banker")}
    if fields["window"] == "two_cards":
        points = {}  # Of the other hand nothing is shown.
    offers = []
    for offer in fields["offers"]:
        win, _, stake = offer["odds"].partition(":")
        odds = writer.say("{win} to {stake}", win=win, stake=stake)
        other = "banker" if offer["hand"] == "player" else "player"
        offers.append(
            writer.say(
                "{hand} {own} against {other} {against} pays {odds}" if points else "{hand} pays {odds}",
                hand=writer.side(offer["hand"]),
                own=points.get(offer["hand"]),
                other=writer.side(other),
                against=points.get(other),
                odds=odds,
            )
        )
    return {"offers": writer.say("; ").join(offers)}


def _laid(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    return {"laid": writer.hands((card["hand"], card["card"]) for card in fields["laid"])}


def _settled(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    cards = {side: " ".join(map(writer.card, fields[side])) for side in ("player", "banker")}
    return {"result": writer.result(fields), **cards}


def _resolved(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    outcome = outcome_now(before) if before is not None else None
    return {"bets": writer.establishing(fields["decided_by"], outcome)}


def _moved(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    return {"player": writer.players([fields["player"]])}


def _reopened(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    return {"reason": writer.irregularity(fields["reason"])}


def _called(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    return {"reason": writer.say(fields["reason"])}


def _shuffle(writer: EventWriter, fields: Fields, before: Table | None) -> dict[str, str]:
    return {"commitment": fields["commitment"][:16]}


_VALUES: Final[dict[str, Callable[[EventWriter, Fields, Table | None], dict[str, str]]]] = {
    "ShuffleBegun": _shuffle,
    "TableSet": _set_up,
    "ShoePrepared": _shoe,
    "WindowOpened": _offers,
    "CardsReconstructed": _laid,
    "CardsFound": _laid,
    "RoundSettled": _settled,
    "InterruptionResolved": _resolved,
    "SettlementReopened": _reopened,
    "InsuranceRepositioned": _moved,
    "PitCalled": _called,
}


# Clauses: what follows the sentence where it is so.

_Clause = Callable[[EventWriter, Fields, Table | None], str]


def _reason(message: str = " Reason: {reason}.") -> _Clause:
    def clause(writer: EventWriter, fields: Fields, before: Table | None) -> str:
        reason = fields.get("reason", "")
        return writer.say(message, reason=reason) if reason else ""

    return clause


def _where(name: str, message: str, *, of: bool = True) -> _Clause:
    """Said where a field is as it says."""

    def clause(writer: EventWriter, fields: Fields, before: Table | None) -> str:
        if bool(fields.get(name)) is not of:
            return ""
        return writer.say(message, player=writer.player(str(fields.get("player") or "")))

    return clause


def _readings(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    book = _book_set(writer, fields["setup"]["rulebook"], before)
    clauses = []
    for name, choice in fields["setup"]["readings"].items():
        if book is not None and name in book.readings:
            question = reading_words(writer.language, book, book.readings[name]).question
            chosen = choice_of(writer.language, book, choice)
            clauses.append(writer.say(" {question} Chosen: {choice}.", question=question, choice=chosen))
    return "".join(clauses)


def _warning(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    return writer.say(WARNINGS[fields["warning"]]) if fields.get("warning") else ""


def _recorded_by(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    """Who of the staff did it for the player, where the reader may know."""
    name = fields.get("placed_by") or fields.get("recorded_by") or fields["player"]
    return "" if name == fields["player"] else writer.say(" Recorded by {name}.", name=name)


def _forgone(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    players = writer.players(fields["forgone"])
    return writer.say(" Forgone by {players}.", players=players) if players else ""


def _waived(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    waives = fields["consent"] and fields["waives"]
    return writer.say(" Insurance after the Player’s third card is waived.") if waives else ""


def _no_outcome(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    return writer.say(" No outcome is established.") if fields["cause"] == "technical_interruption" else ""


def _outcome(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    if before is None:
        return ""
    outcome = outcome_now(before)
    if outcome is None or not outcome.established:
        return writer.say(" No outcome is established.")
    bets = writer.establishing(outcome.by, outcome)
    return writer.say(" An outcome is established ({bets}).", bets=bets)


def _returned(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    """Stakes given back, each with its bet."""
    stakes = [
        writer.say(
            "{player} {amount} of {bet}",
            player=writer.player(stake["player"]),
            amount=write_money(writer.language, stake["amount"]),
            bet=writer.bet_at(stake["key"]),
        )
        for stake in fields["returned"]
    ]
    if not stakes:
        return ""
    returned = writer.say(" Returned: {stakes}.", stakes=writer.say("; ").join(stakes))
    if len(stakes) == 1:
        return returned
    amount = write_money(writer.language, sum(stake["amount"] for stake in fields["returned"]))
    return returned + writer.say(" {amount} in all.", amount=amount)


def _as_they_lay(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    if before is None or before.round is None:
        return ""
    laid = ((card.hand, str(card.card) if card.face_up else "") for card in before.round.cards)
    return writer.say(" They lay {laid}.", laid=writer.hands(laid))


def _carried(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    message = " {count} card waits for the next round.", " {count} cards wait for the next round."
    return say_count(writer.language, *message, len(fields["carried"])) if fields["carried"] else ""


def _recorded_as(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    card = _card_at(before, fields["hand"], fields["place"])
    return writer.say(" It was recorded as {card}.", card=writer.card(card)) if card else ""


def _card_at(table: Table | None, hand: str, place: int) -> str:
    laid = table.round.cards if table is not None and table.round is not None else ()
    return next((str(card.card) for card in laid if (card.hand, card.place) == (hand, place)), "")


def _corrected(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    """What a correction came to: void, or who won; and the cards, where they may be known."""
    known = fields["player"] and fields["banker"]
    result = (
        writer.say(" It is void.")
        if fields["void"]
        else writer.say(" {result}.", result=writer.result(fields))
    )
    return result + (writer.say(" {hands}.", hands=_hands_of(writer, fields)) if known else "")


def _hands_of(writer: EventWriter, fields: Fields) -> str:
    return writer.hands((side, card) for side in ("player", "banker") for card in fields[side])


def _corrected_from(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    """What had been recorded of a round that is corrected."""
    if before is None:
        return ""
    past, this_round = before.past.get(fields["round"]), before.round
    if past is not None:
        void, hands = past.void, {"player": past.player, "banker": past.banker}
    elif this_round is not None and this_round.number == fields["round"]:
        void = False
        hands = {"player": tuple(this_round.values("player")), "banker": tuple(this_round.values("banker"))}
    else:
        return ""
    recorded = {side: [str(card) for card in cards] for side, cards in hands.items()}
    if void == fields["void"] and all(list(fields[side]) == recorded[side] for side in recorded):
        return writer.say(" Cards and result are as before.")
    points = writer.points(recorded)
    result = writer.say("void") if void or points is None else result_words(writer.language, *points)
    cards = _hands_of(writer, recorded)
    return writer.say(" Recorded before: {hands}: {result}.", hands=cards, result=result)


def _money_moved(writer: EventWriter, fields: Fields, before: Table | None) -> str:
    if fields["void"]:
        return writer.say(" It is void.")
    moved = fields["reversed"] or fields["posted"]
    if moved and fields["because"] == "missed_insurance":
        players = write_list(writer.language, dict.fromkeys(line["player"] for line in fields["posted"]))
        return writer.say(" The bets of {players} go back.", players=players)
    return writer.say(" It is settled again.") if moved else writer.say(" Its money stands.")


_IMPROPER = _where("proper", " The cards now lie where the rules did not send them.", of=False)

_CLAUSES: Final[dict[str, tuple[_Clause, ...]]] = {
    "TableSet": (_readings, _reason(" It is not in force: {reason}.")),
    "ShoeEnded": (_where("order", " Its order is revealed."), _reason()),
    "BetPlaced": (_where("seated", " {player} is standing.", of=False), _warning, _recorded_by),
    "BetIncreased": (_warning, _recorded_by),
    "CardDealt": (
        _where("carried", " It was kept from the round before."),
        _where("proper", " The rules did not send it there.", of=False),
    ),
    "WindowPassed": (_forgone,),
    "InsurancePlaced": (_where("late", " It was offered late."), _recorded_by),
    "InsuranceDeclined": (_recorded_by,),
    "SqueezeAnswered": (_waived,),
    "RoundVoided": (_no_outcome, _returned),
    "RoundInterrupted": (_reason(),),
    "CutCardShown": (_where("withdrawal", " Players may withdraw their bets."),),
    "CardsReconstructed": (_as_they_lay, _carried),
    "OptionsOffered": (_outcome,),
    "OptionChosen": (_recorded_by,),
    "BetsReturned": (_returned,),
    "CardDetermined": (_recorded_as, _IMPROPER),
    "CardsFound": (_IMPROPER,),
    "CardCorrected": (_recorded_as, _reason(), _IMPROPER),
    "RoundCorrected": (_corrected, _corrected_from, _reason()),
    "TableClosed": (_reason(),),
    "ClosingAnnounced": (_reason(),),
}
_PREVIEWED: Final = _CLAUSES | {
    "CardsReconstructed": (_carried,),
    "CardDetermined": (_IMPROPER,),
    "CardCorrected": (_reason(), _IMPROPER),
    "RoundCorrected": (_money_moved,),
}
"""What is said of an event before it happens; without the clauses that name cards."""
