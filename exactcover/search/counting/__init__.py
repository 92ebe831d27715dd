"""Counting without listing: symmetry and structure give the number of solutions."""
