"""CP-SAT: the whole model given to a solver that shares no code with the other engines.

OR-Tools is imported when a search starts or a question is asked, not before.
"""

from exactcover.backends.cpsat.backend import CpsatBackend, backend
from exactcover.backends.cpsat.optimum import CpsatOptimum, find, minimize

__all__ = ["CpsatBackend", "CpsatOptimum", "backend", "find", "minimize"]
