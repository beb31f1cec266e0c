"""Theorem: every bet, in every round, is won, lost or returned; a won bet meets one line of its pay table.

Run as they are: `judge`, `finish_of` and `verdicts_on`, on every kind of round, every bet, every reading of
twin pairs. The answers are then compared, by the solver, with the winning conditions and the pay table as the
document words them, by totals, by pairs, or by both where a bet speaks of both. Two bets whose conditions
contradict each other are found by the solver and never won together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from lammer.game.bets import Readings, Verdict, finish_of as code_finish, judge, verdicts_on
from lammer.game.hands import FinishedRound, finish_round
from lammer.proof.formulas import (
    Finish,
    Pairs,
    Totals,
    condition_formula,
    finish_formula,
    finish_in,
    pairs_formula,
    pairs_in,
    pay_formula,
    totals_of,
)
from lammer.proof.rounds import every_finish, every_round, every_two, kinds_of_two, suits_of
from lammer.proof.scenarios import round_example
from lammer.proof.solving import all_of, answer, any_of, problem, sum_of, z3
from lammer.proof.working import Broken, Counterexample, Work
from lammer.rulebook import conditions
from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import (
    EVERY_CARDS,
    EVERY_DEALT,
    EVERY_MARGIN,
    EVERY_SUM,
    EVERY_TOTAL,
    Paired,
    leaves,
)
from lammer.rulebook.model import Rulebook

OUTCOMES = ("won", "lost", "returned")


def finish_of(played: FinishedRound) -> Finish:
    """How a round finished: totals, and numbers of cards."""
    return (
        played.player.points,
        played.banker.points,
        len(played.player.cards),
        len(played.banker.cards),
    )


def ways_to_read(book: Rulebook) -> tuple[Readings, ...]:
    """The readings judging a bet turns on, each in turn."""
    reading = book.readings.get("twin_pair")
    choices = (reading.choice, *reading.alternatives) if reading else ()
    return tuple({"twin_pair": choice} for choice in choices) or ({},)


def prove_bets(work: Work) -> None:
    """Every bet on every kind of round, then the code's answers against the words of the document."""
    book = work.book
    totals = totals_of(book)
    for number, readings in enumerate(ways_to_read(book)):
        _prove_alike(work, readings)
        bets = [bet for bet in book.bets.values() if not number or _asks_pairs(bet)]
        seen: dict[conditions.Finish, FinishedRound] = {}
        for played in every_round(book):
            came = _how_it_ended(work, played, readings)
            if came not in seen:
                seen[came] = played
                for bet in book.bets.values():
                    _hold_line(work, bet, played, verdicts_on(book, came), readings)
            verdicts = verdicts_on(book, came)
            for bet in bets:
                _hold_verdict(work, bet, played, readings, verdicts[bet.name])
            work.count(len(bets))
        for bet in bets:
            _compare_with_words(work, totals, bet, seen, readings)
    _prove_exclusive(work, totals)


def _asks_pairs(bet: Bet) -> bool:
    return any(isinstance(leaf, Paired) for leaf in bet.conditions)


def pairs_shown(book: Rulebook, played: FinishedRound, readings: Readings) -> Pairs:
    """What pairs a round began with, read off its cards."""
    hands = (played.player.cards[0], played.player.cards[1]), (played.banker.cards[0], played.banker.cards[1])
    ranks = [cards[0][0] if cards[0][0] == cards[1][0] else "" for cards in hands]
    suits = [suits_of(cards) if rank else "" for cards, rank in zip(hands, ranks, strict=True)]
    points = book.cards.points
    twins = all(ranks) and (
        ranks[0] == ranks[1]
        or (readings.get("twin_pair") == "same_value" and points[ranks[0]] % 10 == points[ranks[1]] % 10)
    )
    return suits[0], suits[1], twins


def _how_it_ended(work: Work, played: FinishedRound, readings: Readings) -> conditions.Finish:
    """What conditions are asked of, as the code has it; the cards have to say the same, and who won."""
    book = work.book
    came = code_finish(book, played, readings)
    shown = (*finish_of(played), *pairs_shown(book, played, readings))
    player, banker = shown[:2]
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    if came[:7] != shown or played.winner != winner:
        what = f"A round that came to {shown} is taken for {came[:7]}, and {played.winner} for {winner}."
        bets = [bet for bet in book.bets.values() if bet.original]
        work.hold(
            False,
            lambda: round_example(book, what, [book.winner.paragraph], played, bets, readings=readings),
        )
    return came


def _prove_alike(work: Work, readings: Readings) -> None:
    """Two cards of one kind are alike to every bet: each two cards there are, with either hand, are tried."""
    book = work.book
    other = next(kind for kind in kinds_of_two(book) if not kind.pair).cards
    for cards in every_two(book):
        for hands in ((cards, other), (other, cards)):
            played = finish_round(book, *hands)
            _how_it_ended(work, played, readings)
            work.count()


def _hold_line(
    work: Work, bet: Bet, played: FinishedRound, verdicts: Mapping[str, Verdict], readings: Readings
) -> None:
    """One of the three outcomes, and with a won bet a line of its pay table."""
    book = work.book
    try:
        verdict = verdicts[bet.name]
    except (AssertionError, LookupError) as nothing:
        what = f"{bet.title} cannot be judged: {nothing}."
        raise Broken(
            round_example(book, what, [bet.defined.paragraph], played, [bet], readings=readings)
        ) from None
    listed = any(pay.odds == verdict.odds and pay.commission == verdict.commission for pay in bet.pays)
    work.hold(
        verdict.outcome in OUTCOMES
        and bool(verdict.cites)
        and (verdict.odds is not None and listed if verdict.outcome == "won" else verdict.odds is None),
        lambda: round_example(
            book,
            f"{bet.title} is {verdict.outcome} at {verdict.odds}, which is no line of its pay table.",
            [bet.defined.paragraph],
            played,
            [bet],
            readings=readings,
        ),
    )


def _hold_verdict(work: Work, bet: Bet, played: FinishedRound, readings: Readings, kept: Verdict) -> None:
    """The same verdict whether a bet is judged by itself or with all others of the round."""
    book = work.book
    verdict = judge(book, bet, played, readings)
    if verdict != kept:
        came = f"{verdict.outcome} at {verdict.odds}"
        what = f"{bet.title} is {came}, and settled as {kept.outcome} at {kept.odds}."
        work.hold(
            False,
            lambda: round_example(book, what, [bet.defined.paragraph], played, [bet], readings=readings),
        )


def _compare_with_words(
    work: Work,
    totals: Totals,
    bet: Bet,
    rounds: Mapping[conditions.Finish, FinishedRound],
    readings: Readings,
) -> None:
    """For the solver: is there a round in which the words of this bet and the code part ways?

    A bet that speaks of totals is compared on every way to finish, one that speaks of pairs on all of those,
    one that speaks of both on all of both.
    """
    book, s = work.book, z3()
    naturals = book.table_of_play.natural
    wins = condition_formula(totals, bet.wins, naturals)
    lines = [pay_formula(totals, bet, pay, naturals) for pay in bet.pays]
    asks_pairs = _asks_pairs(bet)
    asks_totals = bet.tie_returns is not None or _pays_by_totals(bet)
    asks_totals |= not all(isinstance(leaf, Paired) for leaf in bet.conditions)
    cells: dict[tuple[str, int | None], set[Seen]] = defaultdict(set)
    examples: dict[Seen, FinishedRound] = {}
    for came, played in rounds.items():
        verdict = verdicts_on(book, came)[bet.name]
        seen = came[:4] if asks_totals else None, came[4:7] if asks_pairs else None
        cells[verdict.outcome, _line_of(bet, verdict)].add(seen)
        examples.setdefault(seen, played)

    def is_so(seen: Iterable[Seen]) -> Any:
        return any_of(*(_seen_formula(totals, one) for one in sorted(seen, key=str)))

    def said(outcome: str, line: int | None = None) -> Any:
        found = (seen for (came, index), seen in cells.items() if came == outcome and line in (None, index))
        return is_so(set().union(*found))

    tied = totals.player_total == totals.banker_total
    ends = {
        outcome: all_of(
            wins,
            any_of(*(line for line, pay in zip(lines, bet.pays, strict=True) if pay.outcome == outcome)),
        )
        for outcome in OUTCOMES
    }
    back = all_of(tied, s.Not(wins)) if bet.tie_returns is not None else s.BoolVal(False)
    returns = any_of(ends["returned"], back)
    wrong = any_of(
        said("won") != ends["won"],
        said("returned") != returns,
        said("lost") != s.Not(any_of(ends["won"], returns)),
        all_of(wins, sum_of(*(s.If(line, 1, 0) for line in lines)) != 1),
        *(
            said("won", index) != all_of(wins, line)
            for index, line in enumerate(lines)
            if bet.pays[index].odds and _told_apart(bet)
        ),
    )
    # Pairs bear on totals: where a bet speaks of both, only what can come together is asked about.
    can_come = [is_so(examples)] if asks_pairs else []
    read = "".join(f", {choice}" for choice in readings.values()) if asks_pairs else ""
    work.refute(
        f"bet {bet.name}{read}",
        [totals.rules, *can_come, wrong],
        lambda values: _found(
            book,
            bet,
            examples[
                finish_in(values, book) if asks_totals else None, pairs_in(values) if asks_pairs else None
            ],
            readings,
        ),
    )


Seen = tuple[Finish | None, Pairs | None]
"""What a bet can see of a round: how it finished, what pairs it began with, or both."""


def _seen_formula(totals: Totals, seen: Seen) -> Any:
    finish, pairs = seen
    return all_of(
        *([finish_formula(totals, finish)] if finish is not None else []),
        *([pairs_formula(totals, pairs)] if pairs is not None else []),
    )


def _pays_by_totals(bet: Bet) -> bool:
    """Whether a line of its pay table is for some totals or numbers of cards only."""
    return any(
        (pay.totals, pay.cards, pay.cards_dealt, pay.by, pay.sums)
        != (EVERY_TOTAL, EVERY_CARDS, EVERY_DEALT, EVERY_MARGIN, EVERY_SUM)
        or pay.natural is not None
        for pay in bet.pays
    )


def _line_of(bet: Bet, verdict: Verdict) -> int | None:
    """Which line of the pay table a verdict is by, as far as odds and paragraphs tell."""
    for index, pay in enumerate(bet.pays):
        if verdict.odds == pay.odds and verdict.cites[: len(pay.cites)] == pay.cites:
            return index
    return None


def _told_apart(bet: Bet) -> bool:
    """Whether the lines of a pay table can be told by their odds."""
    return len(bet.odds) == sum(pay.odds is not None for pay in bet.pays)


def _found(book: Rulebook, bet: Bet, played: FinishedRound, readings: Readings) -> Counterexample:
    verdict = judge(book, bet, played, readings)
    return round_example(
        book,
        f"{bet.title} is {verdict.outcome} with Player {' '.join(played.player.cards)} and Banker "
        f"{' '.join(played.banker.cards)}, which is not what its words and its pay table say.",
        [bet.defined.paragraph, *(cite.paragraph for pay in bet.pays for cite in pay.cites)],
        played,
        [bet],
        readings=readings,
    )


def exclusive_pairs(book: Rulebook, totals: Totals | None = None) -> tuple[tuple[str, str], ...]:
    """The bets whose words contradict each other, two by two, as the solver finds.

    >>> from lammer import rulebook
    >>> pairs = exclusive_pairs(rulebook("tiger-buffalo-noncommission@4"))
    >>> ("player", "banker") in pairs, ("big_tiger", "small_tiger") in pairs, ("tie", "tiger_tie") in pairs
    (True, True, False)
    """
    totals = totals or totals_of(book)
    naturals = book.table_of_play.natural
    words = {
        bet.name: condition_formula(totals, bet.wins, naturals)
        for bet in book.bets.values()
        if not any(isinstance(leaf, Paired) for leaf in leaves(bet.wins))
    }
    return tuple(
        (one, two)
        for one, two in combinations(words, 2)
        if answer(problem("exclusive", [totals.rules, all_of(words[one], words[two])])).verdict == "unsat"
    )


def _prove_exclusive(work: Work, totals: Totals) -> None:
    """Bets whose words contradict each other are never won together."""
    book = work.book
    pairs = exclusive_pairs(book, totals)
    for played in every_finish(book):
        won = {name for name, bet in book.bets.items() if judge(book, bet, played).outcome == "won"}
        for one, two in pairs:
            work.hold(
                not {one, two} <= won,
                lambda one=one, two=two, played=played: round_example(  # type: ignore[misc]
                    book,
                    f"{book.bets[one].title} and {book.bets[two].title} are won together.",
                    [book.bets[one].defined.paragraph, book.bets[two].defined.paragraph],
                    played,
                    [book.bets[one], book.bets[two]],
                ),
            )
