"""The engine for small problems: bits that count the options of all items at once.

A few operations on words find the items with one, two or three options, so forced choices cost
little, and it weighs the items with the fewest options before it branches. `solve_each` runs the
same loop on many sets of given options.
"""

from exactcover.backends.planes.search import backend

__all__ = ["backend"]
