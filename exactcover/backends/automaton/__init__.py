"""The window automaton: an engine that counts more solutions than could be listed.

It takes the cells in an order with a narrow frontier. The pieces placed matter only by the cells
that they fill beyond the first open one, and by the pieces used up. So states that agree in both
are one state, and counted once.

    sweep       the board in the order of its cells, the order with the fewest states; the number
                of placed copies of each kind
    nodes       the automaton without the pieces used
    counting    the engine; the number of solutions, by levels from both ends
    levels      these levels, each a table made from those before
    diagram     the states of all solutions as a `Diagram`
"""

from exactcover.backends.automaton.counting import backend
from exactcover.backends.automaton.diagram import diagram

__all__ = ["backend", "diagram"]
