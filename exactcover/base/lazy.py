"""Names that are loaded when they are first used: public names of a package, and hooks.

A package whose `__init__.py` imports its modules loads all of them with the first one that anybody
imports. This gives it the same names without the cost:

    if TYPE_CHECKING:
        from exactcover.search.driver import Clock, Driver
    else:
        __getattr__, __dir__ = on_demand(__name__, {"search.driver": "Driver Clock"})

    __all__ = ["Clock", "Driver"]

Type checkers and editors read the imports, Python uses the two functions. A name must not be that
of a module of the package too: Python would give the module, once it is imported.

A hook is a function of a room above that a room below calls: a puzzle has a method that draws it,
and drawing needs puzzles. `exactcover/__init__.py` says which function it is.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType
    from typing import Any


def on_demand(
    package: str, names: Mapping[str, str], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    names    module of `exactcover` -> the names that are loaded from it, separated by spaces
    modules  modules that are names of the package themselves
    """
    home_of = {name: module for module, given in names.items() for name in given.split()}
    listed = sorted([*home_of, *modules])

    def load(name: str) -> Any:
        if name in home_of:
            return getattr(import_module(f"exactcover.{home_of[name]}"), name)
        if name in listed:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load, lambda: list(listed)


HOOKS: dict[str, str] = {}
"""The name of each hook -> the function `module:name` of `exactcover` that it calls."""


def hook(name: str) -> Callable[..., Any]:
    """The function of a hook, imported now."""
    module, _, function = HOOKS[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(f"exactcover.{module}"), function)
    return found


def reachable_by_last_name(rooms: Iterable[str]) -> None:
    """Import `exactcover.runs.batches` at `exactcover.batches` too; the module exists once."""
    places = {room.rpartition(".")[2]: room for room in rooms if "." in room}
    sys.meta_path.insert(0, _ByLastName(places))


class _ByLastName:
    """A finder and loader of modules for the second path that a room has."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, *parts = name.split(".")
        if package != "exactcover" or not parts or parts[0] not in self._places:
            return None
        home = ".".join([package, self._places[parts[0]], *parts[1:]])
        loader: Any = self
        return ModuleSpec(name, loader, loader_state=home)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.loader_state)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module back its own spec, which the import system has just replaced."""
        second = module.__spec__
        assert second is not None
        module.__spec__ = second.loader_state
