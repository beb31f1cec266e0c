"""What is put right after the fact: settlements reopened, cards recorded wrongly, earlier rounds corrected.

Money already paid is never edited: it is reversed and posted anew. An earlier round is judged by the
rulebook, layout and readings it was played under, however long ago. And the last resort, a ruling on what the
rules do not provide for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from lammer.game.bets import Verdict
from lammer.game.cards import Card, parse_cards
from lammer.game.conclusive import standings
from lammer.game.drawing import next_hand, third_card_decisions
from lammer.game.hands import Round as Played, finish_round
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Side
from lammer.table import commands as c, events as e
from lammer.table.dealing import dealing
from lammer.table.ending import (
    is_side,
    judged,
    judged_lines,
    line,
    original_bets,
    paid,
    reopened,
    settled,
    voided,
)
from lammer.table.fold import over
from lammer.table.irregularities import bets_returned, options_closed, window_anew, with_card
from lammer.table.records import PaidLine, Returned
from lammer.table.roles import irregularity, must_be, must_be_house, must_decide
from lammer.table.state import Insured, Laid, Past, Placed, Round, Table

Hands = tuple[tuple[Card, ...], tuple[Card, ...]]
"""The Player's cards and the Banker's."""


def reopen_settlement(table: Table, call: c.Call, command: c.ReopenSettlement) -> Iterator[e.Event]:
    must_be(call, "pit_supervisor", table.cite("dealing_error"))
    here = _just_settled(table)
    if not command.reason.strip():
        raise Refused("reason_needed", "Say what was found.", table.cite("dealing_error"))
    yield reopened(table, here, command.reason, table.paragraph("late_noticed_error"))


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
    here = table.round
    if here is not None and here.number == number and here.phase == "settled":
        return over(here), table
    past = not_void(earlier_round(table, number, cite), cite)
    return past, table.under(past.setup)


def not_void(past: Past, cite: Citation | None) -> Past:
    """A void round has no result to put right."""
    if past.void:
        raise Refused(
            "not_settled", "Round {round} is void; its bets were returned.", cite, round=past.number
        )
    return past


def why_it_stands(table: Table, rules: Table, number: int) -> Citation | None:
    """The paragraph that lets a settlement stand once the next round began; None where money may move."""
    earlier = irregularity(rules, "earlier_rounds").steps[0]
    return earlier.cite if earlier.when == "next_round_began" and table.next_began(number) else None


def must_not_stand(table: Table, rules: Table, number: int) -> None:
    """Refuse to touch the money of an earlier round where the document lets every settlement stand."""
    stands = why_it_stands(table, rules, number)
    if stands is not None:
        raise Refused(
            "next_round_began",
            "Once the next round has begun, every earlier outcome and settlement stands.",
            stands,
        )


def corrected(
    rules: Table, past: Past, because: str, hands: Hands, posted: Sequence[PaidLine], cites: Sequence[str],
    *, void: bool = False, reason: str = "", reversed_lines: Sequence[PaidLine] | None = None,
) -> e.RoundCorrected:  # fmt: skip
    """A round put right: its lines reversed, others posted. Bets that were given back are left alone."""
    result = finish_round(rules.book, *hands)
    back = tuple(judged_lines(past.lines) if reversed_lines is None else reversed_lines)
    winner, points = ("", 0) if void else (result.winner, result.points)
    return e.RoundCorrected(
        past.number, because, void, *hands, winner, points, back, tuple(posted), tuple(cites), reason,
        rules.book.id,
    )  # fmt: skip


def bets_of(lines: Iterable[PaidLine]) -> list[Placed | Insured]:
    """The bets settled lines were for: one bet for each key, with its whole stake."""
    bets: dict[int, Placed | Insured] = {}
    for each in lines:
        before = bets.get(each.key)
        bets[each.key] = _bet_of(each) if before is None else replace(before, stake=before.stake + each.stake)
    return list(bets.values())


def _bet_of(each: PaidLine) -> Placed | Insured:
    if each.window is None:
        return Placed(each.key, each.player, each.box, each.bet, each.stake, seated=True)
    hand: Side = "player" if each.bet == "player" else "banker"
    return Insured(
        each.key, each.player, each.box, hand, each.window, each.stake, each.insured_at, late=each.late,
        astray=each.astray,
    )  # fmt: skip


def resettled(rules: Table, result: Played, lines: Sequence[PaidLine]) -> tuple[PaidLine, ...]:
    """The lines of a settled round's bets on other hands."""
    originals = original_bets(rules, bets_of(lines))
    return tuple(paid(rules, result, bets_of(judged_lines(lines)), originals))


def correct_card(table: Table, call: c.Call, command: c.CorrectCard) -> Iterator[e.Event]:
    here = table.round
    if here is not None and command.round in (0, here.number):
        if here.phase == "settled":
            yield from _correct_settled(table, call, here, command)
        else:
            yield from _correct_under_way(table, call, dealing(table), command)
        return
    cite = table.cite("card_recorded_wrongly")
    past = not_void(earlier_round(table, command.round, cite), cite)
    yield from _correct_earlier(table, call, past, command)


def _correct_under_way(table: Table, call: c.Call, here: Round, command: c.CorrectCard) -> Iterator[e.Event]:
    """A card of the round being dealt: a slip of the last one is the dealer's to mend."""
    must_be(call, "dealer", table.cite("card_recorded_wrongly"))
    laid = _recorded_card(table, here, command)
    if laid is not here.cards[-1] or here.announced or _insured_since(here):
        _must_explain(table, call, command)
    _must_be_another(table, laid, command)
    found, proper = with_card(table, here, laid, command.card)
    paragraph = table.paragraph("card_recorded_wrongly")
    yield _card_corrected(found[here.cards.index(laid)], command, proper, paragraph)
    yield from window_anew(table, here, found, proper, paragraph)


def _insured_since(here: Round) -> bool:
    """Whether somebody insured since the last card."""
    return any(bet.live and bet.key > here.key_at_card for bet in here.insured.values())


def _correct_settled(table: Table, call: c.Call, here: Round, command: c.CorrectCard) -> Iterator[e.Event]:
    """A card of the round just settled: it is settled anew if it still is a round, else put right first."""
    laid = _recorded_card(table, here, command)
    _must_explain(table, call, command)
    _must_be_another(table, laid, command)
    found, proper = with_card(table, here, laid, command.card)
    paragraph = table.paragraph("card_recorded_wrongly")
    yield reopened(table, here, command.reason, paragraph)
    yield _card_corrected(found[here.cards.index(laid)], command, proper, paragraph)
    player, banker = ([each.card for each in found if each.hand == side] for side in ("player", "banker"))
    if proper and next_hand(table.book, player, banker) is None:
        yield settled(table, here, finish_round(table.book, player, banker))
    else:
        yield from window_anew(table, here, found, proper, paragraph)


def _correct_earlier(table: Table, call: c.Call, past: Past, command: c.CorrectCard) -> Iterator[e.Event]:
    """A card of an earlier round: resettled by the cards as they lay, where its document lets money move."""
    rules = table.under(past.setup)
    cite = rules.cite("card_recorded_wrongly")
    _must_be_read(past.setup.shoe, cite)
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
    stands = why_it_stands(table, rules, past.number)
    if stands is not None:
        yield e.RoundCorrected(
            past.number, "card_recorded_wrongly", False, *after, past.winner, past.points, (), (),
            (paragraph, stands.paragraph), command.reason, rules.book.id,
        )  # fmt: skip
        return
    if not _complete(rules, after):
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
    posted = resettled(rules, finish_round(rules.book, *after), past.lines)
    yield corrected(rules, past, "card_recorded_wrongly", after, posted, (paragraph,), reason=command.reason)


def _recorded_card(table: Table, here: Round, command: c.CorrectCard) -> Laid:
    """The card somebody says was recorded wrongly."""
    cite = table.cite("card_recorded_wrongly")
    _must_be_read(here.setup.shoe, cite)
    return here.laid_at(command.hand, command.place, cite)


def _must_be_another(table: Table, laid: Laid, command: c.CorrectCard) -> None:
    """Refuse what is recorded already; of a face-down card nobody is told whether they guessed it."""
    (card,) = parse_cards([command.card])
    if laid.face_up:
        _must_differ(laid.card, card, table.cite("card_recorded_wrongly"))


def _must_be_read(shoe: str, cite: Citation | None) -> None:
    if shoe == "virtual":
        raise Refused(
            "card_comes_from_shoe",
            "A virtual shoe knows what it dealt; no claim about other cards is believed.",
            cite,
        )


def _must_differ(was: Card, card: Card, cite: Citation | None) -> None:
    if was == card:
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
    rules = table.under(past.setup)
    must_not_stand(table, rules, past.number)
    rule = irregularity(rules, "broke_table_of_play")
    must_decide(rules, call, rule.name, "strike_out_card")
    not_void(past, rule.cite)
    lay = parse_cards(command.player), parse_cards(command.banker)
    if len(lay[0]) < 2 or len(lay[1]) < 2:
        raise Refused("too_few_cards", "A hand has at least two cards.", rule.cite)
    if past.setup.shoe == "virtual" and lay != (past.player, past.banker):
        raise Refused(
            "card_comes_from_shoe",
            "Round {round} was dealt {player} and {banker}.",
            rule.cite,
            next_step="A virtual shoe knows what it dealt; no claim about other cards is believed.",
            round=past.number,
            player=" ".join(past.player),
            banker=" ".join(past.banker),
        )
    if _complete(rules, lay):
        raise Refused("follows_table_of_play", "Those cards follow the Table of Play.", rule.cite)
    hands = _struck(rules, *lay)
    keeps = rule.paragraph("keep_side_bet")
    if hands is None:
        cites = (rule.cite.paragraph, rule.paragraph("void_round"), keeps)
        yield voided_past(rules, past, lay, cites)
    elif not command.rectifiable:
        yield voided_past(rules, past, lay, (rule.paragraph("judge_rectification"), keeps))
    else:
        posted = resettled(rules, finish_round(rules.book, *hands), past.lines)
        cites = (rule.cite.paragraph, rule.paragraph("strike_out_card"), keeps)
        yield corrected(rules, past, rule.name, hands, posted, cites)


def _complete(rules: Table, hands: Hands) -> bool:
    """Whether these hands are a whole round, dealt by the Table of Play."""
    player, banker = hands
    return next_hand(rules.book, player, banker) is None and proper_hands(rules, player, banker) == hands


def _missing(rules: Table, player: Sequence[Card], banker: Sequence[Card]) -> bool:
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


def _struck(rules: Table, player: Sequence[Card], banker: Sequence[Card]) -> Hands | None:
    """The hands without the extra cards; None where a third card is missing and the rest makes no round.

    Where one hand got the card the other should have drawn, the proper order is tried. Extra cards alone are
    struck out by the reading the table has chosen.
    """
    if _missing(rules, player, banker) or rules.reading("extra_card_order") == "proper_order":
        hands = proper_hands(rules, player, banker)
        return hands if next_hand(rules.book, *hands) is None else None
    first = third_card_decisions(rules.book, player[:2], banker[:2])[0]
    kept = tuple(player[: 3 if first.draws else 2])
    decisions = third_card_decisions(rules.book, kept, banker[:2])
    return kept, tuple(banker[: 3 if decisions[1].draws else 2])


def voided_past(rules: Table, past: Past, lay: Hands, cites: Sequence[str]) -> e.RoundCorrected:
    """An earlier round voided; side bets the properly dealt cards decided keep their result."""
    # Properly dealt are the first four cards, and the Player's third where the Player had to draw.
    player, banker = lay
    first = third_card_decisions(rules.book, player[:2], banker[:2])[0]
    proper = player[: 3 if first.draws else 2], banker[:2]
    stands = standings(rules.book, *proper, rules.require_setup().readings)
    back = Verdict("returned", None, None, (irregularity(rules, "void").cite,))
    result = finish_round(rules.book, *proper)
    posted = []
    for bet in bets_of(judged_lines(past.lines)):
        decided = isinstance(bet, Placed) and is_side(rules, bet) and stands[bet.bet] != "open"
        assert isinstance(bet, Placed) or not decided
        posted.append(
            line(
                bet,
                judged(rules, bet, stands[bet.bet], result) if isinstance(bet, Placed) and decided else back,
            )
        )
    return corrected(rules, past, "broke_table_of_play", lay, posted, cites, void=True)


def note_wrong_display(table: Table, call: c.Call, command: c.NoteWrongDisplay) -> Iterator[e.Event]:
    rule = irregularity(table, "wrong_display")
    must_be(call, "dealer", rule.cite)
    yield e.IrregularityNoted(rule.name, command.what, rule.cite.paragraph)


def rule_on_matter(table: Table, call: c.Call, command: c.RuleOnMatter) -> Iterator[e.Event]:
    cite = must_decide(table, call, "unprovided_matter", "rule_on_matter")
    if not command.reason.strip():
        raise Refused("reason_needed", "A ruling needs a written reason.", cite)
    ruled = e.MatterRuled(command.reason, command.effect, cite.paragraph)
    here = table.round
    on_table = here is not None and command.round in (0, here.number)
    if command.effect == "no_effect":
        yield ruled
    elif here is None or not on_table or (here.phase == "settled" and command.effect in _CORRECTIONS):
        number = command.round or (here.number if here is not None else 0)
        yield from _rule_on_settled(table, command, number, ruled)
    else:
        consequences = list(_RULED[command.effect](table, command, cite))
        yield ruled
        yield from consequences


def _reopen_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    yield reopened(table, _just_settled(table), command.reason, cite.paragraph)


def _void_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    here = table.round
    if here is None or here.phase != "settled":
        here = table.under_way()
    else:
        yield reopened(table, here, command.reason, cite.paragraph)
    yield voided(table, here, "unprovided_matter", cite.paragraph)


def _return_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    here = table.under_way()
    returned = tuple(
        Returned(bet.key, bet.player, bet.stake) for bet in here.live() if bet.player in command.players
    )
    if not returned:
        raise Refused("no_such_bet", "None of them has a bet in this round.", cite)
    if here.phase == "betting":
        yield e.BetsReturned(returned, "unprovided_matter", cite.paragraph)
    else:
        yield from bets_returned(table, here, returned, "unprovided_matter", cite.paragraph)


def _resettle_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    raise Refused("not_settled", "Only a round that was settled is settled by other cards.", cite)


def _continue_by_ruling(table: Table, command: c.RuleOnMatter, cite: Citation) -> Iterator[e.Event]:
    here = table.under_way()
    if here.interrupted:
        # Ruled not to be a technical interruption; were it one, its own paragraph says what follows.
        yield e.InterruptionResolved(here.number, (), cite.paragraph)
    if here.reported is not None:
        yield e.ErrorRejected(here.reported[0], cite.paragraph)
    if here.options is not None:
        yield from options_closed(table, here, here.options)


_RULED: Final[dict[str, Callable[[Table, c.RuleOnMatter, Citation], Iterator[e.Event]]]] = {
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
    table: Table, command: c.RuleOnMatter, number: int, ruled: e.MatterRuled
) -> Iterator[e.Event]:
    """A ruling that moves the money of a round that is over."""
    past, rules = settled_round(table, number, table.cite("unprovided_matter"))
    must_not_stand(table, rules, number)
    cite = irregularity(rules, "unprovided_matter").cite
    lay = past.player, past.banker
    if command.effect == "resettle_round":
        _must_be_read(past.setup.shoe, cite)
        hands = parse_cards(command.player), parse_cards(command.banker)
        if min(map(len, hands)) < 2 or not _complete(rules, hands):
            raise Refused(
                "breaks_table_of_play", "Those hands are no whole round by the Table of Play.", cite
            )
        posted = resettled(rules, finish_round(rules.book, *hands), past.lines)
        yield ruled
        yield corrected(
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
    lines = [each for each in judged_lines(past.lines) if void or each.player in command.players]
    if not lines and not void:
        raise Refused("no_such_bet", "None of them has a bet left in round {number}.", cite, number=number)
    yield ruled
    posted = given_back(lines, cite)
    yield corrected(
        rules, past, "unprovided_matter", lay, posted, (cite.paragraph,), void=void, reason=command.reason,
        reversed_lines=lines,
    )  # fmt: skip


def given_back(lines: Iterable[PaidLine], cite: Citation) -> tuple[PaidLine, ...]:
    """The same bets returned for good: no later correction judges them."""
    back = Verdict("returned", None, None, (cite,))
    return tuple(replace(line(bet, back), given_back=True) for bet in bets_of(lines))
