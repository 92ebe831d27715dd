"""The engine for small problems: bits that count the options of all items at once.

A level of the search has *planes* of bits: the first says which items have their first option left,
the second which have their second, and so on. A few operations on words find the items with one,
two or three options, so forced choices cost little, and it weighs the items with the fewest options
before it branches. The search loop is in `kernel`, its tables in `tables`. `solve_each` runs the
same loop on many sets of given options.
"""

from exactcover.backends.planes.search import PlanesBackend, PlanesSearch, backend

__all__ = ["PlanesBackend", "PlanesSearch", "backend"]
