"""BurrTools' puzzle files: the XML (`xml`), its grids (`grids`), and its puzzles (`puzzles`)."""
