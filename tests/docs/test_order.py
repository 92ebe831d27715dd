"""What the pages say about themselves: their order, what the extras install, what there is."""

from __future__ import annotations

import re
import tomllib

import pytest

from exactcover.app.cli.command_table import COMMANDS, PARTS
from exactcover.lattices import lattices
from tests.docs.blocks import ROOT, blocks, pages, read

PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

READING_ORDER = [
    "install",
    "first-steps",
    "command-line",
    "formats",
    "lattices",
    "drawings",
    "pictures",
    "pages",
    "gallery",
    "making",
    "graphs",
    "filters",
    "counting",
    "best",
    "verify",
    "proofs",
    "engines",
    "heuristics",
    "speed",
    "skyline",
    "workers",
    "splitting",
    "models",
    "polycube",
    "puzzles",
    "cases",
    "agreement",
    "api",
    "decisions/index",
]


def menu(page: str) -> list[str]:
    (tree,) = [block for block in blocks(page, read(page)) if block.language == "{toctree}"]
    return [line for line in tree.text.splitlines() if line and not line.startswith(":")]


def test_the_menu_has_every_page_in_the_order_of_reading() -> None:
    there = {page.removeprefix("docs/").removesuffix(".md") for page in pages() if "/" in page}
    decisions = {page for page in there if page.startswith("decisions/0")}
    assert set(menu("docs/index.md")) == there - decisions - {"index"}
    known = [page for page in menu("docs/index.md") if page in READING_ORDER]
    assert known == READING_ORDER


def test_the_readme_lists_the_pages_in_the_order_of_the_menu() -> None:
    (listed,) = re.findall(r"## Where to go on\n(.*?)\n\n[^-\s]", read("README.md"), re.DOTALL)
    assert re.findall(r"\(docs/(.*?)\.md\)", listed) == menu("docs/index.md")


def test_each_link_leads_to_a_file(subtests: pytest.Subtests) -> None:
    for page in pages():
        with subtests.test(page):
            folder = (ROOT / page).parent
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", read(page)):
                assert (folder / target).exists(), target


def packages(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=~!\[]", requirement)[0] for requirement in requirements}


def test_the_extras_are_those_of_the_project() -> None:
    rows = re.findall(
        r"^\| (`[^|]*) \| ([^|]*) \| [^|]* \|$", read("docs/install.md"), re.MULTILINE
    )
    told = {name.strip("`"): set(re.findall(r"`([^`]+)`", brings)) for name, brings in rows}
    assert list(told) == list(EXTRAS)
    (together,) = EXTRAS["all"]
    assert told.pop("all") == set(re.findall(r"\w+", together.partition("[")[2]))
    assert told == {name: packages(EXTRAS[name]) for name in told}


def test_commands_and_extras_named_in_prose_are_there(subtests: pytest.Subtests) -> None:
    for page in pages():
        with subtests.test(page):
            text = read(page)
            named = set(re.findall(r"`exactcover ([a-z][\w-]*)", text))
            assert named <= set(COMMANDS)
            extras = ",".join(re.findall(r"'(?:exactcover|\.)\[([\w,]+)\]'", text))
            assert set(filter(None, extras.split(","))) <= set(EXTRAS)
            scripts = re.findall(r"\b((?:benchmarks|examples|tests)/[\w/]+\.py)\b", text)
            assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_each_command_is_in_the_table_of_the_command_line() -> None:
    cells = re.findall(r"^\| (`[^|]*) \|", read("docs/command-line.md"), re.MULTILINE)
    assert {word for cell in cells for word in re.findall(r"`([a-z]+)", cell)} == set(COMMANDS)
    assert [name for name in PARTS if f"`{name}" not in read("docs/command-line.md")] == []


def test_each_view_is_among_the_drawings() -> None:
    page = read("docs/drawings.md")
    # Five and six dimensions are drawn as four are.
    assert [name for name, one in lattices().items() if one.views and f'"{name}"' not in page] == [
        "hypercubic-5",
        "hypercubic-6",
    ]
