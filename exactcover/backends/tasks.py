"""The engines by name, and the one way to begin one, which checks the branching for it.

The engine gets it in one form: the default heuristic has its name, and the `allowed` of the root
has only options that conflict with no chosen one. Nodes below the root are not checked: a hand-over
begins thousands of them.

The engines by name are the built-in ones, then plug-ins. A plug-in is an entry point in the group
`exactcover.backends` whose value is a `Backend`. A plug-in that cannot be loaded causes a warning,
and the rest work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from importlib.util import find_spec
from operator import index

import numpy as np

from exactcover.backends.base import (
    DEFAULT,
    Backend,
    Begin,
    Branching,
    Capabilities,
    Search,
)
from exactcover.backends.heuristics import heuristics
from exactcover.backends.heuristics.base import divided, user_heuristic
from exactcover.backends.node import Node, Residue
from exactcover.backends.rectangles import FOR_FLOORS, FloorEngine
from exactcover.base.plugins import Registry
from exactcover.errors import CapabilityError, ProblemError, StrategyError, UnknownName
from exactcover.problem import Layout, Problem

BUILT_IN = {
    "dlx": "exactcover.backends.dlx:backend",
    "fila": "exactcover.backends.fila:backend",
    "bsx": "exactcover.backends.bsx:backend",
    "planes": "exactcover.backends.planes:backend",
    "memo": "exactcover.backends.memo:backend",
    "automaton": "exactcover.backends.automaton:backend",
    "cpsat": "exactcover.backends.cpsat:backend",
    "d4": "exactcover.backends.d4:backend",
}
"""The place of each built-in engine, as `module:attribute`; it is imported at its first use."""

BACKENDS: Registry[Backend] = Registry(
    "exactcover.backends",
    "backend",
    lambda one: isinstance(one, Backend),
    BUILT_IN,
)


def get_backend(name: str) -> Backend:
    """The engine of this name, for problems; raises `UnknownName`, or `CapabilityError` for one of
    rectangles."""
    engine = get_engine(name)
    if isinstance(engine, FloorEngine):
        raise CapabilityError(
            f"{name} fills a rectangle with rectangles, and takes no other puzzle. It sees no "
            "cells, so it takes no filter and no other stage, and its search cannot be cut into "
            f"parts. It stands alone, as in {name}:{engine.capabilities.heuristics[0]}; `solve` "
            "and `count` take it"
        )
    return engine


def get_engine(name: str) -> Backend | FloorEngine:
    """The engine of this name, for problems or for rectangles; raises `UnknownName`."""
    if name in FOR_FLOORS:
        return FOR_FLOORS[name]
    if name not in BACKENDS:
        raise UnknownName("engine", name, [*BACKENDS, *FOR_FLOORS])
    return BACKENDS[name]


def backends() -> Mapping[str, Backend]:
    """Every registered engine for problems by its name, built-in ones first."""
    return BACKENDS


def names_of(able: Callable[[Capabilities], bool] = lambda _: True) -> list[str]:
    """The names of the installed engines with these capabilities, to suggest one for a task."""
    return [
        name
        for name, backend in BACKENDS.items()
        if able(can := backend.capabilities) and (not can.package or find_spec(can.package))
    ]


# -- beginning -------------------------------------------------------------------------------------


def prepared(backend: Backend, problem: Problem, layout: Layout | None, how: Branching) -> Begin:
    """A function that begins searches of nodes below a root; raises if the branching is invalid."""
    return backend.prepare(problem, layout, checked(backend, problem, layout, how))


def started(
    backend: Backend, problem: Problem, layout: Layout | None, how: Branching,
    cut: int | None = None,
) -> Search:  # fmt: skip
    """The search of the root alone, cut at a number of pieces left; raises as `prepared` does."""
    if cut is not None:
        require_cuts(backend)
    how = checked(backend, problem, layout, how)
    return backend.prepare(problem, layout, how)(how.root, cut)


def checked(backend: Backend, problem: Problem, layout: Layout | None, how: Branching) -> Branching:
    """The branching in the form that the engine takes; raises if it is invalid."""
    require(backend, problem)
    return with_phases(backend, layout, at_root(problem, how))


# -- what the problem needs -----------------------------------------------------------------------


def require(backend: Backend, problem: Problem) -> None:
    """Raise `CapabilityError` if the engine lacks a feature that the problem needs."""
    missing = backend.capabilities.missing(problem)
    if not missing:
        return
    able = names_of(lambda can: not can.missing(problem))
    advice = f"these engines can: {', '.join(able)}" if able else "no engine here can"
    *most, last = sorted(missing)
    listed = f"{', '.join(most)} and {last}" if most else last
    raise CapabilityError(
        f"the problem has {listed}, which engine {backend.name!r} cannot do; {advice}"
    )


def refuse_above(
    name: str, what: str, problem: Problem, options: int, size: int, most: int
) -> None:
    """Raise `CapabilityError` if the tables of an engine would take more than `most` bytes."""
    if size > most:
        able = [one for one in names_of(lambda can: not can.missing(problem)) if one != name]
        raise CapabilityError(
            f"{name} takes {what} of up to {most / 2**20:,.0f} MiB, and {options:,} options and "
            f"{problem.n_items:,} items need {size / 2**20:,.0f} MiB; these engines can: "
            f"{', '.join(able)}"
        )


# -- options --------------------------------------------------------------------------------------


def at_root(problem: Problem, how: Branching) -> Branching:
    """The branching with the options that the root leaves; raises `ProblemError`."""
    chosen, allowed = _chosen(problem, how.root), how.root.allowed
    if allowed is not None:
        allowed = np.asarray(allowed)
        if allowed.dtype != np.bool_ or allowed.shape != (problem.n_options,):
            raise ProblemError(
                f"a node allows options by {problem.n_options} booleans, one for each option, not "
                f"by {allowed.dtype} of shape {allowed.shape}"
            )
    if chosen:
        left = np.zeros(problem.n_options, bool)
        left[Residue.of(problem, Node(chosen, allowed)).options] = True
    else:
        left = problem.choosable if allowed is None else problem.choosable & allowed
    return replace(how, root=how.root._replace(chosen=chosen, allowed=left))


def _chosen(problem: Problem, node: Node) -> tuple[int, ...]:
    """The chosen options; raises unless they exist and do not conflict."""
    try:
        chosen = tuple(index(option) for option in node.chosen)
    except TypeError as error:
        raise ProblemError(f"a node chooses options by their numbers: {error}") from None
    if (fault := problem.violation(chosen, partial=True)) is not None:
        raise ProblemError(f"a node chooses options that are in no solution together: {fault}")
    return chosen


# -- how to branch --------------------------------------------------------------------------------


def with_phases(backend: Backend, layout: Layout | None, how: Branching) -> Branching:
    """The branching with heuristics and settings in the form that the engine takes."""
    can = backend.capabilities
    if how.tally:
        require_cuts(backend)
    phases = tuple(
        replace(phase, heuristic=_heuristic(backend, layout, phase.heuristic))
        for phase in how.phases
    )
    for phase in phases:
        check_settings(backend.name, can, phase.settings)
    if len(phases) > 1 and not can.phases:
        more = f"{backend.name}:{phases[1].heuristic}@{phases[1].remaining}"
        raise StrategyError(f"{backend.name} searches in one stage: {more} is one too many")
    own = sorted({one.heuristic for one in phases if user_heuristic(one.heuristic) is not None})
    if len(own) > 1:
        raise CapabilityError(
            f"{backend.name} follows one heuristic of a user's in a search, not {' and '.join(own)}"
        )
    return replace(how, phases=phases)


def require_cuts(backend: Backend) -> None:
    """Raise `CapabilityError` if the searches of an engine cannot be cut."""
    if not backend.capabilities.cuts:
        raise CapabilityError(
            f"the searches of {backend.name} cannot be cut; those of these engines can: "
            f"{', '.join(names_of(lambda can: can.cuts))}"
        )


def _heuristic(backend: Backend, layout: Layout | None, text: str) -> str:
    """The heuristic that the engine follows; raises if it has none of this name."""
    can = backend.capabilities
    if text in can.heuristics:
        return text
    if text == DEFAULT:
        return can.heuristics[0]
    check_heuristic(backend.name, can, text)
    known = heuristics()[divided(text)[0]]
    if layout is None and (known.geometry or known.rate is not None):
        raise CapabilityError(
            f"{text!r} {'orders' if known.rate is None else 'rates'} cells, and the problem has "
            f"none; {', '.join(can.heuristics)} need none"
        )
    return text


def check_heuristic(backend: str, can: Capabilities, text: str) -> None:
    """Raise `StrategyError` if an engine does not take this heuristic."""
    if text in can.heuristics:
        return
    name, written = divided(text)
    known = heuristics().get(name)
    if known is not None and can.takes(known):
        known.values(written)
        return
    takes = [*can.heuristics, *(one.name for one in heuristics().values() if can.takes(one))]
    message = f"{backend} has no heuristic {text!r}: "
    near = get_close_matches(name, takes, n=1) if len(name) > 2 else ()
    if known is None and near:
        raise StrategyError(f"{message}did you mean {near[0]}?")
    own = [one.name for one in heuristics().values() if one.rate is not None and can.takes(one)]
    message += f"it has {', '.join((*can.heuristics, *own))}"
    if can.orders:
        message += ", and orders of cells: x, X, xyz, l@1,2,0, R, a@160, A, narrow"
    if known is not None:
        able = [one.name for one in backends().values() if one.capabilities.takes(known)]
        message += f"; {name} is taken by {', '.join(able)}" if able else ""
    elif can.rates:
        message += "; one of your own must be loaded first: --plugin FILE, or ec.load_plugin(FILE)"
    else:
        able = [one.name for one in backends().values() if one.capabilities.rates]
        message += f"; a heuristic of your own is taken by {', '.join(able)}"
    raise StrategyError(message)


def check_settings(backend: str, can: Capabilities, settings: Mapping[str, str]) -> None:
    """Raise `StrategyError` if an engine does not have a setting, or its value is invalid."""
    for name, value in settings.items():
        if name not in can.settings:
            known = ", ".join(can.settings) or "none"
            raise StrategyError(f"{backend} has no setting {name!r}; it has {known}")
        if not can.settings[name].allows(value):
            raise StrategyError(f"{name}={value}: it is {can.settings[name].means}")
