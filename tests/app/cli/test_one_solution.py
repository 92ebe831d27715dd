"""`solve --first` of a plain problem goes the way of `ec.first`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import exactcover as ec
from exactcover.app.cli import main

SOLVABLE = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
IMPOSSIBLE = "a b c\na b\nb c\n"


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What a command that ends well says with --json."""
    with pytest.raises(SystemExit) as ended:
        main(["solve", "--json", *arguments])
    assert ended.value.code == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.mark.parametrize("switch", [["--first"], ["--limit", "1"]])
def test_it_is_the_one_of_first(
    switch: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "seven.dlx"
    path.write_text(SOLVABLE)
    told = record(capsys, *switch, "--with-solutions", str(path))
    assert (told["strategy"], told["status"], told["solutions"]) == ("planes:weighed", "limit", 1)
    [solution] = told["options"]
    assert sorted(solution) == [["a", "d", "f"], ["b", "g"], ["c", "e"]]
    found = ec.first(ec.read(path))
    assert found is not None
    assert found.options == (0, 3, 4)


def test_without_a_solution_it_is_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.dlx"
    path.write_text(IMPOSSIBLE)
    told = record(capsys, "--first", str(path))
    assert (told["strategy"], told["status"], told["solutions"]) == (
        "planes:weighed",
        "complete",
        0,
    )


def test_a_strategy_that_is_named_is_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "seven.dlx"
    path.write_text(SOLVABLE)
    assert record(capsys, "--first", "--strategy", "dlx:s", str(path))["strategy"] == "dlx:s"
