"""`solve --random`, as someone at a terminal or a script meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import exactcover as ec
from tests.helpers.commands import ran, records


def test_drawn_and_counted() -> None:
    drawn, again, other = (
        ran("solve", "pentominoes_15x4", "--random", "3", "--seed", seed).stdout for seed in "556"
    )
    assert drawn.endswith("square/pentominoes_15x4: 3 drawn from 1,472 solutions\n")
    assert again == drawn
    assert other != drawn


def test_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "drawn.jsonl"
    [record] = records("solve", "pentominoes_20x3", "--random", "3", "-o", file)
    assert record["provenance"]["solutions"] == record["solutions"] == 8
    assert "placements" not in record
    drawn = [json.loads(line) for line in file.read_text().splitlines()]
    assert [len(one["placements"]) for one in drawn] == [12] * 3


def test_for_scripts() -> None:
    puzzle, plain = records("solve", "pentominoes_20x3", "langford_7", "--random", "2")
    assert (puzzle["solutions"], plain["solutions"]) == (
        8,
        ec.count(ec.read("langford_7"), counted="all"),
    )
    assert len(puzzle["placements"]) == len(plain["options"]) == 2
    cells = sorted(tuple(cell) for piece in puzzle["placements"][0] for cell in piece["cells"])
    assert cells == sorted((x, y) for x in range(20) for y in range(3))


def test_no_solution_is_said() -> None:
    said = ran("solve", "tetrominoes_5x4", "--random", "1").stdout
    assert said == "square/tetrominoes_5x4: 0 drawn from 0 solutions\n"


def test_what_does_not_fit_is_said() -> None:
    said = ran("solve", "tetriscube", "--random", "1", "--memory", "32", status=4).stderr
    assert "do not fit 32 MiB" in said
    assert said.endswith("allow more memory: all states are held at once\n")


def test_what_cannot_fit_is_said_before_its_states_are_made() -> None:
    """It would have fifteen million."""
    with pytest.raises(ec.TooLarge) as told:
        ec.sample(ec.read("pentominoes_1s_18x5"), memory=40)
    assert told.value.so_far == 0
