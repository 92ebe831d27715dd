"""The shelf of the served page, and files that a reader opens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exactcover.formats import read_puzzles, written
from tests.browser.conftest import Open
from tests.helpers.viewer import Viewer

TOML = 'lattice = "square"\ntitle = "Four dominoes"\nregion = "4x2"\npieces = "domino any"\n'


def tiles(viewer: Viewer) -> list[str]:
    """The texts of the puzzles on the shelf."""
    viewer.until("document.querySelectorAll('.tile:not(.skeleton)').length > 0")
    return [str(text) for text in viewer.page.locator(".tile").all_inner_texts()]


def notice(viewer: Viewer) -> str:
    """The first message of an error."""
    viewer.until("document.querySelector('.notice.error') !== null")
    return str(viewer.page.locator(".notice.error p").first.inner_text())


def opened(viewer: Viewer) -> str:
    """The title of the puzzle that is open, once it is there."""
    viewer.until("location.hash === '#run' && document.querySelector('#start') !== null")
    return str(viewer.page.locator("#bar strong").inner_text())


def names_of(viewer: Viewer, section: str) -> list[str]:
    """The puzzles of a collection on the first view."""
    found = viewer.page.get_by_role("region", name=section).locator("h3").all_inner_texts()
    return [str(text) for text in found]


SIZES = [(1440, 900), (844, 390), (390, 844)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_opens_on_puzzles_to_start_with_and_collections(
    open_served: Open, width: int, height: int
) -> None:
    viewer = open_served("", viewport={"width": width, "height": height})
    tiles(viewer)
    titles = viewer.page.locator(".shelf h2").all_inner_texts()
    assert titles == [
        "To start with", "Pentominoes", "Soma", "Polyhexes", "Four dimensions", "Famous",
        "Unsolved by hand",
    ]  # fmt: skip
    facts = viewer.page.get_by_role("region", name="To start with").locator(".tile .facts")
    lattices = [text.split(" · ")[0] for text in facts.all_inner_texts() if " · " in text]
    assert len(lattices) == len(set(lattices)) == 12
    assert viewer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    soma = names_of(viewer, "Soma")
    assert len(soma) == 6
    # The filters are one row, behind a button where there is no room for them.
    folded = viewer.page.get_by_label("Lattice")
    assert folded.is_visible() is (width == 1440)
    if width == 1440:
        fields = viewer.page.locator(".filters select, #search, .sharp").all()
        middles = {round(box["y"] + box["height"] / 2, -1) for box in map(_box, fields)}
        assert len(middles) == 1
    else:
        viewer.page.get_by_role("button", name="Filters").click()
        assert folded.is_visible()
    viewer.page.get_by_role("button", name="All 28: Soma").click()
    assert len(tiles(viewer)) == 28
    assert any("impossible" in text for text in tiles(viewer))
    viewer.page.get_by_role("button", name="All collections").click()
    viewer.until("document.querySelectorAll('.shelf h2').length === 7")


def _box(part: Any) -> Any:
    return part.bounding_box()


def test_a_tile_leads_to_the_search_and_to_the_game(open_served: Open) -> None:
    viewer = open_served("")
    viewer.page.get_by_label("Search").fill("pentominoes 10x6")
    (tile,) = [text for text in tiles(viewer) if "2,339 solutions" in text]
    assert "square · 60 cells · 12 pieces" in tile
    assert viewer.page.locator(".level-of").count() > 0
    viewer.until("[...document.images].every((i) => i.complete && i.naturalWidth > 20)")
    viewer.page.get_by_role("button", name="Play: The 12 pentominoes in a 10 x 6 box").press(
        "Enter"
    )
    viewer.until("location.hash === '#play' && document.querySelector('.page.play h1') !== null")
    viewer.page.go_back()
    viewer.page.get_by_role("button", name="Solve: The 12 pentominoes in a 10 x 6 box").click()
    opened(viewer)
    assert "60 cells · 12 pieces" in viewer.page.inner_text("#bar")


def test_files_of_other_programs_are_opened(open_served: Open) -> None:
    soma = written(read_puzzles("somacube"), "xmpuzzle")
    viewer = open_served("")
    file = {"name": "soma.xmpuzzle", "mimeType": "", "buffer": soma}
    viewer.page.set_input_files("#file", file)
    opened(viewer)
    assert "cubic · " in viewer.page.inner_text("#bar")


def test_a_file_is_dropped_anywhere(open_served: Open) -> None:
    viewer = open_served("#draw")
    viewer.page.evaluate(
        """(text) => {
            const data = new DataTransfer()
            data.items.add(new File([text], "four.toml"))
            dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }))
        }""",
        TOML,
    )
    assert opened(viewer) == "Four dominoes"


def test_a_file_that_is_no_puzzle_is_refused_with_a_reason(open_served: Open) -> None:
    viewer = open_served("", complaints="status of 4")
    wrong = TOML.replace("domino any", "dominoose any")
    viewer.page.set_input_files(
        "#file", {"name": "wrong.toml", "mimeType": "", "buffer": wrong.encode()}
    )
    assert "dominoose" in notice(viewer)
    viewer.page.get_by_role("button", name="Close this message").click()
    assert viewer.page.locator(".notice").count() == 0
    large = {"name": "large.toml", "mimeType": "", "buffer": b"#" * 3_000_000}
    viewer.page.set_input_files("#file", large)
    assert "higher --size" in notice(viewer)


def test_a_link_holds_the_puzzle(open_served: Open, open_page: Open, server: str) -> None:
    viewer = open_served("")
    viewer.page.set_input_files(
        "#file", {"name": "four.toml", "mimeType": "", "buffer": TOML.encode()}
    )
    opened(viewer)
    viewer.page.get_by_role("button", name="Share").click()
    link = viewer.page.get_by_label("Link that holds").input_value()
    assert link.startswith(f"{server}/#puzzle=")
    with viewer.page.expect_download() as waiting:
        viewer.page.get_by_role("button", name="Download TOML file").click()
    assert waiting.value.suggested_filename == "four-dominoes.toml"
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert text.startswith('title = "Four dominoes"')
    with viewer.page.expect_download() as waiting:
        viewer.page.get_by_role("button", name="Download page to play").click()
    assert waiting.value.suggested_filename == "four-dominoes.html"
    game = open_page(Path(waiting.value.path()).read_text(encoding="utf-8"))
    game.until("/^\\d/.test(document.querySelector('.play .count')?.innerText ?? '')")
    assert game.page.inner_text(".play .count").split() == ["5", "placements", "(4", "different)"]
    other = open_served(link.removeprefix(f"{server}/"))
    assert opened(other) == "Four dominoes"
    damaged = open_served("#puzzle=AAAA")
    assert "The link is damaged" in notice(damaged)


FOUND = {
    "6x10": "pentominoes in a 10 x 6 box",
    "18 x 5": "one-sided pentominoes in an 18 x 5 box",
    "pentomino 5x4x3": "5 x 4 x 3 box",
    "tetris cube": "Tetris",
}
"""The puzzle that is listed first, by the words of a search: sizes, sets and plurals."""


def test_the_shelf_is_searched_and_filtered(open_served: Open) -> None:
    viewer = open_served("")
    tiles(viewer)
    for words, first in FOUND.items():
        viewer.page.get_by_label("Search").fill(words)
        assert first in tiles(viewer)[0]
    viewer.page.get_by_label("Search").fill("")
    viewer.page.get_by_label("Lattice").select_option("hexagonal")
    found = tiles(viewer)
    assert found
    assert all("hexagonal ·" in text for text in found)
    viewer.page.get_by_label("Search").fill("no such puzzle")
    assert viewer.page.get_by_text("No puzzle fits.").is_visible()
