"""Searches that the served page starts, shows and stops."""

from __future__ import annotations

from tests.browser.conftest import Open
from tests.helpers.served import ended, figure, open_puzzle, start
from tests.helpers.viewer import Viewer

LONG = "square/hexominoes_15x14"

SIZES = ((1440, 900), (844, 390), (390, 844))

FITS = """() => {
    const [lane, list] = ['.lane', '[aria-labelledby="runs-head"]'].map(
        (one) => document.querySelector(one).getBoundingClientRect())
    const isBeside = lane.left > list.right
    return document.documentElement.scrollWidth <= innerWidth && lane.right <= innerWidth
        && (isBeside || lane.bottom < list.top)
}"""
"""Whether the page is no wider than its window, and the run stands beside or above the list."""


def seams(viewer: Viewer) -> int:
    """How many lines are drawn between pieces on the first board."""
    path = viewer.page.locator(".lane .seams").first.get_attribute("d") or ""
    return path.count("M")


def test_all_solutions_are_found_and_shown(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "square/pentominoes_20x3")
    start(viewer)
    ended(viewer, "Complete")
    assert figure(viewer, "solutions") == "2"
    viewer.until("document.querySelector('.lane .seams').getAttribute('d').length > 300")
    assert seams(viewer) > 60
    count = viewer.page.locator(".lane .count")
    assert " ".join(count.inner_text().split()) == "2 different solutions, 8 placements"
    large = "parseFloat(getComputedStyle(document.querySelector('.lane .count strong')).fontSize)"
    assert viewer.page.evaluate(large) > 36
    for width, height in SIZES:
        viewer.page.set_viewport_size({"width": width, "height": height})
        assert viewer.page.evaluate(FITS), (width, height)
    assert viewer.page.get_by_placeholder("600").count() == 1  # what `--seconds` of the server says
    row = viewer.page.locator(".runs li").first
    row.get_by_role("button", name="Forget").click()
    ended(viewer, "Not started")
    assert viewer.page.get_by_role("button", name="Show the solutions").count() == 0
    assert viewer.page.evaluate("app.run") is None
    start(viewer)
    ended(viewer, "Complete")
    viewer.page.get_by_role("button", name="Show the solutions").click()
    viewer.until("document.querySelectorAll('.sheet .tile').length === 2")


def test_one_solution_a_count_and_samples(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "square/pentominoes_20x3")
    for what, said, count in (
        ("First", "1 solution", "1"),
        ("Count", "2 different solutions, 8 placements", "2"),
        ("Sample", "3 solutions", "3"),
    ):
        viewer.page.get_by_role("button", name=what, exact=True).click()
        if what == "Sample":
            viewer.page.get_by_text("Limits and symmetry").click()
            viewer.page.get_by_label("At most").fill("3")
            viewer.page.get_by_label("Seed").fill("7")
        start(viewer)
        shown = "document.querySelector('.lane .count:not([hidden])')?.innerText"
        viewer.until(f"{shown}?.replace(/\\s+/g, ' ') === '{said}'")
        assert figure(viewer, "solutions") == count


def test_a_long_search_shows_its_board_and_tree_and_is_stopped(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, LONG)
    start(viewer)
    ended(viewer, "Searching")
    viewer.until("document.querySelectorAll('.lane .tree .level').length > 5")
    viewer.until("document.querySelectorAll('.lane .cell.filled').length > 20")
    assert viewer.page.locator("#start").inner_text() == "Stop"
    names = viewer.page.locator(".lane .counters.four dt").all_inner_texts()
    assert names == ["solutions", "searched", "time", "time left"]
    viewer.page.screenshot(path="tests/browser/screenshots/serve-searching.png")
    viewer.page.click("#start")
    ended(viewer, "Stopped")
    assert viewer.page.locator("#start").inner_text() == "Start"
    assert "Compiling" not in viewer.page.inner_text(".lane")


def test_a_run_goes_on_without_the_page_and_another_tab_sees_it(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, LONG)
    start(viewer)
    ended(viewer, "Searching")
    viewer.page.reload()
    viewer.until("window.ready === true")
    ended(viewer, "Searching")
    other = open_served("#run")
    row = other.page.locator(".runs li", has_text="running").first
    row.get_by_role("button", name="Show").click()
    other.until("document.querySelector('.lane') !== null")
    ended(other, "Searching")
    mine = viewer.page.locator(".runs li", has_text="running")
    mine.get_by_role("button", name="Stop").click()
    ended(viewer, "Stopped")
    ended(other, "Stopped")
    assert mine.count() == 0


def test_two_strategies_run_side_by_side(open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, "square/pentominoes_20x3")
    viewer.page.get_by_text("Advanced").click()
    viewer.page.get_by_label("Two strategies side by side").check()
    viewer.page.get_by_label("Strategy 2").fill("dlx:s")
    viewer.page.get_by_role("button", name="Estimate the work").click()
    viewer.until("document.querySelectorAll('.expected dd').length === 6")
    start(viewer)
    for lane in (0, 1):
        ended(viewer, "Complete", lane)
        assert figure(viewer, "solutions", lane) == "2"
    assert "dlx:s" in viewer.page.locator(".lane").nth(1).inner_text()


def test_the_reason_of_an_impossible_puzzle_and_the_time_left(open_served: Open) -> None:
    """The time left is a bound until the estimate settles. The events of a run are made here."""
    viewer = open_served()
    open_puzzle(viewer, "square/tetrominoes_5x4")
    start(viewer)
    ended(viewer, "Impossible")
    assert "colouring" in viewer.page.inner_text(".lane .hint")
    said = viewer.page.evaluate(
        """async () => {
            const { Lane } = await import("/page/lane.js")
            const { signal } = new AbortController()
            const lane = new Lane({ app, puzzle: app.puzzle, changed() {}, signal }, 1)
            lane.totals = []
            const events = [[1, 900], [2, 500], [3, 380], [4, 376], [5, 375], [6, 373]]
            return events.map(([seconds, left]) => lane.timeLeft({ seconds, left }))
        }"""
    )
    assert said[:3] == ["more than 15 min 0 s", "more than 8 min 20 s", "more than 6 min 20 s"]
    assert said[-1] == "about 6 min 13 s"
