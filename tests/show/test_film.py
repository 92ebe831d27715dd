"""A film holds what was recorded, as a page and as a GIF."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.search import record
from exactcover.show import Film, Filming
from tests.helpers.examples import some
from tests.helpers.packed import unpacked


def puzzle(name: str) -> ec.Puzzle:
    found = ec.read(name)
    assert isinstance(found, ec.Puzzle)
    return found


PLAIN: Any = [["a"]]


def data(film: Film) -> dict[str, Any]:
    (text,) = re.findall(r'id="data-film">(.*?)</script>', film.page.html)
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize(
    "name", some(["dominoes_4x4", "pentominoes_20x3", "PT12_plus", "somacube"], one_in=4)
)
def test_the_page_has_each_board(name: str) -> None:
    box = puzzle(name)
    film = ec.animate(box, ["dlx:s", "fila:f"], events=400)
    carried = data(film)
    for reel, recording in zip(carried["reels"], film.recordings, strict=True):
        kept, counts = unpacked(reel["kept"]), unpacked(reel["counts"])
        placed, colours = unpacked(reel["placed"]), unpacked(reel["colours"])
        pieces = unpacked(reel["pieces"])
        stack: list[tuple[str, frozenset[int], int]] = []
        at = 0
        for (moment, options), many, more in zip(recording, kept, counts, strict=True):
            del stack[many:]
            for number in range(at, at + more):
                cells = frozenset(reel["options"][placed[number]])
                stack.append((carried["pieces"][pieces[number]], cells, colours[number]))
            at += more
            model = box.model
            wanted = {
                (one.piece, frozenset(box.space.find(np.array(one.cells)).tolist()))
                for one in model.placements(options)[len(box.stationary) :]
            }
            assert {(piece, cells) for piece, cells, _ in stack} == wanted, moment
            assert touching_differ(box, stack)
        assert unpacked(reel["event"]) == [m.event for m in recording.moments]
        assert unpacked(reel["nofits"]) == [m.nofits for m in recording.moments]
        tried = reel["tried"]
        everything = recording.end.tried.values()
        assert sum(unpacked(tried["fits"])) == sum(one.fits for one in everything)
        assert sum(unpacked(tried["tries"])) == sum(one.attempts for one in everything)


def test_a_dead_end_names_a_cell_that_no_piece_fits() -> None:
    """Where the search turns back at once, the marked cell is open, and no placement has room."""
    box = puzzle("pentominoes_20x3")
    [reel] = ec.animate(box, "fila:f", events=300).replays
    moments = reel.recording.moments
    model, shape_of = box.model, box.model.layout.option_shape.tolist()
    images = [{*model.cells_of(option).tolist()} for option in range(model.problem.n_options)]
    ends = dict(reel.dead_ends())
    assert len(ends) > 10
    for number, cell in ends.items():
        assert (moments[number].kind, moments[number + 1].kind) == ("placed", "removed")
        placed = moments[number].options
        covered = set().union(*(images[option] for option in placed))
        assert cell not in covered
        used = {shape_of[option] for option in placed}
        assert not any(
            cell in image and shape_of[option] not in used and covered.isdisjoint(image)
            for option, image in enumerate(images)
        )
    done = [moment.done for moment in moments]
    assert all(one <= later + 1e-9 for one, later in pairwise(done))
    assert 0 < done[-1] < 1


def touching_differ(box: ec.Puzzle, stack: list[tuple[str, frozenset[int], int]]) -> bool:
    """Whether placements that share a side have different colours."""
    starts, near = (array.tolist() for array in box.model.layout.adjacent)
    if box.stationary:
        return True  # cells are numbered otherwise there
    owner = {cell: colour for _, cells, colour in stack for cell in cells}
    of_piece = {cell: number for number, (_, cells, _) in enumerate(stack) for cell in cells}
    return all(
        owner[cell] != owner[beside]
        for cell in owner
        for beside in near[starts[cell] : starts[cell + 1]]
        if beside in owner and of_piece[beside] != of_piece[cell]
    )


def test_a_film_is_a_page_that_asks_for_nothing(tmp_path: Path) -> None:
    title = "<X> & Y, <!--CLOCK-->"  # the page's pattern has this comment
    film = ec.animate(puzzle("pentominoes_20x3"), "dlx:s", until_solution=1, title=title)
    film.save(tmp_path / "film.html")
    html = (tmp_path / "film.html").read_text(encoding="utf-8")
    assert html == film.page.html
    assert "<h1>&lt;X&gt; &amp; Y, &lt;!--CLOCK--&gt;</h1>" in html
    assert not re.findall(r"""(?:src|href)=["'](?!data:)""", html)
    assert "http:" not in re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    assert "srcdoc" in film._repr_html_()
    assert repr(film) == "<Film of square/pentominoes_20x3: dlx:s>"


@pytest.mark.parametrize(
    ("name", "strategies"),
    some(
        [
            ("pentominoes_20x3", ["dlx:s", "fila:f"]),
            ("tetrasticks_5x5_without_H", ["dlx:s"]),
            ("tetratesseracts_3x2x2x2", ["fila:f"]),
            ("somacube", ["dlx:s"]),
            ("pyramid_20", ["dlx:s"]),
        ],
        one_in=3,
    ),
)
def test_a_gif_opens_and_plays(name: str, strategies: list[str], tmp_path: Path) -> None:
    from PIL import Image

    film = ec.animate(puzzle(name), strategies, events=100)
    told: list[float] = []
    film.save(tmp_path / "film.gif", seconds=1, fps=8, width=320, progress=told.append)
    with Image.open(tmp_path / "film.gif") as gif:
        assert gif.format == "GIF"
        assert gif.width == 320
        assert 2 <= gif.n_frames <= 8  # type: ignore[attr-defined]
        frames, durations = [], []
        for number in range(gif.n_frames):  # type: ignore[attr-defined]
            gif.seek(number)
            frames.append(gif.convert("RGB").tobytes())
            durations.append(gif.info["duration"])
        assert len(set(frames)) == len(frames)
        assert sum(durations) == 1000 + 2000
        assert gif.info["loop"] == 0
        colours = gif.convert("RGB").getcolors(100_000)
        assert colours is not None
        assert (0xFF, 0xFF, 0xFF) in [colour for _, colour in colours]
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda box: ec.animate(box, []), "0 strategies: a film shows 1 to 4"),
        (lambda box: ec.animate(box, "planes"), "those of these engines can: dlx, fila, bsx"),
        (lambda _: ec.animate(PLAIN), "a plain problem has no cells"),
        (lambda box: film_of(box).save("film.avi"), "its ending must be one of .html, .gif"),
        (lambda box: film_of(box).save("no/such/film.gif"), "cannot be written"),
        (lambda box: film_of(box).save("film.gif", width=10), "width=10"),
    ],
)
def test_mistakes_are_explained(make: Callable[[Any], object], message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=re.escape(message)):
        make(puzzle("pentominoes_20x3"))


def film_of(box: ec.Puzzle) -> Film:
    return Film(box, [record(box, "dlx:s", events=20)])


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(ec.ExactCoverError, match=r"pip install 'exactcover-tilings\[picture\]'"):
        film_of(puzzle("pentominoes_20x3")).save(tmp_path / "film.gif")


def test_searches_that_are_stopped_are_about_equally_far() -> None:
    filming = Filming(puzzle("pentominoes_10x6"), ["dlx:s", "fila:f", "fila:y"], events=5_000)
    for _ in range(600):
        assert filming.step()
    assert 0 < filming.progress < 1
    filming.stop()
    assert not filming.step()
    film = filming.film
    ends = [recording.end.event for recording in film.recordings]
    assert max(ends) - min(ends) < 30
    assert {recording.status for recording in film.recordings} == {"interrupted"}


def test_a_puzzle_without_a_solution_has_a_film_of_one_moment(tmp_path: Path) -> None:
    film = ec.animate(ec.puzzle_of("pentominoes", "box 7 7"))
    film.save(tmp_path / "film.html")
    assert data(film)["reels"][0]["ending"] == film.recordings[0].reason
    film.save(tmp_path / "film.gif", width=200)
    assert (tmp_path / "film.gif").stat().st_size > 500
