"""Every example of the documentation is read, and has the solutions that it claims."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exactcover.formats import parse, write
from exactcover.solver import solve

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
BLOCK = re.compile(r"^```(toml|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXAMPLES = [found.groups() for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 12
    assert {form for form, _ in EXAMPLES} == {"toml", "text"}


@pytest.mark.parametrize(("form", "text"), EXAMPLES)
def test_example(form: str, text: str) -> None:
    for document in parse(text):
        if "all" in document.counts:
            assert sum(1 for _ in solve(document.content)) == document.counts["all"]
        else:
            assert document.problem.n_options
        again = write([document], "toml" if form == "toml" else "dlx")
        assert len(parse(again)) == 1
