"""Engines that fill a rectangle with rectangles, or a box with bricks: they see sizes, no cells.

    engine       what these engines share, and `skyline`: always at the edge of what is filled
    skyline      its search of rectangles; `kernel` is the compiled part, `tables` what that reads
    bricks       its search of bricks; `brick_kernel` is the compiled part
    placing      what both searches share; `canonical_kernel` compares a solution with its images
    reach, ways  the lengths that the pieces left add up to; the orders in which pieces are tried
    no_overlap   `nooverlap`, the independent check: CP-SAT, one packing or all
    least        the smallest box around rectangles that need not fill it

Their sizes and places are values of `exactcover.rectangles`. `puzzle.rectangles` recognizes the
puzzles, `search.rectangles` chooses an engine and searches, `render.rectangles` draws.
"""
