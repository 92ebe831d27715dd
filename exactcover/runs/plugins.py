"""The heuristics and filters of a strategy that are not built in, for other processes.

A worker elsewhere imports the modules that define them, or runs the source of a plug-in file, which
travels with the work, since another machine need not have it. A ledger keeps where they are.
Heuristics of a script itself exist in processes that import the script again, as spawned ones do,
and nowhere else.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from exactcover.backends.heuristics import heuristics, load_plugin
from exactcover.backends.heuristics.base import divided, user_heuristic
from exactcover.base.text.files import MIB, text_of
from exactcover.errors import ExactCoverError
from exactcover.problem.filters import filter_kinds, get_filter_kind
from exactcover.search.strategy import Strategy

FILE = "exactcover_plugin_"
"""How the names of modules begin that `load_plugin` makes of files."""


def sources_of(strategy: Strategy) -> dict[str, str]:
    """The modules that define them, each with its source if it was a plug-in file; one without is
    imported by a worker."""
    homes = {*_homes(strategy).values()} - {"__main__"}
    return {home: text_of(path, MIB) if (path := _file(home)) else "" for home in sorted(homes)}


def load_sources(sources: dict[str, str]) -> None:
    """Load them in this process; raises `ExactCoverError` where that fails."""
    for name, source in sources.items():
        if source:
            module = sys.modules[name] = ModuleType(name)
            exec(compile(source, f"{name}.py", "exec"), vars(module))
        else:
            _import(name)


def places_of(strategy: Strategy) -> dict[str, str]:
    """Where the heuristics and filters of a strategy are: the path of a plug-in file, or the name
    of a module."""
    return {name: _file(home) or home for name, home in _homes(strategy).items()}


def load_places(places: dict[str, str]) -> None:
    """Load those that are not known yet; raises `ExactCoverError` where that fails."""
    for name, place in places.items():
        if name not in heuristics() and name not in filter_kinds():
            (load_plugin if place.endswith(".py") else _import)(place)


def _import(module: str) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise ExactCoverError(
            f"the module {module}, which defines a heuristic or a filter of the strategy, cannot "
            f"be imported: {error}"
        ) from None


def _homes(strategy: Strategy) -> dict[str, str]:
    """The modules that define what is not built in, by the names in the strategy."""
    rated = {divided(stage.heuristic)[0] for stage in strategy.stages}
    made: dict[str, Any] = {
        name: one.rate for name in rated if (one := user_heuristic(name)) is not None
    }
    made |= {one.name: get_filter_kind(one.name).apply for one in strategy.filters}
    homes = {name: function.__module__ for name, function in made.items() if function is not None}
    return {name: home for name, home in homes.items() if home.split(".")[0] != "exactcover"}


def _file(module: str) -> str:
    """The path of a plug-in file; empty for another module."""
    if not module.startswith(FILE):
        return ""
    return str(Path(sys.modules[module].__file__ or "").absolute())
