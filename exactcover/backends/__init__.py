"""The engines, their interface, and how they are begun.

An engine's module may import numpy; compilers and solvers are imported when it is prepared.
"""

from __future__ import annotations

from exactcover.backends.base import (
    MEBIBYTES,
    NUMBER,
    Backend,
    Begin,
    Branching,
    Capabilities,
    Abreast,
    CuttingSearch,
    Phase,
    Search,
    Setting,
    Slice,
    Status,
    Tried,
    Watch,
    Where,
)
from exactcover.backends.node import Node
from exactcover.backends.tasks import (
    BACKENDS as BACKENDS,
    BUILT_IN as BUILT_IN,
    backends,
    get_backend,
    get_engine,
    names_of as names_of,
    prepared,
    started,
)

__all__ = [
    "MEBIBYTES",
    "NUMBER",
    "Abreast",
    "Backend",
    "Begin",
    "Branching",
    "Capabilities",
    "CuttingSearch",
    "Node",
    "Phase",
    "Search",
    "Setting",
    "Slice",
    "Status",
    "Tried",
    "Watch",
    "Where",
    "backends",
    "get_backend",
    "get_engine",
    "prepared",
    "started",
]
