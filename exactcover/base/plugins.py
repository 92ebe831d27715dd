"""Other packages: plug-ins, which their entry points name, and the packages of an extra.

A plug-in may fail in any way. It is left out with a warning if it cannot be loaded, is of another
type or has a name that is taken. The rest work.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints


def entry_points(group: str) -> EntryPoints:
    """The entry points of a group, of all packages installed."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def loaded(
    entries: Iterable[EntryPoint],
    type_name: str,
    is_one: Callable[[Any], bool],
    taken: Container[str],
) -> dict[str, Any]:
    """The values of entry points by their names.

    type_name  the type of the values: Lattice, Backend, Heuristic
    is_one     whether a value has this type
    taken      names that a plug-in may not have
    """
    kind, found = type_name.lower(), dict[str, Any]()
    for entry in entries:
        try:
            value = entry.load()
            if isinstance(value, type):
                raise TypeError(f"{entry.value} is a class; name an instance, a {type_name}")
            if not is_one(value):
                raise TypeError(f"{entry.value} is no {type_name} but {type(value).__name__}")
            if value.name in found or value.name in taken:
                raise ValueError(f"there is a {kind} called {value.name!r} already")
        except Exception as error:  # a plug-in may fail in any way; the rest must work
            warnings.warn(f"{kind} plug-in {entry.name!r} left out: {error}", stacklevel=3)
            continue
        found[value.name] = value
    return found


def value_at(place: str) -> Any:
    """The value at a place `module:attribute`, imported now."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def extra(package: str, name: str, what_needs: str) -> Any:
    """A package of an extra; raises `ExactCoverError`, which says how to install the extra."""
    try:
        return import_module(package)
    except (ImportError, OSError) as error:  # cairosvg finds the library cairo when it is loaded
        raise ExactCoverError(
            f"{what_needs} the extra `{name}`: pip install 'exactcover[{name}]' ({error})"
        ) from None
