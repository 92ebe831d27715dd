"""The harness sees what is wrong with a page, and mends what a program can mend.

The pages themselves show that it passes what is right.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.running import Difference, differences, mended

PAGE = "docs/page.md"


def fence(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```", ""])


COUNT = "exactcover count dominoes_2x2x2 --counted all"
PUZZLE = 'pieces = "domino any"', 'region = "2x2"'


def found_in(text: str, folder: Path) -> list[Difference]:
    folder.mkdir()
    return differences(PAGE, text, folder)


BAD = {
    "output": (fence("sh", COUNT) + fence("text", "8 solutions"), "+cubic/dominoes_2x2x2: 9"),
    "no output": (fence("sh", COUNT), "does not show what this prints"),
    "the number in a comment": (fence("sh", f"{COUNT}  # 8 solutions"), "not what was printed"),
    "an error": (fence("sh", "exactcover count no_such_puzzle"), "exit status 1"),
    "no such program": (fence("sh", "exactcovr count x"), "exit status 127"),
    "Python prints another value": (fence("python", "print(1 + 1)  # 3"), "# 3\nis not"),
    "Python prints what is not shown": (fence("python", "print(2)"), "does not show"),
    "a puzzle without solution": (fence("toml", *PUZZLE[:1], 'region = "3x1"'), "no solution"),
    "a puzzle with others": (
        fence("toml", *PUZZLE, "[counts]", "all = 3"),
        "2 solutions (all), not 3",
    ),
    "text out of nowhere": (fence("text", "hello"), "Error"),
    "run and not run": (fence("sh", "exactcover serve", COUNT), "split it"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_found(text: str, message: str, tmp_path: Path) -> None:
    (found,) = found_in(text, tmp_path / "page")
    assert message in str(found)
    assert str(found).startswith(PAGE)


@pytest.mark.parametrize(
    "name",
    [
        *("output", "no output", "the number in a comment", "Python prints another value"),
        "Python prints what is not shown",
    ],
)
def test_the_page_is_mended(name: str, tmp_path: Path) -> None:
    text = f"# A page\n\nWords.\n\n{BAD[name][0]}\nMore words.\n"
    new = mended(text, found_in(text, tmp_path / "before"))
    assert new != text
    assert new.startswith("# A page\n\nWords.\n\n```")
    assert new.endswith("\n\nMore words.\n")
    assert found_in(new, tmp_path / "after") == []
