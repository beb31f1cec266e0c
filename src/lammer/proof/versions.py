"""Theorem: two rulebooks differ in a round exactly where `diff` says they do.

Run as they are, for both: the drawing decisions, `judge_finish` of every bet, `offers` and `limit`, in every
situation both can reach. What came out differently is compared with the list that `diff` gives: nothing
differs of which it does not speak, and of everything it speaks of something does differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from lammer.game.bets import finish_of, judge_finish
from lammer.game.cards import Card
from lammer.game.drawing import next_hand
from lammer.game.hands import FinishedRound, total
from lammer.game.insurance import limit, offers
from lammer.proof.insured import situations
from lammer.proof.rounds import every_round, kinds_of_two
from lammer.proof.scenarios import cards_of, round_script
from lammer.proof.working import Counterexample, Work
from lammer.rulebook.diff import Change, diff
from lammer.rulebook.model import Rulebook
from lammer.rulebook.playing import played_by, plays_of
from lammer.rulebook.vocabulary import ALWAYS_DRAWS, NEVER_DRAWS

Topic = tuple[str, ...]
"""What a difference is about: a bet, a cell of the Table of Play, a worth, an offer, a layout."""
SAMPLE_ORIGINAL, SAMPLE_MAXIMUM = 1_000_000_00, 1_000_000_00
IN_A_ROUND: Final = ("cards", "table of play", "bet", "layout", "insurance")
"""The kinds of change that bear on rounds and situations; the others are about people and readings."""


@dataclass(frozen=True)
class Behaviour:
    """What a rulebook makes of everything, by what it is about."""

    worths: Mapping[str, int]
    decks: tuple[int, int]
    order: tuple[str, ...]
    draws: Mapping[tuple[int, int, int | None], Any]
    bets: Mapping[str, Mapping[Any, Any]]
    where: Mapping[str, frozenset[str]]
    layouts: Mapping[str, tuple[int, int, bool]]
    offers: Mapping[tuple[str, str, int, int], Any]
    limits: Mapping[Any, int]
    insured: bool
    rounds: Mapping[Any, FinishedRound] = field(repr=False)


@lru_cache(maxsize=16)
def behaviour(book: Rulebook) -> Behaviour:
    """What this rulebook makes of every situation it can reach, found by running the game on each."""
    either = _played_either_way(book)
    book = either[0]
    draws: dict[tuple[int, int, int | None], Any] = {}
    offered: dict[tuple[str, str, int, int], Any] = {}
    limits: dict[Any, int] = {}
    for player, banker, _ in situations(book):
        third = book.cards.points[player[2][0]] % 10 if len(player) > 2 else None
        draws[total(book, player[:2]), total(book, banker), third] = tuple(
            next_hand(one, player, banker) for one in either
        )
        totals = {"player": total(book, player), "banker": total(book, banker)}
        for offer in offers(book, player, banker):
            own = totals[offer.hand]
            other = totals["banker" if offer.hand == "player" else "player"]
            offered[offer.hand, offer.window, own, other] = offer.odds.profit, _on_tie(offer)
            limits[offer.odds.profit, offer.window] = limit(book, offer, SAMPLE_ORIGINAL, SAMPLE_MAXIMUM).most
    finishes = {finish_of(book, played): played for played in every_round(book)}
    bets = {}
    for name, bet in book.bets.items():
        verdicts = {}
        for finish in finishes:
            verdict = judge_finish(bet, finish)
            taken = (verdict.commission.rate, verdict.commission.of.profit) if verdict.commission else None
            profit = verdict.odds.profit if verdict.odds else None
            verdicts[finish[:7]] = verdict.outcome, profit, taken
        bets[name] = verdicts
    dealt = []
    hands: dict[str, list[Card]] = {"player": [], "banker": []}
    for card in kinds_of_two(book)[0].cards * 2:
        side = next_hand(book, hands["player"], hands["banker"])
        assert side is not None
        hands[side].append(card)
        dealt.append(side)
    return Behaviour(
        {rank: total(book, [Card(f"{rank}S")]) for rank in book.cards.points},
        (book.cards.fewest_decks, book.cards.most_decks),
        tuple(dealt),
        draws,
        bets,
        {name: frozenset(x for x in book.layouts if name in _names(book, x)) for name in book.bets},
        {letter: (layout.fewest, layout.most, layout.chinese) for letter, layout in book.layouts.items()},
        offered,
        limits,
        book.insurance is not None,
        {finish[:7]: played for finish, played in finishes.items()},
    )


def _played_either_way(book: Rulebook) -> tuple[Rulebook, ...]:
    """The rulebook; where hands may choose, as it is when they always draw and when they never do."""
    if not plays_of(book):
        return book, book
    return played_by(book, ALWAYS_DRAWS), played_by(book, NEVER_DRAWS)


def _names(book: Rulebook, layout: str) -> set[str]:
    return {bet.name for bet in book.offered(book.layout(layout))}


def _on_tie(offer: Any) -> str:
    return str(getattr(offer, "on_tie", "won" if offer.tie_wins else "returned"))


def prove_versions(work: Work) -> None:
    """This rulebook against every other: what differs is told, and what is told differs."""
    for other in work.others:
        prove_pair(work, work.book, other)


def prove_pair(work: Work, before: Rulebook, after: Rulebook) -> None:
    """Two rulebooks: every difference has its change, every change its difference."""
    differing = differences(before, after, work.count)
    told = {topic: change for change in diff(before, after) for topic in topics(before, after, change)}
    for topic, example in differing.items():
        work.hold(
            any(part in told for part in _parts(topic)),
            lambda topic=topic, example=example: _untold(before, after, topic, example),  # type: ignore[misc]
        )
    parts = {part for topic in differing for part in _parts(topic)}
    if behaviour(before).limits != behaviour(after).limits:
        parts.add(("limits",))  # also where they share no odds to compare them at
    for topic, change in told.items():
        work.hold(topic in parts, lambda change=change: _not_so(before, after, change))  # type: ignore[misc]


def _not_so(before: Rulebook, after: Rulebook, change: Change) -> Counterexample:
    """Something `diff` speaks of and that shows in no round; one is played to be looked at."""
    what = (
        f"{after.id} is said to differ from {before.id} in {change.subject} ({change.sentence}), "
        "and in no round it does."
    )
    cites = tuple(filter(None, (change.before, change.after)))
    named = [bet.name for bet in after.bets.values() if bet.title == change.subject]
    script = round_script(after, what, cards_of(after, every_round(after)[0]), dict.fromkeys(named, 100_00))
    return Counterexample(what, cites, script)


def _parts(topic: Topic) -> Iterable[Topic]:
    """A difference in drawing may be told of either hand's cell or of naturals; an offer with Insurance."""
    if topic[0] in ("offer", "limits"):
        return (topic, ("insurance",))
    if topic[0] != "draw":
        return (topic,)
    player, banker, third = topic[1:]
    return (("draw player", player), ("draw banker", banker, third), ("natural",))


def differences(
    before: Rulebook, after: Rulebook, count: Callable[[int], None] = lambda cases: None
) -> dict[Topic, Any]:
    """Everything in which two rulebooks come out differently, each with a round that shows it, or None."""
    a, b = behaviour(before), behaviour(after)
    count(len(a.draws) + len(a.offers) + sum(map(len, a.bets.values())))
    found: dict[Topic, Any] = dict.fromkeys(_card_differences(before, after, a, b))
    found |= dict.fromkeys(_table_differences(a, b))
    return found | dict(_bet_differences(a, b))


def _card_differences(before: Rulebook, after: Rulebook, a: Behaviour, b: Behaviour) -> Iterator[Topic]:
    points = before.cards.points, after.cards.points
    ranks = {**a.worths, **b.worths}
    if points[0].keys() != points[1].keys():
        yield ("ranks",)
    shared = points[0].keys() & points[1].keys()
    yield from (("worth", rank) for rank in ranks if rank in shared and points[0][rank] != points[1][rank])
    if a.decks != b.decks:
        yield ("decks",)
    if a.order != b.order:
        yield ("order",)
    for cell in a.draws.keys() & b.draws.keys():
        if a.draws[cell] != b.draws[cell]:
            yield ("draw", *map(str, cell))


def _table_differences(a: Behaviour, b: Behaviour) -> Iterator[Topic]:
    """Layouts, what Insurance is on offer, how much of it may be bet."""
    for letter in {**a.layouts, **b.layouts}:
        if a.layouts.get(letter) != b.layouts.get(letter):
            yield "layout", letter
    for situation in {**a.offers, **b.offers}:
        if a.offers.get(situation) != b.offers.get(situation):
            yield ("offer", *map(str, situation))
    if a.insured != b.insured:
        yield ("insurance",)
    if any(a.limits[odds] != b.limits[odds] for odds in a.limits.keys() & b.limits.keys()):
        yield ("limits",)


def _bet_differences(a: Behaviour, b: Behaviour) -> Iterator[tuple[Topic, FinishedRound | None]]:
    for name in {**a.bets, **b.bets}:
        if name not in a.bets or name not in b.bets:
            yield ("bet", name), None
            continue
        shared = sorted(a.bets[name].keys() & b.bets[name].keys())
        finish = next((one for one in shared if a.bets[name][one] != b.bets[name][one]), None)
        if finish is not None or a.where[name] != b.where[name]:
            yield ("bet", name), None if finish is None else a.rounds[finish]


def _both_have_cell(before: Rulebook, after: Rulebook, values: Mapping[str, Any]) -> bool:
    """Whether both tables decide there; the one that does not has a natural there, which ends the round."""
    player_totals = (book.table_of_play.player for book in (before, after))
    return all(values["total"] in totals for totals in player_totals)


def topics(before: Rulebook, after: Rulebook, change: Change) -> Iterable[Topic]:
    """What a change that bears on rounds is about; nothing for one about people, dates or readings."""
    kind = change.kind.rpartition(" ")[0]
    if kind not in IN_A_ROUND:
        return ()
    values = getattr(change.subject, "values", {})
    message = getattr(change.subject, "message", change.subject)
    if kind == "bet":
        named = {bet.title: name for book in (before, after) for name, bet in book.bets.items()}
        return (("bet", named[change.subject]),)
    if kind == "layout":
        letters = {*before.layouts, *after.layouts}
        return tuple(("layout", one) for one in letters if str(change.subject).split()[-1] == one)
    if kind == "table of play":
        if message.startswith(("Player", "Banker")) and not _both_have_cell(before, after, values):
            return (("natural",),)
        if message.startswith("Player"):
            return (("draw player", str(values["total"])),)
        if message.startswith("Banker"):
            return (("draw banker", str(values["total"]), str(values.get("third"))),)
        return () if message.startswith("play ") else (("natural",),)
    if kind == "cards":
        if "rank" in values:
            return (("worth", str(values["rank"])),)
        about = {"decks": "decks", "dealing order": "order", "ranks of a deck": "ranks"}
        return ((about[message],),) if message in about else ()
    if "own" in values:
        hand, window = values["hand"].lower(), values["window"].replace(" ", "_")
        return (("offer", hand, window, str(values["own"]), str(values["other"])),)
    if message == "limits":
        return (("limits",),)
    return () if message == "private tables" else (("insurance",),)


def _untold(before: Rulebook, after: Rulebook, topic: Topic, example: Any) -> Counterexample:
    """Something that differs and that `diff` does not speak of, played under the second of the two."""
    what = f"{before.id} and {after.id} differ in {' '.join(topic)}, and diff does not say so."
    played = example if isinstance(example, FinishedRound) else every_round(after)[0]
    bets = {topic[1]: 100_00} if topic[0] == "bet" and topic[1] in after.bets else {}
    script = round_script(after, what, cards_of(after, played), bets)
    return Counterexample(what, (after.identity.paragraph,), script)
