"""The examples of docs/lattices.md run, and its lattices are what they are said to be."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from exactcover.geometry.enumeration import Sort, count_shapes

PAGE = Path(__file__).parents[2] / "docs" / "lattices.md"


def examples(language: str) -> list[str]:
    """The blocks of code of one language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    kites, entry_point = examples("toml")
    Path("kites.toml").write_text(kites)
    assert "exactcover.lattices" in tomllib.loads(entry_point)["project"]["entry-points"]
    names: dict[str, Any] = {}
    for code in examples("python"):
        exec(code, names)
    printed = capsys.readouterr().out
    assert "[1, 2, 4, 10, 27, 85]" in printed
    assert "60\n18 True" in printed
    # Each brick has six neighbours, as a hexagon has.
    bricks = names["BRICKS"]
    assert [count_shapes(bricks, n, Sort.FIXED) for n in range(1, 6)] == [1, 3, 11, 44, 186]
