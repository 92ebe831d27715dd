"""polycube's files, read as its users write them."""

from __future__ import annotations

from exactcover.formats import parse
from exactcover.puzzle import Puzzle
from exactcover.search.solving import solve

REMARKS = """\
# A definition with remarks
# title: Two Angles
# count rotations: 3
D:xDim=3:yDim=2:zDim=3
C:name=A:type=M:layout=0 0 2,  1 0 2,  1 0 1  # Blue angle
C:name=B:type=M:layout=0 0 0, 0 1 0,1 0 0     # Red angle, x:y=1
~D
"""


def read(text: str) -> Puzzle:
    (document,) = parse(text, "polycube")
    assert document.puzzle is not None
    return document.puzzle


def solutions(text: str) -> int:
    return sum(1 for _ in solve(read(text), counted="all"))


def cells(puzzle: Puzzle, name: str) -> list[list[int]]:
    return next(sorted(p.cells.tolist()) for p in puzzle.pieces if p.name == name)


def test_remarks_title_and_counts() -> None:
    (document,) = parse(REMARKS, "polycube")
    puzzle = document.puzzle
    assert puzzle is not None
    assert (puzzle.lattice.name, puzzle.reflections) == ("cubic", False)
    assert cells(puzzle, "A") == [[0, 0, 2], [1, 0, 1], [1, 0, 2]]
    assert cells(puzzle, "B") == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert (document.title, document.counts) == ("Two Angles", {"rotations": 3})
    assert document.lines["B"] == 6
    assert len(puzzle.groups) == 1


def test_directions_of_a_drawing() -> None:
    drawn = "L:stationary=A B\nA A ., . . B\nA . ., . . .\n~L\n"
    text = f"D:xDim=3:yDim=2:zDim=2\n{drawn}C:name=c:type=M:layout=0 0 0\n~D\n"
    puzzle = read(text)
    assert cells(puzzle, "A") == [[0, 0, 0], [0, 1, 0], [1, 1, 0]]
    assert cells(puzzle, "B") == [[2, 1, 1]]


def test_stationary_pieces_shape_the_region() -> None:
    text = "D:xDim=3:yDim=3:zDim=1\nL:stationary=* X\n* . .\n. . .\n. . X\n~L\n"
    for number in range(7):
        text += f"C:name=c{number}:type=M:layout=0 0 0\n"
    puzzle = read(text + "~D\n")
    assert [piece.name for piece in puzzle.stationary] == ["*", "X"]
    assert cells(puzzle, "*") == [[0, 2]]
    assert solutions(text + "~D\n") == 1


def test_flips_in_the_plane_unless_one_sided() -> None:
    piece = "C:name=S:type=M:layout=0 0 0, 1 0 0, 1 1 0, 2 1 0\n~D\n"
    both = read("D:xDim=4:yDim=4:zDim=1\n" + piece)
    one = read("D:xDim=4:yDim=4:zDim=1:oneSide\n" + piece)
    solid = read("D:xDim=4:yDim=4:zDim=2\n" + piece)
    assert [len(puzzle.groups[0].forms) for puzzle in (both, one, solid)] == [4, 2, 12]


def test_a_row_of_a_drawing_may_be_the_letter_d() -> None:
    text = "D:xDim=1:yDim=3:zDim=1\nL\nA\nD\nD\n~L\n~D\n"
    [document] = parse(text * 2, "polycube")[:1]
    assert document.puzzle is not None
    assert [(piece.name, len(piece.cells)) for piece in document.puzzle.pieces] == [
        ("A", 1),
        ("D", 2),
    ]
