"""The call shapes of other Python packages for exact cover: their users need only change an import.

    from exactcover.compat.exact_cover import get_exact_cover       # instead of exact_cover
    from exactcover.compat.xcover import covers, covers_bool        # instead of xcover
    from exactcover.compat.exact_cover_py import exact_covers       # instead of exact_cover_py
    from exactcover.compat.algorithm_x import AlgorithmX            # instead of algorithm_x

Results have the same form and, for solutions, the same members; the order of solutions and of their
options is this package's own. Wrong input raises an `ExactCoverError` here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

__all__ = ["algorithm_x", "exact_cover", "exact_cover_py", "xcover"]

if TYPE_CHECKING:
    from exactcover.compat import algorithm_x, exact_cover, exact_cover_py, xcover
else:
    __getattr__, __dir__ = on_demand(__name__, {}, modules=__all__)
