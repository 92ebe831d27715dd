"""One solution of a huge puzzle: many randomised packers, and the plain search beside them.

manner          how a packer packs, and the manners that there are
tables          a problem with an order of its cells, for the kernels
packing_kernel  dives: packing in a fixed order, with discrepancies and landmines
ending_kernel   endings: the last pieces, by fewest options
windows         a few pieces are taken up and others fill their place
packer          one worker's dives and endings
racing          which manner the next job gets
jobs            the numbered jobs of a run and their outcomes
schedule        threads that do the jobs; the same solution for any number of them
search          the plain search first, then the jobs
finding         what `first` and `solve --first` call
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.portfolio.finding import Finding, first
else:
    __getattr__, __dir__ = on_demand(__name__, {"portfolio.finding": "Finding first"})

__all__ = ["Finding", "first"]
