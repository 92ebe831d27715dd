"""One solution of a huge puzzle: many randomised packers, and the plain search beside them.

manner    how a packer packs, and the manners that there are
tables    a problem with an order of its cells, for the kernels
bench     the orders and tables that all packers share
kernels   compiled: dives in a fixed order, and endings by fewest options
packer    one worker's dives and endings
windows   a few pieces are taken up and others fill their place
jobs      the numbered jobs of a run, and the race between manners
schedule  threads that do the jobs; the same solution for any number of them
search    the plain search first, then the jobs
finding   what `first` and `solve --first` call
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.runs.portfolio.finding import Finding, first
else:
    __getattr__, __dir__ = on_demand(__name__, {"runs.portfolio.finding": "Finding first"})

__all__ = ["Finding", "first"]
