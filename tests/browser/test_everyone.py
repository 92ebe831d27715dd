"""The page for everyone: keyboard alone, a phone, dark, no movement, no WebGL; what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import pytest

import exactcover as ec
from exactcover.show import Page
from exactcover.studio.burrs import apart, view_apart
from tests.browser.conftest import Open
from tests.browser.test_view import STILL, page_of
from tests.helpers.viewer import Viewer

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}

NO_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null"


def violations(viewer: Viewer, wishes: Mapping[str, Any] | None = None) -> list[str]:
    """The faults that axe-core finds.

    A view has the same names and roles in the dark and on a phone, so with these wishes axe
    compares only what they change: colours.
    """
    axe = files("axe_playwright_python") / "axe.min.js"
    viewer.page.evaluate(axe.read_text(encoding="utf-8"))
    seen = set(wishes or {}) - {"reduced_motion"}
    alone = ["color-contrast", "link-in-text-block"] if seen else []
    rules = {"runOnly": alone} if alone else {}
    found = viewer.page.evaluate("rules => axe.run(rules)", rules)
    assert len(found["passes"]) > (0 if alone else 10)
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


@pytest.mark.parametrize(
    ("name", "wishes"),
    [
        ("somacube", {"color_scheme": "dark"}),
        ("tetratesseracts_3x2x2x2", STILL),
        ("pentominoes_20x3", {}),
    ],
)
def test_axe_finds_nothing(name: str, wishes: dict[str, Any], open_page: Open) -> None:
    viewer = open_page(page_of(name), **wishes)
    viewer.press("?")
    assert violations(viewer, wishes) == []


def test_the_keyboard_reaches_every_control_and_the_help_names_the_keys(open_page: Open) -> None:
    viewer = open_page(page_of("bedlamcube"))
    wanted = viewer.page.locator("button, input, summary, canvas").filter(visible=True).count()
    reached = []
    for _ in range(wanted + 1):
        viewer.page.keyboard.press("Tab")
        reached.append(viewer.page.evaluate("document.activeElement.outerHTML"))
    assert reached[0].startswith("<canvas")
    assert len(set(reached)) == wanted + 1  # the last one is the page itself
    assert reached[-1].startswith("<body")
    viewer.press("?")
    keys = set(viewer.page.locator(".help kbd").all_text_contents())
    assert keys == set("nbead.,0") | {"←", "→", "↑", "↓", "+", "−"}


def test_the_keyboard_alone_is_enough(open_page: Open) -> None:
    solution = ec.first(ec.read("bedlamcube"))
    assert solution is not None
    viewer = open_page(view_apart([(solution, apart(solution))]), **STILL)
    first = viewer.seen()
    viewer.press("ArrowLeft", "ArrowUp", "ArrowUp")
    assert viewer.seen() != first
    viewer.press("+", "+", "-")
    viewer.press("0")
    assert viewer.seen() == first
    viewer.press("e")
    assert viewer.model("apart") > 0
    viewer.press("e")
    viewer.page.locator(".pieces button").first.focus()
    viewer.press("Enter", ",")
    assert viewer.model("states.size") == 1
    assert viewer.model("step") == 11


def test_a_phone_shows_all_of_the_page(open_page: Open) -> None:
    viewer = open_page(page_of("bedlamcube"), **PHONE)
    assert viewer.page.evaluate("document.documentElement.scrollWidth") == 390
    x, y = viewer.middle()
    viewer.page.touchscreen.tap(x, y)
    viewer.rest()
    assert "is hidden" in viewer.said()
    viewer.page.get_by_role("button", name="Next solution").tap()
    viewer.rest()
    assert viewer.page.locator("output").text_content() == "Solution 2 of 3"
    sizes = viewer.page.evaluate(
        "[...document.querySelectorAll('button')].filter((b) => b.offsetParent)"
        ".map((b) => b.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 28


def test_light_and_dark(open_page: Open) -> None:
    def background() -> str:
        return str(viewer.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    viewer = open_page(page_of("pentominoes_20x3"), color_scheme="dark")
    before = viewer.seen()
    assert background() == "rgb(17, 20, 24)"
    viewer.page.emulate_media(color_scheme="light")
    viewer.rest()
    assert viewer.seen() != before
    assert background() == "rgb(255, 255, 255)"
    viewer.press("d")
    assert background() == "rgb(17, 20, 24)"
    assert viewer.seen() == before


def test_pictures_stand_in_where_there_is_no_webgl(open_page: Open) -> None:
    script = f"<script>{NO_WEBGL}</script>"
    html = page_of("somacube").html
    nonce = html.partition("'nonce-")[2].partition("'")[0]
    without = html.replace("<body>", f"<body>{script.replace('<script', f'<script nonce={nonce}')}")
    small = {"width": 1100, "height": 400}  # so the pictures must be scrolled
    viewer = open_page(without, complaints="WebGL", viewport=small)
    assert "This browser cannot draw in space" in viewer.page.inner_text("#pictures")
    assert viewer.page.locator("#pictures svg").count() == 3
    assert viewer.page.locator("#pictures svg").first.is_visible()
    assert not viewer.page.locator(".panel").is_visible()
    assert violations(viewer) == []


def test_a_text_of_a_puzzle_runs_no_script(open_page: Open) -> None:
    bad = "</script><img src=x onerror='window.bad=1'><script>window.bad=2</script>"
    piece = ec.Piece("</script><script>window.bad=3</script>", [(0, 0), (1, 0)])
    puzzle = ec.puzzle_of([piece], [(0, 0), (1, 0)], "square", name=bad)
    viewer = open_page(ec.view(ec.first(puzzle), note=bad))
    assert viewer.page.evaluate("window.bad ?? null") is None
    assert viewer.page.text_content("h1") == bad
    assert viewer.page.locator(".pieces li").all_text_contents() == [piece.name]


def test_the_policy_stops_what_should_never_be_there(open_page: Open) -> None:
    smuggled = "<img src='https://example.com/x.png'><script>window.bad=1</script></main>"
    html = page_of("somacube").html.replace("</main>", smuggled)
    viewer = open_page(Page(html), complaints="Content Security Policy")
    assert viewer.page.evaluate("window.bad ?? null") is None
    assert viewer.told("triangles") == 108
    assert viewer.refused == viewer.strangers == ["https://example.com/x.png"]
    viewer.strangers.clear()
