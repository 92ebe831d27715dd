"""How a search chooses what to branch on next: heuristics as values, each with a name."""
