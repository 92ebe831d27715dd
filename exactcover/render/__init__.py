"""Pictures of puzzles and solutions: one module for each kind of picture."""
