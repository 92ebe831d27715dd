"""Names of the shapes of a lattice: letters of single pieces, and sets with a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from exactcover.base.values import Value
from exactcover.lattices.structured import check_fields


@dataclass(frozen=True, eq=False)
class Letters(Value):
    """The names of the shapes of one size.

    drawings  name -> one of the shape's hands: a drawing in one line, or cells such as `0,0 1,0`
    mirrors   name -> the name of its mirror image; otherwise that is the small letter
    aliases   other name -> name
    """

    drawings: Mapping[str, str]
    mirrors: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self)
        self.freeze()

    def mirrored(self, name: str) -> str:
        """The name of the mirror image of a piece."""
        return self.mirrors.get(name) or (name.lower() if name.isupper() else name + "m")


@dataclass(frozen=True, eq=False)
class NamedSet(Value):
    """A set of pieces that has a name, and is not just every shape of a size.

    pieces   name in this set -> name on the lattice, such as `L tetracube`
    also     other names of the set
    aliases  other name -> name in this set
    """

    pieces: Mapping[str, str]
    also: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self)
        self.freeze()


@dataclass(frozen=True, eq=False)
class PieceNames(Value):
    """The names of pieces of a lattice.

    pieces    number of cells -> letters of the shapes
    sets      name -> a set of pieces
    complete  every shape has a name, of the sizes that are there; otherwise the shapes that have
              none are lettered in the order of their canonical forms, which takes longer
    """

    pieces: Mapping[int, Letters] = field(default_factory=dict)
    sets: Mapping[str, NamedSet] = field(default_factory=dict)
    complete: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        self.freeze()
