// The landing: a living puzzle, and below it the shelf of all puzzles that come with the package.

import { element, isDark, read, still } from "exactcover/page.js"
import { Turning } from "exactcover/turning.js"
import { button, fail, number, plural } from "./parts.js"
import { ask } from "./server.js"
import { openFile } from "./share.js"

const AT_ONCE = 36 // tiles that are shown before the reader asks for more
const IN_A_ROW = 6 // tiles of a collection at first
const LEVELS = ["", "easy", "easy", "medium", "hard", "hard"]

/** Chips: what a puzzle is made of -> lattices. */
const KINDS = {
  Squares: ["square"],
  Triangles: ["triangular"],
  Hexagons: ["hexagonal"],
  Sticks: ["sticks-square", "sticks-triangular", "sticks-hexagonal"],
  Cubes: ["cubic"],
  Balls: ["fcc"],
  "Other solids": ["bcc", "prism", "rhombic", "octet", "octet-eighths"],
  "4-D and more": ["hypercubic", "hypercubic-5", "hypercubic-6"],
}
const NAMES = { "hypercubic-5": "5-D", "hypercubic-6": "6-D", hypercubic: "4-D", "hypercubic-1": "1-D", bcc: "truncated octahedra", prism: "prisms",
  rhombic: "tetrahedra", octet: "octahedra", "octet-eighths": "octahedra" }
const WORDS = { hypercubic: "4d 4 d tesseract four dimension", "hypercubic-5": "5d 5 d", "hypercubic-6": "6d 6 d", fcc: "ball sphere", cubic: "cube 3d 3 d" }

/** The name of a lattice for people. */
export const latticeName = (lattice) =>
  NAMES[lattice] ?? (Object.entries(KINDS).find(([, names]) => names.includes(lattice))?.[0] ?? lattice).toLowerCase()

/** [title, which: names in order, or a test of a row] */
const COLLECTIONS = [
  ["To Start With", ["cubic/somacube", "square/pentominoes_10x6", "fcc/pyramid_20", "triangular/hexiamonds_6x6", "hexagonal/tetrahexes_flower_1",
    "hypercubic/tetratesseracts_3x2x2x2", "cubic/burr_piston", "sticks-triangular/tritrigs_heart_1", "bcc/pairs_3x2x2", "rhombic/pairs_cube", "square/calendar_25_january"]],
  ["Famous", ["cubic/bedlamcube", "cubic/tetriscube", "square/pentominoes_8x8_hole", "cubic/slothouber_graatsma", "cubic/diabolical_cube", "square/mutilated_chessboard",
    "cubic/conway_box", "cubic/steinhaus_cube", "square/partridge_8", "square/tetrominoes_franklin", "triangular/hexiamonds_1s_obeirne"]],
  ["Burrs", ({ name }) => name.startsWith("cubic/burr")],
  ["Pentominoes", ({ set, lattice }) => lattice === "square" && set === "pentominoes"],
  ["Soma", ({ name }) => name.startsWith("cubic/soma")],
  ["Hexagons", ({ lattice }) => lattice === "hexagonal"],
  ["Four Dimensions", ({ dimension }) => dimension === 4],
]

const chosen = { search: "", kind: "", level: "", collection: "" } // kept while the page is open

export async function puzzles(box, app, signal) {
  const stage = element("section", { class: "landing", "aria-label": "A puzzle to turn" })
  const shelf = element("section", { class: "shelf", "aria-label": "All puzzles" })
  box.append(stage, shelf)
  const rows = ask("shelf")
  await land(stage, app, signal).catch(fail) // first, so that the pictures of the shelf do not hold it up
  new Shelf(shelf, app, (await rows).map((row) => ({ ...row, index: indexOf(row) })), signal)
}

// -- the landing ----------------------------------------------------------------------------------

async function land(box, app, signal) {
  const model = new Turning("Model of a solved puzzle")
  signal.addEventListener("abort", () => model.close())
  const title = element("h1", { tabindex: "-1" })
  const facts = element("p", { class: "facts" })
  let [living, at] = [[], 0]
  const show = async (to) => {
    at = to % living.length
    const { title: name, words, view } = living[at]
    title.textContent = name
    facts.textContent = words
    await model.turn(view, { assemble: !still() })
    if (model.closed) model.element.replaceWith(element("img", { alt: "", src: pictureOf(living[at].name) }))
  }
  const next = button("Next", () => show(at + 1).catch(fail))
  box.append(model.element, element("div", { class: "words" }, title, facts, model.caption,
    element("div", { class: "row" }, button("Play", () => app.openShipped(living[at].name, "play"), { class: "main" }),
      button("Solve", () => app.openShipped(living[at].name, "solve")), next),
    model.controls))
  living = read("landing")
  await show(0)
}

const pictureOf = (name) => `/api/shelf/${name}.svg?dark=${isDark() ? 1 : 0}`

// -- search ---------------------------------------------------------------------------------------

const SIZE = /\d+(?:\s*[x×*]\s*\d+)+/g

/** The words of a text as they are compared: small letters, singular, the sides of a box by size. */
function plain(text) {
  return text.toLowerCase().replaceAll("’", "'")
    .replaceAll(/[^\p{L}\p{N}×*']+/gu, " ")
    .replaceAll(SIZE, (size) => size.split(/\s*[x×*]\s*/).sort((a, b) => a - b).join("x"))
    .trim().split(/\s+/).map(singular).join(" ")
}

function singular(word) {
  if (word.length < 4) return word
  if (/(?:o|x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const indexOf = ({ name, title, about, lattice, size, set }) => ({
  title: plain(title),
  all: plain([title, about, name, latticeName(lattice), WORDS[lattice], size, set].join(" ")),
})

/** How well plain words fit: 0 they begin the title, 1 stand in it, then each word, each beginning; -1: not at all. */
function rank({ title, all }, words) {
  if (title.startsWith(words)) return 0
  if (` ${title} `.includes(` ${words} `)) return 1
  const each = words.split(" ")
  if (each.every((word) => ` ${all} `.includes(` ${word} `))) return 2
  return each.every((word) => ` ${all}`.includes(` ${word}`)) ? 3 : -1
}

// -- the shelf ------------------------------------------------------------------------------------

const easyFirst = (a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9) || a.cells - b.cells

class Shelf {
  constructor(box, app, rows, signal) {
    Object.assign(this, { app, rows, most: AT_ONCE })
    const byName = new Map(rows.map((row) => [row.name, row]))
    this.collections = COLLECTIONS.map(([title, which]) => ({
      title, rows: Array.isArray(which) ? which.map((name) => byName.get(name)).filter(Boolean) : rows.filter(which).sort(easyFirst),
    }))
    this.input = element("input", { type: "search", placeholder: `Search ${number(rows.length)} puzzles`, "aria-label": "Search puzzles", value: chosen.search,
      oninput: () => this.choose({ search: this.input.value, collection: "" }) })
    const file = element("input", { type: "file", hidden: true, onchange: () => file.files[0] && openFile(file.files[0], app).catch(fail) })
    this.chips = element("div", { class: "chips" }, ...this.group("kind", Object.keys(KINDS), "Made of"), ...this.group("level", ["easy", "medium", "hard"], "How hard"))
    this.said = element("p", { class: "hint", role: "status" })
    this.place = element("div", {})
    box.append(element("div", { class: "search", role: "search" }, this.input, button("Open a file", () => file.click()), file), this.chips, this.said, this.place)
    app.addEventListener("theme", () => this.paint(), { signal })
    this.paint()
  }

  group(name, values, label) {
    return [element("div", { class: "row", role: "group", "aria-label": label }, ...values.map((value) =>
      button(value, () => this.choose({ [name]: chosen[name] === value ? "" : value, collection: "" }), { class: "chip", "data-chip": value })))]
  }

  choose(wish) {
    Object.assign(chosen, wish)
    this.most = AT_ONCE
    this.paint()
  }

  paint() {
    for (const chip of this.chips.querySelectorAll("[data-chip]")) {
      chip.setAttribute("aria-pressed", [chosen.kind, chosen.level].includes(chip.dataset.chip))
    }
    const words = plain(chosen.search)
    if (!words && !chosen.kind && !chosen.level && !chosen.collection) {
      this.said.textContent = ""
      this.place.replaceChildren(...this.collections.map((one) => this.collection(one)))
      return
    }
    const found = this.found(words)
    const plainOnes = /sudoku|queen|langford/.test(words) ? " Sudoku and the like have no pieces to place by hand: “exactcover solve FILE” solves them, and the examples show how." : ""
    this.said.textContent = `${found.length ? plural(found.length, "puzzle") : "No puzzle has these words."}${plainOnes}`
    const more = button("Show more", () => {
      this.most += 4 * AT_ONCE
      this.paint()
    }, { hidden: found.length <= this.most })
    const back = button("All collections", () => {
      this.input.value = ""
      this.choose({ search: "", kind: "", level: "", collection: "" })
    }, { class: "small" })
    this.place.replaceChildren(back, element("ul", { class: "tiles" }, ...found.slice(0, this.most).map((row) => this.tile(row))), more)
  }

  found(words) {
    const start = this.collections.find(({ title }) => title === chosen.collection)?.rows ?? this.rows
    const fitting = start.filter((row) =>
      (!chosen.kind || KINDS[chosen.kind].includes(row.lattice)) && (!chosen.level || LEVELS[row.difficulty ?? 5] === chosen.level))
    if (!words) return chosen.collection ? fitting : fitting.sort(easyFirst)
    const ranked = fitting.map((row) => [rank(row.index, words), row]).filter(([place]) => place >= 0)
    return ranked.sort(([a, x], [b, y]) => a - b || easyFirst(x, y)).map(([, row]) => row)
  }

  collection({ title, rows }) {
    return element("section", {}, element("div", { class: "row spread" }, element("h2", {}, title),
      ...(rows.length > IN_A_ROW ? [button(`All ${rows.length}`, () => this.choose({ collection: title }), { class: "small", "aria-label": `All ${rows.length} of ${title}` })] : [])),
    element("ul", { class: "tiles" }, ...rows.slice(0, IN_A_ROW).map((row) => this.tile(row))))
  }

  tile({ name, title, lattice, cells, solutions, difficulty }) {
    const facts = [latticeName(lattice), plural(cells, "cell"), LEVELS[difficulty ?? 0]].filter(Boolean).join(" · ")
    const many = solutions === null ? "not counted yet" : solutions ? plural(solutions, "solution") : "no solution"
    return element("li", { class: "tile" },
      element("button", { class: "face", onclick: () => this.app.openShipped(name, "play").catch(fail) },
        element("span", { class: "picture" }, element("img", { alt: "", loading: "lazy", src: pictureOf(name) })),
        element("span", { class: "name" }, title), element("span", { class: "facts" }, facts)),
      element("div", { class: "row spread" }, element("span", { class: "facts" }, many),
        button("Solve", () => this.app.openShipped(name, "solve").catch(fail), { class: "small", "aria-label": `Solve ${title}` })))
  }
}
