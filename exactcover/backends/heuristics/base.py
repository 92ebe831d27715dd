"""Heuristics by name: values with the facts that an engine needs to follow them; and a user's own.

A plug-in is an entry point in the group `exactcover.heuristics` whose value is a `Heuristic`, as
the decorator `heuristic` makes them. A plug-in that cannot be loaded causes a warning, and the rest
work. `load_plugin` loads a user's file. Everything that the file decorates is registered by name
from then on, in this process.

A user's own heuristic is a function that rates one cell. The kernels call a *chooser* once at each
node, which compares the ratings of all cells. A chooser is compiled for its heuristic when a search
first needs it, and never cached on disk. Its type is the same for all, a pointer to a function, so
a kernel that takes one is compiled and cached once.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from exactcover.backends.arrays import Flags, Long, Reals
from exactcover.base.plugins import Registry
from exactcover.errors import ExactCoverError, StrategyError

Rate = Callable[[int, Any], float]
"""The rating of an open cell, from its number and a `State`; the cell with the least is filled
next."""

NAME = re.compile(r"[A-Za-z][\w-]*")

NUMBER = re.compile(r"[+-]?([0-9]{1,9}(\.[0-9]{0,18})?|\.[0-9]{1,18})")
"""An argument: short enough for sums of its multiples to be numbers too."""


@dataclass(frozen=True)
class Heuristic:
    """A way to choose the next branching of a search.

    name       its name in a strategy; arguments follow an @
    summary    one line: which cell comes next
    arguments  their names, as in `x,y`; optional ones are in brackets, and `...` stands for more of
               them
    fixed      it is an order of the cells, the same all through a search
    geometry   it needs the places of cells, so it has no meaning for a problem without cells
    rate       a user's own: the rating of an open cell; None: the engines implement this one by its
               name
    """

    name: str
    summary: str
    arguments: str = ""
    fixed: bool = False
    geometry: bool = False
    rate: Rate | None = None

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise StrategyError(f"a heuristic cannot be called {self.name!r}: letters, digits, -")

    def __reduce__(self) -> Any:
        """Pickle a user's own by its name: the other process must have loaded it too."""
        if self.rate is None:
            return super().__reduce__()
        return get_heuristic, (self.name,)

    @property
    def written(self) -> str:
        """Its text form, with its arguments."""
        if self.arguments.startswith("["):
            return f"{self.name}[@{self.arguments[1:]}"
        return f"{self.name}@{self.arguments}" if self.arguments else self.name

    def takes(self, many: int) -> bool:
        """Whether it can be written with this many arguments."""
        form = re.sub(r"[^][,.]+", "_", self.arguments).replace(",...", "(,_)*")
        form = form.replace("[", "(").replace("]", ")?")
        return re.fullmatch(form, ",".join("_" * many)) is not None

    def values(self, written: str) -> tuple[float, ...]:
        """Its arguments, parsed; raises `StrategyError` if they do not suit it."""
        words = written.split(",") if written else []
        text = f"{self.name}@{written}" if written else self.name
        if not all(NUMBER.fullmatch(word) for word in words):
            raise StrategyError(
                f"{text!r}: after the @ stand numbers of at most 9 digits, as in {self.written}"
            )
        if not self.takes(len(words)):
            raise StrategyError(f"{text!r}: it is written {self.written}")
        return tuple(float(word) for word in words)


def divided(text: str) -> tuple[str, str]:
    """The name and the arguments of a heuristic as it is written."""
    name, _, written = text.partition("@")
    return name, written


# -- by name ---------------------------------------------------------------------------------------

AXES = "xyzw"

BUILT_IN = (
    Heuristic("f", "the first open cell, or item", fixed=True),
    Heuristic("e", "the cell with most neighbours that are blocked, an estimate of `s`"),
    Heuristic("s", "the cell, or item, with fewest options that fit"),
    Heuristic(
        "weighed", "as `s`; ties go to the item whose options conflict with most other options"
    ),
    *(
        Heuristic(axis, f"the open cell with the least {axis}", fixed=True, geometry=True)
        for axis in AXES
    ),
    *(
        Heuristic(axis.upper(), f"with the greatest {axis}", fixed=True, geometry=True)
        for axis in AXES
    ),
    *(
        Heuristic(axes, f"with the least {' + '.join(axes)}", fixed=True, geometry=True)
        for axes in ("xy", "xyz", "xyzw")
    ),
    Heuristic("l", "with the least a x + b y + ...", "a,...", fixed=True, geometry=True),
    Heuristic(
        "R", "the farthest from the centre, or a point", "[x,y,...]", fixed=True, geometry=True
    ),
    Heuristic(
        "a", "the next one round the centre, or a point, from an angle on", "[degrees[,x,y]]",
        fixed=True, geometry=True,
    ),
    Heuristic("A", "the same, clockwise", "[degrees[,x,y]]", fixed=True, geometry=True),
    Heuristic(
        "narrow", "the order with few open cells beside filled ones", fixed=True, geometry=True
    ),
    Heuristic("random", "one random order of the cells; seed=7 draws another", fixed=True),
)  # fmt: skip

HEURISTICS: Registry[Heuristic] = Registry(
    "exactcover.heuristics",
    "heuristic",
    lambda one: isinstance(one, Heuristic),
    {one.name: one for one in BUILT_IN},
)


def heuristics() -> Mapping[str, Heuristic]:
    """Every registered heuristic by its name, built-in ones first."""
    return HEURISTICS


def get_heuristic(text: str) -> Heuristic:
    """The heuristic of this name; ignores arguments after an @; raises `UnknownName`."""
    return HEURISTICS.find(divided(text)[0])


def user_heuristic(text: str) -> Heuristic | None:
    """The user's own heuristic with this text form; None: it is a built-in one, or unknown."""
    one = HEURISTICS.get(divided(text)[0])
    return None if one is None or one.rate is None else one


def heuristic(name: str, summary: str, *, arguments: str = "") -> Callable[[Rate], Heuristic]:
    """Make a heuristic of a function that rates an open cell; the least is filled next.

        @exactcover.heuristic("radial", "the farthest from a point first", arguments="x,y,...")
        def radial(cell, state):
            away = 0.0
            for axis in range(state.arguments.size):
                away += (state.positions[cell, axis] - state.arguments[axis]) ** 2
            return -away

    name       its name in a strategy, a word
    summary    one line for lists of heuristics
    arguments  the names of the arguments after the @ in a strategy, see `Heuristic`. Default: "",
               none

    See `exactcover.backends.heuristics.State` for the fields of `state`. Numba compiles the
    function when a search first uses it.
    """

    def made(rate: Rate) -> Heuristic:
        try:
            inspect.signature(rate).bind(0, None)
        except TypeError as error:
            raise StrategyError(f"heuristic {name!r}: {error}; it must be {SIGNATURE}") from None
        one = Heuristic(name, summary, arguments, geometry=True, rate=rate)
        HEURISTICS.register(name, one)
        return one

    return made


def load_plugin(path: str | Path) -> None:
    """Run a Python file, for the heuristics that it decorates.

        exactcover.load_plugin("examples/radial.py")
        exactcover.count(puzzle, strategy="dlx:radial@0,0")

    path  of the file, which ends in .py
    """
    path = Path(path)
    if not path.is_file():
        raise StrategyError(f"there is no plug-in file {path}")
    name = f"exactcover_plugin_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise StrategyError(f"{path} is no Python file: a plug-in ends in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ExactCoverError:
        raise
    except (Exception, SystemExit) as error:  # a user's file may fail in any way
        raise StrategyError(f"plug-in {path}: {type(error).__name__}: {error}") from error


# -- a user's own ----------------------------------------------------------------------------------

SIGNATURE = "def name(cell, state) that returns a number"


class State(NamedTuple):
    """The state of a search that a heuristic reads. Cells and shapes have the puzzle's numbers.

    open         bool [cells]: whether the cell is yet to be filled
    fits         int64 [cells]: how many placements fit an open cell
    left         int64 [shapes]: how many more of each shape may be placed
    remaining    how many pieces are left to place
    positions    float64 [cells, dimensions]: where the centre of each cell lies
    near_starts  int64 [cells + 1]: where the neighbours of each cell begin in `near`
    near         int64: the cells that share a side, cell after cell
    arguments    float64: the user's numbers after the @
    """

    open: Flags
    fits: Long
    left: Long
    remaining: int | np.int64
    positions: Reals
    near_starts: Long
    near: Long
    arguments: Reals


@cache
def chooser(heuristic: Heuristic) -> Any:
    """The function that finds the open cell with the least rating; it returns -1 on an error."""
    from numba import cfunc, types

    from exactcover.base.compiled import jit

    assert heuristic.rate is not None
    rate: Any = jit(heuristic.rate, cache=False, error_model="numpy")
    choose = _chooser_of(rate)
    state = _state_type(types)
    try:
        rate.compile((types.int64, state))
        returned = types.unliteral(rate.nopython_signatures[-1].return_type)  # type: ignore[no-untyped-call]
        if not isinstance(returned, types.Number | types.Boolean):
            raise TypeError(f"it returns {returned}, perhaps a `return` is missing")
        return cfunc(types.int64(state))(choose)
    except Exception as error:  # numba fails in many ways on code that it does not support
        lines = [line for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if "nopython" not in line), type(error).__name__)
        code = heuristic.rate.__code__
        line = getattr(getattr(error, "loc", None), "line", code.co_firstlineno)
        raise StrategyError(
            f"{code.co_filename}:{line}: heuristic {heuristic.name!r} cannot be compiled: "
            f"{reason.strip()}; it must be {SIGNATURE}, in terms that numba supports, from the "
            f"fields of a State: {', '.join(State._fields)}"
        ) from error


def _chooser_of(rate: Any) -> Any:
    def choose(state: State) -> int:
        chosen, least = -1, 0.0
        try:
            for cell in range(state.open.size):
                if state.open[cell]:
                    rating = float(rate(cell, state))
                    if chosen < 0 or rating < least:
                        chosen, least = cell, rating
        except Exception:  # a user's function may fail in any way; the search reports it
            chosen = -1
        return chosen

    return choose


def _state_type(types: Any) -> Any:
    flags, longs, reals, points = (
        types.Array(number, many, "C")
        for number, many in (
            (types.boolean, 1), (types.int64, 1), (types.float64, 1), (types.float64, 2),
        )
    )  # fmt: skip
    fields = [flags, longs, longs, types.int64, points, longs, longs, reals]
    return types.NamedTuple(fields, State)
