"""What a request has to be before anybody looks at what it asks: one host, a path without a NUL byte, JSON
that says each thing once.

A host is a name the sender chose. It is believed where it is a name of the house: the settings' own
addresses, or the address the connection was made to, which nobody can choose. Links for other people are
made with such a name or with none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from lammer.floor.settings import Settings
from lammer.floor.web.origin import host_of, plain_host
from lammer.rulebook.refusal import Refused

OPEN_TO_ANY_NAME: Final = frozenset(("/health", "/ready", "/metrics", "/peers/ask"))
"""Asked by machines, by whatever address they know; they make no links and know no cookies."""
_LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "[::1]"))


def must_be_sound(scope: Mapping[str, Any], settings: Settings) -> None:
    """Refuse what no client of good will sends; looked at before routes are."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        raise Refused("malformed_input", "An address has no NUL byte in it.")
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or not hosts[0].strip():
        raise Refused("malformed_input", "A request names one host.", next_step="Send one Host header.")
    if settings.public and scope["path"] not in OPEN_TO_ANY_NAME:
        host = plain_host(hosts[0].decode("latin-1"))
        if host not in own_hosts(settings) and not _is_our_own(host, scope):
            raise Refused(
                "wrong_host",
                "This house does not go by the name the request gives.",
                next_step="Use the house's own address; LAMMER_PUBLIC and LAMMER_HOSTS name it.",
            )


def own_hosts(settings: Settings) -> frozenset[str]:
    """The hosts the settings say the house goes by.

    >>> sorted(own_hosts(Settings(public="https://lammer.example", hosts="floor.lan:8500, 10.0.0.5")))
    ['10.0.0.5', 'floor.lan:8500', 'lammer.example']
    """
    hosts = [host_of(settings.public), *map(plain_host, settings.hosts.split(","))]
    return frozenset(host for host in hosts if host)


def address_for_links(scope: Mapping[str, Any], settings: Settings) -> str:
    """What a link for somebody else begins with; nothing where no name of the house is known."""
    if settings.public:
        return settings.public.rstrip("/")
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    host = plain_host(hosts[0]) if hosts else ""
    return f"{scope['scheme']}://{host}" if host in own_hosts(settings) or _is_our_own(host, scope) else ""


def _is_our_own(host: str, scope: Mapping[str, Any]) -> bool:
    """Whether it is the address the connection was made to, or this very machine."""
    name, port = (
        (host, "") if host.endswith("]") else host.rpartition(":")[::2] if ":" in host else (host, "")
    )
    if name in _LOOPBACK:
        return True
    server = scope.get("server")
    if not server:
        return False
    own = f"[{server[0]}]" if ":" in str(server[0]) else str(server[0]).lower()
    return name == own and (not port or str(server[1]) == port)


def must_not_repeat_fields(body: bytes, field_count: int = 0) -> None:
    """Refuse JSON in which something is said twice: readers differ in which of the two they believe.

    >>> must_not_repeat_fields(b'{"do": "settle", "do": "void_round"}')
    Traceback (most recent call last):
    lammer.rulebook.refusal.Refused: Refused malformed_input: 'do' is said twice. Say each thing once.

    `field_count` is how many fields a reader found in it. Each has a colon of its own, so where there are no
    more colons than that, no field is repeated and none lies within another.
    """
    if field_count and body.count(b":") == field_count:
        return
    try:
        json.loads(body, object_pairs_hook=_refuse_repeats)
    except (ValueError, RecursionError):
        return  # It is no JSON; whoever decodes it refuses it.


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len({name for name, _ in pairs}) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise Refused(
            "malformed_input",
            "{twice} is said twice.",
            next_step="Say each thing once.",
            twice=repr(twice[:40]),
        )
