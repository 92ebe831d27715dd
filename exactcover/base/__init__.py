"""Tools of every room: values, text, plug-ins, compiled code, deadlines; and names on demand.

The names at the end are those that applications use.

A package whose `__init__.py` imports its modules loads all of them with the first one that anybody
imports. `on_demand` gives it the same names without the cost:

    if TYPE_CHECKING:
        from exactcover.search.clock import Clock as Clock, Pace as Pace
    else:
        __all__, __getattr__, __dir__ = on_demand(__name__, {"search.clock": "Clock Pace"})

Type checkers and editors read the imports, Python uses the rest; a test compares the two. A name
must not be that of a module of the package too: Python would give the module, once it is imported.
"""

from __future__ import annotations

import sys
from importlib import import_module

__version__ = "2.0.0"

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def on_demand(
    package: str, names: Mapping[str, str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """The names of a package in order, and its functions `__getattr__` and `__dir__`.

    names  module of `exactcover` -> the names that are loaded from it, separated by spaces
    """
    home_of = {name: module for module, given in names.items() for name in given.split()}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"exactcover.{home_of[name]}"), name)

    return sorted(home_of), load, lambda: list(sys.modules[package].__all__)


class LazyModule:
    """A module that is imported when a name of it is first used: a kernel, which loads the
    compiler.

        if TYPE_CHECKING:
            from exactcover.backends import dlx_kernel
        else:
            dlx_kernel = LazyModule("exactcover.backends.dlx_kernel")
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # as Python asks of every value in a class
            raise AttributeError(name)
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)  # thousands of searches begin in a second
        return value


if TYPE_CHECKING:
    from exactcover.base.machine import processors as processors
    from exactcover.base.text.files import (
        ending_of as ending_of,
        file_name as file_name,
        write_bytes as write_bytes,
    )
    from exactcover.base.text import numbered as numbered
    from exactcover.base.values.arguments import check_kind as check_kind, shown as shown
    from exactcover.base.values.products import (
        Floats as Floats,
        dot as dot,
        length as length,
        times as times,
    )
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "base.machine": "processors",
            "base.text.files": "ending_of file_name write_bytes",
            "base.text": "numbered",
            "base.values.arguments": "check_kind shown",
            "base.values.products": "Floats dot length times",
        },
    )
