"""A command off the wire, asked of its table: the same for the ordinary way and the short one."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

import msgspec

from lammer.floor.api.floor import Floor
from lammer.floor.api.wire import must_say_once
from lammer.floor.asking import Asked
from lammer.floor.authority import instead_of
from lammer.floor.house import waits
from lammer.floor.sessions import Session
from lammer.rulebook.refusal import Refused

DONE: Final = 200
ACCEPTED: Final = 202
_FIELDS: Final = msgspec.json.Decoder(dict[str, Any])


async def commanded(floor: Floor, session: Session, table: str, body: bytes, key: str) -> tuple[int, bytes]:
    """Ask it; the status and the answer. Refusals are raised."""
    if floor.closing:
        raise Refused("shutting_down", "The house is closing.", next_step="Try again in a moment.")
    fields = fields_of(body)
    must_say_once(body)
    do = fields.pop("do", None)
    if not isinstance(do, str):
        raise Refused("malformed_input", "A command says what to do.", next_step='Send {"do": "open_bets"}.')
    account, begun = session.account, perf_counter()
    try:
        reply = await floor.house.ask(table, Asked(account.name, account.role, do, fields, key))
    except Refused as refused:
        raise instead_of(refused, account.name, account.role, do) from None
    floor.durations.add(perf_counter() - begun)
    return ACCEPTED if waits(reply) else DONE, reply


def fields_of(body: bytes) -> dict[str, Any]:
    """A command's fields, or `malformed_input`."""
    try:
        return _FIELDS.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refused("malformed_input", f"This is not a command: {error}.") from None
    except RecursionError:
        raise Refused("malformed_input", "This is not a command: it is nested too deep.") from None
