"""Pieces that may be turned over or cross, beside others that may not, in every file format."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np

from exactcover.formats import Document, parse, write
from exactcover.puzzle import Puzzle
from exactcover.search.counting.counts import count


def counts(puzzle: Puzzle) -> list[int]:
    return [count(puzzle, counted=how) for how in ("all", "rotations", "reflections")]


def puzzle_of(text: str, form: str = "toml") -> Puzzle:
    [document] = parse(text, form)
    assert document.puzzle is not None
    return document.puzzle


def permissions(puzzle: Puzzle) -> dict[str, tuple[bool | None, bool | None]]:
    return {piece.name: (piece.reflections, piece.crossing) for piece in puzzle.pieces}


MIXED = """
lattice = "square"
region = "4x4"
pieces = "domino any"

[[piece]]
shape = "L tetromino"
copies = 2
reflections = false

[[piece]]
shape = "O tetromino"
copies = "any"
cost = 2
reflections = true

[[piece]]
name = "F"
drawing = "###\\n#.."
reflections = false
copies = "0..1"
"""


def test_toml_says_it_of_each_piece() -> None:
    puzzle = puzzle_of(MIXED)
    assert permissions(puzzle) == {
        "I": (None, None),
        "L": (False, None),
        "O": (True, None),
        "F": (False, None),
    }
    assert [piece.cost for piece in puzzle.pieces] == [0, 0, 2, 0]
    again = puzzle_of(write([Document("x", puzzle)], "toml"))
    assert permissions(again) == permissions(puzzle)
    assert counts(again) == counts(puzzle)


def test_what_a_format_can_say_all_the_same() -> None:
    """All pieces for which it makes a difference say the same, or it is that of the format."""
    text = (
        'pieces = ["O tetromino", "I tetromino"]\nregion = "4x4"\n'
        'piece = [{shape = "L tetromino", copies = 2, reflections = false}]'
    )
    puzzle = puzzle_of(text)
    again = puzzle_of(write([Document("x", puzzle)], "polycube"), "polycube")
    assert not again.reflections
    assert counts(again) == counts(puzzle)
    turned = puzzle_of(text.replace("false", "true") + "\nreflections = false")
    again = puzzle_of(write([Document("x", turned)], "xmpuzzle"), "xmpuzzle")
    assert (
        count(again, counted="all") == count(turned, counted="all") > count(puzzle, counted="all")
    )


BALLS = [point for point in product(range(3), repeat=3) if sum(point) % 2 == 0]
"""Points whose coordinates have an even sum."""

FLAT = [(0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 2)]
BENT = [(0, 0, 0), (1, 1, 0), (2, 1, 1), (2, 2, 2)]
"""Four balls in a close-packed plane, and four that are handed in space."""


def block(points: list[tuple[int, ...]]) -> str:
    marks = np.full((3, 3, 3), "_")
    marks[tuple(np.array(points).T[::-1])] = "#"
    return f'<voxel x="3" y="3" z="3" type="0">{"".join(marks.ravel())}</voxel>'


def congruent(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether a rotation of space, any one, takes the first points to the others."""
    arm, rank = one[1:] - one[0], np.linalg.matrix_rank(one[1:] - one[0])
    for order in permutations(range(len(other))):
        target = other[list(order)]
        arms = target[1:] - target[0]
        if (arm @ arm.T == arms @ arms.T).all() and (
            rank < 3 or np.isclose(np.linalg.det(arm), np.linalg.det(arms))
        ):
            return True
    return False


def test_a_flat_piece_of_balls_beside_a_bent_one() -> None:
    """BurrTools turns each piece by every rotation of space that keeps it on the grid."""
    text = (
        '<puzzle version="2"><gridType type="2"/><colors/><shapes>'
        f"{block(BALLS)}{block(FLAT)}{block(BENT)}{block(BALLS[:1])}</shapes><problems><problem>"
        '<shapes><shape id="1" min="0" max="1"/><shape id="2" min="0" max="1"/>'
        '<shape id="3" min="0" max="99"/></shapes><result id="0"/></problem></problems></puzzle>'
    )
    puzzle = puzzle_of(text, "xmpuzzle")
    assert permissions(puzzle) == {"S2": (True, None), "S3": (None, None), "S4": (None, None)}
    assert not puzzle.reflections
    points = np.array(BALLS)
    every = [frozenset(chosen) for chosen in combinations(range(len(points)), 4)]
    flat = [c for c in every if congruent(np.array(FLAT), points[sorted(c)])]
    bent = [c for c in every if congruent(np.array(BENT), points[sorted(c)])]
    both = sum(not one & other for one in flat for other in bent)
    assert min(len(flat), len(bent), both) > 10
    assert count(puzzle, counted="all") == 1 + len(flat) + len(bent) + both
    again = puzzle_of(write([Document("x", puzzle)], "toml"))
    assert permissions(again) == permissions(puzzle)
    assert counts(again) == counts(puzzle)
