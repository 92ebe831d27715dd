"""The shelf of the served page, and files that a reader opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Open
from tests.helpers.viewer import Viewer

TOML = 'lattice = "square"\ntitle = "Four dominoes"\nregion = "4x2"\npieces = "domino any"\n'


def tiles(viewer: Viewer) -> list[str]:
    """The texts of the puzzles on the shelf."""
    viewer.until("document.querySelectorAll('.tile').length > 0")
    return [str(text) for text in viewer.page.locator(".tile").all_inner_texts()]


def notice(viewer: Viewer) -> str:
    """The first message of an error."""
    viewer.until("document.querySelector('.notice.error') !== null")
    return str(viewer.page.locator(".notice.error p").first.inner_text())


def opened(viewer: Viewer) -> str:
    """The title of the puzzle that is open, once it is there."""
    viewer.until("location.hash === '#run' && document.querySelector('#start') !== null")
    return str(viewer.page.locator("#bar strong").inner_text())


def test_the_shelf_shows_pictures_counts_and_difficulty(open_served: Open) -> None:
    viewer = open_served()
    assert len(tiles(viewer)) == 36
    assert viewer.page.locator(".level-of").count() > 10
    viewer.page.get_by_label("Search").fill("pentominoes 10x6")
    (tile,) = [text for text in tiles(viewer) if "2,339 solutions" in text]
    assert "square · 60 cells · 12 pieces" in tile
    viewer.until("[...document.images].every((i) => i.complete && i.naturalWidth > 50)")
    viewer.page.get_by_role("button", name="2,339 solutions").click()
    opened(viewer)
    assert "60 cells · 12 pieces" in viewer.page.inner_text("#bar")


def test_the_shelf_is_filtered_by_lattice_and_difficulty(open_served: Open) -> None:
    viewer = open_served()
    tiles(viewer)
    viewer.page.get_by_label("Lattice").select_option("hexagonal")
    found = tiles(viewer)
    assert found
    assert all("hexagonal ·" in text for text in found)
    viewer.page.get_by_label("Search").fill("no such puzzle")
    assert viewer.page.get_by_text("No puzzle fits.").is_visible()


def test_files_of_other_programs_are_opened(open_served: Open) -> None:
    corpus = Path(__file__).parents[1] / "fuzz" / "corpus" / "xmpuzzle"
    viewer = open_served()
    viewer.page.set_input_files("#file", corpus / "packed.xmpuzzle")
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
    viewer = open_served(complaints="status of 4")
    wrong = TOML.replace("domino any", "dominoose any")
    viewer.page.set_input_files(
        "#file", {"name": "wrong.toml", "mimeType": "", "buffer": wrong.encode()}
    )
    assert "dominoose" in notice(viewer)
    viewer.page.get_by_role("button", name="Close this message").click()
    assert viewer.page.locator(".notice").count() == 0
    large = {"name": "large.toml", "mimeType": "", "buffer": b"#" * 3_000_000}
    viewer.page.set_input_files("#file", large)
    assert "large.toml is too large" in notice(viewer)


def test_a_link_holds_the_puzzle(open_served: Open, server: str) -> None:
    viewer = open_served()
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
    other = open_served(link.removeprefix(f"{server}/"))
    assert opened(other) == "Four dominoes"
    damaged = open_served("#puzzle=AAAA")
    assert "The link is damaged" in notice(damaged)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("6x10", "pentominoes in a 10 x 6 box"),
        ("18 x 5", "one-sided pentominoes in an 18 x 5 box"),
        ("pentomino 5x4x3", "5 x 4 x 3 box"),
        ("tetris cube", "Tetris"),
    ],
)
def test_the_search_knows_sizes_sets_and_plurals(open_served: Open, words: str, first: str) -> None:
    viewer = open_served()
    tiles(viewer)
    viewer.page.get_by_label("Search").fill(words)
    assert first in tiles(viewer)[0]


def test_pictures_are_blurred_until_the_reader_wants_to_see_solutions(open_served: Open) -> None:
    viewer = open_served()
    tiles(viewer)
    blur = "getComputedStyle(document.querySelector('.tile img')).filter"
    assert "blur" in viewer.page.evaluate(blur)
    viewer.page.get_by_label("Show solutions clearly").check()
    assert viewer.page.evaluate(blur) == "none"
    viewer.page.reload()
    tiles(viewer)
    assert viewer.page.evaluate(blur) == "none"
