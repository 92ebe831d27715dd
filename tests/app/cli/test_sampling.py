"""`sample`, as someone at a terminal or a script meets it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

import exactcover as ec
from exactcover.app.cli.command_table import exactcover


def run(*arguments: str) -> Result:
    return CliRunner().invoke(exactcover, ["sample", *arguments], standalone_mode=False)


def test_drawn_and_counted() -> None:
    told = run("pentominoes_15x4", "-n", "3", "--seed", "5")
    assert told.exception is None
    assert told.stdout.endswith("square/pentominoes_15x4: 3 drawn from 1,472 solutions\n")
    assert run("pentominoes_15x4", "-n", "3", "--seed", "5").stdout == told.stdout
    assert run("pentominoes_15x4", "-n", "3", "--seed", "6").stdout != told.stdout


def test_for_scripts() -> None:
    records = run("pentominoes_20x3", "langford_7", "-n", "2", "--json").stdout.splitlines()
    puzzle, plain = (json.loads(line) for line in records)
    assert (puzzle["solutions"], plain["solutions"]) == (
        8,
        ec.count(ec.read("langford_7"), counted="all"),
    )
    assert len(puzzle["placements"]) == len(plain["options"]) == 2
    cells = sorted(tuple(cell) for piece in puzzle["placements"][0] for cell in piece["cells"])
    assert cells == sorted((x, y) for x in range(20) for y in range(3))


def test_no_solution_is_said() -> None:
    assert run("tetrominoes_5x4").stdout == "square/tetrominoes_5x4: 0 drawn from 0 solutions\n"


def test_what_does_not_fit_is_said() -> None:
    told = run("tetriscube", "--memory", "32")
    assert told.return_value == 4
    assert "do not fit 32 MiB" in told.stderr
    assert told.stderr.endswith("allow more memory: all states are held at once\n")


def test_what_cannot_fit_is_said_before_its_states_are_made() -> None:
    """It would have fifteen million."""
    with pytest.raises(ec.TooLarge) as told:
        ec.sample(ec.read("pentominoes_1s_18x5"), memory=40)
    assert told.value.so_far == 0
