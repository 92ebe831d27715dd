"""`exactcover make`: solids in one file and in folders, and what it says of assemblies."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.commands import ran, records


def test_a_folder_gets_a_file_for_each_piece(tmp_path: Path) -> None:
    folder = tmp_path / "pyramid"
    [record] = records("make", "fcc/pyramid_20", "-o", folder)
    assert record["puzzle"] == "fcc/pyramid_20"
    assert [(piece["piece"], piece["copies"]) for piece in record["pieces"]] == [("I", 2), ("R", 2)]
    assert sorted(file.name for file in folder.iterdir()) == ["I_x2.stl", "R_x2.stl"]
    assert record["files"] == [str(folder / "I_x2.stl"), str(folder / "R_x2.stl")]
    assert [piece["file"] for piece in record["pieces"]] == record["files"]


def test_an_assembly_that_cannot_be_put_together_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "asm.stl"
    said = ran("make", "burr_piston", "-o", file, "--solution", "1").stderr
    assert "solution 1 does not come apart" in said
    assert "solution 2 does" in said
    assert "come apart" not in ran("make", "burr_piston", "-o", file, "--solution", "2").stderr
