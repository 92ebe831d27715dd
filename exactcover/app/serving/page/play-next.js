// Another puzzle to play: the next of the shelf on the same lattice, as hard as the last or harder.

/** The puzzle after the open one, as {title, open}; null if there is none. */
export async function nextPuzzle(app) {
  const { title, lattice } = app.puzzle
  const shelf = (await app.api.get("/shelf")).filter((one) => one.lattice === lattice && one.solutions !== 0)
  const byDifficulty = shelf.map((one, place) => ({ one, key: (one.difficulty ?? 9) * 1e6 + place }))
    .sort((a, b) => a.key - b.key).map(({ one }) => one)
  const at = byDifficulty.findIndex((one) => one.title === title)
  const next = byDifficulty[(at + 1) % byDifficulty.length]
  if (!next || next.title === title) return null
  const open = async () => {
    try {
      app.open(await app.api.get(`/shelf/${next.name}`))
      app.go("#play")
    } catch (error) {
      app.fail(error)
    }
  }
  return { title: next.title, open }
}
