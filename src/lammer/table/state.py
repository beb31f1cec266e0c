"""A table as it stands: what the events so far add up to.

The state is owned by whoever folds the events and is updated in place, so that a bet costs the same
whether it is the first or the ten-thousandth of the round. `decide` only reads it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Literal

from lammer import draw
from lammer.game.cards import Card
from lammer.game.conclusive import Standing, established, standings
from lammer.game.drawing import FIRST_CARDS, next_hand
from lammer.game.hands import Hand, total
from lammer.game.roads import Result, Roads, roads
from lammer.game.shoe import deck_of
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Layout, Rulebook
from lammer.rulebook.playing import chosen_by
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import SIDES, Side, Window, opposite
from lammer.table.records import BeaconRound, OnOffer, PaidLine, ShufflePart
from lammer.table.setup import SetUp

Phase = Literal["betting", "dealing", "settled", "void", "concluded"]
OVER: tuple[Phase, ...] = ("settled", "void", "concluded")
PAST_ROUNDS = 120
"""How many earlier rounds are kept at hand; whatever is older is recalled from the record."""


@dataclass(slots=True)
class Placed:
    """A bet on the felt. `chips` are the parts it was put down in, each with its turn in the round."""

    key: int
    player: str
    box: int
    bet: str
    stake: int
    seated: bool
    chips: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Insured:
    """An Insurance bet; `live` until it is given back, `late` if it was offered late.

    The chips lie with `hand`. Put there by mistake they are `astray`: they insure the other hand.
    """

    key: int
    player: str
    box: int
    hand: Side
    window: Window
    stake: int
    odds: str
    live: bool = True
    late: bool = False
    astray: bool = False

    @property
    def insures(self) -> Side:
        """The hand it was taken to insure, wherever the chips lie."""
        return opposite(self.hand) if self.astray else self.hand


@dataclass(slots=True)
class Laid:
    """A card on the table, in the order it was drawn; `dealt_up` if it came out face up."""

    card: Card
    hand: Side
    place: int
    face_up: bool
    dealt_up: bool = False


@dataclass(slots=True)
class Shoe:
    """The shoe in use: a virtual one knows its order, a read one what has been seen.

    It was `played` once a round was settled from it. `deck` is how many cards one of its decks has. `house`,
    `entropy`, `parts` and `beacon` are what a shared shuffle was made of; the entropy is revealed at its end.
    """

    number: int
    kind: str
    decks: int
    cut: int
    commitment: str
    order: tuple[str, ...]
    salt: str
    dealt: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    cut_shown: bool = False
    played: bool = False
    deck: int = 52
    house: str = ""
    entropy: str = ""
    parts: tuple[ShufflePart, ...] = ()
    beacon: BeaconRound | None = None

    @property
    def size(self) -> int:
        """The cards of a full shoe."""
        return self.deck * self.decks

    @property
    def lost(self) -> bool:
        """Whether a virtual shoe's order cannot be read: what sealed it in the record is lost."""
        return self.kind == "virtual" and not self.order

    @property
    def left(self) -> int:
        """The cards it can still give; a shoe whose order is lost gives none."""
        return 0 if self.lost else self.size - self.dealt


@dataclass(slots=True)
class Shuffle:
    """A shared shuffle that was begun: what the house is bound to, and what each player has added so far."""

    shoe: int
    decks: int
    commitment: str
    closes: datetime
    beacon: BeaconRound | None
    entropy: str
    parts: dict[str, ShufflePart] = field(default_factory=dict)

    def in_order(self) -> tuple[ShufflePart, ...]:
        """What was added, by box and, at one box, as it came."""
        return tuple(sorted(self.parts.values(), key=attrgetter("box")))


@dataclass(slots=True)
class Round:
    """One round, from the opening of bets to its end.

    It keeps the set-up it was opened under. `turns` counts the chips put down. The first `accepted` cards
    stand as they lie, wherever the rules would have sent them. With `exposed_at` cards on the table everybody
    saw the next one before it was dealt. `announced` are those who will insure: player, box and hand;
    `declined` those who said in the open window that they will not, and may still insure until the next card.
    `taken_back` are announcements of the open window that came to nothing: nobody is waited for twice.
    `missed` is who is offered a hand late. `key_at_card` is the key of the latest bet when the last card was
    dealt. `squeeze_asked` is how many cards lay there when a squeeze was last asked for, `squeeze_from` the
    first card it was granted for. A `reopened` round was settled before. `opened` are the windows that opened
    and were not interrupted, each with a hand that was on offer. `reported` is a dealing error that waits to
    be confirmed, and whether the hand was put right. `draws` is what hands that may draw have chosen.
    """

    number: int
    shoe: int
    setup: SetUp = field(repr=False)
    book: Rulebook = field(repr=False)
    phase: Phase = "betting"
    turns: int = 0
    bets: dict[int, Placed] = field(default_factory=dict)
    by_place: dict[tuple[str, int, str], int] = field(default_factory=dict)
    sides: dict[tuple[int, str], int] = field(default_factory=dict)
    live_in_box: Counter[tuple[int, str]] = field(default_factory=Counter)
    insured: dict[int, Insured] = field(default_factory=dict)
    cards: list[Laid] = field(default_factory=list)
    misplaced: bool = False
    accepted: int = 0
    exposed_at: int = -1
    window: Window | None = None
    offers: tuple[OnOffer, ...] = ()
    opened: set[tuple[Window, Side]] = field(default_factory=set)
    forgone: set[str] = field(default_factory=set)
    announced: set[tuple[str, int, Side]] = field(default_factory=set)
    declined: set[tuple[str, int, Side]] = field(default_factory=set)
    taken_back: set[tuple[str, int, Side]] = field(default_factory=set)
    missed: set[tuple[str, Side]] = field(default_factory=set)
    key_at_card: int = 0
    waived: bool = False
    squeeze: tuple[str, str] | None = None
    squeezer: str = ""
    squeeze_asked: int = 0
    squeeze_from: int = 0
    banker_third_first: bool = False
    withdrawal: bool = False
    cut_first: bool = False
    cut_shown: bool = False
    interrupted: bool = False
    reported: tuple[str, bool] | None = None
    options: dict[str, str] | None = None
    put_right: bool = False
    reopened: bool = False
    lines: tuple[PaidLine, ...] = ()
    draws: dict[Side, bool] = field(default_factory=dict)

    def hand(self, side: Side) -> list[Laid]:
        return [laid for laid in self.cards if laid.hand == side]

    def laid_at(self, side: Side, place: int, cite: Citation | None = None) -> Laid:
        """The card in that place of a hand, or `no_such_card`."""
        hand = self.hand(side)
        if not 1 <= place <= len(hand):
            raise Refused(
                "no_such_card", "The {hand} hand has no card {place}.", cite, hand=Term(side), place=place
            )
        return hand[place - 1]

    def values(self, side: Side) -> list[Card]:
        return [laid.card for laid in self.cards if laid.hand == side]

    def exposed(self, side: Side) -> list[Card | None]:
        """The hand as everyone sees it: None for a card that lies face down."""
        return [laid.card if laid.face_up else None for laid in self.cards if laid.hand == side]

    def live(self) -> Iterator[Placed | Insured]:
        yield from self.bets.values()
        yield from (bet for bet in self.insured.values() if bet.live)

    def _repr_svg_(self) -> str:
        """The cards as a notebook shows them; what lies face down stays face down."""
        hidden = {(laid.hand, laid.place - 1) for laid in self.cards if not laid.face_up}
        cards = [tuple(self.values(side)) for side in SIDES]
        player, banker = (Hand(hand, total(self.book, hand)) for hand in cards)
        return draw.hands(player, banker, hidden=hidden)

    def players(self) -> list[str]:
        """Everyone with a live bet, in order of placing."""
        return list(dict.fromkeys(bet.player for bet in self.live()))


@dataclass(frozen=True, slots=True)
class PitCall:
    """A call to the pit that nobody has answered yet."""

    number: int
    reason: str
    by: str
    at: datetime


@dataclass(slots=True)
class Past:
    """A round that is over, with the set-up it was played under: what a correction of it needs to know."""

    number: int
    setup: SetUp
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    winner: str
    points: int
    lines: tuple[PaidLine, ...]
    void: bool
    waived: bool = False
    opened: tuple[tuple[Window, Side], ...] = ()
    draws: tuple[tuple[Side, bool], ...] = ()


Recall = Callable[[int, int], Past | None]
"""Finds an earlier round in the record by its number and how often it was corrected, however long ago."""


@dataclass(frozen=True, slots=True)
class OutcomeNow:
    """Whether an outcome has been established, by which bets, and how every bet stands."""

    by: tuple[str, ...]
    standings: Mapping[str, Standing]

    @property
    def established(self) -> bool:
        return bool(self.by)


@lru_cache(maxsize=64)
def _cite_by_behaviour(book: Rulebook) -> dict[str, Citation]:
    # Where the document provides for it, not where it defines the word: section 1 comes last.
    cites = {name: irregularity.cite for name, irregularity in book.irregularities.items()}
    for paragraph in sorted(
        book.paragraphs.values(), key=lambda paragraph: paragraph.number.startswith("1.")
    ):
        for behaviour in paragraph.behaviours:
            cites.setdefault(behaviour, book.cite(paragraph.number))
    return cites


@dataclass(slots=True)
class Table:
    """Everything about one table.

    Needs the rulebooks it may be set to and, for rounds it no longer keeps at hand, somebody who can recall
    them, since it reads no files. `set_ups` counts how often it was set up, `corrected` how often each round
    was corrected. `out_of_force` is why it plays a rulebook that was not in force. `staff_bets` is who lets
    staff bet for them. `unplayed` counts shoes that were ended although nobody had played them, in all and
    since a round was last settled. Of `shoe_before`, the one before the shoe in use, only what it showed is
    known: its last round can still be put right. `calls` counts the calls to the pit, `pit_calls` are those
    nobody has answered. A `closed` table opens no round. `shuffle` is one that was begun for the next shoe.
    With a `closing_reason`, empty or not, the table closes when its round is over.
    """

    books: Mapping[str, Rulebook]
    setup: SetUp | None = None
    set_ups: int = 0
    out_of_force: str = ""
    seats: dict[str, int] = field(default_factory=dict)
    boxes: dict[int, str] = field(default_factory=dict)
    walked: set[str] = field(default_factory=set)
    staff_bets: set[str] = field(default_factory=set)
    shoe: Shoe | None = None
    shoe_before: Shoe | None = None
    shoes: int = 0
    carried: deque[str] = field(default_factory=deque)
    round: Round | None = None
    rounds: int = 0
    keys: int = 0
    past: dict[int, Past] = field(default_factory=dict)
    corrected: dict[int, int] = field(default_factory=dict)
    results: dict[int, Result] = field(default_factory=dict)
    last_of_shoe: bool = False
    unplayed: int = 0
    unplayed_in_a_row: int = 0
    accounts: dict[str, int] = field(default_factory=dict)
    calls: int = 0
    pit_calls: dict[int, PitCall] = field(default_factory=dict)
    closed: bool = False
    shuffle: Shuffle | None = None
    closing_reason: str | None = None
    recall: Recall | None = field(default=None, repr=False, compare=False)
    book: Rulebook = field(init=False, repr=False)
    layout: Layout = field(init=False, repr=False)

    def require_setup(self) -> SetUp:
        """How the table is set up; refused where it is not set up yet."""
        if self.setup is None:
            raise Refused(
                "table_not_set_up", "The table is not set up yet.", next_step="Set the table first."
            )
        return self.setup

    def set_to(self, setup: SetUp) -> None:
        """Take a set-up on; the rulebook and the layout are looked up once and not with every bet."""
        self.setup = setup
        self.book = self.books[setup.rulebook]
        self.layout = self.book.layout(setup.layout)

    def take_choices(self) -> None:
        """Play the round by what its hands have chosen: there the Table of Play leaves nothing open."""
        this_round = self.round
        if this_round is not None and this_round.draws:
            book = self.books[this_round.setup.rulebook]
            self.book = this_round.book = chosen_by(book, this_round.draws)

    def rules_under(self, setup: SetUp, draws: Iterable[tuple[Side, bool]] = ()) -> Table:
        """The rules of a set-up, with nothing on the table: what an earlier round is judged by.

        Who speaks for the House is what the table says now. `draws` is what hands that may draw had chosen.
        """
        rules = Table(self.books)
        rules.set_to(replace(setup, house_role=self.require_setup().house_role))
        rules.book = chosen_by(rules.book, dict(draws))
        return rules

    @property
    def box_count(self) -> int:
        return self.require_setup().boxes or self.layout.most

    def cite(self, behaviour: str) -> Citation | None:
        """The first paragraph of this table's rulebook that a behaviour answers for."""
        return _cite_by_behaviour(self.book).get(behaviour)

    def paragraph(self, behaviour: str) -> str:
        """The same as a number for the record; empty where the document has no such paragraph."""
        cite = self.cite(behaviour)
        return cite.paragraph if cite else ""

    def roads(self) -> Roads:
        """The roads of the settled rounds; void ones are not on them."""
        return roads([self.results[number] for number in sorted(self.results)])

    @property
    def notice(self) -> str:
        """What the table has to show: no Insurance, not in force, private, a test, closed; else empty."""
        sentences = []
        private = (
            ""
            if self.require_setup().insurance or self.book.insurance is None
            else self.paragraph("private_table")
        )
        if private:
            sentences.append(f"No Insurance is offered at this table ({self.book.id}, {private}).")
        if self.out_of_force:
            sentences.append(f"{self.book.id} is not in force (title page): {self.out_of_force}.")
        if self.book.is_private:
            sentences.append(f"{self.book.id} is a private rulebook; nobody has approved it.")
        if self.require_setup().test:
            sentences.append("This is a test table.")
        if self.closed:
            sentences.append("This table is closed.")
        return " ".join(sentences)

    def is_over(self, this_round: Round) -> bool:
        """Whether a round was settled, and is at most put right: nobody chooses or insures any more."""
        return (this_round.reopened or this_round.phase == "settled") and (
            self.reading("after_settlement") == "round_is_over"
        )

    def past_round(self, number: int) -> Past | None:
        """An earlier round: kept at hand, or recalled from the record."""
        if number in self.past or self.recall is None:
            return self.past.get(number)
        return self.recall(number, self.corrected.get(number, 0))

    def next_began(self, number: int) -> bool:
        """Whether a round after this one has begun."""
        return self.rounds > number

    def reading(self, name: str) -> str:
        return self.book.reading(name, self.require_setup().readings)

    def require_round(self) -> Round:
        """The round being played, or `no_round`."""
        if self.round is None or self.round.phase in OVER:
            raise Refused(
                "no_round",
                "No round is under way.",
                self.cite("open_bets"),
                next_step="Open the betting first.",
            )
        return self.round

    def must_mean_this_round(self, number: int) -> None:
        """Refuse what was meant for another round; 0 means whichever is at the table."""
        this_round = self.require_round()
        if number not in (0, this_round.number):
            raise Refused(
                "another_round",
                "This was meant for round {number}; round {round} is at the table now.",
                self.cite("round"),
                next_step="Look at the table, and ask again if it is still wanted.",
                number=number,
                round=this_round.number,
            )

    def shoe_of(self, this_round: Round) -> Shoe | None:
        """The shoe a round was dealt from, if what it showed is still known."""
        for shoe in (self.shoe, self.shoe_before):
            if shoe is not None and shoe.number == this_round.shoe:
                return shoe
        return None

    def must_not_be_interrupted(self) -> None:
        """Refuse while the round waits for a person to resolve its interruption."""
        this_round = self.require_round()
        if this_round.interrupted:
            raise Refused(
                "round_is_interrupted",
                "Round {round} is interrupted.",
                self.cite("technical_interruption"),
                next_step="A person resolves the interruption first.",
                round=this_round.number,
            )

    def next_hand(self) -> Side | None:
        """Where the next card belongs, by the cards on the table."""
        this_round = self.require_round()
        return next_hand(self.book, this_round.values("player"), this_round.values("banker"))

    def due(self, cards: Sequence[Laid]) -> Side | None:
        """Where the next card after these belongs; None where none is due, or cards face down decide it.

        The Banker's third waits until the Player's is open, unless it was to come first and is certain.
        """
        hands: dict[Side, list[Card]] = {"player": [], "banker": []}
        for laid in cards:
            hands[laid.hand].append(laid.card)
        hidden = [laid for laid in cards if not laid.face_up]
        if len(cards) < FIRST_CARDS or not hidden:
            return next_hand(self.book, hands["player"], hands["banker"])
        first = self.round is not None and self.round.banker_third_first
        if not first or [(laid.hand, laid.place) for laid in hidden] != [("player", 3)]:
            return None
        possible = {
            next_hand(self.book, [*hands["player"][:2], card], hands["banker"]) for card in deck_of(self.book)
        }
        return possible.pop() if len(possible) == 1 else None

    def proper_order(self, cards: Sequence[Laid], accepted: int = 0) -> tuple[list[Laid], list[Card]]:
        """The cards in the order they were drawn, each where the rules send it; and what is left over.

        What was drawn before anybody could see whether it was due is left over, and comes next. The first
        `accepted` cards stay where they lie.
        """
        laid: list[Laid] = list(cards[:accepted])
        left: list[Card] = []
        for drawn in cards[accepted:]:
            side = None if left else self.due(laid)
            if side is None:
                left.append(drawn.card)
                continue
            place = sum(other.hand == side for other in laid) + 1
            laid.append(Laid(drawn.card, side, place, drawn.face_up, drawn.dealt_up))
        return laid, left

    def _repr_svg_(self) -> str:
        """The felt with the bets of the round as a notebook shows it."""
        bets = self.round.bets.values() if self.round is not None else ()
        chips = [draw.Chip(bet.player, bet.box, bet.bet, bet.stake) for bet in bets]
        return draw.felt(self.book, self.require_setup().layout, chips, boxes=range(1, self.box_count + 1))

    def outcome(self) -> OutcomeNow:
        """Has an outcome been established, and by which bets?

        Judged on the cards that are face up; cards that lie wrong are taken as they would be put right.
        """
        this_round = self.round
        if this_round is None:
            return OutcomeNow((), {})
        return self.outcome_with(self.cards_in_order(this_round))

    def cards_in_order(self, this_round: Round) -> Sequence[Laid]:
        """The cards of a round as they lie, or as they would be put right where they lie wrong."""
        return (
            self.proper_order(this_round.cards, this_round.accepted)[0]
            if this_round.misplaced
            else this_round.cards
        )

    def outcome_with(self, cards: Sequence[Laid]) -> OutcomeNow:
        """The outcome as it stands with these cards on the table."""
        this_round = self.round
        assert this_round is not None
        player, banker = (
            [laid.card if laid.face_up else None for laid in cards if laid.hand == side]
            for side in ("player", "banker")
        )
        bet_standings = standings(self.book, player, banker, self.require_setup().readings)
        placed = {bet.bet for bet in this_round.bets.values()}
        return OutcomeNow(
            established(self.book, self.layout, bet_standings, placed, self.require_setup().readings),
            bet_standings,
        )
