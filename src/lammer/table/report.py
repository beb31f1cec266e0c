"""What a table did: rounds, turnover and win per bet, hold, commission, corrections; by hour and by shoe.

A projection of the journal and of nothing else; a correction counts for the hour and the shoe of its round.
Win is what the House won on a bet, so a player's gain counts against it; commission is shown beside it and is
part of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from lammer.table import events as e
from lammer.table.journal import Entry
from lammer.table.records import PaidLine


@dataclass(slots=True)
class Takings:
    """What came in and what was won, in cents."""

    turnover: int = 0
    win: int = 0
    commission: int = 0
    bets: int = 0

    def add(self, line: PaidLine, sign: int) -> None:
        if line.outcome != "returned":
            self.turnover += sign * line.stake
        self.win += sign * (line.stake - line.returned)
        self.commission += sign * line.commission
        # A bet that was given back was not played for; one that a tie returns was.
        self.bets += sign * (not line.given_back)

    @property
    def hold(self) -> Fraction | None:
        """Win as a share of turnover."""
        return Fraction(self.win, self.turnover) if self.turnover else None


@dataclass(slots=True)
class Report:
    """The figures of a table."""

    rounds: dict[str, int] = field(default_factory=lambda: {"settled": 0, "void": 0, "concluded": 0})
    total: Takings = field(default_factory=Takings)
    by_bet: dict[str, Takings] = field(default_factory=dict)
    by_hour: dict[str, Takings] = field(default_factory=dict)
    by_shoe: dict[int, Takings] = field(default_factory=dict)
    fills: int = 0
    credits: int = 0
    corrections: list[dict[str, str]] = field(default_factory=list)

    def rows(self) -> list[Row]:
        """The same as rows of a table: what, which, bets, turnover, win, commission, hold in percent."""
        parts: list[tuple[str, str, Takings]] = [("total", "", self.total)]
        parts += [("bet", name, takings) for name, takings in sorted(self.by_bet.items())]
        parts += [("hour", name, takings) for name, takings in sorted(self.by_hour.items())]
        parts += [("shoe", str(number), takings) for number, takings in sorted(self.by_shoe.items())]
        return [row_of(what, which, takings) for what, which, takings in parts]


Row = tuple[str, str, int, int, int, int, str]
"""What, which, bets, turnover, win, commission, hold in percent."""


def row_of(what: str, which: str, takings: Takings) -> Row:
    """Takings as a row of a table."""
    hold = _percent(takings.hold)
    return what, which, takings.bets, takings.turnover, takings.win, takings.commission, hold


def _percent(share: Fraction | None) -> str:
    """Two decimals of a percentage, rounded down in size, without a float."""
    if share is None:
        return ""
    hundredths = abs(share.numerator) * 10_000 // share.denominator
    return f"{'-' if share < 0 else ''}{hundredths // 100}.{hundredths % 100:02d}"


def report(journal: Iterable[Entry]) -> Report:
    """The figures these entries add up to."""
    figures = Report()
    shoe = 0
    played: dict[int, tuple[str, int]] = {}
    for entry in journal:
        hour = f"{entry.at:%Y-%m-%dT%H:00%z}"
        match entry.event:
            case e.ShoePrepared(shoe=number):
                shoe = number
            case e.BankFilled(amount=amount):
                figures.fills += amount
            case e.BankCredited(amount=amount):
                figures.credits += amount
            case e.RoundSettled():
                figures.rounds["settled"] += 1
            case e.SettlementReopened(round=number, reason=reason):
                figures.rounds["settled"] -= 1
                _add_correction(figures, entry, number, reason)
            case e.RoundCorrected(round=number, because=because, void=void):
                if void:
                    figures.rounds["settled"] -= 1
                    figures.rounds["void"] += 1
                _add_correction(figures, entry, number, because)
            case e.RoundVoided():
                figures.rounds["void"] += 1
            case e.RoundConcluded():
                figures.rounds["concluded"] += 1
            case _:
                pass
        for number, lines, sign in money_posted(entry.event):
            _post(figures, lines, sign, *played.setdefault(number, (hour, shoe)))
    return figures


def money_posted(event: e.Event) -> tuple[tuple[int, tuple[PaidLine, ...], int], ...]:
    """The lines of money an event posts (1) or takes back (-1): the round, the lines, and which of both."""
    match event:
        case e.RoundSettled(round=number, lines=lines):
            return ((number, lines, 1),)
        case e.SettlementReopened(round=number, reversed=lines):
            return ((number, lines, -1),)
        case e.RoundCorrected(round=number, reversed=lines, posted=posted):
            return (number, lines, -1), (number, posted, 1)
        case _:
            return ()


def bet_name(line: PaidLine) -> str:
    """What a line is listed under: the bet, or Insurance of the hand."""
    return line.bet if line.window is None else f"insurance {line.bet}"


def _post(figures: Report, lines: Iterable[PaidLine], sign: int, hour: str, shoe: int) -> None:
    for line in lines:
        name = bet_name(line)
        for takings in (
            figures.total,
            figures.by_bet.setdefault(name, Takings()),
            figures.by_hour.setdefault(hour, Takings()),
            figures.by_shoe.setdefault(shoe, Takings()),
        ):
            takings.add(line, sign)


def _add_correction(figures: Report, entry: Entry, number: int, because: str) -> None:
    figures.corrections.append(
        {"round": str(number), "because": because, "by": entry.by, "at": entry.at.isoformat()}
    )
