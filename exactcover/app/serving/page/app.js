// The state shared by all views: the open puzzle, the run that is shown, and the messages.

import { say } from "exactcover/page.js"
import * as api from "./api.js"
import { fail, notice } from "./notices.js"
import { read, write } from "./storage.js"

const KEPT = "exactcover"

class App extends EventTarget {
  puzzle = null
  run = null // the RUN whose solutions are shown
  api = api
  say = say
  fail = fail
  notice = notice

  /** Open a puzzle that the server has sent. */
  open(puzzle) {
    if (this.puzzle?.id !== puzzle.id) this.run = null
    this.puzzle = puzzle
    this.#keep()
    this.dispatchEvent(new Event("puzzle"))
  }

  show(run) {
    this.run = run
    this.#keep()
  }

  go(hash) {
    if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"))
    else location.hash = hash
  }

  /** Do something with the puzzle's id; if the server has forgotten the puzzle, it gets it again. */
  async withPuzzle(action) {
    try {
      return await action(this.puzzle.id)
    } catch (error) {
      if (error.status !== 404) throw error
      await this.post(this.puzzle.toml, "puzzle.toml")
      return action(this.puzzle.id)
    }
  }

  /** Send a puzzle's text and open what the server makes of it. */
  async post(text, name) {
    const { puzzles } = await api.post("/puzzles", { text, name })
    this.open(puzzles[0])
  }

  /** Open again what was open before the page was loaded again. */
  async remember() {
    const kept = read(KEPT, "sessionStorage")
    if (!kept) return
    const { toml, run } = kept
    if (toml) await this.post(toml, "puzzle.toml")
    if (!run) return
    try {
      this.run = await api.get(`/runs/${run}`)
    } catch (error) {
      if (error.status !== 404) throw error
    }
    this.#keep()
  }

  #keep() {
    const kept = { toml: this.puzzle?.toml, run: this.run?.id }
    // What is larger than the browser keeps is forgotten, and what it kept before with it.
    if (!write(KEPT, kept, "sessionStorage")) write(KEPT, null, "sessionStorage")
  }
}

export const app = new App()
