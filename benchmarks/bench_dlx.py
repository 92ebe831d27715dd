"""The dlx engine beside other people's exact-cover solvers, on the same matrices in the same run.

    python benchmarks/bench_dlx.py [--repeats 3] [--only P PX TC OP30]

Seconds tell of the machine; the ratios are what to look at: the time of `dlx` over that of the
other, each the median of its runs, which take turns. Compilation is not counted: every solver has
found a first solution before it is timed. All of them list every solution.

    P      the pentominoes in a box of 10 x 6, all solutions
    PX     the same with the X confined to a quarter, so that each solution comes once
    TC     the Tetris Cube with one piece held in one orientation
    OP30   the one-sided pentominoes in a box of 30 x 3 with the W held likewise
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from itertools import permutations, product
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers import installed
from exactcover.backends import Branching, Status, get_backend, started
from exactcover.problem import Problem

Cell = tuple[int, ...]
Shape = tuple[Cell, ...]
Matrix = npt.NDArray[np.bool_]
Solver = Callable[[Matrix], int]

# -- the puzzles, written out plainly -------------------------------------------------------------

PENTOMINOES = {
    "F": "01 02 10 11 21",
    "I": "00 10 20 30 40",
    "L": "00 10 20 30 31",
    "N": "00 10 20 21 31",
    "P": "00 01 10 11 20",
    "T": "00 01 02 11 21",
    "U": "00 02 10 11 12",
    "V": "00 10 20 21 22",
    "W": "00 10 11 21 22",
    "X": "01 10 11 12 21",
    "Y": "00 10 20 30 11",
    "Z": "00 01 11 21 22",
}

TETRIS_CUBE = {
    "A": "002 102 202 201 200 210",
    "B": "000 100 200 210 220 211",
    "C": "000 100 101 201 211",
    "D": "000 100 200 210 310",
    "E": "001 000 100 110 120 210",
    "F": "000 100 001 101 010",
    "G": "020 010 000 100 200",
    "H": "000 100 200 300 210",
    "I": "001 101 201 011 010",
    "J": "000 100 101 111 211",
    "K": "000 100 200 110 111",
    "L": "010 110 111 211 101 121",
}


def shape(text: str) -> Shape:
    """The cells of a shape, a word of coordinates each."""
    return tuple(tuple(map(int, word)) for word in text.split())


def orientations(cells: Shape, *, mirrored: bool) -> list[Shape]:
    """The different ways to turn a shape (and reflect it), moved to the origin, in order."""
    dimension = len(cells[0])
    turned = set()
    for axes in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            swaps = sum(axes[b] < axes[a] for a in range(dimension) for b in range(a, dimension))
            if mirrored or (-1) ** swaps * np.prod(signs) == 1:
                turned.add(
                    at_origin(
                        tuple(s * cell[a] for s, a in zip(signs, axes, strict=True))
                        for cell in cells
                    )
                )
    return sorted(turned)


def at_origin(cells: Iterable[Cell]) -> Shape:
    listed = list(cells)
    low = [min(axis) for axis in zip(*listed, strict=True)]
    return tuple(sorted(tuple(c - m for c, m in zip(cell, low, strict=True)) for cell in listed))


def box_matrix(
    pieces: list[list[Shape]],
    box: Cell,
    allowed: Callable[[int, Shape], bool] = lambda piece, image: True,
) -> Matrix:
    """The matrix of all images of each piece in a box: columns are pieces, then cells."""
    cells = {cell: number for number, cell in enumerate(product(*map(range, box)), len(pieces))}
    rows = []
    for number, ways in enumerate(pieces):
        for way in ways:
            for offset in product(*map(range, box)):
                image = tuple(
                    tuple(c + o for c, o in zip(cell, offset, strict=True)) for cell in way
                )
                if all(cell in cells for cell in image) and allowed(number, image):
                    rows.append([number, *(cells[cell] for cell in image)])
    matrix = np.zeros((len(rows), len(pieces) + len(cells)), bool)
    for row, columns in enumerate(rows):
        matrix[row, columns] = True
    return matrix


def pentominoes(confined: bool) -> Matrix:
    """The 10 x 6 box; `confined`: the middle of the X lies in one quarter of it."""
    cross = list(PENTOMINOES).index("X")

    def allowed(piece: int, image: Shape) -> bool:
        x, y = image[2]  # the middle one of the X in sorted order
        return not confined or piece != cross or (x < 5 and y < 3)

    free = [orientations(shape(text), mirrored=True) for text in PENTOMINOES.values()]
    return box_matrix(free, (10, 6), allowed)


def one_sided_pentominoes() -> Matrix:
    """The 30 x 3 box; every symmetry of it would turn the W."""
    pieces = []
    for name, text in PENTOMINOES.items():
        ways = orientations(shape(text), mirrored=False)
        backs = orientations(at_origin((x, -y) for x, y in shape(text)), mirrored=False)
        pieces.append(ways[:1] if name == "W" else ways)
        if backs != ways:
            pieces.append(backs)
    return box_matrix(pieces, (30, 3))


def tetris_cube() -> Matrix:
    """The 4 x 4 x 4 box; piece L keeps one orientation."""
    pieces = [orientations(shape(text), mirrored=False) for text in TETRIS_CUBE.values()]
    pieces[-1] = pieces[-1][:1]
    return box_matrix(pieces, (4, 4, 4))


PUZZLES: dict[str, Callable[[], Matrix]] = {
    "P": lambda: pentominoes(confined=False),
    "PX": lambda: pentominoes(confined=True),
    "TC": tetris_cube,
    "OP30": one_sided_pentominoes,
}

# -- the solvers: each lists all solutions and says how many there are ----------------------------


def by_dlx(matrix: Matrix) -> int:
    search = started(get_backend("dlx"), Problem.from_matrix(matrix), None, Branching.by("s"))
    listed = 0
    while True:
        batch = search.advance(20_000)
        listed += len(batch)
        if batch.status is Status.DONE:
            return listed


def by_xcover(xcover: Any) -> Solver:
    return lambda matrix: sum(1 for _ in xcover.covers_bool(matrix))


def by_exact_cover(exact_cover: Any) -> Solver:
    return lambda matrix: len(exact_cover.get_all_solutions(matrix.astype(np.int32)))


OTHERS: dict[str, Callable[[Any], Solver]] = {
    "xcover": by_xcover,
    "exact-cover": by_exact_cover,
}


# -- the measurement ------------------------------------------------------------------------------


def measure(matrix: Matrix, contestants: dict[str, Solver], repeats: int) -> None:
    """Time each solver in turn, and print a line for each."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    solutions: dict[str, int] = {}
    for _ in range(repeats):
        for name, solver in contestants.items():
            began = perf_counter()
            solutions[name] = solver(matrix)
            seconds[name].append(perf_counter() - began)
    ours = median(seconds["dlx"])
    for name, times in seconds.items():
        its = median(times)
        print(f"  {name:12} {solutions[name]:9,} {its:10.3f} {ours / its:12.2f}")
    sys.stdout.flush()
    if len(set(solutions.values())) > 1:
        raise SystemExit("the solvers do not agree")


def main() -> None:
    parser = argparse.ArgumentParser(description="dlx beside other exact-cover solvers")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PUZZLES, default=list(PUZZLES))
    parser.add_argument("--without", nargs="+", choices=OTHERS, default=[])
    chosen = parser.parse_args()
    contestants: dict[str, Solver] = {"dlx": by_dlx}
    for name, make in OTHERS.items():
        if name not in chosen.without and (module := installed(name)) is not None:
            contestants[name] = make(module)
    for solver in contestants.values():
        solver(np.eye(3, dtype=bool))  # compiled before it is timed
    print(f"  {'':12} {'solutions':>9} {'seconds':>10} {'dlx / it':>12}")
    for name in chosen.only:
        matrix = PUZZLES[name]()
        print(f"{name}: {matrix.shape[0]} options, {matrix.shape[1]} items")
        measure(matrix, contestants, chosen.repeats)


if __name__ == "__main__":
    main()
