"""The engines by name: the built-in ones, then plug-ins.

A plug-in is an entry point in the group `exactcover.backends` whose value is a `Backend`. A plug-in
that cannot be loaded causes a warning, and the rest work. An engine's module may import numpy;
compilers and solvers are imported when it is prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec

from exactcover.backends.base import (
    MEBIBYTES,
    NUMBER,
    Backend,
    Begin,
    Branching,
    Capabilities,
    Abreast,
    CuttingSearch,
    Phase,
    Search,
    Setting,
    Slice,
    Status,
    Tried,
    Watch,
    Where,
)
from exactcover.backends.node import Node
from exactcover.backends.rectangles import FOR_FLOORS, FloorEngine
from exactcover.backends.tasks import prepared, started
from exactcover.base.plugins import Registry
from exactcover.errors import CapabilityError, UnknownName

__all__ = [
    "MEBIBYTES",
    "NUMBER",
    "Abreast",
    "Backend",
    "Begin",
    "Branching",
    "Capabilities",
    "CuttingSearch",
    "Node",
    "Phase",
    "Search",
    "Setting",
    "Slice",
    "Status",
    "Tried",
    "Watch",
    "Where",
    "backends",
    "get_backend",
    "get_engine",
    "prepared",
    "started",
]

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
    "Backend",
    lambda one: (
        isinstance(getattr(one, "capabilities", None), Capabilities) and callable(one.prepare)
    ),
    BUILT_IN,
    reserved=FOR_FLOORS,
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
