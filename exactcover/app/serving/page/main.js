// The page: which view is shown, by the fragment of its address; the bar of the open puzzle; dropped files.

import { element, onTheme, switchTheme } from "exactcover/page.js"
import { app } from "./app.js"
import { browse } from "./browse.js"
import { draw } from "./draw.js"
import { openFile } from "./files.js"
import { puzzleIn } from "./link.js"
import { plural } from "./parts.js"
import { begin, play } from "./play.js"
import { showRuns } from "./run-list.js"
import { run } from "./run.js"
import { shareButton } from "./share.js"
import { solutions } from "./solutions.js"

// All views come with the page, so that each can still be opened when the server is gone.
const VIEWS = {
  browse: ["Browse", browse],
  draw: ["Draw", draw],
  run: ["Run", run],
  solutions: ["Solutions", solutions],
  play: ["Play", play],
}
const NEEDS_PUZZLE = new Set(["run", "solutions", "play"])

const place = document.getElementById("view")
let ending = new AbortController() // aborted when the view that is shown goes

async function route(first = false) {
  if (location.hash === "#view") {
    place.focus()
    return
  }
  ending.abort()
  ending = new AbortController()
  const { signal } = ending
  try {
    const linked = await puzzleIn(location.hash)
    if (linked) {
      await app.post(linked.text, "")
      const plays = linked.placed.length && begin(app.puzzle, linked.placed)
      history.replaceState(null, "", plays ? "#play" : "#run")
      app.say(`The link holds the puzzle ${app.puzzle.title}.`)
    }
  } catch (error) {
    app.fail(error)
    history.replaceState(null, "", "#browse")
  }
  if (signal.aborted) return
  const wanted = location.hash.slice(1)
  const name = wanted in VIEWS ? wanted : "browse"
  const [title, show] = VIEWS[name]
  mark(name)
  document.title = `${title} · exactcover`
  const box = element("div", { class: `page ${name}` })
  place.replaceChildren(box)
  try {
    if (NEEDS_PUZZLE.has(name) && !app.puzzle) {
      box.append(noPuzzle(title))
      if (name === "run") await showRuns(box, app, signal)
    } else await show(box, app, signal)
  } catch (error) {
    app.fail(error)
    if (error.status === 0) document.addEventListener("back", () => route(), { once: true, signal })
  }
  if (!first && !signal.aborted) {
    scrollTo(0, 0)
    place.querySelector("h1")?.focus()
  }
}

function mark(name) {
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
}

function noPuzzle(title) {
  return element("div", { class: "empty" },
    element("h1", { tabindex: "-1" }, title),
    element("p", {}, "No puzzle is open yet."),
    element("p", {}, element("a", { class: "button main", href: "#browse" }, "Choose a puzzle"), " ",
      element("a", { class: "button", href: "#draw" }, "Draw one")))
}

/** The open puzzle, under the views. */
function showBar() {
  const { puzzle } = app
  const bar = document.getElementById("bar")
  bar.hidden = !puzzle
  if (!puzzle) return
  const lowest = puzzle.pieces.reduce((sum, { low }) => sum + low, 0)
  const highest = puzzle.pieces.reduce((sum, { high }) => sum + (high ?? Infinity), 0)
  const pieces = lowest === highest ? plural(lowest, "piece") : `${plural(puzzle.pieces.length, "shape")} of pieces`
  bar.replaceChildren(
    element("strong", {}, puzzle.title || "Puzzle without a name"),
    element("span", { class: "facts" }, `${puzzle.lattice} · ${puzzle.board.cells.length} cells · ${pieces}`),
    element("span", { class: "row" },
      element("a", { class: "button small", href: "#draw" }, "Edit"), shareButton(app)),
  )
}

function acceptDrops() {
  const over = (on) => document.body.classList.toggle("dropping", on)
  addEventListener("dragover", (event) => {
    event.preventDefault()
    over(true)
  })
  addEventListener("dragleave", (event) => event.relatedTarget || over(false))
  addEventListener("drop", (event) => {
    event.preventDefault()
    over(false)
    const file = event.dataTransfer.files[0]
    if (file) openFile(file, app)
  })
}

document.getElementById("theme").addEventListener("click", switchTheme)
onTheme(() => app.dispatchEvent(new Event("theme")))
app.addEventListener("puzzle", showBar)
addEventListener("hashchange", () => route())
addEventListener("unhandledrejection", (event) => {
  event.preventDefault()
  app.fail(event.reason)
})
acceptDrops()
await app.remember().catch(app.fail)
await route(true)
window.app = app
window.ready = true
