// The tip beside the board: a hint in three steps, or that the puzzle is solved.
//
// The first step says where to look, the second which piece it is, the third places it. A position
// without a solution gets the pieces to take back at once.

import { element } from "exactcover/page.js"
import { button } from "./parts.js"

const keyOf = (cells) => [...cells].sort((a, b) => a - b).join()

export class Tip {
  isSolved = false
  hint = null // {piece, cells, look, first, why}, or {undo, why}
  step = 0 // of the hint: 1: where to look; 2: which piece

  /**
   * onchange()            there is another hint, or none
   * onhint()              the player gets a hint
   * onplace(piece, cells) the player takes the hint
   */
  constructor(game, app, aid, { onchange, onhint, onplace }) {
    Object.assign(this, { game, app, aid, onchange, onhint, onplace })
    this.element = element("div", { class: "tip", hidden: "" })
  }

  /** The next step of the hint. */
  ask() {
    if (this.isSolved) return
    if (this.hint?.cells) {
      this.#goOn()
      return
    }
    const hint = this.aid.hint(this.game.placed)
    const helps = hint.cells || hint.undo?.length
    if (helps && !this.hint) this.onhint() // not once more for what stands there already
    this.#offer(hint)
  }

  #offer(hint) {
    this.hint = hint
    this.step = 1
    if (hint.cells) {
      const { piece, look, first } = hint
      if (look.length) this.#tell(`${first} Look there.`, "Which piece?", () => this.#goOn())
      else this.#tell(first || `Look for a place for ${piece}.`, "Where?", () => this.#goOn())
    } else if (hint.undo?.length) {
      const many = hint.undo.length
      this.#tell(hint.why, many === 1 ? `Take back ${hint.undo[0].piece}` : `Take back ${many} pieces`,
        () => this.game.remove(...this.back()))
    } else {
      this.#tell(hint.why)
    }
    this.onchange()
  }

  #goOn() {
    if (this.step === 2) {
      this.place()
      return
    }
    this.step = 2
    const { piece, why } = this.hint
    this.#tell(`${piece} goes there. ${why}`, `Place ${piece}`, () => this.place())
    this.onchange()
  }

  #tell(text, action, act) {
    const buttons = action ? [button(action, act, { class: "small" })] : []
    const hadFocus = this.element.contains(document.activeElement)
    this.show(element("p", {}, text), ...buttons)
    if (hadFocus) buttons[0]?.focus()
    this.app.say(`${this.hint?.cells ? "Hint: " : ""}${text}`)
  }

  /** A sentence that is no hint. */
  tell(text) {
    this.hint = null
    this.step = 0
    this.#tell(text)
    this.onchange()
  }

  /** Place the piece of the hint. */
  place() {
    this.onplace(this.hint.piece, this.hint.cells)
  }

  /** The piece that the hint has named so far, or null. */
  get meant() {
    return this.step === 2 || (this.step === 1 && this.hint.cells && !this.hint.look.length) ? this.hint.piece : null
  }

  /** Whether a cell is one of those that the hint would cover, once it says so. */
  shows(cell) {
    return this.step === 2 && this.hint.cells.includes(cell)
  }

  /** The numbers of the placed pieces that the hint takes back. */
  back() {
    const keys = new Set((this.hint?.undo ?? []).map(({ cells }) => keyOf(cells)))
    return this.game.placed.flatMap(({ cells }, number) => (keys.has(keyOf(cells)) ? [number] : []))
  }

  /** Say that the puzzle is solved: there are no more hints. */
  solved(tally, show) {
    this.hint = null
    this.step = 0
    this.isSolved = true
    this.show(element("p", { class: "solved" }, tally.finished ? "Finished by the page." : "Solved."),
      element("p", {}, tally.words),
      button("Picture and next puzzle", show, { class: "small" }))
  }

  show(...children) {
    this.element.replaceChildren(...children)
    this.element.hidden = false
    this.element.scrollIntoView({ block: "nearest" })
  }

  clear() {
    this.hint = null
    this.step = 0
    this.isSolved = false
    this.element.hidden = true
    this.element.replaceChildren()
  }
}
