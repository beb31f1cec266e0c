"""A second, deliberately naive table, against which the tests hold the real one.

Written from the five texts, the readings beside them and the vocabulary of commands alone, and sharing
nothing with the table it is compared with. It is sections 3 and 5 of the texts: people, seats, limits,
betting, dealing, insurance, every irregularity, and the money. R1, R2, ... are the readings by their number,
a bare number such as 5.9 is a paragraph (of the two @3 texts where they differ). Money is whole cents.

A command is either allowed and done, or refused and then nothing has changed: every handler asks all its
questions first (`need`) and only then touches anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from support import brute_force, plain_cards
from support.brute_force import COMMISSION, NONCOMMISSION_4, Hand, Odds
from support.plain_cards import HANDS, Lying
from support.plain_facts import (
    LEAST_ROLE,
    RANK,
    READINGS,
    RULEBOOKS,
    SEATED_PLAYER_SQUEEZES,
    VERSION_3,
    WITH_INSURANCE,
    in_force,
    positions,
)

BetKey = tuple[str, int, str]
TEN_TO_ONE: Odds = (10, 1)
VOID_CAUSES = ("foreign_card", "wrong_deck", "wrong_number_of_cards", "shoe_ran_dry", "unshuffled_cards")


class RefusedError(Exception):
    """The command is not allowed now."""


def need(condition: object, why: str) -> None:
    """Refuse the command unless the condition holds."""
    if not condition:
        raise RefusedError(why)


@dataclass(frozen=True)
class SetUp:
    """How a table is set up."""

    rulebook: str
    layout: str
    boxes: int
    decks: int
    limits: Mapping[str, Mapping[str, int]]
    differential: int
    face_down: bool
    high_limit: bool
    shoe: str
    cut: int
    readings: Mapping[str, str]
    insurance: bool
    house_role: str
    test: bool
    out_of_force_reason: str

    def reading(self, name: str) -> str:
        """The table's choice, or ours."""
        return self.readings.get(name, READINGS[name][0][0])

    @property
    def strict(self) -> bool:
        """Whether the system itself takes the bets (R8)."""
        return self.reading("limits_mode") == "strict"

    @property
    def offers_insurance(self) -> bool:
        """Whether Insurance is offered here at all (3.11, 4.2.2)."""
        return self.rulebook in WITH_INSURANCE and self.insurance

    def limit(self, bet: str) -> tuple[int, int]:
        """Minimum and maximum of a bet; a maximum of 0 is none."""
        kind = "original" if bet in HANDS else "side"
        found = self.limits.get(bet, self.limits.get(kind, {}))
        return found.get("minimum", 0), found.get("maximum", 0)


@dataclass
class Shoe:
    """The cards that came out of a shoe, and those of a virtual one still in it."""

    kind: str
    decks: int
    cut: int
    inside: list[str]
    came_out: Counter[str] = field(default_factory=Counter)
    carried: list[str] = field(default_factory=list)
    went_unseen: list[str] = field(default_factory=list)  # face down in a round that was made void
    cut_card_shown: bool = False
    to_be_replaced: bool = False
    played: bool = False  # a round was settled from it

    def left(self) -> int:
        """How many cards can still be dealt, those waiting included."""
        if self.kind == "virtual":
            return len(self.inside) + len(self.carried)
        return 52 * self.decks - sum(self.came_out.values()) + len(self.carried)

    def replace(self, instead_of: Iterable[str], cards: Iterable[str]) -> None:
        """Record that other cards came out than had been recorded."""
        self.came_out.subtract(instead_of)
        self.came_out.update(cards)


@dataclass
class Chips:
    """Chips put down in one movement; an increase is as late as itself (R7)."""

    key: BetKey
    amount: int
    seated: bool


@dataclass
class Insurance:
    """One insurance bet."""

    player: str
    box: int
    hand: str
    window: str
    stake: int
    odds: Odds
    late: bool
    original: int  # the Original Bet when it was made
    after_cards: int  # how many cards lay on the table then
    astray: bool = False  # the chips lie on `hand`, but it was taken as insurance of the other one (5.18)

    @property
    def insures(self) -> str:
        """The hand that was to be insured."""
        return plain_cards.other(self.hand) if self.astray else self.hand


@dataclass
class Round:
    """A round of play; it is kept for ever, with the set-up it was played under."""

    number: int
    setup: SetUp
    shoe: Shoe
    phase: str = "betting"
    chips: list[Chips] = field(default_factory=list)
    insurance: list[Insurance] = field(default_factory=list)
    cards: list[Lying] = field(default_factory=list)
    accepted: int = 0  # so many cards stand as they lie although dealt wrongly (5.16.1)
    forgone: set[str] = field(default_factory=set)
    announced: set[tuple[str, int, str]] = field(default_factory=set)
    # Announced in the window that is open, and then no; and what players said no to themselves in it.
    taken_back: set[tuple[str, int, str]] = field(default_factory=set)
    said_no: set[tuple[str, int, str]] = field(default_factory=set)
    window_was: object = None  # the cards of the window those were said in
    late_offers: dict[tuple[str, str], tuple[str, Odds]] = field(default_factory=dict)
    offered: set[tuple[str, str]] = field(default_factory=set)  # windows that opened, with a hand on offer
    passed_with: int = -1  # a card was exposed when so many lay on the table: the window then open has passed
    waived: bool = False
    asked: tuple[str, str, int] | None = None  # squeeze requested: by whom, what, with how many cards dealt
    squeezes: list[tuple[str, str, int]] = field(default_factory=list)  # what the House consented to
    options: dict[str, str] | None = None
    reported: bool = False  # a dealer reported an error, and nobody above has confirmed it yet
    withdrawal: bool = False
    withdrawal_offered: bool = False
    withdrawal_missed: bool = False
    interrupted: bool = False
    reopened: bool = False
    posted: list[tuple[str, int]] = field(default_factory=list)
    nets: dict[tuple[str, int, str], int] = field(default_factory=dict)

    def stakes(self) -> dict[BetKey, int]:
        """The bets that stand, in the order they were first put down."""
        stakes: dict[BetKey, int] = {}
        for chips in self.chips:
            stakes[chips.key] = stakes.get(chips.key, 0) + chips.amount
        return stakes

    def hand(self, hand: str) -> Hand:
        """A hand as it is."""
        return plain_cards.hand_of(self.cards, hand)

    def seen(self, hand: str) -> Hand:
        """A hand as anybody can see it."""
        return plain_cards.seen_of(self.cards, hand)

    def due(self) -> str:
        """Which hand gets the next card.

        Where the House consented to the Banker's third card first on any total (R21), the Player's third
        decides although nobody has seen it.
        """
        hand = self.due_as_seen()
        opened = "" not in self.seen("player")[:2] + self.seen("banker")[:2]
        if hand == plain_cards.UNKNOWN and self.waived and opened and not self.misplaced():
            return plain_cards.due(self.hand("player"), self.hand("banker"))
        return hand

    def due_as_seen(self) -> str:
        """Which hand gets the next card, by the cards that can be seen and in their proper order.

        The Banker's third waits until every card of the Player is open, unless the House consented to have
        it first (3.14): until then nobody is to know whether it is due.
        """
        cards = self.cards
        if self.misplaced():
            cards = plain_cards.in_proper_order(cards, self.accepted, self.waived)
            if len(cards) < len(self.cards):
                return ""  # some card is left over already, and so would be the next
        player, banker = plain_cards.seen_of(cards, "player"), plain_cards.seen_of(cards, "banker")
        hand = plain_cards.due(player, banker)
        if hand == "banker" and len(banker) == 2 and "" in player and not self.waived:
            return plain_cards.UNKNOWN
        return hand

    def misplaced(self) -> bool:
        """Whether some card does not lie where the rules send it."""
        return not plain_cards.lie_in_order(self.cards, self.accepted)

    def finished(self) -> bool:
        """Whether all cards lie open, in order (or accepted as they lie), and no more are called for."""
        player, banker = self.hand("player"), self.hand("banker")
        return (
            all(lying.open for lying in self.cards)
            and not self.misplaced()
            and plain_cards.due(player, banker) == ""
        )

    def over(self) -> bool:
        """Whether the round had ended before it was reopened: nobody may choose any more (R12)."""
        return self.reopened and self.setup.reading("after_settlement") == "round_is_over"

    def busy(self) -> bool:
        """Whether something else has to be ended first: an interruption, an error not confirmed, a choice."""
        return self.interrupted or self.reported or self.options is not None or self.withdrawal


@dataclass(frozen=True)
class Call:
    """One command."""

    by: str
    role: str
    at: datetime
    fields: Mapping[str, Any]
    shoe_order: tuple[str, ...]

    def text(self, name: str) -> str:
        """A text field; "" if it was left out."""
        return str(self.fields.get(name) or "")

    def number(self, name: str) -> int:
        """A number; 0 if it was left out."""
        return int(self.fields.get(name) or 0)

    def yes(self, name: str, otherwise: bool) -> bool:
        """Yes or no."""
        answer = self.fields.get(name, otherwise)
        return otherwise if answer is None else bool(answer)

    def several(self, name: str) -> list[Any]:
        """A list; empty if it was left out."""
        return list(self.fields.get(name) or ())

    def at_least(self, role: str) -> bool:
        """Whether the caller has this role or a higher one."""
        return RANK[self.role] >= RANK[role]


class PlainTable:
    """One table, from its set-up on."""

    def __init__(self) -> None:
        self._setup: SetUp | None = None
        self._seats: dict[str, int] = {}
        self._walked: set[str] = set()
        self._staff_bets: set[str] = set()
        self._shoe: Shoe | None = None
        self._rounds: list[Round] = []
        self._cleared = False  # the last round no longer lies on the table: it was set up for another game
        self._purses: Counter[str] = Counter()
        self._bank = 0
        self._commission = 0
        self._unplayed = 0  # virtual shoes ended before a round was settled from them, in all
        self._unplayed_in_a_row = 0
        self._closed = False
        self._closes_after_round = False
        self._calls: list[str | None] = []  # every call to the pit; None once it was answered
        self._brought: set[str] = set()  # who ever brought chips here, or took some away

    def ask(
        self,
        by: str,
        role: str,
        at: datetime,
        do: str,
        fields: dict[str, Any],
        shoe_order: tuple[str, ...] = (),
    ) -> bool:
        """Accepted (True; the model has moved on) or refused (False; nothing changed)."""
        if do not in LEAST_ROLE or role not in RANK:
            return False
        call = Call(by, role, at, fields, shoe_order)
        try:
            need(self._setup is not None or do == "set_table", "the table is not set up")
            least = LEAST_ROLE[do]
            need(call.at_least(self._house_role() if least == "house" else least), "role")
            open_or = ("set_table", "fill_bank", "credit_bank", "answer_pit_call", "open_table")
            need(not self._closed or do in open_or, "the table is closed")
            handler: Callable[[Call], None] = getattr(self, f"_{do}")
            before = self.window(), self.offers()
            handler(call)
        except RefusedError:
            return False
        this = self._lies()
        if this and (self.window(), self.offers()) != before:
            window, offers = self._window(this)
            this.offered |= {(window, hand) for hand in offers}
        if self._rounds:
            self._end_announcements(self._rounds[-1])
        if self._closes_after_round and not self._in_a_round():
            self._give_everything_back()
        return True

    # What can be seen of the table.

    def phase(self) -> str:
        """Where the round on the table stands; "" where none lies there."""
        this = self._lies()
        return this.phase if this else ""

    def bets(self) -> dict[BetKey, int]:
        """The stakes of the bets that stand in the round on the table, also after settlement."""
        this = self._lies()
        return this.stakes() if this else {}

    def insurance(self) -> list[tuple[str, int, str, str, int, str]]:
        """The insurance that stands: player, box, hand, window, stake, odds; one entry for each bet made."""
        this = self._lies()
        return sorted(
            (bet.player, bet.box, bet.hand, bet.window, bet.stake, f"{bet.odds[0]}:{bet.odds[1]}")
            for bet in (this.insurance if this else [])
        )

    def window(self) -> str:
        """The ordinary window that is open, if one is."""
        this = self._lies()
        return self._window(this)[0] if this else ""

    def offers(self) -> set[tuple[str, str]]:
        """What is on offer in it."""
        this = self._lies()
        offers = self._window(this)[1] if this else {}
        return {(hand, f"{odds[0]}:{odds[1]}") for hand, odds in offers.items()}

    def offers_to(self, player: str) -> set[tuple[int, str, str, int]]:
        """What the player may take at this moment, late offers included: box, hand, odds, most cents."""
        this = self._lies()
        return {
            (box, hand, f"{odds[0]}:{odds[1]}", most)
            for box, hand, _, odds, most, _ in (self._open_to(this, player) if this else [])
            if most > 0
        }

    def forgone(self) -> set[str]:
        """Who has forgone Insurance for the round (5.3); nobody where it is not offered."""
        this = self._lies()
        return set(this.forgone) if this and this.setup.offers_insurance else set()

    def options(self) -> dict[str, str] | None:
        """Who is being asked, and the answers so far."""
        this = self._lies()
        return None if this is None or this.options is None else dict(this.options)

    def reported(self) -> bool:
        """Whether a dealing error waits to be confirmed."""
        this = self._lies()
        return this is not None and this.reported

    def hands(self) -> tuple[str, str]:
        """Both hands as recorded."""
        this = self._lies()
        return (" ".join(this.hand("player")), " ".join(this.hand("banker"))) if this else ("", "")

    def misplaced(self) -> bool:
        """Whether cards lie where they should not."""
        this = self._lies()
        return this is not None and this.misplaced()

    def carried(self) -> list[str]:
        """The cards waiting to be the next out of the shoe."""
        return list(self._shoe.carried) if self._shoe else []

    def unplayed(self) -> tuple[int, int]:
        """How many shoes were ended although nobody had played them, in all and since a settlement."""
        return self._unplayed, self._unplayed_in_a_row

    def staff_bets(self) -> set[str]:
        """Who lets staff bet for them."""
        return set(self._staff_bets)

    def pit_calls(self) -> dict[int, str]:
        """The calls to the pit that nobody has answered."""
        return {number: reason for number, reason in enumerate(self._calls, start=1) if reason is not None}

    def closed(self) -> bool:
        """Whether the table is closed."""
        return self._closed

    def closes_after_round(self) -> bool:
        """Whether it closes when its round is over."""
        return self._closes_after_round

    def interrupted(self) -> bool:
        """Whether the round is interrupted."""
        this = self._lies()
        return this is not None and this.interrupted

    def money(self) -> dict[str, int]:
        """Net cents of every player who is not even, and of "bank" and "commission"."""
        purses = {player: cents for player, cents in self._purses.items() if cents}
        return {**purses, "bank": self._bank, "commission": self._commission}

    def round_money(self, number: int) -> dict[tuple[str, int, str], int]:
        """Net of each line of a settled round: (player, box, bet or "insurance:hand:window")."""
        return dict(self._rounds[number - 1].nets) if 0 < number <= len(self._rounds) else {}

    # Things asked again and again.

    def _table(self) -> SetUp:
        assert self._setup is not None
        return self._setup

    def _house_role(self) -> str:
        return self._setup.house_role if self._setup else "pit_supervisor"

    def _lies(self) -> Round | None:
        """The round that lies on the table, under way or over, if one does."""
        return self._rounds[-1] if self._rounds and not self._cleared else None

    def _in_a_round(self) -> bool:
        return self.phase() in ("betting", "dealing")

    def _on_the_table(self, *phases: str) -> Round:
        """The round on the table, if it is in one of these phases."""
        need(self.phase() in phases, "phase")
        return self._rounds[-1]

    def _dealing(self) -> Round:
        """The round on the table, bets closed and nothing else to be ended first."""
        this = self._on_the_table("dealing")
        need(not this.busy(), "interrupted, or options or withdrawal open")
        return this

    def _round(self, number: int) -> Round:
        """A round by its number; 0 is the round on the table."""
        need(0 <= number <= len(self._rounds), "no such round")
        need(number or self._lies(), "no round on the table")
        return self._rounds[number - 1]

    def _is_earlier(self, this: Round) -> bool:
        """Whether the round no longer lies on the table, begun the next one or not."""
        return this is not self._lies()

    def _next_has_begun(self, this: Round) -> bool:
        """Whether a later round was opened: in @4 everything then stands (5.6 there)."""
        return this is not self._rounds[-1]

    def _whose(self, call: Call) -> str:
        """The player a command is for: players act for themselves, staff at a player's request (5.22)."""
        player = call.text("player")
        need(player, "no player")
        need(call.role != "player" or player == call.by, "a player acts only for themselves")
        return player

    def _outcome_stands(self, this: Round) -> bool:
        """Whether an available bet has conclusively won or lost by the cards exposed (5.4.1, R9).

        Cards that lie misplaced are judged in their proper order.
        """
        cards = this.cards
        if this.misplaced():
            cards = plain_cards.in_proper_order(cards, this.accepted, this.waived)
        player, banker = plain_cards.seen_of(cards, "player"), plain_cards.seen_of(cards, "banker")
        reading = this.setup.reading("outcome_established")
        bets: Iterable[str] = HANDS
        if reading == "bets_offered":
            bets = brute_force.offered(this.setup.rulebook, this.setup.layout)
        elif reading == "bets_placed":
            bets = {bet for _, _, bet in this.stakes()}
        return any(plain_cards.decided(bet, player, banker) for bet in bets)

    def _can_come(self, shoe: Shoe, cards: Sequence[str], instead_of: Sequence[str] = ()) -> bool:
        """Whether the set can hold these cards beside those everybody has seen, instead of some recorded.

        What lies face down, waits at a face-down table or went with a void round unseen tells nobody whether
        it is one of them.
        """
        known = shoe.came_out.copy()
        known.subtract(shoe.went_unseen)
        if self._table().face_down:
            known.subtract(shoe.carried)
        if self._in_a_round() and self._rounds[-1].shoe is shoe:
            known.subtract(lying.card for lying in self._rounds[-1].cards if not lying.open)
        known.subtract(instead_of)
        known.update(cards)
        out = sum(shoe.came_out.values()) - len(instead_of) + len(cards)
        return out <= 52 * shoe.decks and all(known[card] <= shoe.decks for card in cards)

    # Money.

    def _post(self, account: str, cents: int) -> None:
        self._purses[account] += cents

    def _post_line(self, this: Round, player: str, stake: int, ending: tuple[str, int, int]) -> int:
        """Post how a stake ended: result, winnings and commission; the player's net."""
        result, winnings, commission = ending
        moves = [
            (f"player:{player}", stake + winnings),
            ("bank", -winnings - commission),
            ("commission", commission),
        ]
        if result == "lost":
            moves = [("bank", stake)]
        for account, cents in moves:
            self._move(account, cents)
        this.posted.extend(moves)
        return -stake if result == "lost" else winnings

    def _move(self, account: str, cents: int) -> None:
        if account == "bank":
            self._bank += cents
        elif account == "commission":
            self._commission += cents
        else:
            self._post(account.removeprefix("player:"), cents)

    def _unsettle(self, this: Round) -> None:
        """Reverse the settlement of a round: the stakes lie on the felt again."""
        for account, cents in this.posted:
            self._move(account, -cents)
        this.posted = []
        this.nets = {}

    def _settle_lines(self, this: Round) -> None:
        """Post the settlement of a round by its cards (section 4)."""
        player, banker = this.hand("player"), this.hand("banker")
        for (who, box, bet), stake in this.stakes().items():
            ending = self._bet_ends(this.setup, bet, player, banker, stake)
            this.nets[who, box, bet] = self._post_line(this, who, stake, ending)
        self._settle_insurance(this, player, banker)

    def _bet_ends(
        self, setup: SetUp, bet: str, player: Hand, banker: Hand, stake: int
    ) -> tuple[str, int, int]:
        """How a bet ends by two hands, whatever the Table of Play says of them."""
        odds = brute_force._winning_odds(setup.rulebook, bet, player, banker)
        if bet == "tiger_pair":
            odds = plain_cards.tiger_pair_odds(player, banker, setup.reading("twin_pair") == "same_value")
        if odds is None:
            tie = brute_force.points(player) == brute_force.points(banker)
            return ("returned" if tie and bet in HANDS else "lost"), 0, 0
        winnings = stake * odds[0] // odds[1]
        commission = 0
        if setup.rulebook == COMMISSION and bet == "banker":
            commission = stake - winnings  # the bank pays even money, 5% of it is commission (4.1.1)
        return "won", winnings, commission

    def _settle_insurance(self, this: Round, player: Hand, banker: Hand) -> None:
        """Insurance is settled by the situation as it really was, up to what could be staked there (R28).

        A table may settle it as taken instead; and what lies astray and was not found is settled where it
        lies, at the price of the hand it was taken for. A tie goes by the situation as it really was: nothing
        listed, the stake goes back.
        """
        really = plain_cards.listed_in(player, banker)
        as_taken = this.setup.reading("insurance_of_another_card") == "as_taken" if this.insurance else False
        tie = brute_force.points(player) == brute_force.points(banker)
        counted: list[Insurance] = []
        for bet in this.insurance:
            odds: Odds | None = bet.odds
            plays = bet.stake
            if not as_taken:
                odds = really.get((bet.insures, bet.window))
                if odds is not None and odds != bet.odds:
                    original = this.stakes().get((bet.player, bet.box, bet.insures), bet.original)
                    plays = min(plays, self._most(this.setup, bet, odds, original, counted))
            if odds is None:
                plays = 0
            net = self._post_line(this, bet.player, bet.stake - plays, ("returned", 0, 0))
            if odds is not None:
                if not tie:
                    ends = plain_cards.insurance_ends(bet.hand, bet.window, player, banker)
                elif (bet.insures, bet.window) in really:
                    ends = plain_cards.insurance_ends(bet.insures, bet.window, player, banker)
                else:
                    ends = "returned"
                winnings = plays * odds[0] // odds[1] if ends == "won" else 0
                net += self._post_line(this, bet.player, plays, (ends, winnings, 0))
                counted.append(replace(bet, stake=plays, odds=odds))
            line = (bet.player, bet.box, f"insurance:{bet.hand}:{bet.window}")
            this.nets[line] = this.nets.get(line, 0) + net

    def _most(
        self, setup: SetUp, bet: Insurance, odds: Odds, original: int, others: Iterable[Insurance]
    ) -> int:
        """The most that can be staked beside what was staked already (3.12.2, 5.17.1, R6, R14)."""
        limit = min(original, setup.differential // 4) if odds == TEN_TO_ONE else original
        late_winnings_left = Fraction(original)
        for other in others:
            if (other.player, other.box, other.insures) == (bet.player, bet.box, bet.insures):
                if other.window == bet.window:
                    limit -= other.stake
                if other.late:
                    late_winnings_left -= Fraction(other.stake * other.odds[0], other.odds[1])
        if bet.late:
            limit = min(limit, int(late_winnings_left * odds[1] / odds[0]))
        return max(0, limit)

    def _give_back(self, this: Round, keys: Iterable[BetKey], insurance_of: Iterable[str] = ()) -> None:
        """Give bets back that lie on the felt, and all insurance of some players."""
        keys, players = set(keys), set(insurance_of)
        for chips in this.chips:
            if chips.key in keys:
                self._post(chips.key[0], chips.amount)
        this.chips = [chips for chips in this.chips if chips.key not in keys]
        for bet in this.insurance:
            if bet.player in players:
                self._post(bet.player, bet.stake)
        this.insurance = [bet for bet in this.insurance if bet.player not in players]

    def _chips_back(self, this: Round, key: BetKey, amount: int) -> None:
        """Give a part of a bet back, its latest chips first."""
        for chips in reversed(this.chips):
            if chips.key == key:
                taken = min(chips.amount, amount)
                chips.amount -= taken
                amount -= taken
                self._post(key[0], taken)
        this.chips = [chips for chips in this.chips if chips.amount]

    def _void(self, this: Round, kept: Mapping[BetKey, tuple[str, Odds]] | None = None) -> None:
        """All bets go back, decided ones too (5.21); `kept` are those whose result stands nevertheless."""
        kept = kept or {}
        self._unsettle(this)
        this.shoe.went_unseen += [lying.card for lying in this.cards if not lying.open]
        everybody = {bet.player for bet in this.insurance}
        self._give_back(this, [key for key in this.stakes() if key not in kept], everybody)
        for key, stake in this.stakes().items():
            result, odds = kept[key]
            winnings = stake * odds[0] // odds[1] if result == "won" else 0
            this.nets[key] = self._post_line(this, key[0], stake, (result, winnings, 0))
        this.phase = "void"
        self._clear(this)

    def _clear(self, this: Round) -> None:
        """Nothing is pending in a round that has ended."""
        this.options = None
        this.withdrawal = this.interrupted = this.reported = False
        this.asked = None
        this.announced.clear()
        this.late_offers.clear()

    # The table, its bank, its seats, its shoe.

    def _set_table(self, call: Call) -> None:
        """Only between rounds; another document, layout or reading takes the last round off the table."""
        given: Mapping[str, Any] = call.fields.get("setup", {})
        need(not self._in_a_round(), "only between rounds")
        rulebook, layout = str(given.get("rulebook", "")), str(given.get("layout", ""))
        need(rulebook in RULEBOOKS, "no such rulebook")
        fewest_and_most = positions(rulebook, layout)
        need(fewest_and_most is not None, "no such layout")
        assert fewest_and_most is not None
        fewest, most = fewest_and_most
        boxes = int(given.get("boxes", 0)) or most
        need(fewest <= boxes <= most, "boxes")
        decks, differential, cut = (
            int(given.get("decks", 8)),
            int(given.get("differential", 0)),
            int(given.get("cut", 0)),
        )
        need(4 <= decks <= 10, "four to ten decks (2.2.1)")
        need(differential > 0, "the maximum Differential is displayed (3.4)")
        need(0 <= cut < 52 * decks, "cut")
        limits: dict[str, dict[str, int]] = {k: dict(v) for k, v in dict(given.get("limits", {})).items()}
        bets = brute_force.offered(rulebook, layout)
        for name, limit in limits.items():
            need(name in ("original", "side") or name in bets, "limit of what?")
            minimum, maximum = limit.get("minimum", 0), limit.get("maximum", 0)
            need(minimum >= 0 and maximum >= 0 and (not maximum or minimum <= maximum), "limits")
        readings: dict[str, str] = dict(given.get("readings", {}))
        for name, choice in readings.items():
            need(name in READINGS, "no such reading")
            choices, books = READINGS[name]
            need(choice in choices and rulebook in books, "no such choice")
        names = list(given.get("box_names", ()))
        need(not names or len(names) == len(set(names)) == boxes, "a name for every box")
        need(all(names), "box without a name")
        private, insurance = bool(given.get("private", False)), bool(given.get("insurance", True))
        declined_by = str(given.get("insurance_declined_by", ""))
        need(not (insurance and declined_by), "declined, yet offered")
        if rulebook in WITH_INSURANCE and not insurance:
            need(private and declined_by, "only at a player's request at a private table (4.2.2)")
        house_role = str(given.get("house_role", "pit_supervisor"))
        need(house_role in ("pit_supervisor", "pit_manager", "table_game_shift_manager"), "house_role")
        kind = str(given.get("shoe", "read"))
        need(kind in ("read", "virtual"), "shoe")
        need(self._shoe is None or (self._shoe.decks, self._shoe.kind) == (decks, kind), "shoe in use")
        if self._setup is not None and self._seats:
            need((self._setup.rulebook, self._setup.layout) == (rulebook, layout), "players are seated")
            need(max(self._seats.values()) <= boxes, "a player is seated there")
        reason = call.text("reason").strip()
        out_of_force = not in_force(rulebook, call.at)
        need(not out_of_force or (call.role == "table_game_shift_manager" and reason), "not in force (R31)")
        before = self._setup
        if before is not None:
            same_game = (before.rulebook, before.layout, before.readings) == (rulebook, layout, readings)
            self._cleared = self._cleared or not same_game
        self._setup = SetUp(
            rulebook=rulebook,
            layout=layout,
            boxes=boxes,
            decks=decks,
            limits=limits,
            differential=differential,
            face_down=bool(given.get("face_down", False)),
            high_limit=bool(given.get("high_limit", False)),
            shoe=kind,
            cut=cut,
            readings=readings,
            insurance=insurance,
            house_role=house_role,
            test=bool(given.get("test", False)),
            out_of_force_reason=reason if out_of_force else "",
        )

    def _fill_bank(self, call: Call) -> None:
        need(call.number("amount") > 0, "amount")
        self._bank += call.number("amount")

    def _credit_bank(self, call: Call) -> None:
        need(0 < call.number("amount") <= self._bank, "amount")
        self._bank -= call.number("amount")

    def _bring_chips(self, call: Call) -> None:
        player = self._whose(call)
        need(call.number("amount") > 0, "amount")
        self._post(player, call.number("amount"))
        self._brought.add(player)

    def _take_chips(self, call: Call) -> None:
        """What lies on the felt is not the player's to take."""
        player = self._whose(call)
        need(0 < call.number("amount") <= self._purses[player], "amount")
        self._post(player, -call.number("amount"))
        self._brought.add(player)

    def _take_seat(self, call: Call) -> None:
        """Who had bets in that box standing is a Seated Player for them from now on (1.27)."""
        player, box = self._whose(call), call.number("box")
        need(1 <= box <= self._table().boxes, "no such box")
        need(player not in self._seats and box not in self._seats.values(), "seated, or seat taken")
        self._seats[player] = box
        self._walked.discard(player)
        this = self._lies()
        for chips in this.chips if this else []:
            if chips.key[:2] == (player, box):
                chips.seated = True

    def _leave_seat(self, call: Call) -> None:
        """In a round that is walking away: the bets play on, Insurance is forgone (5.3)."""
        player = self._whose(call)
        if self._in_a_round() and self._has_bets(self._rounds[-1], player):
            self._walked.add(player)
            if self._rounds[-1].setup.offers_insurance:
                self._rounds[-1].forgone.add(player)
            return
        need(player in self._seats, "not seated")
        del self._seats[player]
        self._walked.discard(player)

    def _allow_staff_bets(self, call: Call) -> None:
        """Whether staff may bet for a player (5.22): theirs alone to say; the table itself asks nobody."""
        player = self._whose(call)
        need(call.role == "player", "the player alone allows it")
        (self._staff_bets.add if call.yes("allowed", False) else self._staff_bets.discard)(player)

    def _choose_drawing(self, call: Call) -> None:
        """No document leaves a hand the choice to draw (3.15)."""
        need(False, "no hand has a choice")

    def _call_pit(self, call: Call) -> None:
        reason = " ".join(call.text("reason").split())
        need(0 < len(reason) <= 300, "a reason")
        if reason not in self._calls:
            self._calls.append(reason)

    def _answer_pit_call(self, call: Call) -> None:
        number = call.number("call")
        need(len(" ".join(call.text("answer").split())) <= 300, "too long")
        need(number in self.pit_calls(), "no such call")
        self._calls[number - 1] = None

    def _close_table(self, call: Call) -> None:
        """Between rounds, or after the round that is on if that is asked for."""
        need(len(" ".join(call.text("reason").split())) <= 300, "too long")
        if self._in_a_round():
            need(call.yes("after_round", False), "only between rounds")
            self._closes_after_round = True
        else:
            self._give_everything_back()

    def _keep_table_open(self, call: Call) -> None:
        need(self._closes_after_round, "it stays open anyhow")
        self._closes_after_round = False

    def _give_everything_back(self) -> None:
        """No shoe, no seats and no player's chips are left at a closed table."""
        if self._shoe is not None:
            if self._has_a_round_left(self._shoe):
                self._unplayed += 1
                self._unplayed_in_a_row += 1
            self._shoe = None
        self._seats.clear()
        self._walked.clear()
        for player in self._brought:
            if self._purses[player] > 0:
                self._post(player, -self._purses[player])
        self._closed, self._closes_after_round = True, False

    def _open_table(self, call: Call) -> None:
        need(self._closed, "it is open")
        self._closed = False

    def _has_bets(self, this: Round, player: str) -> bool:
        """Whether a player has any bet in the round, Insurance included."""
        bettors = {who for who, _, _ in this.stakes()} | {bet.player for bet in this.insurance}
        return player in bettors

    def _prepare_shoe(self, call: Call) -> None:
        setup = self._table()
        need(not self._in_a_round() and self._shoe is None, "only without a shoe and between rounds")
        order = list(call.shoe_order) if setup.shoe == "virtual" else []
        need(setup.shoe == "read" or len(order) == 52 * setup.decks, "order of the shoe")
        self._shoe = Shoe(setup.shoe, setup.decks, setup.cut, order)

    def _end_shoe(self, call: Call) -> None:
        """A virtual shoe with a round left in it and none played needs a reason, and soon somebody higher."""
        need(not self._in_a_round() and self._shoe is not None, "only between rounds")
        assert self._shoe is not None
        if self._has_a_round_left(self._shoe):
            need(self._unplayed_in_a_row < 2 or call.at_least("pit_supervisor"), "the third in a row")
            need(call.text("reason").strip(), "a reason")
            self._unplayed += 1
            self._unplayed_in_a_row += 1
        self._shoe = None

    def _has_a_round_left(self, shoe: Shoe) -> bool:
        """Whether it is a virtual shoe that nobody played and that is not at its end."""
        at_its_end = shoe.cut_card_shown or shoe.to_be_replaced or shoe.left() < 6
        return shoe.kind == "virtual" and not shoe.played and not at_its_end

    # Betting.

    def _open_bets(self, call: Call) -> None:
        """ "Place your Bets, please" (3.3); the round with the cut card was the last of its shoe (1.9)."""
        setup = self._table()
        need(not self._in_a_round(), "a round is under way")
        need(in_force(setup.rulebook, call.at) or setup.out_of_force_reason, "not in force (R31)")
        shoe = self._shoe
        need(shoe is not None, "no shoe")
        assert shoe is not None
        need(not shoe.cut_card_shown and not shoe.to_be_replaced, "the shoe is at its end")
        for player in self._walked & self._seats.keys():
            del self._seats[player]
        self._walked.clear()
        self._rounds.append(Round(len(self._rounds) + 1, setup, shoe))
        self._cleared = False

    def _pays_evenly(self, setup: SetUp, bet: str, stake: int) -> bool:
        """R18: a table may take only stakes whose winnings are whole cents."""
        if setup.reading("rounding") != "even_stakes_only" or bet != "banker":
            return True
        return stake % (20 if setup.rulebook == COMMISSION else 2) == 0

    def _within_limits(self, setup: SetUp, bet: str, stake: int) -> bool:
        """Where the system takes the bets it keeps the limits; a dealer only records (3.5, 5.2, R8)."""
        minimum, maximum = setup.limit(bet)
        return not setup.strict or (stake >= minimum and (not maximum or stake <= maximum))

    def _place_bet(self, call: Call) -> None:
        """A standing player needs a seated one with a bet in that box (1.30, R17).

        A strict table takes no more on a hand than the Differential leaves room for in the box; but for a
        Seated Player there standing players' chips on that hand give way, if they suffice (5.1, R8).
        """
        player, box, bet = self._whose(call), call.number("box"), call.text("bet")
        this = self._on_the_table("betting")
        need(not this.interrupted, "interrupted")
        need(call.number("round") in (0, this.number), "meant for another round")
        setup, stake = this.setup, call.number("stake")
        need(stake > 0, "stake")
        need(1 <= box <= setup.boxes, "no such box")
        need(bet in brute_force.offered(setup.rulebook, setup.layout), "not offered here")
        stakes = this.stakes()
        seated = self._seats.get(player) == box and player not in self._walked
        if not seated:
            sitting = {who for who, where in self._seats.items() if where == box and who not in self._walked}
            need(any(who in sitting and where == box for who, where, _ in stakes), "no seated player's bet")
        key = (player, box, bet)
        total = stakes.get(key, 0) + stake
        need(self._within_limits(setup, bet, total), "limits")
        need(self._pays_evenly(setup, bet, total), "does not pay evenly")
        if setup.strict and bet in HANDS:
            too_much = stake - self._room(this, box, bet)
            standing = [c.amount for c in this.chips if c.key[1:] == (box, bet) and not c.seated]
            need(too_much <= 0 or (seated and sum(standing) >= too_much), "beyond the Differential (5.1)")
        flags = [chips.seated for chips in this.chips if chips.key == key]
        this.chips.append(Chips(key, stake, flags[0] if flags else seated))
        self._post(player, -stake)
        if setup.strict and bet in HANDS and self._room(this, box, bet) < 0:
            self._give_way(this, box, bet, seated=False)

    def _withdraw_bet(self, call: Call) -> None:
        """Before the close, or after a cut card that came first (5.6, 5.7.1)."""
        player, box, bet = self._whose(call), call.number("box"), call.text("bet")
        this = self._on_the_table("betting", "dealing")
        need(not this.interrupted, "interrupted")
        need(this.phase == "betting" or this.withdrawal, "bets are closed")
        need(call.number("round") in (0, this.number), "meant for another round")
        key = (player, box, bet)
        stakes = this.stakes()
        need(key in stakes, "no such bet")
        amount = call.number("stake") or stakes[key]
        need(0 < amount <= stakes[key], "more than there is")
        rest = stakes[key] - amount
        if rest:
            need(self._within_limits(this.setup, bet, rest), "limits")
            need(self._pays_evenly(this.setup, bet, rest), "does not pay evenly")
        was_seated = any(chips.seated for chips in this.chips if chips.key == key)
        self._chips_back(this, key, amount)
        if this.phase == "betting" and was_seated:
            in_box = [chips for chips in this.chips if chips.key[1] == box]
            if not any(chips.seated for chips in in_box):
                self._give_back(this, {chips.key for chips in in_box})

    def _totals(self, this: Round, box: int) -> dict[str, int]:
        """What lies on each hand in a box."""
        totals = dict.fromkeys(HANDS, 0)
        for (_, where, bet), stake in this.stakes().items():
            if where == box and bet in totals:
                totals[bet] += stake
        return totals

    def _room(self, this: Round, box: int, side: str) -> int:
        """How much more a hand may get in a box, less than nothing if it has too much (1.11, R7)."""
        totals = self._totals(this, box)
        return totals[plain_cards.other(side)] + this.setup.differential - totals[side]

    def _give_way(self, this: Round, box: int, side: str, seated: bool) -> None:
        """Chips of seated (or of standing) players go back, the latest first, as long as a side is too heavy.

        A bet that would be left below its minimum goes altogether.
        """
        while True:
            excess = -self._room(this, box, side)
            late = [c for c in this.chips if c.key[1:] == (box, side) and c.seated == seated]
            if excess <= 0 or not late:
                return
            key = late[-1].key
            taken = min(late[-1].amount, excess)
            if this.stakes()[key] - taken < this.setup.limit(side)[0]:
                taken = this.stakes()[key]
            self._chips_back(this, key, taken)

    def _reject_excess(self, this: Round) -> None:
        """5.1: standing players' chips give way before seated players', the latest first (R7).

        A bet that goes altogether may leave the other side too heavy: then that is next.
        """
        for box in range(1, this.setup.boxes + 1):
            while min(self._room(this, box, side) for side in HANDS) < 0:
                for side in HANDS:
                    self._give_way(this, box, side, seated=False)
                    self._give_way(this, box, side, seated=True)

    def _cut_pro_rata(self, this: Round) -> None:
        """5.1.1: the heavier side of a box plays pro rata, nobody below the minimum; 5.1.2, R7."""
        for box in range(1, this.setup.boxes + 1):
            too_heavy = [side for side in HANDS if self._room(this, box, side) < 0]
            if not too_heavy:
                continue
            side = too_heavy[0]  # never both
            allowed = self._totals(this, box)[side] + self._room(this, box, side)
            minimum = this.setup.limit(side)[0]
            bets = {key: stake for key, stake in this.stakes().items() if key[1:] == (box, side)}
            plays = {key: stake for key, stake in bets.items() if stake < minimum}
            while True:
                cut = {key: stake for key, stake in bets.items() if key not in plays}
                if not cut:
                    break
                part = Fraction(max(0, allowed - sum(plays.values())), sum(cut.values()))
                too_small = [key for key, stake in cut.items() if stake * part < minimum]
                if not too_small:
                    plays.update({key: int(stake * part) for key, stake in cut.items()})
                    break
                plays.update(dict.fromkeys(too_small, minimum))
            for key, stake in bets.items():
                if plays[key] < stake:
                    self._chips_back(this, key, stake - plays[key])

    def _refuse_excess(self, call: Call) -> None:
        this = self._on_the_table("betting")
        need(not this.interrupted, "interrupted")
        rooms = [self._room(this, box, side) for box in range(1, this.setup.boxes + 1) for side in HANDS]
        need(min(rooms) < 0, "nothing in excess")
        self._reject_excess(this)

    def _close(self, this: Round) -> None:
        """ "No more Bets": beyond the Differential bets are refused (strict) or play pro rata (advisory)."""
        if this.setup.strict:
            self._reject_excess(this)
        else:
            self._cut_pro_rata(this)
        this.phase = "dealing"

    def _close_bets(self, call: Call) -> None:
        this = self._on_the_table("betting")
        need(not this.interrupted, "interrupted")
        self._close(this)

    # Dealing.

    def _cut_card(self, this: Round) -> None:
        """5.7: the last round of the shoe; coming first in a high-limit area, bets may be withdrawn.

        While bets are open they can be withdrawn anyway. The other texts know no withdrawal (R22).
        """
        this.shoe.cut_card_shown = True
        setup = this.setup
        if this.cards or setup.rulebook not in VERSION_3 or not setup.high_limit:
            return
        this.withdrawal_offered = True
        this.withdrawal = this.phase == "dealing"

    def _show_cut_card(self, call: Call) -> None:
        """From the opening of bets on, once a shoe; a virtual shoe shows its own (see _deal_card)."""
        this = self._on_the_table("betting", "dealing")
        need(not this.busy(), "interrupted, or options or withdrawal open")
        need(this.shoe is self._shoe and this.shoe.kind == "read", "a virtual shoe shows it itself")
        need(not this.shoe.cut_card_shown, "it has been seen")
        self._cut_card(this)

    def _close_withdrawal(self, call: Call) -> None:
        this = self._on_the_table("dealing")
        need(this.withdrawal and not this.interrupted, "no withdrawal open")
        this.withdrawal = False
        if this.chips:
            self._cut_pro_rata(this)
        else:
            this.phase = "concluded"
            self._clear(this)

    def _missed_withdrawal(self, call: Call) -> None:
        """5.7.3: the cut card came first, and nobody was asked."""
        this = self._dealing()
        setup = this.setup
        need(setup.rulebook in VERSION_3 and setup.high_limit, "no withdrawal here")
        need(this.shoe.kind == "read" and not this.withdrawal_offered, "it was offered")
        need(this.cards and not this.withdrawal_missed, "not missed yet, or noted already")
        need(not this.misplaced(), "put the cards right first")
        this.withdrawal_missed = True
        this.shoe.cut_card_shown = True
        self._ask_unless_outcome(this)

    def _next_card(self, this: Round, card: str) -> str:
        """The card that comes out now; nothing is taken yet."""
        shoe = this.shoe
        need(shoe is self._shoe, "the shoe is gone")
        if shoe.kind == "virtual":
            need(not card, "the shoe deals its own card")
            need(shoe.left(), "the shoe is empty")
            return shoe.carried[0] if shoe.carried else shoe.inside[0]
        if shoe.carried:
            need(not card or not this.setup.face_down, "it is dealt without being named")
            need(card in ("", shoe.carried[0]), "another card waits to be next")
            return shoe.carried[0]
        need(plain_cards.is_card(card) and self._can_come(shoe, (card,)), "no such card left")
        return card

    def _draw(self, this: Round, card: str) -> None:
        """Take the next card out of the shoe."""
        shoe = this.shoe
        if shoe.carried:
            shoe.carried.remove(card)
            return
        if shoe.kind == "virtual":
            shoe.inside.pop(0)
        shoe.came_out[card] += 1

    def _may_draw(self) -> Round:
        this = self._dealing()
        need(not this.announced, "Insurance was announced (5.3)")
        return this

    def _deal_card(self, call: Call) -> None:
        """The next card, to the hand it is due to or where it really fell.

        Where cards lie misplaced only another misplaced one can be recorded. A card that fell somewhere
        while nobody could see whether one was due is in excess (5.8). A virtual shoe with `cut` or fewer
        cards in it shows its cut card first; if that lets players withdraw, no card is dealt yet (5.7.1).
        """
        this = self._may_draw()
        need(not any(lying.to_be_noted for lying in this.cards), "face up, not noted")
        to, face_down = call.text("to"), this.setup.face_down
        told_how = call.fields.get("face_up")
        face_up = not face_down if told_how is None else bool(told_how)
        need(to or not this.misplaced(), "put the cards right first")
        shoe = this.shoe
        if shoe.kind == "virtual":
            need(this.setup.test or (not to and told_how is None), "only a test table misdeals")
        hand = this.due()
        need(to in HANDS or (not to and hand in HANDS), "no card is due, or nobody can see whether one is")
        card = self._next_card(this, call.text("card"))
        if shoe.kind == "virtual" and shoe.cut and not shoe.cut_card_shown and len(shoe.inside) <= shoe.cut:
            self._cut_card(this)
            if this.withdrawal:
                return
        self._pass_window(this)
        self._draw(this, card)
        this.cards.append(
            Lying(
                card,
                to or hand,
                open=face_up,
                blind=hand == plain_cards.UNKNOWN,
                to_be_noted=face_up and face_down,
            )
        )

    def _open_card(self, call: Call) -> None:
        """Turn a card over: staff, or the player who was given the squeeze (3.9, 3.14).

        The Banker's third only when the Player's cards are open, unless it was to be first (3.14).
        """
        this = self._dealing()
        lying, position = self._lying(this, call.text("hand"), call.number("place"))
        if not call.at_least("dealer"):
            granted = [
                position >= (dealt if what == "card" else 4)
                for player, what, dealt in this.squeezes
                if player == call.by
            ]
            need(any(granted), "no squeeze of this card")
        need(not lying.open, "open already")
        if lying.hand == "banker" and call.number("place") == 3:
            need("" not in this.seen("player") or this.waived, "the Player's cards first")
        lying.open = True

    def _lying(self, this: Round, hand: str, place: int) -> tuple[Lying, int]:
        """The card at a place of a hand, counted from 1, and how many were drawn before it."""
        there = [(lying, n) for n, lying in enumerate(this.cards) if lying.hand == hand]
        need(1 <= place <= len(there), "no card there")
        return there[place - 1]

    def _settle(self, call: Call) -> None:
        this = self._dealing()
        need(this.finished(), "not finished")
        need(not any(lying.to_be_noted for lying in this.cards), "face up, not noted")
        self._settle_lines(this)
        this.phase = "settled"
        self._clear(this)
        if this.shoe is self._shoe:
            this.shoe.played = True
            self._unplayed_in_a_row = 0

    # The squeeze.

    def _highest_bettor(self, this: Round) -> str:
        """Who has the highest bet (R16); seated players alone in @1 and Da Hu Ying Xiong (3.9)."""
        stakes = this.stakes()
        if this.setup.rulebook in SEATED_PLAYER_SQUEEZES:
            seated = {chips.key for chips in this.chips if chips.seated}
            stakes = {key: stake for key, stake in stakes.items() if key in seated}
        if this.setup.reading("highest_bet") == "largest_single_bet":
            original = {key: stake for key, stake in stakes.items() if key[2] in HANDS}
            stakes = original or stakes
        need(stakes, "no bets")
        return max(stakes, key=lambda key: stakes[key])[0]  # of equal ones max takes the first

    def _may_be_asked(self, this: Round, what: str) -> bool:
        """Whether the card in question is still to come (3.9), or both third cards are (3.14)."""
        if what == "card":
            return len(this.cards) < 4 or this.due_as_seen() != ""
        player, banker = this.seen("player"), this.seen("banker")
        if this.setup.rulebook not in WITH_INSURANCE or len(player) < 2 or len(banker) != 2:
            return False
        if "" in player[:2] + banker or (len(player) > 2 and player[2]):
            return False
        total = brute_force.points(banker)
        certain = total <= 2 or this.setup.reading("squeeze_order") == "any_total"
        return plain_cards.due(player[:2], banker) == "player" and certain

    def _request_squeeze(self, call: Call) -> None:
        """By, or for, the player with the highest bet; it replaces a request not answered yet (3.9, 3.14)."""
        this = self._dealing()
        what = call.text("what")
        player = call.text("player") or (call.by if call.role == "player" else "")
        need(player and (call.role != "player" or player == call.by), "for whom?")
        need(what and this.setup.face_down, "cards are dealt face up here")
        need(not this.misplaced(), "put the cards right first")
        need(self._highest_bettor(this) == player, "not the highest bet")
        need(self._may_be_asked(this, what), "too late, or nothing to ask for")
        this.asked = (player, what, len(this.cards))

    def _answer_squeeze(self, call: Call) -> None:
        """The House consents or declines; another order of third cards waives their window (3.14)."""
        this = self._dealing()
        need(this.asked is not None, "nothing was asked")
        assert this.asked is not None
        consent = call.yes("consent", False)
        if consent and this.asked[1] != "card":
            need(not this.misplaced(), "put the cards right first")
            need(self._may_be_asked(this, this.asked[1]), "too late")
        if consent:
            if any(player != this.asked[0] for player, _, _ in this.squeezes):
                this.squeezes.clear()
            this.squeezes.append(this.asked)
            this.waived = this.waived or this.asked[1] != "card"
        this.asked = None

    # Insurance.

    def _window(self, this: Round) -> tuple[str, dict[str, Odds]]:
        """The window that is open by the cards exposed, and what it lists (3.12, R4)."""
        if this.phase != "dealing" or this.over() or not this.setup.offers_insurance or this.misplaced():
            return "", {}
        player, banker = this.seen("player"), this.seen("banker")
        window = plain_cards.stage(player, banker)
        if not window or (window == "third_card" and this.waived) or this.passed_with == len(this.cards):
            return "", {}
        offers = plain_cards.listed(window, player, banker)
        return (window, offers) if offers else ("", {})

    def _open_to(self, this: Round, player: str) -> list[tuple[int, str, str, Odds, int, bool]]:
        """What a player may take now: box, hand, window, odds, the most to stake, whether it is late."""
        if this.phase != "dealing" or this.busy() or this.over() or this.misplaced():
            return []
        window, offers = self._window(this)
        found: list[tuple[int, str, str, Odds, int, bool]] = []
        for (who, box, hand), original in this.stakes().items():
            if who != player or hand not in HANDS:
                continue
            if hand in offers and player not in this.forgone:
                where, odds, late = window, offers[hand], False
            elif (player, hand) in this.late_offers:
                where, odds = this.late_offers[player, hand]
                late = True
            else:
                continue
            bet = Insurance(player, box, hand, where, 0, odds, late, original, 0)
            most = self._most(this.setup, bet, odds, original, this.insurance)
            found.append((box, hand, where, odds, most, late))
        return found

    def _pass_window(self, this: Round) -> None:
        """5.3: the next card is drawn; who could insure in the window and did not has forgone it."""
        window, offers = self._window(this)
        if window and this.setup.reading("insurance_forgone") == "round":
            insured = {bet.player for bet in this.insurance if bet.window == window}
            could = {who for who, _, bet in this.stakes() if bet in offers}
            this.forgone |= could - insured
        this.late_offers.clear()

    def _end_announcements(self, this: Round) -> None:
        """An announcement ends when its window does."""
        window, offers = self._window(this)
        situation = (window, tuple(this.seen("player")), tuple(this.seen("banker"))) if window else None
        if situation != this.window_was:
            this.window_was = situation
            this.taken_back.clear()
            this.said_no.clear()
        stakes = this.stakes() if this.announced else {}
        this.announced = {
            (player, box, hand)
            for player, box, hand in this.announced
            if hand in offers and player not in this.forgone and (player, box, hand) in stakes
        }

    def _offer_at(
        self, this: Round, player: str, box: int, hand: str
    ) -> tuple[int, str, str, Odds, int, bool] | None:
        """What the player may take now on one hand in one box, if anything is on offer there."""
        there = [offer for offer in self._open_to(this, player) if offer[:2] == (box, hand)]
        return there[0] if there else None

    def _place_insurance(self, call: Call) -> None:
        """3.12; or the dealer put the chips into the area of the hand that is not on offer (5.18, @3).

        Such a bet has odds, limit and Original Bet of the hand it was meant for, and counts as insuring it.
        """
        player, box, hand = self._whose(call), call.number("box"), call.text("hand")
        this = self._on_the_table("dealing")
        need(call.number("round") in (0, this.number), "meant for another round")
        stake = call.number("stake")
        need(stake > 0, "stake")
        need(hand in HANDS, "which hand?")
        insures = hand
        offer = self._offer_at(this, player, box, hand)
        if offer is None and call.at_least("dealer") and this.setup.rulebook in VERSION_3:
            insures = plain_cards.other(hand)
            offer = self._offer_at(this, player, box, insures)
        need(offer is not None, "not on offer")
        assert offer is not None
        _, _, window, odds, most, late = offer
        need(stake <= most, "too much (3.12.2, 5.17.1)")
        if this.setup.reading("rounding") == "even_stakes_only":
            need(stake * odds[0] % odds[1] == 0, "does not pay evenly")
        original = this.stakes()[player, box, insures]
        bet = Insurance(player, box, hand, window, stake, odds, late, original, len(this.cards))
        bet.astray = insures != hand
        this.insurance.append(bet)
        this.announced.discard((player, box, insures))
        this.said_no.discard((player, box, insures))
        self._post(player, -stake)

    def _announce_insurance(self, call: Call) -> None:
        """5.3: the dealer is told in time; only of what could be placed now in the ordinary way."""
        player, box, hand = self._whose(call), call.number("box"), call.text("hand")
        this = self._on_the_table("dealing")
        offer = self._offer_at(this, player, box, hand)
        need(offer is not None and offer[4] > 0 and not offer[5], "could not be placed")
        need((player, box, hand) not in this.announced, "announced already")
        need(call.by != player or (player, box, hand) not in this.taken_back, "waited for already")
        this.announced.add((player, box, hand))
        this.said_no.discard((player, box, hand))

    def _decline_insurance(self, call: Call) -> None:
        player, box, hand = self._whose(call), call.number("box"), call.text("hand")
        this = self._on_the_table("dealing")
        need(not this.interrupted, "interrupted")
        offer = self._offer_at(this, player, box, hand)
        asked = offer is not None and not offer[5] and call.by == player
        announced = (player, box, hand) in this.announced
        need(announced or asked, "neither announced nor asked")
        need(announced or (player, box, hand) not in this.said_no, "said already")
        if announced:
            this.announced.discard((player, box, hand))
            this.taken_back.add((player, box, hand))
        if call.by == player:
            this.said_no.add((player, box, hand))

    def _offer_missed_insurance(self, call: Call) -> None:
        """5.17: offered late while a card is to come, otherwise the Original Bets go back."""
        this = self._round(call.number("round"))
        hand, players = call.text("hand"), [str(player) for player in call.several("players")]
        need(this.setup.offers_insurance, "no Insurance here (4.2.2)")
        need(hand in HANDS and players and len(set(players)) == len(players), "who, and which hand?")
        stakes = this.stakes()
        for player in players:
            need(any(who == player and bet == hand for who, _, bet in stakes), "nothing to insure")
        if this.phase == "dealing":
            need(not this.busy() and not this.misplaced(), "not now")
            if not this.finished():
                self._offer_late(this, players, hand)
                return
        else:
            need(this.phase == "settled", "no result")
        player_hand, banker_hand = this.hand("player"), this.hand("banker")
        missed = [
            window
            for window in ("four_cards", "third_card")
            if plain_cards.window_was_shown(window, player_hand, banker_hand)
            and not (window == "third_card" and this.waived)
            and hand in plain_cards.listed(window, player_hand, banker_hand)
            and plain_cards.insurance_ends(hand, window, player_hand, banker_hand) == "won"
            and not self._surely_offered(this, window, hand)
        ]
        insured = {(bet.player, bet.box, bet.window) for bet in this.insurance if bet.insures == hand}
        back = [
            (who, box, bet)
            for who, box, bet in stakes
            if bet == hand and who in players and any((who, box, w) not in insured for w in missed)
        ]
        need(back, "none would have won")
        self._change_money(this, lambda: self._give_back(this, back))

    def _surely_offered(self, this: Round, window: str, hand: str) -> bool:
        """R29: a virtual shoe's windows open by themselves; nobody can say that one which did was missed."""
        return this.shoe.kind == "virtual" and (window, hand) in this.offered

    def _offer_late(self, this: Round, players: Sequence[str], hand: str) -> None:
        """R14: at the odds of the situation now, or where it is not listed of the latest that was missed.

        That of the first four cards counts as missed also while it is still on the table. A card that lies
        face down is drawn but decides nothing yet (R10): the situation before it has passed.
        """
        need(not this.over(), "the round is over (R12)")
        player, banker = this.seen("player"), this.seen("banker")
        need(
            len(player) >= 2 and len(banker) >= 2 and "" not in player[:2] + banker[:2], "nothing was missed"
        )
        hidden = "" in player + banker
        need(this.due_as_seen() != "" or hidden, "no card is to come")
        now = plain_cards.stage(player, banker)
        at_now = plain_cards.listed(now, player, banker).get(hand) if now else None
        if now == "third_card" and this.waived:
            at_now = None
        missed, at_missed = "four_cards", plain_cards.listed("four_cards", player, banker).get(hand)
        if hidden and len(player) == 3 and "" not in player and not this.waived:
            at_third = plain_cards.listed("third_card", player, banker).get(hand)
            missed, at_missed = ("third_card", at_third) if at_third is not None else (missed, at_missed)
        could_have = ["four_cards"] if hand in plain_cards.listed("four_cards", player, banker) else []
        if len(player) == 3 and "" not in player and not this.waived:
            could_have += ["third_card"] if hand in plain_cards.listed("third_card", player, banker) else []
        offered = [self._surely_offered(this, window, hand) for window in could_have]
        need(not offered or not all(offered), "it was offered")
        _, offers = self._window(this)
        ordinary = hand in offers and any(who not in this.forgone for who in players)
        need(not ordinary, "on offer in the ordinary way")
        reading = this.setup.reading("missed_insurance_odds")
        if reading != "missed_only" and at_now is not None:
            late = (now, at_now)
        else:
            need(reading != "now_only" and at_missed is not None, "not listed")
            assert at_missed is not None
            late = (missed, at_missed)
        for who in players:
            this.late_offers[who, hand] = late

    def _reposition_insurance(self, call: Call) -> None:
        """5.18: insurance in the wrong area is moved, and settled by its right place (R24).

        `hand` is where it belongs, and must have been on offer in that window by the cards as they lie.
        """
        this = self._round(call.number("round"))
        player, box = call.text("player"), call.number("box")
        window, hand = call.text("window"), call.text("hand")
        need(this.setup.rulebook in VERSION_3, "only the @3 texts know it")
        need(this.phase in ("dealing", "settled") and not this.interrupted, "phase")
        need(hand in HANDS and not this.misplaced(), "which hand?")
        moved = [
            bet
            for bet in this.insurance
            if (bet.player, bet.box, bet.window) == (player, box, window) and bet.hand != hand
        ]
        need(moved, "no such insurance")
        odds = plain_cards.listed(window, this.hand("player"), this.hand("banker")).get(hand)
        need(odds is not None, "that hand was not on offer then")
        assert odds is not None

        def move() -> None:
            for bet in moved:
                bet.hand, bet.odds, bet.astray = hand, odds, False

        self._change_money(this, move)

    def _change_money(self, this: Round, change: Callable[[], None]) -> None:
        """Change the bets of a round; where it is settled, by reversing and posting anew (R13)."""
        settled = this.phase == "settled"
        if settled:
            self._unsettle(this)
        change()
        if settled:
            self._settle_lines(this)

    # Interruptions and voids.

    def _interrupt(self, call: Call) -> None:
        this = self._on_the_table("betting", "dealing")
        need(not this.interrupted, "interrupted already")
        this.interrupted = True
        this.offered = {(window, hand) for window, hand in this.offered if window != self._window(this)[0]}

    def _resolve_interruption(self, call: Call) -> None:
        """5.4: play goes on if an outcome stands, otherwise the round is void."""
        this = self._on_the_table("betting", "dealing")
        need(this.interrupted, "not interrupted")
        if self._outcome_stands(this):
            this.interrupted = False
        else:
            self._void(this)

    def _void_round(self, call: Call) -> None:
        """5.5: the cause must be true, as far as the table can know."""
        cause = call.text("cause")
        need(cause in VOID_CAUSES, "no such cause")
        this = self._on_the_table("betting", "dealing", "settled")
        virtual = this.shoe.kind == "virtual"
        if cause == "wrong_number_of_cards":
            need(this.cards and (not virtual or this.misplaced()), "the number is right")
        else:
            was_over = this.phase == "settled" or this.reopened
            as_if_under_way = this.setup.reading("after_settlement") == "as_if_under_way"
            need(not was_over or as_if_under_way, "the round is over (R12)")
            if cause == "shoe_ran_dry":
                need(self._runs_dry(this), "there are cards enough")
            else:
                need(not virtual, "not in a virtual shoe")
        self._void(this)
        if cause != "wrong_number_of_cards":
            self._shoe = None

    def _runs_dry(self, this: Round) -> bool:
        """5.5.4: fewer cards left than the round surely still needs."""
        laid = plain_cards.in_proper_order(this.cards, this.accepted, this.waived)
        needed = 4 - len(laid)
        if len(laid) >= 4:
            seen = plain_cards.seen_of(laid, "player"), plain_cards.seen_of(laid, "banker")
            needed = 1 if plain_cards.due(*seen) in HANDS else 0
        return this.shoe.left() + len(this.cards) - len(laid) < needed

    # Dealing errors.

    def _ask_players(self, this: Round) -> None:
        """All players on the table get the options (5.16), unless the round was over already (R12)."""
        players = {who for who, _, _ in this.stakes()} | {bet.player for bet in this.insurance}
        if players and not this.over():
            this.options = dict.fromkeys(sorted(players), "")

    def _ask_unless_outcome(self, this: Round) -> None:
        if not self._outcome_stands(this):
            self._ask_players(this)

    def _choose_option(self, call: Call) -> None:
        """One answer for all bets of the round (R11); the last answer ends the asking."""
        player, choice = self._whose(call), call.text("choice")
        this = self._on_the_table("dealing")
        need(not this.interrupted and this.options is not None, "nobody is being asked")
        assert this.options is not None
        need(this.options.get(player) == "", "not asked, or answered already")
        need(choice in ("continue", "return"), "no such choice")
        this.options[player] = choice
        if all(this.options.values()):
            self._end_options(this)

    def _return_bets_of(self, this: Round, players: Sequence[str], undecided_only: bool = False) -> None:
        keys = [key for key in this.stakes() if key[0] in players]
        if not undecided_only:
            self._give_back(this, keys, players)
            return
        player, banker = this.seen("player"), this.seen("banker")
        self._give_back(this, [key for key in keys if not plain_cards.decided(key[2], player, banker)])
        kept = []
        for bet in this.insurance:
            open_still = len({result for result, _ in plain_cards.endings(bet.hand, player, banker)}) > 1
            if bet.player in players and open_still:
                self._post(bet.player, bet.stake)
            else:
                kept.append(bet)
        this.insurance = kept

    def _close_options(self, call: Call) -> None:
        """Who has not answered continues."""
        this = self._on_the_table("dealing")
        need(this.options is not None and not this.interrupted, "nobody is being asked")
        self._end_options(this)

    def _end_options(self, this: Round) -> None:
        """Bets go back to those who asked for them (5.16.3); uneven boxes then play pro rata (5.1.1, R7)."""
        leaving = [player for player, choice in (this.options or {}).items() if choice == "return"]
        this.options = None
        if leaving:
            undecided_only = this.setup.reading("players_options") == "undecided_bets_only"
            self._return_bets_of(this, leaving, undecided_only)
            self._cut_pro_rata(this)

    def _expose_card(self, call: Call) -> None:
        """5.8: a card was seen that belongs to no hand; it will be the next out of the shoe."""
        shoe, card = self._shoe, call.text("card")
        need(shoe is not None and shoe.kind == "read", "no shoe that is read")
        assert shoe is not None
        need(plain_cards.is_card(card) and self._can_come(shoe, (card,)), "no such card left")
        if self.phase() == "betting":
            this = self._rounds[-1]
            need(not this.interrupted, "interrupted")
            self._close(this)
        elif self.phase() == "dealing":
            this = self._may_draw()
            need(not this.misplaced(), "put the cards right first")
            need(this.shoe is shoe, "the shoe is gone")
            self._pass_window(this)
            this.passed_with = len(this.cards)
        shoe.came_out[card] += 1
        shoe.carried.append(card)
        if self.phase() == "dealing":
            self._ask_unless_outcome(self._rounds[-1])

    def _note_swapped_cards(self, call: Call) -> None:
        """5.9: cards of one hand really lie with the other; the order of drawing stays."""
        this = self._dealing()
        need(this.shoe.kind == "read", "a virtual shoe knows where its cards lie (R29)")
        swapped: list[int] = []
        for hand in HANDS:
            places = [int(place) for place in call.several(hand)]
            need(len(set(places)) == len(places), "a place twice")
            swapped.extend(self._lying(this, hand, place)[1] for place in places)
        need(swapped, "no card")
        for position in swapped:
            lying = this.cards[position]
            lying.hand = "banker" if lying.hand == "player" else "player"
        this.accepted = 0
        this.late_offers.clear()

    def _reconstruct(self, call: Call) -> None:
        """5.8 and 5.9: the cards in their proper order; what is left over will be next out of the shoe.

        Cards left over are for the House to put right. What cannot be put right is void if a hand has a
        wrong number of cards or one is left over (5.5.3), and otherwise stands as it lies (5.16.1).
        """
        this = self._dealing()
        irregularity, possible = call.text("irregularity"), call.yes("possible", True)
        need(irregularity in ("excess_cards", "swapped_hands"), "which irregularity?")
        need(this.misplaced(), "the cards lie in order")
        excess = irregularity == "excess_cards"
        need(not excess or call.at_least(self._house_role()), "the House decides (5.8)")
        proper = plain_cards.in_proper_order(this.cards, this.accepted, this.waived)
        left_over = [lying.card for lying in this.cards[len(proper) :]]
        need(excess or not left_over, "cards in excess are for the House (5.8)")
        if possible:
            this.shoe.carried[:0] = left_over
            this.cards = proper
        elif not left_over and plain_cards.number_is_right(this.seen("player"), this.seen("banker")):
            this.accepted = len(this.cards)
            for lying in this.cards:
                lying.blind = False
        else:
            need(call.at_least("pit_supervisor"), "role for a void")
            self._void(this)
            return
        this.late_offers.clear()
        if excess or possible:
            self._ask_unless_outcome(this)
        else:
            self._ask_players(this)

    def _note_face_up(self, call: Call) -> None:
        """5.10: the round goes on; options while no outcome stands."""
        this = self._dealing()
        need(any(lying.to_be_noted for lying in this.cards), "no card was dealt face up")
        need(not this.misplaced(), "put the cards right first")
        for lying in this.cards:
            lying.to_be_noted = False
        self._ask_unless_outcome(this)

    def _order_simultaneous(self, call: Call) -> None:
        """5.11: cards drawn together count in the order decided; what is not due waits to be next."""
        this = self._may_draw()
        need(not this.misplaced(), "put the cards right first")
        shoe, order = this.shoe, [str(card) for card in call.several("order")]
        need(shoe is self._shoe and shoe.kind == "read", "a virtual shoe deals one by one")
        need(not any(lying.to_be_noted for lying in this.cards), "face up, not noted")
        need(not (shoe.carried and this.setup.face_down), "the card that waits is dealt first")
        need(len(order) >= 2 and all(plain_cards.is_card(card) for card in order), "two cards or more")
        waiting, new = shoe.carried[: len(order)], Counter(order)
        need(not Counter(waiting) - new, "the cards waiting come first")
        new -= Counter(waiting)
        need(self._can_come(shoe, list(new.elements())), "no such cards left")
        need(this.due_as_seen() in HANDS, "no card is due")
        self._pass_window(this)
        del shoe.carried[: len(waiting)]
        shoe.came_out.update(new)
        for position, card in enumerate(order):
            hand = this.due_as_seen()
            if hand not in HANDS:
                shoe.carried[:0] = order[position:]
                break
            this.cards.append(Lying(card, hand, open=not this.setup.face_down))
        shoe.to_be_replaced = shoe.to_be_replaced or call.yes("replace_shoe", False)
        always = this.setup.reading("simultaneous_cards") == "always"
        if always or not call.yes("order_known", False):
            self._ask_players(this)

    def _reset_equipment(self, call: Call) -> None:
        """5.12."""
        this = self._dealing()
        need(this.setup.rulebook in VERSION_3 and not this.misplaced(), "not known here, or not now")
        self._ask_unless_outcome(this)

    def _note_dealing_error(self, call: Call) -> None:
        """5.16 itself: any other dealing error, whether an outcome stands or not (R11).

        Where somebody would be asked, a dealer's word does not do: the round waits until it is confirmed.
        """
        this = self._dealing()
        need(not this.misplaced(), "put the cards right first")
        anybody = bool(this.chips or this.insurance) and not this.over()
        if anybody and not call.at_least("pit_supervisor"):
            this.reported = True
        else:
            self._ask_players(this)

    def _confirm_error(self, call: Call) -> None:
        """A Pit Supervisor or above says whether what a dealer reported was a dealing error."""
        this = self._on_the_table("betting", "dealing")
        need(this.reported and not this.interrupted, "nothing was reported")
        this.reported = False
        if call.yes("confirmed", False):
            self._ask_players(this)

    # Cards that are others than were recorded.

    def _judge_damaged_card(self, call: Call) -> None:
        """5.13: the House finds out what the card is, or the round is void (R30)."""
        this = self._dealing()
        need(this.setup.rulebook in VERSION_3, "only the @3 texts know it")
        need(this.shoe.kind == "read", "a virtual shoe knows its cards (R29)")
        lying, _ = self._lying(this, call.text("hand"), call.number("place"))
        card = call.text("card")
        if card:
            known = (lying.card,) if lying.open else ()
            need(plain_cards.is_card(card) and self._can_come(this.shoe, (card,), known), "no such card")
            this.shoe.replace((lying.card,), (card,))
            lying.card = card
            this.late_offers.clear()
        elif this.setup.reading("undeterminable_card") == "decided_side_bets_stand" and not this.misplaced():
            was_open, lying.open = lying.open, False
            kept = self._side_bets_decided(this, this.seen("player"), this.seen("banker"))
            lying.open = was_open
            self._void(this, kept)
        else:
            self._void(this)

    def _side_bets_decided(self, this: Round, player: Hand, banker: Hand) -> dict[BetKey, tuple[str, Odds]]:
        """The side bets whose result these cards alone have established (5.15.4)."""
        by_value = this.setup.reading("twin_pair") == "same_value"
        kept: dict[BetKey, tuple[str, Odds]] = {}
        for key in this.stakes():
            if key[2] not in HANDS:
                ends = plain_cards.endings(key[2], player, banker, by_value)
                if len(ends) == 1:
                    kept[key] = next(iter(ends))
        return kept

    def _correct_card(self, call: Call) -> None:
        """R27: the record was wrong; the cards on the table decide."""
        this = self._round(call.number("round"))
        earlier = self._is_earlier(this)
        need(this.phase == "settled" or (this.phase == "dealing" and not this.busy()), "phase")
        need(this.shoe.kind == "read", "a virtual shoe knows its cards (R29)")
        lying, position = self._lying(this, call.text("hand"), call.number("place"))
        card = call.text("card")
        need(plain_cards.is_card(card) and (card != lying.card or not lying.open), "the same card, or none")
        known = (lying.card,) if lying.open else ()
        need(earlier or self._can_come(this.shoe, (card,), known), "no such card left")
        slip = (
            this.phase == "dealing"
            and position == len(this.cards) - 1
            and not this.announced
            and not any(bet.after_cards == len(this.cards) for bet in this.insurance)
        )
        if not slip:
            need(
                call.at_least(self._house_role()) and call.text("reason").strip(), "the House, with a reason"
            )
        stands = self._next_has_begun(this) and this.setup.rulebook == NONCOMMISSION_4  # 5.6 of @4
        if earlier and not stands:
            hands = {hand: list(this.hand(hand)) for hand in HANDS}
            hands[lying.hand][call.number("place") - 1] = card
            complete = plain_cards.is_complete(tuple(hands["player"]), tuple(hands["banker"]))
            need(complete, "breaks the Table of Play")
        if not earlier:
            this.shoe.replace((lying.card,), (card,))
        was_settled = this.phase == "settled"
        if was_settled and not stands:
            self._unsettle(this)
        lying.card = card
        this.late_offers.clear()
        if was_settled and not stands:
            if earlier or this.finished():
                self._settle_lines(this)
            else:
                this.phase = "dealing"
                this.reopened = True

    def _reopen_settlement(self, call: Call) -> None:
        this = self._on_the_table("settled")
        need(call.text("reason").strip(), "a reason")
        self._reopen(this)

    def _reopen(self, this: Round) -> None:
        """R12: the money is reversed, the cards lie on the table again."""
        self._unsettle(this)
        this.phase = "dealing"
        this.reopened = True

    def _note_late_error(self, call: Call) -> None:
        """5.14: no effect on later rounds."""
        need(call.number("round"), "which round?")
        this = self._round(call.number("round"))
        need(self._is_earlier(this) and this.phase in ("settled", "void"), "not an earlier round")

    def _note_wrong_display(self, call: Call) -> None:
        """5.20: the table prevails."""

    def _claimed_hands(self, this: Round, call: Call) -> tuple[Hand, Hand]:
        """The hands a command says really lay there, if they are cards."""
        player, banker = tuple(call.text("player").split()), tuple(call.text("banker").split())
        need(all(plain_cards.is_card(card) for card in player + banker), "no such card")
        return player, banker

    def _lay(self, this: Round, player: Hand, banker: Hand) -> None:
        """Record these hands as the cards of a round that is over; the count of the shoe stays as read."""
        this.cards = []
        this.accepted = 0
        for place in range(max(len(player), len(banker))):
            for hand, cards in (("player", player), ("banker", banker)):
                this.cards.extend(Lying(card, hand, open=True) for card in cards[place : place + 1])

    def _correct_round(self, call: Call) -> None:
        """5.15: an earlier round broke the Table of Play: void, or resettled in proper order (R13)."""
        need(call.number("round"), "which round?")
        this = self._round(call.number("round"))
        need(self._is_earlier(this), "not an earlier round")
        need(this.setup.rulebook in VERSION_3 and this.phase == "settled", "not known here, or no result")
        player, banker = self._claimed_hands(this, call)
        if this.shoe.kind == "virtual":
            recorded = this.hand("player"), this.hand("banker")
            need((player, banker) == recorded, "a virtual shoe knows what it dealt (R29)")
        need(len(player) >= 2 and len(banker) >= 2, "the first four cards are missing")
        need(not plain_cards.is_complete(player, banker), "it follows the Table of Play")
        proper_player, proper_banker = self._rectified(this, player, banker)
        complete = plain_cards.is_complete(proper_player, proper_banker)
        if complete and call.yes("rectifiable", True):
            self._unsettle(this)
            self._lay(this, proper_player, proper_banker)
            self._settle_lines(this)
        else:
            kept = self._side_bets_decided(this, *self._properly_dealt(player, banker))
            self._lay(this, player, banker)
            self._void(this, kept)

    def _properly_dealt(self, player: Hand, banker: Hand) -> tuple[Hand, Hand]:
        """The cards that went where the rules send them: the first four, and the Player's third if due."""
        due = plain_cards.due(player[:2], banker[:2])
        return (player[:3] if due == "player" else player[:2]), banker[:2]

    def _rectified(self, this: Round, player: Hand, banker: Hand) -> tuple[Hand, Hand]:
        """The hands without the cards nobody was to draw; they may turn out incomplete."""
        if this.setup.reading("extra_card_order") == "strike_where_it_lay":
            first = plain_cards.due(player[:2], banker[:2])
            struck_player = player[:3] if first == "player" else player[:2]
            takes = plain_cards.due(struck_player, banker[:2]) == "banker"
            struck_banker = banker[:3] if takes else banker[:2]
            if plain_cards.is_complete(struck_player, struck_banker):
                return struck_player, struck_banker
        cards = [Lying(card, "player", True) for card in plain_cards.in_shoe_order(player, banker)]
        proper = plain_cards.in_proper_order(cards, 0, True)
        return plain_cards.hand_of(proper, "player"), plain_cards.hand_of(proper, "banker")

    # Rulings.

    def _rule_on_matter(self, call: Call) -> None:
        """5.23: what the rules do not provide for."""
        effect, reason = call.text("effect"), call.text("reason").strip()
        need(reason, "a written reason")
        need(effect in RULINGS, "no such effect")
        if effect == "no_effect":
            return
        this = self._round(call.number("round"))
        if self._next_has_begun(this):
            need(this.setup.rulebook != NONCOMMISSION_4, "the next round has begun (5.6 of @4)")
        if self._is_earlier(this):
            need(effect in ("void_round", "return_bets", "resettle_round"), "not of an earlier round")
        need(this.phase in RULINGS[effect], "phase")
        if effect == "continue_round":
            this.interrupted = this.reported = False
            self._end_options(this)
        elif effect == "void_round":
            self._void(this)
        elif effect == "reopen_settlement":
            self._reopen(this)
        elif effect == "return_bets":
            players = [str(player) for player in call.several("players")]
            with_bets = {who for who, _, _ in this.stakes()} | {bet.player for bet in this.insurance}
            need(set(players) & with_bets, "players without bets")
            self._change_money(this, lambda: self._return_bets_of(this, players))
            if this.phase == "dealing":
                self._cut_pro_rata(this)
        else:
            need(this.shoe.kind == "read", "a virtual shoe knows what it dealt (R29)")
            player, banker = self._claimed_hands(this, call)
            need(plain_cards.is_complete(player, banker), "breaks the Table of Play")
            self._unsettle(this)
            self._lay(this, player, banker)
            self._settle_lines(this)


# What a Table Game Shift Manager may rule, and in which phase of the round.
RULINGS: dict[str, tuple[str, ...]] = {
    "no_effect": (),
    "continue_round": ("betting", "dealing"),
    "void_round": ("betting", "dealing", "settled"),
    "return_bets": ("betting", "dealing", "settled"),
    "reopen_settlement": ("settled",),
    "resettle_round": ("settled",),
}
