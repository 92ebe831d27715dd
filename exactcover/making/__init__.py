"""Puzzles to make by hand: parts to print and to cut, and the order of assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.making.assembling import Assembly, Move, assembly
    from exactcover.making.cutting import CutLines, CutPart, cut_lines
    from exactcover.making.meshes import Mesh
    from exactcover.making.printing import SolidPart, Solids, solids
    from exactcover.making.sheets import CutSheet, Word
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "making.assembling": "Assembly Move assembly",
            "making.cutting": "CutLines CutPart cut_lines",
            "making.meshes": "Mesh",
            "making.printing": "SolidPart Solids solids",
            "making.sheets": "CutSheet Word",
        },
    )

__all__ = [
    "Assembly",
    "CutLines",
    "CutPart",
    "CutSheet",
    "Mesh",
    "Move",
    "SolidPart",
    "Solids",
    "Word",
    "assembly",
    "cut_lines",
    "solids",
]
