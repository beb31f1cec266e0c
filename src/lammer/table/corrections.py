"""What is put right after the fact: settlements reopened and earlier rounds corrected.

Money already paid is never edited: it is reversed and posted anew. And the last resort, a ruling on what
the rules do not provide for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lammer.game.bets import Verdict, judge
from lammer.game.cards import Card, parse_cards
from lammer.game.conclusive import standings
from lammer.game.drawing import next_hand, third_card_decisions
from lammer.game.hands import Round as Played, finished
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import Side
from lammer.table import commands as c, events as e
from lammer.table.ending import line, paid, reopened, voided
from lammer.table.irregularities import options_closed
from lammer.table.records import PaidLine, Returned
from lammer.table.roles import irregularity, must_be, must_decide
from lammer.table.state import Insured, Past, Placed, Round, Table


def reopen_settlement(table: Table, call: c.Call, command: c.ReopenSettlement) -> Iterator[e.Event]:
    must_be(call, "pit_supervisor", table.cite("dealing_error"))
    here = _just_settled(table)
    if not command.reason.strip():
        raise Refused("reason_needed", "Say what was found.", table.cite("dealing_error"))
    yield reopened(table, here, command.reason)


def _just_settled(table: Table) -> Round:
    here = table.round
    if here is None or here.phase != "settled":
        raise Refused(
            "not_settled",
            "No round has just been settled.",
            table.cite("late_noticed_error"),
            next_step="Once the next round has begun, earlier rounds are corrected, not reopened.",
        )
    return here


def note_late_error(table: Table, call: c.Call, command: c.NoteLateError) -> Iterator[e.Event]:
    rule = irregularity(table, "late_noticed_error")
    must_be(call, "dealer", rule.cite)
    past_round(table, command.round, rule.cite)
    yield e.IrregularityNoted(rule.name, f"round {command.round}: {command.what}", rule.cite.paragraph)


def past_round(table: Table, number: int, cite: Citation) -> Past:
    """A round after which the next has begun, or `not_settled`."""
    if number not in table.past:
        raise Refused(
            "not_settled",
            f"Round {number} is not an earlier round that can still be looked into.",
            cite,
            next_step="The round just settled is reopened instead." if number == table.rounds else "",
        )
    return table.past[number]


def not_void(past: Past, cite: Citation) -> Past:
    """A void round has no result to put right."""
    if past.void:
        raise Refused("not_settled", f"Round {past.number} is void; its bets were returned.", cite)
    return past


def correct_round(table: Table, call: c.Call, command: c.CorrectRound) -> Iterator[e.Event]:
    earlier = irregularity(table, "earlier_rounds").steps[0]
    if earlier.when == "next_round_began":
        raise Refused(
            "next_round_began",
            "Once the next round has begun, every earlier outcome and settlement stands.",
            earlier.cite,
        )
    rule = irregularity(table, "broke_table_of_play")
    must_decide(table, call, rule.name, "strike_out_card")
    past = not_void(past_round(table, command.round, rule.cite), rule.cite)
    player, banker = parse_cards(command.player), parse_cards(command.banker)
    if len(player) < 2 or len(banker) < 2:
        raise Refused("too_few_cards", "A hand has at least two cards.", rule.cite)
    first_four = (past.player[:2], past.banker[:2])
    if table.set.shoe == "virtual" and (player[:2], banker[:2]) != first_four:
        # A card that was read may have been misread; one that a virtual shoe dealt cannot.
        raise Refused(
            "impossible_card",
            f"Round {past.number} began with {' '.join(past.player[:2])} and {' '.join(past.banker[:2])}.",
            rule.cite,
            next_step="Only third cards can have been dealt or left out against the Table of Play.",
        )
    if _missing(table, player, banker):
        yield voided_past(
            table,
            past,
            player,
            banker,
            (rule.cite.paragraph, rule.paragraph("void_round"), rule.paragraph("keep_side_bet")),
        )
        return
    if next_hand(table.book, player, banker) is None and _proper(table, player, banker) == (player, banker):
        raise Refused("follows_table_of_play", "Those cards follow the Table of Play.", rule.cite)
    if not command.rectifiable:
        yield voided_past(
            table,
            past,
            player,
            banker,
            (rule.paragraph("judge_rectification"), rule.paragraph("keep_side_bet")),
        )
        return
    hands = _struck(table, player, banker)
    over = finished(table.book, *hands)
    posted = tuple(_again(table, over, past.lines))
    yield e.RoundCorrected(
        past.number,
        "broke_table_of_play",
        False,
        tuple(hands[0]),
        tuple(hands[1]),
        over.winner,
        over.points,
        past.lines,
        posted,
        (rule.cite.paragraph, rule.paragraph("strike_out_card"), rule.paragraph("keep_side_bet")),
    )


def _missing(table: Table, player: Sequence[Card], banker: Sequence[Card]) -> bool:
    """Whether a third card that was due was not dealt."""
    for decision in third_card_decisions(table.book, player, banker):
        if decision.draws and len(player if decision.hand == "player" else banker) < 3:
            return True
    return False


def _proper(
    table: Table, player: Sequence[Card], banker: Sequence[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The same cards in the order they left the shoe, each where the rules send it."""
    hands: dict[Side, list[Card]] = {"player": [], "banker": []}
    for card in (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]):
        side = next_hand(table.book, hands["player"], hands["banker"])
        if side is None:
            break
        hands[side].append(card)
    return tuple(hands["player"]), tuple(hands["banker"])


def _struck(
    table: Table, player: Sequence[Card], banker: Sequence[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The hands without the extra card, by the reading the table has chosen."""
    if table.reading("extra_card_order") == "proper_order":
        return _proper(table, player, banker)
    first = third_card_decisions(table.book, player[:2], banker[:2])[0]
    kept = tuple(player[: 3 if first.draws else 2])
    decisions = third_card_decisions(table.book, kept, banker[:2])
    return kept, tuple(banker[: 3 if decisions[1].draws else 2])


def bet_of(paid_line: PaidLine) -> Placed | Insured:
    """The bet a settled line was for."""
    if paid_line.window is None:
        return Placed(
            paid_line.key, paid_line.player, paid_line.box, paid_line.bet, paid_line.stake, seated=True
        )
    hand: Side = "player" if paid_line.bet == "player" else "banker"
    return Insured(
        paid_line.key,
        paid_line.player,
        paid_line.box,
        hand,
        paid_line.window,
        paid_line.stake,
        paid_line.insured_at,
    )


def _again(table: Table, over: Played, lines: Sequence[PaidLine]) -> Iterator[PaidLine]:
    yield from paid(table, over, [bet_of(each) for each in lines])


def voided_past(
    table: Table, past: Past, player: Sequence[Card], banker: Sequence[Card], cites: tuple[str, ...]
) -> e.RoundCorrected:
    """An earlier round voided; side bets the properly dealt cards decided keep their result."""
    # Properly dealt are the first four cards, and the Player's third where the Player had to draw.
    first = third_card_decisions(table.book, player[:2], banker[:2])[0]
    proper = player[: 3 if first.draws else 2]
    stands = standings(table.book, proper, banker[:2], table.set.readings)
    back = irregularity(table, "void").cite
    over = finished(table.book, proper, banker[:2])
    posted = []
    for each in past.lines:
        side_bet = each.window is None and table.book.bets[each.bet].original is None
        verdict = Verdict("returned", None, None, (back,))
        if side_bet and stands[each.bet] != "open":
            judged = judge(table.book, table.book.bets[each.bet], over, table.set.readings)
            verdict = judged if judged.outcome == stands[each.bet] else verdict
        posted.append(line(bet_of(each), verdict))
    return e.RoundCorrected(
        past.number,
        "broke_table_of_play",
        True,
        tuple(player),
        tuple(banker),
        "",
        0,
        past.lines,
        tuple(posted),
        cites,
    )


def note_wrong_display(table: Table, call: c.Call, command: c.NoteWrongDisplay) -> Iterator[e.Event]:
    rule = irregularity(table, "wrong_display")
    must_be(call, "dealer", rule.cite)
    yield e.IrregularityNoted(rule.name, command.what, rule.cite.paragraph)


def rule_on_matter(table: Table, call: c.Call, command: c.RuleOnMatter) -> Iterator[e.Event]:
    cite = must_decide(table, call, "unprovided_matter", "rule_on_matter")
    if not command.reason.strip():
        raise Refused("reason_needed", "A ruling needs a written reason.", cite)
    ruled = e.MatterRuled(command.reason, command.effect, cite.paragraph)
    if command.effect == "reopen_settlement":
        here = _just_settled(table)
        yield ruled
        yield reopened(table, here, command.reason)
    elif command.effect == "void_round":
        here = (
            table.round if table.round is not None and table.round.phase == "settled" else table.under_way()
        )
        yield ruled
        if here.phase == "settled":
            yield reopened(table, here, command.reason)
        yield voided(table, here, "unprovided_matter", cite.paragraph)
    elif command.effect == "return_bets":
        here = table.under_way()
        returned = tuple(
            Returned(bet.key, bet.player, bet.stake) for bet in here.live() if bet.player in command.players
        )
        if not returned:
            raise Refused("no_such_bet", "None of them has a bet in this round.", cite)
        yield ruled
        yield e.BetsReturned(returned, "unprovided_matter", cite.paragraph)
    elif command.effect == "continue_round":
        here = table.under_way()
        yield ruled
        if here.interrupted:
            # Ruled not to be a technical interruption; were it one, its own paragraph says what follows.
            yield e.InterruptionResolved(here.number, (), cite.paragraph)
        if here.options is not None:
            yield from options_closed(table, here, here.options)
    else:
        yield ruled
