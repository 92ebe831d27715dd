// The solutions left in a position: a request after each move, repeated until the number is exact.

import { element } from "exactcover/page.js"
import { number, plural } from "./parts.js"

const FIRST = 0.08 // seconds that the first answer may wait for an exact number
const SOON = 100 // milliseconds between the first questions about one position
const AGAIN = 350 // and between later ones
const MOST = 170 // questions about one position: about a minute

export class Left {
  answer = null
  #control = null
  #timer = 0

  #known = new Map() // the answers that have a solution or are exact, by the position

  /** onanswer(answer, first): called with each answer; `first`: whether it is the first for this position. */
  constructor(game, app, aid, onanswer) {
    this.game = game
    this.app = app
    this.aid = aid
    this.onanswer = onanswer
    this.number = element("strong", { class: "number" }, "…")
    this.kind = element("span", { class: "kind" })
    this.why = element("p", { class: "why" })
    this.facts = element("ul", { class: "facts" })
    this.element = element("div", { class: "left" },
      element("p", { class: "count" }, this.number, " ", this.kind), this.why, this.facts)
  }

  /** Ask about the position as it is now. */
  ask() {
    this.stop()
    this.element.setAttribute("aria-busy", "true")
    this.answer = null
    this.#control = new AbortController()
    this.#question(this.#control.signal, 0)
  }

  /** What is known of a position of this game; it is asked about if nothing is. */
  async about(placed) {
    const key = JSON.stringify(placed)
    if (!this.#known.has(key)) this.#learn(placed, await this.aid.left(placed, 1))
    return this.#known.get(key) ?? { left: 0, exact: false }
  }

  #learn(placed, answer) {
    if (answer.left || answer.exact) this.#known.set(JSON.stringify(placed), { left: answer.left, exact: answer.exact })
  }

  /** Hide the number and what it tells, or show them. */
  hide(hidden) {
    this.element.classList.toggle("hushed", hidden)
  }

  stop() {
    clearTimeout(this.#timer)
    this.#control?.abort()
  }

  async #question(signal, times) {
    const { placed } = this.game
    try {
      const answer = await this.aid.left(placed, times ? 0.03 : FIRST, signal)
      if (signal.aborted) return
      this.#learn(placed, answer)
      this.#show(answer, placed.length, times >= MOST)
      this.onanswer(answer, times === 0)
      if (answer.exact || answer.partial || times >= MOST) return
    } catch (error) {
      if (signal.aborted) return
      this.element.setAttribute("aria-busy", "false")
      this.app.fail(error)
      return
    }
    this.#again(signal, times + 1)
  }

  /** Ask again in a moment, but not while the page is hidden. */
  #again(signal, times) {
    this.#timer = setTimeout(
      () => (document.hidden ? this.#again(signal, times) : this.#question(signal, times)),
      times < 8 ? SOON : AGAIN,
    )
  }

  #show(answer, moves, last) {
    this.answer = answer
    const { left, exact, partial, different } = answer
    this.number.textContent = exact ? number(left) : partial ? "" : left ? `at least ${number(left)}` : "?"
    this.kind.textContent = exact
      ? different && different < left
        ? `placements (${number(different)} different)`
        : left === 1 ? "solution left" : "solutions left"
      : partial ?? `${left === 1 ? "solution" : left ? "solutions" : "no solution"} found${last ? " in a minute" : " so far, searching …"}`
    this.kind.title = different && different < left
      ? "Solutions that differ by turning the whole board count once as different ones, and as several placements here." : ""
    this.element.classList.toggle("none", exact && !left)
    this.element.dataset.moves = moves
    this.element.setAttribute("aria-busy", "false")
    this.why.textContent = answer.why ?? ""
    this.why.hidden = !answer.why
    this.facts.replaceChildren(...factsOf(answer).map((text) => element("li", {}, text)))
    this.facts.hidden = !this.facts.children.length
  }

  /** The puzzle is solved: no number and no facts, but that it is done; `finished`: by the page. */
  celebrate(finished) {
    this.facts.hidden = true
    this.number.textContent = finished ? "Finished" : "Solved"
    this.kind.textContent = finished ? "by the page" : ""
  }

  /** The answer as a sentence for readers who listen. */
  get sentence() {
    const words = this.answer ? [this.answer.text, this.answer.why, ...factsOf(this.answer)] : []
    return words.filter(Boolean).map((text) => text[0].toUpperCase() + text.slice(1)).join(". ")
  }
}

function factsOf({ forced, dead, stuck }) {
  const facts = []
  if (forced.length) facts.push(`${plural(forced.length, "placement")} forced: ${forced.map(({ piece }) => piece).join(", ")}`)
  if (dead.length) facts.push(`${plural(dead.length, "cell")} that nothing can cover`)
  if (stuck.length) facts.push(`Fits nowhere: ${stuck.join(", ")}`)
  return facts
}
