// The tip beside the board: a hint of the server, or that the puzzle is solved.

import { element } from "exactcover/page.js"

const PATIENCE = 15 // questions for one hint: about half a minute

const keyOf = (cells) => [...cells].sort((a, b) => a - b).join()

export class Tip {
  isSolved = false
  hint = null // {piece, cells, why}, or {undo, why}

  /** onchange(): there is another hint, or none; onplace(piece, cells): the player takes the hint. */
  constructor(game, app, { onchange, onplace }) {
    Object.assign(this, { game, app, onchange, onplace })
    this.element = element("div", { class: "tip", hidden: "" })
  }

  /** Ask the server for a hint, again while it still searches for one; the button rests meanwhile. */
  async ask(button) {
    const { placed } = this.game
    button.disabled = true
    try {
      for (let times = 1; ; times++) {
        const hint = await this.app.withPuzzle((puzzle) => this.app.api.post("/aid/hint", { puzzle, placed }))
        if (placed !== this.game.placed) return
        if (!hint.searching || times === PATIENCE) return this.#offer(hint)
        this.show(element("p", {}, "Looking for a solution …"))
      }
    } catch (error) {
      this.app.fail(error)
    } finally {
      button.disabled = this.isSolved
    }
  }

  #offer(hint) {
    this.hint = hint
    const act = element("button", { type: "button", class: "small" })
    if (hint.cells) {
      act.textContent = `Place ${hint.piece}`
      act.addEventListener("click", () => this.place())
    } else if (hint.undo?.length) {
      act.textContent = hint.undo.length === 1 ? `Take back ${hint.undo[0].piece}` : `Take back ${hint.undo.length} pieces`
      act.addEventListener("click", () => this.game.remove(...this.back()))
    }
    this.show(element("p", {}, hint.why), ...(act.textContent ? [act] : []))
    this.app.say(`${hint.cells ? `Hint: ${hint.piece}. ` : ""}${hint.why}`)
    this.onchange()
  }

  /** Place the piece of the hint. */
  place() {
    this.onplace(this.hint.piece, this.hint.cells)
  }

  /** The numbers of the placed pieces that the hint takes back. */
  back() {
    const keys = new Set((this.hint?.undo ?? []).map(({ cells }) => keyOf(cells)))
    return this.game.placed.flatMap(({ cells }, number) => (keys.has(keyOf(cells)) ? [number] : []))
  }

  /** Say that the puzzle is solved: there are no more hints. */
  solved() {
    this.hint = null
    this.isSolved = true
    this.show(element("p", { class: "solved" }, "Solved."))
  }

  show(...children) {
    this.element.replaceChildren(...children)
    this.element.hidden = false
  }

  clear() {
    this.hint = null
    this.isSolved = false
    this.element.hidden = true
    this.element.replaceChildren()
  }
}
