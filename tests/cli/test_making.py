"""`exactcover make`, and `draw --unit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.commands import ran, records, refused


def test_solids_in_one_file(tmp_path: Path) -> None:
    file = tmp_path / "soma.3mf"
    *table, last = ran("make", "somacube", "-o", file).stdout.splitlines()
    assert file.stat().st_size > 0
    assert [row.split()[0] for row in table] == ["piece", *"VLTZABP"]
    assert last == f"{file}: 7 pieces, 210.7 cubic centimetres"


def test_a_folder_gets_a_file_for_each_piece(tmp_path: Path) -> None:
    folder = tmp_path / "pyramid"
    [record] = records("make", "fcc/pyramid_20", "-o", folder)
    assert record["puzzle"] == "fcc/pyramid_20"
    assert [(piece["piece"], piece["copies"]) for piece in record["pieces"]] == [("I", 2), ("R", 2)]
    assert sorted(file.name for file in folder.iterdir()) == ["I_x2.stl", "R_x2.stl"]
    assert record["files"] == [str(folder / "I_x2.stl"), str(folder / "R_x2.stl")]
    assert [piece["file"] for piece in record["pieces"]] == record["files"]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["somacube", "-o", "soma.step"], "its ending must be one of .stl, .3mf"),
        (["somacube", "-o", "soma.stl", "--kerf", "1"], "--kerf is for lines to cut"),
        (["somacube", "-o", "soma.svg", "--thickness", "1"], "--thickness is for solids"),
        (["somacube", "-o", "soma.stl", "--unit", "0"], "0.0 is not in the range 0.1<=x<=1000"),
    ],
)
def test_wrong_usage_says_what_would_be_right(said: list[str], message: str) -> None:
    assert message in refused("make", *said, status=2)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["pentominoes_20x3", "-o", "a.svg", "--solution", "3"], "has 2 solutions"),
        (["queens_8", "-o", "a.stl"], "a plain problem has no pieces to make"),
        (["somacube", "-o", "a.svg"], "`exactcover draw --pieces` draws them"),
        (
            ["pentominoes_20x3", "-o", "a.svg", "--kerf", "30"],
            ": --kerf 30: it must be a number",
        ),
        (["pentominoes_20x3", "-o", "a.svg", "--sheet", "A9"], ": --sheet A9: it must be a width"),
        (["pentominoes_20x3", "-o", "a.stl", "--width", "2"], ": --width 2: square cells are no"),
        (["hypercubic/dominoes_2x2x2x2", "-o", "a.stl"], "have 4 dimensions"),
    ],
)
def test_what_cannot_be_made_is_told(said: list[str], message: str) -> None:
    assert message in refused("make", *said)


def test_pieces_are_numbered_in_the_order_of_assembly(tmp_path: Path) -> None:
    ran("make", "burr_dubois", "-o", tmp_path, "--solution", "2", "--order")
    names = sorted(path.stem for path in tmp_path.iterdir())
    assert [name[:2] for name in names] == ["1_", "2_", "3_", "4_", "5_", "6_"]
    assert sorted(name[2:] for name in names) == ["A", "B", "C", "D", "E", "F"]
    for words in (["make", "somacube", "-o", "a.stl"], ["draw", "somacube"]):
        assert "--order goes with --solution" in refused(*words, "--order", status=2)


def test_an_assembly_that_cannot_be_put_together_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "asm.stl"
    said = ran("make", "burr_piston", "-o", file, "--solution", "1").stderr
    assert "solution 1 does not come apart" in said
    assert "solution 2 does" in said
    assert "come apart" not in ran("make", "burr_piston", "-o", file, "--solution", "2").stderr
