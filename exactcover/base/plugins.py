"""Registries of values by name, which plug-ins add to, and the packages of an extra.

A plug-in is an entry point of another package. It may fail in any way. It is left out with a
warning if it cannot be loaded, is of another type or has a name that is taken. The rest work.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

from exactcover.errors import CapabilityError, StrategyError, UnknownName

T = TypeVar("T")

DISTRIBUTION = "exactcover-tilings"
"""The name for pip; PyPI's `exactcover` is another program."""


class Registry(Mapping[str, T]):
    """Every value of a type by its name: the built-in ones, plug-ins, and a user's own.

    group     of the entry points whose values are plug-ins, such as `exactcover.lattices`
    kind      of the values, for messages: lattice, backend, heuristic, filter, command
    is_one    whether a value is of this kind
    built_in  name -> our own value, or its place, from which it is imported when it is wanted

    Plug-ins are loaded at the first look for a name that is not built in.
    """

    def __init__(
        self, group: str, kind: str, is_one: Callable[[Any], bool], built_in: Mapping[str, T | str]
    ) -> None:
        self.group, self.built_in = group, built_in
        self.own: dict[str, T] = {}
        self._kind, self._is_one = kind, is_one

    def __getitem__(self, name: str) -> T:
        if name in self.built_in:
            value: Any = self.built_in[name]
            found: T = value_at(value) if isinstance(value, str) else value
            return found
        return self.own[name] if name in self.own else self.plug_ins[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.built_in, *self.plug_ins, *self.own]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def find(self, name: str) -> T:
        """The value of this name; raises `UnknownName`."""
        if name not in self:
            raise UnknownName(self._kind, name, self)
        return self[name]

    def register(self, name: str, value: T) -> None:
        """Register a user's own value; it replaces one of the user's own of the same name."""
        if name in self.built_in:
            message = f"there is a {self._kind} called {name!r} already: choose another name"
            raise StrategyError(message)
        self.own[name] = value

    @cached_property
    def plug_ins(self) -> dict[str, T]:
        """The values of other packages."""
        from importlib.metadata import entry_points

        kind, found = self._kind, dict[str, T]()
        for entry in entry_points(group=self.group):
            try:
                value = entry.load()
                if isinstance(value, type) or not self._is_one(value):
                    raise TypeError(f"{entry.value} is no {kind} but a {type(value).__name__}")
                if value.name in {*found, *self.built_in}:
                    raise ValueError(f"there is a {kind} called {value.name!r} already")
            except (Exception, SystemExit) as error:  # it may fail in any way; the rest must work
                warnings.warn(f"{kind} plug-in {entry.name!r} left out: {error}", stacklevel=3)
                continue
            found[value.name] = value
        return found


def value_at(place: str) -> Any:
    """The value at a place `module:attribute`, imported now."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def extra(package: str, name: str, what_needs: str) -> Any:
    """A package of an extra; raises `CapabilityError`, which says how to install the extra."""
    return _needed(package, f"{what_needs} the extra `{name}`", f"'{DISTRIBUTION}[{name}]'")


def or_tools(module: str, what_needs: str = "CP-SAT needs") -> Any:
    """A module of OR-Tools, which a slim install leaves out; raises `CapabilityError`."""
    return _needed(f"ortools.{module}", f"{what_needs} OR-Tools", "ortools")


def _needed(module: str, what_needs: str, install: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise CapabilityError(f"{what_needs}: pip install {install} ({error})") from None
