// Running a search: its task, its strategies, and the runs on the server.

import { element } from "exactcover/page.js"
import { Lane } from "./lane.js"
import { button, checkbox, choice, counter, field, switcher } from "./parts.js"
import { showRuns } from "./run-list.js"

const WHATS = [
  ["all", "All", "Finds every solution and keeps them to look at."],
  ["first", "First", "Finds one solution as soon as possible."],
  ["count", "Count", "Counts the solutions without keeping them, often much faster."],
  ["sample", "Sample", "Draws solutions at random, also where there are far too many to find all."],
]
const UNIQUE = [
  ["rotations", "rotated ones once, mirror images apart"],
  ["reflections", "rotated and mirrored ones once"],
  ["all", "all positions"],
]
// The last choice stays while the page is open.
const wished = { what: "all", unique: "rotations", limit: null, seconds: null, seed: null, strategies: ["", ""], two: false }

export async function run(box, app, signal) {
  const { puzzle } = app
  const lanes = []
  const side = element("div", { class: "stack side" })
  const space = element("div", { class: "lanes" })
  box.append(element("h1", { tabindex: "-1" }, "Run"), element("p", { class: "lead" },
    "The search goes on when this page is closed, until it ends or is stopped."),
  element("div", { class: "split searching" }, side, space))
  const start = button("Start", startOrStop, { class: "main wide", id: "start" })

  function changed() {
    const running = lanes.some((lane) => lane.running)
    start.textContent = running ? "Stop" : "Start"
    start.classList.toggle("main", !running)
    app.dispatchEvent(new Event("run"))
  }

  async function startOrStop() {
    const running = lanes.filter((lane) => lane.running)
    if (!running.length) lanes[0].element.scrollIntoView({ block: "nearest" })
    const { strategies, two, ...asked } = wished
    await Promise.all(running.length
      ? running.map((lane) => lane.stop())
      : lanes.map((lane, place) => lane.start({ ...asked, strategy: strategies[place] || null })))
    changed()
  }

  function arrange() {
    const many = wished.two ? 2 : 1
    while (lanes.length > many) lanes.pop().close()
    while (lanes.length < many) {
      lanes.push(new Lane({ app, puzzle, changed, signal }, lanes.length))
      space.append(lanes.at(-1).element)
    }
    space.dataset.count = many
    changed()
  }

  /** Show no run where this one was shown. */
  function clear(run) {
    lanes.forEach((lane, place) => {
      if (lane.run?.id !== run.id) return
      lanes[place] = new Lane({ app, puzzle, changed, signal }, place)
      lane.element.after(lanes[place].element)
      lane.close()
    })
  }

  const estimate = button("Estimate the work", () => Promise.all(lanes.map((lane, place) => lane.estimate(wished.strategies[place] || null))))
  side.append(wishes(app, [start, estimate], arrange))
  arrange()
  if (app.run?.puzzle === puzzle.id) lanes[0].attach(app.run)
  await showRuns(side, app, signal, { show: (one) => lanes[0].attach(one), forgotten: clear })
}

/** The card of what is wanted. */
function wishes(app, buttons, arrange) {
  const hint = element("p", { class: "hint" })
  const seed = counter("Seed", { value: wished.seed, empty: "by chance" }, (value) => (wished.seed = value))
  const unique = choice("Count", UNIQUE, wished.unique, (value) => (wished.unique = value))
  const refresh = () => {
    hint.textContent = WHATS.find(([what]) => what === wished.what)[2]
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
  const suggest = async () => {
    const known = await app.withPuzzle((id) => app.api.get("/strategies", { puzzle: id }))
    suggestions.replaceChildren(...known.map(({ name, title }) => element("option", { value: name }, title)))
  }
  const fill = () => strategies.replaceChildren(...(wished.two ? [0, 1] : [0]).map(strategyField))
  const two = checkbox("Two strategies side by side", wished.two, (checked) => {
    wished.two = checked
    fill()
    arrange()
  })
  fill()
  suggest()
  const limit = counter("At most", { value: wished.limit, min: 1, empty: "all" }, (value) => (wished.limit = value))
  const seconds = counter("Seconds", { value: wished.seconds, min: 1 }, (value) => (wished.seconds = value))
  app.api.get("/limits").then(({ seconds: most }) =>
    Object.assign(seconds.querySelector("input"), { placeholder: most, title: `The server stops a run after ${most} seconds.` }))
  return element("section", { class: "card stack tight", "aria-label": "What to find" },
    what.element, hint,
    element("div", { class: "row" }, ...buttons),
    element("details", { class: "options" }, element("summary", {}, "Limits and symmetry"),
      element("div", { class: "stack tight" }, element("div", { class: "row" }, limit, seconds, seed), unique)),
    element("details", { class: "options", open: wished.two || wished.strategies.some(Boolean) }, element("summary", {}, "Advanced"),
      element("div", { class: "stack tight" }, strategies, suggestions, two)))
}

function strategyField(place) {
  const input = element("input", { type: "text", list: "strategies", placeholder: "automatic", value: wished.strategies[place], spellcheck: "false", autocomplete: "off" })
  input.addEventListener("input", () => (wished.strategies[place] = input.value.trim()))
  return field(wished.two ? `Strategy ${place + 1}` : "Strategy", input)
}
