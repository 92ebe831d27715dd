// Solve: it opens running, shows the first solution large, and the rest as they come.

import { Board } from "exactcover/board.js"
import { element, inkOn } from "exactcover/page.js"
import { Profile } from "exactcover/profile.js"
import { Turning } from "exactcover/turning.js"
import { button, colourOf, download, fail, fileName, number, plural } from "./parts.js"
import { ask, fileOf, search } from "./server.js"

const AT_ONCE = 60 // small pictures that are shown before the reader asks for more

export async function solve(box, app, signal) {
  const view = new Solving(box, app, signal)
  await view.run()
}

class Solving {
  rows = [] // {pieces, parts, options, level}
  order = [] // the numbers of rows as they are shown
  at = -1 // the place in the order that is shown large

  constructor(box, app, signal) {
    Object.assign(this, { app, signal, puzzle: app.puzzle })
    const { puzzle } = this
    this.solid = puzzle.dimension > 2
    this.control = new AbortController()
    signal.addEventListener("abort", () => {
      this.control.abort()
      this.model?.close()
    })
    this.state = element("p", { class: "state", role: "status" }, "Searching …")
    this.progress = element("progress", { max: 1, value: 0, "aria-label": "How much is searched" })
    this.stopButton = button("Stop", () => this.control.abort())
    this.previous = button("‹", () => this.step(-1), { "aria-label": "Previous solution", disabled: true })
    this.next = button("›", () => this.step(1), { "aria-label": "Next solution", disabled: true })
    this.which = element("output", {})
    this.files = ["svg", ...(this.solid && puzzle.dimension === 3 ? ["stl"] : [])].map((format) =>
      button(format.toUpperCase(), () => this.save(format), { disabled: true, title: `Save this solution as ${format.toUpperCase()}` }))
    this.large = element("div", { class: "large" }, element("p", { class: "wait" }, "The first solution is on its way …"))
    this.sheet = element("ul", { class: "sheet" })
    this.more = button("Show more", () => this.fill(true), { hidden: true })
    this.sorting = button("Hardest first", () => this.sort(this.sorting.getAttribute("aria-pressed") !== "true"), { hidden: true, "aria-pressed": "false" })
    this.depth = new Profile()
    if (this.solid) {
      this.model = new Turning(puzzle.title)
      this.model.element.hidden = true
    }
    box.append(app.heading(element("a", { class: "button main", href: "#play" }, "Play")),
      element("div", { class: "status" }, this.state, this.stopButton, this.progress),
      element("div", { class: "split" },
        element("section", { class: "card one", "aria-label": "A solution" },
          this.large,
          ...(this.model ? [this.model.element, this.model.caption, this.model.controls] : []),
          element("div", { class: "row" }, this.previous, this.which, this.next, element("span", { class: "gap" }), ...this.files)),
        element("section", { class: "card many", "aria-label": "All solutions" },
          element("div", { class: "row spread" }, element("h2", {}, "All solutions"), this.sorting), this.sheet, this.more)),
      element("details", { class: "options" }, element("summary", {}, "How deep the search went"), this.depth.element))
    if (this.model) this.model.controls.hidden = true
    app.addEventListener("theme", () => {
      this.sheet.replaceChildren()
      this.fill()
      this.show(this.at)
    }, { signal })
    box.addEventListener("keydown", (event) => {
      if (event.target.closest("canvas, input, summary")) return
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (by) this.step(by)
    })
  }

  async run() {
    let last = {}
    try {
      for await (const message of search(this.puzzle.text, this.control.signal)) {
        if (message.levels) this.take(message.levels)
        else last = this.tell(message)
      }
      this.end(last)
    } catch (error) {
      if (this.signal.aborted) return
      if (error.name !== "AbortError") fail(error)
      this.end({ ...last, status: error.name === "AbortError" ? "stopped" : "failed" })
    }
  }

  /** Take a message of the search. */
  tell(message) {
    const { rows, solutions, done, seconds, profile } = message
    if (rows.length) {
      // A large puzzle gives one solution before it lists all of them.
      if (this.early && this.rows.length) this.rows.length = this.order.length = 0
      this.early = solutions === 1 && rows.length === 1 && this.puzzle.board.cells.length > 150
      for (const row of rows) this.order.push(this.rows.push(row) - 1)
      this.fill()
      if (this.at < 0) this.show(0)
      else this.place()
    }
    this.progress.value = done
    this.state.textContent = solutions ? `${plural(solutions, "solution")} so far` : seconds > 2 ? "Searching … A first search of its kind takes some seconds." : "Searching …"
    const levels = profile.map(([left, fits, nofits]) => ({ left, fits, nofits }))
    this.depth.show(levels, Math.max(1, ...levels.flatMap(({ fits, nofits }) => [fits, nofits])), number)
    this.depth.describe()
    return message
  }

  end({ status, solutions = 0, why, seconds = 0 }) {
    this.stopButton.hidden = this.progress.hidden = true
    const all = solutions === 1 ? "One solution" : plural(solutions, "solution")
    const kept = this.rows.length < solutions && this.rows.length ? `; here are ${number(this.rows.length)}` : ""
    const counted = solutions > 1 ? ", rotated ones counted once" : ""
    this.state.textContent = status === "complete" || status === "impossible"
      ? solutions ? `${all}${counted}${kept}. ${seconds.toFixed(1)} s.` : `No solution: ${why || "every placement was tried"}.`
      : status === "failed" ? "The search failed."
        : `${status === "limit" ? "Time is up" : "Stopped"}: ${plural(solutions, "solution")} so far${kept}.`
    this.app.say(this.state.textContent)
    if (this.rows.length) return
    this.large.replaceChildren(element("p", { class: "wait" }, this.state.textContent))
    this.large.hidden = false
  }

  /** The levels of solutions of a burr: [number, level]. It shows the hardest, unless the reader has chosen. */
  take(levels) {
    for (const [at, level] of levels) if (this.rows[at]) this.rows[at].level = level
    this.sorting.hidden = false
    if (levels.at(-1)[0] !== this.rows.length - 1) return
    if (!this.chosen) this.sort(true)
  }

  sort(hardest) {
    this.sorting.setAttribute("aria-pressed", hardest)
    const numbers = (row) => (this.rows[row].level || "0").split(".").map(Number)
    const compare = (a, b) => {
      const [x, y] = [numbers(a), numbers(b)]
      const at = x.findIndex((one, place) => one !== y[place])
      return at < 0 ? a - b : (y[at] ?? 0) - x[at]
    }
    this.order = [...this.rows.keys()].sort(hardest ? compare : (a, b) => a - b)
    this.sheet.replaceChildren()
    this.fill()
    this.show(0)
  }

  step(by) {
    const to = this.at + by
    if (to < 0 || to >= this.order.length) return
    this.chosen = true
    this.show(to)
  }

  /** Show a solution large. */
  async show(at) {
    const row = this.rows[this.order[at]]
    if (!row) return
    this.at = at
    this.place()
    for (const one of this.files) one.disabled = false
    if (!this.model || this.model.closed) {
      this.large.replaceChildren(this.picture(row, 620).element)
      return
    }
    const asked = ask("model", { text: this.puzzle.text, options: row.options }, this.signal)
    const data = await asked.catch((error) => {
      fail(error)
      return null
    })
    // The solutions may have been sorted meanwhile, so that another one has this place.
    if (!data || this.rows[this.order[this.at]] !== row || this.signal.aborted) return
    this.large.hidden = true
    this.model.element.hidden = this.model.controls.hidden = false
    await this.model.turn(data)
    if (!this.model.closed) return
    this.model.controls.hidden = true // a browser without WebGL gets the layers
    this.large.hidden = false
    this.large.replaceChildren(this.picture(row, 620).element)
  }

  place() {
    this.which.textContent = `${number(this.at + 1)} of ${number(this.order.length)}`
    this.previous.disabled = this.at <= 0
    this.next.disabled = this.at >= this.order.length - 1
    for (const one of this.sheet.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current")
    this.sheet.children[this.at]?.firstChild.setAttribute("aria-current", "true")
  }

  /** The board with a solution on it; copies of a piece are drawn apart. */
  picture({ pieces, parts }, width, smallest) {
    const board = new Board(this.puzzle.board, { label: "Solution", width, smallest })
    board.paintOwners(parts, (part) => {
      const piece = this.puzzle.pieces[pieces[part]]
      const fill = colourOf(piece)
      return { fill, ink: inkOn(fill), text: smallest ? "" : piece.name }
    })
    return board
  }

  /** Fill the sheet of small pictures. */
  fill(further = false) {
    if (further) this.shown = (this.shown ?? AT_ONCE) + 4 * AT_ONCE
    const most = Math.min(this.order.length, this.shown ?? AT_ONCE)
    for (let at = this.sheet.children.length; at < most; at++) {
      const row = this.rows[this.order[at]]
      const board = this.picture(row, 120, 2)
      board.element.setAttribute("aria-hidden", "true")
      const choose = () => {
        this.chosen = true
        this.show(at)
      }
      this.sheet.append(element("li", {}, element("button", { "aria-label": `Solution ${at + 1}${row.level ? `, level ${row.level}` : ""}`, onclick: choose },
        board.element, ...(row.level ? [element("small", {}, row.level)] : []))))
    }
    this.more.hidden = this.order.length <= most
  }

  async save(format) {
    const { title, text } = this.puzzle
    const { options } = this.rows[this.order[this.at]]
    download(fileName(title, format), await fileOf({ text, options, format, title }))
  }
}
