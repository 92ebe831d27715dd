"""Puzzles to make by hand: solids to print, and lines to cut."""

from exactcover.studio.making.cutting import CutLines, CutPart, cut_lines
from exactcover.studio.making.meshes import Mesh
from exactcover.studio.making.printing import SolidPart, Solids, solids
from exactcover.studio.making.sheets import CutSheet, Word

__all__ = [
    "CutLines",
    "CutPart",
    "CutSheet",
    "Mesh",
    "SolidPart",
    "Solids",
    "Word",
    "cut_lines",
    "solids",
]
