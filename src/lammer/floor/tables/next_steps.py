"""What whoever deals may do now, and why not the rest: every step of a round tried on the state.

`decide` only reads, so "may I?" is answered by the rules themselves: a step is lawful exactly when the table
would take it, and an unlawful one carries the refusal the table would give. What the steps would come to is
thrown away unread: the next card of a shoe is nobody's to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lammer.game.drawing import FIRST_CARDS, open_choice
from lammer.game.shoe import deck_of
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side
from lammer.table import commands as c
from lammer.table.mixing import HOUSE_BYTES
from lammer.table.play import decide
from lammer.table.state import OVER, Round, Table

Caller = Callable[[c.Command], c.Call]
"""Puts who asks, as what and when around a command."""

FIRST_OF_ALL: Final = (
    "resolve_interruption", "confirm_error", "close_options", "close_withdrawal", "reconstruct",
    "note_face_up",
)  # fmt: skip
"""What has to be done before the round goes on, in that order."""
THEN: Final = ("close_bets", "deal_card", "open_card", "settle", "end_shoe", "prepare_shoe", "open_bets")
_TRIED: Final = "00" * 16
"""Stands for the entropy of a shoe that is only tried."""
_TRIED_BY_HOUSE: Final = "00" * HOUSE_BYTES


@dataclass(frozen=True, slots=True)
class Step:
    """A command as a button sends it, and why the table would not take it now."""

    do: str
    fields: Mapping[str, Any]
    refused: Refused | None = None

    @property
    def lawful(self) -> bool:
        return self.refused is None


def lawful(table: Table, call: Caller) -> list[Step]:
    """Every step of a round in the order a dealer knows them, each tried.

    >>> from datetime import UTC, datetime
    >>> from lammer import rulebook
    >>> from lammer.table.script import run
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> table = run({book.id: book}, {"rulebook": book.id, "layout": "A"}).table
    >>> steps = lawful(table, lambda asked: c.Call("mei", "dealer", datetime.now(UTC), asked))
    >>> [step.do for step in steps if step.lawful]
    ['open_bets', 'end_shoe']
    >>> next(step.refused.sentence for step in steps if step.do == "deal_card")
    'No round is under way.'
    """
    steps = []
    for do, fields, command in _candidates(table):
        try:
            decide(table, call(command))
        except Refused as refused:
            steps.append(Step(do, fields, refused))
        else:
            steps.append(Step(do, fields))
    return steps


def _turns_on_hidden_cards(table: Table) -> bool:
    """Whether what comes next turns on cards that lie face down."""
    this_round = table.round
    return (
        this_round is not None
        and len(this_round.cards) >= FIRST_CARDS
        and any(not laid.face_up for laid in this_round.cards)
    )


def next_of(table: Table, steps: Sequence[Step]) -> Step | None:
    """The step that comes next; None where it is another's to take, or nobody's.

    The shoe is ended when it has had its last round, and not merely because it could be.
    """
    for do in (*FIRST_OF_ALL, *THEN):
        if do == "end_shoe" and not table.last_of_shoe:
            continue
        for step in steps:
            if step.do == do and step.lawful:
                return step
    return None


def in_the_way(table: Table, steps: Sequence[Step]) -> Step | None:
    """Where nothing is lawful, the step that waits for somebody else."""
    if next_of(table, steps) is not None:
        return None
    this_round = table.round
    if this_round is not None and this_round.announced:
        # The next card waits for whoever said that they will insure.
        return next(step for step in steps if step.do == "deal_card")
    return next((step for do in (*FIRST_OF_ALL, *THEN) for step in steps if step.do == do), None)


def _candidates(table: Table) -> Iterator[tuple[str, Mapping[str, Any], c.Command]]:
    shuffle = table.shuffle
    if shuffle is None:
        yield "prepare_shoe", {}, c.PrepareShoe(_TRIED)
    else:
        yield "prepare_shoe", {}, c.PrepareShoe(signature=_TRIED if shuffle.beacon is not None else "")
    if table.seats and table.shoe is None and shuffle is None and table.require_setup().shoe == "virtual":
        yield "begin_shuffle", {}, c.BeginShuffle(_TRIED_BY_HOUSE)
    yield "open_bets", {}, c.OpenBets()
    yield "close_bets", {}, c.CloseBets()
    yield "deal_card", {}, c.DealCard(_a_card(table))
    yield from _in_the_round(table)
    yield "settle", {}, c.Settle()
    yield "end_shoe", {}, c.EndShoe()


def _in_the_round(table: Table) -> Iterator[tuple[str, Mapping[str, Any], c.Command]]:
    """What is only there to be done at some tables, at some moments."""
    this_round = table.round
    if this_round is None or this_round.phase in OVER:
        return
    for laid in (*this_round.hand("player"), *this_round.hand("banker")):
        if not laid.face_up:
            yield "open_card", {"hand": laid.hand, "place": laid.place}, c.OpenCard(laid.hand, laid.place)
    if table.shoe is not None and table.shoe.kind == "read":
        yield "show_cut_card", {}, c.ShowCutCard()
    if this_round.squeeze is not None:
        yield "answer_squeeze", {"consent": True}, c.AnswerSqueeze(True)
        yield "answer_squeeze", {"consent": False}, c.AnswerSqueeze(False)
    hands = this_round.values("player"), this_round.values("banker")
    waiting = None if _turns_on_hidden_cards(table) else open_choice(table.book, *hands)
    if waiting is not None:
        for draws in (True, False):
            yield "choose_drawing", {"hand": waiting[0], "draws": draws}, c.ChooseDrawing(waiting[0], draws)
    if this_round.withdrawal:
        yield "close_withdrawal", {}, c.CloseWithdrawal()
    if this_round.reported is not None:
        yield "confirm_error", {"confirmed": True}, c.ConfirmError(True)
        yield "confirm_error", {"confirmed": False}, c.ConfirmError(False)
    if this_round.options is not None:
        yield "close_options", {}, c.CloseOptions()
    if this_round.interrupted:
        yield "resolve_interruption", {}, c.ResolveInterruption()
    for player, box, hand in sorted(this_round.announced):
        fields = {"player": player, "box": table.require_setup().box_name(box), "hand": hand}
        yield "decline_insurance", fields, c.DeclineInsurance(player, box, hand)
    yield from _put_right(table, this_round)


def _put_right(table: Table, this_round: Round) -> Iterator[tuple[str, Mapping[str, Any], c.Command]]:
    """What cards that lie wrong, or open where they should not, call for."""
    if this_round.misplaced:
        _, left = table.proper_order(this_round.cards, this_round.accepted)
        command = c.Reconstruct("excess_cards" if left else "swapped_hands")
        yield "reconstruct", {"irregularity": command.irregularity}, command
    elif table.require_setup().face_down and any(laid.dealt_up for laid in this_round.cards):
        yield "note_face_up", {}, c.NoteFaceUp()


def _a_card(table: Table) -> str:
    """A card this shoe could still give, where it is read; nobody knows which one will come."""
    shoe = table.shoe
    if shoe is None or shoe.kind == "virtual":
        return ""
    if table.carried:
        return "" if table.require_setup().face_down else table.carried[0]
    return next((card for card in deck_of(table.book) if shoe.seen[card] < shoe.decks), "")


def hand_of_next_card(table: Table) -> Side | None:
    """The hand the next card belongs to; None where no card is due, or that cannot be seen."""
    this_round = table.round
    if (
        this_round is None
        or this_round.phase != "dealing"
        or this_round.misplaced
        or this_round.interrupted
        or _turns_on_hidden_cards(table)
    ):
        return None
    return table.next_hand()
