"""The API's own documentation as pages: drawn from the OpenAPI schema, with no script and no network."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from lammer.floor.web.problems import OF_THE_WIRE
from lammer.floor.web.refusal_codes import EVERY_CODE

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { margin-top: 2.5rem; border-bottom: 2px solid #0f5c3c }
h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 1.5rem 0 .25rem }
pre { background: #f3f3ef; padding: .6rem .8rem; overflow-x: auto }
td, th { text-align: left; padding: .1rem 1rem .1rem 0; vertical-align: top }
"""


@get("/problems/{code:str}", include_in_schema=False, media_type="text/html", sync_to_thread=False)
def explain_problem(code: FromPath[str]) -> Response[str]:
    """What a problem's `type` points to: the code in a sentence."""
    meaning = EVERY_CODE.get(code) or OF_THE_WIRE.get(code)
    if meaning is None:
        raise NotFoundException
    title = escape(code.replace("_", " ").capitalize())
    body = f"<h1>{title}</h1><p>{escape(meaning)}</p><p><code>{escape(code)}</code></p>"
    page = f"{_head(title)}{body}</body></html>"
    return Response(page, media_type="text/html")


def _head(title: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
    )


@get(["/docs", "/api/docs"], include_in_schema=False, media_type="text/html", sync_to_thread=False)
def docs(request: Request[Any, Any, Any]) -> Response[str]:
    """Every path, what it is for, what it takes and what it answers."""
    schema = request.app.openapi_schema.to_schema()
    operations_by_tag: dict[str, list[str]] = {}
    for path, methods in sorted(schema["paths"].items()):
        for method, operation in methods.items():
            if isinstance(operation, dict) and "responses" in operation:
                tag = (operation.get("tags") or ["other"])[0]
                operations_by_tag.setdefault(tag, []).append(
                    _operation(method.upper(), path, operation, schema)
                )
    body = "".join(
        f"<h2>{escape(tag.capitalize())}</h2>{''.join(operations)}"
        for tag, operations in sorted(operations_by_tag.items())
    )
    page = (
        f"{_head('Lammer API')}"
        f"<h1>{escape(schema['info']['title'])} {escape(schema['info']['version'])}</h1>"
        f"<p>{escape(schema['info'].get('description', ''))}</p>"
        '<p>The schema itself: <a href="/schema/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>'
        f"{body}</body></html>"
    )
    return Response(page, media_type="text/html")


def _operation(method: str, path: str, operation: dict[str, Any], schema: dict[str, Any]) -> str:
    parts = [f'<h3 id="{escape(operation.get("operationId", ""))}">{method} {escape(path)}</h3>']
    parts.append(f"<p><strong>{escape(operation.get('summary', ''))}.</strong> ")
    parts.append(f"{escape(operation.get('description', ''))}</p>")
    if parameters := operation.get("parameters"):
        rows = "".join(
            f"<tr><th scope=row><code>{escape(parameter['name'])}</code></th>"
            f"<td>{escape(parameter['in'])}</td><td>{escape(parameter.get('description', ''))}</td></tr>"
            for parameter in parameters
        )
        parts.append(f"<table>{rows}</table>")
    parts += [
        f"<pre>{escape(json.dumps(example, ensure_ascii=False))}</pre>" for example in _examples(operation)
    ]
    answers = ", ".join(
        f"{status} {escape(response.get('description', ''))}"
        for status, response in operation["responses"].items()
    )
    parts.append(f"<p>Answers: {answers}</p>")
    return "".join(parts)


def _examples(operation: dict[str, Any]) -> list[Any]:
    examples = []
    for content in operation.get("requestBody", {}).get("content", {}).values():
        examples += [example.get("value") for example in content.get("examples", {}).values()]
    return examples
