"""Theorem: money, for every stake there can be: paid to the cent, nothing lost, nothing negative.

Run as they are, on a stake that is any whole number of cents: `winnings`, `amounts` and `limit`, for all odds
and every way a bet of the document can end, and `settle` with every bet of a layout at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import floor
from typing import Any

from lammer.game.bets import Verdict, judge
from lammer.game.hands import FinishedRound
from lammer.game.insurance import judge_insurance, offers_of_round
from lammer.game.money import LARGEST, show
from lammer.game.settlement import PlacedBet
from lammer.proof.rounds import every_course, every_round
from lammer.proof.scenarios import BOX, PLAYER, cards_of, round_script
from lammer.proof.solving import Term, all_of, any_of, z3
from lammer.proof.symbolic import Ratio, Whole, explore, is_whole, run_with, unknown
from lammer.proof.working import Counterexample, Work
from lammer.rulebook.betting import Bet, Insurance, Offer
from lammer.rulebook.model import Rulebook
from lammer.rulebook.odds import Odds

Ending = tuple[Bet | Offer, FinishedRound, Verdict]
"""A bet or an Insurance, a round it ends on, and how."""


@cache
def on_any_stake() -> dict[str, Any]:
    """The code of `game.money` and `game.settlement`, making fractions of unknown numbers."""
    winnings = run_with("lammer.game.money", Fraction=Ratio)["winnings"]
    return run_with("lammer.game.settlement", winnings=winnings, isinstance=is_whole)


def real(value: object) -> Term:
    """A number of either kind as a formula."""
    if isinstance(value, Whole | Ratio):
        return value.term
    assert isinstance(value, int | Fraction), value
    return z3().RealVal(str(value))


@lru_cache(maxsize=16)
def endings(book: Rulebook) -> tuple[Ending, ...]:
    """Every way a bet and an Insurance of this document can end, each with a round that shows it."""
    found: dict[tuple[str, Any, Any, str], Ending] = {}
    for played in every_round(book):
        for bet in book.bets.values():
            verdict = judge(book, bet, played)
            key = bet.name, verdict.odds, verdict.commission, verdict.outcome
            found.setdefault(key, (bet, played, verdict))
    for played in every_course(book) if book.insurance else ():
        for offer in offers_of_round(book, played):
            verdict = judge_insurance(book, offer, played)
            key = f"{offer.hand} {offer.window}", verdict.odds, None, verdict.outcome
            found.setdefault(key, (offer, played, verdict))
    return tuple(found.values())


def prove_money(work: Work) -> None:
    """Every ending on any stake; every limit of Insurance; every layout settled together and apart."""
    _prove_odds(work)
    for bet, played, verdict in endings(work.book):
        _prove_ending(work, bet, played, verdict)
    _prove_limits(work)
    _prove_together(work)


def _prove_odds(work: Work) -> None:
    """All odds in the file: whole cents below stake times odds, less than a cent below, the rest told."""
    book, stake = work.book, unknown("stake")
    winnings = on_any_stake()["winnings"]
    for odds, example in _odds_of(book).items():
        wrong = [
            all_of(*end.knows, any_of(*_wrong_winnings(stake, odds, end)))
            for end in explore(lambda odds=odds: winnings(stake, odds), [stake.term > 0])  # type: ignore[misc]
        ]
        work.refute(
            f"odds {odds}",
            [any_of(*wrong)],
            lambda values, example=example, odds=odds: _paid_wrong(  # type: ignore[misc]
                book, example, values, f"at {odds} a stake is not paid to the cent"
            ),
        )


def _odds_of(book: Rulebook) -> dict[Odds, Ending]:
    found: dict[Odds, Ending] = {}
    for ending in endings(book):
        verdict = ending[2]
        for odds in (verdict.odds, verdict.commission.of if verdict.commission else None):
            if odds is not None:
                found.setdefault(odds, ending)
    return found


def _wrong_winnings(stake: Whole, odds: Odds, end: Any) -> Iterator[Term]:
    if end.raised is not None:
        yield z3().BoolVal(True)
        return
    cents, part = end.result
    whole = stake.term * odds.profit.numerator
    below = odds.profit.denominator
    yield real(cents) * below > whole
    yield whole >= (real(cents) + 1) * below
    yield real(cents) + real(part) != z3().ToReal(whole) / below
    yield real(part) < 0
    yield real(part) >= 1


def _prove_ending(work: Work, bet: Bet | Offer, played: FinishedRound, verdict: Verdict) -> None:
    """What a verdict makes of any stake: profit, commission, the part of a cent, and all that is returned."""
    stake = unknown("stake")
    amounts = on_any_stake()["amounts"]
    wrong = []
    for end in explore(lambda: amounts(stake, verdict), [stake.term > 0]):
        bad = [z3().BoolVal(True)] if end.raised else list(_wrong_amounts(stake, verdict, end.result))
        wrong.append(all_of(*end.knows, any_of(*bad)))
    name = bet.name if isinstance(bet, Bet) else f"insurance {bet.hand} {bet.window}"
    how = str(verdict.odds) if verdict.odds else verdict.outcome
    work.refute(
        f"money {name} {how}",
        [any_of(*wrong)],
        lambda values: _paid_wrong(
            work.book, (bet, played, verdict), values, f"{name}, {how}, does not come to what it should"
        ),
    )


def _wrong_amounts(stake: Whole, verdict: Verdict, came: tuple[Any, Any, Any, Any]) -> Iterator[Term]:
    profit, commission, remainder, returned = map(real, came)
    for amount in (profit, commission, remainder, returned):
        yield amount < 0
    if verdict.outcome != "won":
        yield any_of(profit != 0, commission != 0, remainder != 0)
        yield returned != (stake.term if verdict.outcome == "returned" else 0)
        return
    assert verdict.odds is not None
    odds = verdict.odds.profit
    whole = stake.term * odds.numerator
    yield profit * odds.denominator > whole
    yield whole >= (profit + 1) * odds.denominator
    yield profit + remainder != z3().ToReal(whole) / odds.denominator
    yield returned != stake.term + profit
    if verdict.commission is None:
        yield commission != 0
        return
    # Profit and commission together are what the bet would pay without commission, to the cent; and the
    # commission is its rate of that, with what the player's winnings were rounded down by on top.
    of = verdict.commission.of.profit
    gross = stake.term * of.numerator
    yield (profit + commission) * of.denominator > gross
    yield gross >= (profit + commission + 1) * of.denominator
    if of.denominator == 1:
        rate = z3().RealVal(str(verdict.commission.rate))
        yield z3().ToReal(commission) - remainder != rate * z3().ToReal(gross)


def _paid_wrong(book: Rulebook, ending: Ending, values: Mapping[str, Fraction], what: str) -> Counterexample:
    """A round on which a stake the solver found is paid wrongly."""
    bet, played, verdict = ending
    stake = min(int(values.get("stake", Fraction(1))), LARGEST)
    profit = floor(stake * verdict.odds.profit) if verdict.odds else 0
    net = {"won": profit, "lost": -stake, "returned": 0}[verdict.outcome]
    cites = tuple(dict.fromkeys(cite.paragraph for cite in verdict.cites))
    said = f"A stake of {show(stake)}: {what}."
    if isinstance(bet, Bet):
        expect = {"net": {PLAYER: show(net)}} if 0 < abs(net) <= LARGEST else {}
        script = round_script(
            book, said, cards_of(book, played), {bet.name: stake}, expect=expect, proves=cites[:1]
        )
    else:
        original = next(one.name for one in book.bets.values() if one.original == bet.hand)
        script = round_script(
            book, said, cards_of(book, played), {original: max(stake, 1)}, insured=(bet, stake)
        )
    script["limits"]["differential"] = show(LARGEST)
    return Counterexample(said, cites, script)


def _prove_limits(work: Work) -> None:
    """Insurance is limited to the Original Bet and to its share of the maximum, whatever they are."""
    book = work.book
    if book.insurance is None:
        return
    original, maximum = unknown("original"), unknown("maximum")
    limit = run_with("lammer.game.insurance", int=floor, show=str)["limit"]
    for offer in book.insurance.offers:
        bounds = [real(bound) for bound in _bounds(book.insurance, offer, original, maximum)]
        wrong = []
        given = [original.term > 0, maximum.term > 0]
        for end in explore(lambda offer=offer: limit(book, offer, original, maximum), given):  # type: ignore[misc]
            bad: list[Term] = [z3().BoolVal(True)]
            if end.raised is None:
                most = real(end.result.most)
                bad = [most < 0, *(most > bound for bound in bounds), all_of(*(most != b for b in bounds))]
            wrong.append(all_of(*end.knows, any_of(*bad)))
        work.refute(
            f"limit {offer.hand} {offer.window} {min(offer.own)} {min(offer.other)}",
            [any_of(*wrong)],
            lambda values, offer=offer: _wrong_limit(book, offer, values),  # type: ignore[misc]
        )


def _wrong_limit(book: Rulebook, offer: Offer, values: Mapping[str, Fraction]) -> Counterexample:
    """A round in which as much is insured as the document allows."""
    original, maximum = (max(1, int(values.get(name, 1))) for name in ("original", "maximum"))
    what = (
        f"With an Original Bet of {show(original)} and a maximum of {show(maximum)} "
        f"the limit of Insurance at {offer.odds} is wrong."
    )
    played = next(ended for one, ended, _ in endings(book) if one == offer)
    bet = next(one.name for one in book.bets.values() if one.original == offer.hand)
    stakes = {bet: min(original, LARGEST)}
    script = round_script(book, what, cards_of(book, played), stakes, insured=(offer, min(original, LARGEST)))
    script["limits"]["differential"] = show(min(maximum, LARGEST))
    return Counterexample(what, (offer.cite.paragraph,), script)


def _bounds(insurance: Insurance, offer: Offer, original: Whole, maximum: Whole) -> Iterator[Whole]:
    """Everything the document limits this offer by."""
    yield original
    for share in insurance.shares:
        if share.odds.profit == offer.odds.profit:
            yield floor_of(maximum, share.share)
    for part in insurance.shares_of_original:
        if part.limits(offer):
            yield floor_of(original, part.share / (1 if part.what == "stake" else offer.odds.profit))


def floor_of(amount: Whole, share: Fraction) -> Whole:
    """A share of an unknown amount, rounded down to the cent."""
    shared: Whole = (amount * share.numerator) // share.denominator
    return shared


def _prove_together(work: Work) -> None:
    """Every bet of a layout settled together comes to what each comes to by itself."""
    book = work.book
    settle = on_any_stake()["settle"]
    offers_seen: set[frozenset[str]] = set()
    for layout in sorted(book.layouts):
        names = [bet.name for bet in book.offered(book.layouts[layout])]
        if frozenset(names) in offers_seen:
            continue
        offers_seen.add(frozenset(names))
        stakes = {name: unknown(f"stake_{name}") for name in names}
        given = [all_of(stake.term > 0, stake.term <= LARGEST) for stake in stakes.values()]
        for played in _telling_rounds(book, names):
            wrong = list(_apart(book, settle, layout, played, stakes, given))
            work.refute(
                f"together {layout} {' '.join(cards_of(book, played))}",
                [*given, any_of(*wrong)],
                lambda values, played=played, names=names: _not_apart(book, played, names, values),  # type: ignore[misc]
            )


def _telling_rounds(book: Rulebook, names: list[str]) -> list[FinishedRound]:
    """Rounds that between them show every ending of each of these bets."""
    missing = {
        (bet.name, verdict.outcome, verdict.odds): played
        for bet, played, verdict in endings(book)
        if isinstance(bet, Bet) and bet.name in names
    }
    chosen: list[FinishedRound] = []
    while missing:
        played = next(iter(missing.values()))
        chosen.append(played)
        for name in names:
            verdict = judge(book, book.bets[name], played)
            missing.pop((name, verdict.outcome, verdict.odds), None)
    return chosen


def _apart(
    book: Rulebook,
    settle: Callable[..., Any],
    layout: str,
    played: FinishedRound,
    stakes: Mapping[str, Whole],
    given: list[Term],
) -> Iterator[Term]:
    """What would have to hold for bets settled together to come to anything else than apart."""
    bets = [PlacedBet(PLAYER, BOX, name, stake) for name, stake in stakes.items()]  # type: ignore[arg-type]
    cards = cards_of(book, played)

    def both() -> tuple[Any, list[Any]]:
        return settle(book, layout, cards, bets), [settle(book, layout, cards, [bet]) for bet in bets]

    for end in explore(both, given):
        if end.raised is not None:
            yield all_of(*end.knows)
            continue
        together, apart = end.result
        differ = [
            real(getattr(line, part)) != real(getattr(alone.lines[0], part))
            for line, alone in zip(together.lines, apart, strict=True)
            for part in ("stake", "profit", "commission", "remainder", "returned")
        ]
        sums = sum((alone.net[PLAYER] for alone in apart), Whole(z3().IntVal(0)))
        differ.append(real(together.net[PLAYER]) != real(sums))
        same = [
            line.outcome == alone.lines[0].outcome for line, alone in zip(together.lines, apart, strict=True)
        ]
        yield all_of(*end.knows, any_of(*differ, z3().BoolVal(not all(same))))


def _not_apart(
    book: Rulebook, played: FinishedRound, names: list[str], values: Mapping[str, Fraction]
) -> Counterexample:
    stakes = {name: max(1, int(values.get(f"stake_{name}", 1))) for name in names}
    what = "Bets settled together do not come to what they come to apart"
    script = round_script(book, what, cards_of(book, played), stakes)
    script["limits"]["differential"] = show(LARGEST)
    return Counterexample(f"{what}.", (book.bets_cite.paragraph,), script)
