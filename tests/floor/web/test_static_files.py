"""Scripts, styles and pictures are kept by a browser for as long as they are the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import lammer
from lammer.floor.web.pages.site import site
from lammer.floor.web.pages.site.site import static_path, static_version
from support.open_house import in_loop, open_house

STATIC = Path(lammer.__file__).parent / "floor/web/pages/static"


@in_loop
async def test_files_are_kept_for_a_year_by_their_version(tmp_path: Path) -> None:
    async with open_house(tmp_path, pages=True) as house:
        stranger = house.stranger()
        page = (await stranger.get("/sign-in")).text
        named = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        assert static_path("lammer.css") in named
        for path in named:
            answer = await stranger.get(path)
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        old = await stranger.get("/static/0123456789abcdef/lammer.css")
        assert (old.status_code, old.headers["cache-control"]) == (200, "no-store"), "a page from before"
        for path in ("/static/lammer.css", f"/static/{static_version()}/nothing.css", "/static/x/site.py"):
            assert (await stranger.get(path)).status_code == 404, path
        await stranger.http.aclose()


def test_what_installing_compiles_is_no_file_of_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Path(
        shutil.copytree(STATIC, tmp_path / "static", ignore=shutil.ignore_patterns("__pycache__"))
    )
    monkeypatch.setattr(site, "_static", lambda: installed)
    version = static_version.__wrapped__()
    (installed / "__pycache__").mkdir()
    assert static_version.__wrapped__() == version
    (installed / "table.js").write_text("// another")
    assert static_version.__wrapped__() != version


def test_scripts_name_each_other_without_a_path() -> None:
    """So that all of a page come from one version."""
    imports = re.compile(r'^(?:import|export)[^"\n]*"([^"]+)"', re.MULTILINE)
    for script in STATIC.glob("*.js"):
        for path in imports.findall(script.read_text("utf-8")):
            assert re.fullmatch(r"\./[a-z_]+\.js", path), (script.name, path)
            assert (STATIC / path).is_file(), (script.name, path)
