"""A user's own heuristics and filters, which workers in other processes must load.

A strategy names them. A worker imports the modules that define them, and runs the plug-in files
that do. The files travel with the job, since another machine need not have them. Heuristics of a
script itself exist in processes that import the script again, as spawned ones do, and nowhere
else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from exactcover.backends.heuristics import heuristics, load_plugin
from exactcover.backends.heuristics.base import divided
from exactcover.backends.heuristics.registry import user_heuristic
from exactcover.errors import ExactCoverError
from exactcover.problem.filters import FilterKind, filter_kinds, get_filter_kind
from exactcover.search.strategy import Strategy

PLUGIN = "exactcover_plugin_"
"""How the names of modules begin that `load_plugin` makes of files."""


@dataclass(frozen=True)
class Own:
    """The plug-ins that a strategy names.

    heuristics, filters  their names
    files    the plug-in files that define them: names and contents
    modules  the modules that define others
    """

    heuristics: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    modules: tuple[str, ...] = ()

    @classmethod
    def of(cls, strategy: Strategy) -> Own:
        """The plug-ins of a strategy."""
        own = {name: user_heuristic(name) for name in _heuristics(strategy)}
        rated = {name: one.rate for name, one in own.items() if one is not None}
        kinds = {one.name: get_filter_kind(one.name) for one in strategy.filters}
        applied = {name: one.apply for name, one in kinds.items() if isinstance(one, FilterKind)}
        homes = {rate.__module__ for rate in rated.values()}
        homes |= {apply.__module__ for apply in applied.values()}
        modules = sorted(home for home in homes if home.split(".")[0] != "exactcover")
        return cls(
            (*rated,),
            (*kinds,),
            (*map(_file, (name for name in modules if name.startswith(PLUGIN))),),
            (*(name for name in modules if not name.startswith((PLUGIN, "__"))),),
        )

    def load(self) -> None:
        """Load it in this process; raises `ExactCoverError` if something is still unknown."""
        for name in self.modules:
            try:
                import_module(name)
            except ImportError as error:
                raise ExactCoverError(
                    f"a worker cannot import the module {name}, which defines a heuristic or a "
                    f"filter of the strategy: {error}"
                ) from None
        with TemporaryDirectory() as folder:
            for name, content in self.files:
                path = Path(folder, name)
                path.write_text(content, encoding="utf-8")
                load_plugin(path)
        unknown = [name for name in self.heuristics if name not in heuristics()]
        unknown += [name for name in self.filters if name not in filter_kinds()]
        if unknown:
            raise ExactCoverError(
                f"{unknown[0]!r} is not known to the workers: define it in a file of its own, and "
                "load it with load_plugin(FILE), or --plugin FILE"
            )


NOTHING = Own()


def _heuristics(strategy: Strategy) -> Iterator[str]:
    for stage in strategy.stages:
        yield divided(stage.heuristic)[0]


def _file(module: str) -> tuple[str, str]:
    """The name and the content of a plug-in file."""
    path = Path(sys.modules[module].__file__ or "")
    try:
        return path.name, path.read_text(encoding="utf-8")
    except OSError as error:
        raise ExactCoverError(f"plug-in {path} cannot be read again: {error.strerror}") from None
