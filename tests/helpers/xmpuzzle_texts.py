"""Texts of BurrTools' files, and the puzzles that they hold."""

from __future__ import annotations

from exactcover.formats import parse
from exactcover.puzzle import Puzzle
from exactcover.search.counting.counts import count


def file(
    shapes: list[tuple[str, str]], problem: str, *, grid: int = 0, colours: int = 0, more: str = ""
) -> str:
    """A file of blocks `3x2x1` and their voxels, with one problem."""
    voxels = []
    for size, marks in shapes:
        x, y, z = size.split("x")
        voxels.append(f'<voxel x="{x}" y="{y}" z="{z}" type="0">{marks}</voxel>')
    paint = '<color red="1" green="2" blue="3"/>' * colours
    return (
        f'<?xml version="1.0"?>\n<puzzle version="2">\n<gridType type="{grid}"/>\n'
        f"<colors>{paint}</colors>\n"
        f"<shapes>{''.join(voxels)}</shapes>\n"
        f'<problems><problem name="P" state="0">{problem}</problem></problems>\n{more}</puzzle>\n'
    )


def asked(pieces: str, more: str = "") -> str:
    return f'<shapes>{pieces}</shapes><result id="0"/>{more}'


def puzzle_of(text: str) -> Puzzle:
    [document] = parse(text, "xmpuzzle", file="x")
    assert document.puzzle is not None
    return document.puzzle


def number(text: str, counted: str = "all") -> int:
    return int(count(puzzle_of(text), counted=counted))
