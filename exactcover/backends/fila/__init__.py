"""The engine for tilings: M. Busche's fixed image list algorithm, FILA.

For each cell, and each state of the cells near it, the images that may fill it are listed once,
before the search (`tables`). So a step is to choose a cell (`phases`), look up its lists, and try
each image in them with a single AND (`kernel`). `open_board` has
what a task leaves of a problem, as cells and images; `prepared` has what all searches below a task
share.
"""

from __future__ import annotations

from exactcover.backends.fila.backend import FilaBackend
from exactcover.backends.fila.search import FilaSearch

__all__ = ["FilaBackend", "FilaSearch", "backend"]

backend = FilaBackend()
