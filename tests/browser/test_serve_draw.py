"""Puzzles that are drawn on the served page: squares, hexagons, cubes; pieces; checks; undo."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Open
from tests.helpers.served import ended, figure, open_puzzle, start
from tests.helpers.viewer import Viewer


def blank(open_served: Open, lattice: str, shape: str, cells: int) -> Viewer:
    """A new drawing with a region of this shape."""
    viewer = open_served("#draw")
    viewer.until("document.querySelector('.canvas .cell') !== null")
    if lattice != "square":
        viewer.page.get_by_label("Lattice").select_option(lattice)
    viewer.page.get_by_label("Size or board").fill(shape)
    viewer.page.get_by_role("button", name="Set", exact=True).click()
    viewer.until(f"document.querySelectorAll('.canvas [aria-pressed=true]').length === {cells}")
    return viewer


def open_view(viewer: Viewer, view: str) -> None:
    """Go to a view by its link."""
    viewer.page.evaluate("view => app.go(`#${view}`)", view)
    viewer.until(f"document.querySelector('.page.{view} h1') !== null")
    viewer.page.wait_for_timeout(100)


def drawn(viewer: Viewer) -> int:
    """The cells of the region."""
    return int(viewer.page.locator(".canvas [aria-pressed=true]").count())


def add(viewer: Viewer, pieces: str) -> None:
    """Add a set of pieces by its name."""
    viewer.page.get_by_label("Set of the library by its name").fill(pieces)
    viewer.page.get_by_role("button", name="Add", exact=True).click()
    viewer.until(f"document.querySelector('.piece-rows').textContent.includes('{pieces}')")


def verdict(viewer: Viewer, beginning: str) -> str:
    """What the checks say, once it begins so."""
    viewer.until(f"document.querySelector('.verdict').textContent.startsWith('{beginning}')")
    return str(viewer.page.inner_text(".verdict"))


@pytest.mark.parametrize(
    ("lattice", "shape", "pieces", "cells"),
    [
        ("square", "10x6", "pentominoes", 60),
        ("hexagonal", "7x4", "tetrahexes", 28),
        ("cubic", "3x3x3", "tricubes", 27),
    ],
)
def test_a_region_and_a_set_make_a_puzzle(
    lattice: str, shape: str, pieces: str, cells: int, open_served: Open
) -> None:
    viewer = blank(open_served, lattice, shape, cells)
    assert drawn(viewer) == cells
    add(viewer, pieces)
    viewer.until("document.querySelector('.checks').textContent.includes('Pieces cover')")
    assert verdict(viewer, "No contradiction" if lattice != "cubic" else "Impossible")
    found = viewer.page.evaluate("[app.puzzle.lattice, app.puzzle.board.cells.length]")
    assert found == [lattice, cells]


def test_cells_come_and_go_by_clicks_drags_and_keys(open_served: Open) -> None:
    viewer = blank(open_served, "square", "6x5", 30)
    cells = viewer.page.locator(".canvas [data-cell]")
    cells.nth(7).click()
    assert drawn(viewer) == 29
    cells.nth(7).click()
    assert drawn(viewer) == 30
    from_, to = cells.nth(0).bounding_box(), cells.nth(4).bounding_box()
    assert from_ is not None
    assert to is not None
    viewer.page.mouse.move(from_["x"] + 9, from_["y"] + 9)
    viewer.page.mouse.down()
    viewer.page.mouse.move(to["x"] + 9, to["y"] + 9, steps=12)
    viewer.page.mouse.up()
    assert drawn(viewer) == 25
    viewer.page.get_by_role("button", name="Undo").click()
    assert drawn(viewer) == 30
    viewer.page.get_by_role("button", name="Redo").click()
    assert drawn(viewer) == 25
    viewer.page.keyboard.press("Control+z")
    assert drawn(viewer) == 30
    viewer.page.get_by_role("button", name="Optional cells").click()
    cells.nth(12).focus()
    viewer.page.keyboard.press("ArrowRight")
    viewer.page.keyboard.press("Enter")
    label = viewer.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.endswith("optional")
    viewer.page.get_by_role("button", name="Invert").click()
    assert drawn(viewer) == 0


def test_a_drawing_is_checked_while_it_is_drawn(open_served: Open) -> None:
    viewer = blank(open_served, "square", "8x8", 64)
    add(viewer, "dominoes")
    viewer.page.get_by_label("dominoes: copies, at most").fill("31")
    viewer.page.keyboard.press("Tab")
    cells = viewer.page.locator(".canvas [data-cell]")
    cells.nth(0).click()
    cells.nth(63).click()
    viewer.until("document.querySelector('.checks').textContent.includes('62 cells to cover')")
    viewer.until("document.querySelector('.card[aria-busy]') === null")
    assert verdict(viewer, "Impossible") != ""
    viewer.page.get_by_label("Show the colouring").check()
    assert viewer.page.locator(".canvas .mark").count() > 20
    viewer.page.get_by_role("button", name="Undo").click()
    assert verdict(viewer, "Impossible") != ""


def test_a_drawn_piece_with_copies_and_a_colour_is_solved(open_served: Open) -> None:
    viewer = blank(open_served, "square", "4x3", 12)
    viewer.page.get_by_role("button", name="Draw a piece").click()
    box = viewer.page.get_by_role("dialog")
    name = box.get_by_label("Name")
    name.fill("A bar")
    for cell in (0, 1, 2):
        box.locator("[data-cell]").nth(cell).click()
    take = box.get_by_role("button", name="Take this piece")
    take.click()
    assert "without blanks" in box.inner_text()
    name.fill(long := "Bar" * 13)
    take.click()
    row = viewer.page.locator(".piece-rows").bounding_box()
    edge = viewer.page.get_by_label(f"Remove {long}").bounding_box()
    assert row is not None
    assert edge is not None
    assert edge["x"] + edge["width"] <= row["x"] + row["width"]
    viewer.page.get_by_label(f"Edit {long}").click()
    name.fill("Bar")
    take.click()
    viewer.page.get_by_label("Bar: copies, at most").fill("4")
    viewer.page.keyboard.press("Tab")
    viewer.until("document.querySelector('.checks').textContent.includes('to 12 cells')")
    viewer.page.get_by_label("Colour of Bar").fill("#aa3377")
    viewer.page.get_by_label("Name", exact=True).fill("Three bars")
    viewer.page.keyboard.press("Tab")
    viewer.until("document.querySelector('#bar').textContent.includes('Three bars')")
    viewer.until("app.puzzle.pieces[0].colour === '#AA3377'")
    viewer.page.get_by_role("link", name="Run").first.click()
    start(viewer)
    ended(viewer, "Complete")
    assert figure(viewer, "solutions") == "2"


def test_a_drawing_outlives_its_view_and_the_page(open_served: Open) -> None:
    """Also one that is no puzzle yet; only another puzzle replaces it."""
    viewer = blank(open_served, "square", "5x4", 20)
    undo = viewer.page.get_by_role("button", name="Undo")
    viewer.page.locator(".canvas [data-cell]").nth(7).click()

    def come_back() -> None:
        open_view(viewer, "solutions")
        open_view(viewer, "draw")

    def reload() -> None:
        viewer.page.reload()
        viewer.until("window.ready === true")

    for leave in (come_back, reload):
        leave()
        assert drawn(viewer) == 19
        undo.click()
        assert drawn(viewer) == 20
        viewer.page.get_by_role("button", name="Redo").click()
    # Undo brings the board back on which a step was made.
    viewer.page.get_by_label("Lattice").select_option("cubic")
    viewer.until("document.querySelectorAll('.canvas .layer').length === 4")
    reload()
    undo.click()
    assert drawn(viewer) == 19
    for _ in range(2):
        undo.click()
    assert drawn(viewer) == 60
    for _ in range(2):
        viewer.page.get_by_role("button", name="Redo").click()
    assert drawn(viewer) == 19
    add(viewer, "dominoes")
    viewer.until("app.puzzle?.board.cells.length === 19")
    for leave in (come_back, reload):
        leave()
        assert viewer.page.locator(".piece-rows li").count() == 1
        viewer.until("document.querySelector('.checks').textContent.includes('Pieces cover')")
    undo.click()
    assert viewer.page.locator(".piece-rows li").count() == 0
    open_puzzle(viewer, "square/pentominoes_20x3", "draw")
    viewer.until("document.querySelectorAll('.piece-rows li').length === 12")
    assert undo.is_disabled()


def test_a_puzzle_of_the_shelf_is_changed(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "cubic/somacube", "draw")
    viewer.until("document.querySelectorAll('.canvas [aria-pressed=true]').length === 27")
    assert viewer.page.locator(".canvas [data-cell]").count() == 125
    viewer.page.locator(".solid canvas").wait_for()
    viewer.until("document.querySelector('.verdict.good') !== null")
    viewer.page.locator(".canvas [aria-pressed=true]").first.click()
    verdict(viewer, "Impossible")
    assert "26 cells" in viewer.page.inner_text("#bar")
    viewer.page.get_by_role("button", name="Undo").click()
    viewer.until("document.querySelector('.verdict.good') !== null")
    viewer.page.get_by_role("button", name="New", exact=True).click()
    viewer.until("document.querySelector('.piece-rows').children.length === 0")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (844, 390), (390, 844)])
def test_sets_are_chosen_by_their_pictures(open_served: Open, width: int, height: int) -> None:
    viewer = open_served("#draw", viewport={"width": width, "height": height})
    viewer.until("document.querySelector('.canvas .cell') !== null")
    viewer.page.get_by_label("Lattice").select_option("cubic")
    viewer.until("document.querySelector('.canvas figcaption')?.textContent === 'layer 1'")
    # The model is there before there are any pieces.
    viewer.page.locator(".solid canvas").wait_for()
    tetracubes = viewer.page.get_by_role("button", name="Add tetracubes")
    tetracubes.scroll_into_view_if_needed()
    viewer.until("[...document.querySelectorAll('.sets img')].some((i) => i.naturalWidth > 20)")
    assert "8 pieces" in tetracubes.inner_text()
    tetracubes.press("Enter")
    viewer.until("document.querySelector('.piece-rows').textContent.includes('tetracubes')")
    text = verdict(viewer, "Impossible")
    assert text.count("Impossible") == 1
    assert "fit" not in viewer.page.inner_text(".checks")
    assert viewer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_unknown_set_is_refused_with_a_reason(open_served: Open) -> None:
    viewer = open_served("#draw", complaints="status of 4")
    viewer.page.get_by_label("Set of the library by its name").fill("pentominoooes")
    viewer.page.get_by_role("button", name="Add", exact=True).click()
    viewer.until("document.querySelector('.notice.error') !== null")
    assert "pentominoooes" in viewer.page.inner_text(".notice.error")
    notices = viewer.page.locator(".notice")
    size = viewer.page.get_by_label("Size or board")
    for wrong in ("5x", "x5", "pentagon 3"):
        size.fill(wrong)
        viewer.page.get_by_role("button", name="Set", exact=True).click()
        viewer.page.locator(".notice", has_text=wrong).wait_for()
    assert notices.count() == 2  # one of each field, until what is asked for there works
    size.fill("5x4")
    viewer.page.get_by_role("button", name="Set", exact=True).click()
    viewer.until("document.querySelectorAll('.notice').length === 1")
    add(viewer, "pentominoes")
    viewer.until("document.querySelector('.notice') === null")


def test_rows_that_are_painted_anew_keep_what_is_selected(open_served: Open) -> None:
    """An answer of the server may come between the selection of a number and the key."""
    viewer = open_served()
    open_puzzle(viewer, "square/pentominoes_20x3", "draw")
    viewer.until("document.querySelectorAll('.piece-rows li').length === 12")
    viewer.page.get_by_label("I: copies, at most").click()
    viewer.page.keyboard.press("Control+a")
    viewer.page.evaluate("app.dispatchEvent(new Event('theme'))")
    viewer.page.keyboard.type("3")
    assert viewer.page.get_by_label("I: copies, at most").input_value() == "3"
