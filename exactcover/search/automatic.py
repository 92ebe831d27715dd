"""How to list for someone who names no strategy: a choice by rules, and its rivals in `compare`.

**The automatic strategy** follows from the features of the problem, and measures nothing. Sets of
options as bits (`bsx`) are two to six times as fast as dancing cells while there are few options.
They are slower where many items are counted at every step. Image lists (`fila`) search large
tilings, after the piece that breaks the symmetries is placed. In a narrow region they branch on the
first open cell. In other regions they branch on the cell with the most occupied neighbours until
two pieces remain. The bounds are measured, see `docs/speed.md`.

**The candidates** are this strategy and the rows of `CANDIDATES` that the features allow. `compare`
measures them. A search measures none of them; it decides between listing and states alone, see
`choice`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exactcover.backends import get_backend
from exactcover.errors import ExactCoverError
from exactcover.problem import Problem
from exactcover.problem.filters.redundancy import MANY_CELLS, choose, choose_by_room
from exactcover.problem.filters.registry import CELL, WORDS
from exactcover.problem.layout import pieces_left
from exactcover.search.rectangles import for_rectangles
from exactcover.search.stages import cuttable, engine_stages
from exactcover.search.strategy import Filter, Stage, Strategy
from exactcover.search.subject import Subject

FEW_OPTIONS, FEW_ITEMS = 20_000, 128
"""Up to this number of options, a search by sets of bits is faster."""

FEW_WAYS, MANY_WAYS = 1_200, 2_500
"""Image lists are faster on tilings with more placements than this. The lower figure is for
narrow regions."""

NARROW = 6
"""A region is narrow if none of its slices has more cells; the first open cell is then as good as
any."""

MOST_NEIGHBOURS = 6
"""Sets of bits are faster on lattices whose cells have more neighbours than this."""

FEW_CHOICES, WIDE = 8, 3
"""Most choices are forced if an item has on average at most this many options, and an option at
least this many items."""

MANY_IMAGES = 300_000
"""Filtering more placements than this takes longer than a person likes to wait."""

AUTOMATIC = "auto"
"""The name of the automatic strategy where several are compared."""

FEW_BITS = 28.5
"""States are few if at most 2 to the power of this many are expected."""


def has_few_states(subject: Subject) -> bool:
    """Whether the automaton can be expected to have few states, from the width of a board."""
    from exactcover.backends.automaton.sweep import bits_of_states

    known = subject.layout is not None and subject.problem.n_options <= FEW_OPTIONS
    return known and bits_of_states(subject.problem, subject.layout) <= FEW_BITS


def automatic(subject: Subject) -> Strategy:
    """The strategy of a search that lists solutions.

    If the piece that `redundancy` constrains is placed first, the strategy names it: the piece that
    leaves the fewest options. A puzzle that keeps its rectangles is filled by `skyline`.
    """
    if (by_sizes := for_rectangles(subject)) is not None:
        return by_sizes
    return _filtered(subject, _stages(subject))


def strategy_named(subject: Subject, given: Strategy | str) -> Strategy:
    """The strategy itself, or the one that the text names; `auto` is the automatic one."""
    return automatic(subject) if given == AUTOMATIC else Strategy.of(given)


def for_one_solution(subject: Subject) -> Strategy:
    """The strategy of a search that ends with its first solution.

    For a small plain problem it uses `planes`. That engine starts sooner than any other, follows
    forced choices first, and weighs the items that it branches on. Otherwise one engine searches
    alone: branching on the item with the fewest options finds a solution of nearly every tiling
    after fewer choices than image lists do, and a second engine would have to be compiled.
    """
    if subject.model is None and _can_be_tabled(subject.problem):
        return Strategy((Stage("planes", "weighed"),))
    strategy = automatic(subject)
    if len(strategy.stages) == 1:
        return strategy
    takes_copies = get_backend("bsx").capabilities.missing(subject.problem)
    return _filtered(subject, (Stage("dlx" if takes_copies else "bsx", "s"),))


def _filtered(subject: Subject, stages: tuple[Stage, ...]) -> Strategy:
    """The strategy of these stages, with the filters that pay for a subject."""
    problem, model = subject.problem, subject.model
    filters = []
    if model is not None and subject.permutations is not None:
        placed_first = len(stages) > 1
        filters.append(Filter("redundancy", _pivot(subject, placed_first=placed_first)))
    if model is not None and problem.n_options <= MANY_IMAGES:
        filters.append(Filter("volume"))
    return Strategy(stages, tuple(filters))


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
    few, pieces = problem.n_options <= FEW_OPTIONS, pieces_left(problem, subject.layout)
    fills = False
    if model is not None and pieces > 4:  # pieces are counted, and cells have few neighbours
        neighbours = np.diff(model.layout.adjacent[0]).max(initial=0)
        counted = int((model.layout.shape_item >= 0).sum())
        fills = counted == model.layout.shape_item.size and neighbours <= MOST_NEIGHBOURS
    if get_backend("bsx").capabilities.missing(problem):
        can = not get_backend("fila").capabilities.missing(problem)
        if few and fills and can and problem.n_items <= 2 * FEW_ITEMS:
            return _by_neighbours(pieces)
        return (Stage("dlx", "s"),)
    if not few or problem.n_items > FEW_ITEMS:
        return (Stage("dlx", "s"),)
    if model is not None and fills:
        axes = model.layout.positions.round(6).T
        slices = (np.unique(axis, return_counts=True)[1].max() for axis in axes)
        narrow = min(slices, default=0) <= NARROW
        if narrow and problem.n_options > FEW_WAYS:
            # Items that are neither cells nor pieces are crossings of sticks. Sticks are numbered
            # by their directions, so their first cell is not near the others.
            if problem.n_items > model.layout.n_cells + counted:
                return _by_neighbours(pieces)
            return Stage("dlx", "s"), Stage("fila", "f", pieces - 1, (("nof", "6"),))
        if problem.n_options > MANY_WAYS:
            return _by_neighbours(pieces)
    return (Stage("bsx", "s"),)


def _by_neighbours(pieces: int) -> tuple[Stage, ...]:
    """Image lists that branch on cells with many occupied neighbours."""
    return Stage("dlx", "s"), Stage("fila", "e", pieces - 1), Stage("fila", "f", 2)


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
    return forced and wide and _can_be_tabled(problem)


def _can_be_tabled(problem: Problem) -> bool:
    """Whether the tables of `planes` are small."""
    from exactcover.backends.planes.search import SMALL, can_be_tabled

    return can_be_tabled(problem, SMALL)


# -- the candidates -------------------------------------------------------------------------------

CANDIDATES = (
    "dlx:s; fila:e@{below}; fila:f@3",
    "dlx:s; fila:e@{below}; fila:f@2",
    "dlx:s; fila:f@{below} nof=6",
    "dlx:s; fila:narrow@{below} nof=6",
    "fila:f nof=6",
    "bsx:s",
    "dlx:s",
)
"""Rivals of the automatic strategy: their stages. `{below}` is one piece less than there are."""


def candidates(subject: Subject) -> tuple[Strategy, ...]:
    """The automatic strategy, then what else may be the best for a subject, with its filters.

    Image lists are for puzzles of more than four pieces, and sets of bits for small problems. No
    other is as good for a puzzle that keeps its rectangles.
    """
    first, problem = automatic(subject), subject.problem
    if for_rectangles(subject) is not None:
        return (first,)
    pieces = pieces_left(problem, subject.layout)
    small = problem.n_options <= FEW_OPTIONS and problem.n_items <= 2 * FEW_ITEMS
    fitting = {"dlx"} | ({"bsx"} if small else set())
    if subject.layout is not None and pieces > 4:
        fitting.add("fila")
    found = [first]
    for text in CANDIDATES:
        if fitting.issuperset(stage.partition(":")[0] for stage in text.split("; ")):
            strategy = Strategy.parse(text.format(below=pieces - 1))
            found.append(replace(strategy, filters=first.filters))
    if subject.model is not None and subject.model.layout.n_cells <= MANY_CELLS:
        filters = tuple(
            one._replace(argument=CELL) if one.name == "redundancy" else one
            for one in first.filters
        )
        found.append(replace(first, filters=filters))
    return tuple(dict.fromkeys([first, *(one for one in found if _takes(one, subject))]))


def _takes(strategy: Strategy, subject: Subject) -> bool:
    """Whether the engines can take the problem, and hand back what they have not begun."""
    for stage in strategy.stages:
        known = get_backend(stage.backend).capabilities.heuristics
        if subject.layout is None and stage.heuristic not in known:
            return False
    try:
        engine_stages(strategy, subject.problem, subject.layout)
    except ExactCoverError:
        return False
    return cuttable(strategy)
