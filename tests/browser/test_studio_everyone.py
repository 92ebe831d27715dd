"""The served page for everyone: keyboard, phone, dark, no movement, a server that is gone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import TOKEN, Open
from tests.browser.test_everyone import violations
from tests.helpers.real_server import serving
from tests.helpers.served import open_puzzle

NO_WEBGL = """
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more)
    }"""

VIEWS = ("puzzles", "play", "solve", "draw")
FILLED = {"puzzles": ".tile", "play": ".number", "solve": ".sheet button", "draw": "[data-cell]"}


@pytest.mark.parametrize("wishes", [{}, {"color_scheme": "dark"}], ids=["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_too_wide(
    wishes: dict[str, Any], open_served: Open
) -> None:
    viewer = open_served(**wishes)
    open_puzzle(viewer, "cubic/soma_gorilla", "solve")
    for view in VIEWS:
        viewer.page.evaluate(f"app.go('{view}')")
        viewer.until(f"document.querySelector('.page.{view} {FILLED[view]}') !== null")
        viewer.rest()
        assert (view, violations(viewer, wishes)) == (view, [])
        width = viewer.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert (view, width[0]) == (view, width[1])


def test_a_narrow_window_shows_all(open_served: Open) -> None:
    """No view is too wide, and the pieces of Play do not lie on the board."""
    viewer = open_served(viewport={"width": 320, "height": 640})
    open_puzzle(viewer, "square/pentominoes_10x6")
    for view in ("puzzles", "solve", "draw", "play"):
        viewer.page.evaluate(f"app.go('{view}')")
        viewer.until(f"document.querySelector('.page.{view} {FILLED[view]}') !== null")
        viewer.rest()
        assert (view, viewer.page.evaluate("document.documentElement.scrollWidth")) == (view, 320)
    board, tray = (viewer.page.locator(one).bounding_box() for one in (".board", ".pieces"))
    assert board is not None
    assert tray is not None
    beside = board["x"] + board["width"] <= tray["x"]
    assert beside or board["y"] + board["height"] <= tray["y"]


def test_the_keyboard_alone_solves_a_puzzle(open_served: Open) -> None:
    viewer = open_served("")
    viewer.until("document.querySelector('.tile') !== null")

    def tab_to(name: str) -> None:
        """Press Tab until the focus is on what has this name."""
        for _ in range(150):
            viewer.page.keyboard.press("Tab")
            shown = viewer.page.evaluate(
                "document.activeElement.getAttribute('aria-label')"
                " || (document.activeElement !== document.body"
                " && document.activeElement.textContent) || ''"
            )
            if name in shown:
                return
        raise AssertionError(f"Tab does not reach {name}")

    tab_to("Search")
    viewer.page.keyboard.type("pentominoes 20x3")
    tab_to("Solve Pentominoes 20×3")
    viewer.page.keyboard.press("Enter")
    viewer.until("document.querySelectorAll('.sheet button').length === 2")
    tab_to("Solution 2")
    viewer.page.keyboard.press("Space")
    assert viewer.page.inner_text(".one output") == "2 of 2"


def test_a_browser_without_webgl_gets_pictures(open_served: Open) -> None:
    viewer = open_served("#puzzles", complaints="WebGL")
    viewer.page.add_init_script(NO_WEBGL)
    viewer.page.reload()
    viewer.until("window.ready === true")
    viewer.until("document.querySelector('.landing img') !== null")
    open_puzzle(viewer, "cubic/somacube", "solve")
    viewer.until("document.querySelectorAll('.large .layer').length === 3")
    assert viewer.page.locator(".large text", has_text="V").count() == 1


def test_a_server_that_is_gone_is_told(open_served: Open) -> None:
    with serving("--token", TOKEN) as served:
        viewer = open_served("", at=served.origin, complaints="ERR_|status of")
        viewer.until("document.querySelector('.tile button') !== null")
    viewer.page.locator(".tile button").first.click()
    viewer.until("document.querySelector('.notice.error') !== null")
    assert "The server does not answer" in viewer.page.inner_text(".notice.error")


def test_light_and_dark_are_switched_and_nothing_moves_by_itself(open_served: Open) -> None:
    viewer = open_served("#puzzles", color_scheme="dark", reduced_motion="reduce")
    viewer.until("window.exactcover?.model.step === 6")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert viewer.page.evaluate(ground) == "rgb(17, 20, 24)"
    viewer.page.get_by_role("button", name="Light or dark").click()
    assert viewer.page.evaluate(ground) == "rgb(255, 255, 255)"
    viewer.until("document.querySelector('.tile img').src.endsWith('dark=0')")
