"""What counts as one solution: the same word and the same default in Python and in the shell."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

import exactcover as ec
from exactcover.cli.program import exactcover
from exactcover.lattices import get_lattice
from exactcover.puzzle import Piece, Region
from exactcover.runs import Finding
from exactcover.search.counting.counts import Counting
from tests.helpers.examples import some

BOX, STRIP = ec.read("pentominoes_15x4"), ec.read("pentominoes_20x3")

PUBLISHED = [
    ("pentominoes_10x6", {"all": 9356, "rotations": 2339, "reflections": 2339}),
    ("somacube", {"all": 11520, "rotations": 480, "reflections": 240}),
    ("queens_8", {"all": 92, "rotations": 92, "reflections": 92}),
]


@pytest.mark.parametrize(("name", "published"), some(PUBLISHED, one_in=2))
@pytest.mark.parametrize("counted", some(["reflections", "all", "rotations", None], one_in=4))
def test_python_and_the_shell_agree(
    name: str, published: dict[str, int], counted: str | None
) -> None:
    wanted = published[counted or "rotations"]
    subject = ec.read(name)
    solving = ec.solve(subject, counted=counted)
    assert sum(1 for _ in solving) == ec.count(subject, counted=counted) == wanted
    assert Counting(subject, counted=counted).run().counted == solving.result.counted
    switches = [] if counted is None else ["--counted", counted]
    for command in ("count", "solve"):
        told = CliRunner().invoke(exactcover, [command, name, *switches, "--json"])
        record = json.loads(told.stdout)
        assert (record["solutions"], record["counted"]) == (wanted, solving.result.counted)


def test_the_default_is_up_to_rotations_everywhere() -> None:
    assert ec.Solving(STRIP).counted == Counting(STRIP).result.counted == "rotations"
    assert Finding(STRIP).counted == "rotations"


@pytest.mark.parametrize("strategy", some([None, "fila:f", "automaton:narrow"], one_in=3))
@pytest.mark.parametrize(("counted", "every"), [("all", 1472), ("rotations", 368)])
def test_a_count_up_to_a_limit(strategy: str | None, counted: str, every: int) -> None:
    for limit in (0, 1, 200, every - 1, every, every + 1, 10**12):
        found = ec.count(BOX, counted=counted, strategy=strategy, limit=limit)
        assert found == min(limit, every), limit


@pytest.mark.parametrize("strategy", ["dlx:s", "automaton", None])
def test_a_piece_without_copies_breaks_no_mirror(strategy: str | None) -> None:
    """A domino and two monominoes in a T: three solutions, two of them mirror images."""
    cells = np.array([(0, 0), (1, 0), (2, 0), (1, 1)])
    pieces = [
        Piece("I", np.array([(0, 0), (1, 0)]), 1, 1),
        Piece("O", np.array([(0, 0)]), 2, 2),
        Piece("S", np.array([(0, 0), (1, 0), (1, 1), (2, 1)]), 0, 0, reflections=False),
    ]
    puzzle = ec.Puzzle(get_lattice("square"), Region(cells), tuple(pieces))
    assert ec.count(puzzle, counted="all", strategy=strategy) == 3
    assert ec.count(puzzle, counted="reflections", strategy=strategy) == 2
