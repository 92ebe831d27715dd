"""The window automaton: an engine that counts what cannot be listed.

It takes the cells in an order with a narrow frontier. What has been placed matters only by
which cells it filled ahead of the first open one and which pieces it used up; so states that agree
in both are one, and counted once. It lists too, without dead ends but those of used up pieces.

    narrowest.py which order has fewest states
    sweep.py     the board in the order of its cells
    copy_fields.py  how often each kind of piece is placed, as bits
    relaxed.py   the automaton that does not know what pieces are used
    search.py    all solutions, depth first, as every engine finds them
    counting.py  how many solutions there are, by levels from both ends
    states.py    these levels, each made from those before
    tables.py    the table of a level; spill.py: levels in files
    flow.py      counts in which no piece is limited
    diagram.py   all solutions as one diagram: to sample, restrict, rank by cost
    drawing_up.py  how a diagram is made; export.py: what other programs read
    memory.py    how much memory all that may take; files.py: tables in files
"""

from exactcover.backends.automaton.backend import AutomatonBackend, backend, count, diagram
from exactcover.backends.automaton.diagram import Diagram

__all__ = ["AutomatonBackend", "Diagram", "backend", "count", "diagram"]
