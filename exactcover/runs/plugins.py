"""The heuristics and filters of a strategy that are not built in, for other processes.

A worker elsewhere imports the modules that define them, or runs the source of a plug-in file, which
travels with the work, since another machine need not have it. Heuristics of a script itself exist
in processes that import the script again, as spawned ones do, and nowhere else.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from exactcover.backends.heuristics.base import divided, user_heuristic
from exactcover.base.text.files import MIB, text_of
from exactcover.errors import ExactCoverError
from exactcover.problem.filters import get_filter_kind
from exactcover.search.strategy import Strategy

FILE = "exactcover_plugin_"
"""How the names of modules begin that `load_plugin` makes of files."""


def sources_of(strategy: Strategy) -> dict[str, str]:
    """The modules that define them, each with its source if it was a plug-in file; one without is
    imported by a worker."""
    sources = dict.fromkeys(sorted(_homes(strategy)), "")
    for home in sources:
        if home.startswith(FILE):
            sources[home] = text_of(Path(sys.modules[home].__file__ or ""), MIB)
    return sources


def load_sources(sources: dict[str, str]) -> None:
    """Load them in this process; raises `ExactCoverError` where that fails."""
    for name, source in sources.items():
        if source:
            module = sys.modules[name] = ModuleType(name)
            exec(compile(source, f"{name}.py", "exec"), vars(module))
            continue
        try:
            import_module(name)
        except ImportError as error:
            raise ExactCoverError(
                f"the module {name}, which defines a heuristic or a filter of the strategy, cannot "
                f"be imported: {error}"
            ) from None


def _homes(strategy: Strategy) -> set[str]:
    """The modules that define what is not built in."""
    rated = {divided(stage.heuristic)[0] for stage in strategy.stages}
    made: list[Any] = [one.rate for name in rated if (one := user_heuristic(name)) is not None]
    made += [get_filter_kind(one.name).apply for one in strategy.filters]
    homes = {function.__module__ for function in made if function is not None}
    return {home for home in homes - {"__main__"} if home.split(".")[0] != "exactcover"}
