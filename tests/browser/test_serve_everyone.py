"""The served page for everyone: keyboard, phone, dark, no movement, a server that is gone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Open
from tests.browser.test_everyone import PHONE, violations
from tests.helpers.served import ended, open_puzzle, serving, start
from tests.helpers.viewer import Viewer

PUZZLE = "square/pentominoes_20x3"
VIEWS = ("browse", "draw", "run", "solutions", "play")


def solve(viewer: Viewer) -> None:
    """Solve the puzzle, so that each view has something to show."""
    open_puzzle(viewer, PUZZLE)
    start(viewer)
    ended(viewer, "Complete")


def look(viewer: Viewer, view: str) -> None:
    """Go to a view and wait until it is filled."""
    viewer.page.evaluate(f"app.go('#{view}')")
    viewer.until(f"document.querySelector('.page.{view} h1') !== null")
    filled = {
        "browse": ".tile",
        "draw": ".verdict",
        "run": ".runs li",
        "solutions": ".sheet .tile",
        "play": ".play .number",
    }
    viewer.until(f"document.querySelector('{filled[view]}') !== null")


@pytest.mark.parametrize(
    "wishes", [{}, {"color_scheme": "dark"}, PHONE], ids=["light", "dark", "phone"]
)
def test_axe_finds_nothing_and_nothing_is_too_wide(
    wishes: dict[str, Any], open_served: Open, request: pytest.FixtureRequest
) -> None:
    viewer = open_served(**wishes)
    solve(viewer)
    for view in VIEWS:
        look(viewer, view)
        if view == "solutions":
            viewer.page.locator(".sheet .tile").first.click()
        name = f"serve-{view}-{request.node.callspec.id}"
        viewer.page.screenshot(path=f"tests/browser/screenshots/{name}.png")
        assert (view, violations(viewer, wishes)) == (view, [])
        width = viewer.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert (view, width[0]) == (view, width[1])


@pytest.mark.parametrize(
    "size",
    [(1440, 900), (844, 390), (390, 844), (720, 450), (320, 640)],
    ids=["laptop", "landscape", "portrait", "200 percent", "narrow"],
)
def test_every_window_shows_all(size: tuple[int, int], open_served: Open) -> None:
    """No view is too wide; the pieces of Play cover neither the board nor the hint."""
    viewer = open_served(viewport={"width": size[0], "height": size[1]})
    open_puzzle(viewer, "square/pentominoes_10x6")
    for view in (*VIEWS[:3], "play"):
        viewer.page.evaluate(f"app.go('#{view}')")
        viewer.until(f"document.querySelector('.page.{view} h1') !== null")
        viewer.page.wait_for_timeout(300)
        assert (view, viewer.page.evaluate("document.documentElement.scrollWidth")) == (
            view,
            size[0],
        )
    if size[0] > size[1]:
        board, tray = (viewer.page.locator(one).bounding_box() for one in (".place", ".pieces"))
        assert board is not None
        assert tray is not None
        assert board["x"] + board["width"] <= tray["x"]
    for step in ("Where.|Which piece.", "Place X"):
        viewer.page.keyboard.press("h")
        viewer.until(f"/{step}/.test(document.querySelector('.tip button')?.textContent)")
        tip, tray, board = (
            viewer.page.locator(one).bounding_box() for one in (".tip", ".pieces", ".place .board")
        )
        assert tip is not None
        assert tray is not None
        assert board is not None
        below = tray["y"] if size[0] < size[1] else size[1]
        assert tip["y"] >= 0
        assert tip["y"] + tip["height"] <= below
        head = viewer.page.evaluate("document.querySelector('.top').getBoundingClientRect().bottom")
        assert board["y"] >= max(0, head)


def test_the_keyboard_alone_solves_a_puzzle(open_served: Open) -> None:
    viewer = open_served("")
    viewer.until("document.querySelector('.tile') !== null")

    def tab_to(name: str) -> None:
        """Press Tab until the focus is on what has this name."""
        for _ in range(150):
            viewer.page.keyboard.press("Tab")
            shown = viewer.page.evaluate(
                "document.activeElement.getAttribute('aria-label')"
                " || document.activeElement.labels?.[0]?.textContent"
                " || (document.activeElement !== document.body"
                " && document.activeElement.textContent) || ''"
            )
            if name in shown:
                return
        raise AssertionError(f"Tab does not reach {name}")

    tab_to("Search")
    viewer.page.keyboard.type("pentominoes 20x3")
    tab_to("pentominoes in a 20 x 3 box")
    viewer.page.keyboard.press("Enter")
    viewer.until("document.querySelector('#start') !== null")
    tab_to("Start")
    viewer.page.keyboard.press("Enter")
    ended(viewer, "Complete")
    tab_to("Show the solutions")
    viewer.page.keyboard.press("Enter")
    viewer.until("document.querySelector('.sheet .tile') !== null")
    tab_to("Solution 2")
    viewer.page.keyboard.press("Space")
    assert viewer.page.inner_text(".one h2") == "Solution 2"
    assert viewer.page.evaluate("document.activeElement.textContent") == "Solution 2"


def test_a_server_that_is_gone_is_told_and_its_return_too(open_served: Open) -> None:
    with serving() as address:
        viewer = open_served("", at=address, complaints="ERR_|status of")
        viewer.until("document.querySelector('.tile button') !== null")
    viewer.page.locator(".tile button").first.click()
    viewer.until("document.querySelector('.notice.error') !== null")
    assert "The server does not answer" in viewer.page.inner_text(".notice.error")
    viewer.page.get_by_role("link", name="Play", exact=True).click()
    viewer.until("document.querySelector('.page.play h1') !== null")
    viewer.page.get_by_role("link", name="Draw", exact=True).click()  # opens when it can
    with serving("--port", address.rpartition(":")[2]):
        viewer.until("document.querySelector('.notice.news') !== null")
        viewer.until("document.querySelector('.page.draw [data-cell]') !== null")


def test_a_view_without_a_puzzle_says_what_to_do(open_served: Open) -> None:
    viewer = open_served("#run", color_scheme="dark", reduced_motion="reduce")
    assert "No puzzle is open yet." in viewer.page.inner_text("main")
    viewer.page.get_by_role("link", name="Choose a puzzle").click()
    viewer.until("document.querySelector('.tile') !== null")
    tile = "getComputedStyle(document.querySelector('.tile')).transitionDuration"
    assert viewer.page.evaluate(tile) in ("0s", "")  # nothing moves by itself
    ground = "getComputedStyle(document.body).backgroundColor"
    assert viewer.page.evaluate(ground) == "rgb(17, 20, 24)"
    viewer.page.get_by_role("button", name="Light or dark").click()
    assert viewer.page.evaluate(ground) == "rgb(255, 255, 255)"
