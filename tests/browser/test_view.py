"""The page on which a puzzle turns, used as a reader uses it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest

import exactcover as ec
from exactcover.show import Page
from tests.browser.conftest import Open
from tests.helpers.surfaces import apart, surface

Cell = tuple[int, ...]


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
    viewer = open_page(page_of("somacube"))
    assert drawn(viewer) == surface(puzzle, pieces(solution))
    assert viewer.told("calls") == 2
    viewer.press("e")
    assert drawn(viewer) == apart(puzzle, pieces(solution))
    assert viewer.told("calls") == 2


def test_a_frame_is_drawn_only_on_change(open_page: Open) -> None:
    viewer = open_page(page_of("somacube"))
    before = viewer.told("frames")
    viewer.page.mouse.move(*viewer.middle())
    viewer.page.mouse.move(5, 400)
    viewer.page.wait_for_timeout(400)
    assert viewer.told("frames") == before
    viewer.page.keyboard.press("ArrowLeft")
    viewer.page.wait_for_timeout(200)
    assert viewer.told("frames") == before + 1


@pytest.mark.parametrize("name", ["pyramid_20", "polytwigs_hexagon_2", "rods_6", "hexiamonds_6x6"])
def test_other_cells_are_drawn(name: str, open_page: Open) -> None:
    viewer = open_page(page_of(name))
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
    assert "left" in viewer.said()
    viewer.page.mouse.wheel(0, 400)
    viewer.rest()
    assert viewer.seen() != turned
    viewer.page.get_by_role("button", name="First view").click()
    viewer.rest()
    viewer.page.mouse.move(5, 400)
    assert viewer.seen() == first


def test_pieces_are_chosen_hidden_and_stay_hidden(open_page: Open) -> None:
    viewer = open_page(page_of("somacube"))
    viewer.page.mouse.click(*viewer.middle())
    viewer.rest()
    chosen = viewer.model("chosen").partition("\n")[0]
    assert viewer.said().startswith(f"Piece {chosen}, shown.")
    viewer.page.keyboard.down("Shift")
    viewer.page.mouse.click(*viewer.middle())
    viewer.page.keyboard.up("Shift")
    viewer.rest()
    assert viewer.said().startswith(f"{chosen} is hidden. Solution 1 of 3. 1 piece hidden.")
    state = viewer.page.get_by_role("button", name=f"{chosen}: hidden")
    assert state.text_content() == "hidden"
    viewer.press("n")
    assert viewer.said().startswith("Solution 2 of 3. 1 piece hidden.")
    state.click()
    assert viewer.page.get_by_role("button", name=f"{chosen}: shown").count() == 1
    viewer.press("o")
    assert viewer.told("calls") == 3
    viewer.press("a")
    assert viewer.told("calls") == 2
    assert viewer.told("triangles") == 2 * 54


# -- solutions and assembly -----------------------------------------------------------------------


def test_pieces_go_together_one_at_a_time(open_page: Open) -> None:
    solution = solutions("somacube")[0]
    order = ec.assembly(solution)
    assert solution.model is not None
    viewer = open_page(page_of("somacube"))
    viewer.page.get_by_label("Pieces in place").fill("0")
    viewer.rest()
    assert viewer.told("triangles") == 0
    there: list[Sequence[Cell]] = []
    for number, move in enumerate(order.moves, 1):
        viewer.press(".")
        there.append(solution.placements[move.placement].cells)
        assert viewer.told("triangles") == surface(solution.model.puzzle, there)[0]
        assert viewer.said().startswith(f"{move.piece} moves in from ")
        if number < len(order.moves):
            assert f"{number} of 7 pieces in place." in viewer.said()
    viewer.press(",")
    assert viewer.said().startswith(f"{order.moves[-1].piece} moves out to above")


WATCH_SLIDING = """() => {
  window.slid = ""
  const look = () => {
    window.slid = window.exactcover.model.sliding?.parts.join() ?? window.slid
    requestAnimationFrame(look)
  }
  look()
}"""
"""Note the pieces that slide, in each frame: a slow machine shows few of them."""


def test_the_page_says_that_there_is_no_order(open_page: Open) -> None:
    flat = [(x, y, 0) for x, y in product(range(3), repeat=2) if (x, y) != (1, 1)]
    upright = [(x + 1, 1, z - 1) for x, z in product(range(3), repeat=2) if (x, z) != (1, 1)]
    rings = [ec.Piece("A", flat), ec.Piece("B", upright)]
    solution = ec.first(ec.puzzle_of(rings, [*flat, *upright], "cubic"))
    viewer = open_page(ec.view(solution))
    told = viewer.page.text_content("#order")
    assert told == (
        "No order puts all pieces in one at a time: A, B hold each other. "
        "Nor do they come apart if several move together."
    )


def test_several_pieces_move_together(open_page: Open) -> None:
    """All moves of a burr, out and in again, with the pieces that move marked on their way."""
    taking = ec.apart(ec.read("burr_dubois"))
    solution, made = next((one, found.disassembly) for one, found in taking if found.disassembly)
    viewer = open_page(ec.view(solution))
    assert "Level 6.4.1.1.1: 6 moves" in (viewer.page.text_content("#order") or "")
    whole = viewer.told("triangles")
    assert viewer.page.locator("#moves li").count() == len(made.moves)
    together = next(n for n, move in enumerate(made.moves) if len(move.pieces) > 1)
    for number, played in enumerate(made.replay()):
        viewer.page.evaluate(WATCH_SLIDING)
        viewer.page.keyboard.press(",")
        if number == together:
            viewer.until(f"window.slid === {','.join(map(str, played.move.pieces))!r}")
        viewer.rest()
        said = viewer.said()
        names = [solution.placements[piece].piece for piece in played.move.pieces]
        assert said.startswith(", ".join(names))
        assert (" out to " in said) == played.separates
        assert f"{len(made.moves) - number - 1} of 13 moves done." in said
    assert viewer.told("triangles") == 0
    viewer.page.get_by_role("button", name="Assemble").click()
    viewer.until("window.exactcover.model.step === window.exactcover.model.moves.length")
    viewer.rest()
    assert viewer.told("triangles") == whole


# -- four dimensions and more ---------------------------------------------------------------------


def test_four_dimensions_turn(open_page: Open) -> None:
    viewer = open_page(page_of("tetratesseracts_3x2x2x2"))
    way = viewer.page.get_by_label("Shown as")
    way.select_option("turning, as balls")
    viewer.rest()
    pictures = [viewer.seen()]
    for plane in ("xw", "yw", "zw"):
        viewer.page.get_by_label(f"Turn in {plane}", exact=True).first.fill("40")
        viewer.rest()
        pictures.append(viewer.seen())
    assert len(set(pictures)) == 4
    assert viewer.model("fourth.rounded.spheres.meshes[0].count") == 24


# -- puzzles and pieces ---------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["mutilated_chessboard", "bedlamcube", "dominoes_2x2x2x2x2"])
def test_an_empty_region_has_its_pieces_beside_it(what: str, open_page: Open) -> None:
    puzzle = ec.read(what)
    assert isinstance(puzzle, ec.Puzzle)
    viewer = open_page(ec.view(puzzle))
    cells = len(puzzle.space) + sum(len(piece.cells) for piece in puzzle.pieces)
    assert viewer.model("cells") == cells
    names = viewer.page.locator(".pieces .name").all_text_contents()
    assert len(names) == 1 + len(puzzle.pieces)
    assert names[0] == "to be filled"
