"""Forms as commands: what a page posts is asked of a table, and a refusal is shown where it was asked.

A form names its command in `do`; the command itself says which of the other fields it takes and what they
are, so that one form may serve several buttons. A script asks for JSON and stays on its page; a browser
without one is sent back to where it was, or gets the page again with the refusal on it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, get_type_hints

from litestar import Response
from litestar.response import Redirect

from lammer.floor.access.sessions import Session
from lammer.floor.tables.command_handler import is_waiting
from lammer.floor.tables.command_request import CommandRequest
from lammer.floor.views.viewing import STAFF
from lammer.floor.web.context import context_of
from lammer.floor.web.pages.site.coming_in import inside
from lammer.floor.web.pages.site.refusing import must_read
from lammer.floor.web.pages.site.site import Req, verified_fields, whole_number
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import ROLES
from lammer.table.decoding import COMMANDS
from lammer.table.setup import SetUp

YES: Final = frozenset(("yes", "on", "true", "1"))
_MONEY: Final = frozenset(("stake", "amount"))
_CARDS: Final = frozenset(
    (("deal_card", "card"), ("judge_damaged_card", "card"), ("order_simultaneous", "order"),
     ("correct_round", "player"), ("correct_round", "banker"), ("correct_card", "card"),
     ("expose_card", "card"), ("rule_on_matter", "player"), ("rule_on_matter", "banker"))
)  # fmt: skip
_CARD: Final = re.compile("[A2-9TJQK][SHDC]")
_CARDS_TOGETHER: Final = re.compile(f"({_CARD.pattern})+")
_GLYPHS: Final = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", ",": " ", ";": " "})


def as_cards(written: str) -> str:
    """Cards as people type and scanners send them, written as the pit writes them.

    >>> as_cards("10h"), as_cards("9♠, kd")
    ('TH', '9S KD')
    """
    return " ".join(written.translate(_GLYPHS).upper().replace("10", "T").split())


def split_cards(written: str) -> list[str]:
    """The cards of a line, also where they were typed without a space; what is none stays as it is.

    >>> split_cards("9h6s"), split_cards("10♥kd, 3c"), split_cards("9h1x 2d")
    (['9H', '6S'], ['TH', 'KD', '3C'], ['9H1X', '2D'])
    """
    cards: list[str] = []
    for word in as_cards(written).split():
        cards += _CARD.findall(word) if _CARDS_TOGETHER.fullmatch(word) else [word]
    return cards


def fields_of(do: str, form: Mapping[str, Any]) -> dict[str, Any]:
    """The fields a command takes out of a form, each as what it is; empty ones are left out.

    >>> fields_of("place_bet", {"player": "p1", "box": "3", "bet": "tie", "stake": "50", "hand": ""})
    {'player': 'p1', 'box': 3, 'bet': 'tie', 'stake': '50'}
    >>> fields_of("note_swapped_cards", {"player": "1, 2", "banker": ""})
    {'player': [1, 2]}
    >>> fields_of("reconstruct", {"irregularity": "swapped_hands", "possible": "no"})
    {'irregularity': 'swapped_hands', 'possible': False}
    """
    kind = COMMANDS.get(do)
    if kind is None:
        raise Refused("malformed_input", "There is no command {do}.", do=repr(do[:40]))
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        value = form.get(name)
        if value is None or value == "":
            continue
        if hint in (bool, bool | None):
            fields[name] = str(value) in YES
        elif "tuple" in str(hint):
            words = value if isinstance(value, list) else [value]
            parts = [part for word in words for part in _text(do, name, word).split()]
            fields[name] = [_number(name, part) for part in parts] if "int" in str(hint) else parts
        else:
            text = _text(do, name, value[-1] if isinstance(value, list) else value)
            fields[name] = _number(name, text) if hint is int and name not in _MONEY else text
    return fields


def _text(do: str, name: str, value: Any) -> str:
    text = str(value).strip()
    if do == "note_swapped_cards":
        return text.replace(",", " ")
    return as_cards(text) if (do, name) in _CARDS else text


def _number(name: str, text: str) -> int:
    number = whole_number(text, 9)
    if number is None:
        raise Refused(
            "malformed_input", "The {name} is a whole number, not {text}.", name=name, text=repr(text[:20])
        )
    return number


def box_named(setup: SetUp, name: str) -> str:
    """The number of a box that goes by its name on the pages of whoever deals.

    >>> box_named(SetUp("any@1", "A", boxes=3, box_names=("6", "5", "3")), " 5 ")
    '2'
    """
    if name.strip() in setup.box_names:
        return str(setup.box_names.index(name.strip()) + 1)
    raise Refused(
        "no_such_box",
        "This table has no box {name}.",
        next_step="It has {box_names}.",
        name=repr(name.strip()[:20]),
        box_names=", ".join(setup.box_names),
    )


def staff(request: Req, least: str = "dealer") -> Session:
    """Whoever deals or supervises, of that role or above; anybody else is refused."""
    return must_read(request, *(role for role in ROLES[ROLES.index(least) :] if role in STAFF))


def end_of_path(request: Req) -> str:
    """The last part of the path a request is for, where one handler has several."""
    return str(request.scope["path_template"]).rpartition("/")[2]


def wants_json(request: Req) -> bool:
    """Whether a script asks, which stays on its page and wants JSON."""
    return "application/json" in request.headers.get("accept", "")


async def ask_by_form(request: Req, table: str, form: dict[str, Any], session: Session) -> bytes:
    """Ask of a table what a form says; the key in it makes a form sent twice count once."""
    command = command_by_form(request, table, form, session)
    return await context_of(request).gateway.ask(table, command)


def command_by_form(request: Req, table: str, form: dict[str, Any], session: Session) -> CommandRequest:
    """What a form asks of a table, and under which key."""
    fields = verified_fields(session, form)
    setup = context_of(request).house.tables.view(table).table.setup
    if setup is not None and setup.box_names and fields.get("box"):
        fields["box"] = box_named(setup, str(fields["box"]))
    do, key = str(fields.get("do", "")), str(fields.get("key", ""))[:200]
    return CommandRequest(session.account.name, session.account.role, do, fields_of(do, fields), key)


async def answer_command(
    request: Req,
    table: str,
    form: dict[str, Any],
    session: Session,
    again: Callable[[Refused], Awaitable[Response[Any]]],
) -> Response[Any]:
    """Ask of a table what a form says; `again` is the page it came from, with the refusal on it."""
    return await answer_form(request, form, lambda: ask_by_form(request, table, form, session), again)


async def answer_form(
    request: Req,
    form: dict[str, Any],
    work: Callable[[], Awaitable[bytes]],
    again: Callable[[Refused], Awaitable[Response[Any]]],
) -> Response[Any]:
    """Do what a form asks: a script gets the reply, a browser goes on, and a refusal is shown at the spot."""
    destination = inside(form.get("next"))
    try:
        reply = await work()
    except Refused as refused:
        if wants_json(request):
            raise
        context_of(request).note_refusal(request, refused)
        return await again(refused)
    if wants_json(request):
        return Response(reply, status_code=200, media_type="application/json")
    if is_waiting(reply):
        destination = destination.replace("done=yes", "done=asked")
    return Redirect(destination, status_code=303)
