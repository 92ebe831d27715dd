"""The engine that the page on engines shows, as its reader would have it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from exactcover.backends import Backend

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"


def documented() -> Backend:
    """The backend of the Python block in the section on engines of your own."""
    section = PAGE.read_text().partition("## An engine of your own")[2]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert block is not None
    made: dict[str, Any] = {}
    exec(compile(block[1], str(PAGE), "exec"), made)
    backend: Backend = made["BACKEND"]
    return backend
