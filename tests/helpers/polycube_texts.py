"""Texts of polycube's files, as its users write them."""

from __future__ import annotations

TETRIS_CUBE = """\
# Tetris Cube Puzzle Definition
# title: The Tetris Cube
# count rotations: 9839
D:xDim=4:yDim=4:zDim=4
C:name=A:type=M:layout=0 0 2,  1 0 2,  2 0 2,  2 0 1,  2 0 0,  2 1 0  # Blue angle with end-notch
C:name=B:type=M:layout=0 0 0,  1 0 0,  2 0 0,  2 1 0,  2 2 0,  2 1 1  # Blue angle with mid-notch
C:name=C:type=M:layout=0 0 0,  1 0 0,  1 0 1,  2 0 1,  2 1 1          # Blue angled staircase
C:name=D:type=M:layout=0 0 0,  1 0 0,  2 0 0,  2 1 0,  3 1 0          # Blue 2-D serpent
C:name=E:type=M:layout=0 0 1,  0 0 0,  1 0 0,  1 1 0,  1 2 0,  2 1 0  # Red dog with tail
C:name=F:type=M:layout=0 0 0,  1 0 0,  0 0 1,  1 0 1,  0 1 0          # Red ziggurat
C:name=G:type=M:layout=0 2 0,  0 1 0,  0 0 0,  1 0 0,  2 0 0          # Red angle
C:name=H:type=M:layout=0 0 0,  1 0 0,  2 0 0,  3 0 0,  2 1 0          # Red line with mid-notch
C:name=I:type=M:layout=0 0 1,  1 0 1,  2 0 1,  0 1 1,  0 1 0          # Yellow pole with twisty top
C:name=J:type=M:layout=0 0 0,  1 0 0,  1 0 1,  1 1 1,  2 1 1          # Yellow cork-screw
C:name=K:type=M:layout=0 0 0,  1 0 0,  2 0 0,  1 1 0,  1 1 1          # Yellow radar dish
C:name=L:type=M:layout=0 1 0,  1 1 0,  1 1 1,  2 1 1,  1 0 1,  1 2 1  # Yellow sphinx
~D
"""

PENTOMINOES = """\
D:xDim=20:yDim=3:zDim=1
L
. F F . I . L . . N . P P . T T T . U . U .
F F . . I . L . . N . P P . . T . . U U U .
. F . . I . L . N N . P . . . T . . . . . .
. . . . I . L L N . . . . . . . . . . . . .
V . . . I . . . . . . X . . . Y . . Z Z . .
V . . . . . W . . . X X X . Y Y . . . Z . .
V V V . . W W . . . . X . . . Y . . . Z Z .
. . . . W W . . . . . . . . . Y . . . . . .
~L
~D
"""
