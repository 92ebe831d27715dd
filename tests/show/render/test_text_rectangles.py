"""Large rectangles as text: each has its walls and its name, and none is lost."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.puzzle import Placement
from exactcover.show.render.text import WIDE, draw_rectangles


def box(name: str, x: int, y: int, width: int, height: int) -> Placement:
    cells = ((a, b) for a in range(x, x + width) for b in range(y, y + height))
    return Placement(name, tuple(cells))


def test_walls_meet() -> None:
    rectangles = [box("a", 0, 0, 6, 4), box("b", 0, 4, 3, 4), box("c", 3, 4, 3, 4)]
    assert draw_rectangles(rectangles).split("\n") == [
        "┌─────┬─────┐",
        "│     │     │",
        "│  b  │  c  │",
        "│     │     │",
        "├─────┴─────┤",
        "│           │",
        "│     a     │",
        "│           │",
        "└───────────┘",
    ]


@pytest.mark.parametrize(
    "name", ["calibron_12", "squared_square_112x112", "squared_rectangle_69x61"]
)
def test_a_solution_has_the_name_of_each_rectangle(name: str) -> None:
    solution = ec.first(ec.read(name))
    assert solution is not None
    drawn = ec.draw(solution)
    assert max(map(len, drawn.split("\n"))) <= WIDE + 20
    wide = [one.piece for one in solution.placements if len(one.cells) > 60]
    for piece in set(wide):
        assert drawn.count(piece) >= wide.count(piece)
    assert len(set(drawn.split("\n")[0]) | {"┌", "─", "┬", "┐"}) == 4


def test_a_named_style_draws_cells() -> None:
    solution = ec.first(ec.read("squared_rectangle_33x32"))
    assert solution is not None
    assert len(ec.draw(solution, style="letters").split("\n")) >= 32


def test_small_rectangles_are_drawn_by_cells() -> None:
    solution = ec.first(ec.Puzzle.of("3x2, 1x2", "4x2"))
    assert solution is not None
    assert "3x2" in ec.draw(solution, style="letters")


def test_gaps_stay_empty() -> None:
    drawn = draw_rectangles([box("a", 0, 0, 20, 10), box("b", 30, 10, 20, 10)])
    first, *_, last = drawn.split("\n")
    assert first.startswith(" ")
    assert not last.endswith(" ")
    assert len(last) < len(first)
