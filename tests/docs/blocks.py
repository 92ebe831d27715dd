"""The pages of the documentation, cut into their fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<language>.*)$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; the page's lines `start` to `end`, counted from 0, are inside."""

    page: str
    language: str
    start: int
    end: int
    text: str

    @property
    def place(self) -> str:
        """Where a reader finds the block: the line of its opening fence, counted from 1."""
        return f"{self.page}:{self.start}"

    @property
    def first_line(self) -> str:
        return next((line.strip() for line in self.text.splitlines() if line.strip()), "")


def pages() -> list[str]:
    """Every page, by its path in the checkout."""
    inside = sorted(path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md"))
    return [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        *(path.as_posix() for path in inside if "_build" not in path.parts),
    ]


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, text: str) -> Iterator[Block]:
    """The fenced blocks of a page, from the top down."""
    lines = text.splitlines()
    opened: tuple[int, str, str] | None = None
    for number, line in enumerate(lines):
        found = FENCE.match(line)
        if opened is None and found:
            opened = number + 1, found["fence"], found["language"].strip()
            if found["indent"]:
                raise ValueError(f"{page}:{number + 1}: a fenced block must not be indented")
        elif opened is not None and line.rstrip() == opened[1]:
            start, _, language = opened
            inside = "".join(f"{line}\n" for line in lines[start:number])
            yield Block(page, language, start, number, inside)
            opened = None
    if opened is not None:
        raise ValueError(f"{page}:{opened[0]}: the block that begins here has no end")


def indented_code(text: str) -> Iterator[int]:
    """The lines, counted from 1, where Markdown would see code without a fence."""
    before, inside, in_list = "", False, False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            if re.match(r"([-*]|\d+\.) ", line):
                in_list = True
            elif line and not line.startswith(" "):
                in_list = False
            if line.startswith("    ") and not before.strip() and not in_list:
                yield number
        before = line
