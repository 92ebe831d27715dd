"""What the pages say about themselves: their order, what the extras install, what there is."""

from __future__ import annotations

import re
import tomllib

import pytest

from exactcover.cli.program import COMMANDS, FOREIGN, PARTS
from tests.docs.blocks import ROOT, blocks, pages, read

PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

GROUPS = ["Start", "Puzzles", "Search", "Show", "Reference"]


def menus(page: str) -> list[tuple[str, list[str]]]:
    """The menus of a page: the caption of each, and the pages that it lists."""
    found = []
    for block in blocks(page, read(page)):
        if block.language == "{toctree}":
            caption = re.search(r"^:caption: (.*)$", block.text, re.MULTILINE)
            listed = [line for line in block.text.splitlines() if line and not line.startswith(":")]
            found.append((caption[1] if caption else "", listed))
    return found


def test_each_page_is_in_one_menu() -> None:
    """The front page lists the pages in five groups."""
    there = {page.removeprefix("docs/").removesuffix(".md") for page in pages() if "/" in page}
    groups = menus("docs/index.md")
    assert [caption for caption, _ in groups] == GROUPS
    listed = [page for _, group in groups for page in group]
    decisions = {page for page in there if page.startswith("decisions/0")}
    assert sorted(listed) == sorted(there - decisions - {"index"})


def test_the_readme_leads_to_pages_of_the_menu() -> None:
    (further,) = re.findall(r"## Where to go on\n(.*?)\n\n[^-\s]", read("README.md"), re.DOTALL)
    led_to = re.findall(r"\(docs/([\w-]+)\.md", further)
    assert led_to
    assert set(led_to) <= {page for _, group in menus("docs/index.md") for page in group}


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
        r"^\| (`[^|]*) \| ([^|]*) \| [^|]* \|$", read("docs/first-steps.md"), re.MULTILINE
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
            if page != "CHANGELOG.md":  # which names what has gone
                named = set(re.findall(r"`exactcover ([a-z][\w-]*)", text))
                assert named <= {*COMMANDS, *FOREIGN}
            extras = ",".join(re.findall(r"'(?:exactcover-tilings|\.)\[([\w,]+)\]'", text))
            assert set(filter(None, extras.split(","))) <= set(EXTRAS)
            scripts = re.findall(r"\b((?:benchmarks|examples|tests)/[\w/]+\.py)\b", text)
            assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_each_command_is_in_the_table_of_the_reference() -> None:
    commands = read("docs/reference.md").partition("## Commands")[2].partition("\n## ")[0]
    table = commands.partition("| command |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    assert {word for cell in cells for word in re.findall(r"`([a-z]+)", cell)} == set(COMMANDS)
    assert [name for name in PARTS if f"`{name}" not in commands] == []
