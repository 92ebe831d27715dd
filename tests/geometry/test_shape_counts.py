"""Numbers of shapes, against published ones."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from math import comb

import pytest

from exactcover.geometry.enumeration import Sort, count_shapes, shapes
from exactcover.geometry.shapes import is_connected, orientations
from exactcover.lattices import Lattice, get_lattice
from tests.helpers.lattices_under_test import DATA, EVERY, name_of

SORTS = {"free": Sort.FREE, "one-sided": Sort.ONE_SIDED, "fixed": Sort.FIXED}
QUICK = 20_000
"""More shapes than this, times the root of the motions to compare, are for the slow tests."""


def published() -> Iterator[object]:
    """Lattice, size, sort and count of every row of the table that counts shapes."""
    with (DATA / "shape_counts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not row["puzzle"].startswith("number of poly") and "4D" not in row["puzzle"]:
                continue
            if "n=" not in row["puzzle"] or "forms" not in row["what_is_counted"]:
                continue
            size = int(row["puzzle"].rpartition("n=")[2])
            sort = SORTS[row["what_is_counted"].split()[0]]
            lattice = get_lattice(row["lattice"])
            slow = int(row["count"]) * len(sort.motions(lattice)) ** 0.5 > QUICK
            yield pytest.param(
                lattice,
                size,
                sort,
                int(row["count"]),
                id=f"{lattice.name}-{sort.value}-{size}",
                marks=pytest.mark.slow if slow else (),
            )


PUBLISHED = list(published())


@pytest.mark.parametrize(("lattice", "size", "sort", "count"), PUBLISHED)
def test_published_numbers(lattice: Lattice, size: int, sort: Sort, count: int) -> None:
    assert count_shapes(lattice, size, sort) == count


PROPER = {  # fixed polycubes that span just so many dimensions, by size
    1: {0: 1},
    2: {1: 1},  # OEIS A127670 on the diagonal: 2^(n-1) n^(n-3)
    3: {1: 1, 2: 4},
    4: {1: 1, 2: 17, 3: 32},  # OEIS A171860 beside it: 2^(n-3) n^(n-5) (n-2) (2n^2 - 6n + 9)
    5: {1: 1, 2: 61, 3: 348, 4: 400},
}


@pytest.mark.parametrize("size", PROPER)
@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 5, 6])
def test_fixed_shapes_in_any_dimension(dimension: int, size: int) -> None:
    """Choose the axes that a shape spans: OEIS A195739 gives the number for each choice."""
    names = {1: "hypercubic-1", 2: "square", 3: "cubic", 4: "hypercubic"}
    lattice = get_lattice(names.get(dimension, f"hypercubic-{dimension}"))
    expected = sum(comb(dimension, span) * count for span, count in PROPER[size].items())
    assert count_shapes(lattice, size, Sort.FIXED) == expected


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_listed_shapes_are_canonical_connected_and_sorted(lattice: Lattice) -> None:
    size = 4 if lattice.dimension < 6 else 2
    for sort in (Sort.FREE, Sort.ONE_SIDED):
        listed = shapes(lattice, size, sort)
        assert len(listed) == count_shapes(lattice, size, sort)
        assert [form.tolist() for form in listed] == sorted(form.tolist() for form in listed)
        for form in listed[:60]:
            assert is_connected(lattice, form)
            forms = orientations(lattice, form, reflections=sort is Sort.FREE)
            assert (forms[0] == form).all()
