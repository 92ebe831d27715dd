// The shelf: the puzzles that come with the package, by lattice, with pictures, counts and difficulty.

import { element, isDark } from "exactcover/page.js"
import { path } from "./api.js"
import { openFile } from "./files.js"
import { choice, number } from "./parts.js"
import { indexOf, plain, rank } from "./search.js"
import { read, write } from "./storage.js"

const AT_ONCE = 36 // tiles that are shown before the reader asks for more
const LEVELS = ["", "very easy", "easy", "medium", "hard", "very hard"]
const ORDERS = {
  name: ["name", (a, b) => a.name.localeCompare(b.name, "en", { numeric: true })],
  easy: ["easiest first", (a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9)],
  small: ["smallest first", (a, b) => a.cells - b.cells],
  many: ["most solutions first", (a, b) => (b.solutions ?? -1) - (a.solutions ?? -1)],
}

let ended = null // what to undo when the view goes
const wished = { search: "", lattice: "", difficulty: "", order: "name" } // kept while the page is open
const SHARP = "exactcover sharp pictures"

export async function mount(box, app) {
  box.append(head(app))
  const controls = element("div", { class: "filters", role: "search" })
  const said = element("p", { class: "hint", role: "status" })
  const tiles = element("ul", { class: "tiles" })
  const more = element("div", { class: "more" })
  box.append(controls, said, tiles, more)
  said.textContent = "The shelf is being read …"
  const shelf = await app.api.get("/shelf")
  for (const entry of shelf) entry.index = indexOf(entry)
  let most = AT_ONCE

  const show = () => {
    const found = sorted(shelf.filter(chosen), wished.order)
    said.textContent = found.length === shelf.length
      ? `${found.length} puzzles`
      : `${found.length} of ${shelf.length} puzzles`
    tiles.replaceChildren(...found.slice(0, most).map((entry) => tile(entry, app)))
    more.replaceChildren()
    if (found.length > most) {
      const all = element("button", { type: "button", onclick: () => {
        const place = most
        most += AT_ONCE
        show()
        tiles.children[place]?.querySelector("button").focus()
      } }, `Show more (${found.length - most} left)`)
      more.append(all)
    }
    if (!found.length) tiles.append(element("li", { class: "hint" }, "No puzzle fits. Try another word or lattice."))
  }
  controls.append(...filters(shelf, () => {
    most = AT_ONCE
    show()
  }))
  show()
  const onTheme = () => show()
  app.addEventListener("theme", onTheme)
  ended = () => app.removeEventListener("theme", onTheme)
}

export function unmount() {
  ended?.()
  ended = null
}

function head(app) {
  const field = element("input", { type: "file", id: "file", class: "unseen", tabindex: "-1", "aria-label": "Puzzle file" })
  field.addEventListener("change", () => {
    if (field.files[0]) openFile(field.files[0], app)
    field.value = ""
  })
  return element("div", { class: "heading" },
    element("div", {},
      element("h1", { tabindex: "-1" }, "Puzzles"),
      element("p", { class: "lead" },
        "Choose one to solve, play or change. Or drop a file anywhere on the page: TOML, BurrTools, PolySolver, Puzzler drawings and more.")),
    element("div", { class: "row" },
      element("a", { class: "button", href: "#draw" }, "Draw a puzzle"),
      element("button", { type: "button", class: "main", onclick: () => field.click() }, "Open a file"),
      field))
}

function filters(shelf, changed) {
  const search = element("input", { type: "search", id: "search", placeholder: "pentominoes, cube, 6x10 …", value: wished.search })
  search.addEventListener("input", () => {
    wished.search = search.value
    changed()
  })
  const wish = (name) => (value) => {
    wished[name] = value
    changed()
  }
  const counts = new Map()
  for (const { lattice } of shelf) counts.set(lattice, (counts.get(lattice) ?? 0) + 1)
  const lattices = [...counts].map(([name, many]) => [name, `${name} (${many})`])
  const levels = LEVELS.map((name, level) => [String(level || ""), name || "any"])
  return [
    element("div", { class: "field wide" }, element("label", { for: "search" }, "Search"), search),
    choice("Lattice", [["", "all"], ...lattices], wished.lattice, wish("lattice")),
    choice("Difficulty", levels, wished.difficulty, wish("difficulty")),
    choice("Order", Object.entries(ORDERS).map(([name, [text]]) => [name, text]), wished.order, wish("order")),
    sharpener(),
  ]
}

/** The switch for pictures that show a solution clearly; without it they are blurred a little. */
function sharpener() {
  const box = element("input", { type: "checkbox", checked: read(SHARP) === true })
  const show = () => document.body.classList.toggle("spoiling", box.checked)
  box.addEventListener("change", () => {
    write(SHARP, box.checked)
    show()
  })
  show()
  return element("label", { class: "inline sharp" }, box, "Show solutions clearly")
}

/** Whether an entry fits what is wished; notes how well it fits the words searched for. */
function chosen(entry) {
  if (wished.lattice && entry.lattice !== wished.lattice) return false
  if (wished.difficulty && String(entry.difficulty) !== wished.difficulty) return false
  const words = plain(wished.search)
  entry.rank = words ? rank(entry.index, words) : 0
  return entry.rank >= 0
}

function sorted(entries, order) {
  const groups = order === "name"
    ? (a, b) => a.dimension - b.dimension || a.lattice.localeCompare(b.lattice)
    : () => 0
  return [...entries].sort((a, b) => a.rank - b.rank || groups(a, b) || ORDERS[order][1](a, b) || ORDERS.name[1](a, b))
}

function tile(entry, app) {
  const address = path(`/api/shelf/${entry.name}/picture.svg`, { dark: isDark() ? 1 : 0 })
  const name = entry.title || entry.name.split("/").pop().replaceAll("_", " ")
  const button = element("button", { type: "button", class: "tile", onclick: () => open(entry, button, app) },
    element("span", { class: "picture" }, element("img", { src: address, alt: "", loading: "lazy" })),
    element("span", { class: "name" }, name),
    element("span", { class: "facts" }, `${entry.lattice} · ${entry.cells} cells · ${entry.pieces} pieces`),
    element("span", { class: "facts spread" }, element("span", {}, counted(entry)), difficulty(entry.difficulty)))
  return element("li", {}, button)
}

function counted({ solutions, counted }) {
  if (solutions === null) return "solutions not counted"
  const noun = solutions === 1 ? "solution" : "solutions"
  return `${number(solutions)} ${noun}${{ reflections: " up to mirror images", all: " in all" }[counted] ?? ""}`
}

function difficulty(level) {
  if (!level) return element("span", {}, "")
  return element("span", { class: "level-of", title: `Difficulty: ${LEVELS[level]}` },
    element("span", { class: "dots", "aria-hidden": "true" }, "●".repeat(level), element("i", {}, "●".repeat(5 - level))),
    element("span", { class: "unseen" }, `difficulty: ${LEVELS[level]}`))
}

async function open(entry, button, app) {
  button.setAttribute("aria-busy", "true")
  try {
    app.open(await app.api.get(`/shelf/${entry.name}`))
    app.go("#run")
  } catch (error) {
    app.fail(error)
  } finally {
    button.removeAttribute("aria-busy")
  }
}
