"""The strategy for someone who names none, chosen by the size and shape of the problem.

Sets of options as bits (`bsx`) are two to six times as fast as dancing cells while there are few
options. They are slower where many items are counted at every step. Image lists (`fila`) search
large tilings, after the piece that breaks the symmetries is placed. In a narrow region they branch
on the first open cell. In other regions they branch on the cell with the most occupied neighbours
until three pieces remain. The bounds are measured, see `docs/speed.md`.
"""

from __future__ import annotations

import numpy as np

from exactcover.backends import get_backend
from exactcover.backends.planes.tables import is_soon_tabled
from exactcover.filters.built_in import CELL, WORDS
from exactcover.filters.redundancy import choose, choose_by_room
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from exactcover.search.strategy import Filter, Stage, Strategy
from exactcover.search.subject import Subject

FEW_OPTIONS, FEW_ITEMS = 20_000, 128
"""Up to this number of options, a search by sets of bits is faster."""

FEW_WAYS, MANY_WAYS = 1_200, 2_500
"""Image lists are faster on tilings with more images than this. The lower figure is for narrow
regions."""

NARROW = 6
"""A region is narrow if none of its slices has more cells; the first open cell is then as good as
any."""

MOST_NEIGHBOURS = 6
"""Sets of bits are faster on lattices whose cells have more neighbours than this."""

FEW_CHOICES, WIDE = 8, 3
"""Most choices are forced if an item has on average at most this many options, and an option at
least this many items."""

MANY_ITEMS = 30_000
"""With this many items, visiting each of them at every step takes more than a second in all."""

MANY_IMAGES = 300_000
"""Filtering more images than this takes longer than a person likes to wait."""


def automatic(subject: Subject) -> Strategy:
    """The strategy of a search that lists solutions.

    If the piece that `redundancy` constrains is placed first, the strategy names it: the piece that
    leaves the fewest options.
    """
    problem, model = subject.problem, subject.model
    stages = _stages(subject)
    filters = []
    if model is not None and subject.permutations is not None:
        placed_first = len(stages) > 1
        filters.append(Filter("redundancy", _pivot(subject, placed_first=placed_first)))
    if model is not None and problem.n_options <= MANY_IMAGES:
        filters.append(Filter("volume"))
    if model is None and _is_mostly_forced(problem):
        filters.append(Filter("reduce"))
    return Strategy(stages, tuple(filters))


def for_one_solution(subject: Subject) -> Strategy:
    """The strategy of a search that ends with its first solution.

    For a small plain problem it uses `planes`. That engine starts sooner than any other, follows
    forced choices first, and weighs the items that it branches on.
    """
    if subject.model is None and is_soon_tabled(subject.problem):
        return Strategy((Stage("planes", "weighed"),))
    return automatic(subject)


def _is_mostly_forced(problem: Problem) -> bool:
    """Whether most items leave no choice, and there are many of them."""
    if problem.n_items < MANY_ITEMS:
        return False
    options = np.bincount(problem.entries, minlength=problem.n_items)[: problem.primary]
    return bool((options <= problem.low).sum() * 2 > problem.primary)


def _pivot(subject: Subject, *, placed_first: bool) -> str | None:
    """The piece to constrain, or `CELL`; None: the usual piece.

    If no piece occurs exactly once, it is a cell. The sizes of trees are compared only if the pivot
    is placed first.
    """
    model, permutations = subject.model, subject.permutations
    assert model is not None
    assert permutations is not None
    usual = choose(model.layout, permutations)
    if usual is not None and not placed_first:
        return None
    made = choose_by_room(model.problem, model.layout, permutations)
    if made is None:
        return None
    if made.pivot.kind == "cell":
        return CELL
    if usual is None or made.pivot.number == usual.pivot.number:
        return None
    name = model.groups[made.pivot.number].members[0].name
    return name if name.isalnum() and name not in WORDS else None


def _stages(subject: Subject) -> tuple[Stage, ...]:
    """The stages of the automatic strategy."""
    problem, model = subject.problem, subject.model
    if model is None and _is_for_planes(problem):
        return (Stage("planes", "weighed"),)
    small = problem.n_options <= FEW_OPTIONS and problem.n_items <= FEW_ITEMS
    if not small or get_backend("bsx").capabilities.missing(problem):
        return (Stage("dlx", "s"),)
    pieces = 0 if model is None else pieces_left(problem, model.layout)
    if model is not None and pieces > 4 and _spreads_little(model.layout):
        narrow = _widest_slice(model.layout) <= NARROW
        if narrow and problem.n_options > FEW_WAYS:
            return Stage("dlx", "s"), Stage("fila", "f", pieces - 1)
        if problem.n_options > MANY_WAYS:
            return Stage("dlx", "s"), Stage("fila", "e", pieces - 1), Stage("fila", "f", 3)
    return (Stage("bsx", "s"),)


def _is_for_planes(problem: Problem) -> bool:
    """Whether most choices are forced: many items with few options each, and options of many items.

    Then `planes` is up to thirty times as fast as the others. It is slower if one of the bounds
    fails. The bounds are measured, see `docs/speed.md`.
    """
    if problem.n_items <= FEW_ITEMS or get_backend("planes").capabilities.missing(problem):
        return False
    primary_entries = int((problem.entries < problem.primary).sum())
    forced = primary_entries <= FEW_CHOICES * problem.primary
    wide = problem.entries.size >= WIDE * problem.n_options
    return forced and wide and is_soon_tabled(problem)


def _spreads_little(layout: Layout) -> bool:
    """Whether all pieces are counted, on a lattice whose cells have few neighbours."""
    neighbours = np.diff(layout.adjacent[0]).max(initial=0)
    return bool((layout.shape_item >= 0).all() and neighbours <= MOST_NEIGHBOURS)


def _widest_slice(layout: Layout) -> int:
    """The cells of the largest slice, along the axis whose slices are smallest."""
    across = (np.unique(axis, return_counts=True)[1] for axis in layout.positions.round(6).T)
    return int(min((counts.max() for counts in across), default=0))
