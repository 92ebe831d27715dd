"""Pictures by their structure, of each kind of thing and as files; not by pixels."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import exactcover as ec
from exactcover.formats import read_puzzles
from exactcover.geometry.bodies import as_tuples
from exactcover.lattices import Lattice
from exactcover.show.viewing import contents_of
from exactcover.trust.proofs import find_proof
from tests.helpers.examples import some
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells
from tests.helpers.pictured import AREAS, SVG, area, parsed, pieces_of

DEFS = Path(__file__).parents[2] / "defs"


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_every_lattice_is_drawn(lattice: Lattice) -> None:
    cells = as_tuples(some_cells(lattice, 2))
    whole = ec.picture(ec.Region(np.array(cells)), lattice=lattice)
    layered = ec.picture([cells[:1], cells[:2]], lattice=lattice, layers=True, theme="dark")
    for picture in (whole, layered):
        root = parsed(picture)
        assert float(root.attrib["width"]) == pytest.approx(picture.width, abs=0.01)
        assert 16 < picture.width < 1500
        assert 16 < picture.height < 1500
        box = [float(number) for number in root.attrib["viewBox"].split()]
        assert box[2:] == pytest.approx([picture.width, picture.height], abs=0.01)
        shapes = [*root.iter(f"{SVG}path"), *root.iter(f"{SVG}circle")]
        assert shapes
        for path in root.iter(f"{SVG}path"):
            places = np.array(re.findall(r"-?[\d.]+", path.attrib["d"]), float).reshape(-1, 2)
            assert (places >= 0).all()
            assert (places <= np.array(box[2:])).all()


@pytest.mark.parametrize(
    "file",
    some(sorted(path for path in DEFS.rglob("*.*") if path.suffix in (".toml", ".txt")), one_in=36),
    ids=name_of,
)
def test_every_shipped_puzzle_has_a_picture_and_a_page(file: Path) -> None:
    for document in read_puzzles(str(file)):
        puzzle = document.puzzle
        if puzzle is None:
            for show in (ec.picture, ec.view):
                with pytest.raises(ec.ExactCoverError, match=r"no (picture|page)"):
                    show(document.content)
            continue
        picture = ec.picture(puzzle, cell=36)
        assert parsed(picture).find(f"{SVG}title") is not None
        if each := AREAS.get(puzzle.lattice.name):
            drawn = sum(area(steps) for _, steps, _ in pieces_of(picture))
            assert drawn == pytest.approx(len(puzzle.space) * each, rel=1e-3)
        contents = contents_of(puzzle, None)
        (scene,) = contents.scenes
        assert json.dumps(contents.board)
        # Each piece covers as many cells as it has, and the region those that it needs.
        owners = Counter(scene.state.owners)
        assert sum(owners.values()) == len(puzzle.space) + sum(
            len(piece.cells) for piece in puzzle.movable
        )
        pieces = [owners[at] for at, part in enumerate(scene.state.parts) if part.whole]
        assert sorted(pieces) == sorted(len(piece.cells) for piece in puzzle.pieces)


def test_the_weights_of_a_proof_are_written_on_the_cells() -> None:
    puzzle = ec.read("mutilated_chessboard")
    plain, proof = find_proof(puzzle.model.problem), find_proof(puzzle.model)
    texts = [text.text for text in parsed(ec.picture(proof)).iter(f"{SVG}text")]
    values = proof.values(puzzle.model.layout.cell_item)
    assert Counter(texts) == Counter(str(value) for value in values.tolist() if value)
    assert proof == plain
    assert ec.picture(proof).svg == ec.picture(plain, puzzle=puzzle).svg
    assert str(proof._repr_svg_()).startswith("<svg")
    assert plain._repr_svg_() is None
    with pytest.raises(ec.ExactCoverError, match="drawn on its puzzle"):
        ec.picture(plain)


def test_names_that_xml_cannot_hold_are_escaped() -> None:
    piece = ec.Piece("<&>'\"", [(0, 0), (1, 0)])
    picture = ec.picture(piece, lattice="square", title="a < b & c")
    root = parsed(picture)
    assert root.find(f"{SVG}title").text == "a < b & c"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["<&>'\""]


def test_themes_choose_between_two_colours() -> None:
    puzzle = ec.read("pentominoes_10x6")
    light, dark, auto = (ec.picture(puzzle, theme=theme).svg for theme in ("light", "dark", "auto"))
    assert "#FFFFFF" in light
    assert "#111418" not in light
    assert "#111418" in dark
    assert "#FFFFFF" not in dark
    assert "prefers-color-scheme:dark" in auto
    assert "<style>" not in light + dark


def test_notebooks_show_what_has_a_picture() -> None:
    puzzle = ec.read("somacube")
    shown = (puzzle, puzzle.pieces[0], puzzle.region, ec.first(puzzle), ec.picture(puzzle))
    for value in shown:
        assert str(value._repr_svg_()).startswith("<svg")
    assert ec.Piece("A", [(0, 0)])._repr_svg_() is None
    assert ec.Region([(0, 0)])._repr_svg_() is None
    assert ec.first([["a"]])._repr_svg_() is None


@pytest.mark.parametrize(
    ("what", "said", "message"),
    [
        (3, {}, "there is no picture of 3"),
        (ec.first([["a"]]), {}, "it has no cells"),
        ("pentominoes", {"cell": -1}, "a number of pixels"),
    ],
)
def test_what_cannot_be_drawn_is_refused(what: object, said: dict, message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        ec.picture(what, **said)


def test_a_picture_is_saved_by_the_ending_of_its_file(tmp_path: Path) -> None:
    picture = ec.picture("tetrominoes")
    picture.save(tmp_path / "set.svg")
    assert (tmp_path / "set.svg").read_text() == picture.svg
    with pytest.raises(ec.ExactCoverError, match=r"must be one of \.svg, \.png"):
        picture.save(tmp_path / "set.gif")
    with pytest.raises(ec.ExactCoverError, match="cannot be written"):
        picture.save(tmp_path / "missing" / "set.svg")


def test_a_png_comes_with_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, path = ec.picture("tetrominoes"), tmp_path / "set.png"
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "resvg_py", None)
        with pytest.raises(ec.ExactCoverError, match=r"exactcover-tilings\[picture\]"):
            picture.save(path)
    picture.save(path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_names_are_left_out_if_they_are_not_wanted() -> None:
    solution = ec.first(ec.read("somacube"))
    assert [*parsed(ec.picture(solution, names=False)).iter(f"{SVG}text")] == []


def test_placements_need_no_puzzle() -> None:
    solution = ec.first(ec.read("pentominoes_20x3"))
    alone = pieces_of(ec.picture(solution.placements, lattice="square"))
    assert [path[:2] for path in alone] == [path[:2] for path in pieces_of(ec.picture(solution))]
    with pytest.raises(ec.ExactCoverError, match="on which lattice"):
        ec.picture(solution.placements)


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_the_picture_of_a_lattice_has_coordinates(lattice: Lattice) -> None:
    root = parsed(ec.picture(lattice, layers=lattice.dimension == 3, cell=200))
    texts = [str(text.text) for text in root.iter(f"{SVG}text") if "=" not in str(text.text)]
    assert texts
    numbers = min(lattice.dimension, 3) + lattice.width - lattice.dimension
    if lattice.dimension > 2 and len(lattice.kinds) > 2:
        numbers = 1
        assert set(texts) <= {str(kind) for kind in range(len(lattice.kinds))}
    assert {len(text.split(",")) for text in texts} == {numbers}
