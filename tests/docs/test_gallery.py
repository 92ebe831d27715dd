"""The pictures of the pages are those that the program makes."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from tests.docs.blocks import ROOT, pages, read

FOLDER = ROOT / "docs" / "pictures"
AGAIN = "run `make gallery`"


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


def test_some_pictures_are_up_to_date(make: ModuleType) -> None:
    for name, svg in make.pictures(("square/pentominoes_10x6", "cubic/bedlamcube")).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == svg, f"{name}: {AGAIN}"


@pytest.mark.slow
def test_all_pictures_are_up_to_date(make: ModuleType) -> None:
    made = make.pictures()
    assert {file.name for file in FOLDER.glob("*.svg")} == {*made, *make.parts()}, AGAIN
    for name, svg in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == svg, f"{name}: {AGAIN}"


def test_each_picture_is_on_a_page() -> None:
    shown = {
        target.rpartition("/")[2]
        for page in pages()
        for target in re.findall(r"\]\([\w/.]*?(pictures/[\w.]+\.svg)\)", read(page))
    }
    assert shown == {file.name for file in FOLDER.glob("*.svg")}
