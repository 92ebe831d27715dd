"""Bits of a word in compiled code: how many are 1, and which is the lowest.

Each function is plain Python, which runs without compiling. The compiler replaces it by a single
machine instruction: `compiled_as` teaches numba what a function returns and how to emit its code.
Nothing is compiled for the function itself, as it would be with numba's `overload`. The functions
take only `uint64`: a signed number is a `TypingError` when the kernel is compiled, before it can
give a wrong answer.

Every kernel uses these functions, so they have their own module. It imports numba, which `compiled`
delays until it is needed, so only kernel modules import this one. Numba does not notice if a cached
caller was compiled with an older text of this file. That does no harm, since these functions do not
change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending, types

lower: Callable[..., Any] = extending.lower_builtin  # they have no types
any_arguments: Callable[[Any], Any] = types.VarArg

Emit = Callable[[Any, Any, Any, Any], Any]
"""Emits the code of a call, from numba's context, a builder of LLVM code, the types and the
arguments; returns the value."""

UNDEFINED_FOR_ZERO = ir.Constant(ir.IntType(1), 1)


def compiled_as(plain: Callable[..., Any], returned: Callable[..., Any], emit: Emit) -> None:
    """Let the compiler emit the code of a plain function.

    returned  the type that it returns for arguments of these types; None: it does not take them
    """

    def typed(_context: Any) -> Callable[..., Any]:
        return returned

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return emit(context, builder, signature.args, arguments)

    extending.type_callable(plain)(typed)
    lower(plain, any_arguments(types.Any))(code)


def population(word: np.uint64) -> int:
    """How many bits of a word are 1."""
    return int(word).bit_count()


def lowest(word: np.uint64) -> int:
    """The number of the lowest bit of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


def _compile(plain: Callable[[np.uint64], int], emit: Callable[[Any, Any], Any]) -> None:
    """Compile a function of a word to the code that `emit` makes from a code builder and the
    word."""
    compiled_as(
        plain,
        lambda word: types.int64 if word == types.uint64 else None,
        lambda _context, builder, _kinds, arguments: emit(builder, arguments[0]),
    )


_compile(population, lambda builder, word: builder.ctpop(word))
_compile(lowest, lambda builder, word: builder.cttz(word, UNDEFINED_FOR_ZERO))
