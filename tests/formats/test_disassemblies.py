"""Disassemblies in BurrTools' files: written, read again, and replayed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import exactcover as ec
from exactcover.cli.command_table import exactcover
from exactcover.formats import read_disassemblies, read_file
from exactcover.formats.xmpuzzle.disassemblies import TURNS, turned

ASSEMBLY = "0 0 0 0 0 0 1 17"

STORED = f"""<?xml version="1.0"?>
<puzzle version="2">
 <gridType type="0"/>
 <colors/>
 <shapes>
  <voxel x="3" y="1" z="1" type="0">###</voxel>
  <voxel x="1" y="1" z="3" type="0" hz="0">###</voxel>
  <voxel x="3" y="1" z="2" type="0">######</voxel>
 </shapes>
 <problems>
  <problem state="2" assemblies="1" solutions="1">
   <shapes><shape id="0" count="1"/><shape id="1" count="1"/></shapes>
   <result id="2"/><bitmap/>
   <solutions>
    <solution asmNum="1" solNum="1">
     <assembly>{ASSEMBLY}</assembly>
     <separation>
      <pieces count="2">0 1</pieces>
      <state><dx>0 0</dx><dy>0 0</dy><dz>0 1</dz></state>
      <state><dx>0 2</dx><dy>0 0</dy><dz>0 1</dz></state>
      <state><dx>0 2</dx><dy>0 0</dy><dz>-20000 1</dz></state>
     </separation>
    </solution>
   </solutions>
  </problem>
 </problems>
</puzzle>
"""
"""Two bars, laid out as BurrTools lays them out: rotation 17 takes z to x."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(exactcover, ["apart", *arguments], standalone_mode=False)


def stored_in(folder: Path, text: str) -> Path:
    file = folder / "stored.xmpuzzle"
    file.write_bytes(gzip.compress(text.encode()))
    return file


def test_rotations_are_those_of_a_cube() -> None:
    images = {tuple(*turned(np.array([[1, 2, 3]]), turn).tolist()) for turn in range(len(TURNS))}
    assert len(images) == 24
    for a, b, c in images:
        signs = (a < 0) + (b < 0) + (c < 0)
        order = [abs(x) for x in (a, b, c)]
        swaps = sum(x > y for n, x in enumerate(order) for y in order[n + 1 :])
        assert (signs + swaps) % 2 == 0


def test_a_stored_disassembly_is_read(tmp_path: Path) -> None:
    ((made,),) = read_disassemblies(stored_in(tmp_path, STORED))
    assert isinstance(made, ec.Disassembly)
    assert made.level == "2"
    assert [placed.cells for placed in made.placements] == [
        ((0, 0, 0), (1, 0, 0), (2, 0, 0)),
        ((0, 0, 1), (1, 0, 1), (2, 0, 1)),
    ]
    assert made.lines() == ["1  S2: 2 0 0", "2  S1 comes off: 0 0 -1"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("<dx>0 2</dx><dy>0 0</dy><dz>0 1</dz>", "<dx>0 2</dx><dy>0 0</dy><dz>9 1</dz>",
         "in its move 1 pieces move by different distances"),
        ("<dz>-20000 1</dz>", "<dz>20000 1</dz>", "move 2: S1 hits S2 after 0 steps"),
        ("<dx>0 0</dx>", "<dx>0 1</dx>", "its pieces begin elsewhere than they are"),
        ("<dx>0 0</dx>", "<dx>0 a</dx>", "whole numbers are needed"),
        ("<dx>0 0</dx>", "<dx>0</dx>", "1 numbers for 2 pieces"),
        (">0 1</pieces>", ">0 7</pieces>", "it names a piece that the assembly does not have"),
        (ASSEMBLY, ASSEMBLY + " 4", "it has more numbers than the problem has pieces"),
        (ASSEMBLY, "0 0 0 0 0 1 1 24", "cubes have rotations 0 to 23"),
        ("<dx>0 2</dx><dy>0 0</dy><dz>0 1</dz>", "<dx>0 2</dx><dy>0 2</dy><dz>0 1</dz>",
         "its move 1 is not along an axis"),
    ],
)  # fmt: skip
def test_a_wrong_one_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in STORED
    file = stored_in(tmp_path, STORED.replace(old, new))
    ((error,),) = read_disassemblies(file)
    assert isinstance(error, ec.FormatError)
    assert reason in str(error)
    made = run(str(file), "--stored", "--json")
    assert made.return_value == 3
    record = json.loads(made.stdout)
    assert (record["stored"], record["right"]) == (1, 0)


@pytest.mark.parametrize("name", ["diabolical_cube", "burr_dubois"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    file = tmp_path / "taken.xmpuzzle"
    record = json.loads(run(name, "-o", str(file), "--json").stdout)
    (found,) = read_disassemblies(file)
    assert len(found) == record["apart"] > 0
    assert all(isinstance(made, ec.Disassembly) for made in found)
    read = json.loads(run(str(file), "--stored", "--json").stdout)
    assert read["levels"] == record["levels"]
    assert (read["stored"], read["right"]) == (record["apart"], record["apart"])
    (document,) = read_file(file)
    assert ec.count(document.content) == record["assemblies"]
    assert document.assemblies == {"reflections": record["assemblies"]}


def test_solutions_are_listed_that_come_apart() -> None:
    made = CliRunner().invoke(
        exactcover, ["solve", "burr_dubois", "--apart", "--json"], standalone_mode=False
    )
    record = json.loads(made.stdout)
    assert (record["solutions"], record["status"]) == (1, "complete")
    assert "warning" not in record
    made = CliRunner().invoke(
        exactcover, ["solve", "burr_loves_dozen", "--apart", "--limit", "5", "-q"],
        standalone_mode=False,
    )  # fmt: skip
    assert "5 solutions (unique up to rotations) so far; stopped after 5" in made.stdout
