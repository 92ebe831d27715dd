"""The pictures of the pages are those that the program makes."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from tests.docs.blocks import ROOT, blocks, pages, read

FOLDER = ROOT / "docs" / "pictures"
AGAIN = "run `make gallery`"

MEASURED = ("peers.svg", "growth_")
"""Beginnings of the names of plots of what was measured."""


@pytest.fixture(scope="module")
def make() -> ModuleType:
    """The script that makes them."""
    spec = importlib.util.spec_from_file_location("make_pictures", FOLDER / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_gallery_is_up_to_date(make: ModuleType) -> None:
    assert read("docs/gallery.md") == make.gallery(), AGAIN


@pytest.mark.slow
def test_some_pictures_are_up_to_date(make: ModuleType) -> None:
    for name, svg in make.pictures(("square/pentominoes_10x6", "cubic/bedlamcube")).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == svg, f"{name}: {AGAIN}"


def saved_by_a_page(name: str) -> bool:
    """Whether the code of a page that shows this picture saves it; `make pages` makes it."""
    return any(
        f"pictures/{name})" in (text := read(page))
        and any(name in block.text for block in blocks(page, text))
        for page in pages()
    )


@pytest.mark.slow
def test_all_pictures_are_up_to_date(make: ModuleType) -> None:
    made = make.pictures()
    others = {file.name for file in FOLDER.glob("*.svg")} - {*made}
    others = {name for name in others if not name.startswith(MEASURED)}
    assert others == {name for name in others if saved_by_a_page(name)}, AGAIN
    for name, svg in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == svg, f"{name}: {AGAIN}"


def test_each_picture_is_on_a_page() -> None:
    shown = {
        target.rpartition("/")[2]
        for page in pages()
        for target in re.findall(r"\]\([\w/.]*?(pictures/[\w.-]+\.svg)\)", read(page))
    }
    assert shown == {file.name for file in FOLDER.glob("*.svg")}
