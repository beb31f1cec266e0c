"""The pages about accounts as values: what waits for agreement, and what can be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from lammer.floor.access.accounts import ACCOUNT_ROLES, Account
from lammer.floor.access.api_keys import PURPOSES
from lammer.floor.access.grants import AGREES, Grant
from lammer.floor.record.registry import USUAL_PACE
from lammer.floor.web.pages.site.clocks import Clock
from lammer.floor.web.pages.site.frame import Choice, Say, choices, role_name
from lammer.wording.catalogues import Language, say

ASKED: Final = {
    "create": "{by} asks for an account {name} as {role}, {when}",
    "role": "{by} asks to make {name} {role}, {when}",
    "link": "{by} asks for a link for {name} ({role}), {when}",
    "enable": "{by} asks to let {name} ({role}) in again, {when}",
    "factor": "{by} asks to take the second factor of {name} ({role}) away, {when}: {reason}",
}
"""What is said of each thing while it waits for a second person."""
GRANTED: Final = {
    "create": "{name} was made {role} by {by} and {second}, {when}",
    "role": "{name} was made {role} by {by} and {second}, {when}",
    "link": "A link for {name} ({role}) was made by {by} and {second}, {when}",
    "enable": "{name} ({role}) was let in again by {by} and {second}, {when}",
    "factor": "The second factor of {name} ({role}) was taken away by {by} and {second}, {when}: {reason}",
}
"""What is said once two people agreed."""
TAKEN_AT_THE_MACHINE: Final = (
    "The second factor of {name} ({role}) was taken away at the machine by {by}, {when}: {reason}"
)

CHANGED: Final = (
    (r"created as (?P<role>\w+)", "Made as {role}"),
    (r"role (?P<before>\w+) to (?P<role>\w+)", "From {before} to {role}"),
    (r"disabled", "Disabled"),
    (r"enabled", "Enabled"),
    (r"password changed", "Password changed"),
    (r"link made", "A link was made"),
    (r"session ended", "A session was ended"),
    (r"sessions, links and password revoked", "Sessions, links and password were revoked"),
    (r"create asked for as (?P<role>\w+)", "Asked for an account as {role}"),
    (r"role asked for as (?P<role>\w+)", "Asked to become {role}"),
    (r"link asked for as (?P<role>\w+)", "Asked for a link as {role}"),
    (r"enable asked for as (?P<role>\w+)", "Asked to be let in again as {role}"),
    (
        r"removal of the second factor asked for: (?P<reason>.*)",
        "Asked to take the second factor away: {reason}",
    ),
    (r"(?P<what>\w+) declined", "What was asked for was declined"),
    (r"second factor removed: (?P<reason>.*)", "The second factor was taken away: {reason}"),
    (r"authenticator app set up", "An authenticator app was set up"),
    (r"authenticator app removed", "The authenticator app was removed"),
    (r"passkey set up", "A passkey was set up"),
    (r"passkey removed", "A passkey was removed"),
    (r"recovery codes made anew", "Recovery codes were made anew"),
    (r"recovery code used", "A recovery code was used"),
    (r"(?P<amount>[\d,.]+) of chips issued: (?P<reason>.*)", "{amount} of chips issued: {reason}"),
    (r"(?P<amount>[\d,.]+) of chips redeemed: (?P<reason>.*)", "{amount} of chips redeemed: {reason}"),
)
"""What the book of changes writes, and what is said of it."""


@dataclass(frozen=True, slots=True)
class GrantLine:
    """Something asked for about an account, as a sentence."""

    id: str
    account: str
    sentence: str
    may_agree: bool


@dataclass(frozen=True, slots=True)
class GrantLists:
    """What waits for a second person, and what was given lately; whether the reader is one who decides."""

    waiting: tuple[GrantLine, ...] = ()
    granted: tuple[GrantLine, ...] = ()
    may_decide: bool = False


def grant_lists(
    clock: Clock, waiting: Iterable[Grant], granted: Iterable[Grant], reader: Account
) -> GrantLists:
    """What waits and what was given, as this person reads it."""
    return GrantLists(
        tuple(_line(grant, asked_sentence(clock, grant), reader) for grant in waiting),
        tuple(_line(grant, granted_sentence(clock, grant), reader) for grant in granted),
        reader.role in AGREES,
    )


def _line(grant: Grant, sentence: str, reader: Account) -> GrantLine:
    return GrantLine(grant.id, grant.account, sentence, reader.name != grant.by)


def asked_sentence(clock: Clock, grant: Grant) -> str:
    """What somebody asks for."""
    return _sentence(clock, grant, ASKED[grant.does], grant.asked_at)


def granted_sentence(clock: Clock, grant: Grant) -> str:
    """What two people agreed to, or one did at the machine."""
    assert grant.decided_at is not None, "what was given was decided"
    message = GRANTED[grant.does] if grant.second else TAKEN_AT_THE_MACHINE
    return _sentence(clock, grant, message, grant.decided_at)


def _sentence(clock: Clock, grant: Grant, message: str, at: datetime) -> str:
    return say(
        clock.language,
        message,
        by=grant.by,
        second=grant.second,
        reason=grant.reason,
        name=grant.account,
        role=role_name(clock.language, grant.role),
        when=clock.moment(at, seconds=False),
    )


def change_words(language: Language, what: str) -> str:
    """A line of the book of changes for a reader; what is not known is shown as it was written.

    >>> change_words("en", "role dealer to pit_manager"), change_words("en", "something else")
    ('From dealer to pit manager', 'something else')
    """
    for pattern, message in CHANGED:
        found = re.fullmatch(pattern, what, re.DOTALL)
        if found is not None:
            roles = {"role", "before"}
            values = found.groupdict()
            return say(
                language,
                message,
                **{
                    name: role_name(language, text) if name in roles else text
                    for name, text in values.items()
                },
            )
    return what


def role_choices(language: Language, chosen: str) -> list[Choice]:
    """Every role an account may have."""
    return choices(((role, role_name(language, role)) for role in ACCOUNT_ROLES), chosen)


def purpose_choices(language: Language) -> list[Choice]:
    """What a key may be for, the display board first."""
    return choices((purpose, role_name(language, purpose)) for purpose in reversed(PURPOSES))


def pace_fields(t: Say) -> list[tuple[str, str, str]]:
    """The pauses of a table that deals itself: name, what each is called, the seconds most tables have."""
    return [
        ("betting", t("Betting"), f"{USUAL_PACE.betting:g}"),
        ("card", t("Between cards"), f"{USUAL_PACE.card:g}"),
        ("window", t("For Insurance"), f"{USUAL_PACE.window:g}"),
        ("between", t("Between rounds"), f"{USUAL_PACE.between:g}"),
    ]
