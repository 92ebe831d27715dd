"""`--counted`, `--first` and `--random`: which solutions are found and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactcover as ec
from tests.helpers.commands import ran, records


def test_the_symmetries_of_solutions() -> None:
    [record] = records("count", "slothouber_graatsma", "--stats")
    assert record["symmetries"] == {"3 symmetries": 1}


def test_a_plain_problem_says_that_all_its_solutions_count() -> None:
    for switches, said in (
        ((), ""),
        (("--counted=all",), ""),
        (("--counted", "rotations"), "no symm"),
    ):
        run = ran("count", "queens_8", *switches)
        assert run.stdout == "generic/queens_8: 92 solutions (all)\n"
        assert said in run.stderr if said else not run.stderr


SOLVABLE = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"


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


def test_drawn_and_counted() -> None:
    drawn, again, other = (
        ran("solve", "pentominoes_15x4", "--random", "3", "--seed", seed).stdout for seed in "556"
    )
    assert drawn.endswith("square/pentominoes_15x4: 3 drawn from 1,472 solutions\n")
    assert again == drawn
    assert other != drawn


def test_drawn_for_scripts() -> None:
    puzzle, plain = records("solve", "pentominoes_20x3", "langford_7", "--random", "2")
    assert (puzzle["solutions"], plain["solutions"]) == (
        8,
        ec.count(ec.read("langford_7"), counted="all"),
    )
    assert len(puzzle["placements"]) == len(plain["options"]) == 2
    cells = sorted(tuple(cell) for piece in puzzle["placements"][0] for cell in piece["cells"])
    assert cells == sorted((x, y) for x in range(20) for y in range(3))


def test_what_does_not_fit_is_said() -> None:
    said = ran("solve", "tetriscube", "--random", "1", "--memory", "32", status=4).stderr
    assert "do not fit 32 MiB" in said
    assert said.endswith("allow more memory: all states are held at once\n")
