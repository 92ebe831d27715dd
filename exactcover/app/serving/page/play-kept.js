// Games that outlive the page: the browser keeps the latest of them, each with its steps.

const KEY = "exactcover games"
const MOST = 20

/** The game of a puzzle as it was: {placed, before, after}; null if none is kept. */
export function kept(puzzle) {
  return all().find(({ id }) => id === puzzle.id)?.steps ?? null
}

/** Keep a game; the oldest go when there are too many, or more than the browser keeps. */
export function keep(puzzle, steps) {
  const others = all().filter(({ id }) => id !== puzzle.id)
  const isEmpty = !steps.placed.length && !steps.before.length
  const games = isEmpty ? others : [{ id: puzzle.id, steps }, ...others].slice(0, MOST)
  for (; ; games.pop()) {
    try {
      localStorage.setItem(KEY, JSON.stringify(games))
      return
    } catch {
      if (!games.length) return // the browser keeps nothing: private windows may do so
    }
  }
}

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? []
  } catch {
    return []
  }
}
