// Running a search: its task, its strategies, and the runs on the server.

import { element } from "exactcover/page.js"
import { Lane } from "./lane.js"
import { choice, counter, field, switcher } from "./parts.js"
import { runList } from "./run-list.js"

const WHATS = [
  ["all", "All", "Find every solution"],
  ["first", "First", "Find one solution, as soon as possible"],
  ["count", "Count", "Count the solutions without keeping them"],
  ["sample", "Sample", "Draw solutions at random"],
]
const EXPLAINED = {
  all: "Finds every solution and keeps them to look at.",
  first: "Finds one solution as soon as possible.",
  count: "Counts the solutions without keeping them, often much faster.",
  sample: "Draws solutions at random, also where there are far too many to find all.",
}
const UNIQUE = [
  ["rotations", "rotated ones once, mirror images apart"],
  ["reflections", "rotated and mirrored ones once"],
  ["all", "all positions"],
]
// Until the server says which strategies there are.
const STRATEGIES = [
  { name: "dlx:s", title: "dancing links, fewest choices first" },
  { name: "fila:f", title: "bits, fewest choices first" },
  { name: "bsx:s", title: "bit sets, fewest choices first" },
]

// The last choice stays while the page is open.
const wished = { what: "all", unique: "rotations", limit: null, seconds: null, seed: null, strategies: ["", ""], two: false }

let lanes = []
let list = null

export async function mount(box, app) {
  const puzzle = app.puzzle
  box.append(element("h1", { tabindex: "-1" }, "Run"), element("p", { class: "lead" },
    "The search goes on when this page is closed, until it ends or is stopped."))
  const side = element("div", { class: "stack side" })
  const space = element("div", { class: "lanes" })
  box.append(element("div", { class: "split searching" }, side, space))
  const start = element("button", { type: "button", class: "main wide", id: "start" }, "Start")
  const options = { app, puzzle, changed: refresh }

  function refresh() {
    const running = lanes.some((lane) => lane.running)
    start.textContent = running ? "Stop" : "Start"
    start.classList.toggle("main", !running)
    list?.refresh()
  }

  start.addEventListener("click", async () => {
    const running = lanes.filter((lane) => lane.running)
    if (!running.length) lanes[0].element.scrollIntoView({ block: "nearest" })
    await Promise.all(running.length ? running.map((lane) => lane.stop()) : lanes.map((lane, place) => lane.start({ ...asked(), strategy: wished.strategies[place] || null })))
    refresh()
  })

  function arrange() {
    while (lanes.length > (wished.two ? 2 : 1)) lanes.pop().close(true)
    while (lanes.length < (wished.two ? 2 : 1)) {
      const lane = new Lane(options, lanes.length)
      lanes.push(lane)
      space.append(lane.element)
    }
    space.dataset.count = lanes.length
    refresh()
  }

  list = runList(app, (run) => lanes[0].attach(run))
  side.append(wishes(app, puzzle, start, arrange), list.element)
  arrange()
  if (app.run?.puzzle === puzzle.id) lanes[0].attach(app.run)
  await list.refresh()
}

export function unmount() {
  for (const lane of lanes) lane.close()
  list?.close()
  lanes = []
  list = null
}

const asked = () => ({
  what: wished.what,
  unique: wished.unique,
  ...(wished.limit === null ? {} : { limit: wished.limit }),
  ...(wished.seconds === null ? {} : { seconds: wished.seconds }),
  ...(wished.seed === null ? {} : { seed: wished.seed }),
})

/** The card of what is wanted. */
function wishes(app, puzzle, start, arrange) {
  const hint = element("p", { class: "hint", id: "what-hint" }, EXPLAINED[wished.what])
  const seed = counter("Seed", { value: wished.seed, empty: "by chance" }, (value) => (wished.seed = value))
  const unique = choice("Count", UNIQUE, wished.unique, (value) => (wished.unique = value))
  const refresh = () => {
    hint.textContent = EXPLAINED[wished.what]
    seed.hidden = wished.what !== "sample"
    unique.hidden = wished.what === "first"
  }
  const what = switcher("What to find", WHATS, wished.what, (value) => {
    wished.what = value
    refresh()
  })
  refresh()
  const strategies = element("div", { class: "stack tight" })
  // The fields stay as they are when the names arrive: someone may be typing in one.
  const suggestions = element("datalist", { id: "strategies" })
  const suggest = (known) => suggestions.replaceChildren(
    ...known.map(({ name, title }) => element("option", { value: name }, title)))
  const ask = async () => {
    try {
      suggest(await app.withPuzzle((id) => app.api.get("/strategies", { puzzle: id })))
    } catch (error) {
      if (error.status !== 404) throw error
    }
  }
  const fill = () => strategies.replaceChildren(...(wished.two ? [0, 1] : [0]).map(strategyField))
  const two = element("input", { type: "checkbox", checked: wished.two })
  two.addEventListener("change", () => {
    wished.two = two.checked
    fill()
    arrange()
  })
  fill()
  suggest(STRATEGIES)
  ask()
  const limit = counter("At most", { value: wished.limit, min: 1, empty: "all" }, (value) => (wished.limit = value))
  const seconds = counter("Seconds", { value: wished.seconds, min: 1, empty: "no limit" }, (value) => (wished.seconds = value))
  const estimate = element("button", { type: "button", onclick: () =>
    lanes.forEach((lane, place) => lane.estimate(wished.strategies[place] || null)) }, "Estimate the work")
  return element("section", { class: "card stack tight", "aria-label": "What to find" },
    what.element, hint,
    element("div", { class: "row" }, start, estimate),
    element("details", { class: "options" }, element("summary", {}, "Limits and symmetry"),
      element("div", { class: "stack tight" }, element("div", { class: "row" }, limit, seconds, seed), unique)),
    element("details", { class: "options", open: wished.two || wished.strategies.some(Boolean) }, element("summary", {}, "Advanced"),
      element("div", { class: "stack tight" }, strategies, suggestions,
        element("label", { class: "inline" }, two, "Two strategies side by side"))))
}

function strategyField(place) {
  const input = element("input", { type: "text", list: "strategies", placeholder: "automatic", value: wished.strategies[place], spellcheck: "false", autocomplete: "off" })
  input.addEventListener("input", () => (wished.strategies[place] = input.value.trim()))
  return field(wished.two ? `Strategy ${place + 1}` : "Strategy", input)
}
