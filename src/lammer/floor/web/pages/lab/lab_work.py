"""Long work of the lab, asked for on a page: rounds dealt by the million, or shoes gone through by a counter.

One piece at a time in this process, on one thread, so that the tables go on being dealt beside it; bounded,
with progress, and it can be stopped: what it has by then is shown. The last runs of everybody are kept while
this process runs. For staff, auditors and administrators.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import quote

from litestar import Response, get, post
from litestar.response import Redirect

from lammer.floor.views.viewing import STAFF
from lammer.floor.web.context import context_of
from lammer.floor.web.long_work import Stopped, Work
from lammer.floor.web.pages.audit.audit import work_queue_of
from lammer.floor.web.pages.lab.lab import csv_file
from lammer.floor.web.pages.rules.book_names import book_choices
from lammer.floor.web.pages.rules.rule_words import bet_titles
from lammer.floor.web.pages.rules.rules import book_of
from lammer.floor.web.pages.site.coming_in import Form
from lammer.floor.web.pages.site.frame import Choice
from lammer.floor.web.pages.site.refusing import Pages, must_read
from lammer.floor.web.pages.site.site import Req, language_of, page, verified_fields
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_count
from lammer.wording.phrases import in_words

MAY: Final = (*STAFF, "auditor", "administrator")
MOST: Final = {"simulate": 1_000_000_000, "count": 20_000}
"""Rounds, and shoes: about half a minute on one core."""
USUAL: Final = {"simulate": 20_000_000, "count": 1_000}
KEPT_RUNS: Final = 8
"""Runs of one person that can be looked at again."""


class LabWork(Pages):
    """Simulating and counting."""

    path = "/lab/work"

    @get()
    async def desk(self, request: Req) -> Response[Any]:
        return page(request, "lab_work.html", **_page_values(request))

    @get("/now")
    async def now(self, request: Req) -> Response[Any]:
        """How far it is, or what it came to."""
        return page(request, "lab_work_now.html", **_page_values(request))

    @post()
    async def begin(self, request: Req, data: Form) -> Response[Any]:
        session = must_read(request, *MAY)
        verified_fields(session, data)
        desk = work_queue_of(request, "lab")
        if "stop" in data:
            desk.stop(session.account.name)
            return Redirect("/lab/work", status_code=303)
        book = book_of(request, str(data.get("book", "")))
        asked = request_of_form(data, book)
        must_be_installed()
        work = Work({"book": book.id} | asked, asked["times"], session.account.name, datetime.now(UTC))
        work.name = f"{work.begun:%Y%m%d%H%M%S%f}"
        desk.begin(work, lambda work: do_work(book, work))
        desk.keep_of(work.by, KEPT_RUNS)
        return Redirect("/lab/work#results", status_code=303)

    @get("/csv")
    async def as_csv(self, request: Req) -> Response[str]:
        """Every sheet of a run, to be taken away."""
        work = shown_run(request, must_read(request, *MAY).account.name)
        if work is None or work.result is None:
            raise Refused(
                "unknown_run", "There is no such run, or it has no figures.", next_step="Choose another run."
            )
        return csv_file(f"{work.what['book']}-{work.what['kind']}", *work.result.sheets())


def shown_run(request: Req, name: str) -> Work | None:
    """The run to be shown: the one asked for, else what is under way, the reader's last, or anybody's."""
    history = work_queue_of(request, "lab").history()
    asked = request.query_params.get("run")
    if asked is not None:
        return next((run for run in history if run.name == asked), None)
    under_way = [run for run in history if run.stands == "running"]
    own = [run for run in history if run.by == name]
    return next(iter((*under_way, *own, *history)), None)


def request_of_form(data: Mapping[str, Any], book: Rulebook) -> dict[str, Any]:
    """What is asked of the lab, within its bounds.

    >>> from lammer import rulebook
    >>> request_of_form({"kind": "count", "times": "200"}, rulebook("tiger-buffalo-noncommission@4"))
    {'kind': 'count', 'times': 200, 'decks': 8, 'cut': 14, 'seed': 1}
    """
    cards = book.cards
    kind = "count" if data.get("kind") == "count" else "simulate"
    try:
        times = int(str(data.get("times") or USUAL[kind]).replace(",", ""))
        usual = {"decks": cards.usual_decks, "cut": 14, "seed": 1}
        decks, cut, seed = (int(str(data.get(name) or value)) for name, value in usual.items())
    except ValueError:
        raise Refused("malformed_input", "These are whole numbers.", next_step="Write digits only.") from None
    if not (
        1 <= times <= MOST[kind]
        and 1 <= decks <= cards.most_decks
        and 0 <= cut <= cards.deck * decks - 6
        and 0 <= seed < 2**63
    ):
        raise Refused(
            "impossible_run",
            "A page goes through {rounds} rounds or {shoes} shoes at most, from 1 to {most_decks} decks.",
            next_step="`lammer simulate` and `lammer count` take more.",
            rounds=format(MOST["simulate"], ","),
            shoes=format(MOST["count"], ","),
            most_decks=cards.most_decks,
        )
    return {"kind": kind, "times": times, "decks": decks, "cut": cut, "seed": seed}


def must_be_installed() -> None:
    """Refuse where the kernels are not there."""
    if find_spec("numba") is None:
        raise Refused(
            "extra_missing",
            "Long work of the lab needs numba, which is not installed here.",
            next_step="Install lammer[lab]. The exact figures need nothing more.",
        )


def do_work(book: Rulebook, work: Work) -> Any:
    """Do it; what a stopped piece has so far is its result."""
    from lammer.lab.simulation.work import Threads  # noqa: PLC0415 (seconds, and only here)

    what = work.what

    def watch(times: int) -> None:
        try:
            work.reached(times)
        except Stopped:
            # Simulating and counting end on it as they do on Ctrl-C, with the rounds done so far.
            raise KeyboardInterrupt from None

    how = {name: what[name] for name in ("decks", "cut", "seed")}
    if what["kind"] == "count":
        from lammer.lab.counting.count import count  # noqa: PLC0415

        return count(book, shoes=what["times"], **how, workers=Threads(1), watch=watch)
    from lammer.lab.simulation.simulate import simulate  # noqa: PLC0415

    return simulate(book, what["times"], **how, workers=Threads(1), watch=watch)


def _page_values(request: Req) -> dict[str, Any]:
    name = must_read(request, *MAY).account.name
    language = language_of(request)
    work = shown_run(request, name)
    books = context_of(request).house.books
    t = partial(say, language)
    of, kind = (work.what["book"], work.what["kind"]) if work else ("", "")
    kinds = (
        ("simulate", t("Deal rounds (at most {most})", most=write_count(language, MOST["simulate"]))),
        ("count", t("Count shoes (at most {most})", most=write_count(language, MOST["count"]))),
    )
    sheets = work.result.sheets() if work and work.result else ()
    asked_run = request.query_params.get("run")
    return {
        "books": book_choices(books, of, language),
        "most_decks": max(book.cards.most_decks for book in books.values()),
        "names": bet_titles(language, books[of]) if of else {},
        "work": work,
        "simulated": kind == "simulate",
        "installed": find_spec("numba") is not None,
        "kinds": [Choice(value, label, value == kind == "count") for value, label in kinds],
        "usual_times": " / ".join(write_count(language, USUAL[name]) for name in ("simulate", "count")),
        "first_sheets": sheets[:1],
        "more_sheets": sheets[1:],
        "described": in_words(language, work.result.description) if work and work.result else "",
        "live": f"/lab/work/now?run={quote(asked_run)}" if asked_run is not None else "/lab/work/now",
        "runs": [_run_row(run, work, language) for run in work_queue_of(request, "lab").history()],
    }


def _run_row(run: Work, shown: Work | None, language: Language) -> dict[str, Any]:
    """A run of the history: whose, what, how many, and how it stands."""
    t = partial(say, language)
    return {
        "name": run.name,
        "begun": run.begun,
        "by": run.by,
        "kind": t("Count shoes") if run.what["kind"] == "count" else t("Deal rounds"),
        "book": run.what["book"],
        "times": run.what["times"],
        "seed": run.what["seed"],
        "stands": {
            "running": t("under way"),
            "done": t("done"),
            "stopped": t("stopped"),
            "failed": t("failed"),
        }[run.stands],
        "shown": shown is not None and shown.name == run.name,
    }
