"""Published unique counts, on every lattice that has one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactcover.geometry.enumeration import Sort, shapes
from exactcover.lattices import get_lattice
from exactcover.problem.filters.redundancy import choose
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.search.solving import Solving

Cells = list[tuple[int, ...]]

SOMA: dict[str, Cells] = {
    "V": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "L": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)],
    "T": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)],
    "Z": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)],
    "P": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "A": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1)],
    "B": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)],
}
O4 = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)]
TRIPOD = [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)]


def box(*sides: int) -> np.ndarray:
    return np.array(list(product(*map(range, sides))))


def puzzle(
    lattice: str, cells: np.ndarray, *pieces: Piece, reflections: bool | None = None
) -> Puzzle:
    return Puzzle(get_lattice(lattice), Region(cells), pieces, reflections)


def piece(name: str, cells: object, low: int = 1, high: int | None = 1) -> Piece:
    return Piece(name, np.array(cells), low, high)


def all_shapes(lattice: str, size: int, sort: Sort) -> list[Piece]:
    found = shapes(get_lattice(lattice), size, sort)
    return [Piece(f"p{number}", cells) for number, cells in enumerate(found)]


PENTOMINOES = all_shapes("square", 5, Sort.FREE)
ONE_SIDED = all_shapes("square", 5, Sort.ONE_SIDED)

CASES = {
    "pentominoes 10x6": (puzzle("square", box(10, 6), *PENTOMINOES), (9356, 2339, 2339)),
    "pentominoes 20x3": (puzzle("square", box(20, 3), *PENTOMINOES), (8, 2, 2)),
    "one-sided pentominoes 30x3": (
        puzzle("square", box(30, 3), *ONE_SIDED, reflections=False),
        (None, 92, 46),
    ),
    "Soma cube": (
        puzzle("cubic", box(3, 3, 3), *(piece(name, cells) for name, cells in SOMA.items())),
        (11520, 480, 240),
    ),
    "nine L-tricubes": (
        puzzle("cubic", box(3, 3, 3), piece("V", SOMA["V"], 9, 9)),
        (5328, 222, 111),
    ),
    "Slothouber-Graatsma": (
        puzzle(
            "cubic", box(3, 3, 3), piece("B", box(1, 2, 2), 6, 6), piece("o", box(1, 1, 1), 3, 3)
        ),
        (8, 1, 1),
    ),
    "dominoes 2x2x2": (puzzle("cubic", box(2, 2, 2), piece("D", box(1, 1, 2), 0, None)), (9, 2, 2)),
    "4-D dominoes 2x2x2x2": (
        puzzle("hypercubic", box(2, 2, 2, 2), piece("D", box(1, 1, 1, 2), 0, None)),
        (272, 9, 8),
    ),
    "4-D dominoes 2x2x2x3": (
        puzzle("hypercubic", box(2, 2, 2, 3), piece("D", box(1, 1, 1, 2), 0, None)),
        (6345, 187, 155),
    ),
    "4-D squares in a tesseract": (
        puzzle("hypercubic", box(2, 2, 2, 2), piece("O", O4, 4, 4)),
        (30, 2, 2),
    ),
    "4-D tripods in a tesseract": (
        puzzle("hypercubic", box(2, 2, 2, 2), piece("Y", TRIPOD, 4, 4)),
        (112, 3, 3),
    ),
    "any 4-D tetracubes in a tesseract": (
        puzzle(
            "hypercubic",
            box(2, 2, 2, 2),
            *(
                Piece(one.name, one.cells, 0, None)
                for one in all_shapes("hypercubic", 4, Sort.FREE)
            ),
        ),
        (6190, 59, 39),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_published_counts_all_and_unique(name: str) -> None:
    subject, counts = CASES[name]
    for counted, wanted in zip(("all", "rotations", "reflections"), counts, strict=True):
        if wanted is not None:
            result = Solving(subject, counted=counted).run()
            assert (result.status, result.solutions) == ("complete", wanted), counted


@pytest.mark.parametrize("counted", ["rotations", "reflections"])
@pytest.mark.parametrize("name", ["Soma cube", "nine L-tricubes", "dominoes 2x2x2"])
def test_classes_and_their_symmetries_make_up_all_solutions(name: str, counted: str) -> None:
    """A class has as many members as the group has cosets of what fixes one of them."""
    subject, (everything, *_) = CASES[name]
    symmetries = subject.model.symmetries
    order = len(symmetries.selected(counted))
    total = 0
    for solution in Solving(subject, counted=counted):
        fixing = int(symmetries.name_of_group(solution.options, counted).split()[0])
        assert order % fixing == 0
        total += order // fixing
    assert total == everything


def test_the_piece_that_is_constrained_is_the_article_s() -> None:
    model = CASES["pentominoes 10x6"][0].model
    made = choose(model.layout, model.symmetries.selected("rotations"))
    assert made is not None
    assert (
        len(model.groups[made.pivot.number].forms) == 1
    )  # X, the only one that looks the same turned
    assert made.images.size == 8
    assert int(made.allowed.sum()) == 2032
