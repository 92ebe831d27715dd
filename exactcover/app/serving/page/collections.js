// What Browse opens on: puzzles to start with, and collections of the shelf.

/** A puzzle of each of a dozen lattices, easy to hard. */
const STARTERS = [
  "cubic/somacube",
  "fcc/pyramid_20",
  "bcc/pairs_3x2x2",
  "prism/diprisms_hexagon",
  "rhombic/pairs_cube",
  "hypercubic/tetratesseracts_3x2x2x2",
  "sticks-hexagonal/polytwigs_hexagon_1",
  "hexagonal/tetrahexes_flower_1",
  "sticks-triangular/tritrigs_heart_1",
  "square/pentominoes_10x6",
  "triangular/hexiamonds_6x6",
  "sticks-square/tetrasticks_5x5_without_H",
]

const FAMOUS = [
  "cubic/bedlamcube",
  "cubic/tetriscube",
  "square/pentominoes_8x8_hole",
  "cubic/slothouber_graatsma",
  "cubic/diabolical_cube",
  "square/mutilated_chessboard",
  "square/calendar_25_january",
  "cubic/conway_box",
  "cubic/conway_5x5x5",
  "cubic/steinhaus_cube",
  "square/partridge_8",
  "square/calibron_12",
  "square/squared_square_112x112",
  "square/tetrominoes_franklin",
  "triangular/hexiamonds_1s_obeirne",
]

/** [key, title, a sentence, which entries: names in order, or a test of an entry] */
const COLLECTIONS = [
  ["start", "To start with", "One of each of a dozen lattices, easy to hard.", STARTERS],
  ["pentominoes", "Pentominoes", "The twelve pieces of five squares.", ({ set, lattice }) => lattice === "square" && set === "pentominoes"],
  ["soma", "Soma", "Seven pieces make a cube, and many other figures.", ({ name }) => name.startsWith("cubic/soma")],
  ["polyhexes", "Polyhexes", "Pieces of hexagons.", ({ lattice }) => lattice === "hexagonal"],
  ["four", "Four dimensions", "Drawn as rows of blocks; a model turns in all of them.", ({ dimension }) => dimension === 4],
  ["famous", "Famous", "Sold in shops, or in every book on puzzles.", FAMOUS],
  ["unsolved", "Unsolved by hand", "So large that nobody has counted the solutions.", ({ solutions }) => solutions === null],
]

const easyFirst = (a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9) || a.cells - b.cells

/** The collections of a shelf: {key, title, text, entries}. */
export function collectionsOf(shelf) {
  const byName = new Map(shelf.map((entry) => [entry.name, entry]))
  return COLLECTIONS.map(([key, title, text, which]) => ({
    key, title, text,
    entries: Array.isArray(which) ? which.map((name) => byName.get(name)).filter(Boolean) : shelf.filter(which).sort(easyFirst),
  }))
}
