// The region of a draft: cells are put in and taken out by clicking, dragging or keys.

import { element } from "exactcover/page.js"
import { Board } from "exactcover/board.js"
import { keyOf } from "./draft.js"
import { switcher } from "./parts.js"

const TOOLS = [
  ["filled", "Cells", "Press or drag: cells that must be covered come in, or go"],
  ["optional", "Optional cells", "Press or drag: cells that may stay empty"],
]
const CLASSES = ["", "dots", "stripes", "ring", "cross"]

export class RegionBoard {
  /** history: of the draft */
  constructor(history) {
    this.history = history
    this.tool = "filled"
    this.classes = null // key of a cell -> class of a colouring, while it is shown
    this.tools = switcher("What is drawn", TOOLS, this.tool, (tool) => (this.tool = tool))
    this.space = element("div", { class: "canvas" })
    this.data = { cells: [], layers: [] }
  }

  /** Take another board to draw on. */
  take(data) {
    this.data = data
    this.keys = data.cells.map(keyOf)
    this.board = new Board(data, {
      label: "Region: press a cell to put it in or take it out; arrow keys move",
      width: 720,
      ondrag: (cell, event, first) => this.#stroke(cell, first),
    })
    this.space.replaceChildren(this.board.element)
    this.paint()
  }

  paint() {
    if (!this.board) return
    const { cells } = this.history.state
    this.board.paint((cell) => {
      const state = cells[this.keys[cell]]
      if (!state) return { pressed: false, fill: "", owner: null, state: "outside" }
      const kind = this.classes?.get(this.keys[cell])
      return {
        fill: state === "filled" ? "var(--drawn)" : "var(--drawn-optional)",
        owner: "region",
        pressed: true,
        mark: kind === undefined ? (state === "optional" ? "dots" : null) : CLASSES[kind % CLASSES.length] || null,
        state: state === "optional" ? "optional" : "in the region",
      }
    })
  }

  /** Show the classes of a colouring: [{cell, class}] with cells as coordinates; null: not any more. */
  colour(classes) {
    this.classes = classes && new Map(classes)
    this.paint()
  }

  #stroke(cell, first) {
    const key = this.keys[cell]
    const { cells } = this.history.state
    if (first) this.value = cells[key] === this.tool ? null : this.tool
    if ((cells[key] ?? null) === this.value) return
    const changed = { ...cells }
    if (this.value) changed[key] = this.value
    else delete changed[key]
    this.history.change({ cells: changed }, !first && this.stroking)
    this.stroking = true
  }

  /** Put all cells of the board in, or take all out. */
  all(state) {
    const cells = state ? Object.fromEntries(this.keys.map((key) => [key, state])) : {}
    this.history.change({ cells })
  }

  /** Swap the cells inside the board and those outside. */
  invert() {
    const { cells } = this.history.state
    const out = this.keys.filter((key) => !cells[key])
    this.history.change({ cells: Object.fromEntries(out.map((key) => [key, "filled"])) })
  }
}
