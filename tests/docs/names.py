"""The tables of public names in `docs/reference.md`, made by `python -m tests.docs.names`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

from tests.docs.blocks import ROOT, read

PAGE = "docs/reference.md"

HEAD = "| name | meaning |\n|---|---|\n"

TABLE = re.compile(r"(?:\| .*\n|\|---.*\n)+\n")


def rooms() -> list[str]:
    """The public modules, each at its one path."""
    return re.findall(r"(?m)^### (exactcover.*)", read(PAGE))


def is_data(value: Any) -> bool:
    """Whether it is a constant or a type alias, which has no docstring of its own."""
    return not (inspect.isclass(value) or inspect.isfunction(inspect.unwrap(value))) or hasattr(
        value, "__origin__"
    )


def written_below(room: str, name: str) -> str:
    """The docstring below the line that defines a constant, in any module of the room."""
    place = ROOT.joinpath(*room.split("."))
    for path in [*sorted(place.rglob("*.py")), *place.parent.glob(f"{place.name}.py")]:
        body = ast.parse(path.read_text()).body
        for line, next_line in pairwise(body):
            if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(next_line, ast.Expr):
                listed = line.targets if isinstance(line, ast.Assign) else [line.target]
                targets = {one.id for one in listed if isinstance(one, ast.Name)}
                if name in targets and isinstance(next_line.value, ast.Constant):
                    return str(next_line.value.value)
    return ""


def listed(room: str) -> list[str]:
    """The names of a room; what `exactcover` gives too is listed there alone."""
    package, main = import_module(room), import_module("exactcover")
    return [
        name
        for name in sorted(package.__all__, key=lambda name: (name.lower(), name))
        if package is main or getattr(main, name, None) is not getattr(package, name)
    ]


def rows(room: str) -> Iterator[str]:
    """A row for each name of a room."""
    for name in listed(room):
        value = getattr(import_module(room), name)
        text = written_below(room, name) if is_data(value) else inspect.getdoc(value) or ""
        first = " ".join(text.partition("\n\n")[0].split()).removesuffix(".")
        yield f"| `{name}` | {first} |\n".replace("||", "|")


def with_names(page: str) -> str:
    """The page with a table of its names below the heading of each room."""
    parts = re.split(r"(?m)^(### exactcover.*\n)", page)
    for at in range(1, len(parts), 2):
        listed = "".join(rows(parts[at][4:].strip()))
        rest = TABLE.sub("", parts[at + 1].lstrip("\n"), count=1)
        parts[at + 1] = "\n" + (f"{HEAD}{listed}\n" if listed else "") + rest
    return "".join(parts)


if __name__ == "__main__":
    (ROOT / PAGE).write_text(with_names(read(PAGE)), encoding="utf-8")
