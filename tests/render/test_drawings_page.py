"""Every picture in docs/drawings.md is what the code above it prints: the golden pictures."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from exactcover.render.views import VIEWS

PAGE = (Path(__file__).parents[2] / "docs" / "drawings.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(python|text)\n(.*?)```\n", re.DOTALL)


def test_each_picture_is_what_its_code_prints() -> None:
    names: dict[str, Any] = {}
    printed, pictures = "", 0
    for language, block in BLOCK.findall(PAGE):
        if language == "text":
            assert printed.rstrip("\n") == block.rstrip("\n")
            pictures += 1
            continue
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(block, names)
        printed = output.getvalue()
    assert pictures >= len(VIEWS)


def test_each_view_is_on_the_page() -> None:
    # Five and six dimensions are drawn as four are.
    assert [name for name in VIEWS if f'"{name}"' not in PAGE] == ["hypercubic-5", "hypercubic-6"]
