// What the server gives a player: the solutions of the puzzle, once, and another puzzle.

import { listedAid } from "./play-listed.js"

let last = { id: null, aid: null } // the aid of the puzzle that was played last

/** The aid of the open puzzle; its solutions are searched for if they are not known yet. */
export async function aidOf(app, signal) {
  if (last.id !== app.puzzle.id) {
    const data = await app.withPuzzle((id) => app.api.get(`/puzzles/${id}/aid.json`, {}, signal))
    last = { id: app.puzzle.id, aid: await listedAid(app.puzzle, data) }
  }
  return last.aid
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
