"""One solution of a huge puzzle: many randomised packers, and the plain search beside them.

board    the orders and tables that all packers share
kernels  compiled: dives in a fixed order, and endings by fewest options
packer   one worker's dives and endings by a method, and the windows that improve a packing
finding  the plain search first, then numbered attempts: `first` and `solve --first`
"""
