// The tree of a search as bars: for each number of pieces left, the fits and no-fits.

import { element } from "exactcover/page.js"
import { number } from "./parts.js"

export class Profile {
  constructor() {
    this.rows = element("div", { class: "profile", role: "img", "aria-label": "Tree: nothing tried yet" })
    this.element = element("div", { class: "tree", hidden: true },
      element("p", { class: "hint" }, "Pieces left, and what was tried: ",
        element("i", { class: "key" }), " fitted ", element("i", { class: "key no" }), " did not"),
      this.rows)
  }

  /** rows: [pieces left, fits, no-fits] */
  show(rows) {
    const found = [...rows].sort(([a], [b]) => b - a)
    this.element.hidden = !found.length
    const most = Math.max(1, ...found.flatMap(([, fits, nofits]) => [fits, nofits]))
    const share = (many) => `${(100 * Math.log10(1 + many)) / Math.log10(1 + most)}%`
    while (this.rows.children.length > found.length) this.rows.lastChild.remove()
    while (this.rows.children.length < found.length) this.rows.append(level())
    found.forEach(([left, fits, nofits], place) => {
      const [many, bars, sum] = this.rows.children[place].children
      many.textContent = left
      bars.firstChild.style.width = share(fits)
      bars.lastChild.style.width = share(nofits)
      sum.textContent = number(fits)
    })
    const told = found.map(([left, fits, nofits]) => `${left}: ${number(fits)} and ${number(nofits)}`).join("; ")
    this.rows.setAttribute("aria-label", `Fits and no-fits by the number of pieces left. ${told || "None yet"}`)
  }
}

function level() {
  return element("div", { class: "level", "aria-hidden": "true" }, element("span"),
    element("span", { class: "bars" }, element("i", { class: "fits" }), element("i", { class: "nofits" })),
    element("span"))
}
