"""The lab's charts: edges, decks, volatility, outcomes and Insurance, and what simulation and counting found.

Each function takes a result and gives an Altair chart; nothing is worked out here but where a mark goes. The
exact figures stand in the sheets: a chart is looked at beside its table, never instead of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lammer.draw.svg import GOLD, INK, WHITE
from lammer.lab.counting.exposure import Exposure
from lammer.lab.exact.analysis import Analysis, BetEdge, InsuranceEdge, percent
from lammer.lab.exact.removal import Effects
from lammer.lab.output.plotting import GREY, TEAL, TURNS, altair, by_turns, styled, svg, write
from lammer.lab.output.sheet import Cell, Sheet
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS
from lammer.rulebook.wording import HANDS, MOMENTS

if TYPE_CHECKING:
    from altair.typing import ChartType

__all__ = [
    "counting_chart",
    "counting_sheets",
    "decks_chart",
    "edge_chart",
    "exposure_chart",
    "insurance_chart",
    "outcomes_chart",
    "percentile_chart",
    "removal_chart",
    "svg",
    "volatility_chart",
    "write",
]

BAR = 22
"""The height of a bar with its distance to the next."""


def bet_fields(bet: BetEdge) -> dict[str, Any]:
    """How a bet is called, and what it turns on: what every mark of it carries."""
    return {"bet": bet.title or bet.bet.replace("_", " "), "turns": TURNS[bet.turns_on][0]}


def edge_chart(analysis: Analysis) -> ChartType:
    """Every bet's edge as a bar, the cheapest first.

    >>> from lammer import rulebook
    >>> from lammer.lab import edges
    >>> chart = edge_chart(edges(rulebook("tiger-buffalo-noncommission@4")))
    >>> chart.to_dict()["title"]["text"]
    'Edge of every bet'
    """
    values = [(bet, float(bet.edge * 100)) for bet in analysis.bets]
    return _bars(values, "edge, % of the stake", "Edge of every bet", analysis.description, "{:.4f}%")


def volatility_chart(analysis: Analysis) -> ChartType:
    """Every bet's standard deviation for a unit staked once, the calmest first."""
    values = [(bet, float(bet.variance) ** 0.5) for bet in analysis.bets]
    title = "Volatility: standard deviation of a unit staked"
    return _bars(values, "standard deviation, units", title, analysis.description, "{:.3f}")


def _bars(
    values: Sequence[tuple[BetEdge, float]], axis: str, title: str, subtitle: str, label: str
) -> ChartType:
    alt = altair()
    rows = [
        {**bet_fields(bet), "value": value, "end": max(value, 0.0), "label": label.format(value)}
        for bet, value in sorted(values, key=lambda pair: pair[1])
    ]
    marks = by_turns(alt, rows)
    order = [row["bet"] for row in rows]
    base = alt.Chart(alt.InlineData(rows)).encode(y=alt.Y("bet:N", sort=order, title=None))
    room = alt.Scale(domainMax=1.12 * max(*(value for _, value in values), 0.1))
    across = alt.X("value:Q", title=axis, scale=room, axis=alt.Axis(grid=False))
    bars = base.mark_bar(height=BAR - 8).encode(x=across, color=marks["color"])
    ends = base.mark_point(size=90, filled=True, opacity=1, stroke=WHITE, strokeWidth=1)
    texts = base.mark_text(align="left", dx=10, fontSize=12, color=INK).encode(x="end:Q", text="label:N")
    layers = alt.layer(bars, ends.encode(x="value:Q", **marks), texts)
    return styled(layers.properties(width=520, height=BAR * len(rows)), title, subtitle)


def decks_chart(analyses: Mapping[int, Analysis]) -> ChartType:
    """How each bet's edge moves with the number of decks: a picture a bet, each with a scale of its own."""
    rows = [
        {**bet_fields(bet), "decks": decks, "edge": float(bet.edge * 100)}
        for decks, analysis in analyses.items()
        for bet in analysis.bets
    ]
    alt = altair()
    marks = by_turns(alt, rows)
    base = alt.Chart().encode(
        x=alt.X("decks:O", title="decks", axis=alt.Axis(labelAngle=0, titlePadding=2)),
        y=alt.Y("edge:Q", title=None, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=3)),
    )
    lines = base.mark_line(strokeWidth=2).encode(color=marks["color"])
    points = base.mark_point(size=45, filled=True, opacity=1).encode(**marks)
    subtitle = "% of the stake; every picture has its own scale"
    return _small_multiples(alt, (lines, points), rows, "Edge by number of decks", subtitle)


def removal_chart(effects: Effects, analysis: Analysis) -> ChartType:
    """What one card gone does to each bet, by rank; above the line the House gains."""
    rows = [
        {**bet_fields(bet), "rank": rank, "effect": float(effect * 100)}
        for bet in analysis.bets
        for rank, effect in effects[bet.bet].items()
    ]
    alt = altair()
    ranks = alt.X("rank:O", sort=list(RANKS), title="card gone", axis=alt.Axis(labelAngle=0, titlePadding=2))
    up = alt.Y("effect:Q", title=None, axis=alt.Axis(tickCount=3))
    bars = alt.Chart().mark_bar(size=7).encode(x=ranks, y=up, color=by_turns(alt, rows)["color"])
    zero = alt.Chart().mark_rule(color=GREY).encode(y=alt.datum(0))
    subtitle = (
        "change of the edge in percentage points when one card is gone; every picture has its own scale"
    )
    return _small_multiples(alt, (bars, zero), rows, "Effects of removal", subtitle)


def _small_multiples(
    alt: Any, marks: Sequence[Any], rows: Sequence[Mapping[str, Any]], title: str, subtitle: str
) -> ChartType:
    """One small picture for each bet, four to a row, in the order of the document."""
    layers = alt.layer(*marks, data=alt.InlineData(list(rows))).properties(width=132, height=88)
    spacing = {"row": 76, "column": 60}
    return styled(_side_by_side(alt, layers, rows, "bet", columns=4, spacing=spacing), title, subtitle)


def _side_by_side(
    alt: Any, layers: Any, rows: Sequence[Mapping[str, Any]], field: str, *, columns: int, spacing: Any
) -> Any:
    """A picture for each value of a field, in the order they come in, each with a scale of its own."""
    facet = alt.Facet(f"{field}:N", sort=_in_order(rows, field), title=None)
    pictures = layers.facet(facet, columns=columns, bounds="flush", spacing=spacing)
    return pictures.resolve_scale(y="independent").resolve_axis(x="independent")


def _in_order(rows: Sequence[Mapping[str, Any]], field: str) -> list[str]:
    return list(dict.fromkeys(row[field] for row in rows))


OUTCOMES = {"won": TEAL, "returned": GOLD, "lost": "#b9bdc4"}


def outcomes_chart(analysis: Analysis) -> ChartType:
    """How often each bet is won, returned and lost, in the order of the document."""
    rows = [
        {**bet_fields(bet), "outcome": outcome, "place": place, "share": float(bet.share(outcome) * 100)}
        for bet in analysis.bets
        for place, outcome in enumerate(OUTCOMES)
    ]
    labels = [{**bet_fields(bet), "label": _won(bet), "at": 100} for bet in analysis.bets]
    alt = altair()
    scale = alt.Scale(domain=list(OUTCOMES), range=list(OUTCOMES.values()))
    order = [label["bet"] for label in labels]
    bars = (
        alt.Chart(alt.InlineData(rows))
        .mark_bar(height=BAR - 8, stroke=WHITE, strokeWidth=0.5)
        .encode(
            y=alt.Y("bet:N", sort=order, title=None),
            x=alt.X("share:Q", title="% of rounds", scale=alt.Scale(domain=[0, 100])),
            color=alt.Color(
                "outcome:N", scale=scale, legend=alt.Legend(title="from left to right", orient="bottom")
            ),
            order="place:Q",
        )
    )
    texts = (
        alt.Chart(alt.InlineData(labels))
        .mark_text(align="left", dx=6, fontSize=12, color=INK)
        .encode(y=alt.Y("bet:N", sort=order), x="at:Q", text="label:N")
    )
    layers = alt.layer(bars, texts).properties(width=480, height=BAR * len(order))
    return styled(layers, "What becomes of every bet", analysis.description)


def _won(bet: BetEdge) -> Phrase:
    return Phrase("won {share}%", share=percent(bet.share("won"), 2))


def insurance_chart(analysis: Analysis) -> ChartType:
    """Every Insurance on offer by hand and window: own total against the other's, odds, edge.

    >>> from lammer import rulebook
    >>> from lammer.lab import edges
    >>> insurance_chart(edges(rulebook("tiger-buffalo-noncommission@4")))
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused no_insurance_here: ...
    """
    if not analysis.insurance:
        raise Refused("no_insurance_here", "{rulebook} has no Insurance.", rulebook=analysis.rulebook)
    alt = altair()
    rows = [_insurance_cell(situation) for situation in analysis.insurance]
    colours = alt.Scale(range=["#fff6df", "#f0a030"], domain=[0, max(row["edge"] for row in rows)])
    if min(row["edge"] for row in rows) < 0:
        colours = alt.Scale(range=["#5fb8a5", WHITE, "#f0a030"], domainMid=0)
    color = alt.Color(
        "edge:Q", scale=colours, legend=alt.Legend(title="edge %", orient="bottom", gradientLength=300)
    )
    maps = [_heat_map(alt, where, rows, color) for where in _in_order(rows, "where")]
    together = alt.concat(*maps, columns=2, spacing=34).resolve_scale(color="shared")
    return styled(together, "Insurance: odds, and edge in percent", analysis.description)


def _heat_map(alt: Any, where: str, rows: Sequence[Mapping[str, Any]], color: Any) -> Any:
    """One hand in one window; only totals with an offer have a row or a column."""
    cells = [row for row in rows if row["where"] == where]
    flat = alt.Axis(labelAngle=0, ticks=False, domain=False)
    base = alt.Chart().encode(
        x=alt.X("other:O", title="total of the other hand", axis=flat),
        y=alt.Y("own:O", title="own total", axis=flat),
    )
    marks = (
        base.mark_rect(stroke=WHITE, strokeWidth=1.5).encode(color=color),
        base.mark_text(dy=-6, fontSize=12, fontWeight="bold", color=INK).encode(text="odds:N"),
        base.mark_text(dy=8, fontSize=11, color=INK).encode(text="label:N"),
    )
    title = alt.TitleParams(where, fontSize=13, anchor="start", offset=6)
    layers = alt.layer(*marks, data=alt.InlineData(cells), title=title)
    return layers.properties(width=alt.Step(50), height=alt.Step(36))


def _insurance_cell(situation: InsuranceEdge) -> dict[str, Any]:
    edge = float(situation.edge * 100)
    moment = MOMENTS[situation.window]
    return {
        "where": Phrase("{hand} insured, {window}", hand=HANDS[situation.hand], window=moment),
        "own": str(situation.own),
        "other": Phrase("any total") if situation.other is None else str(situation.other),
        "odds": str(situation.pays),
        "edge": edge,
        "label": f"{edge:.2f}",
    }


def percentile_chart(
    wins: Iterable[tuple[Cell, Cell, Cell]], title: str = "The table's win", unit: str = ""
) -> ChartType:
    """The spread of the table's win: over how many rounds, percentile, win; a picture for each of the first.

    >>> chart = percentile_chart((1000, percentile, win) for percentile, win in ((5, -900), (95, 1020)))
    >>> chart.to_dict()["title"]["subtitle"]
    'by percentile; below the line the House loses'
    """
    alt = altair()
    rows = [
        {
            "rounds": f"{int(rounds):,} rounds",
            "percentile": percentile,
            "win": win,
            "label": _short_number(win),
        }
        for rounds, percentile, win in sorted(tuple(float(cell or 0) for cell in row) for row in wins)
    ]
    base = alt.Chart().encode(
        x=alt.X("percentile:O", title="percentile", axis=alt.Axis(labelAngle=0, offset=14)),
        y=alt.Y(
            "win:Q",
            title=f"win{f', {unit}' if unit else ''}",
            # Both 6: every picture then ends at a tick of its own, and the headings above stand level.
            scale=alt.Scale(nice=6),
            axis=alt.Axis(format="~s", tickCount=6),
        ),
    )
    zero = alt.Chart().mark_rule(color=INK, strokeDash=[4, 3]).encode(y=alt.datum(0))
    line = base.mark_line(strokeWidth=2, color=TEAL)
    points = base.mark_point(size=50, filled=True, opacity=1, color=TEAL)
    # A spread only rises, so the place below and right of a point is free.
    texts = base.mark_text(align="left", dx=7, dy=8, fontSize=11, color=INK).encode(text="label:N")
    layers = alt.layer(line, points, texts, zero, data=alt.InlineData(rows)).properties(width=230, height=230)
    pictures = _side_by_side(alt, layers, rows, "rounds", columns=3, spacing=96)
    return styled(pictures, title, "by percentile; below the line the House loses")


def _short_number(value: float) -> str:
    """A number as short as a label needs.

    >>> _short_number(-12345.6), _short_number(980), _short_number(0.25)
    ('-12.3k', '980', '0.25')
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.1f}{letter}"
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2f}"


def exposure_chart(
    profits: Iterable[tuple[str, float, float]], title: str = "Exposure to counting"
) -> ChartType:
    """What a counter makes on each bet: its name, the profit per 100 rounds, and its standard error.

    >>> chart = exposure_chart([("Tie", 0.012, 0.004), ("Player Pair", -0.001, 0.003)])
    >>> chart.to_dict()["title"]["text"]
    'Exposure to counting'
    """
    alt = altair()
    rows = [
        {
            "bet": name,
            "profit": profit,
            "low": profit - 1.96 * error,
            "high": profit + 1.96 * error,
            "label": f"{profit:.4f} ± {1.96 * error:.4f}",
        }
        for name, profit, error in profits
    ]
    names = [row["bet"] for row in rows]
    base = alt.Chart(alt.InlineData(rows)).encode(y=alt.Y("bet:N", sort=names, title=None))
    zero = alt.Chart().mark_rule(color=INK, strokeDash=[4, 3]).encode(x=alt.datum(0))
    axis = "the counter's profit in units over 100 rounds, with its 95% interval"
    across = alt.X("low:Q", title=axis, axis=alt.Axis(grid=False))
    spans = base.mark_rule(color=TEAL, strokeWidth=2).encode(x=across, x2="high:Q")
    points = base.mark_point(size=70, filled=True, opacity=1, color=TEAL).encode(x="profit:Q")
    texts = base.mark_text(align="left", dx=8, fontSize=12, color=INK).encode(x="high:Q", text="label:N")
    layers = alt.layer(spans, points, texts, zero).properties(width=460, height=BAR * max(len(rows), 2))
    return styled(layers, title, "right of the line the counter gains")


def counting_chart(exposure: Exposure, book: Rulebook) -> ChartType:
    """What a counter makes on each bet and Insurance."""
    title = Phrase("Exposure to counting: {rulebook}", rulebook=exposure.rulebook)
    return exposure_chart(exposure.profits({name: bet.title for name, bet in book.bets.items()}), title)


def counting_sheets(exposure: Exposure, book: Rulebook) -> list[tuple[Sheet, ChartType | None]]:
    """The sheets of a count for a report, the first with its chart."""
    sheets = [exposure.bets_sheet(), exposure.insurance_sheet(), exposure.systems_sheet()]
    charts = [counting_chart(exposure, book), None, None]
    return [pair for pair in zip(sheets, charts, strict=True) if pair[0].rows]
