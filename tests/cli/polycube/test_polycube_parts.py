"""`-g N` with sub-puzzle output: the counts of the parts add up to those of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from click.testing import CliRunner

import exactcover as ec
from exactcover.cli.program import exactcover
from exactcover.formats import parse
from tests.helpers.examples import some

Cell = tuple[int, int, int]


def pieces_of_box(random: Random, size: tuple[int, int, int], most: int) -> list[list[Cell]]:
    """A box cut at random into connected pieces."""
    width, height, depth = size
    left = {(x, y, z) for x in range(width) for y in range(height) for z in range(depth)}
    pieces = []
    while left:
        piece = [min(left)]
        left.remove(piece[0])
        wanted = random.randint(2, most)
        while len(piece) < wanted:
            near = [
                cell
                for x, y, z in piece
                for cell in ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z),
                             (x, y, z + 1), (x, y, z - 1))
                if cell in left
            ]  # fmt: skip
            if not near:
                break
            piece.append(random.choice(sorted(near)))
            left.remove(piece[-1])
        pieces.append(piece)
    return pieces


def random_puzzle(seed: int) -> str:
    """A puzzle with a solution, as a definition file: flat or not, one-sided or not."""
    random = Random(seed)
    size = random.choice([(4, 3, 1), (5, 3, 1), (3, 3, 1), (3, 2, 2), (4, 4, 1)])
    one_sided = ":oneSide" if size[2] == 1 and random.random() < 0.3 else ""
    lines = ["D:xDim={}:yDim={}:zDim={}{}".format(*size, one_sided)]
    for number, cells in enumerate(pieces_of_box(random, size, 4)):
        layout = ", ".join("{} {} {}".format(*cell) for cell in cells)
        lines.append(f"C:name={chr(65 + number)}:type=M:layout={layout}")
    return "\n".join([*lines, "~D", ""])


def parts_of(text: str, *switches: str) -> Iterator[ec.Puzzle]:
    """The puzzles that the command writes."""
    result = CliRunner().invoke(
        exactcover, ["polycube", *switches], input=text, catch_exceptions=False
    )
    assert result.exit_code == 0, result.stderr
    for document in parse(result.stdout, "polycube"):
        assert document.puzzle is not None
        yield document.puzzle


def total(parts: Iterator[ec.Puzzle]) -> int:
    return sum(ec.count(part, strategy="dlx:s", counted="all") for part in parts)


@pytest.mark.parametrize("seed", some(range(60), one_in=30))
def test_the_parts_add_up(seed: int) -> None:
    text = random_puzzle(seed)
    whole = parse(text, "polycube")[0].puzzle
    assert whole is not None
    random = Random(-seed)
    left = str(random.randint(0, len(whole.pieces)))
    extra = random.choice(["-o x", "-o x -V", "-o x -V2", "-f3 -o x:f=3", "-o x -p"]).split()
    switches = ["-g", left, "--format=" + random.choice(["S", "SC"]), *extra]
    assert total(parts_of(text, *switches)) == ec.count(whole, counted="all")
    try:
        unique = total(parts_of(text, *switches, "-r"))
    except ec.ExactCoverError:
        rotations = whole.model.symmetries.rotation.sum()
        assert rotations > 1  # the piece has symmetries of its own
    else:
        assert unique == ec.count(whole, counted="rotations")


COPIES = """\
D:xDim=3:yDim=2:zDim=2
C:name=A:type=M:layout=0 0 0, 0 0 1, 1 0 0
C:name=B:type=M:layout=0 1 0, 1 1 0, 1 1 1, 1 0 1
C:name=C:type=M:layout=0 1 1
C:name=D:type=M:layout=2 0 0, 2 0 1, 2 1 0
C:name=E:type=M:layout=2 1 1
~D
"""


def test_copies_tried_one_after_another_are_no_parts() -> None:
    """Placing copies of a piece in turn would count a solution below each of them."""
    with pytest.raises(ec.ExactCoverError, match="as with -o x"):
        total(parts_of(COPIES, "-g", "2", "--format=S"))
    (whole,) = parse(COPIES, "polycube")
    assert whole.puzzle is not None
    assert total(parts_of(COPIES, "-g", "3", "--format=S", "-o", "x")) == ec.count(
        whole.puzzle, counted="all"
    )
