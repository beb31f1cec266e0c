"""What is put right after the fact: settlements reopened, cards recorded wrongly, earlier rounds corrected.

Money already paid is never edited: it is reversed and posted anew. An earlier round is judged by the
rulebook, layout and readings it was played under, however long ago. And the last resort, a ruling on what the
rules do not provide for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from msgspec import structs

from lammer.game.bets import Verdict
from lammer.game.cards import Card, parse_cards
from lammer.game.conclusive import standings
from lammer.game.drawing import is_complete, next_hand, third_card_decisions
from lammer.game.hands import FinishedRound, finish_round
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Side
from lammer.table import commands as c, events as e
from lammer.table.dealing import require_dealing
from lammer.table.ending import (
    is_side_bet,
    judge_decided,
    lines_to_judge,
    original_bets,
    paid_line,
    round_settled,
    round_voided,
    settle_bets,
    settlement_reopened,
)
from lammer.table.fold import past_of
from lammer.table.irregularities import bets_returned, judge_window_anew, options_closed, with_card
from lammer.table.records import PaidLine, Returned
from lammer.table.roles import irregularity, must_be, must_be_house, must_decide
from lammer.table.state import Insured, Laid, Past, Placed, Round, Table

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]
"""The Player's cards and the Banker's."""


def reopen_settlement(table: Table, call: c.Call, command: c.ReopenSettlement) -> Iterator[e.Event]:
    must_be(call, "pit_supervisor", table.cite("dealing_error"))
    this_round = _round_just_settled(table)
    if not command.reason.strip():
        raise Refused("reason_needed", "Say what was found.", table.cite("dealing_error"))
    yield settlement_reopened(table, this_round, command.reason, table.paragraph("late_noticed_error"))


def _round_just_settled(table: Table) -> Round:
    this_round = table.round
    if this_round is None or this_round.phase != "settled":
        raise Refused(
            "not_settled",
            "No round has just been settled.",
            table.cite("late_noticed_error"),
            next_step="Once the next round has begun, earlier rounds are corrected, not reopened.",
        )
    return this_round


def note_late_error(table: Table, call: c.Call, command: c.NoteLateError) -> Iterator[e.Event]:
    rule = irregularity(table, "late_noticed_error")
    must_be(call, "dealer", rule.cite)
    earlier_round(table, command.round, rule.cite)
    yield e.IrregularityNoted(rule.name, f"round {command.round}: {command.what}", rule.cite.paragraph)


def earlier_round(table: Table, number: int, cite: Citation | None) -> Past:
    """A round that is no longer on the table, or `not_settled`."""
    past = table.past_round(number) if table.round is None or table.round.number != number else None
    if past is None:
        raise Refused(
            "not_settled",
            "Round {number} is not an earlier round that was settled.",
            cite,
            next_step="The round just settled is reopened instead." if number == table.rounds else "",
            number=number,
        )
    return past


def settled_round(table: Table, number: int, cite: Citation | None) -> tuple[Past, Table]:
    """A round that is settled, on the table or earlier, and the rules it was played by."""
    this_round = table.round
    if this_round is not None and this_round.number == number and this_round.phase == "settled":
        return past_of(this_round), table
    past = must_not_be_void(earlier_round(table, number, cite), cite)
    return past, table.rules_under(past.setup, past.draws)


def must_not_be_void(past: Past, cite: Citation | None) -> Past:
    """A void round has no result to put right."""
    if past.void:
        raise Refused(
            "not_settled", "Round {round} is void; its bets were returned.", cite, round=past.number
        )
    return past


def finality_cite(table: Table, rules: Table, number: int) -> Citation | None:
    """The paragraph that lets a settlement stand once the next round began; None where money may move."""
    earlier = irregularity(rules, "earlier_rounds").steps[0]
    return earlier.cite if earlier.when == "next_round_began" and table.next_began(number) else None


def must_not_be_final(table: Table, rules: Table, number: int) -> None:
    """Refuse to touch the money of an earlier round where the document lets every settlement stand."""
    final_cite = finality_cite(table, rules, number)
    if final_cite is not None:
        raise Refused(
            "next_round_began",
            "Once the next round has begun, every earlier outcome and settlement stands.",
            final_cite,
        )


def round_corrected(
    rules: Table, past: Past, because: str, hands: Hands, posted: Sequence[PaidLine], cites: Sequence[str],
    *, void: bool = False, reason: str = "", reversed_lines: Sequence[PaidLine] | None = None,
) -> e.RoundCorrected:  # fmt: skip
    """A round put right: its lines reversed, others posted. Bets that were given back are left alone."""
    result = finish_round(rules.book, *hands)
    lines_reversed = tuple(lines_to_judge(past.lines) if reversed_lines is None else reversed_lines)
    winner, points = ("", 0) if void else (result.winner, result.points)
    return e.RoundCorrected(
        past.number, because, void, *hands, winner, points, lines_reversed, tuple(posted), tuple(cites),
        reason, rules.book.id,
    )  # fmt: skip


def bets_of(lines: Iterable[PaidLine]) -> list[Placed | Insured]:
    """The bets settled lines were for: one bet for each key, with its whole stake."""
    bets: dict[int, Placed | Insured] = {}
    for line in lines:
        before = bets.get(line.key)
        bets[line.key] = _bet_of(line) if before is None else replace(before, stake=before.stake + line.stake)
    return list(bets.values())


def _bet_of(line: PaidLine) -> Placed | Insured:
    if line.window is None:
        return Placed(line.key, line.player, line.box, line.bet, line.stake, seated=True)
    hand: Side = "player" if line.bet == "player" else "banker"
    return Insured(
        line.key, line.player, line.box, hand, line.window, line.stake, line.insured_at, late=line.late,
        astray=line.astray,
    )  # fmt: skip


def resettle(rules: Table, result: FinishedRound, lines: Sequence[PaidLine]) -> tuple[PaidLine, ...]:
    """The lines of a settled round's bets on other hands."""
    originals = original_bets(rules, bets_of(lines))
    return tuple(settle_bets(rules, result, bets_of(lines_to_judge(lines)), originals))


def correct_card(table: Table, call: c.Call, command: c.CorrectCard) -> Iterator[e.Event]:
    this_round = table.round
    if this_round is not None and command.round in (0, this_round.number):
        if this_round.phase == "settled":
            yield from _correct_settled(table, call, this_round, command)
        else:
            yield from _correct_under_way(table, call, require_dealing(table), command)
        return
    cite = table.cite("card_recorded_wrongly")
    past = must_not_be_void(earlier_round(table, command.round, cite), cite)
    yield from _correct_earlier(table, call, past, command)


def _correct_under_way(
    table: Table, call: c.Call, this_round: Round, command: c.CorrectCard
) -> Iterator[e.Event]:
    """A card of the round being dealt: a slip of the last one is the dealer's to mend."""
    must_be(call, "dealer", table.cite("card_recorded_wrongly"))
    laid = _recorded_card(table, this_round, command)
    if laid is not this_round.cards[-1] or this_round.announced or _insured_since_last_card(this_round):
        _must_explain(table, call, command)
    _must_be_another(table, laid, command)
    cards, proper = with_card(table, this_round, laid, command.card)
    paragraph = table.paragraph("card_recorded_wrongly")
    yield _card_corrected(cards[this_round.cards.index(laid)], command, proper, paragraph)
    yield from judge_window_anew(table, this_round, cards, proper, paragraph)


def _insured_since_last_card(this_round: Round) -> bool:
    """Whether somebody insured since the last card."""
    return any(bet.live and bet.key > this_round.key_at_card for bet in this_round.insured.values())


def _correct_settled(
    table: Table, call: c.Call, this_round: Round, command: c.CorrectCard
) -> Iterator[e.Event]:
    """A card of the round just settled: it is settled anew if it still is a round, else put right first."""
    laid = _recorded_card(table, this_round, command)
    _must_explain(table, call, command)
    _must_be_another(table, laid, command)
    cards, proper = with_card(table, this_round, laid, command.card)
    paragraph = table.paragraph("card_recorded_wrongly")
    yield settlement_reopened(table, this_round, command.reason, paragraph)
    yield _card_corrected(cards[this_round.cards.index(laid)], command, proper, paragraph)
    player, banker = ([other.card for other in cards if other.hand == side] for side in ("player", "banker"))
    if proper and is_complete(table.book, player, banker):
        yield round_settled(table, this_round, finish_round(table.book, player, banker))
    else:
        yield from judge_window_anew(table, this_round, cards, proper, paragraph)


def _correct_earlier(table: Table, call: c.Call, past: Past, command: c.CorrectCard) -> Iterator[e.Event]:
    """A card of an earlier round: resettled by the cards as they lay, where its document lets money move."""
    rules = table.rules_under(past.setup, past.draws)
    cite = rules.cite("card_recorded_wrongly")
    _must_not_be_virtual(past.setup.shoe, cite)
    hands = {"player": list(past.player), "banker": list(past.banker)}
    if not 1 <= command.place <= len(hands[command.hand]):
        raise Refused(
            "no_such_card",
            "The {hand} hand had no card {place}.",
            cite,
            hand=Term(command.hand),
            place=command.place,
        )
    _must_explain(rules, call, command)
    (card,) = parse_cards([command.card])
    _must_differ(hands[command.hand][command.place - 1], card, cite)
    hands[command.hand][command.place - 1] = card
    after = (tuple(hands["player"]), tuple(hands["banker"]))
    paragraph = rules.paragraph("card_recorded_wrongly")
    final_cite = finality_cite(table, rules, past.number)
    if final_cite is not None:
        yield e.RoundCorrected(
            past.number, "card_recorded_wrongly", False, *after, past.winner, past.points, (), (),
            (paragraph, final_cite.paragraph), command.reason, rules.book.id,
        )  # fmt: skip
        return
    if not _is_whole_round(rules, after):
        provided = "broke_table_of_play" in rules.book.irregularities
        raise Refused(
            "breaks_table_of_play",
            "With {card} there, round {round} did not follow the Table of Play.",
            cite,
            next_step="Correct the round by the cards as they lay."
            if provided
            else "A Table Game Shift Manager or above may rule on it.",
            card=card,
            round=past.number,
        )
    posted = resettle(rules, finish_round(rules.book, *after), past.lines)
    yield round_corrected(
        rules, past, "card_recorded_wrongly", after, posted, (paragraph,), reason=command.reason
    )


def _recorded_card(table: Table, this_round: Round, command: c.CorrectCard) -> Laid:
    """The card somebody says was recorded wrongly."""
    cite = table.cite("card_recorded_wrongly")
    _must_not_be_virtual(this_round.setup.shoe, cite)
    return this_round.laid_at(command.hand, command.place, cite)


def _must_be_another(table: Table, laid: Laid, command: c.CorrectCard) -> None:
    """Refuse what is recorded already; of a face-down card nobody is told whether they guessed it."""
    (card,) = parse_cards([command.card])
    if laid.face_up:
        _must_differ(laid.card, card, table.cite("card_recorded_wrongly"))


def _must_not_be_virtual(shoe: str, cite: Citation | None) -> None:
    if shoe == "virtual":
        raise Refused(
            "card_comes_from_shoe",
            "A virtual shoe knows what it dealt; no claim about other cards is believed.",
            cite,
        )


def _must_differ(recorded: Card, card: Card, cite: Citation | None) -> None:
    if recorded == card:
        raise Refused("nothing_to_correct", "{card} is what was recorded.", cite, card=card)


def _must_explain(rules: Table, call: c.Call, command: c.CorrectCard) -> None:
    """Anything but a slip is for the House, with a reason."""
    cite = rules.cite("card_recorded_wrongly")
    must_be_house(rules, call, cite)
    if not command.reason.strip():
        raise Refused("reason_needed", "Say how the card came to be recorded wrongly.", cite)


def _card_corrected(laid: Laid, command: c.CorrectCard, proper: bool, paragraph: str) -> e.CardCorrected:
    return e.CardCorrected(command.hand, command.place, laid.card, proper, command.reason, paragraph)


def correct_round(table: Table, call: c.Call, command: c.CorrectRound) -> Iterator[e.Event]:
    cite = table.cite("broke_table_of_play") or table.cite("earlier_rounds")
    past = earlier_round(table, command.round, cite)
    rules = table.rules_under(past.setup, past.draws)
    must_not_be_final(table, rules, past.number)
    rule = irregularity(rules, "broke_table_of_play")
    must_decide(rules, call, rule.name, "strike_out_card")
    must_not_be_void(past, rule.cite)
    laid_hands = parse_cards(command.player), parse_cards(command.banker)
    if len(laid_hands[0]) < 2 or len(laid_hands[1]) < 2:
        raise Refused("too_few_cards", "A hand has at least two cards.", rule.cite)
    if past.setup.shoe == "virtual" and laid_hands != (past.player, past.banker):
        raise Refused(
            "card_comes_from_shoe",
            "Round {round} was dealt {player} and {banker}.",
            rule.cite,
            next_step="A virtual shoe knows what it dealt; no claim about other cards is believed.",
            round=past.number,
            player=" ".join(past.player),
            banker=" ".join(past.banker),
        )
    if _is_whole_round(rules, laid_hands):
        raise Refused("follows_table_of_play", "Those cards follow the Table of Play.", rule.cite)
    hands = _strike_extra_cards(rules, *laid_hands)
    side_bet_paragraph = rule.paragraph("keep_side_bet")
    if hands is None:
        cites = (rule.cite.paragraph, rule.paragraph("void_round"), side_bet_paragraph)
        yield void_past_round(rules, past, laid_hands, cites)
    elif not command.rectifiable:
        yield void_past_round(
            rules, past, laid_hands, (rule.paragraph("judge_rectification"), side_bet_paragraph)
        )
    else:
        posted = resettle(rules, finish_round(rules.book, *hands), past.lines)
        cites = (rule.cite.paragraph, rule.paragraph("strike_out_card"), side_bet_paragraph)
        yield round_corrected(rules, past, rule.name, hands, posted, cites)


def _is_whole_round(rules: Table, hands: Hands) -> bool:
    """Whether these hands are a whole round, dealt by the Table of Play."""
    player, banker = hands
    return next_hand(rules.book, player, banker) is None and proper_hands(rules, player, banker) == hands


def _lacks_third_card(rules: Table, player: Sequence[Card], banker: Sequence[Card]) -> bool:
    """Whether a third card that was due was not dealt."""
    for decision in third_card_decisions(rules.book, player, banker):
        if decision.draws and len(player if decision.hand == "player" else banker) < 3:
            return True
    return False


def proper_hands(rules: Table, player: Sequence[Card], banker: Sequence[Card]) -> Hands:
    """The same cards in the order they left the shoe, each where the rules send it."""
    hands: dict[Side, list[Card]] = {"player": [], "banker": []}
    for card in (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]):
        side = next_hand(rules.book, hands["player"], hands["banker"])
        if side is None:
            break
        hands[side].append(card)
    return tuple(hands["player"]), tuple(hands["banker"])


def _strike_extra_cards(rules: Table, player: Sequence[Card], banker: Sequence[Card]) -> Hands | None:
    """The hands without the extra cards; None where a third card is missing and the rest makes no round.

    Where one hand got the card the other should have drawn, the proper order is tried. Extra cards alone are
    struck out by the reading the table has chosen.
    """
    if _lacks_third_card(rules, player, banker) or rules.reading("extra_card_order") == "proper_order":
        hands = proper_hands(rules, player, banker)
        return hands if next_hand(rules.book, *hands) is None else None
    first = third_card_decisions(rules.book, player[:2], banker[:2])[0]
    kept = tuple(player[: 3 if first.draws else 2])
    decisions = third_card_decisions(rules.book, kept, banker[:2])
    return kept, tuple(banker[: 3 if decisions[1].draws else 2])


def void_past_round(rules: Table, past: Past, laid_hands: Hands, cites: Sequence[str]) -> e.RoundCorrected:
    """An earlier round voided; side bets the properly dealt cards decided keep their result."""
    # Properly dealt are the first four cards, and the Player's third where the Player had to draw.
    player, banker = laid_hands
    first = third_card_decisions(rules.book, player[:2], banker[:2])[0]
    proper = player[: 3 if first.draws else 2], banker[:2]
    bet_standings = standings(rules.book, *proper, rules.require_setup().readings)
    returned = Verdict("returned", None, None, (irregularity(rules, "void").cite,))
    result = finish_round(rules.book, *proper)
    posted = []
    for bet in bets_of(lines_to_judge(past.lines)):
        decided = isinstance(bet, Placed) and is_side_bet(rules, bet) and bet_standings[bet.bet] != "open"
        assert isinstance(bet, Placed) or not decided
        posted.append(
            paid_line(
                bet,
                judge_decided(rules, bet, bet_standings[bet.bet], result)
                if isinstance(bet, Placed) and decided
                else returned,
            )
        )
    return round_corrected(rules, past, "broke_table_of_play", laid_hands, posted, cites, void=True)


def note_wrong_display(table: Table, call: c.Call, command: c.NoteWrongDisplay) -> Iterator[e.Event]:
    rule = irregularity(table, "wrong_display")
    must_be(call, "dealer", rule.cite)
    yield e.IrregularityNoted(rule.name, command.what, rule.cite.paragraph)


def rule_on_matter(table: Table, call: c.Call, command: c.RuleOnMatter) -> Iterator[e.Event]:
    cite = must_decide(table, call, "unprovided_matter", "rule_on_matter")
    if not command.reason.strip():
        raise Refused("reason_needed", "A ruling needs a written reason.", cite)
    ruling = e.MatterRuled(command.reason, command.effect, cite.paragraph)
    this_round = table.round
    on_table = this_round is not None and command.round in (0, this_round.number)
    if command.effect == "no_effect":
        yield ruling
    elif (
        this_round is None
        or not on_table
        or (this_round.phase == "settled" and command.effect in _CORRECTIONS)
    ):
        number = command.round or (this_round.number if this_round is not None else 0)
        yield from _rule_on_settled(table, command, number, ruling)
    else:
        consequences = list(_RULINGS[command.effect](table, command, cite))
        yield ruling
        yield from consequences


def _reopen_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    yield settlement_reopened(table, _round_just_settled(table), command.reason, cite.paragraph)


def _void_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    this_round = table.round
    if this_round is None or this_round.phase != "settled":
        this_round = table.require_round()
    else:
        yield settlement_reopened(table, this_round, command.reason, cite.paragraph)
    yield round_voided(table, this_round, "unprovided_matter", cite.paragraph)


def _return_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    this_round = table.require_round()
    returned = tuple(
        Returned(bet.key, bet.player, bet.stake) for bet in this_round.live() if bet.player in command.players
    )
    if not returned:
        raise Refused("no_such_bet", "None of them has a bet in this round.", cite)
    if this_round.phase == "betting":
        yield e.BetsReturned(returned, "unprovided_matter", cite.paragraph)
    else:
        yield from bets_returned(table, this_round, returned, "unprovided_matter", cite.paragraph)


def _resettle_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    raise Refused("not_settled", "Only a round that was settled is settled by other cards.", cite)


def _continue_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    this_round = table.require_round()
    if this_round.interrupted:
        # Ruled not to be a technical interruption; were it one, its own paragraph says what follows.
        yield e.InterruptionResolved(this_round.number, (), cite.paragraph)
    if this_round.reported is not None:
        yield e.ErrorRejected(this_round.reported[0], cite.paragraph)
    if this_round.options is not None:
        yield from options_closed(table, this_round, this_round.options)


_RULINGS: Final[dict[str, Callable[[Table, c.RuleOnMatter, Citation], Iterator[e.Event]]]] = {
    "reopen_settlement": _reopen_by_ruling,
    "void_round": _void_by_ruling,
    "return_bets": _return_by_ruling,
    "resettle_round": _resettle_by_ruling,
    "continue_round": _continue_by_ruling,
}
"""What a ruling does to the round on the table."""

_CORRECTIONS: Final = ("return_bets", "resettle_round")
"""Rulings that put a settled round right; on the table, all others reopen it."""


def _rule_on_settled(
    table: Table, command: c.RuleOnMatter, number: int, ruling: e.MatterRuled
) -> Iterator[e.Event]:
    """A ruling that moves the money of a round that is over."""
    past, rules = settled_round(table, number, table.cite("unprovided_matter"))
    must_not_be_final(table, rules, number)
    cite = irregularity(rules, "unprovided_matter").cite
    laid_hands = past.player, past.banker
    if command.effect == "resettle_round":
        _must_not_be_virtual(past.setup.shoe, cite)
        hands = parse_cards(command.player), parse_cards(command.banker)
        if min(map(len, hands)) < 2 or not _is_whole_round(rules, hands):
            raise Refused(
                "breaks_table_of_play", "Those hands are no whole round by the Table of Play.", cite
            )
        posted = resettle(rules, finish_round(rules.book, *hands), past.lines)
        yield ruling
        yield round_corrected(
            rules, past, "unprovided_matter", hands, posted, (cite.paragraph,), reason=command.reason
        )
        return
    if command.effect not in ("void_round", "return_bets"):
        raise Refused(
            "not_settled",
            "Round {number} is over; it can be voided, settled by other cards, or bets returned.",
            cite,
            number=number,
        )
    void = command.effect == "void_round"
    lines = [line for line in lines_to_judge(past.lines) if void or line.player in command.players]
    if not lines and not void:
        raise Refused("no_such_bet", "None of them has a bet left in round {number}.", cite, number=number)
    yield ruling
    posted = return_for_good(lines, cite)
    yield round_corrected(
        rules, past, "unprovided_matter", laid_hands, posted, (cite.paragraph,), void=void,
        reason=command.reason, reversed_lines=lines,
    )  # fmt: skip


def return_for_good(lines: Iterable[PaidLine], cite: Citation) -> tuple[PaidLine, ...]:
    """The same bets returned for good: no later correction judges them."""
    verdict = Verdict("returned", None, None, (cite,))
    return tuple(structs.replace(paid_line(bet, verdict), given_back=True) for bet in bets_of(lines))
