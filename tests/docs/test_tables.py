"""The figures in the tables of the pages, those that are quick to find, are found again."""

from __future__ import annotations

import re
from functools import cache

import pytest

import exactcover as ec
from exactcover.geometry.enumeration import Sort, count_shapes
from exactcover.lattices import get_lattice
from exactcover.search.solving import Solving
from tests.docs.blocks import read
from tests.helpers.examples import some

Row = dict[str, str]


def rows(page: str, *heads: str) -> list[Row]:
    """The rows of the first table of a page that has these columns."""
    lines = iter(read(page).splitlines())
    for line in lines:
        columns = cells(line)
        if line.startswith("|") and set(heads) <= set(columns):
            next(lines)
            found = []
            for below in lines:
                if not below.startswith("|"):
                    return found
                found.append(dict(zip(columns, cells(below), strict=True)))
    raise LookupError(f"{page} has no table of {heads}")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def number(cell: str) -> int:
    return int(cell.replace(",", ""))


@cache
def tried(puzzle: str, strategy: str, counted: str = "rotations") -> tuple[int, int]:
    """Fits and no-fits."""
    found = Solving(ec.read(puzzle), counted=counted, strategy=strategy).run()
    return found.fits, found.nofits


P = {
    "P1": "redundancy; dlx:s",
    "P2": "redundancy; volume; dlx:s",
    "P3": "redundancy; volume; dlx:s; dlx:f@11",
    "P4": "redundancy; volume; dlx:s; fila:f@11 nof=0",
    "P5": "redundancy; volume; dlx:s; fila:f@11 nof=adjacent",
}


@pytest.mark.parametrize("row", some(rows("docs/speed.md", "case", "strategy")[:5], one_in=5))
def test_the_article_cases(row: Row) -> None:
    assert row["strategy"].strip("`") == P[row["case"]]
    expected = tried("pentominoes_10x6", P[row["case"]])
    assert (number(row["fits"]), number(row["no-fits"])) == expected


@pytest.mark.parametrize("row", some(rows("docs/strategies.md", "heuristic", "fits"), one_in=9))
def test_the_heuristics_compared(row: Row) -> None:
    heuristic = row["heuristic"].strip("`")
    expected = tried("pentominoes_1s_30x3", f"fila:{heuristic}", "all")
    told = number(row["fits"]), number(row["no-fits"])
    assert told == expected


@pytest.mark.parametrize("row", rows("docs/lattices.md", "lattice", "sort"))
def test_the_shapes_of_tetrahedra(row: Row) -> None:
    sort = Sort(row["sort"])
    lattice = get_lattice(row["lattice"].strip("`"))
    told = {size: number(row[str(size)]) for size in range(1, 7)}
    assert told == {size: count_shapes(lattice, size, sort) for size in told}


@pytest.mark.parametrize("row", rows("docs/lattices.md", "name", "also called"))
def test_each_lattice_is_as_it_is_said(row: Row) -> None:
    lattice = get_lattice(row["name"].strip("`"))
    for name in re.findall(r"`([^`]+)`", row["also called"]):
        assert get_lattice(name) is lattice
    turns, with_mirrors = map(number, row["turns / with mirrors"].split("/"))
    assert int(lattice.group.proper.sum()) == turns
    assert len(lattice.group) == with_mirrors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pieces", "box", "lattice", "said"),
    [
        ("4d pentacubes any", "2 x 2 x 2 x 5", "hypercubic", "of five cells, any number"),
        ("domino any", "2 x 2 x 2 x 2 x 2 x 2", "hypercubic-6", "dominoes, any number"),
    ],
)
def test_what_the_automaton_counts(pieces: str, box: str, lattice: str, said: str) -> None:
    boxes = {(row["box"], row["pieces"]): row for row in rows("docs/counting.md", "box", "s")}
    puzzle = ec.puzzle_of(pieces, box.replace(" ", ""), lattice)
    counted = ec.count(puzzle, counted="all", strategy="automaton:narrow memory=3000")
    assert counted == number(boxes[box, said]["solutions"])
