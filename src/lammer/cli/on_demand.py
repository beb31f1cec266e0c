"""Commands that are imported when they are asked for, so that none pays for what another needs.

A list of commands needs their names and lines only, which stand where the commands are listed; a test holds
each line against the command's own. What a command does is its module's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperGroup

with suppress(ImportError):
    # Where another version of Typer has no such place, it reads every word itself, only later.
    import lammer.cli.plain_words  # noqa: F401

PLAIN: Final[dict[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}
"""How every command line here is made: no frames around its help, no traceback dressed up."""


class Named(NamedTuple):
    """Where a command is found, and its line in the list of commands."""

    module: str
    member: str
    line: str


class CommandsOnDemand(MutableMapping[str, Any]):
    """Commands by name, each made when it is first looked at.

    >>> commands = CommandsOnDemand({"deal": Named("lammer.cli.deal", "deal", "Deal one random round.")})
    >>> list(commands), "settle" in commands
    (['deal'], False)
    """

    def __init__(self, named: Mapping[str, Named]) -> None:
        self.named = named
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _command(name, self.named[name])
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.named

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __len__(self) -> int:
        return len(self.named)


def group_of(named: Mapping[str, Named]) -> type[TyperGroup]:
    """The kind of group that has these commands."""

    class Group(TyperGroup):
        def __init__(self, **given: Any) -> None:
            super().__init__(**given)
            self.commands = CommandsOnDemand(named)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(name, command.line) for name, command in named.items()])

    return Group


def _command(name: str, named: Named) -> Any:
    found = getattr(import_module(named.module), named.member)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(**PLAIN)
        alone.command(name)(found)
        found = alone
    command = typer.main.get_command(found)
    command.name = name
    return command
