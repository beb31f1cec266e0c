"""Theorem: every bet, in every round, is won, lost or returned; a won bet meets one line of its pay table.

Run as it is: `judge`, on every kind of round, every bet, every reading there is of twin pairs. Its answers by
totals are then compared, by the solver, with the winning conditions as the document words them. Two bets
whose conditions contradict each other are found by the solver and never won together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from lammer.game.bets import Readings, Verdict, judge
from lammer.game.hands import FinishedRound
from lammer.proof.formulas import (
    Finish,
    Totals,
    condition_formula,
    finish_formula,
    finish_in,
    pay_formula,
    totals_of,
)
from lammer.proof.rounds import every_finish, every_round
from lammer.proof.scenarios import round_example
from lammer.proof.solving import all_of, answer, any_of, problem, sum_of, z3
from lammer.proof.working import Counterexample, Work
from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import Paired
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
    for readings in ways_to_read(book):
        for played in every_round(book):
            for bet in book.bets.values():
                _hold_verdict(work, bet, played, readings)
    totals = totals_of(book)
    for bet in book.bets.values():
        _compare_with_words(work, totals, bet)
    _prove_exclusive(work, totals)


def _hold_verdict(work: Work, bet: Bet, played: FinishedRound, readings: Readings) -> None:
    book = work.book
    try:
        verdict = judge(book, bet, played, readings)
    except (AssertionError, LookupError) as nothing:
        because = str(nothing)
        work.hold(
            False,
            lambda: round_example(
                book, f"{bet.title} cannot be judged: {because}.", [bet.defined.paragraph], played, [bet]
            ),
        )
        return
    sound = (
        verdict.outcome in OUTCOMES
        and bool(verdict.cites)
        and (
            verdict.odds is not None
            and any(pay.odds == verdict.odds and pay.commission == verdict.commission for pay in bet.pays)
            if verdict.outcome == "won"
            else verdict.odds is None
        )
    )
    if not sound:
        work.hold(
            False,
            lambda: round_example(
                book,
                f"{bet.title} is {verdict.outcome} at {verdict.odds}, which is no line of its pay table.",
                [bet.defined.paragraph],
                played,
                [bet],
            ),
        )
    work.count()


def _compare_with_words(work: Work, totals: Totals, bet: Bet) -> None:
    """For the solver: is there a round in which the words of this bet and the code part ways?"""
    book, s = work.book, z3()
    naturals = book.table_of_play.natural
    wins = condition_formula(totals, bet.wins, naturals)
    lines = [pay_formula(totals, pay, naturals) for pay in bet.pays]
    if wins is None or any(line is None for line in lines):
        _compare_pairs(work, bet)
        return
    cells: dict[Any, list[Finish]] = defaultdict(list)
    for played in every_finish(book):
        verdict = judge(book, bet, played)
        pays = _line_of(bet, verdict)
        cells[verdict.outcome, pays].append(finish_of(played))

    def said(outcome: str, line: int | None = None) -> Any:
        found = [
            finish
            for (came, index), finishes in cells.items()
            if came == outcome and (line is None or index == line)
            for finish in finishes
        ]
        return any_of(*(finish_formula(totals, finish) for finish in found))

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
    work.refute(f"bet {bet.name}", [totals.rules, wrong], lambda values: _found(book, bet, values))


def _line_of(bet: Bet, verdict: Verdict) -> int | None:
    """Which line of the pay table a verdict is by, as far as odds and paragraphs tell."""
    for index, pay in enumerate(bet.pays):
        if verdict.odds == pay.odds and verdict.cites[: len(pay.cites)] == pay.cites:
            return index
    return None


def _told_apart(bet: Bet) -> bool:
    """Whether the lines of a pay table can be told by their odds."""
    return len(bet.odds) == sum(pay.odds is not None for pay in bet.pays)


def _compare_pairs(work: Work, bet: Bet) -> None:
    """A bet on pairs: won exactly when a hand it names begins with two cards of one rank.

    Rounds here tell pairs apart by rank: a bet that asks for suits, or for pairs and totals together, is held
    to its pay table by being judged on every kind of round, and no more.
    """
    book = work.book
    if not isinstance(bet.wins, Paired) or bet.asks_suits or bet.wins.every or len(bet.odds) < len(bet.pays):
        return
    hands = bet.wins.hands
    for played in every_round(book):
        paired = any(played.player.pair if side == "player" else played.banker.pair for side in hands)
        verdict = judge(book, bet, played)
        work.hold(
            (verdict.outcome == "won") == bool(paired),
            lambda played=played, verdict=verdict, paired=paired: round_example(  # type: ignore[misc]
                book,
                f"{bet.title} is {verdict.outcome} although its hands are {'' if paired else 'not '}paired.",
                [bet.defined.paragraph],
                played,
                [bet],
            ),
        )


def _found(book: Rulebook, bet: Bet, values: Mapping[str, Fraction]) -> Counterexample:
    finish = finish_in(values, book)
    played = next(played for played in every_finish(book) if finish_of(played) == finish)
    verdict = judge(book, bet, played)
    return round_example(
        book,
        f"{bet.title} is {verdict.outcome} with Player {finish[0]} and Banker {finish[1]}, "
        "which is not what its words and its pay table say.",
        [bet.defined.paragraph, *(cite.paragraph for pay in bet.pays for cite in pay.cites)],
        played,
        [bet],
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
    words = {bet.name: condition_formula(totals, bet.wins, naturals) for bet in book.bets.values()}
    return tuple(
        (one, two)
        for one, two in combinations(words, 2)
        if words[one] is not None
        and words[two] is not None
        and answer(problem("exclusive", [totals.rules, all_of(words[one], words[two])])).verdict == "unsat"
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
