// Games that outlive the page: the browser keeps the latest of them, each with its steps and its tally.

import { read, write } from "./storage.js"

const KEY = "exactcover games"
const WISHES = "exactcover play"
const MOST = 20
let unsaved = [] // what the browser does not keep lasts as long as the page

/** The game of a puzzle as it was: {states, at, tally}; null if none is kept. */
export function kept(puzzle) {
  return all().find(({ id, steps }) => id === puzzle.id && steps.states)?.steps ?? null
}

/** Keep a game; the oldest go when there are too many, or more than the browser keeps. */
export function keep(puzzle, steps) {
  const others = all().filter(({ id }) => id !== puzzle.id)
  const isEmpty = steps.at === 0 && !steps.states[0].length
  const games = isEmpty ? others : [{ id: puzzle.id, steps }, ...others].slice(0, MOST)
  unsaved = [...games]
  while (!write(KEY, games) && games.length) games.pop()
}

const all = () => read(KEY) ?? unsaved

/** How the player wishes to play: {counter, marks}. */
export const wishes = () => ({ counter: true, marks: true, ...read(WISHES) })

export const keepWishes = (wished) => write(WISHES, wished)
