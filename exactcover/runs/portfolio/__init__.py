"""One solution of a huge puzzle: many randomised packers, and the plain search beside them.

board     the orders and tables that all packers share
kernels   compiled: dives in a fixed order, and endings by fewest options
packer    one worker's dives and endings by a method, and the windows that improve a packing
attempts  the race between methods, and the numbered attempts of a run
finding   the plain search first, then the attempts: `first` and `solve --first`
"""
