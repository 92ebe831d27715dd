"""The engine for small problems: bits that count the options of all items at once.

A level of the search has *planes* of bits: the first says which items have their first option left,
the second which have their second, and so on. A few operations on words find the items with one,
two or three options, so forced choices cost little, and it weighs the items with the fewest options
before it branches. The search loop is in `kernel`, its tables in `tables`, and `words` counts the
bits. `solve_each` runs the same loop on many sets of given options.
"""

from __future__ import annotations

from exactcover.backends.planes.search import PlanesBackend, PlanesSearch

__all__ = ["PlanesBackend", "PlanesSearch", "backend"]

backend = PlanesBackend()
