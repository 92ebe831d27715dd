"""What tests share: plain reference programs, puzzles and texts to try, and small engines.

`naive` is the reference for every engine: a plain search that is obviously right.
"""
