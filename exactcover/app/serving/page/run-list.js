// The runs that the server has: they go on without a page, and can be shown again or ended.

import { element } from "exactcover/page.js"
import { button, going, plural } from "./parts.js"

const EVERY = 3000 // milliseconds between two questions

/**
 * Show the runs of the server in a box until the signal. show(run): look at one of the open puzzle;
 * forgotten(run): the server no longer has it.
 */
export async function showRuns(box, app, signal, { show, forgotten = () => {} } = {}) {
  const rows = element("ul", { class: "runs" })
  const card = element("section", { class: "card", "aria-labelledby": "runs-head", hidden: true },
    element("h2", { id: "runs-head" }, "Runs on this server"), rows)
  box.append(card)
  const shown = new Map() // id of a run -> its row

  async function refresh() {
    let runs
    try {
      runs = await app.api.get("/runs")
    } catch (error) {
      if (error.status !== 0) throw error
      return // the notice of the failed request says it
    }
    card.hidden = !runs.length
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
    const name = run.puzzleTitle
    const facts = element("small")
    const ending = button("", () => end(run), { class: "small" })
    return {
      element: element("li", {},
        element("span", { class: "name" }, name, facts),
        button("Show", () => look(run), { class: "small", "aria-label": `Show the run of ${name}` }),
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
    if (run.puzzle === app.puzzle?.id) return show(run)
    app.open(await app.api.get(`/puzzles/${run.puzzle}`))
    app.show(run)
    return app.go("#run")
  }

  async function end(run) {
    try {
      await app.api.remove(`/runs/${run.id}`)
    } catch (error) {
      if (error.status !== 404) throw error
    }
    if (!going(run)) {
      if (app.run?.id === run.id) app.show(null)
      forgotten(run)
    }
    await refresh()
  }

  const timer = setInterval(() => document.hidden || refresh(), EVERY)
  signal.addEventListener("abort", () => clearInterval(timer))
  app.addEventListener("run", refresh, { signal })
  await refresh()
}
