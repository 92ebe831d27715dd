"""`jit`: how every compiled function of this package is compiled.

One decorator, so that one place decides the three things that are easy to get wrong:

- the machine code is cached beside the source, so that a second process starts at once;
- the interpreter lock is released, so that a pool of threads searches on all cores;
- where no folder can be written to cache in, numba raises `RuntimeError` while the module is
  imported; here the function is compiled without a cache, and one warning says how to get one.

Importing this module imports numba (0.2 s), so only kernel modules import it, and those are
imported only when a search starts. With `NUMBA_DISABLE_JIT=1` functions are left as they are.

An edit in another file does not invalidate a cached caller: a kernel and the compiled functions
that it calls belong in one file.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast, overload

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

_njit: Any = numba.njit  # its published types do not know a signature together with options
_warned = False


@overload
def jit(function: Function, /) -> Function: ...


@overload
def jit(
    *, signature: object = None, nogil: bool = True, cache: bool = True, **options: Any
) -> Callable[[Function], Function]: ...


def jit(
    function: Function | None = None,
    /,
    *,
    signature: object = None,
    nogil: bool = True,
    cache: bool = True,
    **options: Any,
) -> Any:
    """Compile a function in nopython mode; to the type checker it stays the function it was.

    Used bare, `@jit`, or with numba's options, `@jit(inline="always")`. With a `signature` it is
    compiled when its module is imported, without one when it is first called.
    """

    def compile_it(python: Function) -> Function:
        wanted = () if signature is None else (signature,)
        try:
            made = _njit(*wanted, nogil=nogil, cache=cache, **options)(python)
        except RuntimeError as error:
            if not cache or "cache" not in str(error):
                raise
            _warn_once()
            made = _njit(*wanted, nogil=nogil, **options)(python)
        return cast("Function", made)

    return compile_it if function is None else compile_it(function)


def _warn_once() -> None:
    """Say once a process why every start will be slow, and what to do about it."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            "compiled code cannot be cached: no cache folder can be written, so every start "
            "compiles anew; set NUMBA_CACHE_DIR to a folder that can be written",
            RuntimeWarning,
            stacklevel=4,
        )
