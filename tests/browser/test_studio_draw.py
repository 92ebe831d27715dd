"""Draw on the served page: a region, pieces, and what is said of them at once."""

from __future__ import annotations

from tests.browser.conftest import Open
from tests.helpers.viewer import Viewer


def draw(open_served: Open, **wishes: str) -> Viewer:
    viewer = open_served("#draw", **wishes)
    viewer.until("document.querySelector('.canvas [data-cell]') !== null")
    return viewer


def verdict(viewer: Viewer, words: str) -> None:
    viewer.until(f"document.querySelector('.verdict').textContent.includes('{words}')")


def test_a_region_and_a_set_make_a_puzzle(open_served: Open) -> None:
    viewer = draw(open_served)
    verdict(viewer, "64 cells. Add pieces")
    box = viewer.page.get_by_label("Size")
    box.fill("20x3")
    box.press("Enter")
    verdict(viewer, "60 cells")
    viewer.page.get_by_role("button", name="Add pentominoes").click()
    verdict(viewer, "Nothing speaks against a solution")
    assert viewer.page.locator(".piece-rows li").count() == 12
    viewer.page.get_by_label("Name").fill("A Strip")
    viewer.page.get_by_label("Name").press("Enter")
    viewer.until("app.ask && !document.querySelector('.heading .main').disabled")
    viewer.page.get_by_role("button", name="Solve", exact=True).click()
    viewer.until("document.querySelector('.state')?.textContent.startsWith('2 solutions')")
    assert viewer.page.inner_text("h1") == "A Strip"
    viewer.page.get_by_role("button", name="Edit").click()
    viewer.until("document.querySelectorAll('.piece-rows li').length === 12")
    assert viewer.page.get_by_label("Name").input_value() == "A Strip"


def test_an_impossible_drawing_shows_its_colouring_at_once(open_served: Open) -> None:
    viewer = draw(open_served)
    viewer.page.get_by_role("button", name="Add dominoes").click()
    viewer.page.get_by_label("Copies of").fill("")
    viewer.page.get_by_label("Copies of").press("Enter")
    verdict(viewer, "Nothing speaks against")
    cells = viewer.page.locator(".canvas [data-cell]")
    keys = viewer.page.evaluate("[...document.querySelectorAll('.canvas [data-cell]')].length")
    for number in (0, keys - 1):
        viewer.page.locator(f'.canvas [data-cell="{number}"]').click()
    verdict(viewer, "32 white and 30 black cells")
    assert "covers 1 white and 1 black" in viewer.page.inner_text(".verdict")
    assert cells.locator(".mark").count() == 30
    viewer.page.get_by_role("button", name="Undo", exact=True).click()
    assert viewer.page.locator(".canvas .mark").count() == 0


def test_a_size_that_is_too_large_is_refused_at_once(open_served: Open) -> None:
    viewer = draw(open_served, complaints="status of 413")
    viewer.page.get_by_label("Size").fill("1000x1000")
    viewer.page.get_by_role("button", name="Set").click()
    viewer.until("document.querySelector('.notice.error') !== null")
    assert "1,000,000 cells are too many" in viewer.page.inner_text(".notice.error")


def test_another_lattice_starts_a_new_puzzle_with_a_new_name(open_served: Open) -> None:
    """Nothing is asked that is refused: any answer but 200 is a complaint."""
    viewer = draw(open_served)
    viewer.page.get_by_label("Name").fill("Old")
    viewer.page.get_by_label("Name").press("Enter")
    viewer.page.get_by_role("button", name="Add dominoes").click()
    viewer.until("document.querySelectorAll('.piece-rows li').length === 1")
    for name, cells in (("Triangles", 54), ("Hexagons", 37), ("Cubes", 27), ("Squares", 64)):
        viewer.page.get_by_label("Size").fill("7")
        viewer.page.get_by_role("button", name=name).click()
        verdict(viewer, f"{cells} cells")
        assert viewer.page.get_by_label("Size").input_value() == ""
        assert viewer.page.get_by_label("Name").input_value() == ""
        assert viewer.page.locator(".piece-rows li").count() == 0
    viewer.page.get_by_role("button", name="Undo", exact=True).click()
    assert viewer.page.get_by_label("Size").get_attribute("placeholder") == "3x3x3"


def test_cells_come_and_go_by_drags_and_keys_and_outlive_the_page(open_served: Open) -> None:
    viewer = draw(open_served)
    boxes = [
        viewer.page.locator(f'.canvas [data-cell="{number}"]').bounding_box() for number in (0, 16)
    ]
    assert boxes[0] is not None
    assert boxes[1] is not None
    mouse = viewer.page.mouse
    mouse.move(boxes[0]["x"] + 9, boxes[0]["y"] + 9)
    mouse.down()
    mouse.move(boxes[1]["x"] + 9, boxes[1]["y"] + 9, steps=6)
    mouse.up()
    verdict(viewer, "61 cells")
    viewer.page.locator('.canvas [data-cell="0"]').focus()
    viewer.page.keyboard.press("Enter")
    verdict(viewer, "62 cells")
    viewer.page.reload()
    viewer.until("window.ready === true")
    verdict(viewer, "62 cells")


def test_a_drawn_piece_joins_the_puzzle(open_served: Open) -> None:
    viewer = draw(open_served)
    viewer.page.get_by_role("button", name="Draw a piece").click()
    dialog = viewer.page.locator("dialog")
    for number in (0, 1, 2):
        dialog.locator(f'[data-cell="{number}"]').click()
    dialog.get_by_role("button", name="Take this piece").click()
    viewer.until("document.querySelectorAll('.piece-rows li').length === 1")
    verdict(viewer, "Impossible")
    viewer.page.get_by_role("button", name="Remove A", exact=True).click()
    verdict(viewer, "Add pieces")
    assert viewer.page.locator(".piece-rows li").count() == 0
