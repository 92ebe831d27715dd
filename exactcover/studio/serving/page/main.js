// The page: which view is shown, by the fragment of its address; the open puzzle; dropped files.

import { element, onTheme, say, switchTheme } from "exactcover/page.js"
import { canDraw, draw } from "./draw.js"
import { fail, keep, kept } from "./parts.js"
import { showPlay } from "./play.js"
import { ask } from "./server.js"
import { openFile, share, textIn } from "./share.js"
import { puzzles } from "./shelf.js"
import { solve } from "./solve.js"

const VIEWS = { puzzles: ["Puzzles", puzzles], play: ["Play", showPlay], solve: ["Solve", solve], draw: ["Draw", draw] }

const place = document.getElementById("view")
let ending = new AbortController() // aborted when the view that is shown goes

class App extends EventTarget {
  puzzle = null
  name = null // of the open puzzle on the shelf

  /** Open a puzzle that the server has described, and a view of it. */
  open(puzzle, view, name = null) {
    Object.assign(this, { puzzle, name })
    if (!keep("puzzle", { text: puzzle.text, name }, "sessionStorage")) keep("puzzle", null, "sessionStorage")
    if (view) this.go(view)
  }

  /** Open a puzzle of the shelf. */
  async openShipped(name, view) {
    this.open(await ask("shelf", { name }), view, name)
  }

  /** Open the puzzle in a text. */
  async openText(text, name = null) {
    const { puzzles: [puzzle] } = await ask("open", { text, name: "" })
    this.open(puzzle, "", name)
  }

  go(view) {
    if (location.hash === `#${view}`) dispatchEvent(new HashChangeEvent("hashchange"))
    else location.hash = view
  }

  /** The line with the title of the puzzle and where else it can be taken. */
  heading(...buttons) {
    const { puzzle } = this
    return element("header", { class: "heading" }, element("h1", { tabindex: "-1" }, puzzle.title || "Puzzle"),
      element("div", { class: "row" }, ...buttons,
        ...(canDraw(puzzle) ? [element("button", { onclick: () => this.go("draw", (this.edited = puzzle)) }, "Edit")] : []),
        element("button", { onclick: () => share(puzzle) }, "Share")))
  }
}

const app = new App()

async function route(first = false) {
  if (location.hash === "#view") {
    place.focus()
    return
  }
  ending.abort()
  ending = new AbortController()
  const { signal } = ending
  try {
    const text = await textIn(location.hash)
    if (text) {
      await app.openText(text)
      history.replaceState(null, "", "#play")
    }
  } catch (error) {
    fail(error)
    history.replaceState(null, "", "#puzzles")
  }
  if (signal.aborted) return
  const wanted = location.hash.slice(1)
  const name = wanted in VIEWS ? wanted : "puzzles"
  const [title, show] = VIEWS[name]
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
  document.title = `${title} · exactcover`
  const box = element("div", { class: `page ${name}` })
  place.replaceChildren(box)
  if (!app.puzzle && (name === "play" || name === "solve")) await app.openShipped("cubic/somacube")
  await Promise.resolve(show(box, app, signal)).catch(fail)
  if (first || signal.aborted) return
  scrollTo(0, 0)
  place.querySelector("h1")?.focus({ preventScroll: true })
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
    if (file) openFile(file, app).catch(fail)
  })
}

document.getElementById("theme").addEventListener("click", switchTheme)
onTheme(() => app.dispatchEvent(new Event("theme")))
addEventListener("hashchange", () => route())
addEventListener("unhandledrejection", (event) => {
  event.preventDefault()
  fail(event.reason)
})
acceptDrops()
window.app = Object.assign(app, { say, ask })
const { text, name } = kept("puzzle", "sessionStorage") ?? {}
if (text && !location.hash.startsWith("#puzzle=")) await app.openText(text, name).catch(fail)
await route(true).catch(fail)
window.ready = true
