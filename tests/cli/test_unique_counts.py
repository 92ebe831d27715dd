"""`--counted` on the command line."""

from __future__ import annotations

import pytest

from tests.helpers.commands import ran, records


@pytest.mark.parametrize(
    ("switches", "solutions", "how"),
    [
        ((), 480, "rotations"),
        (("--counted=reflections",), 240, "reflections"),
        (("--counted=all",), 11520, "all"),
    ],
)
def test_the_soma_cube(switches: tuple[str, ...], solutions: int, how: str) -> None:
    [record] = records("count", "somacube", *switches)
    assert (record["solutions"], record["counted"]) == (solutions, how)


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


@pytest.mark.parametrize(
    "order", ["x", "l@1,2", pytest.param("random seed=3", marks=pytest.mark.slow)]
)
def test_the_automaton_takes_an_order_that_is_named(order: str) -> None:
    [record] = records("count", "dominoes_8x8", "--counted=all", "--strategy", f"automaton:{order}")
    assert record["solutions"] == 12_988_816
    assert record["strategy"] == f"automaton:{order}"
