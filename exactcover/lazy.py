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

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
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
