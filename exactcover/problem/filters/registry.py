"""The filters and triggers by name: the built-in ones, plug-ins, and a user's own.

A plug-in is an entry point in the group `exactcover.filters` whose value is a `FilterKind`. The
decorator `option_filter` makes one of a function and registers it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, getsourcefile, signature, unwrap
from pathlib import Path
from traceback import extract_tb
from types import FunctionType

import numpy as np

from exactcover.base.plugins import Registry
from exactcover.errors import ExactCoverError, StrategyError
from exactcover.problem.filters.built_in import BUILT_IN
from exactcover.problem.filters.kinds import Filtered, FilterKind
from exactcover.problem.filters.tree import Flags, Subtree

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
