"""`--counted`, `--all`, `--symmetries`, and the old `--unique`, on the command line."""

from __future__ import annotations

import json

import pytest

from tests.helpers.commands import ran, records


@pytest.mark.parametrize(
    ("switches", "solutions", "how"),
    [
        ((), 480, "rotations"),
        (("--counted=reflections",), 240, "reflections"),
        (("--all",), 11520, "all"),
    ],
)
def test_the_soma_cube(switches: tuple[str, ...], solutions: int, how: str) -> None:
    [record] = records("count", "somacube", *switches)
    assert (record["solutions"], record["counted"]) == (solutions, how)


def test_the_symmetries_of_solutions() -> None:
    [record] = records("count", "slothouber_graatsma", "--symmetries")
    assert record["symmetries"] == {"3 symmetries": 1}


@pytest.mark.parametrize(
    ("switches", "instead"),
    [
        (("--unique",), "rotations"),
        (("--unique", "rotations"), "rotations"),
        (("--unique", "--json"), "rotations"),
        (("--unique=reflections",), "reflections"),
    ],
)
def test_the_old_word_is_deprecated(switches: tuple[str, ...], instead: str) -> None:
    for words in (("soma_dog", *switches), (*switches, "soma_dog")):
        run = ran("count", *words, "--json")
        assert run.stderr == f"exactcover: --unique is deprecated: use --counted {instead}\n"
        assert json.loads(run.stdout)["counted"] == instead
    assert "--unique" not in ran("solve", "--help").stdout


def test_a_plain_problem_says_that_all_its_solutions_count() -> None:
    for switches, said in (((), ""), (("--all",), ""), (("--counted", "rotations"), "no symm")):
        run = ran("count", "queens_8", *switches)
        assert run.stdout == "generic/queens_8: 92 solutions (all)\n"
        assert said in run.stderr if said else not run.stderr


@pytest.mark.parametrize(
    "order", ["x", "l@1,2", pytest.param("random seed=3", marks=pytest.mark.slow)]
)
def test_the_automaton_takes_an_order_that_is_named(order: str) -> None:
    [record] = records("count", "dominoes_8x8", "--all", "--strategy", f"automaton:{order}")
    assert record["solutions"] == 12_988_816
    assert record["strategy"] == f"automaton:{order}"
