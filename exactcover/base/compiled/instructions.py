"""Plain functions that the compiler replaces by a few instructions.

`compiled_as` teaches numba what a function returns and how to emit its code. Nothing is compiled
for the function itself, as it would be with numba's `overload`: its instructions become a part of
every kernel that uses it. Without a compiler the plain function runs.

This module imports numba, so only kernel modules and `bits` import it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import extending, types

lower: Callable[..., Any] = extending.lower_builtin  # they have no types
any_arguments: Callable[[Any], Any] = types.VarArg

Emit = Callable[[Any, Any, Any, Any], Any]
"""Emits the code of a call, from numba's context, a builder of LLVM code, the types and the
arguments; returns the value."""


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
