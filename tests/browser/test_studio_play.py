"""Play on the served page by mouse, touch and keyboard, with the number of solutions."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Open
from tests.browser.test_everyone import PHONE
from tests.helpers.served import cell, middle, open_puzzle, piece, settled
from tests.helpers.viewer import Viewer

BOX = "square/pentominoes_20x3"


def play(open_served: Open, puzzle: str = BOX, **wishes: Any) -> Viewer:
    viewer = open_served(**wishes)
    open_puzzle(viewer, puzzle)
    return viewer


def lift(viewer: Viewer, start: Any, end: Any) -> None:
    """Drag from the middle of one thing to another, without a drop."""
    (x, y), (right, down) = (middle(one) for one in (start, end))
    mouse = viewer.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 12, y + 4)
    mouse.move(right, down, steps=3)


def test_the_whole_piece_follows_the_pointer_and_nothing_is_erased(open_served: Open) -> None:
    viewer = play(open_served)
    assert settled(viewer, 0) == "8 solutions"
    lift(viewer, piece(viewer, "X"), cell(viewer, 2, 1))
    ghost = viewer.page.locator(".ghost")
    assert ghost.locator("polygon.own").count() == 5
    assert all(
        abs(a - b) < 2 for a, b in zip(middle(ghost), middle(cell(viewer, 2, 1)), strict=True)
    )
    landing = viewer.page.locator(".drop")
    assert str(landing.get_attribute("d")).count("M") == 5
    assert viewer.page.locator(".drop.bad").count() == 0
    viewer.page.mouse.up()
    assert settled(viewer, 1) == "4 solutions"
    piece(viewer, "I").click()
    viewer.page.mouse.move(*middle(cell(viewer, 2, 1)))
    assert viewer.page.locator(".drop.bad").count() == 1  # red, and X is still drawn below it
    assert "covered by X" in (cell(viewer, 2, 0).get_attribute("aria-label") or "")
    assert viewer.page.locator(".place .mark").count() == 0
    viewer.page.keyboard.press("Escape")
    assert not ghost.is_visible()


def test_pieces_are_moved_taken_off_and_moves_undone(open_served: Open) -> None:
    viewer = play(open_served)
    lift(viewer, piece(viewer, "X"), cell(viewer, 2, 1))
    viewer.page.mouse.up()
    settled(viewer, 1)
    assert piece(viewer, "X").get_attribute("aria-disabled") == "true"
    lift(viewer, cell(viewer, 2, 1), cell(viewer, 3, 1))
    viewer.page.mouse.up()
    viewer.until("document.querySelector('.play .number').textContent === '0'")
    assert (
        viewer.page.inner_text(".line") == "No choice of pieces fills the marked area of 8 cells."
    )
    viewer.page.get_by_role("button", name="Undo").click()
    assert settled(viewer, 1) == "4 solutions"
    lift(viewer, cell(viewer, 2, 1), viewer.page.locator(".play .count"))
    viewer.page.mouse.up()
    assert settled(viewer, 0) == "8 solutions"


def test_nothing_jumps_when_a_piece_is_taken_or_a_hint_is_shown(open_served: Open) -> None:
    """The board of a phone once moved by 53 pixels, and a hint pushed its button away."""
    viewer = play(open_served, "square/pentominoes_10x6", **PHONE)
    parts = (".place .board", ".tools .main", ".tray", ".line")

    def places() -> list[Any]:
        return [viewer.page.locator(part).bounding_box() for part in parts]

    before = places()
    piece(viewer, "P").click()
    assert places() == before
    viewer.page.keyboard.press("Escape")
    for _ in range(3):
        viewer.page.keyboard.press("h")
        assert places() == before
    settled(viewer, 1)
    assert places() == before


def test_marks_are_behind_one_switch_that_is_off_at_first(open_served: Open) -> None:
    viewer = play(open_served)
    for moves in (1, 2, 3):
        for _ in range(3):
            viewer.page.keyboard.press("h")
        settled(viewer, moves)
    assert viewer.page.locator(".place .mark").count() == 0
    viewer.page.get_by_label("More").click()
    viewer.page.get_by_label("Mark forced and dead cells").check()
    assert viewer.page.locator(".place .mark").count() > 0


def test_a_hint_says_what_to_take_back(open_served: Open) -> None:
    viewer = play(open_served)
    for name, place in (("X", (2, 1)), ("I", (12, 0))):
        piece(viewer, name).click()
        cell(viewer, *place).click()
    assert settled(viewer, 2) == "0 solutions"
    viewer.page.get_by_role("button", name="Hint").click()
    assert viewer.page.inner_text(".line").endswith("Take back I.")
    viewer.page.get_by_role("button", name="Take back").click()
    assert settled(viewer, 1) == "4 solutions"


def test_the_keyboard_places_a_piece_and_takes_it_back(open_served: Open) -> None:
    viewer = play(open_served)
    keys = viewer.page.keyboard
    keys.press("p")
    piece(viewer, "X").focus()
    keys.press("Enter")
    viewer.until("document.activeElement.dataset.cell !== undefined")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        keys.press(key)
    settled(viewer, 1)
    keys.press("Delete")
    assert settled(viewer, 0) == "8 solutions"


def test_a_solid_has_its_model_first_and_a_game_outlives_the_page(open_served: Open) -> None:
    viewer = play(open_served, "cubic/somacube")
    viewer.until("window.play.model.model !== undefined")
    model, layers = (viewer.page.locator(one).bounding_box() for one in (".turning", ".board"))
    assert model is not None
    assert layers is not None
    assert model["y"] < layers["y"]
    piece(viewer, "V").click()
    cell(viewer, 0, 0, 0).click()
    count = settled(viewer, 1)
    viewer.page.reload()
    viewer.until("window.ready === true")
    assert settled(viewer, 1) == count
    assert viewer.page.inner_text("h1") == "Soma Cube"


def test_where_the_list_is_not_complete_the_server_counts(open_served: Open) -> None:
    """There are 12,988,816 ways to cover a chessboard with dominoes."""
    viewer = play(open_served, "square/dominoes_8x8")
    viewer.until("document.querySelector('.play .number').textContent !== '?'")
    assert settled(viewer, 0) == "12,988,816 solutions"
