"""CP-SAT: a solver that shares no code with the other engines gets the whole model.

OR-Tools is imported when a search or an optimization starts, not before.
"""

from exactcover.backends.cpsat.search import backend

__all__ = ["backend"]
