"""The filters and triggers by name: the built-in ones as values, plug-ins, and a user's own.

A plug-in is an entry point in the group `exactcover.filters` whose value is a `FilterKind`. The
decorator `option_filter` makes one of a function and registers it.

`redundancy`, `volume`, `parity` and the triggers have modules of their own. The other needs no
geometry.

*Fit*: after an option, every item that still needs options must have enough of them. An option that
leaves a cell with no placement, or a piece with no place, is in no solution. Removing these options
can make others fail, so the filter may be repeated until nothing changes. No solution is lost or
added by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from inspect import Parameter, getsourcefile, signature, unwrap
from pathlib import Path
from traceback import extract_tb
from types import FunctionType

import numpy as np

from exactcover.base.patience import patiently
from exactcover.base.plugins import Registry
from exactcover.errors import ExactCoverError, StrategyError
from exactcover.problem import Problem
from exactcover.problem.filters.kinds import NOTHING, Filtered, FilterKind
from exactcover.problem.filters.redundancy import cell_pivots, least, piece_pivots
from exactcover.problem.filters.totals import parity, volume
from exactcover.problem.filters.tree import Chosen, Flags, Ground, Subtree, times_covered
from exactcover.problem.filters.triggers import parity_tables, volume_table

CELL = "cell"

WORDS = (CELL, NOTHING)
"""The arguments of `redundancy` that are not names of pieces."""

COLOURS = tuple(map(str, range(2, 9)))
"""The numbers of colours of `parity`."""


# -- filters --------------------------------------------------------------------------------------


def _redundancy(tree: Subtree, argument: str | None) -> Filtered:
    """Constrain one piece or cell to one placement per orbit."""
    problem, layout, symmetries = tree.problem, tree.cells.layout, tree.permutations
    if symmetries is None or len(symmetries) == 1 or argument == NOTHING:
        return Filtered(tree.alive, "nothing to do")
    if argument == CELL:
        pivots = cell_pivots(problem, layout, symmetries)
    else:
        shape = None if argument is None else _single(tree.cells, argument)
        pivots = piece_pivots(layout, symmetries, shape)
    made = least(pivots, problem.n_options, tree.alive)
    if made is None:
        missing = "no cell stays in its place" if argument == CELL else "no piece occurs once"
        return Filtered(tree.alive, f"{missing}: symmetric copies are removed one by one")
    title = tree.cells.title_of(made.pivot.kind, made.pivot.number)
    note = f"{title} keeps {made.placements.size:,} placements"
    return Filtered(made.allowed, note, constraint=made)


def _single(ground: Ground, name: str) -> int:
    """The shape of the piece with this name, which must occur exactly once."""
    shape = ground.shape_called(name)
    if (ground.layout.copies[shape] != 1).any():
        raise StrategyError(
            f"redundancy={name}: only a piece that occurs exactly once can be constrained"
        )
    return shape


def _fit(tree: Subtree, argument: str | None) -> Filtered:
    alive, removed = fit(tree.problem, tree.alive, tree.chosen, repeat=argument is None)
    return Filtered(alive, f"passes {', '.join(f'{one:,}' for one in removed)}")


def _volume(tree: Subtree, argument: str | None) -> Filtered:
    return Filtered(volume(tree))


def _parity(tree: Subtree, argument: str | None) -> Filtered:
    for colours in tree.cells.colourings(_modulus(argument)):
        tree = replace(tree, alive=parity(tree, colours))
    return Filtered(tree.alive)


# -- fit -------------------------------------------------------------------------------------------

CHUNK = 1 << 8


def fit(
    problem: Problem, alive: Flags, chosen: Chosen = (), *, repeat: bool = True
) -> tuple[Flags, tuple[int, ...]]:
    """Remove options that fit nowhere beside those left, once or until nothing changes.

    It returns the options that are left, and how many options each pass removed. `chosen` are the
    options chosen already; no option alive conflicts with them.
    """
    removed = []
    while True:
        after = fit_once(problem, alive, chosen)
        removed.append(int(alive.sum() - after.sum()))
        alive = after
        if not repeat or not removed[-1]:
            return alive, tuple(count for count in removed if count)


def fit_once(problem: Problem, alive: Flags, chosen: Chosen = ()) -> Flags:
    """One pass: each option is tried against the options that are alive when the pass begins."""
    from exactcover.problem.filters.kernels import misfits

    columns = problem.columns
    covered = times_covered(problem, chosen)[: problem.primary]
    need, room = (problem.low - covered).clip(0), problem.high - covered
    sizes = np.bincount(
        problem.entries[np.repeat(alive, np.diff(problem.starts))], minlength=problem.n_items
    )
    hit = np.zeros(problem.n_items, np.int32)
    touched = np.empty(problem.n_items, np.int32)
    stamps = np.full(problem.n_options, -1, np.int32)
    out = alive.copy()
    candidates = np.flatnonzero(alive)
    for first in patiently(range(0, len(candidates), CHUNK)):
        chunk = candidates[first : first + CHUNK]
        bad = np.empty(len(chunk), bool)
        misfits(
            chunk, problem.starts, problem.entries, problem.colours, *columns, need,
            room, problem.primary, alive, sizes, hit, touched, stamps, bad,
        )  # fmt: skip
        out[chunk[bad]] = False
    return out


# -- triggers -------------------------------------------------------------------------------------


def _parity_trigger(tree: Subtree, argument: str | None) -> Filtered:
    ground = tree.cells
    tables = [
        table
        for colours in ground.colourings(_modulus(argument))
        for table in parity_tables(ground, tree.alive, colours)
    ]
    return Filtered(tree.alive, tables=tuple(tables))


def _volume_trigger(tree: Subtree, argument: str | None) -> Filtered:
    table = volume_table(tree.cells)
    return Filtered(tree.alive, tables=() if table is None else (table,))


def _modulus(argument: str | None) -> int | None:
    return None if argument is None else int(argument)


_again = partial(FilterKind, every_step=True, symmetry="kept")

BUILT_IN: tuple[FilterKind, ...] = (  # in the order that works best
    FilterKind(
        "redundancy",
        "symmetric copies of solutions, by constraining a piece or a cell",
        _redundancy,
        "[PIECE|cell|none]",
        symmetry="broken",
    ),
    _again("volume", "placements that cut off a space which no pieces left can fill", _volume),
    _again(
        "parity",
        "placements after which the colours of the cells cannot be made up",
        _parity,
        "[COLOURS]",
        COLOURS,
    ),
    _again("fit", "options after which some item has too few options", _fit, "[1]", ("1",)),
    _again(
        "parity-trigger",
        "backtrack as soon as the pieces left cannot make up a colour",
        _parity_trigger,
        "[COLOURS]",
        COLOURS,
        trigger=True,
    ),
    _again(
        "volume-trigger",
        "backtrack as soon as the pieces left cannot fill a part of the open cells",
        _volume_trigger,
        trigger=True,
    ),
)


# -- by name ---------------------------------------------------------------------------------------

Apply = Callable[..., Flags]
"""A user's filter: from a `Subtree`, and perhaps an argument, to the options that are kept."""

FILTERS: Registry[FilterKind] = Registry(
    "exactcover.filters",
    "filter",
    lambda one: isinstance(one, FilterKind),
    {one.name: one for one in BUILT_IN},
)


def filter_kinds() -> Mapping[str, FilterKind]:
    """Every registered filter and trigger by its name, the built-in ones first."""
    return FILTERS


def get_filter_kind(name: str) -> FilterKind:
    """The filter or trigger of this name; raises `UnknownName`."""
    return FILTERS.find(name)


def source_of(kind: FilterKind) -> bytes:
    """The text of the file of a filter or trigger; empty if it is built in, or has no file."""
    if kind.name in FILTERS.built_in:
        return b""
    try:
        file = getsourcefile(unwrap(kind.apply))
    except TypeError:  # an object that is called
        return b""
    return Path(file).read_bytes() if file and Path(file).is_file() else b""


def option_filter(
    name: str, summary: str, *, symmetric: bool = False
) -> Callable[[Apply], FilterKind]:
    """Make a filter of a function that says which options are kept.

        >>> import numpy as np
        >>> import exactcover as ec
        >>> @ec.option_filter("below", "options with numbers from N on")
        ... def below(tree, argument):
        ...     return np.arange(tree.problem.n_options) < int(argument)
        >>> ec.count([["a"], ["b"], ["a", "b"]], strategy="below=2; dlx:s")
        1

    In a strategy it is written `below=100`, or `below=100@5` to apply it again at each step while
    at least 5 pieces remain.

    name       lower-case letters, digits and -
    summary    one line: what it removes
    symmetric  whether it removes, with a solution, the symmetric solutions too. It does if it keeps
               or removes symmetric options together, or removes no solution. Without it, the
               solutions that are unique up to symmetry cannot be counted or listed; where it is
               declared but untrue, their number is wrong. Default: False

    The function gets a `Subtree`. If it has a second parameter, that is the text after `=` in the
    strategy, which may be left out where the parameter has a default. It returns a bool array with
    one entry for each option of the problem, True for those that are kept. A filter that removes
    options of solutions restricts the puzzle.
    """

    def made(function: Apply) -> FilterKind:
        defaults = [one.default for one in signature(function).parameters.values()][1:]
        needed = defaults[:1] == [Parameter.empty]
        argument = "" if not defaults else "ARGUMENT" if needed else "[ARGUMENT]"

        @wraps(function, assigned=("__module__",), updated=())  # where workers find it
        def apply(tree: Subtree, argument: str | None) -> Filtered:
            try:
                given = function(tree) if argument is None else function(tree, argument)
            except ExactCoverError:
                raise
            except Exception as error:  # a user's filter may fail in any way
                raise StrategyError(
                    f"{tree.applied}: the filter {name!r} failed in {_line_of(error, function)}: "
                    f"{type(error).__name__}: {error}"
                ) from error
            return Filtered(_kept_options(name, given, tree.problem.n_options))

        kind = FilterKind(
            name, summary, apply, argument, every_step=True,
            symmetry="kept" if symmetric else "unknown",
        )  # fmt: skip
        FILTERS.register(name, kind)
        return kind

    return made


def _kept_options(name: str, given: object, n_options: int) -> Flags:
    """The result of a user's own filter; raises unless it has one truth value per option."""
    alive = np.asarray(given)
    if alive.dtype != bool or alive.shape != (n_options,):
        shown = f"an array of {alive.dtype} of shape {alive.shape}"
        if not isinstance(given, np.ndarray):
            shown = f"{type(given).__name__}"
        raise StrategyError(
            f"the filter {name!r} returned {shown}: it must return a bool array with one entry for "
            f"each of the {n_options} options, True for those that are kept"
        )
    return alive


def _line_of(error: BaseException, function: Apply) -> str:
    """Where a user's filter failed: the innermost line of its own file."""
    file = function.__code__.co_filename if isinstance(function, FunctionType) else ""
    frames = extract_tb(error.__traceback__)[1:]  # without our call of it
    own = [frame for frame in frames if frame.filename == file] or frames
    return f"{own[-1].filename}, line {own[-1].lineno}" if own else "its call"
