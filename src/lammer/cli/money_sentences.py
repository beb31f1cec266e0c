"""Money in a story: a settlement line by line, and what a correction changed, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from lammer.cli.pit_words import Sentence, align_rows, bet_title, irregularity_title, result
from lammer.cli.story import STYLES, signed
from lammer.game.cards import Card
from lammer.game.money import show, show_fraction
from lammer.table import events as e
from lammer.table.records import PaidLine
from lammer.table.state import Table


def round_settled(table: Table, event: e.RoundSettled) -> list[Sentence]:
    """Who won, a line a bet, and the total of whoever has several."""
    player, banker = tuple(map(Card, event.player)), tuple(map(Card, event.banker))
    return [Sentence(result(table, player, banker), "", "bold"), *_money(table, event.lines)]


def settlement_reopened(table: Table, event: e.SettlementReopened) -> list[Sentence]:
    """Why a settlement is undone, and what is taken back from whom."""
    why = irregularity_title(table, event.reason)
    first = Sentence(f"The settlement of round {event.round} is reopened: {why}", event.cite)
    rows = [[player, signed(cents), "is taken back"] for player, cents in _net(event.reversed).items()]
    return [first, *(Sentence(text) for text in align_rows(rows, right=(1,)))]


def round_corrected(table: Table, event: e.RoundCorrected) -> list[Sentence]:
    """An earlier round put right: why, the cards, the result and the money, each before and after."""
    player, banker = tuple(map(Card, event.player)), tuple(map(Card, event.banker))
    past, this_round = table.past.get(event.round), table.round
    hands = None if past is None else (past.player, past.banker)
    if past is None and this_round is not None and this_round.number == event.round:
        hands = tuple(this_round.values("player")), tuple(this_round.values("banker"))
    past_void = past is not None and past.void
    before = "" if hands is None else "void" if past_void else result(table, *hands)
    why = irregularity_title(table, event.because)
    reason = getattr(event, "reason", "")
    sentences = [
        Sentence(f"Round {event.round} is corrected: {why}{reason and f': {reason}'}", " ".join(event.cites))
    ]
    after = "void" if event.void else result(table, player, banker)
    cards_before, cards_after = _cards_of(hands) if hands is not None else "", _cards_of((player, banker))
    if (cards_before, before) != (cards_after, after):
        sentences += [Sentence(f"  recorded  {cards_before}: {before}")] if cards_before else []
        sentences.append(Sentence(f"  now       {cards_after}: {after}"))
    else:
        sentences.append(Sentence(f"  as before {cards_after}: {after}"))
    paid, due = _net(event.reversed), _net(event.posted)
    rows = [
        [name, "had", signed(paid.get(name, 0)), "has", signed(due.get(name, 0)), "difference",
         signed(due.get(name, 0) - paid.get(name, 0))]
        for name in dict.fromkeys((*paid, *due))
    ]  # fmt: skip
    return sentences + [Sentence(text) for text in align_rows(rows, right=(2, 4, 6))]


def _money(table: Table, lines: Sequence[PaidLine]) -> list[Sentence]:
    """A line a bet, then the total of whoever has several."""
    if not lines:
        return [Sentence("  no bets")]
    rows = [_line(table, line) for line in lines]
    several = [player for player in _net(lines) if len([line for line in lines if line.player == player]) > 1]
    rows += [[player, "", "in all", "", "", signed(_net(lines)[player]), ""] for player in several]
    texts = align_rows(rows, right=(3, 5))
    styles = [(" ".join(line.cites), STYLES[line.outcome]) for line in lines] + [("", "bold")] * len(several)
    return [Sentence(text, cite, style) for text, (cite, style) in zip(texts, styles, strict=True)]


def _line(table: Table, line: PaidLine) -> list[str]:
    bet = bet_title(table, line.bet)
    if line.window is not None:
        bet = f"Insurance on {line.bet.capitalize()} at {line.insured_at}"
    notes = [f"commission {show(line.commission)}"] if line.commission else []
    if line.remainder != "0":
        notes.append(f"{show_fraction(Fraction(line.remainder))} cut off")
    paid = f"{line.outcome} {line.pays}" if line.pays and line.window is None else line.outcome
    gain = signed(line.returned - line.stake)
    return [line.player, f"box {line.box}", bet, show(line.stake), paid, gain, ", ".join(notes)]


def _net(lines: Iterable[PaidLine]) -> dict[str, int]:
    """What lines of a settlement come to for each player."""
    net: dict[str, int] = {}
    for line in lines:
        net[line.player] = net.get(line.player, 0) + line.returned - line.stake
    return net


def _cards_of(hands: tuple[Sequence[Card], Sequence[Card]]) -> str:
    return f"Player {' '.join(hands[0])}, Banker {' '.join(hands[1])}"
