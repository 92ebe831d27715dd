// The list of pieces: choose one, and change how it is shown.

import { element, isDark } from "exactcover/page.js"
import { STATES } from "exactcover/model.js"

export class PieceList {
  constructor(model, { choose, change }) {
    this.model = model
    this.choose = choose
    this.change = change
    this.element = element("ul", { class: "pieces", "aria-label": "Pieces" })
  }

  /** Make the list again, for another solution. */
  fill() {
    this.rows = this.model.parts.map((part) => {
      const swatch = element("i", {})
      const name = element(
        "button",
        { class: "name", onclick: () => this.choose(part) },
        swatch,
        element("span", {}, part.name),
      )
      const state = element("button", {
        class: "state",
        onclick: () => {
          const next = STATES[(STATES.indexOf(this.model.stateOf(part)) + 1) % STATES.length]
          this.change(part, next)
        },
      })
      return { part, swatch, name, state }
    })
    this.element.replaceChildren(
      ...this.rows.map(({ name, state }) => element("li", {}, name, state)),
    )
    this.refresh()
  }

  refresh() {
    const shade = isDark() ? 1 : 0
    for (const { part, swatch, name, state } of this.rows) {
      const shown = this.model.stateOf(part)
      swatch.style.background = part.tone[shade]
      name.setAttribute("aria-pressed", part.key === this.model.chosen)
      name.title = part.name
      state.textContent = shown
      state.setAttribute("aria-label", `${part.name}: ${shown}`)
    }
  }

  /** Bring a piece into view in the list, without moving the page. */
  reveal(part) {
    const row = this.rows.find((one) => one.part.key === part.key).name.parentElement
    const top = row.offsetTop - this.element.offsetTop
    const bottom = top + row.offsetHeight
    if (top < this.element.scrollTop) this.element.scrollTop = top
    const seen = this.element.clientHeight
    if (bottom > this.element.scrollTop + seen) this.element.scrollTop = bottom - seen
  }
}
