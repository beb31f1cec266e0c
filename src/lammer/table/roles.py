"""Who may do what, and the paragraph that says so.

The documents name a role where one is needed; where they say "the House", a Pit Supervisor or above decides,
or whom the table's set-up names (reading `house_decides`); where they name nobody, whoever deals may call it.
"""

from __future__ import annotations

from lammer.game.settlement import must_name_player
from lammer.rulebook.citation import Citation
from lammer.rulebook.model import Irregularity
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import ROLES
from lammer.table.commands import Call
from lammer.table.state import OVER, Table


def title(role: str) -> str:
    """A role as it is written.

    >>> title("pit_supervisor")
    'Pit Supervisor'
    """
    return role.replace("_", " ").title()


def is_at_least(call: Call, least: str) -> bool:
    """Whether somebody is of that role or above it."""
    return call.role in ROLES and ROLES.index(call.role) >= ROLES.index(least)


def must_be(call: Call, least: str, cite: Citation | None) -> None:
    """Refuse whoever is not of that role or above it."""
    if not is_at_least(call, least):
        raise Refused(
            "not_your_role",
            "{role} {by} may not do this; it takes a {least} or above.",
            cite,
            next_step="Ask a {least}.",
            role=Term(title(call.role)),
            by=call.by,
            least=Term(title(least)),
        )


def must_act_for(table: Table, call: Call, player: str) -> None:
    """A player acts for themselves; staff act for a player at their request."""
    must_name_player(player)
    if call.role == "player" and call.by != player:
        raise Refused(
            "not_your_bet",
            "{by} may not act for {player}.",
            table.cite("bet_by_staff"),
            next_step="A player asks the dealer, who may place bets for them.",
            by=call.by,
            player=player,
        )
    if call.role != "player":
        must_be(call, "dealer", table.cite("bet_by_staff"))


def irregularity(table: Table, name: str) -> Irregularity:
    """What the table's document says of an irregularity, or `no_such_rule` with the discretion paragraph."""
    rule = table.book.irregularities.get(name)
    if rule is None:
        raise Refused(
            "no_such_rule",
            "{rulebook} has no paragraph for this ({name}).",
            table.cite("unprovided_matter"),
            next_step="A Table Game Shift Manager or above may rule on it.",
            rulebook=table.book.id,
            name=name.replace("_", " "),
        )
    return rule


def must_decide(table: Table, call: Call, name: str, action: str) -> Citation:
    """Refuse whoever may not take this step of an irregularity; hand out the paragraph otherwise."""
    for step in irregularity(table, name).steps:
        if step.does == action:
            must_be(call, _deciding_role(table, step.by), step.cite)
            return step.cite
    raise Refused(
        "no_such_rule",
        "{rulebook} does not provide for this ({does}).",
        table.cite("unprovided_matter"),
        next_step="A Table Game Shift Manager or above may rule on it.",
        rulebook=table.book.id,
        does=action.replace("_", " "),
    )


def _deciding_role(table: Table, by: str) -> str:
    """The least role that decides where the document says so: the House is whom the table names for it."""
    if by == "house":
        return table.require_setup().house_role
    return "dealer" if by == "rules" else by


def must_be_house(table: Table, call: Call, cite: Citation | None) -> None:
    """Refuse whoever does not speak for the House at this table."""
    must_be(call, table.require_setup().house_role, cite)


def is_in_a_round(table: Table) -> bool:
    """Whether a round is under way."""
    return table.round is not None and table.round.phase not in OVER


def must_be_between_rounds(table: Table) -> None:
    """Refuse while a round is under way."""
    if table.round is not None and is_in_a_round(table):
        raise Refused(
            "round_under_way",
            "Round {round} is under way.",
            table.cite("round"),
            next_step="Settle or void it first.",
            round=table.round.number,
        )
