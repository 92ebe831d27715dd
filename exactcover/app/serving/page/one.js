// One solution, large: as a flat picture or as a turning model, with files of it.

import { element, isDark } from "exactcover/page.js"
import { switcher } from "./parts.js"
import { fileName } from "./files.js"

const FORMATS = [
  ["svg", "SVG", "a picture"],
  ["stl", "STL", "pieces to print"],
  ["json", "JSON", "for programs"],
  ["txt", "Text", "letters"],
]

export class OneSolution {
  /** move: function of +1 or -1, to show the next solution or the one before. */
  constructor(app, move) {
    Object.assign(this, { app, index: -1, way: null })
    this.heading = element("h2", { tabindex: "-1" }, "")
    this.space = element("div", { class: "large" })
    this.ways = switcher("How it is shown", [["flat", "Flat"], ["model", "Model"]], "flat", (way) => {
      this.way = way
      this.draw()
    })
    const step = (text, name, by) => element("button", { type: "button", "aria-label": name, title: name, onclick: () => move(by) }, text)
    const files = FORMATS.map(([format, text, hint]) =>
      element("button", { type: "button", class: "small", title: `${text}: ${hint}`, onclick: () => this.export(format) }, text))
    this.element = element("section", { class: "card one", "aria-label": "One solution", hidden: true },
      element("div", { class: "row spread" },
        element("div", { class: "row" }, step("‹", "Previous solution", -1), this.heading, step("›", "Next solution", 1)),
        this.ways.element,
        element("button", { type: "button", "aria-label": "Close this solution", onclick: () => this.hide() }, "×")),
      this.space,
      element("div", { class: "row" }, element("span", { class: "hint" }, "Save as"), ...files))
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide()
    })
    this.onTheme = () => this.draw()
    app.addEventListener("theme", this.onTheme)
  }

  show(run, one, puzzle, flat) {
    Object.assign(this, { run, index: one.index, puzzle, flat })
    const opened = this.element.hidden
    this.way ??= puzzle.dimension > 2 ? "model" : "flat"
    this.ways.set(this.way)
    this.heading.textContent = `Solution ${one.index + 1}`
    this.element.hidden = false
    this.draw()
    if (opened) this.heading.focus({ preventScroll: true })
    this.app.say(`Solution ${one.index + 1}${one.symmetric ? ", symmetric" : ""}.`)
  }

  draw() {
    if (this.element.hidden) return
    if (this.way === "flat") this.space.replaceChildren(this.flat())
    else {
      const address = `/page/model.html?run=${this.run.id}&solution=${this.index}&theme=${isDark() ? "dark" : "light"}`
      this.space.replaceChildren(element("iframe", { src: address, title: `Model of solution ${this.index + 1}`, class: "model" }))
    }
  }

  hide() {
    this.element.hidden = true
    this.space.replaceChildren()
    this.index = -1
  }

  /** Save a file of the solution; an error is shown on the page. */
  async export(format) {
    try {
      const address = `/api/runs/${this.run.id}/solutions/${this.index}/export?format=${format}`
      const answer = await fetch(address)
      if (!answer.ok) throw new Error((await answer.json()).error)
      const named = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")
      const link = URL.createObjectURL(await answer.blob())
      const name = named?.[1] ?? fileName(`${this.puzzle.title} ${this.index + 1}`, format)
      element("a", { href: link, download: name }).click()
      setTimeout(() => URL.revokeObjectURL(link), 1000)
    } catch (error) {
      this.app.fail(error)
    }
  }

  close() {
    this.app.removeEventListener("theme", this.onTheme)
    this.hide()
  }
}
