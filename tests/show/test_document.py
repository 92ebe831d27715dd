"""Pages hold all they need, and nothing in a title or in data can end a script."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from exactcover import ExactCoverError
from exactcover.show import Page, page
from exactcover.show.arrays import real, whole
from tests.helpers.packed import unpacked

ASSETS = files("exactcover.show") / "assets"
MODULES = sorted(
    one.name for one in ASSETS.iterdir() if one.name.endswith(".js") and one.name != "loader.js"
)


class Scripts(HTMLParser):
    """The script elements of a page: their attributes and texts; and its title."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str | None], str]] = []
        self.title = ""
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        if tag == "script":
            self.found.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, text: str) -> None:
        if self._inside == "script":
            attributes, before = self.found[-1]
            self.found[-1] = attributes, before + text
        elif self._inside == "title":
            self.title += text


@pytest.fixture
def plain() -> Page:
    return page("A <b> & c", "<main><h1>A</h1></main>", main="page.js", data={"told": "</script>"})


def test_texts_come_back_as_they_were(plain: Page) -> None:
    scripts = Scripts(plain.html)
    assert scripts.title == "A <b> & c"
    (module, data, loader) = scripts.found
    assert module[0]["data-module"] == "exactcover/page.js"
    assert module[1].strip() == (ASSETS / "page.js").read_text().strip()
    assert data[0]["id"] == "data-told"
    assert json.loads(data[1]) == "</script>"
    assert 'import "exactcover/page.js"' in loader[1]


def test_only_the_scripts_of_the_page_may_run_and_nothing_is_loaded(plain: Page) -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', plain.html)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    assert "unsafe-inline" not in rules["script-src"]
    assert f"'nonce-{Scripts(plain.html).found[-1][0]['nonce']}'" in rules["script-src"]
    assert not re.findall(r"https?:", " ".join(rules.values()))


@pytest.mark.parametrize("name", MODULES)
def test_modules_import_by_names_that_the_page_knows(name: str) -> None:
    imported = re.findall(r"""\bfrom\s+["']([^"']+)["']""", (ASSETS / name).read_text())
    known = {"three"} | {f"exactcover/{one}" for one in MODULES}
    assert set(imported) <= known
    carried = {found[0].get("data-module") for found in Scripts(made(name)).found}
    assert set(imported) <= carried


def made(name: str) -> str:
    return page("Test", "<main></main>", main=name).html


def test_the_vendored_library_has_its_licence_and_version() -> None:
    text = (ASSETS / "vendor" / "three.js").read_text()
    wanted = json.loads(Path("tools/three/package.json").read_text())["dependencies"]["three"]
    assert f"three.js {wanted} " in text[:100]
    assert "SPDX-License-Identifier: MIT" in text
    assert "Permission is hereby granted" in (ASSETS / "vendor" / "three.LICENSE").read_text()


def test_a_page_is_saved_as_html_alone(plain: Page, tmp_path: Path) -> None:
    plain.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == plain.html
    with pytest.raises(ExactCoverError, match=r"must be \.html"):
        plain.save(tmp_path / "page.svg")
    with pytest.raises(ExactCoverError, match="cannot be written"):
        plain.save(tmp_path / "no" / "page.html")


# -- arrays of numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "sort"),
    [
        ([0, 255], "Uint8"),
        ([-1, 255], "Int16"),
        ([0, 2**16 - 1], "Uint16"),
        ([-(2**31), 2**31 - 1], "Int32"),
        ([-(2**53), 2**53], "Float64"),
    ],
)
def test_whole_numbers_come_back_from_the_smallest_type(numbers: list[int], sort: str) -> None:
    packed = whole(numbers)
    assert packed["type"] == sort
    assert unpacked(packed) == numbers


def test_pages_can_read_every_type() -> None:
    of_javascript = {"Uint8", "Int16", "Uint16", "Int32", "Float32", "Float64"}
    examples = [[0], [-1], [2**15], [2**16], [2**31]]
    assert {whole(numbers)["type"] for numbers in examples} | {real([0.5])["type"]} == of_javascript
