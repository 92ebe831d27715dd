// The solutions left in a position, after each move.

import { element } from "exactcover/page.js"
import { number, plural } from "./parts.js"

export class Left {
  answer = null

  constructor(game, aid) {
    this.game = game
    this.aid = aid
    this.number = element("strong", { class: "number" })
    this.kind = element("span", { class: "kind" })
    this.why = element("p", { class: "why" })
    this.facts = element("ul", { class: "facts" })
    this.element = element("div", { class: "left" },
      element("p", { class: "count" }, this.number, " ", this.kind), this.why, this.facts)
  }

  /** Say what is left in the position as it is now. */
  ask() {
    this.answer = this.aid.left(this.game.placed)
    this.#show(this.answer, this.game.placed.length)
    return this.answer
  }

  /** Hide the number and what it tells, or show them. */
  hide(hidden) {
    this.element.classList.toggle("hushed", hidden)
  }

  #show(answer, moves) {
    const { left, exact, partial, different } = answer
    this.number.textContent = exact ? number(left) : ""
    this.kind.textContent = !exact ? partial
      : different && different < left ? `placements (${number(different)} different)`
        : left === 1 ? "solution left" : "solutions left"
    this.kind.title = different && different < left
      ? "Solutions that differ by turning the whole board count once as different ones, and as several placements here." : ""
    this.element.classList.toggle("none", exact && !left)
    this.element.dataset.moves = moves
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
