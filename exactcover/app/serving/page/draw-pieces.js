// The pieces of a draft: sets of the library, single pieces, copies, colours.

import { element, inkOn, isDark } from "exactcover/page.js"
import { path } from "./api.js"
import { Board } from "exactcover/board.js"
import { drawPiece } from "./draw-piece.js"
import { button, checkbox, colourOf, field, plural } from "./parts.js"

const DRAWN = 120 // pieces of a set that the server draws small: `MOST_OF_A_SET` of catalogue.py

export class PieceRows {
  constructor(app, history) {
    Object.assign(this, { app, history, known: new Map(), outlines: new Map() })
    this.rows = element("ul", { class: "piece-rows" })
    this.rows.addEventListener("focusout", ({ target }) => this.isTyped(target) && setTimeout(() => this.paint()))
    this.sets = element("ul", { class: "sets" })
    this.set = element("input", { type: "text", placeholder: "heptominoes", autocomplete: "off", spellcheck: "false" })
    const form = element("form", { class: "join", onsubmit: (event) => {
      event.preventDefault()
      app.settling("set", this.add(this.set.value.trim() || this.set.placeholder))
    } }, field("Set of the library by its name", this.set), element("button", { type: "submit" }, "Add"))
    this.library = element("details", { class: "options", ontoggle: () => this.#paintSets() },
      element("summary", {}, "Sets of the library"), element("div", { class: "stack tight" }, this.sets, form))
    this.reflect = checkbox("Pieces may be turned over", true, (reflect) => history.change({ reflect }))
    this.element = element("section", { class: "card stack tight", "aria-label": "Pieces" },
      element("h2", {}, "Pieces"), this.rows,
      element("div", { class: "row" }, button("Draw a piece", () => this.draw(-1))),
      this.library, this.reflect)
  }

  /** The sets of the lattice. They are open to choose from while there are no pieces. */
  offer() {
    this.set.placeholder = this.#offered.at(-1) ?? "none known"
    this.set.value = ""
    this.known.clear()
    this.library.open = !this.history.state.pieces.length
    this.#paintSets()
  }

  get #offered() {
    return this.app.lattices.find(({ name }) => name === this.history.state.lattice)?.sets ?? []
  }

  /** The sets as pictures, each a button that adds it; drawn when they are looked at. */
  #paintSets() {
    if (!this.library.open) return
    const shown = `${this.history.state.lattice} ${isDark()}`
    if (this.shownSets === shown) return
    this.shownSets = shown
    this.sets.replaceChildren(...this.#offered.map((name) => {
      const { facts, picture } = this.#seen(name, "too many to show")
      return element("li", {}, element("button", { "aria-label": `Add ${name}`, onclick: () => this.add(name) },
        element("span", { class: "picture" }, picture), element("span", { class: "name" }, name), facts))
    }))
  }

  /** The server has read the draft: take colours and outlines from it. */
  told(puzzle) {
    this.outlines = new Map(puzzle.pieces.map((piece) => [piece.name, piece]))
    this.paint()
  }

  async add(name) {
    const { history } = this
    await this.count(name)
    history.change({ pieces: [...history.state.pieces, { set: name, low: 1, high: 1 }] })
    this.set.value = ""
  }

  /** The number of pieces of a set and its picture, as they come. */
  #seen(name, otherwise) {
    const facts = element("small", {}, " ")
    const nothing = () => picture.replaceWith("▦")
    this.count(name).then((all) => {
      facts.textContent = plural(all.length, "piece")
      if (all.length > DRAWN) nothing()
      else picture.src = src
    }, () => {
      facts.textContent = otherwise
      nothing()
    })
    const src = path(`/api/sets/${encodeURIComponent(name)}/picture.svg`, { lattice: this.history.state.lattice, dark: isDark() ? 1 : 0 })
    const picture = element("img", { alt: "", loading: "lazy", onerror: nothing })
    return { facts, picture }
  }

  async count(name) {
    const key = `${this.history.state.lattice} ${name}`
    if (!this.known.has(key)) {
      this.known.set(key, await this.app.api.get(`/sets/${encodeURIComponent(name)}`, { lattice: this.history.state.lattice }))
    }
    return this.known.get(key)
  }

  change(place, parts) {
    const { pieces } = this.history.state
    this.history.change({ pieces: pieces.with(place, { ...pieces[place], ...parts }) })
  }

  remove(place) {
    this.history.change({ pieces: this.history.state.pieces.toSpliced(place, 1) })
    const buttons = this.rows.querySelectorAll(".remove")
    ;(buttons[Math.min(place, buttons.length - 1)] ?? this.set).focus()
  }

  /** A set becomes its pieces, each to be changed on its own. */
  async split(place) {
    const { pieces } = this.history.state
    const { set, low, high } = pieces[place]
    const single = (await this.count(set)).map(({ name, cells }) => ({ name, cells, low, high, colour: null }))
    this.history.change({ pieces: pieces.toSpliced(place, 1, ...single) })
  }

  async draw(place) {
    const { pieces, lattice } = this.history.state
    const taken = new Set(pieces.map(({ name }) => name))
    const made = await drawPiece(this.app, lattice, pieces[place], taken)
    if (!made) return
    if (place < 0) this.history.change({ pieces: [...pieces, { low: 1, high: 1, ...made }] })
    else this.change(place, made)
  }

  /** Whether a field has a number that was typed and is not yet in the draft. */
  isTyped(field) {
    return this.rows.contains(field) && field.type === "number" && field.value !== field.defaultValue
  }

  paint() {
    if (this.isTyped(document.activeElement)) return // it is painted when the reader leaves the field
    const { pieces, reflect } = this.history.state
    this.reflect.querySelector("input").checked = reflect
    const held = this.rows.contains(document.activeElement) && [...this.rows.querySelectorAll("button, input")].indexOf(document.activeElement)
    this.#paintSets()
    this.rows.replaceChildren(...pieces.map((piece, place) => (piece.set ? this.setRow(piece, place) : this.pieceRow(piece, place))))
    if (held === false) return
    const field = this.rows.querySelectorAll("button, input")[held]
    field?.focus()
    if (field?.type === "number") field.select() // as it was, if the reader is about to type over it
  }

  setRow(piece, place) {
    const { facts, picture } = this.#seen(piece.set, "not known")
    return element("li", {},
      element("span", { class: "thumb set", "aria-hidden": "true" }, picture),
      element("span", { class: "name" }, piece.set, facts),
      this.copies(piece, place, piece.set),
      small("Split", `Split ${piece.set} into single pieces`, () => this.split(place)),
      this.remover(place, piece.set))
  }

  pieceRow(piece, place) {
    const known = this.outlines.get(piece.name)
    const fill = piece.colour ?? (known && colourOf(known)) ?? "#9aa2ad"
    const colour = element("input", { type: "color", value: fill.toLowerCase(), "aria-label": `Colour of ${piece.name}`,
      onchange: () => this.change(place, { colour: colour.value.toUpperCase() }) })
    const thumb = element("span", { class: "thumb" })
    if (known?.outline) {
      const board = new Board(known.outline, { label: "", width: 56, smallest: 3 })
      board.paint(() => ({ fill, ink: inkOn(fill), owner: 0 }))
      board.element.setAttribute("aria-hidden", "true")
      thumb.append(board.element)
    }
    return element("li", {}, thumb,
      element("span", { class: "name" }, piece.name, element("small", {}, plural(piece.cells.length, "cell"))),
      this.copies(piece, place, piece.name), colour,
      small("Edit", `Edit ${piece.name}`, () => this.draw(place)),
      this.remover(place, piece.name))
  }

  /** How many copies: from, to. */
  copies(piece, place, name) {
    const input = (end, value) => {
      const made = element("input", { type: "number", min: 0, max: 999, value: value ?? "", placeholder: "any", "aria-label": `${name}: copies, ${end}` })
      // The rows are made anew after the focus has gone to another field, so that it stays there.
      made.addEventListener("change", () => setTimeout(() => {
        const given = made.value === "" ? null : Math.max(0, Math.min(999, Math.round(Number(made.value)) || 0))
        made.defaultValue = made.value
        const { low, high } = this.history.state.pieces[place]
        if (end === "at least") this.change(place, { low: given ?? 0, high: high === null ? null : Math.max(given ?? 0, high) })
        else this.change(place, { high: given, low: given === null ? low : Math.min(low, given) })
      }))
      return made
    }
    return element("span", { class: "copies" }, input("at least", piece.low), "to", input("at most", piece.high))
  }

  remover(place, name) {
    return button("×", () => this.remove(place), { class: "small remove", "aria-label": `Remove ${name}` })
  }
}

const small = (text, label, onclick) => button(text, onclick, { class: "small", "aria-label": label })
