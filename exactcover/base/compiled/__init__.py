"""`jit`: the decorator of every compiled function of this package.

There is one decorator, so that one place handles the things that are easy to get wrong:

- the machine code is cached beside the source, so that a second process starts at once; an edit of
  a constant or a function in another file invalidates cached callers, see `code_cache`;
- the interpreter lock is released, so that a pool of threads searches on all cores;
- a program can tell its user why the first compilation takes time, see `on_first_compile`.

The first use of `jit` imports numba (0.2 s), so only kernel modules use it, and those are imported
only when a search starts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache as remembered
from importlib import import_module
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = __name__.partition(".")[0]

on_first_compile: Callable[[str], None] | None = None
"""Called before the first compilation of an engine or a filter that is not in the cache, with a
message that says what is compiled."""

seconds = 0.0
"""The seconds that this process has compiled; numba compiles in one thread at a time."""

PART: dict[str, Any] = {"cache": False, "forceinline": True, "no_cpython_wrapper": True}

_announced: set[str] = set()


def jit(function: Function, /, *, cache: bool = True, **options: Any) -> Function:
    """Compile a function in nopython mode when it is first called; its type stays the same for the
    type checker.

    options  numba's
    """
    made: Any = _numba().njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if cache:
        from exactcover.base.compiled.code_cache import keep_code

        keep_code(made)
    return cast("Function", made)


def part(function: Function, /) -> Function:
    """Compile a function that only kernels of its own file call, as a part of each of them.

    It is not cached by itself, and Python cannot call it.
    """
    return jit(function, **PART)


def kernel(function: Function, /) -> Function:
    """Compile a function that makes no arrays, so that it counts no references to any.

    Then its parts may take tuples of arrays, which else makes a search twice as slow.
    """
    return jit(function, _nrt=False)


def kernel_part(function: Function, /) -> Function:
    """The same as `part`, of a `kernel`: it makes no arrays either."""
    return jit(function, **PART, _nrt=False)


@remembered
def _numba() -> Any:
    """The package numba, imported when it is first needed, with a listener for compilations."""
    import numba

    event: Any = import_module("numba.core.event")  # it has no types

    class Reporter(event.TimingListener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            _before_compiling(event.data["dispatcher"].py_func.__module__)
            super().on_start(event)

        def on_end(self, event: Any) -> None:
            global seconds
            super().on_end(event)
            if self.done:  # a function compiles those that it calls: the first is not at its end
                seconds = self.duration

    event.register("numba:compile", Reporter())
    return numba


def _before_compiling(module: str) -> None:
    """Call `on_first_compile` once for each engine or filter of this package."""
    parts = module.split(".")
    name = parts[:3][-1].removesuffix("_kernel")  # as in exactcover.backends.bsx_kernel
    if on_first_compile is not None and parts[0] == PACKAGE and name not in _announced:
        _announced.add(name)
        on_first_compile(f"Compiling {name} (first use, a few seconds)")
