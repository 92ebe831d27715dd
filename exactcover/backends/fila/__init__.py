"""The engine for tilings: M. Busche's fixed image list algorithm, FILA.

For each cell, and each state of the cells near it, the images that may fill it are listed once,
before the search (`tables`). So a step chooses a cell, looks up its lists, and tries each image in
them with a single AND (`kernel`). `open_board` has the part of a problem that a node leaves, as
cells and images. `prepared` has the phases, and the tables that all searches below a node share.
"""

from exactcover.backends.fila.search import backend

__all__ = ["backend"]
