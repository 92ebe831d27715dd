"""`solve --first` of a plain problem goes the way of `ec.first`."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactcover as ec
from tests.helpers.commands import records

SOLVABLE = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
IMPOSSIBLE = "a b c\na b\nb c\n"


@pytest.fixture
def seven(tmp_path: Path) -> Path:
    path = tmp_path / "seven.dlx"
    path.write_text(SOLVABLE)
    return path


@pytest.mark.parametrize("switch", [["--first"], ["--limit", "1"]])
def test_it_is_the_one_of_first(switch: list[str], seven: Path) -> None:
    [told] = records("solve", *switch, "--with-solutions", seven)
    assert (told["strategy"], told["status"], told["solutions"]) == ("planes:weighed", "limit", 1)
    [solution] = told["options"]
    assert sorted(solution) == [["a", "d", "f"], ["b", "g"], ["c", "e"]]
    found = ec.first(ec.read(seven))
    assert found is not None
    assert found.options == (0, 3, 4)


def test_without_a_solution_it_is_complete(seven: Path) -> None:
    seven.write_text(IMPOSSIBLE)
    [told] = records("solve", "--first", seven)
    assert (told["strategy"], told["status"], told["solutions"]) == (
        "planes:weighed",
        "complete",
        0,
    )


def test_a_strategy_that_is_named_is_followed(seven: Path) -> None:
    [told] = records("solve", "--first", "--strategy", "dlx:s", seven)
    assert told["strategy"] == "dlx:s"
