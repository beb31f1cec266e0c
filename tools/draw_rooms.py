"""Draws which room imports which, with the number of imports; an edge that points backwards is red.

    python tools/draw_rooms.py                    writes docs/images/rooms.svg
    python tools/draw_rooms.py --source OLD/src --rooms OLD.toml -o before.svg

Rooms are packages; `--rooms` names, for a tree that has none, the room of each module.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "images" / "rooms.svg"


def read_layers(pyproject: Path) -> tuple[tuple[str, ...], ...]:
    """The order of the rooms from the top down, as the contracts of import-linter have it.

    A room with a contract of its own is drawn as the rooms in it, with the rest of it beneath them: modules
    that lie beside its rooms, but for what stands on top of them all.
    """
    contracts = tomllib.loads(pyproject.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    orders = {
        container: [_within(container, layer) for layer in contract["layers"]]
        for contract in contracts
        for container in contract.get("containers", ())
        if container in DRAWN
    }

    def expand(package: str) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for place, layer in enumerate(orders[package]):
            rooms = tuple(layer.split(" | "))
            inner = [room for room in rooms if room in orders]
            if inner:
                rows += [*expand(inner[0]), *((room,) for room in rooms if room not in orders)]
            elif package == TOP or place == 0 or any(map(_is_package, rooms)):
                rows.append(rooms)
        return rows + ([] if package == TOP else [(package,)])

    return tuple(tuple(room.removeprefix(f"{TOP}.") for room in row) for row in expand(TOP))


def _within(package: str, layer: str) -> str:
    """A layer with the full names of its rooms."""
    return " | ".join(f"{package}.{room}" for room in re.findall(r"\w+", layer))


def _is_package(room: str) -> bool:
    return (ROOT / "src" / room.replace(".", "/")).is_dir()


TOP: Final = "lammer"
DRAWN: Final = (TOP, "lammer.floor", "lammer.floor.web")
"""Whose inner order is drawn."""
LAYERS: Final = read_layers(ROOT / "pyproject.toml")

CELL: Final = 32
LEFT: Final = 130
"""Room for the names."""


def level(room: str) -> int:
    return next(number for number, rooms in enumerate(LAYERS) if room in rooms)


def room_of(module: str, rooms: Mapping[str, str] | None = None) -> str:
    """The room of a module.

    >>> room_of("lammer.floor.web.pages.pit.pit"), room_of("lammer.game.hands")
    ('floor.web.pages', 'game')
    >>> room_of("lammer.floor.settings")
    'floor'
    >>> room_of("lammer.floor.hosted", {"hosted": "floor.tables"})
    'floor.tables'
    """
    name = module.removeprefix("lammer").removeprefix(".")
    for old in (name.removeprefix("floor."), name.removeprefix("floor.").partition(".")[0]):
        if rooms is not None and name.startswith("floor.") and old in rooms:
            return rooms[old]
    known = {room for row in LAYERS for room in row}
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def imports_between(find: Callable[[str], str], graph: grimp.ImportGraph) -> Counter[tuple[str, str]]:
    """How many modules of one room import modules of another."""
    edges: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            edge = find(module), find(imported)
            if all(edge) and edge[0] != edge[1]:
                edges[edge] += 1
    return edges


def backward(edges: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Edges that point up, or to a neighbour."""
    return sorted(edge for edge in edges if level(edge[0]) >= level(edge[1]))


def drawn(edges: Counter[tuple[str, str]]) -> str:
    """A square for each pair of rooms: the row imports the column. Beneath the diagonal all is well."""
    used = {room for edge in edges for room in edge}
    rooms = [room for row in reversed(LAYERS) for room in row if room in used]
    wrong = set(backward(edges))
    size = LEFT + CELL * len(rooms) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" font-family="sans-serif">',
        "<style>text{font-size:12px;fill:#1c2b20}.c{text-anchor:middle}.k{fill:#dfe6e0}.e{fill:#cfe3d4}"
        ".b{fill:#b3261e}.w{fill:#fff;font-weight:bold}line{stroke:#e3e8e4}</style>",
    ]
    for number, room in enumerate(rooms):
        at = LEFT + CELL * number
        name = escape(room)
        parts += [
            f'<line x1="{LEFT}" y1="{at}" x2="{size - 10}" y2="{at}"/>',
            f'<line x1="{at}" y1="{LEFT}" x2="{at}" y2="{size - 10}"/>',
            f'<rect class="k" x="{at}" y="{at}" width="{CELL}" height="{CELL}"/>',
            f'<text x="{LEFT - 8}" y="{at + CELL - 10}" text-anchor="end">{name}</text>',
            f'<text transform="translate({at + CELL / 2 + 4} {LEFT - 8}) rotate(-60)">{name}</text>',
        ]
    for (importing, imported), count in sorted(edges.items()):
        x, y = LEFT + CELL * rooms.index(imported), LEFT + CELL * rooms.index(importing)
        back = (importing, imported) in wrong
        parts += [
            f'<rect class="{"b" if back else "e"}" x="{x}" y="{y}" width="{CELL}" height="{CELL}">'
            f"<title>{escape(importing)} imports {escape(imported)}</title></rect>",
            f'<text class="c{" w" if back else ""}" x="{x + CELL / 2}" y="{y + CELL - 10}">{count}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def imports_now() -> Counter[tuple[str, str]]:
    """The imports between the rooms of this tree."""
    return imports_between(room_of, grimp.build_graph(TOP))


def edges_in(picture: str) -> set[tuple[str, str]]:
    """Which room imports which, as a picture has it; how often may have changed since it was drawn."""
    return set(re.findall(r"<title>([\w.]+) imports ([\w.]+)</title>", picture))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--source", type=Path, help="the src folder of another tree")
    parser.add_argument("--rooms", type=Path, help="TOML: the room of each module of that tree")
    parser.add_argument("-o", "--output", type=Path, default=PICTURE)
    options = parser.parse_args()
    if options.source:
        sys.path.insert(0, str(options.source))
    rooms = tomllib.loads(options.rooms.read_text("utf-8")) if options.rooms else None
    edges = imports_between(lambda module: room_of(module, rooms), grimp.build_graph(TOP))
    options.output.write_text(drawn(edges), "utf-8")
    for edge in backward(edges):
        print(f"backwards: {edge[0]} -> {edge[1]} ({edges[edge]})")
    print(f"{edges.total()} imports between {len({room for edge in edges for room in edge})} rooms")


if __name__ == "__main__":
    main()
