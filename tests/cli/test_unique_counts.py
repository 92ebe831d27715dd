"""`--unique`, `--all` and `--symmetries` on the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from exactcover.cli.commands import exactcover


def counted(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(exactcover, ["count", *arguments, "--json"])
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert isinstance(record, dict)
    return record


@pytest.mark.parametrize(
    ("switches", "solutions", "how"),
    [
        ((), 480, "rotations"),
        (("--unique",), 480, "rotations"),
        (("--unique", "rotations"), 480, "rotations"),
        (("--unique=reflections",), 240, "reflections"),
        (("--all",), 11520, "all"),
    ],
)
def test_the_soma_cube(switches: tuple[str, ...], solutions: int, how: str) -> None:
    for arguments in (("somacube", *switches), (*switches, "somacube")):
        record = counted(*arguments)
        assert (record["solutions"], record["counted"]) == (solutions, how)


def test_a_problem_without_cells_counts_all() -> None:
    record = counted("queens_8")
    assert (record["solutions"], record["counted"]) == (92, "all")


def test_the_symmetries_of_solutions() -> None:
    record = counted("slothouber_graatsma", "--symmetries")
    assert record["symmetries"] == {"3 symmetries": 1}


def test_all_and_unique_exclude_each_other() -> None:
    result = CliRunner().invoke(exactcover, ["count", "somacube", "--all", "--unique"])
    assert result.exit_code == 2
    assert "give one" in result.output


@pytest.mark.parametrize("order", ["x", "l@1,2", "random seed=3"])
def test_the_automaton_takes_an_order_that_is_named(order: str) -> None:
    record = counted("dominoes_8x8", "--all", "--strategy", f"automaton:{order}")
    assert record["solutions"] == 12_988_816
    assert record["strategy"] == f"automaton:{order}"
