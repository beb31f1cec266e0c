"""A command off the wire, asked of its table: the same for the ordinary way and the short one."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from lammer.floor.access.sessions import Session
from lammer.floor.tables.command_handler import is_waiting
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.web.context import AppContext
from lammer.floor.web.wire import must_not_repeat_fields
from lammer.rulebook.refusal import Refused

DONE: Final = 200
ACCEPTED: Final = 202
_FIELDS: Final = msgspec.json.Decoder(dict[str, Any])


async def run_command(
    context: AppContext, session: Session, table: str, body: bytes, key: str
) -> tuple[int, bytes]:
    """Ask it; the status and the answer. Refusals are raised."""
    fields = fields_of(body)
    must_not_repeat_fields(body, len(fields))
    do = fields.pop("do", None)
    if not isinstance(do, str):
        raise Refused("malformed_input", "A command says what to do.", next_step='Send {"do": "open_bets"}.')
    account = session.account
    reply = await context.gateway.ask(table, CommandRequest(account.name, account.role, do, fields, key))
    return ACCEPTED if is_waiting(reply) else DONE, reply


def fields_of(body: bytes) -> dict[str, Any]:
    """A command's fields, or `malformed_input`."""
    try:
        return _FIELDS.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refused("malformed_input", "This is not a command: {error}.", error=error) from None
    except RecursionError:
        raise Refused("malformed_input", "This is not a command: it is nested too deep.") from None
