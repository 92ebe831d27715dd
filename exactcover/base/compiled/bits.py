"""Single machine instructions in compiled code: the bits of a word, and fetching memory ahead.

Each function is plain Python, which runs without compiling. The compiler replaces it by a single
machine instruction: `compiled_as` teaches numba what a function returns and how to emit its code.
Nothing is compiled for the function itself, as it would be with numba's `overload`. The functions
of bits take only `uint64`: a signed number is a `TypingError` when the kernel is compiled, before
it can give a wrong answer.

Every kernel uses these functions, so they have their own module. It imports numba, which `compiled`
delays until it is needed, so only kernel modules import this one. A cached caller does not notice a
change of the machine instruction that `compiled_as` emits, and those do not change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import extending, types

lower: Callable[..., Any] = extending.lower_builtin  # they have no types
any_arguments: Callable[[Any], Any] = types.VarArg

Words = npt.NDArray[np.uint64]

Emit = Callable[[Any, Any, Any, Any], Any]
"""Emits the code of a call, from numba's context, a builder of LLVM code, the types and the
arguments; returns the value."""

UNDEFINED_FOR_ZERO = ir.Constant(ir.IntType(1), 1)

INT32 = ir.IntType(32)
FOR_WRITING = [ir.Constant(INT32, one) for one in (1, 3, 1)]
"""The arguments of LLVM's prefetch: it is for a write, into all caches, of data."""


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


def fetch(words: Words, at: int | np.int64) -> None:
    """Begin to read the word at a place of an array into the cache, and do not wait for it."""


def _fetch(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    """The code of `fetch`."""
    begin = context.make_array(kinds[0])(context, builder, arguments[0]).data
    pointer = builder.bitcast(builder.gep(begin, [arguments[1]]), ir.IntType(8).as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, INT32, INT32, INT32])
    instruction = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
    builder.call(instruction, [pointer, *FOR_WRITING])
    return context.get_dummy_value()


compiled_as(
    fetch,
    lambda words, at: types.none if words == types.uint64[::1] and at == types.int64 else None,
    _fetch,
)
