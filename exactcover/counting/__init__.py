"""Counting without listing: what symmetry and structure tell of the number of solutions."""
