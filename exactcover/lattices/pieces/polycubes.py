"""The letters of polycubes in three and four dimensions.

Flat ones have the letters of polyominoes. The tetracubes' other letters are those of the Soma cube,
the pentacubes' those of Kadon's Superquints: a letter of a tetromino with a number where the fifth
cube stands on it, J and S being mirror images of L and N.
"""

from __future__ import annotations

from exactcover.lattices.names import Letters, NamedSet, PieceNames

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
