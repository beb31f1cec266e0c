"""`lammer accounts`: who may come in, for whoever keeps the machine; also while the house runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from lammer.cli.console import AsJson, out, say_json, table as grid
from lammer.cli.on_demand import PLAIN
from lammer.cli.record import Data, Where
from lammer.game.money import parse_amount, show
from lammer.lab.extras import needs

if TYPE_CHECKING:
    from lammer.floor.record.contract import Rows
    from lammer.floor.settings import Settings

app = typer.Typer(
    help="Who may come in: for whoever keeps the machine, also while the house runs.",
    no_args_is_help=True,
    **PLAIN,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of an account.")]


@contextmanager
def _rows(data: str | None, store: str | None) -> Iterator[tuple[Rows, Settings]]:
    with needs("floor"):
        from lammer.floor.record.store.opening import open_beside  # noqa: PLC0415
        from lammer.floor.settings import Settings  # noqa: PLC0415
    settings = Settings.read(data=data, store=store)
    with closing(open_beside(settings.record)) as rows:
        yield rows, settings


def _answer(as_json: bool, answer: Mapping[str, Any], sentence: str) -> None:
    """The answer for a program; for people a sentence, beneath the link if there is one."""
    if as_json:
        say_json(answer)
        return
    if "link" in answer:
        out.print(f"  {escape(answer['link'])}", soft_wrap=True)
    out.print(escape(sentence))


@app.command("list")
def list_accounts(data: Data = None, store: Where = None, as_json: AsJson = False) -> None:
    """Everybody with an account: their role, whether they may come in, who is in."""
    with _rows(data, store) as (rows, _):
        from lammer.floor.access.at_the_machine import known_accounts  # noqa: PLC0415

        accounts = known_accounts(rows)
    if as_json:
        say_json(accounts)
        return
    lines = [
        (
            account.name,
            account.title,
            account.role.replace("_", " "),
            "active" if account.active else "disabled",
            "yes" if account.password else "no",
            "yes" if account.second_factor else "no",
            str(account.sessions),
            "" if account.seen is None else f"{account.seen:%Y-%m-%d %H:%M}",
        )
        for account in accounts
    ]
    columns = ("name", "title", "role", "may come in", "password", "factor", "sessions", "last seen (UTC)")
    out.print(grid(columns, lines))


@app.command("make")
def make_account(
    name: Name,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="What they are, such as pit_manager.")],
    title: Annotated[str, typer.Option(help="What they are called, in any script.")] = "",
    data: Data = None,
    store: Where = None,
    as_json: AsJson = False,
) -> None:
    """A new account and its one-time link. At the machine nobody has to agree; it is written down."""
    with _rows(data, store) as (rows, settings):
        from lammer.floor.access.at_the_machine import machine_user, make  # noqa: PLC0415

        by = machine_user()
        token = make(rows, name, title, role, by=by)
    answer = {"name": name, "role": role, "link": _link(settings, token), "by": by}
    _answer(as_json, answer, f"It lets {name} in once, within a day. Written down as made by {by}.")


def _link(settings: Settings, token: str, address: str = "") -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    house = address or settings.public or f"http://{host}:{settings.port}"
    return f"{house.rstrip('/')}/link?token={token}"


@app.command("link")
def make_link(
    name: Name,
    data: Data = None,
    store: Where = None,
    hours: Annotated[float, typer.Option(help="How long it is good.")] = 1.0,
    address: Annotated[
        str, typer.Option(metavar="URL", help="The house's address, if not that of its settings.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """A one-time link, for somebody who is locked out. It is written down that you made it."""
    with _rows(data, store) as (rows, settings):
        from lammer.floor.access.at_the_machine import machine_user  # noqa: PLC0415
        from lammer.floor.access.links import Links  # noqa: PLC0415

        by = machine_user()
        token = Links(rows).make(name, hours, by=by)
    answer = {"name": name, "link": _link(settings, token, address), "hours": hours, "by": by}
    duration = "an hour" if hours == 1 else f"{hours:g} hours"
    _answer(as_json, answer, f"It lets {name} in once, within {duration}. Written down as made by {by}.")


@app.command("revoke")
def revoke_account(name: Name, data: Data = None, store: Where = None, as_json: AsJson = False) -> None:
    """End every session and link of an account, and its password; a new link lets its owner in again."""
    with _rows(data, store) as (rows, _):
        from lammer.floor.access.at_the_machine import machine_user, revoke  # noqa: PLC0415

        by = machine_user()
        revoked = revoke(rows, name, by=by)
    password = "the password" if revoked.password else "no password"
    _answer(
        as_json,
        {"name": name, **asdict(revoked), "by": by},
        f"{name}: {revoked.sessions} sessions, {revoked.links} links and {password} revoked."
        f" Written down as done by {by}.",
    )


@app.command("chips", context_settings={"ignore_unknown_options": True})
def issue_chips(
    name: Name,
    amount: Annotated[
        str, typer.Argument(metavar="AMOUNT", help="Dollars to put into the purse; negative to take out.")
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; it is written down.")] = "",
    data: Data = None,
    store: Where = None,
    as_json: AsJson = False,
) -> None:
    """Issue chips into a player's purse, or with a negative amount redeem some. It is written down."""
    with _rows(data, store) as (rows, settings):
        from lammer.floor.access.at_the_machine import issue_chips as issue, machine_user  # noqa: PLC0415

        by = machine_user()
        cents = parse_amount(amount.removeprefix("-")) * (-1 if amount.startswith("-") else 1)
        purse = issue(rows, name, cents, reason, chips=settings.chips * 100, by=by)
    action = "issued to" if cents > 0 else "redeemed from"
    _answer(
        as_json,
        {"name": name, "issued": show(cents), "purse": show(purse), "by": by},
        f"{show(abs(cents))} {action} {name}; the purse holds {show(purse)}. Written down as done by {by}.",
    )


@app.command("second-factor")
def second_factor(
    name: Name,
    remove: Annotated[bool, typer.Option("--remove", help="Take it away; it takes a reason.")] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; it is written down and told.")] = "",
    data: Data = None,
    store: Where = None,
    as_json: AsJson = False,
) -> None:
    """Whether an account has a second factor; and take it away, for somebody who has lost it."""
    with _rows(data, store) as (rows, _):
        from lammer.floor.access.at_the_machine import factor_of, machine_user, remove_factor  # noqa: PLC0415

        by, factor = machine_user(), factor_of(rows, name)
        if remove:
            remove_factor(rows, name, reason, by=by)
    passkeys, codes = len(factor.passkeys), factor.recovery_codes
    app_ = "an authenticator app" if factor.app else "no authenticator app"
    sentence = f"{name}: {app_}, {passkeys} passkeys, {codes} recovery codes left."
    if remove:
        sentence = f"{name} has no second factor any more, and no session. Written down as done by {by}."
    answer = {"name": name, "app": factor.app, "passkeys": passkeys, "recovery_codes": codes}
    _answer(as_json, answer | {"removed": remove, "by": by}, sentence)
