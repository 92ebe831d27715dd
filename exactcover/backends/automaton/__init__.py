"""The window automaton: an engine that counts more solutions than could be listed.

It takes the cells in an order with a narrow frontier. The pieces placed matter only by the cells
that they fill beyond the first open one, and by the pieces used up. So states that agree in both
are one state, and counted once. It also lists solutions; its only dead ends come from pieces that
are used up.

    narrowest   the order with the fewest states
    sweep       the board in the order of its cells; the number of placed copies of each kind
    nodes       the automaton without the pieces used
    search      the backend; all solutions, depth first
    counting    the number of solutions, by levels from both ends
    levels      these levels, each made from those before
    tables      the table of a level, in memory or in a file
    diagram     all solutions as one diagram: to sample, restrict, rank by cost
    drawing_up  making a diagram
    outlook     how many states there will be
    memory      the memory that all this may take
"""

from exactcover.backends.automaton.diagram import Diagram
from exactcover.backends.automaton.search import AutomatonBackend, backend, count, diagram

__all__ = ["AutomatonBackend", "Diagram", "backend", "count", "diagram"]
