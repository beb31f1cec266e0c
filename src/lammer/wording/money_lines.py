"""Lines of money in any language: a settlement bet by bet, what is taken back, what a correction changes.

Lines are cells, for whoever prints them to put under each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lammer.game.money import show_fraction
from lammer.rulebook.vocabulary import Outcome
from lammer.table.records import PaidLine
from lammer.wording.events import EventWriter
from lammer.wording.figures import write_money, write_signed


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """A line: its cells, the paragraphs it stands on, and how a bet ended where it is of one bet."""

    cells: tuple[str, ...]
    cites: tuple[str, ...] = ()
    outcome: Outcome | None = None


def settlement_lines(writer: EventWriter, lines: Sequence[PaidLine]) -> list[MoneyLine]:
    """A line a bet, then the total of whoever has several.

    >>> line = PaidLine(1, "p1", 2, "tie", None, 50_00, "won", "8:1", 400_00, 0, "0", 450_00, ("4.1.1",))
    >>> settlement_lines(EventWriter("en", None), [line])[0].cells
    ('p1', 'box 2', 'tie', '50.00', 'won 8:1', '+400.00', '')
    """
    net = _net(lines)
    several = [player for player in net if sum(line.player == player for line in lines) > 1]
    return [_line(writer, line) for line in lines] + [
        MoneyLine((player, "", writer.say("in all"), "", "", write_signed(writer.language, net[player]), ""))
        for player in several
    ]


def reversal_lines(writer: EventWriter, lines: Iterable[PaidLine]) -> list[MoneyLine]:
    """What is taken back from each player when a settlement is undone.

    >>> line = PaidLine(1, "p1", 2, "tie", None, 50_00, "won", "8:1", 400_00, 0, "0", 450_00, ("4.1.1",))
    >>> [line.cells for line in reversal_lines(EventWriter("en", None), [line])]
    [('p1', '+400.00', 'is taken back')]
    """
    return [
        MoneyLine((player, write_signed(writer.language, cents), writer.say("is taken back")))
        for player, cents in _net(lines).items()
    ]


def correction_lines(
    writer: EventWriter, reversed_lines: Iterable[PaidLine], posted: Iterable[PaidLine]
) -> list[MoneyLine]:
    """What each player had of a round, what they have after its correction, and the difference.

    >>> line = PaidLine(1, "p1", 2, "tie", None, 50_00, "won", "8:1", 400_00, 0, "0", 450_00, ("4.1.1",))
    >>> correction_lines(EventWriter("en", None), [line], [])[0].cells
    ('p1', 'had', '+400.00', 'has', '0.00', 'difference', '−400.00')
    """
    paid, due = _net(reversed_lines), _net(posted)
    lines = []
    for player in dict.fromkeys((*paid, *due)):
        had, has = paid.get(player, 0), due.get(player, 0)
        money = [write_signed(writer.language, cents) for cents in (had, has, has - had)]
        words = writer.say("had"), writer.say("has"), writer.say("difference")
        cells = [cell for pair in zip(words, money, strict=True) for cell in pair]
        lines.append(MoneyLine((player, *cells)))
    return lines


def _line(writer: EventWriter, line: PaidLine) -> MoneyLine:
    bet = writer.bet(line.bet)
    if line.window is not None:
        bet = writer.say("Insurance on {hand} at {odds}", hand=writer.side(line.bet), odds=line.insured_at)
    notes = []
    if line.commission:
        commission = write_money(writer.language, line.commission)
        notes.append(writer.say("commission {amount}", amount=commission))
    if line.remainder != "0":
        rest = show_fraction(Fraction(line.remainder))
        notes.append(writer.say("{amount} cut off", amount=rest))
    outcome = writer.say(line.outcome)
    cells = (
        line.player,
        writer.say("box {box}", box=writer.box(line.box)),
        bet,
        write_money(writer.language, line.stake),
        f"{outcome} {line.pays}" if line.pays and line.window is None else outcome,
        write_signed(writer.language, line.returned - line.stake),
        writer.say("; ").join(notes),
    )
    return MoneyLine(cells, line.cites, line.outcome)


def _net(lines: Iterable[PaidLine]) -> dict[str, int]:
    """What lines of a settlement come to for each player."""
    net: dict[str, int] = {}
    for line in lines:
        net[line.player] = net.get(line.player, 0) + line.returned - line.stake
    return net
