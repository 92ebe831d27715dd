"""Which lattices there are, by name: the built-in ones, plug-ins, and TOML files.

A plug-in is an entry point in the group `exactcover.lattices` whose value is a `Lattice`. One that
cannot be loaded is reported in a warning, and the rest work.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType

from exactcover.errors import UnknownName
from exactcover.lattices.base import Lattice
from exactcover.plugins import loaded, value_at
from exactcover.values.arguments import check_kind

ENTRY_POINTS = "exactcover.lattices"

BUILT_IN = {
    "square": "square:SQUARE",
    "cubic": "cubic:CUBIC",
    "hexagonal": "hexagonal:HEXAGONAL",
    "triangular": "triangular:TRIANGULAR",
    "hypercubic": "hypercubic:HYPERCUBIC",
    "hypercubic-1": "hypercubic:LINE",
    "hypercubic-5": "hypercubic:HYPERCUBIC_5",
    "hypercubic-6": "hypercubic:HYPERCUBIC_6",
    "sticks-square": "sticks:STICKS_SQUARE",
    "sticks-triangular": "sticks:STICKS_TRIANGULAR",
    "sticks-hexagonal": "sticks:STICKS_HEXAGONAL",
    "prism": "prism:PRISM",
    "fcc": "fcc:FCC",
    "bcc": "bcc:BCC",
    "rhombic": "rhombic:RHOMBIC",
    "octet": "octet:OCTET",
    "octet-eighths": "octet:OCTET_EIGHTHS",
}
"""Where each built-in lattice is: a module of this package, and its name there."""


@cache
def lattices() -> Mapping[str, Lattice]:
    """Every registered lattice by its name, built-in ones first."""
    found = {name: _built_in(name) for name in BUILT_IN}
    entries = entry_points(group=ENTRY_POINTS)
    plug_ins = loaded(entries, "Lattice", lambda one: isinstance(one, Lattice), found)
    return MappingProxyType({**found, **plug_ins})


def _built_in(name: str) -> Lattice:
    """A lattice of this package."""
    lattice: Lattice = value_at(f"exactcover.lattices.{BUILT_IN[name]}")
    return lattice


def get_lattice(name: str, folder: Path | None = None) -> Lattice:
    """The lattice of this name or alias, or from a TOML file.

        >>> import exactcover as ec
        >>> ec.get_lattice("squares") is ec.get_lattice("square")
        True

    name    a name that `exactcover lattices` lists, or the path of a file that ends in .toml
    folder  where to look for such a file. Default: None, the working directory
    """
    check_kind("name", name, str, 'the name of a lattice, such as "square"')
    if name.endswith(".toml"):
        from exactcover.lattices.from_toml import read_lattice

        return read_lattice((folder or Path()) / name)
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in BUILT_IN:  # the others need not be loaded
        return _built_in(wanted)
    for lattice in lattices().values():
        if wanted == lattice.name or wanted in lattice.aliases:
            return lattice
    raise UnknownName("lattice", name, _all_names())


def _all_names() -> list[str]:
    return [name for lattice in lattices().values() for name in (lattice.name, *lattice.aliases)]
