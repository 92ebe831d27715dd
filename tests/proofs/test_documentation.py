"""What docs/proofs.md says that Python prints is what it prints."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"


def test_the_examples_run() -> None:
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner().run(test).failed == 0
