"""Charts of what was dealt: the house's win on a mix, or every bet's distance from its exact edge.

They take a `Simulation` and place marks; the figures are in its sheets. Colours, shapes and letters are those
of `plotting`. Nothing is dealt or worked out here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lammer.draw.svg import INK
from lammer.lab.output.plotting import GREY, RULE, altair, by_turns, styled
from lammer.lab.reporting.charts import BAR, bet_fields, percentile_chart
from lammer.lab.simulation.mix import PERCENTILES

if TYPE_CHECKING:
    from altair.typing import ChartType

    from lammer.lab.simulation.simulate import Simulation

LIKELY, LIMIT = 2, 4
"""Standard errors that chance often reaches, and those it does not."""
WIDTH = 520
MANY = 4
"""Bets of a mix that still fit in a title."""


def simulation_chart(simulation: Simulation) -> ChartType:
    """The house's win by percentile where a mix was played, else how far each bet was dealt from its edge.

    >>> from lammer import rulebook
    >>> from lammer.lab.simulation.simulate import simulate
    >>> book = rulebook("tiger-buffalo-noncommission@4")
    >>> simulation_chart(simulate(book, 20_000)).to_dict()["title"]["text"]
    'Dealt against exact, in standard errors'
    >>> simulation_chart(simulate(book, 20_000, mix="banker=100")).to_dict()["title"]["text"]
    "The House's win on banker 100.00 a round"
    """
    return (
        win_chart(simulation)
        if simulation.mix.stakes and simulation.tally.wins
        else distance_chart(simulation)
    )


def win_chart(simulation: Simulation) -> ChartType:
    """The house's win over each length of play, by percentile."""
    wins = [
        (row[0], percentile, win)
        for row in simulation.wins_sheet().rows
        for percentile, win in zip(PERCENTILES, row[2:-2], strict=True)
    ]
    staked = ", ".join(f"{bet.replace('_', ' ')} {money}" for bet, money in simulation.staked())
    if len(simulation.mix.stakes) > MANY:
        staked = f"{len(simulation.mix.stakes)} bets"
    return percentile_chart(wins, f"The House's win on {staked} a round", "dollars")


def distance_chart(simulation: Simulation) -> ChartType:
    """Every bet's dealt edge less its exact edge, in standard errors; chance keeps within the grey."""
    alt = altair()
    scores = {bet: score.z for bet, score in simulation.scores().items()}
    rows = [
        {
            **bet_fields(bet),
            "z": scores[bet.bet],
            "label": f"{scores[bet.bet]:+.2f}".replace("-", "−"),
        }
        for bet in simulation.exact.bets
    ]
    most = max(LIMIT, *(abs(score) for score in scores.values())) + 1
    across = alt.X(
        "z:Q",
        title="dealt edge less exact edge, in standard errors",
        scale=alt.Scale(domain=[-most, most], nice=False),
        axis=alt.Axis(grid=False),
    )
    order = [row["bet"] for row in rows]
    lines = alt.Axis(grid=True, ticks=False, domain=False)
    base = alt.Chart(alt.InlineData(rows)).encode(y=alt.Y("bet:N", sort=order, title=None, axis=lines))
    band = alt.Chart(alt.InlineData([{"low": -LIKELY, "high": LIKELY}])).mark_rect(color=RULE, opacity=0.5)
    limits = alt.Chart(alt.InlineData([{"z": -LIMIT}, {"z": LIMIT}])).mark_rule(color=GREY, strokeDash=[4, 3])
    zero = alt.Chart(alt.InlineData([{"z": 0}])).mark_rule(color=GREY)
    points = base.mark_point(size=90, filled=True, opacity=1).encode(x=across, **by_turns(alt, rows))
    # Written at the end of the row, where no mark of this row or another can lie on it.
    texts = base.mark_text(align="left", dx=8, fontSize=12, color=INK).encode(
        x=alt.value(WIDTH), text="label:N"
    )
    layers = alt.layer(
        band.encode(x="low:Q", x2="high:Q"), limits.encode(x="z:Q"), zero.encode(x="z:Q"), points, texts
    )
    size = {"width": WIDTH, "height": BAR * len(rows)}
    return styled(
        layers.properties(**size), "Dealt against exact, in standard errors", simulation.description
    )
