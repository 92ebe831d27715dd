"""The contact sheet of the served page, one solution large, and files of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest

from tests.browser.conftest import Open
from tests.helpers.served import ended, open_puzzle, start
from tests.helpers.viewer import Viewer


def solved(open_served: Open, name: str, **wishes: object) -> Viewer:
    """The contact sheet of all solutions of a puzzle."""
    viewer = open_served(**wishes)
    open_puzzle(viewer, name)
    start(viewer)
    ended(viewer, "Complete")
    viewer.page.get_by_role("button", name="Show the solution").click()
    viewer.until("document.querySelectorAll('.sheet .tile').length > 0")
    return viewer


def said(viewer: Viewer) -> str:
    return str(viewer.page.locator(".page.solutions .hint[role=status]").inner_text())


def saved(viewer: Viewer, name: str, role: Literal["button", "link"] = "button") -> bytes:
    """The file that a button or a link gives."""
    with viewer.page.expect_download() as waiting:
        viewer.page.get_by_role(role, name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_the_sheet_has_pages_and_filters(open_served: Open) -> None:
    viewer = solved(open_served, "cubic/somacube")
    assert said(viewer).startswith("480 solutions")
    assert viewer.page.locator(".sheet .tile").count() == 24
    viewer.until("[...document.images].slice(0, 4).every((i) => i.naturalWidth > 50)")
    viewer.page.get_by_role("button", name="Next page").click()
    viewer.until("document.querySelector('.sheet .tile').textContent.includes('Solution 25')")
    assert "Page 2 of 20" in viewer.page.inner_text(".pager")


def test_solutions_are_chosen_shown_large_and_saved(open_served: Open) -> None:
    viewer = solved(open_served, "square/pentominoes_20x3")
    viewer.page.get_by_label("Piece", exact=True).select_option("X")
    where = viewer.page.locator(".side .board [data-cell]")
    numbers = []
    for cell in range(60):
        with viewer.page.expect_response(lambda answer: "/solutions?" in answer.url) as waiting:
            where.nth(cell).click()
        numbers.append(waiting.value.json()["total"])
        if len(set(numbers)) == 3:
            break
    assert set(numbers) <= {0, 1, 2}
    assert sum(numbers) > 0
    viewer.until(f"document.querySelectorAll('.sheet .tile').length === {numbers[-1]}")
    viewer.page.get_by_label("symmetric ones").check()
    viewer.until("document.querySelectorAll('.sheet .tile').length === 0")
    assert said(viewer) == "No solution fits these filters."
    viewer.page.get_by_label("symmetric ones").uncheck()
    viewer.page.get_by_label("Piece", exact=True).select_option("")
    viewer.until("document.querySelectorAll('.sheet .tile').length === 2")
    viewer.page.locator(".sheet .tile").first.click()
    assert viewer.page.locator(".one .board .cell.filled").count() == 60
    assert b"<svg" in saved(viewer, "SVG")
    assert b"<svg" in saved(viewer, "Save these as one SVG", "link")
    assert len(json.loads(saved(viewer, "JSON"))) > 0
    viewer.page.get_by_role("button", name="Next solution").click()
    assert viewer.page.inner_text(".one h2") == "Solution 2"
    viewer.page.keyboard.press("Escape")
    assert not viewer.page.locator(".one").is_visible()


@pytest.mark.parametrize("name", ["cubic/bedlamcube", "hypercubic/tetratesseracts_3x2x2x2"])
def test_a_solid_turns_in_space(name: str, open_served: Open) -> None:
    viewer = open_served()
    open_puzzle(viewer, name)
    viewer.page.get_by_role("button", name="First", exact=True).click()
    start(viewer)
    viewer.page.get_by_role("button", name="Show the solution").click()
    viewer.page.locator(".sheet .tile").first.click()
    frame = viewer.page.frame_locator("iframe.model")
    frame.locator("#panel button").first.wait_for()
    inside = viewer.page.frames[1]
    viewer.rest()
    assert inside.evaluate("window.exactcover.told.triangles") > 100
    if not name.startswith("cubic"):
        assert "Four dimensions" in inside.inner_text("#panel")


def test_a_burr_comes_apart_in_its_model(open_served: Open) -> None:
    viewer = solved(open_served, "cubic/burr_piston")
    told = []
    for number, tile in enumerate(viewer.page.locator(".sheet .tile").all(), 1):
        tile.click()
        frame = viewer.page.frame_locator(f".one iframe[title='Model of solution {number}']")
        words = frame.locator("#order", has_text="move together")  # it is empty at first
        told.append(words.text_content(timeout=60_000) or "")
        if "Level" in told[-1]:
            assert frame.locator("#moves li").count() == 15
            break
    assert told[-1].startswith("Several pieces move together. Level 9.3.1.1.1: 9 moves")
    assert all("Nor do they come apart if several move together." in one for one in told[:-1])
