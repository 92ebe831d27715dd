"""Which lattices there are, by name: the built-in ones, plug-ins, and TOML files.

A plug-in is an entry point in the group `exactcover.lattices` whose value is a `Lattice`. One that
cannot be loaded is reported in a warning, and the rest work.

The built-in ones are found by an index, which repeats their names. So none of them is loaded to
find another, or to list all names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from exactcover.base.plugins import Registry
from exactcover.base.values.arguments import check_kind
from exactcover.errors import LatticeError, UnknownName
from exactcover.lattices.base import Lattice
from exactcover.lattices.names import PieceNames


class Entry(NamedTuple):
    """The entry of a lattice in the index.

    place     for a built-in one: a module of this package, and its name there
    polyform  what a connected set of its cells is called
    aliases   other names
    sets      the names of its named sets of pieces
    """

    place: str
    polyform: str
    aliases: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    @classmethod
    def of(cls, lattice: Lattice, place: str = "") -> Entry:
        """The entry of a lattice that is loaded."""
        names = lattice.piece_names
        sets = (name for main, named in names.sets.items() for name in (main, *named.also))
        return cls(place, lattice.polyform, lattice.aliases, tuple(sets))


BUILT_IN: dict[str, Entry] = {
    "square": Entry("boxes:SQUARE", "polyomino", ("hypercubic-2", "squares", "2d")),
    "cubic": Entry(
        "boxes:CUBIC",
        "polycube",
        ("hypercubic-3", "cubes", "3d"),
        sets=("soma", "soma cube", "soma cubes", "soma pieces", "soma set"),
    ),
    "triangular": Entry("triangular:TRIANGULAR", "polyiamond", ("triangles", "polyiamond")),
    "hexagonal": Entry("hexagonal:HEXAGONAL", "polyhex", ("hex", "hexagons", "polyhex")),
    "hypercubic": Entry(
        "boxes:HYPERCUBIC",
        "polytesseract",
        ("hypercubic-4", "hypercubic-4d", "tesseract", "4d"),
    ),
    "hypercubic-1": Entry("boxes:LINE", "polyline", ("line", "1d")),
    "hypercubic-5": Entry("boxes:HYPERCUBIC_5", "5-D polyhypercube", ("hypercubic-5d", "5d")),
    "hypercubic-6": Entry("boxes:HYPERCUBIC_6", "6-D polyhypercube", ("hypercubic-6d", "6d")),
    "sticks-square": Entry(
        "sticks:STICKS_SQUARE", "polystick", ("sticks", "polystick", "polystick-square")
    ),
    "sticks-triangular": Entry(
        "sticks:STICKS_TRIANGULAR", "polytrig", ("polytrig", "polytrig-triangular-edges")
    ),
    "sticks-hexagonal": Entry(
        "sticks:STICKS_HEXAGONAL", "polytwig", ("polytwig", "polytwig-hexagonal-edges")
    ),
    "prism": Entry("triangular:PRISM", "polyprism", ("triangular-prism", "prisms")),
    "fcc": Entry(
        "centred:FCC",
        "polysphere",
        ("sphere", "spheres", "face-centred-cubic", "rhombic-dodecahedra"),
    ),
    "bcc": Entry(
        "centred:BCC", "polytruncated octahedron", ("body-centred-cubic", "truncated-octahedra")
    ),
    "rhombic": Entry("rhombic:RHOMBIC", "polyrhombic tetrahedron", ("rhombic-tetrahedra",)),
    "octet": Entry("octet:OCTET", "polyoctet", ("octahedra-and-tetrahedra", "alternated-cubic")),
    "octet-eighths": Entry(
        "octet:OCTET_EIGHTHS", "polyoctet-eighth", ("octet-in-eighths", "cubes-in-five")
    ),
}
"""The index of the built-in lattices by name."""


LATTICES: Registry[Lattice] = Registry(
    "exactcover.lattices",
    "lattice",
    lambda one: isinstance(one, Lattice) and isinstance(one.piece_names, PieceNames),
    {name: f"exactcover.lattices.{entry.place}" for name, entry in BUILT_IN.items()},
)
"""The lattices by name; a lattice is refused, with the reason, if the names of its pieces are not
found."""


def entries() -> Iterator[tuple[str, Entry]]:
    """Every lattice by name with its entry in the index; plug-ins come last, loaded then."""
    yield from BUILT_IN.items()
    for name, lattice in LATTICES.plug_ins.items():
        yield name, Entry.of(lattice)


def lattices() -> Mapping[str, Lattice]:
    """Every registered lattice by its name, built-in ones first."""
    return LATTICES


def is_registered(lattice: Lattice) -> bool:
    """Whether the name of a lattice means just this lattice to everyone."""
    return LATTICES.get(lattice.name) == lattice


_files: ContextVar[bool] = ContextVar("files", default=True)


@contextmanager
def without_files() -> Iterator[None]:
    """Within this, `get_lattice` reads no file: the name of the lattice comes from a stranger."""
    token = _files.set(False)
    try:
        yield
    finally:
        _files.reset(token)


def get_lattice(name: str | Path, folder: Path | None = None) -> Lattice:
    """The lattice of this name or alias, or from a TOML file.

        >>> import exactcover as ec
        >>> ec.get_lattice("squares") is ec.get_lattice("square")
        True

    name    a name that `exactcover list lattices` lists, or the path of a file that ends in .toml
    folder  where to look for such a file. Default: None, the working directory
    """
    check_kind("name", name, (str, Path), 'the name of a lattice, such as "square"')
    name = str(name)
    if name.endswith(".toml"):
        if not _files.get():
            raise LatticeError(
                f"{name!r} is a file, and no files are read here: describe the lattice in the "
                "table [lattice] of the puzzle"
            )
        from exactcover.lattices.lattice_file import read_lattice

        return read_lattice((folder or Path()) / name)
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    for own, entry in entries():
        if wanted == own or wanted in entry.aliases:
            return LATTICES[own]
    known = [name for own, entry in entries() for name in (own, *entry.aliases)]
    raise UnknownName("lattice", name, known)
