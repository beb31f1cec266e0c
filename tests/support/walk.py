"""A walk: one table, and the source of everything that is asked of it, sensible or not."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import lammer
from lammer import Refused
from lammer.game.cards import DECK
from lammer.rulebook.model import Rulebook
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c, events as e
from lammer.table.commands import Call
from lammer.table.dealing import highest_bettor
from lammer.table.decoding import command_of, setup_of
from lammer.table.fold import evolve
from lammer.table.journal import Entry, snapshot
from lammer.table.play import decide
from lammer.table.state import OVER, Table

BOOKS = {book.id: book for book in lammer.shelf()}
STEPS = int(os.environ.get("LAMMER_WALK_STEPS", "20000"))
WALKS = 40
PLAYERS = ("ann", "bob", "cy", "di")

# The least role that may do it, written down from the issue and the readings, not read off the code.
LEAST = {
    "set_table": "pit_manager",
    "fill_bank": "pit_supervisor",
    "credit_bank": "pit_supervisor",
    "prepare_shoe": "dealer",
    "begin_shuffle": "dealer",
    "abandon_shuffle": "pit_manager",
    "end_shoe": "dealer",
    "open_bets": "dealer",
    "close_bets": "dealer",
    "refuse_excess": "pit_supervisor",
    "deal_card": "dealer",
    "reconstruct": "dealer",
    "note_face_up": "dealer",
    "reset_equipment": "dealer",
    "answer_squeeze": "pit_supervisor",
    "settle": "dealer",
    "interrupt": "dealer",
    "resolve_interruption": "pit_supervisor",
    "void_round": "pit_supervisor",
    "show_cut_card": "dealer",
    "close_withdrawal": "dealer",
    "missed_withdrawal": "dealer",
    "order_simultaneous": "pit_supervisor",
    "judge_damaged_card": "pit_supervisor",
    "note_dealing_error": "dealer",
    "confirm_error": "pit_supervisor",
    "close_options": "dealer",
    "reopen_settlement": "pit_supervisor",
    "correct_round": "pit_supervisor",
    "offer_missed_insurance": "pit_manager",
    "rule_on_matter": "table_game_shift_manager",
}


CommandRequest = tuple[str, dict[str, Any], str]
"""A command, its fields, and the role (or the player) it comes from."""


class Walk:
    """One table and the source of everything that is asked of it."""

    def __init__(self, seed: int, other: Rulebook | None = None) -> None:
        self.random = random.Random(seed)
        self.book = other.id if other else self.random.choice(sorted(BOOKS))
        self.table = Table({other.id: other} if other else BOOKS)
        self.journal: list[Entry] = []
        self.at = datetime(2025 if self.book.endswith("@1") else 2026, 1, 1, tzinfo=UTC)
        readings = {"limits_mode": "advisory"} if self.random.random() < 0.4 and not other else {}
        script = {
            "rulebook": self.book,
            "layout": "A" if other else self.random.choice("ABC"),
            "decks": other.cards.usual_decks if other else 4,
            "face_down": self.random.random() < 0.3,
            "high_limit": self.random.random() < 0.5,
            "cut": 20,
            "readings": readings,
            "limits": {"minimum": "5", "maximum": "500", "differential": "300"},
        }
        if self.random.random() < 0.5:
            script["entropy"] = "ab" * 16
        self.ask("boss", "pit_manager", c.SetTable(setup_of(script)))
        for box, player in enumerate(PLAYERS[:3], start=1):
            self.ask(player, "player", c.TakeSeat(player, box))

    def ask(self, by: str, role: str, command: c.Command) -> tuple[e.Event, ...]:
        """Ask, fold and record; a refusal is raised on."""
        self.at += timedelta(seconds=1)
        events = decide(self.table, Call(by, role, self.at, command))
        for event in events:
            evolve(self.table, event)
            assert sum(self.table.accounts.values()) == 0
            self.journal.append(Entry(len(self.journal) + 1, self.at, by, role, event))
        return events

    def step(self) -> tuple[str, str, tuple[e.Event, ...] | None]:
        """One command, sensible three times out of four; None for a refusal."""
        do, fields, role = self.sensible() if self.random.random() < 0.75 else self.anything()
        by = role
        if role not in ROLES or role == "player":
            by, role = (role if role in PLAYERS else self.random.choice(PLAYERS)), "player"
        seat = self.table.seats.get(by, self.random.choice([1, 2, 3]))
        words = {"BY": by, "SEAT": seat if self.random.random() < 0.8 else self.random.choice([1, 2, 3, 9])}
        fields = {
            key: words.get(value, value) if isinstance(value, str) else value for key, value in fields.items()
        }
        before = snapshot(self.table) if self.random.random() < 0.1 else b""
        try:
            return do, role, self.ask(by, role, command_of(do, fields))
        except Refused:
            assert not before or snapshot(self.table) == before, "a refused command changes nothing"
            return do, role, None

    def sensible(self) -> CommandRequest:
        here = self.table.round
        pick = self.random.choice
        if self.table.shoe is None and self.random.random() < 0.5:
            return self.shuffling()
        if self.table.shoe is None:
            entropy = f"{self.random.getrandbits(128):032x}" if self.table.shuffle is None else ""
            return "prepare_shoe", {"entropy": entropy}, "dealer"
        if here is None or here.phase in OVER:
            if self.table.last_of_shoe:
                return "end_shoe", {}, "dealer"
            return pick([("open_bets", {}, "dealer")] * 5 + [self.after()])
        if here.interrupted:
            return "resolve_interruption", {}, "pit_supervisor"
        if here.reported is not None:
            return "confirm_error", {"confirmed": pick([True, True, False])}, "pit_supervisor"
        if here.options is not None:
            return pick(
                [
                    ("choose_option", {"player": "BY", "choice": pick(["continue", "return"])}, "player"),
                    ("close_options", {}, "dealer"),
                ]
            )
        if here.withdrawal:
            bet = next(iter(here.bets.values()), None)
            if bet is None or self.random.random() < 0.3:
                return "close_withdrawal", {}, "dealer"
            return "withdraw_bet", {"player": bet.player, "box": bet.box, "bet": bet.bet}, bet.player
        if here.squeeze is not None:
            return "answer_squeeze", {"consent": pick([True, False])}, "pit_supervisor"
        if self.table.require_setup().face_down and here.phase == "dealing" and self.random.random() < 0.1:
            who = highest_bettor(self.table, here) or "ann"
            return "request_squeeze", {"what": pick(["card", "expose_banker_third_first"])}, who
        if here.phase == "betting":
            refuse: CommandRequest = ("refuse_excess", {}, "pit_supervisor")
            close: CommandRequest = ("close_bets", {}, "dealer")
            seat: CommandRequest = (
                pick(["take_seat", "leave_seat"]),
                {"player": "BY", "box": pick([1, 2, 3])},
                "player",
            )
            if seat[0] == "leave_seat":
                seat[1].pop("box")
            return pick([self.bet("place_bet")] * 12 + [self.bet("withdraw_bet"), refuse, close, close, seat])
        if not here.cards and self.random.random() < 0.2:
            return "show_cut_card", {}, "dealer"
        if here.misplaced:
            fields = {
                "irregularity": pick(["excess_cards", "swapped_hands"]),
                "possible": pick([True, False]),
            }
            return "reconstruct", fields, "pit_supervisor"
        if any(not laid.face_up for laid in here.cards) and len(here.cards) >= 4:
            hidden = next(laid for laid in here.cards if not laid.face_up)
            return "open_card", {"hand": hidden.hand, "place": hidden.place}, "dealer"
        if here.window is not None and self.random.random() < 0.6:
            stake = str(pick([5, 10, 50, 200]))
            hand = pick(["player", "banker"])
            return (
                "place_insurance",
                {"player": "BY", "box": "SEAT", "hand": hand, "stake": stake},
                "player",
            )
        if self.table.next_hand() is None:
            return "settle", {}, "dealer"
        return pick([self.card()] * 9 + [self.trouble()])

    def shuffling(self) -> CommandRequest:
        """A shared shuffle is begun, added to or, seldom, given up."""
        if self.table.shuffle is None:
            fields = {"entropy": f"{self.random.getrandbits(512):0128x}", "seconds": self.random.randrange(6)}
            return "begin_shuffle", fields, "dealer"
        if self.random.random() < 0.2:
            return "abandon_shuffle", {"reason": "a dropped card"}, "pit_manager"
        return "add_entropy", {"player": "BY", "entropy": f"cut {self.random.randrange(416)}"}, "player"

    def bet(self, do: str) -> CommandRequest:
        names = [bet.name for bet in self.table.book.offered(self.table.layout)]
        name = self.random.choice(["player", "banker", *names])
        stake = str(self.random.choice([1, 5, 20, 20, 100, 100, 250, "33.33"]))
        return (
            do,
            {"player": "BY", "box": "SEAT", "bet": name, "stake": stake},
            "player",
        )

    def card(self, **more: Any) -> CommandRequest:
        read = self.table.require_setup().shoe == "read"
        card = self.table.carried[0] if self.table.carried else self.random.choice(DECK)
        named = read and not (self.table.carried and self.table.require_setup().face_down)
        return "deal_card", {"card": card if named else "", **more}, "dealer"

    def together(self) -> CommandRequest:
        """Two cards come out of the shoe at once."""
        shoe = self.table.shoe
        cards = list(self.table.carried)[:2]
        if shoe is not None and shoe.kind == "virtual":
            cards += shoe.order[shoe.dealt : shoe.dealt + 2 - len(cards)]
        cards += [self.random.choice(DECK) for _ in range(2 - len(cards))]
        replace = self.random.random() < 0.5
        return "order_simultaneous", {"order": cards, "replace_shoe": replace}, "pit_supervisor"

    def trouble(self) -> CommandRequest:
        """Something goes wrong while cards are dealt."""
        pick = self.random.choice
        return pick(
            [
                self.card(to=pick(["player", "banker"])),
                self.together(),
                ("interrupt", {"reason": "power"}, "dealer"),
                (
                    "void_round",
                    {"cause": pick(["foreign_card", "wrong_deck", "shoe_ran_dry"])},
                    "pit_supervisor",
                ),
                ("show_cut_card", {}, "dealer"),
                ("missed_withdrawal", {}, "dealer"),
                ("note_face_up", {}, "dealer"),
                ("reset_equipment", {}, "dealer"),
                ("note_dealing_error", {"what": "dropped a card"}, "dealer"),
                (
                    "judge_damaged_card",
                    {"hand": "player", "place": 1, "card": pick(["", "5H"])},
                    "pit_supervisor",
                ),
                ("offer_missed_insurance", {"players": list(PLAYERS), "hand": "player"}, "pit_manager"),
                (
                    "rule_on_matter",
                    {"reason": "x", "effect": pick(c.RULINGS), "players": ["ann"]},
                    "table_game_shift_manager",
                ),
                ("leave_seat", {"player": "BY"}, "player"),
                ("take_seat", {"player": "BY", "box": pick([1, 2, 3, 4])}, "player"),
                ("request_squeeze", {"what": pick(["card", "expose_banker_third_first"])}, "player"),
                ("answer_squeeze", {"consent": True}, "pit_supervisor"),
            ]
        )

    def after(self) -> CommandRequest:
        """Something is found after a round."""
        pick = self.random.choice
        number = max(1, self.table.rounds - pick([0, 1, 2]))
        found: list[CommandRequest] = [
            ("reopen_settlement", {"reason": "camera"}, "pit_supervisor"),
            ("note_late_error", {"round": number, "what": "x"}, "dealer"),
            (
                "correct_round",
                {"round": number, "player": pick(["KS 7H", "KS 5H", "KS 7H 2D"]), "banker": "QD 6C"},
                "pit_supervisor",
            ),
            (
                "offer_missed_insurance",
                {"players": list(PLAYERS), "hand": pick(["player", "banker"])},
                "pit_manager",
            ),
            (
                "reposition_insurance",
                {"round": number, "player": "ann", "box": 1, "window": "four_cards", "hand": "player"},
                "dealer",
            ),
            ("note_wrong_display", {"what": "x"}, "dealer"),
            ("rule_on_matter", {"reason": "x", "effect": pick(c.RULINGS)}, "table_game_shift_manager"),
        ]
        return pick(found)

    def anything(self) -> CommandRequest:
        """Any command from anybody."""
        choices: list[CommandRequest] = [
            self.bet("place_bet"),
            self.card(),
            self.trouble(),
            self.after(),
            ("settle", {}, ""),
            ("open_bets", {}, ""),
            self.shuffling(),
            ("close_bets", {}, ""),
            ("fill_bank", {"amount": "100"}, ""),
            ("bring_chips", {"player": "ann", "amount": "100"}, ""),
            ("take_chips", {"player": "ann", "amount": "30"}, ""),
            ("set_table", {"setup": {"rulebook": self.book, "layout": "A"}}, ""),
            ("close_options", {}, ""),
            ("resolve_interruption", {}, ""),
            ("refuse_excess", {}, ""),
            ("allow_staff_bets", {"player": "BY", "allowed": self.random.random() < 0.5}, ""),
        ]
        do, fields, _ = self.random.choice(choices)
        return do, fields, self.random.choice(ROLES)


class ChoosingWalk(Walk):
    """A walk under a rulebook whose hands may choose; once four cards are dealt, somebody may say for one."""

    def sensible(self) -> CommandRequest:
        here = self.table.round
        dealt = here is not None and here.phase == "dealing" and len(here.cards) >= 4
        if dealt and self.random.random() < 0.5:
            fields = {"hand": self.random.choice(["player", "banker"]), "draws": self.random.random() < 0.5}
            return "choose_drawing", fields, self.random.choice(["dealer", "player"])
        return super().sensible()
