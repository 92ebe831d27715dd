"""Solve on the served page: one click, the first solution large, the rest as they come."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Open
from tests.helpers.served import open_puzzle
from tests.helpers.viewer import Viewer


def ended(viewer: Viewer, words: str) -> None:
    """Wait until the search says this in the end."""
    viewer.until("document.querySelector('.status progress').hidden")
    assert words in viewer.page.inner_text(".state")


def test_all_solutions_come_at_one_click(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "square/pentominoes_20x3", "solve")
    ended(viewer, "2 solutions, rotated ones counted once")
    assert viewer.page.locator(".sheet button").count() == 2
    assert viewer.page.inner_text(".one output") == "1 of 2"
    assert viewer.page.locator(".large .board text", has_text="X").count() == 1
    viewer.page.get_by_role("button", name="Next solution").click()
    assert viewer.page.inner_text(".one output") == "2 of 2"
    assert viewer.page.locator(".sheet [aria-current]").get_attribute("aria-label") == "Solution 2"
    with viewer.page.expect_download() as saved:
        viewer.page.get_by_role("button", name="SVG").click()
    assert saved.value.suggested_filename == "pentominoes-20x3.svg"
    assert saved.value.path().read_text().startswith("<svg")
    assert not viewer.page.locator(".profile").is_visible()
    viewer.page.get_by_text("How deep the search went").click()
    assert viewer.page.locator(".profile .level").count() == 12


def test_a_solid_turns_with_few_controls(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "cubic/somacube", "solve")
    ended(viewer, "480 solutions")
    viewer.until("window.exactcover?.stage.renderer.info.render.frame > 0")
    controls = ".one button:visible, .one input:visible, .one summary:visible"
    assert viewer.page.locator(controls).count() <= 8
    viewer.page.get_by_role("button", name="Explode").click()
    viewer.until("window.exactcover.model.apart > 0.7")
    viewer.page.get_by_role("button", name="Assemble").click()
    viewer.until("window.exactcover.model.step === 3")
    viewer.page.get_by_role("button", name="Reset").click()
    viewer.until("window.exactcover.model.step === 6")
    canvas = viewer.page.locator(".one canvas")
    canvas.click()
    assert viewer.page.evaluate("[...window.exactcover.model.states.values()]") == ["hidden"]
    viewer.page.get_by_role("button", name="Reset").click()
    assert viewer.page.evaluate("window.exactcover.model.states.size") == 0
    with viewer.page.expect_download() as saved:
        viewer.page.get_by_role("button", name="STL").click()
    assert len(saved.value.path().read_bytes()) > 10_000


def test_a_burr_opens_with_its_hardest_solution(open_served: Open) -> None:
    """Its page once showed levels 1 and 2 of a puzzle of level 12.

    The model of the first solution, which is asked for before there are levels, comes last here.
    """
    viewer = open_served()
    late: list[Any] = []
    viewer.page.route(
        "**/api/model", lambda asked: asked.continue_() if late else late.append(asked)
    )
    open_puzzle(viewer, "cubic/burr_loves_dozen", "solve")
    viewer.until("document.querySelector('.caption').textContent.startsWith('Level 12.3.1.1.1')")
    with viewer.page.expect_response("**/api/model"):
        late[0].continue_()
    viewer.rest()
    assert (
        viewer.page.inner_text(".caption") == "Level 12.3.1.1.1: 12 moves until a piece comes off"
    )
    levels = viewer.page.locator(".sheet small").all_inner_texts()
    first = [int(level.split(".")[0]) for level in levels]
    assert first == sorted(first, reverse=True)
    at = first.index(1)
    viewer.page.locator(".sheet button").nth(at).click()
    viewer.until("document.querySelector('.caption').textContent.includes('1 move until')")


def test_four_dimensions_turn_as_balls_with_one_slider(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "hypercubic/tetratesseracts_3x2x2x2", "solve")
    viewer.until("window.exactcover?.model.turning === true")
    assert viewer.page.locator(".one input[type=range]:visible").count() == 1
    before = viewer.page.evaluate("window.exactcover.model.angles[0]")
    viewer.until(f"window.exactcover.model.angles[0] !== {before}")


def test_a_long_search_is_stopped_and_many_solutions_are_counted(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "square/pentominoes_1s_15x6", "solve")
    viewer.until("/^[2-9],\\d{3}|\\d\\d,\\d{3}/.test(document.querySelector('.state').textContent)")
    viewer.page.get_by_role("button", name="Stop").click()
    ended(viewer, "Stopped: ")
    assert "here are " in viewer.page.inner_text(".state")
