// The tally of a game: seconds at the board, moves and hints; and whether the page has finished it.

const SECOND = 1000

export class Tally extends EventTarget {
  seconds = 0
  moves = 0
  hints = 0
  finished = false // by the page, not by the player
  #timer = 0

  /** kept: what `now` said before. */
  constructor(kept = null) {
    super()
    Object.assign(this, kept)
  }

  get now() {
    const { seconds, moves, hints, finished } = this
    return { seconds, moves, hints, finished }
  }

  /** Count the seconds in which the page is seen, from the first move on. */
  start(isOver) {
    this.#timer = setInterval(() => {
      if (document.hidden || !this.moves || isOver()) return
      this.seconds++
      this.changed()
    }, SECOND)
  }

  stop() {
    clearInterval(this.#timer)
  }

  add(what, value = this[what] + 1) {
    this[what] = value
    this.changed()
  }

  changed() {
    this.dispatchEvent(new Event("change"))
  }

  get words() {
    return [clock(this.seconds), several(this.moves, "move"), this.hints ? several(this.hints, "hint") : "no hint"].join(" · ")
  }
}

/** Seconds as 3:07 or 1:02:45. */
function clock(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (number) => String(number).padStart(2, "0")
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

export const several = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`
