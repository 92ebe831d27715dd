"""The page on which a puzzle turns, used as a reader uses it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest

import exactcover as ec
from exactcover.show import Page
from exactcover.studio.burrs import apart, view_apart
from tests.browser.conftest import Open
from tests.helpers.surfaces import apart as alone
from tests.helpers.surfaces import surface

Cell = tuple[int, ...]

STILL = {"reduced_motion": "reduce"}
"""For tests of what is shown in the end: nothing slides on its way."""


@cache
def solutions(name: str) -> list[ec.Solution]:
    return list(ec.solve(ec.read(name), limit=3))


@cache
def page_of(name: str) -> Page:
    return ec.view(solutions(name))


def pieces(solution: ec.Solution) -> list[Sequence[Cell]]:
    return [placed.cells for placed in solution.placements]


def drawn(viewer: Any) -> tuple[int, int]:
    return viewer.told("triangles"), viewer.told("lines")


# -- what is drawn --------------------------------------------------------------------------------


def test_only_faces_that_can_be_seen_are_drawn(open_page: Open) -> None:
    solution = solutions("somacube")[0]
    assert solution.model is not None
    puzzle = solution.model.puzzle
    viewer = open_page(page_of("somacube"), **STILL)
    assert drawn(viewer) == surface(puzzle, pieces(solution))
    viewer.press("e")
    assert drawn(viewer) == alone(puzzle, pieces(solution))
    assert viewer.told("calls") == 2 * 7  # the faces and the edges of each piece


def test_a_frame_is_drawn_only_on_change(open_page: Open) -> None:
    viewer = open_page(page_of("somacube"))
    before = viewer.told("frame")
    viewer.page.mouse.move(*viewer.middle())
    viewer.page.mouse.move(5, 400)
    viewer.rest()
    assert viewer.told("frame") == before
    viewer.press("ArrowLeft")
    assert viewer.told("frame") == before + 1


@pytest.mark.parametrize("name", ["pyramid_20", "polytwigs_hexagon_2"])
def test_other_cells_are_drawn(name: str, open_page: Open) -> None:
    viewer = open_page(page_of(name), **STILL)
    assert viewer.told("triangles") > 0
    before = viewer.seen()
    viewer.press("e")
    assert viewer.seen() != before


# -- mouse ----------------------------------------------------------------------------------------


def test_dragging_turns_and_the_wheel_zooms(open_page: Open) -> None:
    viewer = open_page(page_of("somacube"))
    first = viewer.seen()
    viewer.drag(200, 0)
    turned = viewer.seen()
    assert turned != first
    viewer.page.mouse.wheel(0, 400)
    viewer.rest()
    assert viewer.seen() != turned
    viewer.page.get_by_role("button", name="Reset").click()
    viewer.rest()
    viewer.page.mouse.move(5, 400)
    assert viewer.seen() == first


def test_pieces_are_hidden_and_stay_hidden(open_page: Open) -> None:
    viewer = open_page(page_of("somacube"))
    viewer.page.mouse.click(*viewer.middle())
    viewer.rest()
    hidden = viewer.page.locator(".pieces [aria-pressed=false]")
    name = hidden.text_content()
    assert viewer.said() == f"{name} is hidden. Reset shows it again."
    viewer.press("n")
    assert viewer.page.locator("output").text_content() == "Solution 2 of 3"
    assert hidden.text_content() == name
    hidden.click()
    assert viewer.said() == f"{name} is shown."
    viewer.rest()
    assert viewer.told("triangles") == 2 * 54


# -- solutions and assembly -----------------------------------------------------------------------


WATCH_SLIDING = """() => {
  window.slid = ""
  const look = () => {
    window.slid = window.exactcover.model.sliding?.parts.join() ?? window.slid
    requestAnimationFrame(look)
  }
  look()
}"""
"""Note the pieces that slide, in each frame: a slow machine shows few of them."""


def test_the_page_says_what_cannot_come_apart(open_page: Open) -> None:
    flat = [(x, y, 0) for x, y in product(range(3), repeat=2) if (x, y) != (1, 1)]
    upright = [(x + 1, 1, z - 1) for x, z in product(range(3), repeat=2) if (x, z) != (1, 1)]
    rings = [ec.Piece("A", flat), ec.Piece("B", upright)]
    solution = ec.first(ec.puzzle_of(rings, [*flat, *upright], "cubic"))
    assert solution is not None
    viewer = open_page(view_apart([(solution, apart(solution))]))
    assert viewer.said() == "A B cannot come apart"
    assert viewer.page.get_by_role("button", name="Assemble").is_hidden()


def test_several_pieces_move_together(open_page: Open) -> None:
    """All moves of a burr, out and in again, with the pieces that move marked on their way."""
    taken = next(one for one in apart(ec.read("burr_dubois")) if one[1].status == "apart")
    moves = taken[1].moves
    viewer = open_page(view_apart([taken]), **STILL)
    assert viewer.said() == "Level 6.4.1.1.1: 6 moves until a piece comes off"
    whole = viewer.told("triangles")
    together = next(n for n, move in enumerate(moves) if len(move.pieces) > 1)
    for number, move in enumerate(moves):
        if number == together:
            viewer.page.emulate_media(reduced_motion="no-preference")
            viewer.page.evaluate(WATCH_SLIDING)
        viewer.page.keyboard.press(",")
        if number == together:
            viewer.until(f"window.slid === {','.join(map(str, move.pieces))!r}")
            viewer.page.emulate_media(**STILL)
        viewer.rest()
        names = ", ".join(taken[1].names[piece] for piece in move.pieces)
        assert viewer.said() == f"{len(moves) - number - 1} of 13 moves. Moved: {names}"
    assert viewer.told("triangles") == 0
    viewer.press(*"." * len(moves))
    assert viewer.model("step") == len(moves)
    assert viewer.told("triangles") == whole


# -- four dimensions and more ---------------------------------------------------------------------


def test_four_dimensions_turn(open_page: Open) -> None:
    viewer = open_page(page_of("tetratesseracts_3x2x2x2"), **STILL)
    first = viewer.seen()
    viewer.page.get_by_label("Turn in the fourth dimension").fill("40")
    viewer.rest()
    assert viewer.seen() != first
    pieces = "object.children.flatMap((piece) => piece.children)"
    balls = 'filter((one) => one.geometry.type === "SphereGeometry")'
    assert viewer.model(f"{pieces}.{balls}.length") == 24


# -- puzzles and pieces ---------------------------------------------------------------------------


def test_an_empty_region_has_its_pieces_beside_it(open_page: Open) -> None:
    puzzle = ec.read("bedlamcube")
    assert isinstance(puzzle, ec.Puzzle)
    viewer = open_page(ec.view(puzzle))
    cells = len(puzzle.space) + sum(len(piece.cells) for piece in puzzle.pieces)
    assert viewer.model("cells") == cells
    names = viewer.page.locator(".pieces li").all_text_contents()
    assert len(names) == 1 + len(puzzle.pieces)
    assert names[0] == "to be filled"
