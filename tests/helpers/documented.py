"""The engine that CONTRIBUTING shows, as its reader would have it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from exactcover.backends import Backend

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def documented() -> Backend:
    """The backend of the Python block in the section on adding one."""
    section = PAGE.read_text().partition("## Adding a backend")[2]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert block is not None
    made: dict[str, Any] = {}
    exec(compile(block[1], str(PAGE), "exec"), made)
    backend: Backend = made["BACKEND"]
    return backend
