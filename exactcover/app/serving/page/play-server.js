// What the server gives a player: aid, and another puzzle. `play-listed.js` is the aid of a page without a server.

/**
 * left    (placed, seconds, signal): what is left in a position: AidJson
 * hint    (placed): the next step: HintJson
 * finish  (placed): the placements that complete it: FinishJson
 * places  (piece name): where the piece can lie on the empty board
 */
export function serverAid(app) {
  const post = (where, asked, signal) =>
    app.withPuzzle((puzzle) => app.api.post(where, { puzzle, ...asked }, signal))
  return {
    left: (placed, seconds, signal) => post("/aid", { placed, seconds }, signal),
    hint: (placed) => post("/aid/hint", { placed }),
    finish: (placed) => post("/aid/finish", { placed }),
    places: (piece) => app.withPuzzle((id) => app.api.get(`/puzzles/${id}/places`, { piece })),
  }
}

/** The next of the shelf on the same lattice, as hard as the open puzzle or harder, as {title, open}; null if there is none. */
export async function nextPuzzle(app) {
  const { title, lattice } = app.puzzle
  const shelf = (await app.api.get("/shelf")).filter((one) => one.lattice === lattice && one.solutions !== 0)
  const byDifficulty = shelf.sort((a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9))
  const at = byDifficulty.findIndex((one) => one.title === title)
  const next = byDifficulty[(at + 1) % byDifficulty.length]
  if (!next || next.title === title) return null
  const open = async () => {
    app.open(await app.api.get(`/shelf/${next.name}`))
    app.go("#play")
  }
  return { title: next.title, open }
}
