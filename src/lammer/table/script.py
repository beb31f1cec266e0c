"""Scripts: a set-up and commands that a pit manager can read, run against a fresh table.

    title    = "Player 6 insured, Banker draws to 9"
    proves   = ["4.1.14"]
    rulebook = "tiger-buffalo-noncommission-insurance@3"
    layout   = "C"
    limits   = { minimum = "50", differential = "10000" }
    seats    = { p1 = 1 }

    [[step]]
    by = "dealer"
    do = "open_bets"

    [expect]
    net = { p1 = "25.00" }

`by` is a player's name or a role; beside it and `do` a step has the fields of its command. `deal_cards`
deals several cards. A step may say that it is `refused`, with the code, and which paragraph it `cites`.
`expect` says what must have come out: see `lammer.table.expectations`.

`rulebooks` in place of `rulebook` lists several a script holds under, each with the paragraphs it proves
there; any value may then differ between them: see `lammer.table.per_rulebook`.

The set-up takes every field of a table's set-up; `bank` fills the bank, `seats` sits players down. Unless
`entropy` is given the shoe is read. A script begins at `at`, a moment with its offset, or else when its
rulebook is in force, and each call takes a second; a step may give a later moment as its own `at`. `set_by`
says which role sets the table up, and `reason` why, where a reason is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from lammer.rulebook.force import in_force
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table import commands as c
from lammer.table.decoding import COMMANDS, SET_UP, command_of, fields_of, must_be_parts_of_setup
from lammer.table.expectations import (
    UnmetExpectation,
    must_be_expectations,
    must_be_step_expectations,
    unmet_at_end,
    unmet_by_call,
)
from lammer.table.journal import Entry, entries
from lammer.table.known_keys import malformed, must_be_moment, must_be_table, must_know
from lammer.table.per_rulebook import must_prove_paragraphs, rulebooks_of, under_rulebook
from lammer.table.recall import recall_from
from lammer.table.state import Table

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
AROUND = (
    "title", "proves", "rulebooks", "at", "set_by", "reason", "seats", "bank", "entropy", "step", "expect",
)  # fmt: skip
AROUND_STEP = ("by", "do", "at", "refused", "cites")
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """One thing a script asks of the table: in which step (0: the set-up), by whom, what and when."""

    step: int
    by: str
    do: str
    fields: Mapping[str, Any]
    at: datetime

    @property
    def place(self) -> str:
        """Where it stands in the script.

        >>> ScriptCall(3, "p1", "place_bet", {"box": 1}, START).place
        'step 3 (place_bet by p1)'
        """
        where = f"step {self.step}" if self.step else "the set-up"
        return f"{where} ({self.do} by {self.by})"


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """A call of a script and what came of it: entries, or a refusal."""

    call: ScriptCall
    entries: tuple[Entry, ...] = ()
    refused: Refused | None = None


@dataclass(slots=True)
class ScriptRun:
    """A script that was run under one rulebook: the table it left, the journal, call by call."""

    script: Mapping[str, Any]
    table: Table
    journal: list[Entry] = field(default_factory=list)
    steps: list[CallOutcome] = field(default_factory=list)

    @property
    def title(self) -> str:
        return str(self.script.get("title", ""))


def unmet_expectations(script_run: ScriptRun) -> list[UnmetExpectation]:
    """Everything a script said of itself that did not come true: step by step, then at the end."""
    steps, rulebook = script_run.script.get("step", ()), script_run.script["rulebook"]
    unmet: list[UnmetExpectation] = []
    for outcome in script_run.steps:
        step = steps[outcome.call.step - 1] if outcome.call.step else {}
        unmet += unmet_by_call(step, outcome.call.place, rulebook, outcome.entries, outcome.refused)
    return [*unmet, *unmet_at_end(script_run.script.get("expect", {}), script_run.table, script_run.journal)]


def must_be_script(script: Mapping[str, Any]) -> None:
    """Refuse what is not a script under one rulebook: a key nobody looks at, a part of another kind.

    >>> must_be_script({"rulebook": "snap@1", "step": [{"by": "p1", "do": "place_bet", "stak": "50"}]})
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: Step 1 (place_bet) has no stak. It may have ...
    """
    must_know(script, (*SET_UP, *AROUND), "A script")
    must_be_parts_of_setup(script, "")
    for player, box in must_be_table(script.get("seats", {}), "seats").items():
        if type(box) is not int:
            raise malformed(f"seats.{player}", "is the number of a box.")
    if script.get("set_by", "pit_manager") not in ROLES:
        raise malformed("set_by", "is no role.", f"There are {', '.join(ROLES)}.")
    for key in ("title", "entropy", "reason"):
        if not isinstance(script.get(key, ""), str):
            raise malformed(key, "is text in quotes.")
    if "at" in script:
        must_be_moment(script["at"], "at")
    must_be_expectations(script.get("expect", {}))
    steps = script.get("step", ())
    if not isinstance(steps, list | tuple):
        raise Refused("malformed_input", "The steps of a script are a list.")
    for number, step in enumerate(steps, start=1):
        _must_be_step(step, number)


def _must_be_step(step: object, number: int) -> None:
    if not isinstance(step, Mapping) or not all(isinstance(step.get(key), str) for key in ("by", "do")):
        raise malformed(f"Step {number}", "needs by and do.")
    place = f"Step {number} ({step['do'][:40]})"
    if step["do"] == "deal_cards":
        must_know(step, (*AROUND_STEP, "cards"), place)
        if not isinstance(step.get("cards"), str):
            raise malformed(place, 'needs its cards, such as "9S 2D KH 3C".')
    elif step["do"] not in COMMANDS:
        known = ", ".join((*COMMANDS, "deal_cards"))
        raise malformed(
            f"Step {number}", f"does {step['do'][:40]!r}, which is no command.", f"There are {known}."
        )
    else:
        must_know(step, (*AROUND_STEP, *fields_of(step["do"])), place)
    if "at" in step:
        must_be_moment(step["at"], f"{place}: at")
    if isinstance(step.get("setup"), Mapping):
        must_know(step["setup"], SET_UP, f"{place}: setup")
        must_be_parts_of_setup(step["setup"], f"{place}: setup.")
    must_be_step_expectations(step, place)


def run(books: Mapping[str, Rulebook], script: Mapping[str, Any]) -> ScriptRun:
    """Run a script on a fresh table, one second a call; refusals are told, not raised.

    The script names one rulebook; of one that names several, take `under_rulebook` first.
    """
    named = list(rulebooks_of(script))
    if len(named) > 1:
        raise malformed("rulebooks", "names several.", "Say under which of them the script is run.")
    script = under_rulebook(script, named[0])
    must_be_script(script)
    must_prove_paragraphs(books, script)
    script_run = ScriptRun(script, Table(books))
    script_run.table.recall = recall_from(books, lambda: (entry.event for entry in script_run.journal))
    for call in list(calls(books, script)):
        try:
            role = call.by if call.by in ROLES else "player"
            request = c.Call(call.by, role, call.at, command_of(call.do, call.fields))
            new_entries = entries(script_run.table, request, len(script_run.journal) + 1)
        except Refused as refused:
            script_run.steps.append(CallOutcome(call, refused=refused))
        else:
            script_run.journal.extend(new_entries)
            script_run.steps.append(CallOutcome(call, new_entries))
    return script_run


def calls(books: Mapping[str, Rulebook], script: Mapping[str, Any]) -> Iterator[ScriptCall]:
    """Everything a script asks of a fresh table, in order.

    >>> script = {"rulebook": "snap@1", "layout": "A", "step": [{"by": "dealer", "do": "open_bets"}]}
    >>> [call.place for call in calls({}, script)][-1]
    'step 1 (open_bets by dealer)'
    """
    at = script.get("at") or moment(books, script["rulebook"])
    before = 0
    for step, by, do, fields in _requests(script):
        step_time = script["step"][step - 1].get("at") if step > before else None
        before = step
        if step_time is not None and step_time < at:
            raise malformed(
                f"Step {step}: at", f"is before {at.isoformat(sep=' ')}, when the step before it was."
            )
        at = max(step_time or at, at + _SECOND)
        yield ScriptCall(step, by, do, fields, at)


def moment(books: Mapping[str, Rulebook], rulebook: str) -> datetime:
    """When a script begins that does not say so: `START`, or else when its rulebook came into force.

    >>> from lammer import shelf
    >>> books = {book.id: book for book in shelf()}
    >>> moment(books, "tiger-buffalo-noncommission@4") == START
    True
    >>> moment(books, "tiger-buffalo-noncommission-insurance@1").isoformat()
    '2024-05-14T00:00:00+00:00'
    """
    book = books.get(rulebook)
    if book is None:
        return START  # the table refuses it
    held = book.in_force_from <= START and in_force(books.values(), book.game, START).rulebook is book
    return START if held else book.in_force_from.astimezone(UTC)


def _requests(script: Mapping[str, Any]) -> Iterator[tuple[int, str, str, Mapping[str, Any]]]:
    """Step, person, command and fields of every call."""
    setup = {key: script[key] for key in (*SET_UP, "entropy") if key in script}
    opening = {"setup": setup, **({"reason": script["reason"]} if "reason" in script else {})}
    command_of("set_table", opening)  # a set-up that is none is no step of the story
    yield 0, script.get("set_by", "pit_manager"), "set_table", opening
    if "bank" in script:
        yield 0, "pit_supervisor", "fill_bank", {"amount": script["bank"]}
    for player, box in script.get("seats", {}).items():
        yield 0, player, "take_seat", {"player": player, "box": box}
    yield 0, "dealer", "prepare_shoe", {"entropy": script.get("entropy", "")}
    for number, step in enumerate(script.get("step", ()), start=1):
        by, do = step["by"], step["do"]
        fields = {key: value for key, value in step.items() if key not in AROUND_STEP}
        if do == "deal_cards":
            for card in fields["cards"].split():
                yield number, by, "deal_card", {"card": card}
            continue
        if "player" in fields_of(do) and by not in ROLES:
            fields.setdefault("player", by)
        yield number, by, do, fields
