"""The shipped puzzles as the page lists them.

`shelf.json` has a row for each, which `docs/pictures/shelf_list.py` makes: to read all puzzles
takes seconds, and to estimate how hard they are takes minutes.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def listed() -> list[dict[str, Any]]:
    """A row for each puzzle."""
    text = (files("exactcover.studio.serving") / "shelf.json").read_text("utf-8")
    return list(json.loads(text))


@cache
def titles() -> dict[str, str]:
    """The title of each puzzle, by its name."""
    return {row["name"]: row["title"] for row in listed()}
