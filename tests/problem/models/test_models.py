"""The worked models against published counts, or against a plain search of another kind."""

from __future__ import annotations

from itertools import permutations, product

import networkx as nx
import pytest

import exactcover as ec
from exactcover.errors import ProblemError
from exactcover.problem.models import (
    Job,
    blocks,
    edge_matching,
    graph_colourings,
    langford,
    latin_squares,
    macmahon_squares,
    partridge,
    perfect_matchings,
    queens,
    schedule,
    sudoku,
    sudoku_givens,
    sudoku_text,
    word_rectangles,
)
from exactcover.problem.models.packings import turns

# -- in rows and squares --------------------------------------------------------------------------


def test_queens() -> None:
    """OEIS A000170."""
    assert [ec.count(queens(n)) for n in range(10)] == [1, 1, 0, 0, 2, 10, 4, 40, 92, 352]


def test_latin_squares() -> None:
    """OEIS A002860."""
    assert [ec.count(latin_squares(n)) for n in range(5)] == [1, 1, 2, 12, 576]


def test_latin_squares_that_are_completed() -> None:
    """With the first row and column in order there are 1, 1, 1, 4, 56 squares: OEIS A000315."""
    reduced = {(0, at): at for at in range(5)} | {(at, 0): at for at in range(5)}
    assert ec.count(latin_squares(5, reduced)) == 56
    assert ec.count(latin_squares(3, {(0, 0): 1, (0, 1): 1})) == 0


def test_langford_pairs() -> None:
    """OEIS A014552: reversed rows are not counted again."""
    counts = [ec.count(langford(n)) for n in range(1, 10)]
    assert counts == [0, 0, 1, 1, 0, 0, 26, 150, 0]
    assert ec.count(langford(7, mirrored=True)) == 52


def test_sudoku_of_side_four() -> None:
    """There are 288 filled grids of side four."""
    assert ec.count(sudoku(2, 2)) == 288


def test_sudoku_with_boxes_that_are_not_square() -> None:
    problem = sudoku(2, 3)
    givens = sudoku_givens(["123456 456123 " + 24 * "."], side=6)
    solution = ec.solve_each(problem, givens).solution(0)
    assert solution is not None
    text = sudoku_text(solution, side=6)
    lines = [text[6 * row : 6 * row + 6] for row in range(6)]
    assert lines[:2] == ["123456", "456123"]
    boxes = [lines[r][c : c + 3] + lines[r + 1][c : c + 3] for r in (0, 2, 4) for c in (0, 3)]
    columns = ["".join(column) for column in zip(*lines, strict=True)]
    assert all(len(set(unit)) == 6 for unit in [*lines, *columns, *boxes])


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [(80 * ".", "80 cells: 81"), (80 * "." + "x", "cell 80: 'x'"), (81 * "é", "'é'")],
)
def test_what_is_no_sudoku(puzzle: str, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        sudoku_givens([puzzle])


# -- by colours -----------------------------------------------------------------------------------


def test_word_rectangles() -> None:
    across, down = ["ace", "bad", "bee", "add"], ["ab", "ad", "ca", "cd", "ed", "ee", "dd"]
    wanted = {
        rows
        for rows in product(across, repeat=2)
        if all(a + b in down for a, b in zip(*rows, strict=True))
    }
    found = {
        tuple(sorted((name[1], name[2]) for name in solution.names if name[0] == "across"))  # type: ignore[index]
        for solution in ec.solve(word_rectangles(across, down))
    }
    assert wanted
    assert found == {tuple(enumerate(rows)) for rows in wanted}
    with pytest.raises(ProblemError, match="one length"):
        word_rectangles(["ab", "c"], ["a"])


def plainly_matched(tiles: list[tuple[str, ...]], width: int, rim: str | None) -> int:
    """Fill place after place, tiles and their turns tried in order; equal fillings count once."""
    height = len(tiles) // width
    found = set()

    def agrees(grid: tuple[tuple[str, ...], ...], tile: tuple[str, ...]) -> bool:
        row, column = divmod(len(grid), width)
        top, right, bottom, left = tile
        above = grid[-width][2] if row else rim
        before = grid[-1][1] if column else rim
        return (
            above in (None, top)
            and before in (None, left)
            and (rim is None or row < height - 1 or bottom == rim)
            and (rim is None or column < width - 1 or right == rim)
        )

    def fill(grid: tuple[tuple[str, ...], ...], left: list[tuple[str, ...]]) -> None:
        if not left:
            found.add(grid)
        for number, tile in enumerate(left):
            for turn in range(4):
                turned = tile[turn:] + tile[:turn]
                if agrees(grid, turned):
                    fill((*grid, turned), left[:number] + left[number + 1 :])

    fill((), tiles)
    return len(found)


@pytest.mark.parametrize("rim", [None, "A"])
@pytest.mark.parametrize(
    "tiles", ["AAAB AABB ABAB AAAA", "AABC AACB ABBA AAAB ACCA AABA", "ABAC ABAC AACB AABB"]
)
def test_edge_matching_like_a_plain_search(tiles: str, rim: str | None) -> None:
    given = [(a, b, c, d) for a, b, c, d in tiles.split()]
    width = len(given) // 2
    problem = edge_matching(given, width, 2, rim=rim)
    assert ec.count(problem) == plainly_matched(list(given), width, rim)


def test_macmahons_squares() -> None:
    assert len(macmahon_squares()) == 24
    assert {len(turns(tile)) for tile in macmahon_squares()} == {1, 2, 4}
    assert len(macmahon_squares("RGBY")) == 70
    with pytest.raises(ProblemError, match="24 tiles for 25 places"):
        edge_matching(macmahon_squares(), 5, 5)


@pytest.mark.slow
def test_macmahons_squares_with_a_rim_of_one_colour() -> None:
    """13,328, up to the symmetries of the box and of the other two colours, by two searches.

    The 12,261 of 1964 that are often quoted were not all of them.
    """
    problem = edge_matching(macmahon_squares(), 6, 4, rim="A")
    assert ec.count(problem) == 13328 * 4 * 2
    assert ec.solve_each(problem, [[]], limit=None).found.tolist() == [13328 * 4 * 2]


# -- by ranges ------------------------------------------------------------------------------------


def test_the_small_partridges_have_no_solution() -> None:
    assert [ec.count(partridge(n)) for n in (1, 2, 3, 4)] == [1, 0, 0, 0]


def test_dominoes_and_single_squares() -> None:
    """OEIS A028420: matchings of the square grids, with any number of either."""
    sizes = {(1, 2): (0, 8), (1, 1): (0, 16)}
    assert [ec.count(blocks((n, n), sizes)) for n in (1, 2, 3, 4)] == [1, 7, 131, 10012]


def test_dominoes_with_empty_places() -> None:
    """Matchings of the square of side 4, by their number of edges; those that are full are 36."""
    many = [ec.count(blocks((4, 4), {(1, 2): k}, full=False)) for k in range(9)]
    assert many == [1, 24, 224, 1044, 2593, 3388, 2150, 552, 36]
    assert ec.count(blocks((4, 4), {(1, 2): (7, 9)}, full=False)) == 552 + 36


def test_the_most_dominoes_are_the_cheapest() -> None:
    problem = blocks((3, 3), {(1, 2): (0, 9)}, full=False)
    best = min(ec.solve(problem), key=lambda solution: solution.cost)
    assert best.cost == -8


def test_slothouber_and_graatsma() -> None:
    """Six blocks 1 x 2 x 2 and three cubes: just one way, however the box is turned or mirrored."""
    solutions = {
        frozenset(
            frozenset(product(*(range(c, c + s) for c, s in zip(corner, sides, strict=True))))
            for _, sides, corner in solution.names  # type: ignore[misc]
        )
        for solution in ec.solve(blocks((3, 3, 3), {(1, 2, 2): 6, (1, 1, 1): 3}))
    }
    one = next(iter(solutions))
    images = {
        frozenset(
            frozenset(
                tuple(abs(2 * flip - cell[axis]) for axis, flip in zip(axes, flips, strict=True))
                for cell in block
            )
            for block in one
        )
        for axes in permutations(range(3))
        for flips in product((False, True), repeat=3)
    }  # fmt: skip
    assert solutions == images
    assert len(images) == 8


def test_blocks_of_another_dimension() -> None:
    with pytest.raises(ProblemError, match="2 sides"):
        blocks((3, 3), {(1, 1, 2): 1})


# -- by costs -------------------------------------------------------------------------------------

JOBS = {
    "cut": Job(2, due=2, weight=3),
    "drill": Job(3, due=4, weight=2, machines=frozenset({"north"})),
    "paint": Job(2, release=1, due=3),
    "pack": Job(1, release=2, due=3, weight=5),
}
OPEN = {"north": 6, "south": 4}


def test_schedules_like_a_plain_search() -> None:
    wanted: dict[tuple[tuple[str, int], ...], float] = {}
    for places in product(product(OPEN, range(6)), repeat=4):
        used: list[tuple[str, int]] = []
        cost = 0.0
        for job, (machine, start) in zip(JOBS.values(), places, strict=True):
            end = start + job.hours
            if start < job.release or end > OPEN[machine]:
                break
            if job.machines is not None and machine not in job.machines:
                break
            used += [(machine, hour) for hour in range(start, end)]
            cost += job.weight * max(0, end - job.due)
        else:
            if len(set(used)) == len(used):
                wanted[places] = cost
    found = {
        tuple((machine, start) for _, machine, start in solution.names): solution.cost  # type: ignore[misc]
        for solution in ec.solve(schedule(JOBS, OPEN))
    }
    assert len(wanted) > 20
    assert found == wanted


def test_what_is_no_schedule() -> None:
    with pytest.raises(ProblemError, match="takes 0 hours"):
        schedule({"rest": Job(0)}, OPEN)
    with pytest.raises(ProblemError, match="both a job and a machine"):
        schedule({"north": Job(1)}, OPEN)


# -- graphs ---------------------------------------------------------------------------------------


def test_colourings_of_known_graphs() -> None:
    """The chromatic polynomials of a cycle and of a complete graph; Petersen's has 120."""
    for colours in (2, 3, 4):
        cycle = (colours - 1) ** 7 - (colours - 1)
        assert ec.count(graph_colourings(nx.cycle_graph(7), colours)) == cycle
    assert ec.count(graph_colourings(nx.complete_graph(4), "rgbyk")) == 5 * 4 * 3 * 2
    assert ec.count(graph_colourings(nx.petersen_graph(), 3)) == 120
    looped = nx.Graph([(0, 0), (0, 1)])
    assert ec.count(graph_colourings(looped, 3)) == 0
    assert ec.count(graph_colourings(nx.MultiGraph([(0, 1), (0, 1)]), 3)) == 6
    assert ec.count(graph_colourings(nx.DiGraph([(0, 1), (1, 0)]), 3)) == 6


def test_perfect_matchings_of_known_graphs() -> None:
    """Complete graphs have (2n - 1)!!, hypercubes those of OEIS A005271."""
    assert ec.count(perfect_matchings(nx.complete_graph(8))) == 7 * 5 * 3
    assert [ec.count(perfect_matchings(nx.hypercube_graph(n))) for n in (1, 2, 3, 4)] == [
        1, 2, 9, 272,
    ]  # fmt: skip
    assert ec.count(perfect_matchings(nx.petersen_graph())) == 6
    assert ec.count(perfect_matchings(nx.dodecahedral_graph())) == 36
    assert ec.count(perfect_matchings(nx.path_graph(5))) == 0
    assert ec.count(perfect_matchings(nx.MultiGraph([(0, 1), (0, 1)]))) == 2


def test_the_cheapest_matching_is_that_of_networkx() -> None:
    graph = nx.Graph()
    for one, other in nx.complete_graph(8).edges:
        graph.add_edge(one, other, weight=(one * 7 + other * 13) % 11 + 1)
    cheapest = min(ec.solve(perfect_matchings(graph)), key=lambda solution: solution.cost)
    wanted = nx.min_weight_matching(graph)
    assert cheapest.cost == sum(graph.edges[edge]["weight"] for edge in wanted)
