// One search that is shown while it runs: its board, its numbers, its tree.

import { element, inkOn } from "exactcover/page.js"
import { Profile } from "exactcover/profile.js"
import { listen } from "./api.js"
import { Board } from "exactcover/board.js"
import { button, colourOf, duration, going, number, plural } from "./parts.js"

const STATES = {
  waiting: "Waiting for a free place",
  running: "Searching",
  complete: "Complete",
  limit: "Stopped at the limit",
  stopped: "Stopped",
  failed: "Failed",
  impossible: "Impossible",
}

// The estimate of the time left is shown when it has settled: two seconds apart it differs by less than a quarter.
const [SETTLES, NEAR] = [2, 1.25]

/** How a piece looks on a board. */
export function lookOf(piece) {
  const fill = colourOf(piece)
  return { fill, ink: inkOn(fill), text: piece.name }
}

export class Lane {
  /** changed(): it has another state; signal: ends it; place: 0 is the lane whose run other views show. */
  constructor({ app, puzzle, changed, signal }, place) {
    Object.assign(this, { app, puzzle, changed, place })
    this.run = null
    this.board = new Board(puzzle.board, { label: "Board of the search", width: 560 })
    this.profile = new Profile()
    this.tree = element("div", { class: "tree", hidden: true },
      element("p", { class: "hint" }, "Pieces left, and what was tried: ",
        element("i", { class: "key" }), " fitted ", element("i", { class: "key no" }), " did not"),
      this.profile.element)
    this.state = element("p", { class: "state", role: place ? null : "status" }, "Not started")
    this.bar = element("progress", { max: 1, value: 0, "aria-label": "Part of the tree that is searched" })
    this.count = element("p", { class: "count" })
    this.figures = element("dl", { class: "counters four" })
    this.why = element("p", { class: "hint" })
    this.expected = element("div", { class: "expected" })
    this.ends = element("div", { class: "row" })
    this.element = element("section", { class: "card lane", "aria-label": `Search ${place + 1}` },
      element("div", { class: "lane-head" }, this.state, this.ends), this.bar,
      element("div", { class: "lane-body" }, this.board.element,
        element("div", { class: "stack tight" }, this.count, this.figures, this.why, this.expected, this.tree)))
    this.owners = this.parts = []
    app.addEventListener("theme", () => this.#paint(), { signal })
    signal.addEventListener("abort", () => this.silence?.())
    this.#paint()
  }

  get running() {
    return going(this.run)
  }

  async start(wishes) {
    const { app } = this
    this.#show([])
    try {
      this.attach(await app.withPuzzle((id) => app.api.post("/runs", { puzzle: id, ...wishes })))
    } catch (error) {
      this.state.textContent = "Refused"
      throw error
    }
  }

  async stop() {
    this.#update(await this.app.api.remove(`/runs/${this.run.id}`))
  }

  /** Show a run of the server from now on. */
  attach(run) {
    this.silence?.()
    Object.assign(this, { totals: [], settled: false }) // for the time left
    if (!this.place) this.app.show(run)
    this.#showTree([])
    this.#update(run)
    const progress = (event) => {
      if (event.board) this.#show(event.board)
      this.#showTree(event.profile)
      this.#update(event)
    }
    this.silence = listen(`/runs/${run.id}/events`, {
      progress,
      solution: ({ owners, parts }) => this.#show(owners, parts),
      end: (event) => {
        this.silence()
        progress(event)
      },
      lost: (ended) => this.#lost(ended),
    })
  }

  /** The stream broke: is the server gone, or has it only forgotten the run? */
  async #lost(ended) {
    try {
      const run = await this.app.api.get(`/runs/${this.run.id}`)
      if (ended || !going(run)) this.#update(run)
      if (!going(run)) this.silence?.()
    } catch (error) {
      if (error.status !== 0) this.silence?.()
      if (error.status === 404) {
        this.#update({ ...this.run, state: "failed", error: "The server no longer has this run: it was restarted. Start the search again." })
      } else this.app.fail(error)
    }
  }

  async estimate(strategy) {
    this.expected.textContent = "Estimating …"
    try {
      const found = await this.app.withPuzzle((id) =>
        this.app.api.get(`/puzzles/${id}/estimate`, { seconds: 2, strategy }))
      this.expected.replaceChildren(element("h3", {}, "Estimate"),
        element("dl", { class: "counters" },
          ...figure("nodes", interval(found.nodes, number)),
          ...figure("solutions", interval(found.solutions, number)),
          ...figure("time", interval(found.seconds, duration))))
    } catch (error) {
      this.expected.textContent = ""
      throw error
    }
  }

  /** Take it away, and stop its search. */
  close() {
    this.silence?.()
    this.element.remove()
    if (this.running) this.stop()
  }

  #update(run) {
    const before = this.run?.state
    this.run = run
    if (!this.place && this.app.run?.id === run.id) this.app.run = run
    const words = STATES[run.state] ?? run.state
    if (this.state.textContent !== words) this.state.textContent = words
    this.element.dataset.state = run.state
    if (run.done === null || run.done === undefined) {
      if (going(run)) this.bar.removeAttribute("value")
      else this.bar.value = run.state === "complete" || run.state === "impossible" ? 1 : 0
    } else this.bar.value = run.done
    const over = !going(run)
    const share = run.done > 0 ? `${(100 * run.done).toFixed(run.done < 0.1 ? 2 : run.done < 1 ? 1 : 0)} %` : "–"
    this.count.hidden = !(over && run.solutions !== null && run.state !== "failed")
    this.count.replaceChildren(element("strong", {}, number(run.solutions ?? 0)), ` ${counted(run)}`)
    this.figures.replaceChildren(
      ...figure("solutions", number(run.solutions ?? 0)),
      ...figure("searched", share),
      ...figure("time", duration(run.seconds ?? 0)),
      ...figure("time left", over ? "–" : this.timeLeft(run)),
    )
    const sentences = [run.error ?? run.why, run.strategy ? `Strategy: ${run.strategy}` : null]
    this.why.replaceChildren(...sentences.filter(Boolean).flatMap((text) => [text, element("br")]))
    this.why.classList.toggle("bad", Boolean(run.error))
    if (before === run.state) return
    this.#showEnds(run)
    this.changed()
    if (run.error && before) this.app.notice(run.error)
  }

  /** The time left in words. An estimate is given as a lower bound until it has settled. */
  timeLeft({ left, seconds }) {
    if (left === null || left === undefined) return "–"
    this.totals.push([seconds, seconds + left])
    while (this.totals.length > 1 && this.totals[1][0] <= seconds - SETTLES) this.totals.shift()
    const all = this.totals.map(([, total]) => total)
    const least = Math.min(...all)
    this.settled ||= seconds - this.totals[0][0] >= SETTLES && Math.max(...all) <= NEAR * least
    return this.settled ? `about ${duration(left)}` : `more than ${duration(Math.max(0, least - seconds))}`
  }

  #showEnds(run) {
    this.ends.replaceChildren()
    if (run.kept || run.solutions && run.what !== "count") {
      this.ends.append(button(run.what === "first" ? "Show the solution" : "Show the solutions", () => {
        this.app.show(this.run)
        this.app.go("#solutions")
      }, { class: going(run) ? "small" : "small main" }))
    }
    if (!going(run)) this.app.say(`${STATES[run.state]}: ${plural(run.solutions ?? 0, "solution")}.`)
  }

  /** Show a board soon; many that come at once are painted once. */
  #show(owners, parts = owners) {
    Object.assign(this, { owners, parts })
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null
      this.#paint()
    })
  }

  /** rows: [pieces left, fits, no-fits] */
  #showTree(rows) {
    const levels = rows.map(([left, fits, nofits]) => ({ left, fits, nofits })).sort((a, b) => b.left - a.left)
    this.tree.hidden = !levels.length
    this.profile.show(levels, Math.max(...levels.flatMap(({ fits, nofits }) => [fits, nofits])), number)
    this.profile.describe()
  }

  #paint() {
    const optional = new Set(this.puzzle.secondary)
    const looks = this.puzzle.pieces.map(lookOf)
    this.board.paintOwners(this.owners, (owner) => looks[owner], this.parts,
      (cell) => (optional.has(cell) ? { mark: "dots" } : {}))
  }
}

function figure(name, value) {
  return [element("div", {}, element("dt", {}, name), element("dd", {}, value))]
}

/** What was counted, after its number. */
function counted({ what, unique, solutions, placements }) {
  const noun = solutions === 1 ? "solution" : "solutions"
  if (what === "first" || what === "sample" || unique === "all" || !solutions) return noun
  return `different ${noun}${placements ? `, ${plural(placements, "placement")}` : ""}`
}

function interval(found, words) {
  if (!found || found.high === null) return "unknown"
  const { value, low, high } = found
  const rounded = (each) => words(words === number ? Number(each.toPrecision(3)) : each)
  return low === high ? rounded(value) : `${rounded(value)} (${rounded(low)} to ${rounded(high)})`
}
