// Checks of a draft while it is drawn: areas, colourings, proofs that it has no solution.

import { element } from "exactcover/page.js"
import { debounced } from "./api.js"
import { asked, keyOf } from "./draft.js"
import { checkbox, plural } from "./parts.js"

const MOMENT = 350 // milliseconds without a change before a request to the server

export class Checks {
  /** told: function of the PUZZLE that the draft is; coloured: function of the
   *  classes of a colouring that the reader wants to see, or null */
  constructor(app, history, { told, coloured }) {
    Object.assign(this, { app, history, told, coloured })
    this.list = element("ul", { class: "checks" })
    this.verdict = element("p", { class: "verdict", role: "status" })
    this.colouring = checkbox("Show the colouring", false, () => this.showColours())
    this.colouring.hidden = true
    this.element = element("section", { class: "card stack tight", "aria-label": "Checks" },
      element("h2", {}, "Checks"), this.verdict, this.list, this.colouring)
    this.ask = debounced(MOMENT, (signal, puzzle) => this.#ask(signal, puzzle))
  }

  /** The draft has changed; `puzzle`: the PUZZLE that it is, if the server sent it already. */
  changed(puzzle = null) {
    this.element.setAttribute("aria-busy", "true")
    this.#areas()
    this.ask(puzzle)
  }

  #areas(lines = []) {
    const { cells, pieces } = this.history.state
    const states = Object.values(cells)
    const optional = states.filter((state) => state === "optional").length
    const filled = states.length - optional
    this.list.replaceChildren(
      line("", `${plural(filled, "cell")} to cover${optional ? `, ${optional} optional` : ""}`),
      ...(pieces.length ? [] : [line("missing", "No pieces yet")]),
      ...lines)
  }

  async #ask(signal, known) {
    const { app, history } = this
    const draft = history.state
    this.found = null
    if (!Object.keys(draft.cells).length || !draft.pieces.length) {
      this.#say("", Object.keys(draft.cells).length ? "Add pieces below to check the puzzle." : "Press cells to draw the region.")
      return
    }
    try {
      const puzzle = known ?? await app.api.post("/draft", asked(draft), signal)
      if (history.state !== draft) return
      if (!known) this.told(puzzle)
      const found = await app.api.get(`/puzzles/${puzzle.id}/check`, {}, signal)
      if (history.state !== draft) return
      this.#show(found, puzzle)
    } catch (error) {
      if (error.name === "AbortError") return
      if (error.status === 0 || error.status === undefined) app.fail(error)
      this.#say("bad", error.message)
    }
  }

  #show(found, puzzle) {
    const [low, high] = found.volume
    const areas = low === high ? plural(low, "cell") : `${low} to ${high === null ? "any number of" : high} cells`
    const none = found.images.filter(({ number }) => !number).map(({ piece }) => piece)
    this.#areas([
      line(found.fits ? "good" : "missing", `Pieces cover ${areas}`),
      ...(none.length ? [line("missing", `Fits nowhere: ${none.join(", ")}`)] : []),
      line("", `${found.symmetries === 1 ? "No symmetry" : `${found.symmetries} symmetries`} of the region`),
    ])
    const impossible = found.verdict === "impossible"
    this.#say(impossible ? "bad" : "good", impossible ? `Impossible: ${found.why}` : found.why)
    this.found = found.colours && found.colours.map(({ cell, class: kind }) => [keyOf(puzzle.board.cells[cell]), kind])
    this.colouring.hidden = !this.found
    this.showColours()
  }

  showColours() {
    this.coloured(this.found && this.colouring.querySelector("input").checked ? this.found : null)
  }

  #say(kind, sentence) {
    this.element.removeAttribute("aria-busy")
    if (this.verdict.textContent !== sentence) this.verdict.textContent = sentence
    this.verdict.className = `verdict ${kind}`
    if (!this.found) this.colouring.hidden = true
  }
}

const SIGNS = { good: "✓", missing: "!", "": "·" }

function line(kind, text) {
  return element("li", { class: kind }, element("span", { "aria-hidden": "true" }, SIGNS[kind]), text)
}
