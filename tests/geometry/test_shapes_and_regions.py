"""Shapes, images, symmetries and neighbour graphs on every lattice, beside plain Python."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import components, corner_graph, neighbour_graph
from exactcover.geometry.shapes import (
    is_connected,
    is_mirror_symmetric,
    normal_form,
    orientations,
    placements,
    shape_key,
)
from exactcover.geometry.symmetry import region_symmetries
from exactcover.lattices import Lattice
from tests.helpers.cell_graphs import networkx_graph
from tests.helpers.examples import few, some
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells

SMALL = [lattice for lattice in EVERY if lattice.dimension < 5]
every = [
    pytest.mark.parametrize("lattice", some(SMALL, one_in=3, first=first), ids=name_of)
    for first in range(3)
]
seeds = st.integers(0, 1_000_000)


def random_shape(lattice: Lattice, rng: np.random.Generator, size: int) -> np.ndarray:
    """Some distinct cells near each other, connected or not."""
    around = some_cells(lattice, 3)
    return around[rng.choice(len(around), min(size, len(around)), replace=False)]


@every[0]
@few
@given(seed=seeds)
def test_forms_do_not_depend_on_where_and_how_cells_are_given(lattice: Lattice, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = random_shape(lattice, rng, 4)
    moved = rng.permutation(cells)
    lattice.vectors(moved)[:] += rng.integers(-50, 50, lattice.dimension)
    assert (normal_form(lattice, cells) == normal_form(lattice, moved)).all()
    form = normal_form(lattice, cells)
    assert (normal_form(lattice, form) == form).all()
    assert lattice.vectors(form).min(axis=0).tolist() == [0] * lattice.dimension
    assert form.tolist() == sorted(form.tolist())


@every[1]
@few
@given(seed=seeds)
def test_orientations_are_an_orbit(lattice: Lattice, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = random_shape(lattice, rng, 4)
    for reflections in (False, True):
        motions = lattice.group.selected(reflections)
        forms = orientations(lattice, cells, reflections=reflections)
        assert len(motions) % len(forms) == 0
        turned = lattice.moved(cells, [rng.choice(motions)])[0]
        again = orientations(lattice, turned, reflections=reflections)
        assert (again == forms).all()
        key = shape_key(lattice, cells, reflections=reflections)
        assert key == shape_key(lattice, turned, reflections=reflections)
    once, both = (len(orientations(lattice, cells, reflections=r)) for r in (False, True))
    assert both in (once, 2 * once)
    assert is_mirror_symmetric(lattice, cells) == (once == both)


@every[2]
@few
@given(seed=seeds)
def test_connected_as_networkx_says(lattice: Lattice, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = random_shape(lattice, rng, int(rng.integers(1, 7)))
    region = CellSet.of(lattice, cells)
    graph = networkx_graph(region)
    assert set(graph) == {tuple(cell) for cell in cells.tolist()}
    assert is_connected(lattice, cells) == networkx.is_connected(graph)
    parts = components(neighbour_graph(region))
    names = [tuple(cell) for cell in region.cells.tolist()]
    by_part = {
        frozenset(name for name, part in zip(names, parts, strict=True) if part == number)
        for number in set(parts.tolist())
    }
    assert by_part == {frozenset(part) for part in networkx.connected_components(graph)}


@every[0]
@few
@given(seed=seeds)
def test_neighbour_graphs_pair_by_pair(lattice: Lattice, seed: int) -> None:
    rng = np.random.default_rng(seed)
    region = CellSet.of(lattice, random_shape(lattice, rng, 9))
    for graph, around in (
        (neighbour_graph(region), lattice.adjacent),
        (corner_graph(region), lattice.touching),
    ):
        starts, others = graph
        found = {(i, int(j)) for i in range(len(region)) for j in others[starts[i] : starts[i + 1]]}
        assert len(found) == len(others)
        expected = set()
        for i, one in enumerate(region.cells):
            offsets = {tuple(o) for o in around[int(lattice.kind_numbers(one))].tolist()}
            for j, other in enumerate(region.cells):
                vector = (lattice.vectors(other) - lattice.vectors(one)).tolist()
                kind = [int(lattice.kind_numbers(other))] * (lattice.width > lattice.dimension)
                if tuple(vector + kind) in offsets:
                    expected.add((i, j))
        assert found == expected
        rows = [others[starts[i] : starts[i + 1]].tolist() for i in range(len(region))]
        assert all(row == sorted(row) for row in rows)


@every[1]
@few
@given(seed=seeds)
def test_placements_tried_one_by_one(lattice: Lattice, seed: int) -> None:
    rng = np.random.default_rng(seed)
    region = CellSet.of(lattice, random_shape(lattice, rng, 20))
    forms = orientations(lattice, random_shape(lattice, rng, 2), reflections=True)
    forms = forms[rng.choice(len(forms), min(len(forms), 12 - 2 * lattice.dimension))]
    inside = {tuple(cell): number for number, cell in enumerate(region.cells.tolist())}
    found = [tuple(row) for row in placements(region, forms).tolist()]
    expected = []
    low = lattice.vectors(region.cells).min(axis=0) - lattice.vectors(forms).max(axis=(0, 1))
    high = lattice.vectors(region.cells).max(axis=0)
    for form in forms:
        for shift in np.ndindex(*(high - low + 1).tolist()):
            moved = form.copy()
            lattice.vectors(moved)[:] += np.array(shift) + low
            cells = [tuple(cell) for cell in moved.tolist()]
            if all(cell in inside for cell in cells):
                expected.append(tuple(sorted(inside[cell] for cell in cells)))
    assert sorted(found) == sorted(expected)


@every[2]
@few
@given(seed=seeds)
def test_symmetries_of_regions_tried_one_by_one(lattice: Lattice, seed: int) -> None:
    """Half of them are made symmetric: a set of cells with its image under some motion."""
    rng = np.random.default_rng(seed)
    cells = random_shape(lattice, rng, 5)
    if seed % 2:
        image = lattice.moved(cells, [int(rng.integers(len(lattice.group)))])[0]
        cells = np.concatenate([cells, image])
    region = CellSet.of(lattice, cells)
    symmetries = region_symmetries(region)
    found = dict(zip(symmetries.motions.tolist(), symmetries.permutations.tolist(), strict=True))
    assert symmetries.permutations[0].tolist() == list(range(len(region)))
    names = [tuple(cell) for cell in region.cells.tolist()]
    numbers = (
        range(len(lattice.group))
        if len(lattice.group) < 50
        else {*rng.integers(0, len(lattice.group), 30).tolist(), *found}
    )
    for number in numbers:
        image = lattice.moved(region.cells, [number])[0]
        expected = None
        for anchor in names:  # the first cell must come to lie on one of the cells
            moved = image.copy()
            shift = np.array(anchor[: lattice.dimension]) - lattice.vectors(image)[0]
            lattice.vectors(moved)[:] += shift
            cells_moved = [tuple(cell) for cell in moved.tolist()]
            if set(cells_moved) == set(names):
                expected = [names.index(cell) for cell in cells_moved]
        assert found.get(number) == expected


def test_sets_of_cells_find_their_cells() -> None:
    for lattice in EVERY:
        rng = np.random.default_rng(5)
        cells = random_shape(lattice, rng, 12)
        region = CellSet.of(lattice, np.concatenate([cells, cells]))
        assert len(region) == len(cells)
        assert region.find(region.cells).tolist() == list(range(len(cells)))
        far = region.cells.copy()
        lattice.vectors(far)[:] += 1000
        assert (region.find(far) == -1).all()
        around = some_cells(lattice, 3)
        inside = {tuple(cell) for cell in cells.tolist()}
        for cell, place in zip(around.tolist(), region.find(around), strict=True):
            assert (tuple(cell) in inside) == (place >= 0) == (tuple(cell) in region)
