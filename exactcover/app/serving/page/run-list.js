// The runs that the server has: they go on without a page, and can be shown again or ended.

import { element } from "exactcover/page.js"
import { going, plural } from "./parts.js"

const EVERY = 3000 // milliseconds between two questions

/** show(run): look at a run of the puzzle that is open. */
export function runList(app, show = () => {}) {
  const rows = element("ul", { class: "runs" })
  const box = element("section", { class: "card", "aria-labelledby": "runs-head", hidden: true },
    element("h2", { id: "runs-head" }, "Runs on this server"), rows)
  const shown = new Map() // id of a run -> its row

  async function refresh() {
    let runs
    try {
      runs = await app.api.get("/runs")
    } catch (error) {
      if (error.status !== 0) throw error
      return // the notice of the failed request says it
    }
    box.hidden = !runs.length
    const gone = new Set(shown.keys())
    for (const run of runs) {
      gone.delete(run.id)
      if (!shown.has(run.id)) {
        shown.set(run.id, row(run))
        rows.prepend(shown.get(run.id).element)
      }
      shown.get(run.id).update(run)
    }
    for (const id of gone) {
      shown.get(id).element.remove()
      shown.delete(id)
    }
  }

  /** A row that stays while its run is there, so that its buttons keep the focus. */
  function row(run) {
    const name = run.puzzleTitle ?? run.title ?? (run.puzzle === app.puzzle?.id ? app.puzzle.title : `puzzle ${run.puzzle.slice(0, 6)}`)
    const facts = element("small")
    const ending = element("button", { type: "button", class: "small", onclick: () => end(run) })
    return {
      element: element("li", {},
        element("span", { class: "name" }, name, facts),
        element("button", { type: "button", class: "small", "aria-label": `Show the run of ${name}`, onclick: () => look(run) }, "Show"),
        ending),
      update(now) {
        run = now
        facts.textContent = `${run.what} · ${run.state} · ${plural(run.solutions ?? 0, "solution")}`
        ending.textContent = going(run) ? "Stop" : "Forget"
        ending.ariaLabel = `${ending.textContent} the run of ${name}`
      },
    }
  }

  async function look(run) {
    try {
      if (run.puzzle === app.puzzle?.id) return show(run)
      app.open(await app.api.get(`/puzzles/${run.puzzle}`))
      app.show(run)
      app.go("#run")
    } catch (error) {
      app.fail(error)
    }
  }

  async function end(run) {
    try {
      await app.api.remove(`/runs/${run.id}`)
    } catch (error) {
      if (error.status !== 404) app.fail(error)
    }
    await refresh()
  }

  const timer = setInterval(() => document.hidden || refresh(), EVERY)
  return { element: box, refresh, close: () => clearInterval(timer) }
}
