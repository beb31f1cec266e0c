"""The pit's screens as values: what needs a person, what waits for a second one, what it would change.

What somebody has to agree to is shown in money for each player, tried on a copy of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from lammer.floor.tables.approvals import Proposal
from lammer.floor.tables.command_request import decode_command
from lammer.floor.tables.preview import Preview, preview
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import names_open_cards
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.frame import Say, role_title
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES
from lammer.table import commands as c, events as e
from lammer.table.fold import past_of
from lammer.table.records import PaidLine
from lammer.table.state import OVER, Past, Table
from lammer.wording.catalogues import Language, say
from lammer.wording.events import EventWriter, preview_sentences
from lammer.wording.figures import write_chips, write_items
from lammer.wording.refusals import in_language

ASKED: Final = {
    "correct_round": "Correct an earlier round",
    "correct_card": "Put a card right that was recorded wrongly",
    "offer_missed_insurance": "Give bets back for Insurance that was not offered",
    "void_round": "Void the round",
    "reposition_insurance": "Move an Insurance bet",
    "reopen_settlement": "Reopen the settlement",
    "rule_on_matter": "Rule on a matter the rules do not provide for",
}

IN_WORDS: Final = frozenset(("hand", "window", "cause", "effect"))
"""Fields of a request that hold a word of the game, and not what somebody wrote."""

Hands = tuple[tuple[str, ...], tuple[str, ...]]
"""The Player's cards and the Banker's."""


def troubles(t: Say, view: DurableView) -> dict[str, str]:
    """What needs a person at a table, by its name: in words, the most urgent first."""
    this_round = view.table.round
    known = [("stopped", t("Stopped"), view.stopped)]
    if this_round is not None and this_round.phase not in OVER:
        known += [
            ("interrupted", t("Interrupted"), this_round.interrupted),
            ("misplaced", t("Cards misplaced"), this_round.misplaced),
            ("reported", t("Dealing error reported"), this_round.reported is not None),
            ("options", t("Players are asked"), this_round.options is not None),
            ("withdrawal", t("Withdrawal open"), this_round.withdrawal),
            ("squeeze", t("Squeeze asked"), this_round.squeeze is not None),
        ]
    known.append(("overdrawn", t("Bank below zero"), _bank(view.table) < 0))
    return {name: words for name, words, holds in known if holds}


def _bank(table: Table) -> int:
    return table.accounts.get("bank", 0)


def troubles_in_full(language: Language, view: DurableView) -> list[str]:
    """The same for the table's own page, where a bank below zero says by how much."""
    words = troubles(partial(say, language), view)
    if "overdrawn" in words:
        words["overdrawn"] = say(
            language,
            "The bank is {amount} below zero: more was paid out than lay in it. Count it and fill it.",
            amount=write_chips(language, -_bank(view.table)),
        )
    return list(words.values())


def option_answers(t: Say, options: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """What each player who was asked has said."""
    words = {"continue": t("goes on"), "return": t("has the bets back"), "": t("has not answered")}
    return [(player, words[choice]) for player, choice in (options or {}).items()]


def outcome_named(table: Table, named: Mapping[str, str], language: Language) -> str:
    """The bets whose outcome stands; nothing where none does."""
    return write_items(language, (named.get(bet, bet) for bet in table.outcome().by))


def put_right_as(table: Table) -> str:
    """The irregularity under which cards that lie wrong are put right; nothing while none does."""
    this_round = table.round
    if this_round is None or not this_round.misplaced:
        return ""
    _, left = table.proper_order(this_round.cards, this_round.accepted)
    return "excess_cards" if left else "swapped_hands"


@dataclass(frozen=True, slots=True)
class LineChange:
    """A bet of a corrected round: what it came to and what it comes to, in one line or in two parts."""

    player: str
    box: int
    bet: str
    insurance: bool
    stake: int
    before: tuple[PaidLine, ...]
    after: tuple[PaidLine, ...]

    @property
    def by(self) -> int:
        """What the change gives the player, in cents."""
        was, now = (sum(line.returned - line.stake for line in lines) for lines in (self.before, self.after))
        return now - was


@dataclass(frozen=True, slots=True)
class Effect:
    """What a request would do: in sentences, in cards, bet by bet, and in money for each player."""

    preview: Preview
    follows: list[tuple[str, str]]
    lines: list[LineChange]
    before: Hands | None
    after: Hands | None

    @property
    def hands(self) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Each hand with its cards before and after; nothing where no cards change."""
        if self.before is None or self.after is None:
            return []
        return list(zip(SIDES, self.before, self.after, strict=True))


@dataclass(frozen=True, slots=True)
class WaitingRequest:
    """Something that waits, in words, with what it would do."""

    proposal: Proposal
    title: str
    sentence: str
    fields: list[tuple[str, str]]
    own: bool
    effect: Effect


def answered_before(proposals: Iterable[Proposal], clock: Clock) -> list[str]:
    """The requests a second person has answered lately, a line for each."""
    lines = []
    for proposal in proposals:
        at, title = clock.moment(proposal.asked_at, seconds=False), asked_title(proposal, clock.language)
        answer = say(clock.language, proposal.stands)
        lines.append(f"{at} {proposal.by}: {title} – {answer} ({proposal.second})")
    return lines


def asked_title(proposal: Proposal, language: Language) -> str:
    """What is asked for, in a few words."""
    return say(language, ASKED.get(proposal.do, proposal.do))


def waiting_request(
    view: DurableView, proposal: Proposal, me: str, at: datetime, clock: Clock
) -> WaitingRequest:
    """What waits at a table, with what it would do now."""
    language = clock.language
    try:
        command = decode_command(view.table, proposal.asked)
        effect = effect_of(view.table, c.Call(proposal.by, proposal.role, at, command), language)
    except Refused as refused:
        effect = Effect(Preview(refused=in_language(language, refused)), [], [], None, None)
    sentence = say(
        language,
        "{who} ({role}) asked at {time}",
        who=proposal.by,
        role=role_title(language, proposal.role),
        time=clock.time(proposal.asked_at, seconds=True),
    )
    fields = field_texts(proposal, EventWriter(language, view.table.book if view.table.setup else None))
    return WaitingRequest(
        proposal, asked_title(proposal, language), sentence, fields, proposal.by == me, effect
    )


def effect_of(table: Table, call: c.Call, language: Language) -> Effect:
    """What a call would do to this table."""
    previewed = preview(table, call)
    if previewed.refused is not None:
        previewed = replace(previewed, refused=in_language(language, previewed.refused))
    follows = preview_sentences(language, table, previewed.events)
    lines: list[LineChange] = []
    before: Hands | None = None
    after: Hands | None = None
    reversed_lines: tuple[PaidLine, ...] = ()
    this_round = table.round
    for event in previewed.events:
        match event:
            case e.SettlementReopened():
                reversed_lines = event.reversed
            case e.RoundSettled() if reversed_lines and this_round is not None:
                lines += line_changes(reversed_lines, event.lines)
                before = tuple(this_round.values("player")), tuple(this_round.values("banker"))
                after = (event.player, event.banker)
            case e.RoundCorrected() if names_open_cards(event.because):
                lines += line_changes(event.reversed, event.posted)
                on_table = this_round is not None and this_round.number == event.round
                past = past_of(this_round) if this_round and on_table else table.past_round(event.round)
                before = (past.player, past.banker) if past is not None else None
                after = (event.player, event.banker)
            case _:
                pass
    return Effect(previewed, follows, lines, before, after)


def line_changes(was_lines: Iterable[PaidLine], now_lines: Iterable[PaidLine]) -> list[LineChange]:
    """The bets of a corrected round, each with the lines it had and those it gets: one, or two in parts."""
    by_key: dict[int, tuple[list[PaidLine], list[PaidLine]]] = {}
    for side, lines in enumerate((was_lines, now_lines)):
        for line in lines:
            by_key.setdefault(line.key, ([], []))[side].append(line)
    return [
        LineChange(
            (any_line := (now or was)[0]).player,
            any_line.box,
            any_line.bet,
            any_line.window is not None,
            sum(line.stake for line in was or now),
            tuple(was),
            tuple(now),
        )
        for was, now in by_key.values()
    ]


@dataclass(frozen=True, slots=True)
class EarlierRound:
    """A round that can still be corrected. A void one shows no cards: some may never have been open."""

    number: int
    player: tuple[str, ...]
    banker: tuple[str, ...]
    void: bool
    lines: tuple[PaidLine, ...]
    rulebook: str
    insures: bool

    @property
    def players(self) -> list[tuple[str, int]]:
        """Each player's result, in cents."""
        results: dict[str, int] = {}
        for line in self.lines:
            results[line.player] = results.get(line.player, 0) + line.returned - line.stake
        return list(results.items())


def earlier_round(past: Past) -> EarlierRound:
    """A round that is over, as staff may see it."""
    cards = ((), ()) if past.void else (tuple(past.player), tuple(past.banker))
    return EarlierRound(past.number, *cards, past.void, past.lines, past.setup.rulebook, past.setup.insurance)


def field_texts(proposal: Proposal, writer: EventWriter) -> list[tuple[str, str]]:
    """What was asked for, as it was written; what the game has words for, in those."""
    t = writer.say

    def words(name: str, value: object) -> str:
        if isinstance(value, bool):
            return t("yes") if value else t("no")
        if name in IN_WORDS:
            return str(writer.value(name, value))
        return " ".join(map(str, value)) if isinstance(value, list) else str(value)

    return [
        (t(name.replace("_", " ").capitalize()), words(name, value))
        for name, value in proposal.fields.items()
    ]
