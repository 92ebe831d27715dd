// The tree of a search as bars: for each number of pieces left, the fits and no-fits so far, on a
// logarithmic scale.
import { element } from "exactcover/page.js"

/** Rows of bars that are filled again and again. */
export class Profile {
  #levels = []
  #rows = []

  constructor() {
    this.element = element("div", { class: "profile", role: "img" })
  }

  /**
   * levels  for each number of pieces left {left, fits, nofits, chip}; a chip {text, colour, ink} of a
   *         piece stands beside the number
   * most    the number whose bar takes all the room
   * words   number -> how it is written
   */
  show(levels, most, words) {
    this.#levels = levels
    while (this.#rows.length > levels.length) this.#rows.pop().remove()
    while (this.#rows.length < levels.length) {
      const row = levelOf(span("left"), span("chip"), span("bars", span("fits"), span("nofits")), span("many"))
      this.#rows.push(row)
      this.element.append(row)
    }
    levels.forEach(({ left, fits, nofits, chip }, place) => {
      const [number, name, bars, many] = this.#rows[place].children
      this.#rows[place].classList.toggle("open", Boolean(chip))
      number.textContent = left
      name.textContent = chip?.text ?? ""
      name.style.background = chip?.colour ?? ""
      name.style.color = chip?.ink ?? ""
      bars.firstChild.style.width = shareOf(fits, most)
      bars.lastChild.style.width = shareOf(nofits, most)
      many.textContent = words(fits)
    })
  }

  /** Say the same to readers who listen. */
  describe() {
    const texts = this.#levels
      .filter(({ fits, nofits }) => fits || nofits)
      .map(({ left, fits, nofits }) => `${left}: ${fits} and ${nofits}`)
    this.element.ariaLabel = `Fits and no-fits by the number of pieces left. ${texts.join("; ") || "None yet"}`
  }
}

/** How long the bar of a number is. */
export const shareOf = (many, most) => `${(100 * Math.log10(1 + many)) / Math.log10(1 + Math.max(1, most))}%`

export const span = (look, ...children) => element("span", { class: look }, ...children)

/** A row of a profile: the number of pieces left, a chip, the bars, a number. */
export const levelOf = (...cells) => element("div", { class: "level", "aria-hidden": "true" }, ...cells)
