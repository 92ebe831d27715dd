"""The window automaton: an engine that counts more solutions than could be listed.

It takes the cells in an order with a narrow frontier. The pieces placed matter only by the cells
that they fill beyond the first open one, and by the pieces used up. So states that agree in both
are one state, and counted once. It also lists solutions; its only dead ends come from pieces that
are used up.

    narrowest.py the order with the fewest states
    sweep.py     the board in the order of its cells
    copy_fields.py  the number of placed copies of each kind of piece, as bits
    nodes.py     the automaton without the pieces used
    search.py    all solutions, depth first
    counting.py  the number of solutions, by levels from both ends
    levels.py    these levels, each made from those before
    tables.py    the table of a level, in memory or in a file
    diagram.py   all solutions as one diagram: to sample, restrict, rank by cost
    drawing_up.py   making a diagram
    outlook.py   how many states there will be, from the levels so far
    expecting.py how many states there will be, from the nodes and the sets of pieces
    memory.py    the memory that all this may take
"""

from exactcover.backends.automaton.backend import AutomatonBackend, backend, count, diagram
from exactcover.backends.automaton.diagram import Diagram

__all__ = ["AutomatonBackend", "Diagram", "backend", "count", "diagram"]
