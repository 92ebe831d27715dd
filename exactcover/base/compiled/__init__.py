"""`jit`: the decorator of every compiled function of this package.

There is one decorator, so that one place handles the things that are easy to get wrong:

- the machine code is cached beside the source, so that a second process starts at once; damaged
  cache files are replaced, see `code_cache`;
- the interpreter lock is released, so that a pool of threads searches on all cores;
- if the cache cannot be written (no folder, a full disk), the function is compiled without one, and
  one warning says how to get one;
- a program can tell its user why the first compilation takes time, see `on_first_compile`.

The first use of `jit` imports numba (0.2 s), so only kernel modules use it, and those are imported
only when a search starts. With `NUMBA_DISABLE_JIT=1` functions are left as they are; `fila` needs
the compiler.

An edit of a constant or a function in another file invalidates cached callers, see `code_cache`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache as remembered
from importlib import import_module
from time import perf_counter
from typing import Any, TypeVar, cast, overload

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = __name__.partition(".")[0]

on_first_compile: Callable[[str], None] | None = None
"""Called before the first compilation of an engine or a filter that is not in the cache, with a
message that says what is compiled."""

seconds = 0.0
"""The seconds that this process has compiled; numba compiles in one thread at a time."""

PART: dict[str, Any] = {"cache": False, "forceinline": True, "no_cpython_wrapper": True}

_warned = False
_announced: set[str] = set()


class Stopwatch:
    """The time that some work takes, with that of compilation apart.

    seconds    all of them
    compiling  those in which this process compiled kernels
    """

    def __init__(self) -> None:
        self.seconds = self.compiling = 0.0

    @property
    def working(self) -> float:
        """The seconds without those of compilation, so that they can be compared."""
        return self.seconds - self.compiling

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time this work."""
        began, compiled_before = perf_counter(), seconds
        try:
            yield
        finally:
            self.seconds += perf_counter() - began
            # Another thread may compile longer than this work took.
            self.compiling = min(self.compiling + seconds - compiled_before, self.seconds)


@overload
def jit(function: Function, /) -> Function: ...


@overload
def jit(*, cache: bool = True, **options: Any) -> Callable[[Function], Function]: ...


def jit(function: Function | None = None, /, *, cache: bool = True, **options: Any) -> Any:
    """Compile a function in nopython mode; its type stays the same for the type checker.

    Used bare, `@jit`, or with numba's options, `@jit(inline="always")`. It is compiled when it is
    first called.
    """

    def compile_it(python: Function) -> Function:
        made = _numba().njit(nogil=True, no_cfunc_wrapper=True, **options)(python)
        if not hasattr(made, "py_func"):  # NUMBA_DISABLE_JIT leaves functions as they are
            return cast("Function", made)
        if cache:
            _cache(made)
        return cast("Function", made)

    return compile_it if function is None else compile_it(function)


def part(function: Function, /) -> Function:
    """Compile a function that only kernels of its own file call, as a part of each of them.

    It is not cached by itself, and Python cannot call it.
    """
    return jit(**PART)(function)


def kernel(function: Function, /) -> Function:
    """Compile a function that makes no arrays, so that it counts no references to any.

    Then its parts may take tuples of arrays, which else makes a search twice as slow.
    """
    return jit(_nrt=False)(function)


def kernel_part(function: Function, /) -> Function:
    """The same as `part`, of a `kernel`: it makes no arrays either."""
    return jit(**PART, _nrt=False)(function)


@remembered
def _numba() -> Any:
    """The package numba, imported when it is first needed, with a listener for compilations."""
    import numba

    event: Any = import_module("numba.core.event")  # it has no types

    class Reporter(event.Listener):  # type: ignore[misc]
        def __init__(self) -> None:
            self.began: list[float] = []  # a function compiles those that it calls

        def on_start(self, event: Any) -> None:
            self.began.append(perf_counter())
            _before_compiling(event.data["dispatcher"].py_func.__module__)

        def on_end(self, event: Any) -> None:
            global seconds
            began = self.began.pop()
            if not self.began:
                seconds += perf_counter() - began

    event.register("numba:compile", Reporter())
    return numba


def _cache(dispatcher: Any) -> None:
    """Keep the machine code of a function on disk, if there is a folder for it."""
    from exactcover.base.compiled.code_cache import CodeCache

    try:
        dispatcher._cache = CodeCache(dispatcher.py_func, _warn_once)
    except RuntimeError as error:  # so numba says that it found no folder
        if "cache" not in str(error):
            raise
        _warn_once("there is no folder that can be written")


def _before_compiling(module: str) -> None:
    """Call `on_first_compile` once for each engine or filter of this package."""
    parts = module.split(".")
    if on_first_compile is None or parts[0] != PACKAGE:
        return
    name = parts[-2] if parts[-1] == "kernels" else parts[-1]
    name = (parts[2] if parts[1:2] == ["backends"] else name).removesuffix("_kernel")
    if name not in _announced:
        _announced.add(name)
        on_first_compile(f"Compiling {name} (first use, a few seconds)")


def _warn_once(reason: str) -> None:
    """Warn once per process why every start will be slow, and what to do about it."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"compiled code cannot be cached ({reason}), so every start compiles anew; set "
            "NUMBA_CACHE_DIR to a folder that can be written and has room",
            RuntimeWarning,
            stacklevel=2,
        )
