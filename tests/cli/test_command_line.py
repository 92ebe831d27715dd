"""The command line from outside: a process with its output, its messages and its exit status."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from exactcover.cli.program import COMMANDS, GROUPS, summary
from exactcover.search.strategy import Strategy
from tests.helpers.commands import domino_box, ran, records, refused
from tests.helpers.plugged import plugged_in

SCREEN = 24
"""The lines of a screen."""

KEYS = {
    *("puzzle", "status", "solutions", "counted", "fits", "nofits", "seconds", "compiling"),
    *("strategy", "provenance"),
}


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """4 x 4 cells and eight dominoes: 36 solutions, 9 up to rotations."""
    path = tmp_path / "box.txt"
    path.write_text(domino_box(4, 4))
    return path


def test_help_lists_the_commands() -> None:
    said = ran("--help").stdout
    for command in COMMANDS:
        assert f"\n  {command} " in said
        assert len(ran(command, "--help").stdout.splitlines()) <= SCREEN
    assert len(COMMANDS) == 17
    assert ran("-h").stdout == said


@click.command()
def hello() -> None:
    """Say hello."""
    print("hello")


def test_another_package_adds_a_command() -> None:
    with plugged_in(COMMANDS, hello=f"{__name__}:hello"):
        assert "\nOthers:\n  hello  Say hello.\n" in ran("--help").stdout
        assert ran("hello").stdout == "hello\n"
    assert "hello" not in ran("--help").stdout


def test_the_list_of_commands_has_the_first_line_of_their_help() -> None:
    for commands in GROUPS.values():
        assert commands == {name: summary(COMMANDS[name]) for name in commands}


@pytest.mark.parametrize("words", ["--help", "help common", "polycube --help"])
def test_the_longest_helps_fit_on_a_screen(words: str) -> None:
    lines = ran(*words.split()).stdout.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("command", ["solve", "run resume"])
def test_help_of_a_command(command: str) -> None:
    assert ran("help", *command.split()).stdout == ran(*command.split(), "--help").stdout


def test_solutions_are_drawn_and_counted(box: Path) -> None:
    said = ran("solve", "--counted=all", box).stdout
    assert said.count("# --- SOLUTION") == 36
    assert said.splitlines()[-1].endswith("box.txt: 36 solutions (all)")
    first = said.split("# --- SOLUTION")[1].splitlines()[1:]
    assert [len(row.split()) for row in first] == [4, 4, 4, 4]


@pytest.mark.parametrize("command", ["solve", "count"])
def test_json_is_one_object_and_nothing_else(command: str, box: Path) -> None:
    [record] = records(command, "--counted=all", box)
    assert record.keys() == KEYS
    assert record["puzzle"] == str(box)
    assert (record["status"], record["solutions"], record["counted"]) == ("complete", 36, "all")
    assert record["fits"] > 0
    assert record["nofits"] >= 0
    assert record["seconds"] >= 0
    assert str(Strategy.parse(record["strategy"])) == record["strategy"]


def test_json_with_solutions(box: Path) -> None:
    [record] = records("solve", "--limit", "3", "--with-solutions", box)
    assert record.keys() == KEYS | {"placements"}
    assert record["status"] == "limit"
    assert len(record["placements"]) == record["solutions"] == 3
    for solution in record["placements"]:
        assert all(placed.keys() == {"piece", "cells"} for placed in solution)
        assert {placed["piece"] for placed in solution} == {f"D{n}" for n in range(8)}
        cells = sorted(tuple(cell) for placed in solution for cell in placed["cells"])
        assert cells == [(x, y) for x in range(4) for y in range(4)]


def test_several_puzzles(box: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.txt"
    two.write_text(domino_box(2, 2) + domino_box(2, 3))
    found = records("count", "--counted=all", two, box)
    assert [record["solutions"] for record in found] == [2, 3, 36]
    assert len({record["puzzle"] for record in found}) == 3
    [second] = records("count", "--counted=all", f"{two}#2")
    assert second["solutions"] == 3
    assert second["puzzle"] == found[1]["puzzle"]
    assert "#3" in refused("count", f"{two}#3")


def test_a_slip_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("of yesterday")
    refused("solve", tmp_path / "not there.txt", "-o", path)
    assert path.read_text() == "of yesterday"


@pytest.mark.parametrize(
    "command",
    [
        *("solve", "count", "estimate", "verify --engines dlx,bsx", "check", "compare"),
        "solve --random 1",
        *("polycube --", "batch", "draw -o {}", "draw --page -o {}", "animate -o {}"),
    ],
)
def test_one_that_fails_leaves_the_others(command: str, tmp_path: Path) -> None:
    typo, overlap, right = (tmp_path / f"{name}.txt" for name in ("typo", "overlap", "right"))
    typo.write_text(domino_box(2, 2).replace("C:", "X:"))
    overlap.write_text(domino_box(2, 2).replace("type=M", "type=S"))  # read, but no model
    right.write_text(domino_box(2, 2))
    words = command.format(tmp_path).split()
    run = ran(*words, typo, tmp_path / "missing.toml", overlap, right, status=1)
    made = [path.stem for path in tmp_path.iterdir() if path.suffix in (".svg", ".html")]
    assert "right" in run.stdout + " ".join(made) or words[0] == "polycube"
    if words[0] != "batch":  # its records say what is wrong
        assert f"exactcover: {typo}:2: " in run.stderr
        assert f"exactcover: {tmp_path / 'missing.toml'}: " in run.stderr
        assert f"exactcover: {overlap}:3: stationary pieces D0 and D1 overlap" in run.stderr
        assert run.stderr.endswith("exactcover: 3 of 4 puzzles failed\n")
    if len(words) == 1:
        both = ran(*words, typo, overlap, status=1)
        assert both.stdout == "" or words[0] == "batch"


def test_shapes() -> None:
    said = ran("list", "shapes", "square", "4").stdout
    assert [line.split()[:2] for line in said.splitlines()] == [
        ["5", "free"],
        ["7", "one-sided"],
        ["19", "fixed"],
    ]
    [record] = records("list", "shapes", "hexagonal", "4", "--sort", "free")
    assert record == {"lattice": "hexagonal", "size": 4, "free": 7}
    [record] = records("list", "shapes", "square", "3", "--draw")
    assert record["free"] == len(record["shapes"]) == 2
    assert all(len(shape) == 3 for shape in record["shapes"])
    said = ran("list", "shapes", "sticks-square", "1", "--sort", "free").stdout
    assert said.strip() == "1 free polystick of 1 cell"


def test_lists() -> None:
    found = {what: records("list", what) for what in ("lattices", "backends", "puzzles")}
    cubic = next(one for one in found["lattices"] if one["lattice"] == "cubic")
    assert cubic["neighbours"] == [6]
    said = ran("list", "lattices").stdout.splitlines()
    assert [line.split()[0] for line in said] == [one["lattice"] for one in found["lattices"]]
    engines = {one["backend"]: one for one in found["backends"]}
    assert {"colours", "multiplicities", "secondary"} <= set(engines["dlx"]["features"])
    assert engines["fila"]["settings"]["nof"] == "adjacent, or a number of cells up to 10"
    assert "setting memory: " in ran("list", "backends").stdout
    assert all({"puzzle", "title", "published"} <= one.keys() for one in found["puzzles"])
    assert records("list", "puzzles", "no puzzle has this in its name") == []


@pytest.mark.parametrize(
    ("form", "ending"), [("polycube", "txt"), ("toml", "toml"), ("dlx", "dlx")]
)
def test_convert(box: Path, tmp_path: Path, form: str, ending: str) -> None:
    path = tmp_path / f"converted.{ending}"
    assert ran("convert", box, "-o", path).stdout == ""
    [record] = records("count", "--counted=all", path)
    assert record["solutions"] == 36
    text = ran("convert", box, "--to", form).stdout
    assert text == path.read_text()
