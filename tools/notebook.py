"""Runs the guide's notebook without Jupyter and writes what each cell shows into it.

    python tools/notebook.py

`tests/lab/test_charts_and_report.py` runs the same cells and fails when what they show has changed.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "docs" / "guides" / "lab.ipynb"


def run(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The outputs of every code cell, run in order in one namespace."""
    names: dict[str, Any] = {"__name__": "notebook"}
    made = []
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        made.append(_run(ast.parse("".join(cell["source"])), names, number))
    return made


def _run(tree: ast.Module, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = (
            eval(compile(ast.Expression(shown.value), f"cell {number}", "eval"), names)
            if isinstance(shown, ast.Expr)
            else None
        )
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}}
        outputs.append({**result, "data": _shown(value)})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    """As a notebook shows it: as a picture, as a page, or else as it prints."""
    for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
        if hasattr(value, method):
            return {kind: _lines(getattr(value, method)()), "text/plain": [f"<{type(value).__name__}>"]}
    return {"text/plain": _lines(repr(value))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(code, run(notebook["cells"]), strict=True), 1):
        cell["execution_count"], cell["outputs"] = number, outputs
    NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(NOTEBOOK)


if __name__ == "__main__":
    main()
