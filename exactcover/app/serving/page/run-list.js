// The runs that the server has: they go on without a page, and can be shown again or ended.

import { element } from "exactcover/page.js"
import { plural } from "./parts.js"

const EVERY = 3000 // milliseconds between two questions

export function runList(app, show) {
  const rows = element("ul", { class: "runs" })
  const box = element("section", { class: "card", "aria-labelledby": "runs-head", hidden: true },
    element("h2", { id: "runs-head" }, "Runs on this server"), rows)
  let shown = ""

  async function refresh() {
    let runs
    try {
      runs = await app.api.get("/runs")
    } catch (error) {
      if (error.status !== 0) throw error
      return // the notice of the failed request says it
    }
    box.hidden = !runs.length
    const text = JSON.stringify(runs.map(({ id, state, solutions }) => [id, state, solutions]))
    if (text === shown || rows.contains(document.activeElement) && JSON.parse(shown || "[]").length === runs.length && same(shown, text)) return
    shown = text
    rows.replaceChildren(...runs.slice().reverse().map(row))
  }

  function row(run) {
    const name = run.puzzleTitle ?? run.title ?? (run.puzzle === app.puzzle?.id ? app.puzzle.title : `puzzle ${run.puzzle.slice(0, 6)}`)
    const running = run.state === "running" || run.state === "waiting"
    return element("li", {},
      element("span", { class: "name" }, name, element("small", {}, `${run.what} · ${run.state} · ${plural(run.solutions ?? 0, "solution")}`)),
      element("button", { type: "button", class: "small", "aria-label": `Show the run of ${name}`, onclick: () => look(run) }, "Show"),
      element("button", { type: "button", class: "small", "aria-label": `${running ? "Stop" : "Forget"} the run of ${name}`, onclick: () => end(run) }, running ? "Stop" : "Forget"))
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
    shown = ""
    await refresh()
  }

  const timer = setInterval(() => document.hidden || refresh(), EVERY)
  return { element: box, refresh, close: () => clearInterval(timer) }
}

/** Whether only numbers changed: then rows that are in use are not made again. */
function same(one, other) {
  const states = (text) => JSON.stringify(JSON.parse(text).map(([id, state]) => [id, state]))
  return states(one) === states(other)
}
