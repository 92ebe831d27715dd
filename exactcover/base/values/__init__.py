"""Values that hold arrays: frozen, equal if their contents are equal, and hashable.

The equality that a dataclass makes compares arrays with `==`, which raises, and its hash fails. A
class that inherits `Value` compares all its fields instead, arrays element by element. So a new
field is compared too, unless it is declared with `compare=False`.

    @dataclass(frozen=True, eq=False)
    class Piece(Value): ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

HASH = "_hash"
"""The attribute in which a value keeps its hash, since hashing a large array takes time."""

FROZEN = "_frozen"
"""The key in a copy's state for the names of the fields that `freeze` made unchangeable."""


class Value:
    """A frozen dataclass, equal to another of its class if their contents are equal."""

    def compared(self) -> tuple[Any, ...]:
        """The fields that equality compares."""
        names = [field.name for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return tuple(getattr(self, name) for name in names)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Value)
        return bool(content_of(self.compared()) == content_of(other.compared()))

    def __hash__(self) -> int:
        known: int | None = self.__dict__.get(HASH)
        if known is None:
            known = self.__dict__[HASH] = hash(content_of(self.compared()))
        return known

    def freeze(self) -> None:
        """Make the contents of its fields unchangeable; `__post_init__` calls it."""
        for field in fields(self):  # type: ignore[arg-type]
            given = getattr(self, field.name)
            kept = frozen(given)
            if kept is not given:
                object.__setattr__(self, field.name, kept)

    def __getstate__(self) -> dict[str, Any]:
        """The state without the hash, since the hash of a text differs between processes; and with
        mappings that pickle."""
        state = {name: value for name, value in self.__dict__.items() if name != HASH}
        maps = {name: dict(one) for name, one in state.items() if isinstance(one, MappingProxyType)}
        arrays = {name: one for name, one in state.items() if isinstance(one, np.ndarray)}
        read_only = [name for name, one in arrays.items() if not one.flags.writeable]
        return state | maps | {FROZEN: [*maps, *read_only]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A copy of an array can be written again. Other arrays must stay writable: numba compiles
        # a kernel anew for one that is read-only.
        names = state.pop(FROZEN)
        self.__dict__.update(state, **{name: frozen(state[name]) for name in names})


class Pictured:
    """A value that notebooks show as a picture, which `exactcover.show` draws on demand."""

    def _repr_svg_(self) -> str | None:
        """The picture as SVG; None where there is none, so that the text is shown."""
        # No import statement, since contracts of the layers count one here against all rooms below.
        svg: str | None = import_module("exactcover.show.picture").shown_in_notebook(self)
        return svg


def frozen(value: Any) -> Any:
    """The same value, unchangeable: a read-only copy of an array that could be written."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable:
            value = value.copy()
            value.setflags(write=False)
        return value
    if value is None or isinstance(value, tuple | int):
        return value
    if isinstance(value, Mapping):
        if isinstance(value, MappingProxyType):
            return value
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, set):
        return frozenset(value)
    return tuple(value) if isinstance(value, list) else value


def content_of(value: Any) -> Any:
    """A hashable value that is equal just for equal contents: for arrays of one type and shape
    whose elements are equal, and for a `range` and the same numbers in a tuple."""
    if isinstance(value, np.ndarray):
        plain = value + 0.0 if value.dtype.kind == "f" else value  # -0.0 equals 0.0
        return value.shape, value.dtype.str, plain.tobytes()
    if isinstance(value, Mapping):
        return frozenset((key, content_of(item)) for key, item in value.items())
    if isinstance(value, tuple | list | range):
        return tuple(map(content_of, value))
    return value


# -- conventions ----------------------------------------------------------------------------------

Convention = Literal["all", "rotations", "reflections"]
"""All solutions count, or those that no rotation, or no mirror either, takes to each other."""

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)

COUNTED_AS: dict[Convention, str] = {
    "all": "all",
    "rotations": "unique up to rotations",
    "reflections": "unique up to rotations and reflections",
}
"""The conventions as a reader of a number reads them."""
