"""The theorems by name: what each says, how it is proved, what stays assumed, which paragraphs it has."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from lammer.proof.decided import prove_decided
from lammer.proof.differential import prove_differential
from lammer.proof.insured import prove_insurance
from lammer.proof.money import prove_money
from lammer.proof.play import prove_table_of_play
from lammer.proof.put_right import prove_put_right
from lammer.proof.settled_bets import prove_bets
from lammer.proof.solving import Answer, Problem, solver_version
from lammer.proof.versions import prove_versions
from lammer.proof.working import Broken, Counterexample, Undecided, Work
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.playing import played_by, plays_of
from lammer.rulebook.refusal import Refused

Verdict = Literal["proved", "broken", "undecided"]


@dataclass(frozen=True, slots=True)
class Theorem:
    """Something promised of every rulebook.

    `domain` is what it holds for, `run` which code was run and how, `assumes` what was not proved.
    """

    name: str
    says: Phrase
    domain: Phrase
    run: Phrase
    assumes: Phrase
    cites: Callable[[Rulebook], Iterator[Citation]] = field(repr=False)
    prove: Callable[[Work], None] = field(repr=False)

    def paragraphs(self, book: Rulebook) -> tuple[str, ...]:
        """The paragraphs of this rulebook it is about, in the document's order."""
        about = {cite.paragraph for cite in self.cites(book)}
        return tuple(number for number in book.paragraphs if number in about)


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a theorem: proved, broken with a counterexample, or not decided in time."""

    theorem: Theorem
    paragraphs: tuple[str, ...]
    verdict: Verdict
    cases: int
    answers: tuple[Answer, ...]
    seconds: float
    counterexample: Counterexample | None = None
    because: str = ""


def _play_cites(book: Rulebook) -> Iterator[Citation]:
    table = book.table_of_play
    yield from (table.natural_cite, book.cards.total_cite, book.cards.order_cite)
    yield from (cell.cite for cell in (*table.player.values(), *table.banker.values()))


def _bet_cites(book: Rulebook) -> Iterator[Citation]:
    yield from (book.winner, book.tie)
    for bet in book.bets.values():
        yield bet.defined
        yield from (cite for pay in bet.pays for cite in pay.cites)
        if bet.tie_returns is not None:
            yield bet.tie_returns


def _insurance_cites(book: Rulebook) -> Iterator[Citation]:
    insurance = book.insurance
    if insurance is None:
        return
    yield from (insurance.windows, insurance.still_to_draw, insurance.tie_returns)
    for offer in insurance.offers:
        yield offer.cite
        if offer.tie_wins is not None:
            yield offer.tie_wins


def _outcome_cites(book: Rulebook) -> Iterator[Citation]:
    for rule in book.irregularities.values():
        for step in rule.steps:
            if step.when in ("outcome_established", "no_outcome"):
                yield step.cite


def _money_cites(book: Rulebook) -> Iterator[Citation]:
    for bet in book.bets.values():
        for pay in bet.pays:
            yield from pay.cites
            if pay.commission is not None:
                yield pay.commission.cite
    if book.insurance is not None:
        yield book.insurance.original_bet
        yield from (offer.cite for offer in book.insurance.offers)
        yield from (share.cite for share in book.insurance.shares)


def _differential_cites(book: Rulebook) -> Iterator[Citation]:
    rule = book.irregularities.get("excess_differential")
    yield from (step.cite for step in rule.steps) if rule else ()


def _reconstruction_cites(book: Rulebook) -> Iterator[Citation]:
    for rule in book.irregularities.values():
        yield from (step.cite for step in rule.steps if step.does == "reconstruct")


def _no_cites(book: Rulebook) -> Iterator[Citation]:
    yield from ()


THEOREMS: Final[tuple[Theorem, ...]] = (
    Theorem(
        "table-of-play",
        Phrase(
            "In every reachable state exactly one of draw and stand holds, as the document says; no hand "
            "needs a fourth card; a round takes four to six."
        ),
        Phrase(
            "Every first four ranks in every order, every third card of the Player; from every two totals, "
            "third cards of every rank to the end of the round."
        ),
        Phrase(
            "total, next_hand, third_card_decisions and deal were run on every case; the solver compared "
            "their answers with the rows of the document."
        ),
        Phrase("That suits have no part in it, and that the file says what the approved text says."),
        _play_cites,
        prove_table_of_play,
    ),
    Theorem(
        "bets",
        Phrase(
            "Every bet of every round is won, lost or returned, one of them; a won bet meets exactly one "
            "line of its pay table; bets that exclude each other never win together."
        ),
        Phrase(
            "Every kind of round, pairs told apart by rank, and by suits where a bet asks for those, under "
            "each reading of twin pairs."
        ),
        Phrase(
            "judge, finish_of and verdicts_on were run on every case; the solver compared the answers with "
            "the conditions and the pay table of the document, by totals and by pairs."
        ),
        Phrase("That the file says what the approved text says."),
        _bet_cites,
        prove_bets,
    ),
    Theorem(
        "insurance",
        Phrase(
            "Insurance is on offer exactly in the listed situations that can still change; each offer can "
            "win and can lose; a tie wins exactly where nothing else could; none outlives its window."
        ),
        Phrase(
            "Either hand shown alone, every pair of two-card totals, every third card of the Player, every "
            "card that may follow."
        ),
        Phrase(
            "window, offers, offers_of_round and judge_insurance were run on every case; the solver "
            "compared the offers with the list."
        ),
        Phrase("That a table takes Insurance only while its window is open, which tests of the table show."),
        _insurance_cites,
        prove_insurance,
    ),
    Theorem(
        "decided",
        Phrase(
            "A bet called decided is decided under every continuation; one called open has two "
            "continuations that differ."
        ),
        Phrase(
            "Every kind of first cards that lie open, none, one or both of each hand, with every third card "
            "open or not; under other readings of twin pairs with none, or two worth the same."
        ),
        Phrase(
            "standings was run on every case and compared with every kind of round dealt to its end and "
            "judged; established on everything it said, under every reading and on every layout."
        ),
        Phrase(
            "That any rank may still come, which is how the reading has it: what is left in the shoe is not "
            "asked."
        ),
        _outcome_cites,
        prove_decided,
    ),
    Theorem(
        "money",
        Phrase(
            "Whatever the stake: what is paid is at most stake times odds and less than a cent below; "
            "profit, commission and the part of a cent make the whole; nothing is negative; bets settled "
            "together come to what they come to apart."
        ),
        Phrase(
            "Every stake, without bound, at all odds and for every ending of every bet in the file; settled "
            "together, every stake a table takes."
        ),
        Phrase(
            "winnings, amounts, limit and settle, with Insurance and without, were run on unknown numbers, "
            "along every path; the solver looked for a stake that is paid wrongly."
        ),
        Phrase("That the solver is right, and that Python's own arithmetic is as it says."),
        _money_cites,
        prove_money,
    ),
    Theorem(
        "differential",
        Phrase(
            "Cut pro rata, a box is within the maximum or everyone in it is at the minimum; nobody is cut "
            "below the minimum; the order bets came in changes nothing; a bet put down as two plays no more "
            "than whole, unless the minimum protects a part; before the close standing players' bets give "
            "way first, the latest first, and enough of them."
        ),
        Phrase(
            "Up to six bets on the heavier side, of any size, any minimum and maximum, nothing or a bet on "
            "the lighter side; with up to three either side, and two bets on the lighter."
        ),
        Phrase(
            "pro_rata, reduce_to_maximum and room were run on unknown amounts, along every path, each of "
            "which ends; the solver looked for amounts that break it. That splitting gains nothing follows "
            "from the ratio the code finds, which is shown to fill the box."
        ),
        Phrase(
            "That bets can be named in rising order of size. Every order of arrival, and of who sits and who "
            "stands, is tried up to three bets; beyond, the reverse order, the smallest last, and every "
            "other one seated. Of a bet put down in parts, two parts with another bet between."
        ),
        _differential_cites,
        prove_differential,
    ),
    Theorem(
        "put-right",
        Phrase(
            "Cards laid with the wrong hand and put right lie as if they had been dealt right; cards drawn "
            "in excess come next, in their order."
        ),
        Phrase(
            "Every pair of two-card totals, every third card of the Player; every choice of up to three "
            "cards laid with the wrong hand, also beside a card in excess; one to three in excess, or broken "
            "off after any card, with one laid wrong; what the House lets stand."
        ),
        Phrase("proper_order of the table and proper_hands of its corrections were run on every case."),
        Phrase("That the order in which cards were drawn is known; with face-down cards tests show it."),
        _reconstruction_cites,
        prove_put_right,
    ),
    Theorem(
        "versions",
        Phrase(
            "Two rulebooks come out alike in every round, situation and limit except where diff says they "
            "differ, and there they do differ."
        ),
        Phrase("This rulebook against every other that ships; every situation both can reach."),
        Phrase(
            "next_hand, judge_finish and offers were run under both, limit on any amounts, and compared with "
            "what diff says."
        ),
        Phrase(
            "What diff says of people, dates, readings and irregularities, which is compared as data and "
            "plays no part in a round that goes right."
        ),
        _no_cites,
        prove_versions,
    ),
)
NAMES: Final = tuple(theorem.name for theorem in THEOREMS)
SAID: Final = {theorem.name: theorem.says for theorem in THEOREMS}
"""What each theorem says, by name."""


def theorems_named(names: Sequence[str]) -> tuple[Theorem, ...]:
    """The theorems of these names, all of them where none is named, or `unknown_theorem`.

    >>> [theorem.name for theorem in theorems_named(["bets"])]
    ['bets']
    """
    for name in names:
        if name not in NAMES:
            raise Refused(
                "unknown_theorem",
                "There is no theorem {name}.",
                next_step="There are {theorems}.",
                name=repr(name[:40]),
                theorems=", ".join(NAMES),
            )
    return tuple(theorem for theorem in THEOREMS if not names or theorem.name in names)


def _ways_to_play(theorem: Theorem, book: Rulebook) -> Iterator[Rulebook]:
    """The rulebook itself; where hands may choose, as it is played in each way it knows of."""
    plays = plays_of(book) if theorem.name not in ("versions", "differential") else ()
    yield from (played_by(book, play.name) for play in plays)
    if not plays:
        yield book


def prove(
    theorem: Theorem,
    book: Rulebook,
    *,
    others: Sequence[Rulebook] = (),
    solver: str = "z3",
    told: Callable[[int], None] = lambda cases: None,
    keep_problems: Callable[[Problem], None] = lambda asked: None,
) -> Finding:
    """Prove one theorem of one rulebook, or find out what breaks it.

    >>> from lammer import rulebook
    >>> finding = prove(THEOREMS[0], rulebook("tiger-buffalo-noncommission@4"))
    >>> finding.verdict, [said.verdict for said in finding.answers]
    ('proved', ['unsat'])
    """
    solver_version(solver)
    work = Work(book, others, solver, told, keep_problems=keep_problems)
    begun = time.perf_counter()
    verdict: Verdict = "proved"
    counterexample, because = None, ""
    try:
        for played in _ways_to_play(theorem, book):
            work.book = played
            theorem.prove(work)
    except Broken as broken:
        verdict, counterexample = "broken", broken.counterexample
    except Undecided as undecided:
        verdict, because = "undecided", str(undecided)
    return Finding(
        theorem,
        theorem.paragraphs(book),
        verdict,
        work.cases,
        tuple(work.answers),
        time.perf_counter() - begun,
        counterexample,
        because,
    )
