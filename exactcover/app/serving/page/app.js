// The state shared by all views: the open puzzle, the run that is shown, and the messages.

import { say } from "exactcover/page.js"
import * as api from "./api.js"
import { restored, stored } from "./draft.js"
import { fail, notice, settling } from "./notices.js"
import { read, write } from "./storage.js"

const KEPT = "exactcover"
const DRAFT = "exactcover draft"

class App extends EventTarget {
  puzzle = null
  run = null // the RUN whose solutions are shown
  draft = null // {history, drawnOn}: the open puzzle as it is being changed; see `draft.js`
  api = api
  say = say
  fail = fail
  notice = notice
  settling = settling

  /** Open a puzzle that the server has sent; `draft`: what it is drawn from, if not from the puzzle itself. */
  open(puzzle, draft = null) {
    if (this.puzzle?.id !== puzzle.id) this.run = null
    Object.assign(this, { puzzle, draft })
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
      await this.post(this.puzzle.text, "", this.draft)
      return action(this.puzzle.id)
    }
  }

  /** Send a puzzle's text and open what the server makes of it; without a name the text shows its format. */
  async post(text, name, draft = null) {
    const { puzzles } = await api.post("/puzzles", { text, name })
    this.open(puzzles[0], draft)
  }

  /** Open again what was open before the page was loaded again. */
  async remember() {
    // A phone may drop a page that is hidden without a further word.
    for (const event of ["pagehide", "visibilitychange"]) addEventListener(event, () => this.#keepDraft())
    const draft = read(DRAFT, "sessionStorage")
    if (draft) this.draft = restored(draft)
    const { text, run } = read(KEPT, "sessionStorage") ?? {}
    if (text) await this.post(text, "", this.draft)
    if (!run) return
    try {
      this.run = await api.get(`/runs/${run}`)
    } catch (error) {
      if (error.status !== 404) throw error
    }
    this.#keep()
  }

  #keep() {
    const kept = { text: this.puzzle?.text, run: this.run?.id }
    write(DRAFT, null, "sessionStorage") // it gets the room that is left, when the page goes
    // What is larger than the browser keeps is forgotten, and what it kept before with it.
    if (!write(KEPT, kept, "sessionStorage")) write(KEPT, null, "sessionStorage")
  }

  #keepDraft() {
    // With all its steps, or the latest, or not at all: as the browser keeps it.
    const choices = this.draft ? [stored(this.draft, true), stored(this.draft, false), null] : [null]
    choices.find((kept) => write(DRAFT, kept, "sessionStorage"))
  }
}

export const app = new App()
