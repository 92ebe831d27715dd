"""Engines that fill a rectangle with rectangles: they see sizes, no cells.

    engine       the engines `skyline` and `nooverlap`, and the orders in which pieces are tried
    skyline      the search: always in a gap of what is filled; `kernel` is its compiled part
    no_overlap   the independent check: CP-SAT lists all solutions

As a puzzle of cells Calibron 12 has tens of thousands of images, and its first solution took 55 s.
The skyline goes by sizes. It fills the narrowest gap, since few rectangles fit there, and goes back
where a length is not a sum of sides that are left. A table of dead states, or a test that every
rectangle left has a place, takes longer than it saves.

The sizes and places are values of `exactcover.problem.rectangles`. `puzzle.rectangles` recognizes
the puzzles, `search.rectangles` chooses an engine and searches, and `show.text` draws.
"""
