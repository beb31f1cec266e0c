"""Writes docs/reference/ and the README's picture from the code and the rulebooks.

    make reference

`tests/docs/test_docs.py` fails when what is written differs from what this would write.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console

import draw_rooms
import lammer
from lammer import draw
from lammer.cli import app
from lammer.cli.deal import describe_round, play
from lammer.coverage import coverage_json, summary_sentence
from lammer.floor.settings import PREFIX, Settings
from lammer.floor.web.app import application
from lammer.game.hands import Hand, total
from lammer.game.roads import Result, roads
from lammer.rulebook.keys import SHAPES
from lammer.rulebook.model import Rulebook
from lammer.rulebook.schema import schema
from lammer.table.decoding import COMMANDS
from lammer.table.journal import EVENTS
from lammer.table.records import field_names

ROOT = Path(__file__).parents[1]
MADE = "<!-- Made by `make reference`; change the code or the rulebook, not this page. -->\n"
REFUSALS = {
    "lammer.rulebook.refusal_codes": "Rulebooks, and any room",
    "lammer.game.refusal_codes": "The game",
    "lammer.table.refusal_codes": "The table",
    "lammer.academy.refusal_codes": "The academy",
    "lammer.lab.refusal_codes": "The lab",
    "lammer.proof.refusal_codes": "The proof room",
    "lammer.floor.record.refusal_codes": "The record",
    "lammer.floor.access.refusal_codes": "Access",
    "lammer.floor.tables.refusal_codes": "Live tables",
    "lammer.floor.web.refusal_codes": "The web",
    "lammer.cli.refusal_codes": "The command line",
}
"""Where codes are declared."""
PICTURE_BOOK, PICTURE_LAYOUT, PICTURE_SEED = "tiger-buffalo-noncommission-insurance@3", "C", 209

SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {terminal_height}" role="img">
<title>One round dealt, explained and settled by lammer deal</title>
<style>
.{unique_id}-matrix {{ font: {char_height}px monospace; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="{width}" height="{terminal_height}" rx="8" fill="#101418"/>
<g transform="translate(12, 4)">{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def pages() -> dict[Path, str]:
    """Every made page: where it belongs and what it says."""
    made = {
        Path("docs/reference/commands.md"): commands(),
        Path("docs/reference/errors.md"): errors(),
        Path("docs/reference/table.md"): table_reference(),
        Path("docs/reference/readings.md"): readings(),
        Path("docs/reference/rulebook-keys.md"): rulebook_keys(),
        Path(
            "docs/reference/rulebook.schema.json"
        ): f"{json.dumps(schema(), indent=1, ensure_ascii=False)}\n",
        Path("docs/reference/settings.md"): settings(),
        Path("docs/reference/api.md"): api(),
        Path("docs/images/deal.svg"): picture(),
        **pictures(),
    }
    for book in lammer.shelf():
        made[Path(f"docs/reference/coverage/{book.id}.md")] = coverage(book)
    return made


def commands() -> str:
    """Every command with its arguments and options."""
    told = [MADE, "# Commands\n", "Exit codes: 0 done, 1 refused, 2 wrong usage.\n"]
    for name, command in _commands(typer.main.get_command(app), "lammer"):
        told.append(f"## `{name}`\n\n{(command.help or '').strip()}\n")
        for parameter in command.params:
            named = (
                parameter.metavar if parameter.param_type_name == "argument" else ", ".join(parameter.opts)
            )
            if parameter.name != "help":
                told.append(f"- `{named}`: {(parameter.help or '').strip()}")
        told.append("")
    return "\n".join(told).rstrip() + "\n"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The commands below one, by full name. Typer keeps its command classes to itself, hence Any."""
    children: dict[str, Any] = getattr(command, "commands", {})
    if not children:
        yield name, command
    for child in sorted(children):
        yield from _commands(children[child], f"{name} {child}")


def errors() -> str:
    """Every refusal code, by the room that declares it."""
    told = [
        MADE,
        "# Refusal codes\n",
        "By room, in order of precedence: where several hold, the first is given.",
    ]
    for module, title in REFUSALS.items():
        told += [f"\n## {title}\n", f"Declared in `{module}`.\n", "| code | meaning |", "|---|---|"]
        told += [f"| `{code}` | {meaning} |" for code, meaning in import_module(module).CODES.items()]
    return "\n".join(told) + "\n"


def table_reference() -> str:
    """Every command a table takes and every event it records."""
    told = [
        MADE,
        "# Commands and events of a table\n",
        "One vocabulary for Python, scripts, HTTP and pages.\n",
    ]
    told += ["## Commands\n", "| do | fields | what |", "|---|---|---|"]
    for name, kind in COMMANDS.items():
        fields = ", ".join(f"`{field}`" for field in kind.__dataclass_fields__)  # type: ignore[attr-defined]
        told.append(f"| `{name}` | {fields} | {_first_line(kind)} |")
    told += ["", "## Events\n", "| event | fields |", "|---|---|"]
    for name, kind in EVENTS.items():
        told.append(f"| `{name}` | {', '.join(f'`{field}`' for field in field_names(kind))} |")
    return "\n".join(told) + "\n"


def settings() -> str:
    """Every setting of `lammer serve`, from its own list."""
    lines = [MADE, "# Settings\n", "Environment variables `lammer serve` reads; some are options too.\n"]
    lines += ["| setting | default | what it is for |", "|---|---|---|"]
    for field in msgspec.inspect.type_info(Settings).fields:  # type: ignore[attr-defined]
        told = (field.type.extra_json_schema or {}).get("description", "")
        shown = f"`{field.default}`" if field.default != "" else ""
        lines.append(f"| `{PREFIX}{field.name.upper()}` | {shown} | {told} |")
    return "\n".join(lines) + "\n"


def api() -> str:
    """Every path of the API, from its OpenAPI schema; a running house serves the same at `/docs`."""
    schema = application().openapi_schema.to_schema()
    lines = [MADE, "# API\n", f"{schema['info']['description']}\n"]
    lines += ["A running house serves this at `/docs` and the schema at `/schema/openapi.json`.\n"]
    lines += ["| request | what it does |", "|---|---|"]
    for path, methods in sorted(schema["paths"].items()):
        for method, operation in methods.items():
            if isinstance(operation, dict) and "responses" in operation:
                lines.append(f"| `{method.upper()} {path}` | {operation['summary']} |")
    return "\n".join(lines) + "\n"


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def readings() -> str:
    """Every reading of every rulebook."""
    told = [
        MADE,
        "# Readings\n",
        "Where the texts are silent or can be read two ways: our choice, and what else a table may choose.\n",
    ]
    for book in lammer.shelf():
        told += [
            f"## {book.id}\n",
            "| reading | question | choice | or | because | paragraphs |",
            "|---|---|---|---|---|---|",
        ]
        for r in book.readings.values():
            cites = ", ".join(cite.paragraph for cite in r.cites)
            others = ", ".join(f"`{choice}`" for choice in r.alternatives)
            told.append(f"| `{r.name}` | {r.question} | `{r.choice}` | {others} | {r.because} | {cites} |")
        told.append("")
    return "\n".join(told).rstrip() + "\n"


def rulebook_keys() -> str:
    """Every key of a rulebook's file, with an example each."""
    told = [
        MADE,
        "# Keys of a rulebook\n",
        "A rulebook is a TOML file. Odds and paragraphs are text in quotes; there are no floats and no "
        "formulas. A file that says who approved it has to say everything; a *private* one, without "
        "`approved_by`, may leave out all but the keys marked **needed**. The same as a JSON Schema for "
        "editors: [rulebook.schema.json](rulebook.schema.json).\n",
    ]
    for shape in SHAPES.values():
        told += [f"## `{shape.head}`\n", f"{shape.means}\n", "| key | what it is | what it means | example |"]
        told.append("|---|---|---|---|")
        for key in shape.keys:
            needed = " **needed**" if key.needed else ""
            told.append(
                f"| `{key.name}`{needed} | {key.kind.words} | {key.means} | `{key.name} = {key.example}` |"
            )
        told.append("")
    return "\n".join(told).rstrip() + "\n"


def coverage(book: Rulebook) -> str:
    """One rulebook, paragraph by paragraph."""
    report = coverage_json(book)
    told = [MADE, f"# Coverage of {book.id}\n", f"{summary_sentence(report)}.\n"]
    told += ["| paragraph | gist | status | answered by | tests |", "|---|---|---|---|---|"]
    for row in report["paragraphs"]:
        answer = (
            ", ".join(f"`{behaviour['name']}`" for behaviour in row["behaviours"]) or row["not_executable"]
        )
        tests = ", ".join(f"`{test}`" for test in row["tests"] or ())
        told.append(f"| {row['number']} | {row['gist']} | {row['status']} | {answer} | {tests} |")
    return "\n".join(told) + "\n"


def picture() -> str:
    """The README's picture: a round as the terminal shows it."""
    console = Console(
        record=True, width=88, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    book = lammer.rulebook(PICTURE_BOOK)
    settled = play(book, PICTURE_LAYOUT, 8, PICTURE_SEED)
    console.print(describe_round(book, settled, f"layout {PICTURE_LAYOUT} · 8 decks · seed {PICTURE_SEED}"))
    console.print()
    return console.export_svg(title="lammer deal", code_format=SVG, unique_id="deal")


def pictures() -> dict[Path, str]:
    """The drawings of the concept pages, drawn by what they explain."""
    book = lammer.rulebook(PICTURE_BOOK)

    def hands(player: str, banker: str, **more: Any) -> str:
        cards = [lammer.parse_cards(player), lammer.parse_cards(banker)]
        return draw.hands(*(Hand(hand, total(book, hand)) for hand in cards), **more)

    chips = [
        draw.Chip("p1", 1, "player", 100_00),
        draw.Chip("p2", 1, "banker", 60_00),
        draw.Chip("p1", 1, "tie", 10_00),
        draw.Chip("p3", 3, "banker", 250_00),
        draw.Chip("p3", 3, "small_tiger", 20_00),
    ]
    results = [
        Result("banker" if mark in "Bb" else "player" if mark in "Pp" else "tie", mark == "p", mark == "b", 7)
        for mark in "BBPPbBTBPPPPpPTBBPBPBBBTBBBBBPPB"
    ]
    made = {
        "window.svg": hands("QS 6H", "3D AC"),
        "face-down.svg": hands("QS 6H", "3D AC", hidden={("banker", 1)}),
        "misplaced.svg": hands("7S KH 4D", "2D 3C"),
        "put-right.svg": hands("7S KH", "2D 3C 4D"),
        "felt.svg": draw.felt(book, "C", chips, boxes=(1, 2, 3)),
        "roads.svg": draw.roads(roads(results)),
    }
    return {Path("docs/images") / name: svg for name, svg in made.items()}


def main() -> None:
    for path, text in pages().items():
        file = ROOT / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        print(path)
    draw_rooms.PICTURE.write_text(draw_rooms.drawn(draw_rooms.imports_now()), "utf-8")


if __name__ == "__main__":
    main()
