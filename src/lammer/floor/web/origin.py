"""Where a request comes from: a page of this house, a program, or a page of somebody else's.

A browser says it by itself, in headers no page can forge. A request that changes something and comes from a
page of another site is refused, also where nobody is signed in: a stranger's page must not sign anybody in
or out. Programs send neither header and go by their tokens and keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from lammer.rulebook.refusal import Refused

OURS: Final = frozenset(("same-origin", "none"))
"""What a browser says of a request of our own pages, and of one a person typed in."""
_USUAL: Final = (":80", ":443")


def plain_host(text: str) -> str:
    """A host as it is compared: small letters, without the port every browser leaves out.

    >>> plain_host("Lammer.Example:443"), plain_host("127.0.0.1:8500"), plain_host("[::1]:80")
    ('lammer.example', '127.0.0.1:8500', '[::1]')
    """
    host = text.strip().lower()
    for port in _USUAL:
        host = host.removesuffix(port)
    return host


def host_of(address: str) -> str:
    """The host of an address with its scheme; nothing where it has none.

    >>> host_of("https://lammer.example:8443/"), host_of("null")
    ('lammer.example:8443', '')
    """
    try:
        return plain_host(urlsplit(address).netloc)
    except ValueError:
        return ""


def is_cross_site(fetch_site: Sequence[str], origin: Sequence[str], hosts: Sequence[str]) -> bool:
    """Whether a browser sends this from another site's page; `hosts` are the names this house goes by.

    >>> is_cross_site(["same-origin"], [], ["house"]), is_cross_site(["cross-site"], [], ["house"])
    (False, True)
    >>> is_cross_site([], ["http://house"], ["house"]), is_cross_site([], ["null"], ["house"])
    (False, True)
    >>> is_cross_site([], [], ["house"])
    False
    """
    if fetch_site:
        # Behind a proxy a host may read otherwise than the browser wrote it; this does not.
        return len(fetch_site) > 1 or fetch_site[0].strip().lower() not in OURS
    if origin:
        return len(origin) > 1 or host_of(origin[0]) not in {plain_host(host) for host in hosts if host}
    return False


def wrong_origin() -> Refused:
    return Refused(
        "wrong_origin",
        "This request comes from a page of another site.",
        next_step="Open the house's own page and do it there.",
    )
