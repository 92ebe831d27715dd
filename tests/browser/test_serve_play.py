"""Play on the served page by mouse, touch and keyboard, with the number of solutions left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.conftest import Open
from tests.browser.test_everyone import PHONE
from tests.helpers.served import cell, open_puzzle
from tests.helpers.viewer import Viewer

BOX = "square/pentominoes_20x3"


def play(open_served: Open, puzzle: str, **wishes: Any) -> Viewer:
    """Open a puzzle in the Play view and wait for the first exact number."""
    viewer = open_served(**wishes)
    open_puzzle(viewer, puzzle, "play")
    settled(viewer)
    return viewer


def settled(viewer: Viewer, moves: int = 0) -> int:
    """The number of solutions left, once it is exact for a position of so many pieces."""
    viewer.until(
        f"document.querySelector('.play .left')?.dataset.moves === '{moves}'"
        " && /^(solutions? left|placements .*different.*)$/"
        ".test(document.querySelector('.play .kind').textContent)"
    )
    return int(viewer.page.inner_text(".play .number").replace(",", ""))


def piece(viewer: Viewer, name: str) -> Any:
    """A piece in the tray."""
    return viewer.page.locator(f'[data-piece="{name}"]')


def take(viewer: Viewer, name: str) -> None:
    """Choose a piece of the tray and wait until it is in hand."""
    piece(viewer, name).click()
    viewer.until("document.querySelector('.in-hand svg') !== null")


@contextmanager
def dragged(viewer: Viewer, start: Any, end: Any) -> Iterator[None]:
    """Drag from the middle of one thing to another; the block runs before it is dropped."""
    (x, y), (right, down) = (middle(one) for one in (start, end))
    mouse = viewer.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 12, y + 4)
    viewer.until("document.querySelector('.in-hand svg') !== null")
    mouse.move(right, down, steps=3)
    yield
    mouse.up()


def middle(one: Any) -> tuple[float, float]:
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def take_hint(viewer: Viewer) -> None:
    """Go through the three steps of a hint."""
    viewer.page.keyboard.press("h")
    viewer.until("document.querySelector('.tip button') !== null")
    viewer.page.keyboard.press("h")
    viewer.page.keyboard.press("h")


def test_pieces_are_dragged_onto_the_board_over_it_and_off_it(open_served: Open) -> None:
    viewer = play(open_served, BOX)
    assert settled(viewer) == 8
    with dragged(viewer, piece(viewer, "X"), cell(viewer, 2, 1)):
        assert viewer.page.locator(".place .mark").count() == 5
    assert settled(viewer, 1) == 4
    assert "covered by X" in (cell(viewer, 2, 0).get_attribute("aria-label") or "")
    assert piece(viewer, "X").get_attribute("aria-disabled") == "true"
    with dragged(viewer, cell(viewer, 2, 1), cell(viewer, 3, 1)):
        pass
    assert settled(viewer, 1) == 0
    assert "area of 8 cells" in viewer.page.inner_text(".play .why")
    viewer.page.get_by_role("button", name="Undo").click()
    assert settled(viewer, 1) == 4
    viewer.page.get_by_role("button", name="Redo").click()
    assert settled(viewer, 1) == 0
    with dragged(viewer, cell(viewer, 3, 1), viewer.page.locator(".play .rest")):
        assert viewer.page.locator(".ghost svg").count() == 1
    assert settled(viewer) == 8
    with dragged(viewer, piece(viewer, "X"), cell(viewer, 0, 0)):
        pass
    viewer.until("document.querySelector('#said').textContent.startsWith('X does not fit there')")


def test_the_keyboard_places_a_piece_and_takes_it_back(open_served: Open) -> None:
    viewer = play(open_served, BOX)
    keys = viewer.page.keyboard
    keys.press("p")
    assert viewer.page.evaluate("document.activeElement.dataset.piece") is not None
    piece(viewer, "X").focus()
    keys.press("Enter")
    viewer.until("document.activeElement.closest('.place .cell') !== null")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert "X fits here" in viewer.page.evaluate("document.activeElement.ariaLabel")
    keys.press("Enter")
    settled(viewer, 1)
    viewer.until(
        "/^X placed. \\d+ solutions? left/.test(document.querySelector('#said').textContent)"
    )
    keys.press("Control+z")
    assert settled(viewer) == 8


LONG = """
region = {plus = "4x3", optional = "1x1 at 4,2"}
[[piece]]
name = "Elephant"
shape = "L tromino"
copies = 2
[[piece]]
name = "a_name_of_26_letters_in_it"
shape = "I tromino"
copies = 2
"""


@pytest.mark.parametrize("wishes", [{}, PHONE], ids=["wide", "phone"])
def test_names_of_a_solved_game_stay_inside_their_cells_and_cards(
    wishes: dict[str, Any], open_served: Open
) -> None:
    viewer = open_served(**wishes)
    viewer.page.evaluate(
        "async text => { await app.post(text, 'long.toml'); app.go('#play') }", LONG
    )
    settled(viewer)
    viewer.page.get_by_role("button", name="Finish").click()
    viewer.until("document.querySelector('dialog.end') !== null")
    viewer.page.keyboard.press("Escape")
    assert viewer.page.inner_text(".in-hand") == ""
    assert viewer.page.locator(".place .mark").count() == 0
    assert not viewer.page.is_visible(".play .facts")
    assert "cover" not in viewer.page.inner_text("#said")
    assert viewer.page.locator(".place text", has_text="Elephant").count() == 2
    assert "a_name_of_26_letters_in_it" in viewer.page.locator(".place title").all_text_contents()
    assert viewer.page.evaluate(
        """() => {
            const box = (one) => one.getBoundingClientRect()
            const inside = (one, other) =>
                box(one).left >= box(other).left && box(one).right <= box(other).right
            return [...document.querySelectorAll(".place .cell")].every((cell) =>
                    !cell.lastChild.textContent || inside(cell.lastChild, cell.firstChild))
                && [...document.querySelectorAll(".tray button")].every((button) =>
                    inside(button.querySelector(".name"), button)
                        && button.scrollWidth <= button.clientWidth)
        }"""
    )


def test_a_wrapped_board_shows_where_it_is_joined(open_served: Open) -> None:
    viewer = play(open_served, "square/dominoes_torus_4x4")
    assert "the same letter are joined" in viewer.page.inner_text(".play .legend")
    letters = viewer.page.locator(".place .joint").all_text_contents()
    assert sorted(letters) == ["a", "a", "b", "b"]
    open_puzzle(viewer, BOX, "play")
    settled(viewer)
    assert "joined" not in viewer.page.inner_text(".play .legend")


def test_turning_goes_through_all_orientations(open_served: Open) -> None:
    viewer = play(open_served, BOX)
    take(viewer, "V")
    shapes = set()
    for _ in range(4):
        shapes.add(viewer.page.locator(".in-hand").inner_html())
        viewer.page.keyboard.press("r")
    assert len(shapes) == 4
    before = viewer.page.locator(".in-hand").inner_html()
    viewer.page.keyboard.press("f")
    flipped = viewer.page.locator(".in-hand").inner_html()
    assert flipped != before
    viewer.page.keyboard.press("f")
    assert viewer.page.locator(".in-hand").inner_html() == before
    cell(viewer, 9, 1).hover()
    viewer.page.mouse.wheel(0, 120)
    viewer.page.mouse.wheel(0, -120)
    viewer.until(f"document.querySelector('.in-hand').innerHTML === {json.dumps(before)}")
    viewer.page.keyboard.press("Escape")
    assert viewer.page.locator(".in-hand svg").count() == 0


def test_forced_and_dead_cells_are_marked_and_a_mistake_is_taken_back(open_served: Open) -> None:
    viewer = play(open_served, BOX)
    take(viewer, "V")
    ends = [cell(viewer, 0, 2), cell(viewer, 2, 0)]
    for _ in range(4):
        for place in ((1, 2), (2, 1)):
            cell(viewer, *place).hover()
            if all("V fits here" in end.get_attribute("aria-label") for end in ends):
                cell(viewer, *place).click()
                break
        viewer.page.keyboard.press("r")
    assert settled(viewer, 1) == 0
    viewer.until("document.querySelectorAll('.place .mark').length === 4")
    assert "nothing can cover it" in (cell(viewer, 1, 1).get_attribute("aria-label") or "")
    viewer.page.get_by_role("button", name="Hint").click()
    viewer.until("document.querySelector('.tip button') !== null")
    assert viewer.page.inner_text(".tip button") == "Take back V"
    viewer.page.locator(".tip button").click()
    assert settled(viewer) == 8
    assert viewer.page.locator(".place .mark").count() == 0
    for moves in range(1, 6):
        take_hint(viewer)
        if settled(viewer, moves) == 1:
            break
    assert f"{12 - moves} placements forced" in viewer.page.inner_text(".play .left .facts")
    assert viewer.page.locator(".place .mark").count() == 5 * (12 - moves)
    viewer.page.get_by_label("Mark forced and dead cells").uncheck()
    assert viewer.page.locator(".place .mark").count() == 0


def test_the_card_of_a_solid_has_its_model_and_all_layers(open_served: Open) -> None:
    viewer = play(open_served, "cubic/somacube")
    for width, height in ((1440, 900), (844, 390), (390, 844), (320, 640)):
        viewer.page.set_viewport_size({"width": width, "height": height})
        assert viewer.page.evaluate(
            """() => {
                const card = document.querySelector('.play .boards').getBoundingClientRect()
                const shown = document.querySelectorAll('.play .turning, .play .board .layer')
                return [...shown].every((one) => {
                    const { top, right, bottom, left } = one.getBoundingClientRect()
                    return top >= card.top - 1 && bottom <= card.bottom + 1
                        && left >= card.left - 1 && right <= card.right + 1
                })
            }"""
        ), (width, height)


def test_a_game_outlives_the_page_and_a_link_carries_it(open_served: Open) -> None:
    viewer = play(open_served, BOX)
    with dragged(viewer, piece(viewer, "X"), cell(viewer, 2, 1)):
        pass
    assert settled(viewer, 1) == 4
    viewer.page.reload()
    viewer.until("window.ready === true")
    assert settled(viewer, 1) == 4
    viewer.page.get_by_role("button", name="Undo").click()
    assert settled(viewer) == 8
    viewer.page.get_by_role("button", name="Redo").click()
    assert settled(viewer, 1) == 4
    viewer.page.get_by_role("button", name="Share").click()
    viewer.page.get_by_label("With the piece on the board").check()
    link = viewer.page.locator("#link").input_value()
    other = open_served("#" + link.partition("#")[2])
    assert settled(other, 1) == 4
    damaged = open_served("#" + link.partition("#")[2].partition("&")[0])
    damaged.until("location.hash === '#run'")
