"""`--counted`, `--all`, `--symmetries`, and the old `--unique`, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from exactcover.app.cli.command_table import exactcover


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
        (("--unique=reflections",), 240, "reflections"),
        (("--all",), 11520, "all"),
        (("--unique", "--counted", "rotations"), 480, "rotations"),
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


@pytest.mark.parametrize(
    "switches",
    [
        ("--all", "--unique"),
        ("--all", "--counted", "rotations"),
        ("--counted", "rotations", "--unique", "reflections"),
    ],
)
@pytest.mark.parametrize("command", ["count", "solve"])
def test_two_ways_of_counting_exclude_each_other(command: str, switches: tuple[str, ...]) -> None:
    result = CliRunner().invoke(exactcover, [command, "somacube", *switches])
    assert result.exit_code == 2
    assert "give one" in result.output


@pytest.mark.parametrize("command", ["count", "solve"])
@pytest.mark.parametrize(
    ("switches", "instead"),
    [
        (("--unique",), "rotations"),
        (("--unique", "rotations"), "rotations"),
        (("--unique=reflections",), "reflections"),
    ],
)
def test_the_old_word_is_deprecated(command: str, switches: tuple[str, ...], instead: str) -> None:
    result = CliRunner().invoke(exactcover, [command, "pentominoes_20x3", *switches, "--json"])
    assert result.stderr == f"exactcover: --unique is deprecated: use --counted {instead}\n"
    assert json.loads(result.stdout)["counted"] == instead
    helped = CliRunner().invoke(exactcover, [command, "--help"]).stdout
    assert "--unique" not in helped
    assert "--counted" in helped


def test_a_plain_problem_says_that_all_its_solutions_count() -> None:
    for switches, said in (((), ""), (("--all",), ""), (("--counted", "rotations"), "no symm")):
        result = CliRunner().invoke(exactcover, ["count", "queens_8", *switches])
        assert result.stdout == "generic/queens_8: 92 solutions (all)\n"
        assert said in result.stderr if said else not result.stderr


@pytest.mark.parametrize(
    "order", ["x", "l@1,2", pytest.param("random seed=3", marks=pytest.mark.slow)]
)
def test_the_automaton_takes_an_order_that_is_named(order: str) -> None:
    record = counted("dominoes_8x8", "--all", "--strategy", f"automaton:{order}")
    assert record["solutions"] == 12_988_816
    assert record["strategy"] == f"automaton:{order}"


def test_what_does_not_fit_may_go_to_a_folder(tmp_path: Path) -> None:
    """Too many to be listed in a moment, and too many states for a MiB."""
    record = counted("dominoes_10x10", "--all", "--memory", "1", "--spill", str(tmp_path))
    assert record["solutions"] == 258_584_046_368
    assert record["strategy"] == f"volume; automaton:narrow memory=1 spill={tmp_path}"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("folder", "strategy", "said"),
    [("nowhere", "", "does not exist"), (".", "dlx:s", "with --strategy say it there")],
)
def test_a_folder_that_is_none_or_not_asked_for(
    tmp_path: Path, folder: str, strategy: str, said: str
) -> None:
    told = ["count", "pentominoes_10x6", "--spill", str(tmp_path / folder)]
    told += ["--strategy", strategy] if strategy else []
    result = CliRunner().invoke(exactcover, told)
    assert result.exit_code == 2
    assert said in result.stderr
