// The tally of a game: seconds at the board, moves and hints; and whether the page has finished it.

import { plural } from "./parts.js"

const SECOND = 1000

export class Tally {
  seconds = 0
  moves = 0
  hints = 0
  finished = false // by the page, not by the player

  /** kept: what `now` said before; changed(): to be called after a change. */
  constructor(kept, changed) {
    Object.assign(this, kept, { changed })
  }

  get now() {
    const { seconds, moves, hints, finished } = this
    return { seconds, moves, hints, finished }
  }

  /** Count the seconds in which the page is seen, from the first move on. */
  start(isOver, signal) {
    const timer = setInterval(() => {
      if (document.hidden || !this.moves || isOver()) return
      this.seconds++
      this.changed()
    }, SECOND)
    signal.addEventListener("abort", () => clearInterval(timer))
  }

  get words() {
    return [clock(this.seconds), plural(this.moves, "move"), this.hints ? plural(this.hints, "hint") : "no hint"].join(" · ")
  }
}

/** Seconds as 3:07 or 1:02:45. */
function clock(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (number) => String(number).padStart(2, "0")
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
