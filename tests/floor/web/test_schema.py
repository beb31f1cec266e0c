"""The whole API tried out from its own description: nothing of ours breaks, and every answer is as described.

Hypothesis writes requests that fit the schema and requests that do not, for everybody from a stranger to an
administrator. `LAMMER_SCHEMA_EXAMPLES` sets how many of each an operation gets.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from support.awaited import GUARD
from support.in_a_thread import Served
from support.open_house import SETUP

EXAMPLES = int(os.environ.get("LAMMER_SCHEMA_EXAMPLES", "6"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
STREAM = "/api/tables/{table}/stream"

pytestmark = pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.LitestarDeprecationWarning", "ignore::DeprecationWarning:schemathesis"
)


class Visitors:
    """A house with a table in the middle of a round, and headers of everybody."""

    def __init__(self, folder: Path) -> None:
        self.served = Served(folder)
        self.address = self.served.address
        self.headers: dict[str, dict[str, str]] = {"nobody": {}}
        for role in self.served.links:
            self.headers[role] = self.come_in(role)
        self.post("administrator", "/api/tables", {"table": "t1", "title": "One"})
        for by, do, fields in (
            ("pit_manager", "set_table", {"setup": SETUP}),
            ("dealer", "prepare_shoe", {}),
            ("player", "take_seat", {"box": 1}),
            ("dealer", "open_bets", {}),
            ("player", "place_bet", {"box": 1, "bet": "banker", "stake": "100"}),
        ):
            self.post(by, "/api/tables/t1/commands", {"do": do, **fields})
        for purpose in ("shoe_reader", "display_board"):
            made = self.post("administrator", "/api/keys", {"table": "t1", "purpose": purpose})
            self.headers[purpose] = {"authorization": f"Bearer {made['key']}"}

    def come_in(self, role: str, token: str = "") -> dict[str, str]:
        """A session of a role, by its first link or one of its own."""
        given = token or self.served.links[role]
        answer = httpx.post(f"{self.address}/api/session/link", json={"token": given}, timeout=GUARD)
        cookie = answer.headers["set-cookie"].partition(";")[0]
        return {"cookie": cookie, "x-csrf-token": answer.json()["csrf"]}

    def anew(self) -> dict[str, str]:
        """A session nobody else uses, to be ended."""
        made = self.post("administrator", "/api/accounts/auditor/link", None)
        return self.come_in("auditor", made["link"].partition("token=")[2])

    def post(self, by: str, path: str, fields: Any) -> Any:
        answer = httpx.post(f"{self.address}{path}", json=fields, headers=self.headers[by], timeout=GUARD)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()


@pytest.fixture(scope="module")
def visitors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    made = Visitors(tmp_path_factory.mktemp("house"))
    yield made
    made.served.close()


def run(visitors: Visitors, operation: Any, mode: GenerationMode, examples: int) -> None:
    """Requests of one kind to one operation, by everybody in turn."""
    known = {"table": "t1"} if "{table}" in operation.path and mode is GenerationMode.POSITIVE else None
    strategy = operation.as_strategy(generation_mode=mode, path_parameters=known)
    everybody = list(visitors.headers)
    calls = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def calling(case: Any) -> None:
        nonlocal calls
        calls += 1
        for who in (everybody[calls % len(everybody)], "administrator"):
            if operation.path == STREAM and who != "nobody":
                continue  # It never ends; `test_live.py` reads streams.
            ends = operation.method == "delete" and operation.path == "/api/session"
            headers = visitors.anew() if ends and who != "nobody" else visitors.headers[who]
            answer = case.call(base_url=visitors.address, headers=headers, timeout=GUARD)
            checks = [*CHECKS]
            if mode is GenerationMode.NEGATIVE and answer.status_code not in (401, 403, 415):
                checks.append(negative_data_rejection)
            case.validate_response(answer, checks=checks, headers=headers)

    calling()


def operations(visitors: Visitors) -> list[Any]:
    """Every operation, without who may use it: that is what the headers are for."""
    described = httpx.get(f"{visitors.address}/schema/openapi.json", timeout=GUARD).json()
    for methods in described["paths"].values():
        for operation in methods.values():
            operation.pop("security", None)
    found = schemathesis.openapi.from_dict(described).get_all_operations()
    return [each.ok() for each in found]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as described", "otherwise"]
)
def test_every_answer_is_as_described(visitors: Visitors, mode: GenerationMode) -> None:
    wrong = []
    for operation in operations(visitors):
        try:
            run(visitors, operation, mode, EXAMPLES)
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, "nothing about it can be wrong"
        except (Exception, BaseExceptionGroup) as error:
            told = getattr(error, "exceptions", None) or [error]
            wrong += [f"{operation.method} {operation.path}: {each}" for each in told]
    assert not wrong, "\n\n".join(wrong)


def test_everything_is_described_with_examples(visitors: Visitors) -> None:
    schema = httpx.get(f"{visitors.address}/schema/openapi.json", timeout=GUARD).json()
    assert schema["openapi"].startswith("3.1")
    missing = []
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            missing += [
                f"{where}: no {part}" for part in ("summary", "description") if not operation.get(part)
            ]
            for status, answer in operation["responses"].items():
                for media, content in answer.get("content", {}).items():
                    if not content.get("examples"):
                        missing.append(f"{where}: {status} {media} has no example")
                    if int(status) >= 400 and path != "/ready" and media != "application/problem+json":
                        missing.append(f"{where}: {status} is no problem")
    assert not missing, "\n".join(missing)
    page = httpx.get(f"{visitors.address}/docs", timeout=GUARD).text
    assert all(path.replace("{", "{") in page for path in schema["paths"])
    assert "http://" not in page
    assert "https://" not in page


def raw(visitors: Visitors, *lines: bytes, body: bytes = b"") -> tuple[int, bytes]:
    """A request as it is, byte by byte; the status and what came."""
    host, _, port = visitors.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=GUARD) as line:
        line.sendall(b"\r\n".join([*lines, b"host: house", b"connection: close", b"", body]))
        came = b""
        while part := line.recv(65536):
            came += part
    return int(came.split(b" ", 2)[1]), came


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"null", 400),
        (b'"open_bets"', 400),
        (b'{"do": 1}', 400),
        (b'{"do": "open_bets", "do": "dance"}', 400),
        (b'{"do": "dance"}', 400),
        (b'{"do": "open_bets", "colour": "red"}', 400),
        (b'{"do": "\xff\xfe"}', 400),
        (b'{"do": "interrupt", "reason": "\\ud800"}', 400),
        (b'{"do": "interrupt", "reason": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400),
        (b'{"do": "note_wrong_display", "what": "' + b"x" * 3_000 + b'"}', 400),
        (b'{"do": "place_bet", "box": 1e400, "bet": "tie", "stake": "100"}', 400),
        (b'{"do": "place_bet", "player": "p", "box": 99999999999999999999, "bet": "tie", "stake": "1"}', 422),
        (b'{"do": "place_bet", "player": "p\\u0000", "box": 1, "bet": "tie", "stake": "100"}', 422),
        (b'{"do": "set_table", "setup": {"limits": 3}}', 400),
        (b'{"do": "set_table", "setup": {"rulebook": "x", "layout": "C", "colour": 3}}', 400),
        (b'{"do": "set_table", "setup": 3}', 400),
        (b"x" * 70_000, 413),
    ],
)
def test_rubbish_is_refused_and_changes_nothing(visitors: Visitors, body: bytes, status: int) -> None:
    head = [f"{name}: {value}".encode() for name, value in visitors.headers["pit_manager"].items()]
    head += [b"content-type: application/json", b"content-length: %d" % len(body)]
    assert visitors.served.opened is not None
    before = visitors.served.opened.context.house.tables.at("t1").number
    came, told = raw(visitors, b"POST /api/tables/t1/commands HTTP/1.1", *head, body=body)
    assert came == status, told
    assert b"application/problem+json" in told
    problem = json.loads(told.rpartition(b"\r\n\r\n")[2])
    assert problem["status"] == status
    assert visitors.served.opened.context.house.tables.at("t1").number == before


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((b"POST /api/tables/t1/commands HTTP/1.1", b"content-type: text/plain"), 415),
        ((b"POST /api/tables/t1/commands HTTP/1.1", b"content-type: application/x-www-form-urlencoded"), 415),
        ((b"POST /api/tables/t1/commands HTTP/1.1",), 415),
        ((b"POST /api/tables/t1/commands HTTP/1.1", b"content-type: application/json; charset=utf-8"), 200),
        (
            (b"POST /api/tables/t1/commands HTTP/1.1", b"content-type: application/json",
             b"idempotency-key: a", b"idempotency-key: b"), 400,
        ),
        (
            (b"POST /api/tables/t1/commands HTTP/1.1", b"content-type: application/json",
             b"idempotency-key: \xe9\x01"), 400,
        ),
        (
            (b"POST /api/tables/t1/commands HTTP/1.1", b"content-type: application/json",
             b"idempotency-key: " + b"k" * 300), 400,
        ),
        ((b"POST /api/tables/%00/commands HTTP/1.1", b"content-type: application/json"), 400),
        ((b"POST /api/tables/%ff%fe/commands HTTP/1.1", b"content-type: application/json"), 404),
        ((b"POST /api/tables/" + b"t" * 500 + b"/commands HTTP/1.1", b"content-type: application/json"), 400),
        ((b"POST /api/tables/../t1/commands HTTP/1.1", b"content-type: application/json"), 404),
        ((b"PUT /api/tables/t1/commands HTTP/1.1", b"content-type: application/json"), 405),
        ((b"POST /api/tables/t1/commands/ HTTP/1.1", b"content-type: application/json"), 200),
    ],
)  # fmt: skip
def test_unusual_requests_are_answered_properly(
    visitors: Visitors, lines: tuple[bytes, ...], status: int
) -> None:
    body = b'{"do": "note_wrong_display", "what": "the board was dark"}'
    head = [f"{name}: {value}".encode() for name, value in visitors.headers["dealer"].items()]
    came, told = raw(visitors, *lines, *head, b"content-length: %d" % len(body), body=body)
    assert came == status, told


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/t1/events?after=99999999999999999999999",
        "/api/tables/t1/events?after=-1",
        "/api/tables/t1/events?limit=0",
        "/api/tables/t1/events?limit=x",
        "/api/tables/t1/rounds/99999999999999999999999",
        "/api/tables/t1/stream?after=1e99",
        "/api/denials?after=9223372036854775808",
    ],
)
def test_numbers_out_of_range_are_refused(visitors: Visitors, path: str) -> None:
    answer = httpx.get(f"{visitors.address}{path}", headers=visitors.headers["auditor"], timeout=GUARD)
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_what_is_not_there_is_not_there(visitors: Visitors) -> None:
    for path in ("/api", "/api/tables/none", "/api/tables/t1/rounds/77", "/api/tables/t1/rounds/0", "/peers"):
        answer = httpx.get(f"{visitors.address}{path}", headers=visitors.headers["auditor"], timeout=GUARD)
        assert answer.status_code == 404, (path, answer.text)
        assert answer.json()["code"] in ("unknown_table", "unknown_round", "no_such_path")


def test_methods_that_are_not_there_say_which_are(visitors: Visitors) -> None:
    for operation in operations(visitors)[:6]:
        answer = httpx.request(
            "PUT", f"{visitors.address}{operation.path.replace('{', '').replace('}', '')}", timeout=GUARD
        )
        assert answer.status_code == 405
        assert answer.headers["allow"]
