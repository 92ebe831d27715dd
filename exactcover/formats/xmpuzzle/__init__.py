"""BurrTools' puzzle files: the XML (`xml`), its grids (`grids`), and its puzzles (`puzzles`).

What is not understood is refused by name: a reader that skips it would now and then read another
puzzle than the one that was meant, and count it. Where the file leaves a choice, such as which
triangles of the prism grid point up, the reading is taken in which the shapes hold together.
"""
