"""CP-SAT of OR-Tools, imported without pandas.

OR-Tools imports pandas for methods that take tables of it, which are not used here. That import
takes longer than all the rest of a small check. So a stand-in takes the place of pandas while
OR-Tools is imported; afterwards OR-Tools has one that loads pandas when something is asked of it.
A program that uses pandas beside this package sees nothing of it. With it
`verify` on a small puzzle takes 2.2 times as long as `import numba`, without it 2.8 times.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

UNUSED, USER = "pandas", "ortools.sat.python.cp_model"
"""The package that is left out, and the module that imports it."""


class StandIn(ModuleType):
    """A module whose every attribute is a class of its own: enough for annotations."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class OnDemand(ModuleType):
    """A module that is imported when something is asked of it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


@contextmanager
def _without_pandas() -> Iterator[None]:
    """Import OR-Tools without pandas, unless either is loaded already."""
    if UNUSED in sys.modules or USER in sys.modules:
        yield
        return
    sys.modules[UNUSED] = StandIn(UNUSED)
    try:
        yield
    finally:
        del sys.modules[UNUSED]
    vars(sys.modules[USER])["pd"] = OnDemand(UNUSED)


with _without_pandas():
    from ortools.sat.python import cp_model

__all__ = ("cp_model",)
