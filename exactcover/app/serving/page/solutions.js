// The solutions of a run: a contact sheet with filters, and one of them large.

import { element, isDark } from "exactcover/page.js"
import { Board } from "exactcover/board.js"
import { lookOf } from "./lane.js"
import { OneSolution } from "./one.js"
import { button, checkbox, choice, going, plural } from "./parts.js"
import { path } from "./api.js"

const AT_ONCE = 24 // solutions of a page of the sheet

export const solutions = (box, app, signal) => new Sheet(box, app, signal).open()

class Sheet {
  constructor(box, app, signal) {
    Object.assign(this, { box, app, signal, puzzle: app.puzzle, from: 0, symmetric: false, piece: "", cell: -1 })
    this.said = element("p", { class: "hint", role: "status" })
    this.tiles = element("ul", { class: "tiles sheet" })
    this.pager = element("nav", { class: "row pager", "aria-label": "Pages of the sheet" })
    this.save = element("a", { class: "button small", download: "solutions.svg", hidden: true }, "Save these as one SVG")
    this.one = new OneSolution(app, (step) => this.move(step), signal)
    const paint = () => {
      this.draw()
      this.paintWhere()
    }
    app.addEventListener("theme", paint, { signal })
    document.addEventListener("back", paint, { signal })
  }

  async open() {
    const { app, box } = this
    const run = await this.findRun()
    box.append(element("h1", { tabindex: "-1" }, "Solutions"))
    if (!run) {
      box.append(element("div", { class: "empty" },
        element("p", {}, "This puzzle has no run yet whose solutions are kept."),
        element("p", {}, element("a", { class: "button main", href: "#run" }, "Run a search"))))
      return
    }
    this.run = run
    const side = element("div", { class: "stack side" }, this.filters())
    const sheet = element("div", { class: "stack" }, this.said, this.one.element, this.tiles, this.pager,
      element("p", {}, this.save))
    box.append(element("div", { class: "split" }, side, sheet))
    await this.load()
    if (!going(run) || this.signal.aborted) return
    this.timer = setInterval(() => this.renew(), 2000)
    this.signal.addEventListener("abort", () => clearInterval(this.timer))
  }

  /** The run that was shown last, else the newest of this puzzle that keeps solutions. */
  async findRun() {
    const { app, puzzle } = this
    const runs = (await app.api.get("/runs")).filter((run) => run.puzzle === puzzle.id && run.what !== "count")
    return runs.find(({ id }) => id === app.run?.id) ?? runs.at(-1) ?? null
  }

  filters() {
    const names = [...new Set(this.puzzle.pieces.map(({ name }) => name))]
    const piece = choice("Piece", [["", "any"], ...names.map((name) => [name, name])], "", (name) => {
      this.filter({ piece: name, cell: name ? this.cell : -1 })
      where.hidden = !name
    })
    this.where = new Board(this.puzzle.board, {
      label: "Where the piece lies: press a cell",
      width: 290,
      onpress: (cell) => this.filter({ cell: cell === this.cell ? -1 : cell }),
    })
    const where = element("div", { class: "stack tight", hidden: true },
      element("p", { class: "hint" }, "Press the cell that the piece shall cover."), this.where.element)
    this.paintWhere()
    return element("section", { class: "card stack tight", "aria-label": "Filters" },
      element("h2", {}, "Show only"),
      checkbox("symmetric ones", false, (symmetric) => this.filter({ symmetric })),
      piece, where,
      element("p", {}, element("a", { class: "button small", href: "#run" }, "Back to the run")))
  }

  paintWhere() {
    const { piece, puzzle } = this
    const look = piece && lookOf(puzzle.pieces.find(({ name }) => name === piece))
    this.where?.paint((cell) => cell === this.cell ? { ...look, pressed: true } : { pressed: false })
  }

  async filter(wishes) {
    Object.assign(this, wishes, { from: 0 })
    this.paintWhere()
    await this.load()
  }

  wishes() {
    return {
      symmetric: this.symmetric ? 1 : null,
      piece: this.piece && this.cell >= 0 ? this.piece : null,
      cell: this.piece && this.cell >= 0 ? this.cell : null,
    }
  }

  async load() {
    const own = (this.asked = {})
    const found = await this.app.api.get(`/runs/${this.run.id}/solutions`,
      { from: this.from, number: AT_ONCE, ...this.wishes() })
    if (own !== this.asked) return
    Object.assign(this, found)
    this.draw()
  }

  /** More may have been found since. */
  async renew() {
    if (document.hidden || this.tiles.contains(document.activeElement)) return
    try {
      this.run = await this.app.api.get(`/runs/${this.run.id}`)
      if (!going(this.run)) clearInterval(this.timer)
      await this.load()
    } catch (error) {
      clearInterval(this.timer)
      throw error
    }
  }

  draw() {
    const { total, from, solutions } = this
    if (!solutions) return
    const kept = this.run.kept < this.run.solutions ? ` The server keeps the first ${plural(this.run.kept, "solution")}.` : ""
    const filtered = this.symmetric || this.wishes().piece
    this.said.textContent = total
      ? `${plural(total, filtered ? "fitting solution" : "solution")}${going(this.run) ? " so far" : ""}.${kept}`
      : filtered ? "No solution fits these filters." : going(this.run) ? "No solution so far." : "There is no solution."
    this.tiles.replaceChildren(...solutions.map((one) => this.tile(one)))
    const pages = Math.ceil(total / AT_ONCE)
    const page = Math.floor(from / AT_ONCE)
    const step = (to, text, name) => button(text, () => this.turn(to), { "aria-label": name, disabled: to < 0 || to >= pages || to === page })
    this.save.hidden = !total
    this.save.href = path(`/api/runs/${this.run.id}/sheet.svg`, { from, number: AT_ONCE, dark: 0, ...this.wishes() })
    this.pager.hidden = pages < 2
    this.pager.replaceChildren(
      step(0, "«", "First page"), step(page - 1, "‹", "Previous page"),
      element("span", {}, `Page ${page + 1} of ${pages}`),
      step(page + 1, "›", "Next page"), step(pages - 1, "»", "Last page"))
  }

  async turn(page) {
    this.from = page * AT_ONCE
    await this.load()
    this.tiles.querySelector("button")?.focus()
  }

  tile(one) {
    const flat = this.puzzle.dimension <= 2
    const picture = flat ? this.flat(one, 150) : element("img", {
      alt: "", loading: "lazy",
      src: path(`/api/runs/${this.run.id}/solutions/${one.index}/picture.svg`, { dark: isDark() ? 1 : 0 }),
    })
    const sign = one.symmetric ? " · symmetric" : ""
    return element("li", {}, element("button", { class: "tile small", onclick: () => this.show(one) },
      element("span", { class: "picture" }, picture), element("span", { class: "facts" }, `Solution ${one.index + 1}${sign}`)))
  }

  flat({ owners, parts }, width) {
    const board = new Board(this.puzzle.board, { label: "", width, smallest: 4 })
    const looks = this.puzzle.pieces.map(lookOf)
    board.paintOwners(owners, (owner) => looks[owner], parts)
    board.element.setAttribute("aria-hidden", "true")
    return board.element
  }

  show(one) {
    this.one.show(this.run, one, this.puzzle, () => this.flat(one, 560))
    this.one.element.scrollIntoView({ block: "nearest" })
  }

  /** The solution before or behind the one that is shown, through all pages. */
  async move(step) {
    const place = this.solutions.findIndex(({ index }) => index === this.one.index) + step
    const to = this.from + place
    if (to < 0 || to >= this.total) return
    if (place < 0 || place >= this.solutions.length) {
      this.from = Math.floor(to / AT_ONCE) * AT_ONCE
      await this.load()
    }
    const one = this.solutions[to - this.from]
    if (one) this.show(one)
  }
}
