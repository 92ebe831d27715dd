"""Planes of bits in compiled code: counting many items at once.

Each function exists twice: in plain Python, which runs without compiling, and beside it in the form
that the compiler uses.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from exactcover.backends.planes.tables import LANES

# It has no types.
cgutils: Any = import_module("numba.core.cgutils")

Words = npt.NDArray[np.uint64]

WORD = ir.IntType(64)


Counter = Callable[[Words, int, int, int, Words, int], None]


def _counter(depth: int) -> Counter:
    """A function that counts the bits of planes, place by place, as far as `depth`.

    The planes lie one behind the other from a column of a row of words on, `LANES` words each. The
    words from `at` on get the places with at least one bit, the words after them the places with at
    least two, and so on.
    """

    def count(planes: Words, row: int, column: int, many: int, counts: Words, at: int) -> None:
        for lane in range(LANES):
            reached = [np.uint64(0)] * depth
            for plane in range(many):
                word = planes[row, column + plane * LANES + lane]
                for more in reversed(range(1, depth)):
                    reached[more] |= reached[more - 1] & word
                reached[0] |= word
            for more in range(depth):
                counts[at + more * LANES + lane] = reached[more]

    @intrinsic
    def compiled(
        _context: Any, planes: Any, row: Any, column: Any, many: Any, counts: Any, at: Any
    ) -> Any:
        """The same for all lanes at once."""
        long = types.int64
        signature = types.void(planes, long, long, long, counts, long)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            planes, row, column, many, counts, at = arguments
            planes = context.make_array(signature.args[0])(context, builder, planes)
            counts = context.make_array(signature.args[4])(context, builder, counts)
            width = cgutils.unpack_tuple(builder, planes.shape, 2)[1]
            begin = builder.add(builder.mul(row, width), column)
            lanes = ir.VectorType(WORD, LANES)

            def words(pointer: Any, start: Any, step: Any) -> Any:
                number = builder.add(start, builder.mul(step, WORD(LANES)))
                return builder.bitcast(builder.gep(pointer, [number]), lanes.as_pointer())

            none = lanes([0] * LANES)
            reached = [cgutils.alloca_once_value(builder, none) for _ in range(depth)]
            with cgutils.for_range(builder, many) as loop:
                word = builder.load(words(planes.data, begin, loop.index), align=8)
                for fewer, more in zip(reached[-2::-1], reached[:0:-1], strict=True):
                    both = builder.and_(builder.load(fewer), word)
                    builder.store(builder.or_(builder.load(more), both), more)
                builder.store(builder.or_(builder.load(reached[0]), word), reached[0])
            for number, more in enumerate(reached):
                builder.store(builder.load(more), words(counts.data, at, WORD(number)), align=8)
            return context.get_dummy_value()

        return signature, code

    @overload(count, inline="always")
    def _count(planes: Any, row: Any, column: Any, many: Any, counts: Any, at: Any) -> Any:
        def code(planes: Any, row: Any, column: Any, many: Any, counts: Any, at: Any) -> None:
            compiled(planes, row, column, many, counts, at)  # type: ignore[call-arg]

        return code

    return count


count_to_two, count_to_four = _counter(2), _counter(4)
