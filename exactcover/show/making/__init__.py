"""Puzzles to make by hand: parts to print and to cut, and the order of assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.show.making.assembling import (
        Assembly as Assembly,
        Move as Move,
        assembly as assembly,
    )
    from exactcover.show.making.cutting import (
        CutLines as CutLines,
        CutPart as CutPart,
        cut_lines as cut_lines,
    )
    from exactcover.show.making.meshes import Mesh as Mesh
    from exactcover.show.making.printing import (
        SolidPart as SolidPart,
        Solids as Solids,
        solids as solids,
    )
    from exactcover.show.making.sheets import CutSheet as CutSheet, Word as Word
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.making.assembling": "Assembly Move assembly",
            "show.making.cutting": "CutLines CutPart cut_lines",
            "show.making.meshes": "Mesh",
            "show.making.printing": "SolidPart Solids solids",
            "show.making.sheets": "CutSheet Word",
        },
    )
