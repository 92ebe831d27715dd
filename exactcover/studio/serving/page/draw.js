// Draw: a region on a board and its pieces; what is known of the puzzle is said while it is drawn.

import { Board } from "exactcover/board.js"
import { element, inkOn, shortcuts } from "exactcover/page.js"
import { History } from "./history.js"
import { button, checkbox, colourOf, debounced, fail, field, keep, kept, openDialog, plural, switcher } from "./parts.js"
import { ask } from "./server.js"

/** Lattice: [its name, the board to begin with, the board of a piece, sets of the library]. */
const LATTICES = {
  square: ["Squares", "8x8", "6x6", ["dominoes", "trominoes", "tetrominoes", "pentominoes", "hexominoes"]],
  triangular: ["Triangles", "hexagon 3", "parallelogram 5 5", ["triamonds", "tetriamonds", "pentiamonds", "hexiamonds"]],
  hexagonal: ["Hexagons", "hexagon 4", "hexagon 3", ["trihexes", "tetrahexes", "pentahexes"]],
  cubic: ["Cubes", "3x3x3", "3x3x3", ["dicubes", "tricubes", "tetracubes", "pentacubes", "soma"]],
}
const MOMENT = 250 // milliseconds without a change before the puzzle is checked
const CLASSES = [null, "stripes", "dots", "ring"] // of a colouring

const keyOf = (cell) => cell.join(",")

/** Whether a puzzle can be edited here without losing anything. */
export const canDraw = ({ lattice, pieces, board }) =>
  lattice in LATTICES && !pieces.some(({ stationary }) => stationary) && !board.layers.some(({ joints }) => joints.length)

export async function draw(box, app, signal) {
  const view = new Drawing(box, app, signal)
  await view.begin()
}

class Drawing {
  constructor(box, app, signal) {
    Object.assign(this, { app, signal, outlines: new Map() })
    const { edited } = app
    app.edited = null
    const old = edited ? draftOf(edited) : kept("draft", "sessionStorage")
    this.history = new History([old ?? { lattice: "square", title: "", cells: {}, pieces: [], reflect: true, board: null }], () => this.changed())
    for (const { name, outline } of edited?.pieces ?? []) this.outlines.set(name, outline)
    this.check = debounced(MOMENT, (control) => this.#check(control).catch(fail))
    this.title = element("input", { type: "text", placeholder: "My Puzzle", maxlength: 60, onchange: () => this.history.change({ title: this.title.value.trim() }) })
    this.lattices = switcher("Cells", Object.entries(LATTICES).map(([name, [title]]) => [name, title]), this.draft.lattice, (name) => this.change(name).catch(fail))
    this.size = element("input", { type: "text", autocomplete: "off", spellcheck: "false" })
    const sizes = element("form", { class: "join", onsubmit: (event) => {
      event.preventDefault()
      this.shape(this.size.value.trim() || this.size.placeholder).catch(fail)
    } }, field("Size", this.size), element("button", { type: "submit" }, "Set"))
    this.undo = button("Undo", () => this.history.step(-1))
    this.redo = button("Redo", () => this.history.step(1))
    this.space = element("div", { class: "canvas" })
    this.verdict = element("p", { class: "verdict", role: "status" })
    this.rows = element("ul", { class: "piece-rows" })
    this.sets = element("div", { class: "row chips", role: "group", "aria-label": "Add a set of pieces" })
    this.reflect = checkbox("Pieces may be turned over", this.draft.reflect, (reflect) => this.history.change({ reflect }))
    this.ready = ["play", "solve"].map((view) => button(view === "play" ? "Play" : "Solve", () => app.open(this.puzzle, view), { class: "main", disabled: true }))
    box.append(element("header", { class: "heading" }, element("h1", { tabindex: "-1" }, "Draw"), element("div", { class: "row" }, field("Name", this.title), ...this.ready)),
      element("div", { class: "split drawing" },
        element("section", { class: "card stack", "aria-label": "Region" },
          element("div", { class: "row ends" }, this.lattices, sizes, this.undo, this.redo),
          element("p", { class: "hint" }, "Press or drag over cells to take them out or put them in. Other lattices come by opening a file."),
          (this.optional = checkbox("Draw cells that may stay empty", false, () => {})), this.space),
        element("section", { class: "card stack", "aria-label": "Pieces" }, this.verdict, element("h2", {}, "Pieces"), this.sets, this.rows,
          element("div", { class: "row" }, button("Draw a piece", () => this.drawPiece().catch(fail)), button("Remove all", () => this.history.change({ pieces: [] })), this.reflect))))
    app.addEventListener("theme", () => this.refresh(), { signal })
    shortcuts({ "Ctrl+z": ({ shiftKey }) => this.history.step(shiftKey ? 1 : -1), "Ctrl+y": () => this.history.step(1) }, signal)
  }

  get draft() {
    return this.history.state
  }

  async begin() {
    const { board, lattice } = this.draft
    if (board) this.changed()
    else await this.shape(LATTICES[lattice][1])
  }

  changed() {
    if (this.signal.aborted) return
    keep("draft", this.draft, "sessionStorage")
    this.puzzle = null
    this.colours = null
    for (const one of this.ready) one.disabled = true
    this.refresh()
    this.check()
  }

  refresh() {
    const { draft } = this
    if (this.board?.data !== draft.board) {
      this.keys = draft.board.cells.map(keyOf)
      this.board = new Board(draft.board, { label: "Region: press a cell to put it in or take it out; arrow keys move", width: 640, ondrag: (cell, event, first) => this.#stroke(cell, first) })
      this.space.replaceChildren(this.board.element)
    }
    this.paint()
    this.lattices.set(draft.lattice)
    this.size.placeholder = LATTICES[draft.lattice][1]
    if (document.activeElement !== this.title) this.title.value = draft.title
    this.reflect.querySelector("input").checked = draft.reflect
    this.undo.disabled = !this.history.canUndo
    this.redo.disabled = !this.history.canRedo
    if (this.sets.dataset.lattice !== draft.lattice) {
      this.sets.replaceChildren(...LATTICES[draft.lattice][3].map((name) => button(name, () => this.addSet(name).catch(fail), { class: "chip", "aria-label": `Add ${name}` })))
      this.sets.dataset.lattice = draft.lattice
    }
    if (!this.rows.contains(document.activeElement) || document.activeElement.tagName !== "INPUT") this.paintRows()
  }

  paint() {
    const { cells } = this.draft
    const colours = new Map(this.colours)
    this.board.paint((cell) => {
      const state = cells[this.keys[cell]]
      if (!state) return { pressed: false, owner: null, state: "outside" }
      return { fill: state === "filled" ? "var(--drawn)" : "var(--drawn-optional)", owner: "region", pressed: true,
        mark: colours.has(this.keys[cell]) ? CLASSES[colours.get(this.keys[cell])] : state === "optional" ? "dots" : null,
        state: state === "optional" ? "may stay empty" : "in the region" }
    })
  }

  #stroke(cell, first) {
    const key = this.keys[cell]
    const { cells } = this.draft
    const tool = this.optional.querySelector("input").checked ? "optional" : "filled"
    if (first) this.value = cells[key] === tool ? null : tool
    if ((cells[key] ?? null) === this.value) return
    const changed = { ...cells }
    if (this.value) changed[key] = this.value
    else delete changed[key]
    this.history.change({ cells: changed }, !first && this.stroking)
    this.stroking = true
  }

  /** Another lattice: a new puzzle, with a new name. Of two pressed one after the other the last one counts. */
  async change(lattice) {
    this.wanted = lattice
    const board = await ask("region", { lattice, name: LATTICES[lattice][1] })
    if (lattice !== this.wanted || this.signal.aborted) return
    this.size.value = ""
    this.history.go({ lattice, title: "", pieces: [], reflect: true, board, cells: filled(board) })
  }

  /** Take a board of this size as the region. */
  async shape(name) {
    const { lattice } = this.draft
    const board = await ask("region", { lattice, name })
    if (lattice !== this.draft.lattice || this.signal.aborted) return
    this.size.value = ""
    if (this.draft.board) this.history.change({ board, cells: filled(board) })
    else this.history.states = [{ ...this.draft, board, cells: filled(board) }]
    this.changed()
  }

  // -- pieces -------------------------------------------------------------------------------------

  async addSet(name) {
    const { lattice, pieces } = this.draft
    const found = await ask("pieces", { lattice, name })
    if (lattice !== this.draft.lattice) return
    const taken = new Set(pieces.map((piece) => piece.name))
    const added = found.map(({ name: own, cells, outline }) => {
      const free = taken.has(own) ? freeName(taken, own) : own
      taken.add(free)
      this.outlines.set(free, outline)
      return { name: free, cells, low: 1, high: 1 }
    })
    this.history.change({ pieces: [...pieces, ...added] })
  }

  paintRows() {
    this.rows.replaceChildren(...this.draft.pieces.map((piece, place) => {
      const known = this.puzzle?.pieces.find(({ name }) => name === piece.name)
      const fill = known ? colourOf(known) : "#9aa2ad"
      const outline = known?.outline ?? this.outlines.get(piece.name)
      const thumb = element("span", { class: "thumb", "aria-hidden": "true" })
      if (outline) {
        const board = new Board(outline, { label: "", width: 56, smallest: 3 })
        board.paint(() => ({ fill, ink: inkOn(fill), owner: 0 }))
        thumb.append(board.element)
      }
      const any = piece.high === null
      const copies = element("input", { type: "number", min: 0, max: 999, value: any ? "" : piece.high, placeholder: "any", "aria-label": `Copies of ${piece.name}; empty: any number`,
        onchange: () => {
          const many = copies.value === "" ? null : Math.max(0, Math.min(999, Math.round(Number(copies.value))))
          this.history.change({ pieces: this.draft.pieces.with(place, { ...piece, low: many ?? 0, high: many }) })
        } })
      return element("li", {}, thumb, element("span", { class: "name" }, piece.name), "×", copies,
        button("×", () => this.history.change({ pieces: this.draft.pieces.toSpliced(place, 1) }), { class: "small", "aria-label": `Remove ${piece.name}` }))
    }))
  }

  /** A dialog with a board on which a piece is drawn. */
  async drawPiece() {
    const { lattice, pieces } = this.draft
    const data = await ask("region", { lattice, name: LATTICES[lattice][2] })
    const taken = new Set(pieces.map(({ name }) => name))
    const chosen = new Set()
    const name = element("input", { type: "text", required: true, maxlength: 20, pattern: "\\S+", value: freeName(taken), autocomplete: "off" })
    let putting = true
    const board = new Board(data, { label: "Cells of the piece", width: Math.min(440, innerWidth - 90), ondrag: (cell, event, first) => {
      if (first) putting = !chosen.has(cell)
      if (putting) chosen.add(cell)
      else chosen.delete(cell)
      paint()
    } })
    const paint = () => {
      board.paint((cell) => (chosen.has(cell) ? { fill: "var(--drawn)", owner: "piece", pressed: true } : { pressed: false }))
      save.disabled = !chosen.size
    }
    const save = element("button", { type: "submit", class: "main" }, "Take this piece")
    const form = element("form", { class: "stack", method: "dialog", onsubmit: () => {
      const free = taken.has(name.value) ? freeName(taken, name.value) : name.value
      this.history.change({ pieces: [...this.draft.pieces, { name: free, cells: data.cells.filter((_, cell) => chosen.has(cell)), low: 1, high: 1 }] })
    } }, field("Name", name), board.element, element("div", { class: "row" }, save, button("Cancel", () => dialog.close())))
    paint()
    const dialog = openDialog("Draw a piece", "", form)
  }

  // -- what is known ------------------------------------------------------------------------------

  async #check(signal) {
    const { draft } = this
    const { lattice, title, cells, pieces, reflect } = draft
    const of = (state) => Object.keys(cells).filter((key) => cells[key] === state).map((key) => key.split(",").map(Number))
    const [must, may] = [of("filled"), of("optional")]
    if (!must.length && !may.length) {
      this.#say("", "Press cells to draw a region.")
      return
    }
    if (!pieces.length) {
      this.#say("", `${plural(must.length, "cell")}. Add pieces: a set, or your own.`)
      return
    }
    try {
      const puzzle = await ask("draft", { lattice, title, cells: must, optional: may, pieces, reflect }, signal)
      if (draft !== this.draft || this.signal.aborted) return
      this.puzzle = puzzle
      const { volume, why, colours } = puzzle.check
      for (const one of this.ready) one.disabled = false
      if (why) this.#say("bad", `Impossible: ${why}.`)
      else this.#say("good", `${plural(must.length, "cell")}${may.length ? `, ${may.length} optional` : ""}; the pieces have ${volume}. Nothing speaks against a solution.`)
      this.colours = colours?.map(([cell, kind]) => [keyOf(puzzle.board.cells[cell]), kind])
      this.refresh()
    } catch (error) {
      if (error.name === "AbortError") return
      this.#say("bad", error.message)
    }
  }

  #say(kind, sentence) {
    this.verdict.textContent = sentence
    this.verdict.className = `verdict ${kind}`
  }
}

/** All cells of a board. */
const filled = (board) => Object.fromEntries(board.cells.map((cell) => [keyOf(cell), "filled"]))

/** The draft of a puzzle. */
function draftOf({ title, lattice, board, pieces, secondary, reflect }) {
  const optional = new Set(secondary)
  const cells = Object.fromEntries(board.cells.map((cell, place) => [keyOf(cell), optional.has(place) ? "optional" : "filled"]))
  return { title, lattice, board, cells, reflect, pieces: pieces.map(({ name, cells: own, low, high }) => ({ name, cells: own, low, high })) }
}

/** A name that is not taken: a letter, or the name with a number. */
function freeName(taken, stem = "") {
  const letters = stem ? [] : "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  for (const letter of letters) if (!taken.has(letter)) return letter
  for (let number = 2; ; number++) if (!taken.has(`${stem || "P"}${number}`)) return `${stem || "P"}${number}`
}
