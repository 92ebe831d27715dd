"""`exactcover polycube`: what it prints and how it ends."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

import exactcover as ec
from exactcover.cli.program import exactcover
from exactcover.formats import parse

TINY = """\
D:xDim=4:yDim=3:zDim=1
L
A A . B B B B . C C C
A . . . . . . . C C .
~L
~D
"""
"""Three pieces of three, four and five cells in a box of 12 cells."""


def run(*switches: str, text: str = "") -> Result:
    return CliRunner().invoke(exactcover, ["polycube", *switches], input=text)


def table(output: str, name: str) -> dict[int, int]:
    lines = re.findall(rf"^{name}\[ *(\d+)\]= *(\d+)$", output, re.MULTILINE)
    return {int(left): int(many) for left, many in lines}


def test_the_statistics_of_the_article() -> None:
    """Its test case P4, as it prints it."""
    done = run("-i", "-q", "-r", "-V", "-of=11", "-f11", "pentominoes_10x6")
    assert done.exit_code == 0
    attempts = [301677, 3478035, 5722296, 3665538, 1284992, 386776, 200366, 126819, 28279, 3088]
    fits = [2339, 302256, 760374, 617667, 272072, 82406, 26950, 17275, 7994, 1744]
    assert table(done.stdout, "ATTEMPTS") == dict(enumerate([*attempts, 131, 7], 1))
    assert table(done.stdout, "FITS") == dict(enumerate([*fits, 131, 7], 1))
    assert "# Number of placement attempts when N pieces were left to be placed:" in done.stdout
    command = "count pentominoes_10x6 --strategy 'redundancy; volume; dlx:s; fila:f@11 nof=0'"
    assert f"# exactcover {command} --counted rotations --stats\n" in done.stdout
    assert "# volume: 125 options removed, 1907 left" in done.stdout
    assert "# 2339 solutions (unique up to rotations and turning over)" in done.stdout


@pytest.mark.parametrize(
    ("switches", "solutions"), [((), 11520), (("-r",), 480), (("-R", "-u"), 480)]
)
def test_how_many_solutions(switches: tuple[str, ...], solutions: int) -> None:
    done = run("-q", *switches, "somacube")
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"# {solutions} solutions" in done.stderr
    assert "# exactcover count somacube --strategy " in done.stderr


def test_the_formats() -> None:
    brief = run("--format=BL", "-r", text=TINY).stdout.splitlines()
    assert all(re.fullmatch(r"([ABC] ){3}[ABC]( / ([ABC] ){3}[ABC]){2}", line) for line in brief)
    listed = run("--format=FC", "-r", text=TINY).stdout.splitlines()
    assert len(listed) == 4 * len(brief)
    assert re.fullmatch(r"C:name=A:type=S:layout=(\d \d 0, ){2,4}\d \d 0", listed[1])


def test_a_solution_as_a_sub_puzzle_has_itself_for_its_one_solution() -> None:
    for way in ("S", "SC"):
        parts = parse(run(f"--format={way}", "-r", text=TINY).stdout, "polycube")
        assert parts
        for part in parts:
            assert part.puzzle is not None
            assert not part.puzzle.movable
            assert ec.count(part.puzzle, counted="all") == 1


def boards(output: str) -> list[tuple[str, int, int]]:
    """What was done, how many pieces were left, how many cells were then filled."""
    blocks = re.findall(r"# (PLACED|REMOVED), (\d+) LEFT\n((?:[^#].*\n)+)", output)
    return [(kind, int(left), len(re.findall(r"[ABC]", board))) for kind, left, board in blocks]


@pytest.mark.parametrize("extra", [(), ("-V3", "-f1")])
def test_a_trace_shows_each_step(extra: tuple[str, ...]) -> None:
    done = run("-t0", "-i", "-q", *extra, text=TINY)
    steps = boards(done.stdout)
    assert all((left, cells) in [(0, 12), (3, 0)] for _, left, cells in steps if left in (0, 3))
    fits = table(done.stdout, "FITS")
    kinds = [(kind, left) for kind, left, _ in steps]
    for left in (1, 2, 3):
        assert kinds.count(("PLACED", left - 1)) == fits[left]
        assert kinds.count(("REMOVED", left)) == fits[left]


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        ("2", {("PLACED", 2), ("PLACED", 1), ("REMOVED", 2), ("REMOVED", 3)}),
        ("3", {("PLACED", 2), ("REMOVED", 3)}),
        ("-1", {("PLACED", 2)}),
        ("-9", set()),
    ],
)
def test_how_much_a_trace_shows(level: str, shown: set[tuple[str, int]]) -> None:
    done = run(f"-t{level}", "-q", text=TINY)
    assert {(kind, left) for kind, left, _ in boards(done.stdout)} == shown


def test_a_piece_that_is_not_there() -> None:
    done = run("-rQ", text=TINY)
    assert isinstance(done.exception, ec.ExactCoverError)
    assert "no movable piece is called 'Q'" in str(done.exception)
