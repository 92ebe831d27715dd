"""The letters of polyominoes: S. W. Golomb's for the pentominoes.

Each is drawn the way its letter is written, so that a set of one-sided pieces can call its mirror
image by the small letter. The ten hexominoes that look like a letter which another has already are
B and 1 to 9; other names of theirs are with them.
"""

from __future__ import annotations

from exactcover.lattices.names import Letters, PieceNames

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
