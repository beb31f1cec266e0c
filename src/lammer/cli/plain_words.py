"""Words that are wanted as they were typed, taken without a library that reads words."""

from __future__ import annotations

from typing import Any

import typer
from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param


class _AsTyped(RuntimeParam):
    """Text stays as it was typed, and what was not typed is nothing to read.

    Typer has every word read by pydantic, which takes as long to import as all the rules. It still reads
    whatever is no plain text: numbers, choices, lists.
    """

    def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
        if self.annotation is str and self.parameter_info.parser is None and type(value) is str:
            return value
        return build_runtime_param(param.type_descriptor).coerce(value, param, ctx)


def _as_typed(wanted: TypeDescriptor) -> RuntimeParam:
    return _AsTyped(wanted.parameter_info, wanted.annotation)


typer.core.build_runtime_param = _as_typed  # type: ignore[attr-defined, assignment]
