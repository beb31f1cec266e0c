"""`lammer simulate`: whole shoes dealt to the cut card, every bet at once, held against the exact edges.

Interrupted by Ctrl-C it prints what it has and ends with 130; left by its cluster it does the same and ends
with 1. What is dealt and how it is judged is the lab's business.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.markup import escape

from lammer.cli.console import INTERRUPTED, REFUSED, AsCsv, AsJson, err, must_not_disagree, out, say_json
from lammer.cli.lab import BookId, Decks, Play, full_shoe, print_csv, print_sheet
from lammer.cli.progress import progress, workers_of
from lammer.lab.exact.choices import played_as
from lammer.lab.exact.composition import Composition
from lammer.lab.extras import needs
from lammer.lab.output.plotting import altair, must_be_written_as, write
from lammer.rulebook.refusal import Refused
from lammer.shelf import rulebook

if TYPE_CHECKING:
    from lammer.lab.simulation.mix import Insure
    from lammer.lab.simulation.simulate import Device, Score, Simulation

ABOUT_Z = (
    "z is dealt less exact in standard errors: beyond 4 is not chance, save past some 1e10 rounds, where "
    "dealing on to a cut card begins to show."
)

ABOUT_MONEY = "Amounts are in dollars; the mean is of the stretches dealt."

_ROUNDS = re.compile(r"[0-9]{1,20}(_[0-9]+)*(\.[0-9]{1,20})?(e\+?[0-9]{1,2})?", re.IGNORECASE)


def simulate(
    context: typer.Context,
    book_id: BookId,
    rounds: Annotated[str, typer.Option(metavar="ROUNDS", help="Rounds to deal: 1e9, 1_000_000.")] = "1e8",
    decks: Decks = None,
    play: Play = "",
    shoe: Annotated[str, typer.Option(metavar="COUNTS", help='Any shoe: "A=31,2=32,…,K=32".')] = "",
    cut: Annotated[int, typer.Option(help="Cards behind the cut card.")] = 14,
    mix: Annotated[
        str | None,
        typer.Option(metavar="BET=STAKE,…", help='Stakes of every round: "banker=100,small_tiger=10".'),
    ] = None,
    insure: Annotated[
        str, typer.Option(metavar="always|never|when-positive", help="When the mix takes Insurance.")
    ] = "never",
    seed: Annotated[int, typer.Option(help="The same seed gives the same counts.")] = 1,
    threads: Annotated[int, typer.Option(help="Threads; 0 for every core.", min=0)] = 0,
    device: Annotated[str, typer.Option(metavar="cpu|cuda", help="Where shoes are dealt.")] = "cpu",
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A dask scheduler's address.")] = "",
    plot: Annotated[str, typer.Option(metavar="FILE", help="Draw the outcome as .svg or .png.")] = "",
    as_csv: AsCsv = False,
    as_json: AsJson = False,
) -> None:
    """Deal whole shoes: every bet against its exact edge, and the house's win on a mix of bets.

    Ctrl-C prints what it has.
    """
    must_not_disagree(context, "as_csv", "as_json")
    must_not_disagree(context, "decks", "shoe")
    if plot:
        must_be_written_as(plot)
        altair()
    if threads and cluster:
        raise Refused("impossible_run", "Threads are of this machine.", next_step="Leave out --threads.")
    wanted_rounds = whole_rounds(rounds)
    if mix is not None:
        must_be_a_mix(mix)
    with needs("lab"):
        from lammer.lab.simulation.simulate import simulate as run  # noqa: PLC0415
    book = rulebook(book_id)
    book = played_as(book, play, full_shoe(book, decks))
    with progress("rounds", wanted_rounds) as show_progress:
        simulation = run(
            book,
            wanted_rounds,
            shoe=Composition.parse(shoe) if shoe else full_shoe(book, decks),
            cut=cut,
            mix=mix or "",
            insure=cast("Insure", insure),
            seed=seed,
            workers=workers_of(threads, cluster) if threads or cluster else None,
            device=cast("Device", device),
            watch=show_progress,
        )
    if as_json:
        say_json(simulation_json(simulation))
    elif as_csv:
        print_csv(simulation.sheets())
    else:
        _print_simulation(simulation)
    # Drawn last: a chart that cannot be written must not cost a long run its figures.
    if plot:
        from lammer.lab.reporting.charts_of_play import simulation_chart  # noqa: PLC0415

        write(simulation_chart(simulation), plot)
    if simulation.stopped:
        err.print(
            escape(
                f"Stopped after {simulation.rounds:,} of {simulation.asked:,} rounds: {simulation.stopped}"
            )
        )
        raise typer.Exit(INTERRUPTED if simulation.stopped == "interrupted" else REFUSED)


def whole_rounds(text: str) -> int:
    """A number of rounds as people write it; anything but a whole number is refused.

    >>> whole_rounds("1e9"), whole_rounds("1_000_000"), whole_rounds("2.5e6")
    (1000000000, 1000000, 2500000)
    >>> whole_rounds("a lot")
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused impossible_run: 'a lot' is no number of rounds. ...
    """
    plain = text.strip().replace(",", "_")
    number = Decimal(plain.replace("_", "")) if _ROUNDS.fullmatch(plain) else Decimal(-1)
    if number < 0 or number != number.to_integral_value():
        raise Refused(
            "impossible_run",
            "{text} is no number of rounds.",
            next_step="Write a whole number, such as 1e9, 2.5e6 or 1_000_000.",
            text=repr(text[:40]),
        )
    return int(number)


def must_be_a_mix(mix: str) -> None:
    """Refuse a mix that names no bet: whoever types one means one."""
    if not mix.replace(",", " ").strip():
        raise Refused(
            "impossible_run",
            "The mix is empty.",
            next_step="Write banker=100,small_tiger=10, or leave out --mix.",
        )


def _print_simulation(simulation: Simulation) -> None:
    out.print(escape(simulation.description))
    for place, sheet in enumerate(simulation.sheets()):
        print_sheet(sheet, title=f"\n{sheet.name}")
        if not place:
            out.print(ABOUT_Z, style="dim")
    if simulation.mix.stakes:
        out.print(ABOUT_MONEY, style="dim")


def simulation_json(simulation: Simulation) -> dict[str, Any]:
    """A run for programs: edges as fractions of whole counts, money as it is shown."""
    from lammer.lab.simulation.mix import PERCENTILES  # noqa: PLC0415

    return {
        "rulebook": simulation.exact.rulebook,
        "shoe": simulation.exact.shoe.counts,
        "rounds": simulation.rounds,
        "asked": simulation.asked,
        "seed": simulation.seed,
        "cut": simulation.cut,
        "mix": dict(simulation.staked()),
        "insure": simulation.insure,
        "stopped": simulation.stopped,
        "bets": [{"bet": bet, **_score_json(score)} for bet, score in simulation.scores().items()],
        "insurance": [
            {**situation.situation(), "times": times, **_score_json(score)}
            for situation, times, score in simulation.insurance_scores()
        ],
        "insured": [
            dict(zip(("hand", "window", "taken", "of_rounds_percent", "won_percent"), row, strict=True))
            for row in (simulation.insured_sheet().rows if simulation.insure == "when-positive" else ())
        ],
        "wins": [
            {
                "rounds": rounds,
                "stretches": stretches,
                "percentiles": dict(zip(map(str, PERCENTILES), wins, strict=True)),
                "house_loses_percent": lost,
                "mean": mean,
            }
            for rounds, stretches, *wins, lost, mean in (
                simulation.wins_sheet().rows if simulation.mix.stakes else ()
            )
        ],
    }


def _score_json(score: Score) -> dict[str, Any]:
    return {
        "exact": str(score.exact),
        "dealt": str(score.dealt),
        "standard_error": score.error,
        "z": round(score.z, 4),
    }
