// The shelf: the puzzles that come with the package. It opens on a few to start with and collections;
// a search, a filter or a collection shows all that fit.

import { element, isDark } from "exactcover/page.js"
import { path } from "./api.js"
import { collectionsOf } from "./collections.js"
import { openFile } from "./files.js"
import { button, checkbox, choice, field, plural } from "./parts.js"
import { indexOf, plain, rank } from "./search.js"
import { read, write } from "./storage.js"

const AT_ONCE = 36 // tiles that are shown before the reader asks for more
const IN_A_ROW = 6 // tiles of a collection on the first view
const LEVELS = ["", "very easy", "easy", "medium", "hard", "very hard"]
const ORDERS = {
  name: ["name", (a, b) => a.name.localeCompare(b.name, "en", { numeric: true })],
  easy: ["easiest first", (a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9)],
  small: ["smallest first", (a, b) => a.cells - b.cells],
  many: ["most solutions first", (a, b) => (b.solutions ?? -1) - (a.solutions ?? -1)],
}
const NOTHING = { search: "", lattice: "", difficulty: "", collection: "", order: "name", all: false }
const SHARP = "exactcover sharp pictures"

const wished = { ...NOTHING } // kept while the page is open

export async function browse(box, app, signal) {
  box.append(head(app))
  const controls = element("div", { class: "filters", role: "search" })
  const said = element("p", { class: "hint", role: "status" }, "Loading the puzzles …")
  const place = element("div", { class: "shelf" }, skeletons())
  box.append(controls, said, place)
  const shelf = await app.api.get("/shelf")
  for (const entry of shelf) entry.index = indexOf(entry)
  const browsing = { app, shelf, collections: collectionsOf(shelf), place, said }
  const changed = (anew = false) => {
    browsing.most = AT_ONCE
    if (anew) controls.replaceChildren(...filters(browsing, changed))
    show(browsing, changed)
  }
  changed(true)
  app.addEventListener("theme", () => show(browsing, changed), { signal })
}

function head(app) {
  const chooser = element("input", { type: "file", id: "file", class: "unseen", tabindex: "-1", "aria-label": "Puzzle file", onchange: () => {
    if (chooser.files[0]) openFile(chooser.files[0], app)
    chooser.value = ""
  } })
  return element("div", { class: "heading" },
    element("div", {},
      element("h1", { tabindex: "-1" }, "Puzzles"),
      element("p", { class: "lead" },
        "Choose one to solve or play. Or drop a file anywhere on the page: TOML, BurrTools, PolySolver, Puzzler drawings and more.")),
    element("div", { class: "row" },
      element("a", { class: "button", href: "#draw" }, "Draw a puzzle"),
      button("Open a file", () => chooser.click()),
      chooser))
}

/** Grey tiles while the list is on its way. */
function skeletons() {
  return element("ul", { class: "tiles", "aria-hidden": "true" },
    ...Array.from({ length: 12 }, () => element("li", { class: "tile skeleton" }, element("span", { class: "picture" }), element("span", { class: "name" }))))
}

// -- what is wished -----------------------------------------------------------------------------

/** changed(anew): show what is wished now; `anew`: the controls too. */
function filters({ shelf, collections }, changed) {
  const search = element("input", { type: "search", id: "search", placeholder: "pentominoes, cube, 6x10 …", value: wished.search, oninput: () => {
    wished.search = search.value
    changed()
  } })
  const wish = (name) => (value) => {
    wished[name] = value
    changed()
  }
  const counts = new Map()
  for (const { lattice } of shelf) counts.set(lattice, (counts.get(lattice) ?? 0) + 1)
  const lattices = [...counts].map(([name, many]) => [name, `${name} (${many})`])
  const levels = LEVELS.map((name, level) => [String(level || ""), name || "any"])
  const folded = element("div", { class: "folded", id: "filters" },
    choice("Collection", [["", "all"], ...collections.map(({ key, title }) => [key, title])], wished.collection, wish("collection")),
    choice("Lattice", [["", "all"], ...lattices], wished.lattice, wish("lattice")),
    choice("Difficulty", levels, wished.difficulty, wish("difficulty")),
    choice("Order", Object.entries(ORDERS).map(([name, [text]]) => [name, text]), wished.order, wish("order")),
    checkbox("Show solutions clearly", read(SHARP) === true, (isSharp) => {
      write(SHARP, isSharp)
      changed()
    }, "inline sharp"))
  const unfold = button("Filters", () => unfold.setAttribute("aria-expanded", folded.classList.toggle("open")),
    { class: "unfold", "aria-expanded": "false", "aria-controls": "filters" })
  const searching = field("Search", search)
  searching.classList.add("wide")
  return [searching, unfold, folded]
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

// -- what is shown ------------------------------------------------------------------------------

function show(browsing, changed) {
  const { search, lattice, difficulty, collection, order, all } = wished
  const first = !(search.trim() || lattice || difficulty || collection || order !== "name" || all)
  if (first) showCollections(browsing, changed)
  else showFound(browsing, changed)
}

/** The first view: a section for each collection. */
function showCollections({ app, shelf, collections, place, said }, changed) {
  said.textContent = plural(shelf.length, "puzzle")
  const all = (wish) => () => {
    Object.assign(wished, wish)
    changed(true)
    place.querySelector("button")?.focus()
    scrollTo(0, 0)
  }
  place.replaceChildren(...collections.map(({ key, title, text, entries }, number) => {
    const shown = number ? entries.slice(0, IN_A_ROW) : entries
    const more = shown.length < entries.length
      ? [button(`All ${entries.length}`, all({ collection: key }), { class: "small", "aria-label": `All ${entries.length}: ${title}` })]
      : []
    return element("section", { "aria-labelledby": `collection-${key}` },
      element("div", { class: "collection" }, element("h2", { id: `collection-${key}` }, title), element("p", { class: "hint" }, text), ...more),
      element("ul", { class: number ? "tiles in-a-row" : "tiles" }, ...shown.map((entry) => tile(entry, app))))
  }), element("div", { class: "more" },
    button(`Show all ${shelf.length} puzzles`, all({ all: true }))))
}

function showFound(browsing, changed) {
  const { app, shelf, collections, place, said, most } = browsing
  const among = collections.find(({ key }) => key === wished.collection)?.entries ?? shelf
  const fit = among.filter(chosen)
  // A collection has an order of its own, until another one is wished.
  const found = wished.collection && wished.order === "name" && !wished.search ? fit : sorted(fit, wished.order)
  const back = button("All collections", () => {
    Object.assign(wished, NOTHING)
    changed(true)
    document.getElementById("search").focus()
  }, { class: "small" })
  said.replaceChildren(found.length === shelf.length ? plural(found.length, "puzzle") : `${found.length} of ${plural(shelf.length, "puzzle")}`, " ", back)
  const tiles = element("ul", { class: "tiles" }, ...found.slice(0, most).map((entry) => tile(entry, app)))
  if (!found.length) tiles.append(element("li", { class: "hint" }, "No puzzle fits. Try another word or lattice."))
  place.replaceChildren(tiles)
  if (found.length <= most) return
  place.append(element("div", { class: "more" }, button(`Show more (${found.length - most} left)`, () => {
    browsing.most += AT_ONCE
    show(browsing, changed)
    place.querySelector(".tiles").children[most]?.querySelector("button").focus()
  })))
}

function tile(entry, app) {
  const name = entry.title || entry.name.split("/").pop().replaceAll("_", " ")
  const card = element("li", { class: "tile" })
  const action = (text, view, look) => button(text, () => open(entry, card, view, app), { class: look, "aria-label": `${text}: ${name}` })
  const coarse = entry.solved && read(SHARP) !== true
  const address = path(`/api/shelf/${entry.name.replace("#", "%23")}/picture.${coarse ? "png" : "svg"}`, { dark: isDark() ? 1 : 0 })
  const picture = element("span", { class: "picture", onclick: () => open(entry, card, "#run", app) },
    element("img", { src: address, alt: "", loading: "lazy", class: coarse ? "coarse" : "" }))
  card.append(picture,
    element("h3", { class: "name" }, name),
    element("span", { class: "facts" }, `${entry.lattice} · ${plural(entry.cells, "cell")} · ${plural(entry.pieces, "piece")}`),
    element("span", { class: "facts spread" }, counted(entry), difficulty(entry.difficulty)),
    element("span", { class: "row actions" }, action("Solve", "#run", "small main"), action("Play", "#play", "small")))
  return card
}

function counted({ solutions, counted }) {
  if (solutions === 0) return element("span", { class: "badge" }, "impossible")
  if (solutions === null) return element("span", {}, "solutions not counted")
  const how = { reflections: " up to mirror images", all: " in all" }[counted] ?? ""
  return element("span", {}, `${plural(solutions, "solution")}${how}`)
}

function difficulty(level) {
  if (!level) return element("span", {}, "")
  return element("span", { class: "level-of", title: `Difficulty: ${LEVELS[level]}` },
    element("span", { class: "dots", "aria-hidden": "true" }, "●".repeat(level), element("i", {}, "●".repeat(5 - level))),
    element("span", { class: "unseen" }, `difficulty: ${LEVELS[level]}`))
}

async function open(entry, card, view, app) {
  card.setAttribute("aria-busy", "true")
  try {
    app.open(await app.api.get(`/shelf/${entry.name.replace("#", "%23")}`))
    app.go(view)
  } finally {
    card.removeAttribute("aria-busy")
  }
}
