"""The letters of pieces, which a lattice loads when it first needs them.

Polyominoes: S. W. Golomb's letters for the pentominoes. Each is drawn the way its letter is
written, so that a set of one-sided pieces can call its mirror image by the small letter. The ten
hexominoes that look like a letter which another has already are B and 1 to 9; other names of theirs
are with them.

Polycubes in three and four dimensions: flat ones have the letters of polyominoes. The tetracubes'
other letters are those of the Soma cube, the pentacubes' those of Kadon's Superquints: a letter of
a tetromino with a number where the fifth cube stands on it, J and S being mirror images of L and N.

Polyiamonds: as in the drawings and programs of D. Goodger's Polyform Puzzler. The hexiamonds' names
are T. H. O'Beirne's and M. Gardner's, the tetrahexes' M. Gardner's.

Polysticks (edges of squares) and polytwigs (edges of hexagons): the tetrasticks' letters are those
that D. E. Knuth uses in "Dancing Links" (2000), after B. R. Barwell: fifteen of the sixteen fill a
5 x 5 board where H, J, L, N or Y is left out.
"""

from __future__ import annotations

from exactcover.lattices.names import Letters, NamedSet, PieceNames

POLYOMINOES = PieceNames({
    1: Letters({"O": "#"}),
    2: Letters({"I": "##"}),
    3: Letters({"I": "###", "V": "#./##"}, aliases={"L": "V"}),
    4: Letters(
        {"I": "####", "O": "##/##", "T": "###/.#.", "S": ".##/##.", "L": "#./#./##"},
        mirrors={"S": "Z", "L": "J"},
        aliases={
            "N": "S", "straight": "I", "square": "O", "skew": "S",
        },
    ),
    5: Letters({
        "F": ".##/##./.#.",
        "I": "#####",
        "L": "#./#./#./##",
        "N": ".#/.#/##/#.",
        "P": "##/##/#.",
        "T": "###/.#./.#.",
        "U": "#.#/###",
        "V": "#../#../###",
        "W": "#../##./.##",
        "X": ".#./###/.#.",
        "Y": ".#/##/.#/.#",
        "Z": "##./.#./.##",
    }, aliases={"R": "F", "O": "I", "Q": "L", "S": "N"}),
    6: Letters({
        "A": "###/##/#",
        "B": ".#/####/..#",
        "C": "####/#..#",
        "D": "####/.##",
        "E": "##/.##/##",
        "F": "#/####/.#",
        "G": "#.##/###",
        "H": "###/.#/##",
        "I": "######",
        "J": "###/#.#/#",
        "K": "##/###/.#",
        "L": "#####/#",
        "M": "..##/###/#",
        "N": "###/.###",
        "O": "###/###",
        "P": "####/..##",
        "Q": "##/##/.##",
        "R": "###/.##/.#",
        "S": "..###/###",
        "T": "#/####/#",
        "U": "####/.#.#",
        "V": "####/...#/...#",
        "W": "###/..##/...#",
        "X": ".#/####/.#",
        "Y": "#####/.#",
        "Z": "...#/####/#",
        "1": "#/####/..#",
        "2": ".#/.###/##",
        "3": ".###/##/.#",
        "4": "####/...##",
        "5": "####/.#/.#",
        "6": "..##/.##/##",
        "7": "..##/###/.#",
        "8": "#####/..#",
        "9": "###/..#/..##",
    }, aliases={
        "high F": "F", "low F": "1", "high 4": "2", "low 4": "3", "short N": "N", "long N": "4",
        "long S": "S", "long T": "T", "short T": "5", "Wa": "W", "Wb": "6", "Wc": "7",
        "italic X": "B", "high Y": "Y", "low Y": "8", "long Z": "Z", "short Z": "9",
        "rectangle": "O",
    }),
}, complete=True)  # fmt: skip


SOMA = NamedSet(
    {
        "V": "tricube V", "L": "tetracube L", "T": "tetracube T", "Z": "tetracube S",
        "A": "tetracube A", "B": "tetracube B", "P": "tetracube P",
    },
    also=("soma cube", "soma cubes", "soma pieces", "soma set"),
    aliases={"S": "Z", "I": "V"},
)  # fmt: skip
"""Piet Hein's seven pieces: every tricube and tetracube that is no box."""

POLYCUBES = PieceNames({
    1: Letters({}),
    2: Letters({}),
    3: Letters({}),
    4: Letters({
        "A": "##/#.;../#.",
        "B": "##/#.;.#/..",
        "P": "##/#.;#./..",
    }, mirrors={"A": "B"}, aliases={
        "screw": "A", "left screw": "A", "right screw": "B", "branch": "P", "tripod": "P",
        "corner": "P",
    }),
    5: Letters({
        "L1": "###/#..;..#/...",
        "L2": "###/#..;.#./...",
        "L3": "###/#..;#../...",
        "L4": "###/#..;.../#..",
        "J1": "###/..#;#../...",
        "J2": "###/.#.;#../...",
        "J4": "###/..#;.../..#",
        "N1": "##./.##;#../...",
        "N2": "##./.##;.#./...",
        "S1": "##./#..;.##/...",
        "S2": "##./.#.;.##/...",
        "T1": "###/.#.;.#./...",
        "T2": "###/.#.;.../.#.",
        "V1": "##./.#.;.../.##",
        "V2": "##./...;.#./.##",
        "Q": "##/##;#./..",
        "A": "##/#.;.#/#.",
    }),
}, sets={"soma": SOMA}, complete=True)  # fmt: skip

POLYTESSERACTS = PieceNames({
    1: Letters({}),
    2: Letters({}),
    3: Letters({}),
    4: Letters({}, aliases={
        "twist": "A", "screw": "A", "branch": "P", "tripod": "P", "corner": "P",
    }),
    5: Letters({
        "C": "0,0,0,0 1,0,0,0 0,1,0,0 0,0,1,0 0,0,0,1",
        "B": "0,0,0,0 1,0,0,0 0,1,0,0 0,0,1,0 0,0,1,1",
        "S": "0,0,0,0 1,0,0,0 1,1,0,0 1,1,1,0 1,1,1,1",
    }, aliases={"corner": "C", "branch": "B", "twist": "S"}),
}, complete=True)  # fmt: skip


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


POLYHEXES = PieceNames({
    1: Letters({"O": "#"}),
    2: Letters({"I": "#.#"}),
    3: Letters({
        "I": "#.#.#",
        "V": "#.#/...#",
        "A": "#.#/.#",
    }),
    4: Letters({
        "I": "#.#.#.#",
        "J": ".#.#.#/#",
        "P": "#.#.#/.#",
        "S": "...#.#/#.#",
        "U": "#...#/.#.#",
        "Y": "#/.#.#/#",
        "O": "#.#/.#.#",
    }, aliases={
        "bar": "I", "worm": "J", "pistol": "P", "wave": "S", "arch": "U", "propeller": "Y",
        "bee": "O",
    }),
    5: Letters({
        "A": "#.#/.#.#/#",
        "B": ".#.#.#/#.#",
        "C": "#.....#/.#.#.#",
        "D": "#.#.#/.#.#",
        "E": "#.#.#.#/...#",
        "F": ".#.#.#/#...#",
        "G": "#...#.#/.#.#",
        "H": "#...#/.#.#/....#",
        "I": "#.#.#.#.#",
        "J": ".#.#.#.#/#",
        "L": "#.#.#/.....#/......#",
        "N": "...#.#.#/#.#",
        "P": "#.#.#.#/.#",
        "Q": "#.#/...#.#/....#",
        "R": "#/.#...#/..#.#",
        "S": "#.#/...#/....#.#",
        "T": "#.#.#/...#/....#",
        "U": "#.#/...#/#.#",
        "V": "#.#.#/.#/..#",
        "W": "#.#/...#.#/......#",
        "X": "#.#/.#/#.#",
        "Y": "#/.#.#.#/#",
    }),
}, complete=True)  # fmt: skip


POLYSTICKS = PieceNames({
    1: Letters({"I": ".-"}),
    2: Letters({
        "I": ".-.-",
        "V": ".-/..|",
    }),
    3: Letters({
        "I": ".-.-.-",
        "L": ".-.-/|",
        "T": ".-.-/..|",
        "Z": ".-/..|/...-",
        "U": ".-/|.|",
    }),
    4: Letters({
        "F": ".-.-/..|.|",
        "H": ".-.-/..|/.-",
        "I": ".-.-.-.-",
        "J": ".-.-/|/.-",
        "L": ".-.-.-/|",
        "N": "...-.-/..|/.-",
        "O": ".-/|.|/.-",
        "P": ".-/..|.|/...-",
        "R": ".-/..|/...-/..|",
        "T": ".-.-/..|/./..|",
        "U": ".-.-/|...|",
        "V": ".-.-/....|/./....|",
        "W": ".-/..|/...-/....|",
        "X": "./..|/.-.-/..|",
        "Y": ".-.-.-/..|",
        "Z": "./....|/.-.-/|",
    }),
}, complete=True)  # fmt: skip

POLYTWIGS = PieceNames({
    1: Letters({"I": "0,0,0"}),
    2: Letters({"L": "0,0,0 0,0,1"}),
    3: Letters({
        "C": "0,0,0 0,0,1 0,0,2",
        "S": "0,0,0 0,1,0 1,0,2",
        "Y": "0,0,0 0,0,1 1,0,2",
    }),
    4: Letters({
        "C": "0,0,0 1,0,0 1,0,1 1,0,2",
        "P": "0,0,1 0,1,0 1,0,2 1,1,2",
        "W": "0,0,0 0,1,0 1,0,2 1,1,2",
        "Y": "0,0,0 0,0,1 0,0,2 1,0,2",
    }),
    5: Letters({
        "C": "0,0,1 0,1,0 0,1,1 0,1,2 1,0,2",
        "H": "0,0,1 0,1,0 1,0,0 1,0,1 1,0,2",
        "I": "0,0,1 1,0,1 1,0,2 2,0,1 2,0,2",
        "L": "0,0,0 0,0,1 1,0,1 1,0,2 2,0,2",
        "P": "0,0,0 0,1,0 0,1,1 0,1,2 1,0,2",
        "R": "0,0,0 0,0,1 1,0,0 1,0,1 1,0,2",
        "S": "0,0,0 1,0,1 1,0,2 1,1,0 2,0,2",
        "T": "0,0,0 0,0,1 0,0,2 1,0,1 1,0,2",
        "U": "0,0,1 0,0,2 0,1,0 1,0,2 1,1,2",
        "W": "0,0,0 1,0,1 1,0,2 2,0,1 2,0,2",
        "X": "0,0,0 0,0,1 0,1,0 1,0,1 1,0,2",
        "Y": "0,0,0 0,1,0 1,0,0 1,0,1 1,0,2",
    }),
}, complete=True)  # fmt: skip
