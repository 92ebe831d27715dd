"""Every command and every block of code of the pages does what the page says.

After a change of what the program prints: `python -m tests.docs --update`, then read `git diff`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import blocks, indented_code, pages, read
from tests.docs.exceptions import NOT_RUN, SLOW, reason
from tests.docs.running import commands, differences, stale_pictures

COMMANDS = [
    (block.page, command.text)
    for page in pages()
    for block in blocks(page, read(page))
    if block.language == "sh"
    for command in commands(block)
]
FIRST = ("docs/first-steps.md",)
"""The pages of the quick suite; `make test-pages` runs all of them."""

WITH_BLOCKS = [page for page in pages() if any(blocks(page, read(page)))]


@pytest.mark.parametrize(
    "page",
    [one if one in FIRST else pytest.param(one, marks=pytest.mark.slow) for one in WITH_BLOCKS],
)
def test_page(page: str, tmp_path: Path) -> None:
    found = differences(page, read(page), tmp_path)
    assert not found, "\n\n".join(map(str, found))
    assert not stale_pictures(read(page), tmp_path), "run `make pages`"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", sorted({page for page, command in COMMANDS if reason(command, SLOW)})
)
def test_slow_commands(page: str, tmp_path: Path) -> None:
    found = differences(page, read(page), tmp_path, slow=True)
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.parametrize("page", pages())
def test_all_code_is_fenced(page: str) -> None:
    assert list(indented_code(read(page))) == []


@pytest.mark.parametrize("start", [*NOT_RUN, *SLOW])
def test_each_exception_is_used(start: str) -> None:
    assert any(command.startswith(start) for _, command in COMMANDS)
