"""The templates can be read: no line is longer than a screen is wide."""

from __future__ import annotations

from pathlib import Path

import pytest

import lammer

TEMPLATES = sorted((Path(lammer.__file__).parent / "floor/web/pages/templates").glob("*.html"))
LONGEST = 140


def test_the_templates_are_found() -> None:
    assert len(TEMPLATES) > 40


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_no_line_is_too_long(template: Path) -> None:
    lines = enumerate(template.read_text("utf-8").splitlines(), 1)
    assert [number for number, line in lines if len(line) > LONGEST] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_no_line_ends_in_space(template: Path) -> None:
    lines = enumerate(template.read_text("utf-8").splitlines(), 1)
    assert [number for number, line in lines if line != line.rstrip()] == []
