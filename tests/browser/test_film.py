"""A film in a browser: played, stepped through, moved by keys, side by side, on a phone."""

from __future__ import annotations

from functools import cache

import pytest

import exactcover as ec
from exactcover.show import Film
from tests.browser.conftest import Open
from tests.browser.test_everyone import violations
from tests.browser.test_view import STILL
from tests.helpers.viewer import Viewer

FILMS = [
    ("pentominoes_10x6", ("dlx:s", "fila:f")),
    ("somacube", ("dlx:s",)),
    ("tetrasticks_5x5_without_H", ("dlx:s",)),
    ("tetratesseracts_3x2x2x2", ("fila:f", "dlx:s", "bsx:s", "fila:s")),
]
"""A board, a model, sticks, layers of four dimensions, and one to four searches."""


@cache
def film(name: str, strategies: tuple[str, ...]) -> Film:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    return ec.animate(puzzle, strategies, events=600)


def counters(viewer: Viewer, reel: int = 0) -> dict[str, int]:
    """The figures below a board."""
    return every_counter(viewer)[reel]


def every_counter(viewer: Viewer) -> list[dict[str, int]]:
    """The figures below each board."""
    shown = viewer.page.locator(".reel").evaluate_all(
        "reels => reels.map((reel) => [...reel.querySelectorAll('.counters > div')]"
        ".map((row) => [...row.children].map((part) => part.textContent)))"
    )
    return [{name: int(value.replace(",", "")) for name, value in reel} for reel in shown]


def board(viewer: Viewer, reel: int = 0) -> bytes:
    return viewer.page.locator(".frame").nth(reel).screenshot()


@pytest.mark.parametrize(("name", "strategies"), FILMS[::3])
def test_steps_show_what_was_recorded(
    name: str, strategies: tuple[str, ...], open_page: Open
) -> None:
    made = film(name, strategies)
    viewer = open_page(made.page, **STILL)
    names = viewer.page.locator(".reel h2 code").all_text_contents()
    assert names == [recording.strategy for recording in made.recordings]
    empty = board(viewer)
    for number in range(1, 5):
        viewer.page.click("#forward")
        moments = [one.moments[min(number, len(one) - 1)] for one in made.recordings]
        assert [[*shown.values()] for shown in every_counter(viewer)] == [
            [one.event, one.fits, one.nofits, one.found] for one in moments
        ]
    assert board(viewer) != empty
    for _ in range(4):
        viewer.page.click("#back")
    assert counters(viewer)["event"] == 0
    assert board(viewer) == empty


def test_a_film_plays_by_itself_and_pauses(open_page: Open) -> None:
    viewer = open_page(film(*FILMS[0]).page)
    assert viewer.page.text_content("#play .wide") == "Pause"
    viewer.until("film.reading > 5")
    viewer.page.click("#play")
    there = counters(viewer)
    viewer.page.wait_for_timeout(300)
    assert counters(viewer) == there
    viewer.page.keyboard.press("k")
    viewer.until(f"film.reading > {there['event']} + 3")


def test_it_says_in_plain_words_why_the_search_turns_back(open_page: Open) -> None:
    made = ec.animate(ec.read("pentominoes_10x6"), "fila:f", events=60)
    viewer = open_page(made.page, **STILL)
    number, _ = made.replays[0].dead_ends()[0]
    viewer.page.evaluate(f"film.go({number})")
    said = viewer.page.inner_text(".what")
    assert "is placed: now no piece fits the marked cell. 0" in said
    assert said.endswith("% of the tree is done.")
    assert viewer.page.locator(".mark").count() == 1
    viewer.press("ArrowRight")
    assert "is taken up again" in viewer.page.inner_text(".what")
    assert viewer.page.locator(".mark").count() == 0


def test_keys_alone_do_everything(open_page: Open) -> None:
    made = film(*FILMS[0])
    viewer = open_page(made.page, **STILL)
    viewer.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert counters(viewer)["event"] == 2
    assert "event 2" in viewer.said()
    viewer.press("Shift+ArrowRight")
    assert counters(viewer)["event"] == 102
    viewer.press("n")
    found = [m.event for m in made.recordings[0].moments if m.kind == "found"]
    assert counters(viewer)["event"] == found[0] == 192
    assert counters(viewer)["solutions"] == 1
    viewer.press("End")
    assert counters(viewer)["event"] == 600
    viewer.press("b")
    assert counters(viewer)["event"] == found[-1]
    viewer.press("Home")
    assert counters(viewer)["event"] == 0
    before = float(viewer.page.input_value("#speed"))
    viewer.press("+")
    assert float(viewer.page.input_value("#speed")) > before
    light = board(viewer)
    viewer.press("d")
    assert board(viewer) != light
    reached = set()
    for _ in range(14):
        viewer.page.keyboard.press("Tab")
        reached.add(viewer.page.evaluate("document.activeElement.id"))
    assert {"theme", "seek", "start", "back", "play", "forward", "end", "speed"} <= reached


def test_a_film_goes_to_any_moment(open_page: Open) -> None:
    made = film(*FILMS[0])
    viewer = open_page(made.page, **STILL)
    viewer.page.wait_for_timeout(300)  # it stands still where its reader prefers that
    assert counters(viewer)["event"] == 0
    assert viewer.page.text_content("#play .wide") == "Play"
    viewer.page.locator("#seek").fill("300")
    for reel, recording in enumerate(made.recordings):
        moment = recording.moments[300]
        assert list(counters(viewer, reel).values())[:2] == [moment.event, moment.fits] == [
            300, moment.fits
        ]  # fmt: skip


def test_everyone_can_use_it(open_page: Open) -> None:
    viewer = open_page(film(*FILMS[1]).page, color_scheme="dark", **STILL)
    viewer.page.click(".help summary")
    viewer.press("Shift+ArrowRight")
    assert violations(viewer) == []
