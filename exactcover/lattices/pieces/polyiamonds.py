"""The letters of polyiamonds, as in the drawings and programs of D. Goodger's Polyform Puzzler.

The hexiamonds' names are T. H. O'Beirne's and M. Gardner's.
"""

from __future__ import annotations

from exactcover.lattices.names import Letters, PieceNames

POLYIAMONDS = PieceNames({
    1: Letters({"T": "^"}),
    2: Letters({"D": "^v"}),
    3: Letters({"I": "^v^"}),
    4: Letters({
        "I": "^v^v",
        "C": "..^/v^v",
        "T": ".^/^v^",
    }),
    5: Letters({
        "I": "^v^v^",
        "C": ".v^/v^v",
        "L": "...^/^v^v",
        "P": ".^/^v^v",
    }),
    6: Letters({
        "I": "^v^v^v",
        "P": "...^/^v^v^",
        "J": "....^/v^v^v",
        "E": "..^/v^v^v",
        "V": ".^v/^v^v",
        "H": "^v^v/..v^",
        "S": "^v^/..v^v",
        "X": "v^v/^v^",
        "C": "...^v/^v^v",
        "G": "..v^/^v^v",
        "F": ".^.^/^v^v",
        "O": "^v^/v^v",
    }, aliases={
        "bar": "I", "rhomboid": "I", "sphinx": "P", "crook": "J", "club": "J", "crown": "E",
        "lobster": "V", "signpost": "H", "pistol": "H", "snake": "S", "butterfly": "X",
        "chevron": "C", "bat": "C", "hook": "G", "shoe": "G", "yacht": "F", "hexagon": "O",
    }),
    7: Letters({
        "A": "^v^v/v.v^",
        "B": ".v^v/v^v^",
        "C": "^...^/v^v^v",
        "D": ".^v^/^v^v",
        "E": "...^/^v^v^v",
        "F": "..^.^/v^v^v",
        "G": "..v^/^v^v^",
        "H": "...^v/^v^v^",
        "I": "^v^v^v^",
        "J": "...v^/v^v^v",
        "L": ".....^/^v^v^v",
        "M": ".^.^/^v^v^",
        "N": "^v^/..v^v^",
        "P": ".^/^v^v^v",
        "Q": "...^/..^v^/v^v",
        "R": "....^v/v^v^v",
        "S": "^v^.^/..v^v",
        "T": "....^/v^v^v/...v",
        "U": ".^.^v/^v^v",
        "V": ".^v^/^v.v^",
        "W": "...^/^v^v/..v^",
        "X": "..^/v^v^/^v",
        "Y": "..^v/v^v^v",
        "Z": "^v^/.^v^v",
    }),
}, complete=True)  # fmt: skip
