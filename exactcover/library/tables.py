"""Which lattices have tables of letters."""

from __future__ import annotations

from collections.abc import Mapping

from exactcover.library.letters import Letters
from exactcover.library.polycubes import POLYCUBES, POLYTESSERACTS
from exactcover.library.polyhexes import POLYHEXES
from exactcover.library.polyiamonds import POLYIAMONDS
from exactcover.library.polyominoes import POLYOMINOES
from exactcover.library.polysticks import POLYSTICKS, POLYTWIGS

TABLES: Mapping[str, Mapping[int, Letters]] = {
    "square": POLYOMINOES,
    "cubic": POLYCUBES,
    "hypercubic": POLYTESSERACTS,
    "triangular": POLYIAMONDS,
    "hexagonal": POLYHEXES,
    "sticks-square": POLYSTICKS,
    "sticks-hexagonal": POLYTWIGS,
}
"""Lattice -> number of cells -> letters."""
