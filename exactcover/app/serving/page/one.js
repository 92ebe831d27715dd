// One solution, large: as a flat picture or as a turning model, with files of it.

import { element, isDark } from "exactcover/page.js"
import { Refused } from "./api.js"
import { download } from "./files.js"
import { button, switcher } from "./parts.js"

const FORMATS = [
  ["svg", "SVG", "a picture"],
  ["json", "JSON", "for programs"],
  ["txt", "Text", "letters"],
]

export class OneSolution {
  /** move: function of +1 or -1, to show the next solution or the one before. */
  constructor(app, move, signal) {
    Object.assign(this, { app, index: -1, way: null })
    this.heading = element("h2", { tabindex: "-1" }, "")
    this.space = element("div", { class: "large" })
    this.ways = switcher("How it is shown", [["flat", "Flat"], ["model", "Model"]], "flat", (way) => {
      this.way = way
      this.draw()
    })
    const step = (text, name, by) => button(text, () => move(by), { "aria-label": name, title: name })
    const files = FORMATS.map(([format, text, hint]) => button(text, () => this.export(format), { class: "small", title: `${text}: ${hint}` }))
    this.element = element("section", { class: "card one", "aria-label": "One solution", hidden: true, onkeydown: ({ key }) => key === "Escape" && this.hide() },
      element("div", { class: "row spread" },
        element("div", { class: "row" }, step("‹", "Previous solution", -1), this.heading, step("›", "Next solution", 1)),
        this.ways.element,
        button("×", () => this.hide(), { "aria-label": "Close this solution" })),
      this.space,
      element("div", { class: "row" }, element("span", { class: "hint" }, "Save as"), ...files))
    app.addEventListener("theme", () => this.draw(), { signal })
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

  async export(format) {
    const answer = await fetch(`/api/runs/${this.run.id}/solutions/${this.index}/export?format=${format}`)
    if (!answer.ok) throw new Refused((await answer.json()).error, answer.status)
    download(`solution-${this.index + 1}.${format}`, await answer.blob())
  }
}
