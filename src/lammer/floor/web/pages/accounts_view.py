"""The pages about accounts as values: people, keys, tables, denials, what waits for agreement."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from urllib.parse import quote

from lammer.floor.access.accounts import ACCOUNT_ROLES, Account
from lammer.floor.access.api_keys import PURPOSES, ApiKey
from lammer.floor.access.denials import Denial
from lammer.floor.access.grants import AGREES, Grant
from lammer.floor.record.registry import USUAL_PACE, Listed
from lammer.floor.web.pages.frame import Choice, Say, choices, role_name
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_moment


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


@dataclass(frozen=True, slots=True)
class Person:
    """An account on its line, with what may be changed about it."""

    name: str
    title: str
    role: str
    roles: list[Choice]
    active: bool
    has_factor: bool
    address: str


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a device on its line; its origin is when it was made and by whom."""

    id: str
    table: str
    purpose: str
    origin: str
    revoked: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of the house on its line; `betting` is its pace where it deals itself."""

    id: str
    title: str
    betting: str
    set_up: bool


@dataclass(frozen=True, slots=True)
class PaceField:
    """A pause of a table that deals itself, in seconds."""

    name: str
    label: str
    seconds: str


@dataclass(frozen=True, slots=True)
class DenialLine:
    """An attempt that was denied, on its line."""

    number: int
    at: str
    times: int
    who: str
    role: str
    request: str
    reason: str
    table: str
    place: str


def grant_lists(
    language: Language, waiting: Iterable[Grant], granted: Iterable[Grant], reader: Account
) -> GrantLists:
    """What waits and what was given, as this person reads it."""
    return GrantLists(
        tuple(_line(grant, asked_sentence(language, grant), reader) for grant in waiting),
        tuple(_line(grant, granted_sentence(language, grant), reader) for grant in granted),
        reader.role in AGREES,
    )


def _line(grant: Grant, sentence: str, reader: Account) -> GrantLine:
    return GrantLine(grant.id, grant.account, sentence, reader.name != grant.by)


def asked_sentence(language: Language, grant: Grant) -> str:
    """What somebody asks for."""
    t = partial(
        say,
        language,
        by=grant.by,
        reason=grant.reason,
        name=grant.account,
        role=role_name(language, grant.role),
        when=write_moment(language, grant.asked_at, UTC, seconds=False),
    )
    match grant.does:
        case "create":
            return t("{by} asks for an account {name} as {role}, {when}")
        case "role":
            return t("{by} asks to make {name} {role}, {when}")
        case "link":
            return t("{by} asks for a link for {name} ({role}), {when}")
        case "enable":
            return t("{by} asks to let {name} ({role}) in again, {when}")
        case "factor":
            return t("{by} asks to take the second factor of {name} ({role}) away, {when}: {reason}")


def granted_sentence(language: Language, grant: Grant) -> str:
    """What two people agreed to, or one did at the machine."""
    assert grant.decided_at is not None, "what was given was decided"
    t = partial(
        say,
        language,
        by=grant.by,
        second=grant.second,
        reason=grant.reason,
        name=grant.account,
        role=role_name(language, grant.role),
        when=write_moment(language, grant.decided_at, UTC, seconds=False),
    )
    if not grant.second:
        return t(
            "The second factor of {name} ({role}) was taken away at the machine by {by}, {when}: {reason}"
        )
    match grant.does:
        case "create" | "role":
            return t("{name} was made {role} by {by} and {second}, {when}")
        case "link":
            return t("A link for {name} ({role}) was made by {by} and {second}, {when}")
        case "enable":
            return t("{name} ({role}) was let in again by {by} and {second}, {when}")
        case "factor":
            return t(
                "The second factor of {name} ({role}) was taken away by {by} and {second}, {when}: {reason}"
            )


def role_choices(language: Language, chosen: str) -> list[Choice]:
    """Every role an account may have."""
    return choices(((role, role_name(language, role)) for role in ACCOUNT_ROLES), chosen)


def person(language: Language, account: Account, with_factor: Collection[str]) -> Person:
    """An account on its line."""
    return Person(
        account.name,
        account.title,
        role_name(language, account.role),
        role_choices(language, account.role),
        account.active,
        account.name in with_factor,
        f"/accounts/people/{quote(account.name)}",
    )


def key_line(language: Language, api_key: ApiKey) -> Key:
    """A key on its line."""
    made_at = write_moment(language, api_key.made_at, UTC, seconds=False)
    revoked = write_moment(language, api_key.revoked_at, UTC, seconds=False) if api_key.revoked_at else ""
    return Key(
        api_key.id,
        api_key.table,
        role_name(language, api_key.purpose),
        f"{made_at}, {api_key.made_by}",
        revoked,
    )


def purpose_choices(language: Language) -> list[Choice]:
    """What a key may be for, the display board first."""
    return choices((purpose, role_name(language, purpose)) for purpose in reversed(PURPOSES))


def table_line(listed: Listed, set_up: bool) -> TableLine:
    """A table on its line."""
    return TableLine(listed.id, listed.title, f"{listed.pace.betting:g}" if listed.pace else "", set_up)


def pace_fields(t: Say) -> list[PaceField]:
    """The pauses of a table that deals itself, as most tables have them."""
    return [
        PaceField("betting", t("Betting"), f"{USUAL_PACE.betting:g}"),
        PaceField("card", t("Between cards"), f"{USUAL_PACE.card:g}"),
        PaceField("window", t("For Insurance"), f"{USUAL_PACE.window:g}"),
        PaceField("between", t("Between rounds"), f"{USUAL_PACE.between:g}"),
    ]


def denial_line(language: Language, denial: Denial) -> DenialLine:
    """A denied attempt on its line."""
    return DenialLine(
        denial.number,
        write_moment(language, denial.at, UTC),
        denial.times,
        denial.who or denial.key or "–",
        role_name(language, denial.role),
        denial.what,
        denial.code.replace("_", " "),
        denial.table,
        denial.address[:12],
    )
