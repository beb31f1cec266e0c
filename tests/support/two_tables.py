"""Two tables asked the same things: the real one, and the plain one written from the texts alone.

A walk makes up commands of every role, legal and illegal, with irregularities and corrections among them,
under a random rulebook and set-up, and asks both. After every step they must agree: accepted or refused,
whose bets stand at what stake, every window and offer, who is asked what, where the cards lie, and all money.
What was asked is kept, so that a disagreement can be asked again and made shorter.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec

import lammer
from lammer import Refused
from lammer.game.cards import DECK
from lammer.game.insurance import offers
from lammer.rulebook.odds import Odds
from lammer.rulebook.vocabulary import READINGS, ROLES
from lammer.table import commands as c, events as e
from lammer.table.dealing import highest_bettor
from lammer.table.decoding import COMMANDS
from lammer.table.insuring import offers_to
from lammer.table.play import record
from lammer.table.recall import recall_from
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Table
from support import plain_table

BOOKS = {book.id: book for book in lammer.shelf()}
PLAYERS = ("ann", "bob", "cy", "di")
BOXES = (1, 2, 3)
STAFF = ROLES[1:]
BEGIN = {
    "tiger-buffalo-noncommission-insurance@1": datetime(2025, 1, 1, tzinfo=UTC),
}
LATER = datetime(2026, 1, 1, tzinfo=UTC)
NOT_WALKED = ("rounding", "twin_pair", "squeeze_order")
"""Readings left alone by the first dice: two bear on settlement only; the third has dice of its own."""
KEPT = 3
"""Earlier rounds the real table keeps at hand here; it would keep more than a walk plays."""
INSURES_LATE = 10_000
"""Walks from this seed on insure late whenever they can."""
REASONS = ("", "camera", "misread by the reader")

T = TypeVar("T")


PLAYING = ("betting", "dealing")
STANDING = ("betting", "dealing", "settled")
NOTHING: dict[str, Any] = {
    "phase": "", "bets": {}, "insurance": [], "hands": ("", ""), "window": "", "offers": set(),
    "forgone": set(), "options": None, "misplaced": False, "interrupted": False, "reported": False,
}  # fmt: skip
"""What can be seen of a table without a round, and of the parts that mean nothing in some phases."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was asked of both tables."""

    by: str
    role: str
    at: datetime
    do: str
    fields: dict[str, Any]


class Disagreement(AssertionError):
    """The two tables differ; everything that was asked until then."""

    def __init__(self, steps: list[Step], what: str) -> None:
        last = steps[-1]
        super().__init__(
            f"after step {len(steps)} ({last.do} by {last.role} {last.by} {last.fields}): {what}"
        )
        self.steps = steps


class Pair:
    """The two tables."""

    def __init__(self) -> None:
        self.events: list[e.Event] = []
        self.table = Table(BOOKS, recall=recall_from(BOOKS, lambda: iter(self.events)))
        self.plain = plain_table.PlainTable()
        self.steps: list[Step] = []

    def ask(self, step: Step) -> bool:
        """Ask both, and compare; whether they accepted it."""
        self.steps.append(step)
        order: tuple[str, ...] = ()
        try:
            events = record(self.table, c.Call(step.by, step.role, step.at, command_of(step)))
        except Refused as refused:
            taken, answer = False, str(refused)
        else:
            taken, answer = True, "accepted"
            self.events.extend(events)
            for number in list(self.table.past)[:-KEPT]:
                del self.table.past[number]  # What is older has to be recalled from the events.
            order = next((event.order for event in events if isinstance(event, e.ShoePrepared)), ())
        fields = dict(step.fields)
        if step.do == "set_table":
            fields["setup"] = msgspec.to_builtins(step.fields["setup"])
        if self.plain.ask(step.by, step.role, step.at, step.do, fields, order) != taken:
            raise Disagreement(
                self.steps, f"the plain table {'refuses' if taken else 'accepts'}; real: {answer}"
            )
        mine, theirs = self.seen(), self.plain_seen()
        for what, value in mine.items():
            if value != theirs[what]:
                raise Disagreement(self.steps, f"{what}: real {value!r}, plain {theirs[what]!r}")
        return taken

    def seen(self) -> dict[str, Any]:
        """What can be seen of the real table."""
        table, here = self.table, self.table.round
        money = {
            name.removeprefix("player:"): cents
            for name, cents in table.accounts.items()
            if name in ("bank", "commission") or (name.startswith("player:") and cents)
        }
        around: dict[str, Any] = {
            "carried": list(table.carried),
            "money": {"bank": 0, "commission": 0, **money},
        }
        around["unplayed"] = table.unplayed, table.unplayed_in_a_row
        around["staff_bets"] = set(table.staff_bets)
        around["closed"], around["closing"] = table.closed, table.closing_reason is not None
        around["pit_calls"] = {number: called.reason for number, called in table.pit_calls.items()}
        if here is None:
            return {**NOTHING, **around}
        seen = {**NOTHING, **around, "phase": here.phase}
        if here.phase in STANDING:
            seen["bets"] = {(bet.player, bet.box, bet.bet): bet.stake for bet in here.bets.values()}
            seen["insurance"] = sorted(
                (bet.player, bet.box, bet.hand, bet.window, bet.stake, bet.odds)
                for bet in here.insured.values()
                if bet.live
            )
            seen["hands"] = " ".join(here.values("player")), " ".join(here.values("banker"))
        if here.phase in PLAYING:
            seen["window"] = here.window or ""
            seen["offers"] = {(offer.hand, offer.odds) for offer in here.offers}
            for player in PLAYERS:
                seen[f"offers to {player}"] = {
                    (offer.box, offer.hand, offer.odds, offer.most)
                    for offer in offers_to(table, player)
                    if offer.most
                }
            seen["forgone"] = (
                set(here.forgone) if table.require_setup().insurance and table.book.insurance else set()
            )
            seen["options"] = None if here.options is None else dict(here.options)
            seen["misplaced"] = here.misplaced
            seen["interrupted"], seen["reported"] = here.interrupted, here.reported is not None
        return seen

    def plain_seen(self) -> dict[str, Any]:
        """The same of the plain table."""
        plain = self.plain
        seen = {**NOTHING, "phase": plain.phase(), "carried": plain.carried(), "money": plain.money()}
        seen["unplayed"] = plain.unplayed()
        seen["staff_bets"] = plain.staff_bets()
        seen["closed"], seen["closing"] = plain.closed(), plain.closes_after_round()
        seen["pit_calls"] = plain.pit_calls()
        if plain.phase() in STANDING:
            seen["bets"], seen["insurance"], seen["hands"] = plain.bets(), plain.insurance(), plain.hands()
        if plain.phase() in PLAYING:
            seen["window"], seen["offers"] = plain.window(), plain.offers()
            for player in PLAYERS:
                seen[f"offers to {player}"] = plain.offers_to(player)
            seen["forgone"], seen["options"] = plain.forgone(), plain.options()
            seen["misplaced"], seen["interrupted"] = plain.misplaced(), plain.interrupted()
            seen["reported"] = plain.reported()
        return seen


def command_of(step: Step) -> c.Command:
    """What is asked, in the real table's vocabulary."""
    if step.do == "set_table":
        return c.SetTable(step.fields["setup"], step.fields.get("reason", ""))
    command: c.Command = msgspec.convert(step.fields, COMMANDS[step.do])
    return command


class Maker:
    """Makes up what is asked next, from what the real table looks like: sensible most of the time."""

    def __init__(self, pair: Pair, seed: int) -> None:
        self.pair = pair
        self.random = random.Random(seed)
        self.book = self.random.choice(sorted(BOOKS))
        self.late: tuple[int, str, int, str] = (0, "", 0, "")
        self.plan: list[Step] = []
        self.seldom = random.Random(-1 - seed)
        # Late Insurance in both windows is so rare that some walks look for it.
        self.insures_late = seed >= INSURES_LATE
        self.any_total = random.Random(f"squeeze_order {seed}").random() < 0.4
        self.at = BEGIN.get(self.book, LATER)

    @property
    def table(self) -> Any:
        return self.pair.table

    def pick(self, *choices: T) -> T:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def step(self, do: str, role: str, **fields: Any) -> Step:
        by = role
        if role not in STAFF:
            by, role = (role if role in PLAYERS else self.pick(*PLAYERS)), "player"
        self.at += timedelta(seconds=1)
        return Step(by, role, self.at, do, fields)

    def opening(self) -> Iterator[Step]:
        """The set-up and the seats; now and then another rulebook is tried first, in force or not."""
        while self.chance(0.4):
            role, reason = (
                self.pick("pit_manager", "table_game_shift_manager"),
                self.pick("", "an exhibition"),
            )
            yield self.step("set_table", role, setup=self.setup(self.pick(*BOOKS)), reason=reason)
        yield self.step("set_table", "pit_manager", setup=self.setup(self.book))
        for box, player in enumerate(PLAYERS[:3], start=1):
            yield self.step("take_seat", player, player=player, box=box)

    def setup(self, book: str) -> SetUp:
        listed = BOOKS[book].readings
        readings = {
            name: self.pick(*choices)
            for name, choices in READINGS.items()
            if name in listed and len(choices) > 1 and name not in NOT_WALKED and self.chance(0.15)
        }
        if self.any_total and "squeeze_order" in listed:
            readings["squeeze_order"] = "any_total"
        if self.chance(0.4):
            readings["limits_mode"] = "advisory"
        private = BOOKS[book].insurance is not None and self.chance(0.05)
        return SetUp(
            book,
            self.pick(*"ABC"),
            decks=4,
            limits={"original": Limits(5_00, self.pick(0, 500_00)), "side": Limits(5_00, 500_00)},
            differential=300_00,
            face_down=self.chance(0.35),
            high_limit=self.chance(0.4),
            insurance=not private,
            private=private,
            insurance_declined_by="ann" if private else "",
            shoe="virtual" if self.chance(0.3) else "read",
            cut=self.pick(0, 20, 150),
            readings=readings,
            house_role=self.pick(*["pit_supervisor"] * 5, "pit_manager"),
            test=self.chance(0.5),
        )

    def next(self) -> Step:
        if not self.plan and self.seldom.random() < 0.02:
            self.plan = self.corner()
        if not self.plan and self.table.closed:
            # It closed by itself after a round; the walk goes on at an open one.
            seats = [
                self.step("take_seat", who, player=who, box=box) for box, who in enumerate(PLAYERS[:3], 1)
            ]
            self.plan = [self.step("open_table", "pit_manager"), *seats]
        here = self.table.round
        if not self.plan and self.insures_late and here is not None and here.window == "four_cards":
            self.plan = self.late_twice(here)
        if self.plan:
            return self.plan.pop(0)
        return self.sensible() if self.chance(0.8) else self.anything()

    def corner(self) -> list[Step]:
        """Steps that chance seldom takes: hands that stand swapped, a third card not drawn to 6."""
        here = self.table.round
        between = here is None or here.phase not in PLAYING
        if between and self.table.setup is not None and self.table.require_setup().shoe == "virtual":
            return self.thrown_away()
        twice = self.late_twice(here) if here is not None and here.window == "four_cards" else []
        if twice:
            return twice
        if here is not None and here.phase == "dealing" and len(here.cards) == 4 and not here.misplaced:
            swapped = {"irregularity": "swapped_hands", "possible": False}
            return [
                self.step("note_swapped_cards", "dealer", player=[1], banker=[1]),
                self.step("reconstruct", "pit_manager", **swapped),
            ]
        with_tiger = [
            number
            for number, past in self.table.past.items()
            if any(line.bet == "small_tiger" for line in past.lines)
        ]
        if not with_tiger:
            around = (self.chips, self.staff_bets, self.pit_call, self.closing)
            made = around[len(self.pair.steps) % len(around)]()
            return made if isinstance(made, list) else [made]
        hands = {"player": "KS 5H 6D", "banker": "QD 6C", "rectifiable": True}
        return [self.step("correct_round", "pit_manager", round=with_tiger[-1], **hands)]

    def chips(self) -> Step:
        """Chips are brought to the table or taken away, by their owner or the dealer; no dice are thrown."""
        count = len(self.pair.steps) // 2
        player, amount = PLAYERS[count % len(PLAYERS)], (1_00, 500_00)[count // 4 % 2]
        do = ("bring_chips", "bring_chips", "take_chips")[count % 3]
        return self.step(do, (player, "dealer")[count // 3 % 2], player=player, amount=amount)

    def staff_bets(self) -> Step:
        """A player lets staff bet for them, or no longer; now and then somebody else says so."""
        count = len(self.pair.steps)
        player, other = (PLAYERS[(count + more) % len(PLAYERS)] for more in (0, 1))
        allowed = player not in self.table.staff_bets
        who = (player, player, other, "dealer")[count % 4]
        return self.step("allow_staff_bets", who, player=player, allowed=allowed)

    def pit_call(self) -> list[Step]:
        """The pit is called, perhaps for what it was called for before, and perhaps answers."""
        count = len(self.pair.steps)
        reason = ("a dispute", " a  dispute ", "", "chips")[count // 4 % 4]
        by = ("dealer", "dealer", "player", "pit_manager")[count // 16 % 4]
        answer = self.step(
            "answer_pit_call", ("pit_supervisor", "dealer")[count // 4 % 2], call=count // 8 % 3
        )
        return [self.step("call_pit", by, reason=reason), answer]

    def closing(self) -> list[Step]:
        """The table closes if no round is on, is asked for things in vain, and opens again.

        In a round it is to close after it; now and then that is taken back.
        """
        by = ("pit_manager", "pit_manager", "pit_supervisor")[len(self.pair.steps) // 4 % 3]
        here = self.table.round
        if here is not None and here.phase in PLAYING:
            after = self.step("close_table", by, reason="the night is over", after_round=True)
            return [after, self.step("keep_table_open", by)][: 1 + len(self.pair.steps) // 12 % 2]
        steps = [
            self.step("close_table", by, reason="the night is over"),
            self.step("close_table", "pit_manager"),
            self.step("fill_bank", "pit_supervisor", amount=100_00),
            self.step("take_seat", PLAYERS[0], player=PLAYERS[0], box=1),
            self.step("open_table", "pit_manager"),
        ]
        seats = dict(self.table.seats)
        return steps + [
            self.step("take_seat", player, player=player, box=box) for player, box in seats.items()
        ]

    def late_twice(self, here: Any) -> list[Step]:
        """A hand is insured late after four cards, and offered late again after the Player's third card."""
        table = self.table
        listed = {offer.hand: Odds.parse(offer.odds).profit for offer in here.offers}
        bets = [bet for bet in here.bets.values() if bet.bet in listed]
        if (
            here.phase != "dealing"
            or table.require_setup().shoe != "read"
            or table.require_setup().face_down
            or not bets
        ):
            return []
        if table.next_hand() != "player":
            return []
        bet = bets[0]
        hands = here.values("player"), here.values("banker")
        if here.announced or table.carried:
            return []
        thirds = [card for card in DECK if bet.bet in self.listed_after(hands, card)]
        third = self.seldom.choice(thirds if thirds and self.seldom.random() < 0.6 else DECK)
        late = {"players": [bet.player], "hand": bet.bet, "round": 0}
        insured = {"player": bet.player, "box": bet.box, "hand": bet.bet}
        return [
            self.step("leave_seat", "dealer", player=bet.player),
            self.step("offer_missed_insurance", "pit_manager", **late),
            self.step("place_insurance", "dealer", **insured, stake=int(bet.stake / listed[bet.bet] / 2)),
            self.step("deal_card", "dealer", card=third),
            self.step("offer_missed_insurance", "pit_manager", **late),
        ]

    def listed_after(self, hands: tuple[list[Any], list[Any]], third: Any) -> set[str]:
        """The hands that are on offer once the Player has this third card."""
        return {offer.hand for offer in offers(self.table.book, [*hands[0], third], hands[1])}

    def thrown_away(self) -> list[Step]:
        """Shoe after shoe is ended before anybody has played it."""
        steps = []
        for _ in range(self.seldom.randint(1, 4)):
            who = self.seldom.choice(("dealer", "dealer", "pit_supervisor"))
            reason = self.seldom.choice(("a card was seen", "a card was seen", " "))
            steps.append(self.step("end_shoe", who, reason=reason))
            entropy = f"{self.seldom.getrandbits(128):032x}"
            steps.append(self.step("prepare_shoe", "dealer", entropy=entropy))
        return steps

    def sensible(self) -> Step:
        table, here = self.table, self.table.round
        if table.shoe is None:
            return self.step("prepare_shoe", "dealer", entropy=self.entropy())
        if here is None or here.phase in ("settled", "void", "concluded"):
            if table.last_of_shoe or table.shoe.left < 8:
                return self.pick(self.step("end_shoe", "dealer", reason="few cards left"), self.after())
            return self.step("open_bets", "dealer") if self.chance(0.55) else self.after()
        if here.interrupted and here.bets and self.chance(0.3):
            bet = self.pick(*here.bets.values())
            return self.step("withdraw_bet", bet.player, player=bet.player, box=bet.box, bet=bet.bet, stake=0)
        if here.interrupted:
            return self.step("resolve_interruption", "pit_supervisor")
        if here.reported is not None:
            who = "pit_supervisor" if self.seldom.random() < 0.9 else "dealer"
            return self.step("confirm_error", who, confirmed=self.seldom.random() < 0.7)
        if here.options:
            player = self.pick(*here.options)
            choose = self.step("choose_option", player, player=player, choice=self.pick("continue", "return"))
            return choose if self.chance(0.8) else self.step("close_options", "dealer")
        if here.withdrawal:
            if not here.bets or self.chance(0.3):
                return self.step("close_withdrawal", "dealer")
            bet = self.pick(*here.bets.values())
            return self.step("withdraw_bet", bet.player, player=bet.player, box=bet.box, bet=bet.bet, stake=0)
        if here.squeeze is not None and self.chance(0.7):
            return self.step("answer_squeeze", "pit_supervisor", consent=self.chance(0.8))
        if here.phase == "betting":
            return self.while_betting()
        return self.while_dealing(here)

    def entropy(self) -> str:
        return f"{self.random.getrandbits(128):032x}" if self.table.require_setup().shoe == "virtual" else ""

    def while_betting(self) -> Step:
        if self.chance(0.16):
            return self.step("close_bets", "dealer")
        if self.chance(0.05):
            return self.pick(
                self.step("refuse_excess", "pit_manager"),
                self.step(
                    "take_seat", self.pick(*PLAYERS), player=self.pick(*PLAYERS), box=self.pick(1, 2, 3, 4)
                ),
                self.step("leave_seat", "dealer", player=self.pick(*PLAYERS)),
                self.step("expose_card", "dealer", card=self.pick(*DECK)),
                self.step("interrupt", "dealer", reason="power"),
                self.step("show_cut_card", "dealer"),
            )
        return self.bet("withdraw_bet" if self.chance(0.15) else "place_bet")

    def bet(self, do: str) -> Step:
        names = [bet.name for bet in self.table.book.offered(self.table.layout)]
        player = self.pick(*PLAYERS)
        box = self.table.seats.get(player, self.pick(*BOXES)) if self.chance(0.8) else self.pick(1, 2, 3, 9)
        name = self.pick("player", "banker", "player", "banker", *names)
        stakes = (1_00, 5_00, 20_00, 20_00, 100_00, 100_00, 250_00, 33_33, 600_00)
        stake = self.pick(*stakes) if do == "place_bet" else self.pick(0, 0, 5_00, 50_00)
        who = player if self.chance(0.8) else self.pick("dealer", *PLAYERS)
        return self.step(do, who, player=player, box=box, bet=name, stake=stake, **self.meant_for())

    def meant_for(self) -> dict[str, int]:
        """Now and then the round a bet is meant for: this one, or one before or after it."""
        chance, rounds = self.seldom.random(), self.table.rounds
        return {} if chance > 0.1 else {"round": max(0, rounds + int(chance * 30) - 1)}

    def while_dealing(self, here: Any) -> Step:
        if self.table.require_setup().face_down and self.chance(0.1):
            who = highest_bettor(self.table, here) or "ann"
            what = self.pick("card", "expose_banker_third_first", "squeeze_banker_third_first")
            if self.chance(0.5):
                return self.step("request_squeeze", "dealer", what=what, player=who)
            return self.step("request_squeeze", who, what=what)
        first = not here.cards and self.table.require_setup().high_limit and not self.table.shoe.cut_shown
        if first and self.chance(0.3):
            return self.step("show_cut_card", "dealer")
        if self.late[0] == here.number or (here.window is not None and self.chance(0.04)):
            step = self.offered_late(here)
            if step is not None:
                return step
        large = any(bet.stake > 75_00 and bet.window == "third_card" for bet in here.insured.values())
        if large and not here.misplaced and self.chance(0.3):
            return self.other_situation(here)
        if here.misplaced and self.chance(0.8):
            irregularity = self.pick("excess_cards", "swapped_hands")
            return self.step(
                "reconstruct", "pit_manager", irregularity=irregularity, possible=self.chance(0.7)
            )
        if (
            any(laid.dealt_up for laid in here.cards)
            and self.table.require_setup().face_down
            and self.chance(0.8)
        ):
            return self.step("note_face_up", "dealer")
        hidden = [laid for laid in here.cards if not laid.face_up]
        if hidden and len(here.cards) >= 4 and self.chance(0.8):
            laid = self.pick(*hidden)
            who = here.squeezer if here.squeezer and self.chance(0.5) else "dealer"
            return self.step("open_card", who, hand=laid.hand, place=laid.place)
        if here.announced and self.chance(0.7):
            player, box, hand = self.pick(*sorted(here.announced))
            if self.chance(0.3):
                return self.step("decline_insurance", player, player=player, box=box, hand=hand)
            return self.insure("place_insurance", player, box, hand)
        if (here.window is not None or here.missed) and self.chance(0.55):
            return self.insure(self.pick(*["place_insurance"] * 4, "announce_insurance"))
        if not here.misplaced and not hidden and self.table.next_hand() is None:
            return self.step("settle", "dealer") if self.chance(0.75) else self.trouble(here)
        return self.card() if self.chance(0.75) else self.trouble(here)

    def offered_late(self, here: Any) -> Step | None:
        """Somebody who walked away is offered their hand late, again and again, and takes all there is."""
        if self.late[0] != here.number:
            bets = [bet for bet in here.bets.values() if bet.bet in {offer.hand for offer in here.offers}]
            if not bets:
                return None
            bet = self.pick(*bets)
            self.late = (here.number, bet.player, bet.box, bet.bet)
            return self.step("leave_seat", "dealer", player=bet.player)
        _, player, box, hand = self.late
        if here.misplaced or self.chance(0.1) or len(here.cards) < 4:
            return None
        if (player, hand) not in here.missed:
            more = self.table.next_hand() is not None and self.chance(0.8)
            late = self.step("offer_missed_insurance", "pit_manager", players=[player], hand=hand, round=0)
            return late if more else None
        found = [o.most for o in offers_to(self.table, player) if (o.box, o.hand) == (box, hand) and o.most]
        if not found:
            return None
        return self.step("place_insurance", player, player=player, box=box, hand=hand, stake=found[0])

    def insure(self, do: str, player: str = "", box: int = 0, hand: str = "") -> Step:
        here = self.table.round
        bets = [bet for bet in here.bets.values() if bet.bet in ("player", "banker")]
        if bets and not player and self.chance(0.85):
            bet = self.pick(*bets)
            player, box, hand = bet.player, bet.box, bet.bet
        player, box, hand = (
            player or self.pick(*PLAYERS),
            box or self.pick(*BOXES),
            hand or self.pick("player", "banker"),
        )
        if self.chance(0.05):
            hand = self.pick("player", "banker")
        who = player if self.chance(0.6) else self.pick("dealer", *PLAYERS)
        fields: dict[str, Any] = {"player": player, "box": box, "hand": hand}
        if do == "place_insurance":
            offers = [o.most for o in offers_to(self.table, player) if (o.box, o.hand) == (box, hand)]
            fields["stake"] = self.pick(1_00, 5_00, 10_00, 13_37, 75_00, 75_01, 200_00, *offers)
            fields |= self.meant_for()
        return self.step(do, who, **fields)

    def any_card(self) -> str:
        return str(self.pick(*DECK))

    def card(self, **more: Any) -> Step:
        read = self.table.require_setup().shoe == "read"
        card = self.table.carried[0] if self.table.carried else self.any_card()
        if self.table.carried and self.table.require_setup().face_down and self.table.keys % 8:
            card = ""  # Mostly as it has to be: a card carried over is not named there.
        return self.step("deal_card", "dealer", card=card if read or self.chance(0.02) else "", **more)

    def together(self) -> Step:
        cards = list(self.table.carried)[:2]
        cards += [self.any_card() for _ in range(self.pick(2, 2, 3) - len(cards))]
        self.random.shuffle(cards)
        return self.step(
            "order_simultaneous",
            "pit_supervisor",
            order=cards,
            replace_shoe=self.chance(0.3),
            order_known=self.chance(0.5),
        )

    def trouble(self, here: Any) -> Step:
        """Something goes wrong while cards are dealt."""
        hand, place = self.pick("player", "banker"), self.pick(1, 2, 3)
        last = here.cards[-1] if here.cards and self.chance(0.5) else None
        if last is not None:
            hand, place = last.hand, last.place
        some = [player for player in PLAYERS if self.chance(0.6)] or ["ann"]
        side = self.pick("player", "banker")
        causes = ("foreign_card", "wrong_deck", "wrong_number_of_cards", "shoe_ran_dry", "unshuffled_cards")
        return self.pick(
            self.card(to=self.pick("player", "banker")),
            self.card(face_up=True),
            self.card(to=self.pick("player", "banker"), face_up=self.chance(0.5)),
            self.together(),
            self.step("expose_card", "dealer", card=self.any_card()),
            self.step(
                "note_swapped_cards",
                "dealer",
                player=self.places(),
                banker=self.places(),
            ),
            self.step(
                "correct_card",
                self.pick("dealer", "pit_supervisor", "pit_manager"),
                round=0,
                hand=hand,
                place=place,
                card=self.any_card(),
                reason=self.pick(*REASONS),
            ),
            self.other_situation(here),
            self.other_situation(here),
            self.step("interrupt", "dealer", reason="power"),
            self.step("void_round", "pit_supervisor", cause=self.pick(*causes)),
            self.step("show_cut_card", "dealer"),
            self.step("missed_withdrawal", "dealer"),
            self.step("note_face_up", "dealer"),
            self.step("reset_equipment", "dealer"),
            self.step(
                "note_dealing_error", "dealer", what="dropped a card", reconstructable=self.chance(0.5)
            ),
            self.step(
                "judge_damaged_card",
                "pit_manager",
                hand=hand,
                place=place,
                card="" if self.chance(0.3) else self.any_card(),
            ),
            self.step("offer_missed_insurance", "pit_manager", players=some, hand=side, round=0),
            self.step("offer_missed_insurance", "pit_manager", players=some, hand=side, round=0),
            self.ruling(),
            self.step("leave_seat", self.pick(*PLAYERS), player=self.pick(*PLAYERS)),
            self.step("request_squeeze", "player", what="card"),
            self.step("reopen_settlement", "pit_supervisor", reason="camera"),
            self.earlier(),
        )

    def other_situation(self, here: Any) -> Step:
        """One of the first four cards turns out to be one that gives Insurance other odds."""
        insured = sorted((bet for bet in here.insured.values() if bet.live), key=lambda bet: -bet.stake)
        hand, place, card = self.pick("player", "banker"), self.pick(1, 2), self.any_card()
        for _ in range(40):
            if not insured or len(here.cards) < 4:
                break
            hands = {side: list(here.values(side)) for side in ("player", "banker")}
            if len(hands[hand]) >= place:
                hands[hand][place - 1] = card
                cards = 3 if insured[0].window == "third_card" else 2
                listed = offers(self.table.book, hands["player"][:cards], hands["banker"][:2])
                if any(o.hand == insured[0].hand and str(o.odds) != insured[0].odds for o in listed):
                    break
            hand, place, card = self.pick("player", "banker"), self.pick(1, 2, 3), self.any_card()
        do = self.pick("correct_card", "judge_damaged_card")
        fields: dict[str, Any] = {"hand": hand, "place": place, "card": card}
        if do == "correct_card":
            fields |= {"round": 0, "reason": "camera"}
        return self.step(do, "pit_manager", **fields)

    def places(self) -> list[int]:
        return [place for place in (1, 2, 3) if self.chance(0.25)]

    def ruling(self, number: int = 0) -> Step:
        player, banker = self.hands(number)
        return self.step(
            "rule_on_matter",
            "table_game_shift_manager",
            reason=self.pick("a bird flew in", "a bird flew in", ""),
            effect=self.pick(*c.RULINGS),
            players=[player for player in PLAYERS if self.chance(0.5)],
            round=number,
            player=player,
            banker=banker,
        )

    def hands(self, number: int) -> tuple[str, str]:
        """Hands somebody claims a round had: as recorded, changed a little, or invented."""
        past = self.table.past_round(number) if number else None
        if past is None or not (past.player and past.banker) or self.chance(0.2):
            return self.pick(
                ("KS 7H", "QD 6C"), ("KS 5H", "QD 6C"), ("KS 7H 2D", "QD 6C"), ("KS 2H 6D", "QD 6C"),
                ("2S 2H 7D", "QD 6C 4S"), ("KS 9H", "QD 6C"),
            )  # fmt: skip
        if any(line.bet == "small_tiger" for line in past.lines) and self.chance(0.3):
            return "KS 5H 6D", "QD 6C"  # The Banker should have drawn to 6 against a third 6.
        hands = [list(past.player), list(past.banker)]
        change = self.random.random()
        side = self.pick(0, 1)
        if change < 0.3 and len(hands[side]) == 3:
            hands[side].pop()
        elif change < 0.7 and len(hands[side]) == 2:
            hands[side].append(self.any_card())
        elif change < 0.9:
            hands[side][self.random.randrange(len(hands[side]))] = self.any_card()
        return " ".join(hands[0]), " ".join(hands[1])

    def after(self) -> Step:
        """Something is found after a round, or between rounds."""
        here = self.table.round
        won = (
            [line for line in here.lines if line.window and line.outcome == "won"] if here is not None else []
        )
        if here is not None and won and self.chance(0.4):
            line = self.pick(*won)
            fields = {"players": [line.player], "hand": line.bet, "round": self.pick(0, here.number)}
            return self.step("offer_missed_insurance", "pit_manager", **fields)
        if self.chance(0.05):
            return self.other_rulebook()
        if self.chance(0.1):
            return self.step("set_table", "pit_manager", setup=self.changed())
        if self.chance(0.3):
            return self.pick(
                self.step("reopen_settlement", "pit_supervisor", reason=self.pick("camera", "")),
                self.step("expose_card", "dealer", card=self.any_card()),
                self.step(
                    "void_round", "pit_supervisor", cause=self.pick("wrong_number_of_cards", "wrong_deck")
                ),
                self.step("note_wrong_display", "dealer", what="x"),
                self.step("fill_bank", "pit_supervisor", amount=100_00),
                self.step("credit_bank", "pit_supervisor", amount=self.pick(50_00, 10_000_00)),
                self.step("take_seat", "dealer", player=self.pick(*PLAYERS), box=self.pick(1, 2, 3)),
                self.step("leave_seat", "dealer", player=self.pick(*PLAYERS)),
            )
        return self.earlier()

    def other_rulebook(self) -> Step:
        """Everybody leaves, the table is set to another rulebook, and they sit down again."""
        seats = dict(self.table.seats)
        setup = self.setup(self.pick(*BOOKS))
        if self.table.shoe is not None:
            setup = dataclasses.replace(
                setup, shoe=self.table.require_setup().shoe, decks=self.table.require_setup().decks
            )
        self.plan = [
            *(self.step("leave_seat", "dealer", player=player) for player in seats),
            self.step("set_table", "pit_manager", setup=setup),
            *(self.step("take_seat", "dealer", player=player, box=box) for player, box in seats.items()),
        ]
        return self.plan.pop(0)

    def changed(self) -> SetUp:
        """Another set-up for the next rounds: other limits or readings, or another rulebook altogether."""
        now = self.table.require_setup()
        if self.chance(0.4):
            return self.setup(self.pick(now.rulebook, *BOOKS))
        other = self.setup(now.rulebook)
        return SetUp(
            now.rulebook, now.layout, decks=4, limits=now.limits, differential=self.pick(200_00, 300_00),
            face_down=now.face_down, high_limit=now.high_limit, insurance=now.insurance, private=now.private,
            insurance_declined_by=now.insurance_declined_by, shoe=now.shoe, cut=now.cut,
            readings=other.readings, house_role=other.house_role, test=now.test,
        )  # fmt: skip

    def earlier(self) -> Step:
        """A claim about a round that is over, or was said to be."""
        number = max(1, self.table.rounds - self.pick(0, 0, 1, 1, 2, 5)) if self.chance(0.9) else 0
        some = [player for player in PLAYERS if self.chance(0.6)] or ["ann"]
        player, banker = self.hands(number)
        side = self.pick("player", "banker")
        insured = self.insured_before(number)
        return self.pick(
            self.step("note_late_error", "dealer", round=number, what="x"),
            self.step(
                "correct_round",
                "pit_manager",
                round=number,
                player=player,
                banker=banker,
                rectifiable=self.chance(0.85),
            ),
            self.step(
                "correct_card",
                self.pick("pit_manager", "pit_supervisor", "dealer"),
                round=number,
                hand=side,
                place=self.pick(1, 2, 3),
                card=self.any_card(),
                reason=self.pick(*REASONS),
            ),
            self.step("offer_missed_insurance", "pit_manager", players=some, hand=side, round=number),
            self.step("offer_missed_insurance", "pit_manager", round=number, **self.meant_to_insure(number)),
            self.step("offer_missed_insurance", "pit_manager", round=number, **self.meant_to_insure(number)),
            self.step("reposition_insurance", "dealer", round=number, **insured),
            self.ruling(number),
        )

    def meant_to_insure(self, number: int) -> dict[str, Any]:
        """Players of a round who say that they would have insured a hand."""
        here = self.table.round
        past = self.table.past_round(number) if number else None
        lines = past.lines if past is not None else ()
        if here is not None and here.number == number:
            lines = here.lines
        insured = [line.bet for line in lines if line.window]
        hand = self.pick(*insured, "player", "banker")
        players = sorted({line.player for line in lines if line.window is None and line.bet == hand})
        return {
            "players": [player for player in players if self.chance(0.8)] or players or ["ann"],
            "hand": hand,
        }

    def insured_before(self, number: int) -> dict[str, Any]:
        """Insurance that was taken in a round, said to have been meant for the other hand."""
        past = self.table.past_round(number) if number else None
        lines = [line for line in past.lines if line.window] if past is not None else []
        if not lines:
            return {"player": "ann", "box": 1, "window": "four_cards", "hand": "player"}
        line = self.pick(*lines)
        hand = "banker" if line.bet == "player" else "player"
        return {"player": line.player, "box": line.box, "window": line.window, "hand": hand}

    def anything(self) -> Step:
        """Any command from anybody."""
        here = self.table.round
        choices: list[Callable[[], Step]] = [
            lambda: self.bet("place_bet"),
            lambda: self.bet("withdraw_bet"),
            self.card,
            self.together,
            self.after,
            lambda: self.trouble(here) if here is not None else self.after(),
            lambda: self.insure("place_insurance") if here is not None else self.after(),
            lambda: self.insure("announce_insurance") if here is not None else self.after(),
            lambda: self.insure("decline_insurance") if here is not None else self.after(),
            lambda: self.step("settle", "dealer"),
            lambda: self.step("open_bets", "dealer"),
            lambda: self.step("close_bets", "dealer"),
            lambda: self.step("close_options", "dealer"),
            lambda: self.step("close_withdrawal", "dealer"),
            lambda: self.step("end_shoe", "dealer"),
            lambda: self.step("resolve_interruption", "pit_supervisor"),
            lambda: self.step("refuse_excess", "pit_supervisor"),
            lambda: self.step("answer_squeeze", "pit_supervisor", consent=True),
            lambda: self.step(
                "open_card", "dealer", hand=self.pick("player", "banker"), place=self.pick(1, 3)
            ),
            lambda: self.step("choose_option", "dealer", player="ann", choice="return"),
        ]
        made = self.pick(*choices)()
        role = self.pick(*ROLES, made.role, made.role)
        by = role if role != "player" else self.pick(*PLAYERS)
        return Step(by, role, made.at, made.do, made.fields)


def walk(seed: int, steps: int) -> Pair:
    """A walk of so many steps; raises `Disagreement` where the tables part."""
    pair = Pair()
    maker = Maker(pair, seed)
    for step in maker.opening():
        pair.ask(step)
    for _ in range(steps):
        pair.ask(maker.next())
    return pair


def again(steps: list[Step]) -> Disagreement | None:
    """Ask two fresh tables the same; how they disagree, if they do."""
    pair = Pair()
    try:
        for step in steps:
            pair.ask(step)
    except Disagreement as found:
        return found
    return None


def shortened(found: Disagreement) -> Disagreement:
    """A disagreement with everything left out that it does without."""
    size = max(1, len(found.steps) // 2)
    while size:
        start = 0
        while start < len(found.steps) - 1:
            fewer = found.steps[:start] + found.steps[start + size :]
            shorter = again(fewer) if fewer else None
            if shorter is not None:
                found = shorter
            else:
                start += size
        size //= 2
    return found
