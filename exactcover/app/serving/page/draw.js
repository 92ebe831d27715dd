// Drawing a puzzle: its region on a board, its pieces, and what is known of it meanwhile.

import { element, shortcuts } from "exactcover/page.js"
import { debounced } from "./api.js"
import { asked, emptyDraft, draftOf, keyOf } from "./draft.js"
import { RegionBoard } from "./draw-board.js"
import { Checks } from "./draw-checks.js"
import { PieceRows } from "./draw-pieces.js"
import { History } from "./history.js"
import { button, choice, field } from "./parts.js"
import { Solid } from "exactcover/solid.js"

const SIZES = ["", "16", "10x6", "4x4x4", "3x3x2x2", "2x2x2x2x2", "2x2x2x2x2x2"] // by dimension

const MOMENT = 200 // milliseconds without a change before the model of the region is drawn

export async function draw(box, app, signal) {
  app.lattices ??= await app.api.get("/lattices")
  await new Drawing(box, app, signal).open()
}

class Drawing {
  constructor(box, app, signal) {
    Object.assign(this, { box, app, signal, margin: 1, asked: 0 })
    const start = app.puzzle ? draftOf(app.puzzle) : emptyDraft("square")
    this.history = app.draft?.history ?? new History([start])
    this.history.changed = () => this.changed()
    this.drawnOn = app.draft?.drawnOn ?? new WeakMap() // state of the draft -> the board it is drawn on
    this.region = new RegionBoard(this.history)
    this.pieces = new PieceRows(app, this.history)
    this.checks = new Checks(app, this.history, {
      told: (puzzle) => this.told(puzzle),
      coloured: (classes) => this.region.colour(classes),
    })
    this.solid = new Solid("solid", "Model of the puzzle: drag it, or turn it with the arrow keys")
    this.solid.element.hidden = true
    this.showRegion = debounced(MOMENT, (signal) => this.#showRegion(signal))
    app.addEventListener("theme", () => {
      this.pieces.paint()
      this.solid.repaint()
    }, { signal })
    shortcuts({
      "Ctrl+z": ({ shiftKey }) => this.step(shiftKey ? 1 : -1),
      "Ctrl+y": () => this.step(1),
    }, signal)
    signal.addEventListener("abort", () => this.solid.close())
  }

  get lattice() {
    return this.app.lattices.find(({ name }) => name === this.history.state.lattice)
  }

  async open() {
    const { app, box } = this
    box.append(this.head(), element("div", { class: "split drawing" },
      element("div", { class: "stack" },
        element("section", { class: "card stack tight", "aria-label": "Region" }, this.toolbar(), this.region.space),
        this.solid.element),
      element("div", { class: "stack" }, this.checks.element, this.pieces.element)))
    this.pieces.offer()
    if (app.puzzle?.undrawn) box.querySelector(".heading").after(element("p", { class: "warning" }, app.puzzle.undrawn))
    if (app.draft) {
      this.changed()
    } else if (app.puzzle) {
      await this.roomFor(app.puzzle)
      this.pieces.told(app.puzzle)
      this.checks.changed(app.puzzle)
      this.showSolid(app.puzzle)
    } else await this.shape(SIZES[this.lattice.dimension])
    this.refresh()
  }

  head() {
    this.title = element("input", { type: "text", placeholder: "Name of the puzzle", maxlength: 80, value: this.history.state.title,
      onchange: () => this.history.change({ title: this.title.value.trim() }) })
    return element("div", { class: "heading" },
      element("div", {}, element("h1", { tabindex: "-1" }, "Draw"),
        element("p", { class: "lead" }, "Draw a region, choose pieces. The puzzle is checked while you draw, and every step can be undone.")),
      element("div", { class: "row ends" }, field("Name", this.title),
        button("New", () => this.renew()),
        element("a", { class: "button", href: "#play" }, "Play"),
        element("a", { class: "button main", href: "#run" }, "Run")))
  }

  toolbar() {
    const lattices = this.app.lattices.map(({ name, title }) => [name, title && title !== name ? `${name}: ${title}` : name])
    this.lattices = choice("Lattice", lattices, this.history.state.lattice, (name) => this.change(name))
    this.size = element("input", { type: "text", list: "boards", autocomplete: "off", spellcheck: "false" })
    this.boards = element("datalist", { id: "boards" })
    const form = element("form", { class: "join", onsubmit: (event) => {
      event.preventDefault()
      this.app.settling("size", this.shape(this.size.value.trim() || this.size.placeholder))
    } }, field("Size or board", this.size), this.boards, element("button", { type: "submit" }, "Set"))
    this.undo = button("↶ Undo", () => this.history.step(-1), { title: "Undo (Ctrl+Z)" })
    this.redo = button("↷ Redo", () => this.history.step(1), { title: "Redo (Ctrl+Shift+Z)" })
    return element("div", { class: "stack tight" },
      element("div", { class: "row ends" }, this.lattices, form),
      element("div", { class: "row" }, this.region.tools.element, this.undo, this.redo,
        button("All", () => this.region.all("filled"), { title: "Put all cells of the board in" }),
        button("None", () => this.region.all(null), { title: "Take all cells out" }),
        button("Invert", () => this.region.invert(), { title: "Swap inside and outside" }),
        button("More room", () => this.moreRoom(), { title: "Show more cells round the region" })))
  }

  /** The draft has changed. */
  changed() {
    if (this.signal.aborted) return
    this.app.draft = { history: this.history, drawnOn: this.drawnOn }
    const board = this.drawnOn.get(this.history.state)
    if (!board) this.drawnOn.set(this.history.state, this.region.data)
    else if (board !== this.region.data) this.region.take(board)
    // The bar shows the puzzle before until the server has read a draft on another lattice.
    if (this.app.puzzle?.lattice !== this.history.state.lattice) document.getElementById("bar").hidden = true
    this.refresh()
    this.checks.changed()
    if (this.lattice.dimension > 2) {
      if (!this.history.state.pieces.length) this.showRegion()
    } else this.solid.element.hidden = true
  }

  refresh() {
    const { state } = this.history
    this.region.paint()
    this.pieces.paint()
    this.undo.disabled = !this.history.canUndo
    this.redo.disabled = !this.history.canRedo
    if (document.activeElement !== this.title) this.title.value = state.title
    this.lattices.querySelector("select").value = state.lattice
    this.boards.replaceChildren(...this.lattice.boards.map(({ example }) => element("option", { value: example })))
    this.size.placeholder = SIZES[this.lattice.dimension] ?? ""
  }

  /** The server has read the draft. */
  told(puzzle) {
    if (this.app.draft?.history !== this.history) return // another puzzle was opened meanwhile
    // A puzzle's file has no colours of pieces: the page keeps them while it is open.
    for (const { name, colour } of this.history.state.pieces) {
      const piece = colour && puzzle.pieces.find((one) => one.name === name)
      if (piece) Object.assign(piece, { colour, dark: colour, dyed: true })
    }
    this.puzzle = puzzle
    this.app.open(puzzle, this.app.draft)
    this.pieces.told(puzzle)
    this.showSolid(puzzle)
  }

  /** The model of a puzzle in space: its region with the pieces beside it. */
  async showSolid(puzzle) {
    if (puzzle.dimension > 2) await this.#show(this.app.api.get(`/puzzles/${puzzle.id}/view.json`))
    else this.solid.element.hidden = true
  }

  /** The model of a region that has no pieces yet. */
  async #showRegion(signal) {
    const { state } = this.history
    if (Object.keys(state.cells).length) await this.#show(this.app.api.post("/draft/view.json", asked(state), signal))
  }

  async #show(asked) {
    try {
      const data = await asked
      this.solid.element.hidden = Boolean(this.solid.closed)
      await this.solid.load(data)
    } catch (error) {
      if (error.status !== 413) this.app.fail(error)
    }
  }

  /** Another lattice: pieces and cells of the one before mean nothing there. */
  async change(name) {
    this.history.change({ lattice: name, cells: {}, pieces: [] })
    this.pieces.offer()
    await this.shape(SIZES[this.lattice.dimension], true)
  }

  async renew() {
    this.history.change(emptyDraft(this.history.state.lattice))
    await this.shape(SIZES[this.lattice.dimension], true)
    this.app.say("A new puzzle.")
  }

  /** Take a board of this size or name as the region. */
  async shape(shape, joined = false) {
    const data = await this.board(this.history.state.lattice, { shape })
    if (!data) return
    this.region.take(data)
    if (this.size.value.trim() === shape) this.size.value = ""
    this.history.change({ cells: Object.fromEntries(data.cells.map((cell) => [keyOf(cell), "filled"])) }, joined)
  }

  /** A board from the server; null if another one is needed meanwhile, or none. */
  async board(lattice, query) {
    const asked = ++this.asked
    const data = await this.app.api.get(`/boards/${lattice}`, query)
    return asked === this.asked && lattice === this.history.state.lattice && !this.signal.aborted ? data : null
  }

  async moreRoom() {
    if (!this.puzzle && !this.app.puzzle) return this.app.notice("Add pieces first: then there can be more room round the region.", "news")
    this.margin++
    return this.roomFor(this.puzzle ?? this.app.puzzle)
  }

  /** Show the cells round a puzzle's region too. */
  async roomFor(puzzle) {
    const data = await this.board(puzzle.lattice, { around: puzzle.id, margin: this.margin }).catch((error) => {
      if (error.status === 404 || error.status === 0) throw error
      return puzzle.board
    })
    if (!data) return
    this.region.take(data)
    this.drawnOn.set(this.history.state, data)
  }

  /** Undo or redo by a key. */
  step(by) {
    this.app.say(this.history.step(by) ? "Done." : "There is nothing more to undo or redo.")
  }
}
