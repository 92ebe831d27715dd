"""Exact covers whose numbers of solutions were published with other programs, counted again."""
