"""The first page: a model that lives, the shelf, and files that a reader opens."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Open
from tests.helpers.viewer import Viewer

TOML = 'lattice = "square"\ntitle = "Four dominoes"\nregion = "4x2"\npieces = "domino any"\n'


def living(viewer: Viewer, title: str) -> None:
    """Wait until a model is shown under this title."""
    viewer.until(f"document.querySelector('.landing h1')?.textContent === '{title}'")
    viewer.until("window.exactcover?.stage.renderer.info.render.frame > 0")


def titles(viewer: Viewer) -> list[str]:
    """The titles of the puzzles that a search finds."""
    viewer.until("document.querySelector('.shelf .small')?.textContent === 'All collections'")
    return [str(text) for text in viewer.page.locator(".tile .name").all_inner_texts()]


def search(viewer: Viewer, words: str) -> list[str]:
    """The titles of the tiles after these words were typed, the best one first."""
    viewer.until("document.querySelector('.tile') !== null")
    viewer.page.get_by_label("Search puzzles").fill(words)
    return titles(viewer)


def opened(viewer: Viewer) -> str:
    """The title of the puzzle that is solved, once it is there."""
    viewer.until("location.hash === '#solve' && document.querySelector('.sheet button') !== null")
    return str(viewer.page.inner_text("h1"))


def test_it_opens_on_a_cube_that_is_put_together(open_served: Open) -> None:
    viewer = open_served("")
    living(viewer, "Soma Cube")
    assert viewer.page.inner_text(".landing .facts") == "480 solutions, from seven pieces"
    viewer.until("window.exactcover.model.step === 6 && !window.exactcover.model.sliding")
    before = viewer.page.evaluate("window.exactcover.stage.camera.position.toArray()")
    box = viewer.page.locator(".landing canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x + 90, y + 20, steps=3)
    viewer.page.mouse.up()
    assert viewer.page.evaluate("window.exactcover.stage.camera.position.toArray()") != before
    assert viewer.page.locator(".landing button, .landing input").count() <= 8


def test_a_tesseract_turns_after_one_click_and_next_is_a_burr(open_served: Open) -> None:
    viewer = open_served("", reduced_motion="reduce")
    living(viewer, "Soma Cube")
    follow = viewer.page.get_by_role("button", name="Next", exact=True)
    follow.click()
    living(viewer, "Tetratesseracts 3×2×2×2")
    viewer.until("window.exactcover.model.turning")
    assert viewer.page.evaluate("window.exactcover.model.angles.length") == 3
    assert viewer.page.locator(".landing input[type=range]:visible").count() == 1
    follow.click()
    living(viewer, "The Piston Burr")
    viewer.until("document.querySelector('.caption').textContent.startsWith('Level 9.3.1.1.1: 9')")
    follow.click()
    living(viewer, "Hexiamonds 6×6")
    viewer.page.get_by_role("button", name="Play", exact=True).click()
    viewer.until("document.querySelector('.play h1')?.textContent === 'Hexiamonds 6×6'")


TITLES = {
    "pairs of balls": "Pairs of Balls, Pyramid",
    "soma cube": "Soma Cube",
    "pentominoes 6x10": "Pentominoes 10×6",
    "diabolical": "Diabolical Cube",
    "cube o": "Cube O",
    "Love's Dozen": "Love's Dozen Burr",
}
LATTICES = {
    "4d": ("4-D", 9),
    "tesseract": ("4-D", 9),
    "balls": ("balls", 5),
    "cubes": ("cubes", 30),
}


def test_the_title_that_is_typed_comes_first_and_lattices_have_words(open_served: Open) -> None:
    viewer = open_served("#puzzles")
    assert {words: search(viewer, words)[0] for words in TITLES} == TITLES
    for words, (lattice, many) in LATTICES.items():
        search(viewer, words)
        facts = viewer.page.locator(".tile .face .facts").all_inner_texts()
        assert sum(text.startswith(lattice) for text in facts) >= many, words


def test_sudoku_gets_a_sentence_and_chips_filter(open_served: Open) -> None:
    viewer = open_served("#puzzles")
    search(viewer, "sudoku")
    assert "exactcover solve FILE" in viewer.page.inner_text(".shelf [role=status]")
    viewer.page.get_by_label("Search puzzles").fill("")
    viewer.page.get_by_role("button", name="Balls", exact=True).click()
    balls = len(titles(viewer))
    assert "fcc" not in viewer.page.inner_text(".shelf")
    viewer.page.get_by_role("button", name="easy", exact=True).click()
    assert 0 < len(titles(viewer)) <= balls
    viewer.page.get_by_role("button", name="All collections").click()
    viewer.until("document.querySelectorAll('.shelf h2').length === 7")


def test_a_file_is_dropped_anywhere_or_refused_with_a_reason(open_served: Open) -> None:
    drop = """([text, name]) => {
        const data = new DataTransfer()
        data.items.add(new File([text], name))
        dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }))
    }"""
    viewer = open_served(complaints="status of 422")
    viewer.page.evaluate(drop, [TOML, "four.toml"])
    assert opened(viewer) == "Four dominoes"
    viewer.page.evaluate(drop, ["nonsense ¬", "x.toml"])
    viewer.until("document.querySelector('.notice.error') !== null")
    assert "x.toml" in viewer.page.inner_text(".notice.error p")


def test_a_link_holds_the_puzzle_and_the_page_its_solutions(
    open_served: Open, open_page: Open, server: str
) -> None:
    viewer = open_served()
    viewer.page.evaluate("text => app.openText(text).then(() => app.go('play'))", TOML)
    viewer.until("document.querySelector('.play .number') !== null")
    viewer.page.get_by_role("button", name="Share").click()
    link = viewer.page.input_value("#link")
    with viewer.page.expect_download() as saved:
        viewer.page.get_by_role("button", name="Page to play").click()
    assert saved.value.suggested_filename == "four-dominoes.html"
    alone: Any = open_page(saved.value.path().read_text("utf-8"))
    assert alone.page.inner_text(".play .count") == "5 solutions"
    other = open_served(link[link.index("#") :])
    other.until("document.querySelector('.play h1')?.textContent === 'Four dominoes'")
