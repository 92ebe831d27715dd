// The tree beside the board: for each number of pieces left the piece of the branch that is being
// searched, and the fits and no-fits so far, on a logarithmic scale.
import { element } from "exactcover/page.js"

const WORDS = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

/** A table of bars, one row for each number of pieces left, that is filled again and again. */
export class Profile {
  constructor(film, reel, most) {
    this.film = film
    this.reel = reel
    this.scale = Math.log10(1 + most)
    this.table = element("div", { class: "profile", role: "img" })
    const ticks = []
    for (let power = 0; 10 ** power <= most; power++) {
      const tick = element("span", {}, WORDS.format(10 ** power))
      tick.style.left = `${this.#share(10 ** power)}%`
      if (this.scale > 5 && power % 2) continue
      ticks.push(tick)
    }
    const axis = element("div", { class: "level axis", "aria-hidden": "true" },
      element("span", { class: "left" }, "left"), element("span", { class: "chip" }),
      element("span", { class: "bars" }, ...ticks), element("span", { class: "many" }))
    this.table.append(axis)
    this.rows = []
    for (let left = reel.most; left > 0; left--) {
      const row = {
        left,
        chip: element("span", { class: "chip" }),
        fits: element("span", { class: "fits" }),
        nofits: element("span", { class: "nofits" }),
        many: element("span", { class: "many" }),
      }
      row.line = element("div", { class: "level", "aria-hidden": "true" },
        element("span", { class: "left" }, String(left)), row.chip,
        element("span", { class: "bars" }, row.fits, row.nofits), row.many)
      this.table.append(row.line)
      this.rows.push(row)
    }
    this.table.style.setProperty("--levels", String(reel.most + 1))
  }

  #share(many) {
    return this.scale ? (100 * Math.log10(1 + many)) / this.scale : 0
  }

  /** Show what was tried up to a moment, and the pieces on the board. */
  show(moment, placed, dark) {
    const sum = this.reel.profile(moment)
    const shade = dark ? 1 : 0
    const branch = placed.filter((one) => one.piece >= 0)
    const offset = this.reel.most - this.rows.length
    this.rows.forEach((row, number) => {
      const fits = sum[2 * row.left]
      const nofits = sum[2 * row.left + 1]
      row.fits.style.width = `${this.#share(fits)}%`
      row.nofits.style.width = `${this.#share(nofits)}%`
      row.many.textContent = fits ? WORDS.format(fits) : ""
      const piece = branch[number + offset]
      row.line.classList.toggle("open", Boolean(piece))
      row.chip.textContent = piece ? this.film.pieces[piece.piece] : ""
      row.chip.style.background = piece ? this.film.palette[piece.colour][shade] : ""
      row.chip.style.color = piece ? this.film.inks.palette[piece.colour][shade] : ""
    })
  }

  /** The same as a sentence, for readers who listen. */
  describe(moment) {
    const sum = this.reel.profile(moment)
    const texts = this.rows
      .filter((row) => sum[2 * row.left] || sum[2 * row.left + 1])
      .map((row) => `${row.left}: ${sum[2 * row.left]} and ${sum[2 * row.left + 1]}`)
    this.table.setAttribute("aria-label",
      `Fits and no-fits by the number of pieces left. ${texts.join("; ") || "None yet"}`)
  }
}
