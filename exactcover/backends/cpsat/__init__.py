"""CP-SAT: a solver that shares no code with the other engines gets the whole model.

OR-Tools is imported when a search or an optimization starts, not before.
"""

from exactcover.backends.cpsat.model import CpsatLimits
from exactcover.backends.cpsat.optimum import CpsatOptimum, minimize
from exactcover.backends.cpsat.search import CpsatBackend, backend

__all__ = ["CpsatBackend", "CpsatLimits", "CpsatOptimum", "backend", "minimize"]
