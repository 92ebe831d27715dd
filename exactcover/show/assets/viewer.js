// Common functions of all controls of a puzzle: redraw, move slowly, and announce the position.

import { say, still } from "exactcover/page.js"

const MOVING = 550 // milliseconds that a movement takes
const MOMENT = 350 // milliseconds without a change, after which a sentence is announced

export class Viewer {
  constructor(model, stage) {
    this.model = model
    this.stage = stage
    this.many = model.scenes.length
    this.listeners = []
    this.radius = 0
    this.choosing = false // whether what is drawn must be chosen again, not only moved
    this.movement = 0
    let direction = ""
    stage.controls.addEventListener("change", () => {
      if (direction && direction !== stage.direction()) this.tell()
      direction = stage.direction()
    })
  }

  /** Call `listener` with `what` has changed: "scene", "way", "theme" or "stop". */
  onChange(listener) {
    this.listeners.push(listener)
  }

  changed(what) {
    for (const listener of this.listeners) listener(what)
  }

  // -- drawing ------------------------------------------------------------------------------------

  /** Draw again; `again`: other faces than before, not the same ones elsewhere. */
  redraw(again) {
    const { model, stage } = this
    this.choosing ||= again
    stage.before = () => {
      stage.before = null
      if (this.choosing) model.choose()
      this.choosing = false
      const reach = model.place()
      if (model.sliding) return
      if (Math.abs(reach - this.radius) > 1e-6) stage.scaled((stage.radius * reach) / this.radius)
      this.radius = reach
    }
    stage.changed()
  }

  /** See the whole model from the first direction. */
  fit() {
    this.model.choose()
    this.radius = this.model.place()
    this.stage.fit(this.model.points())
  }

  /** Show another solution. */
  show(number) {
    this.changed("stop")
    this.model.show((number + this.many) % this.many)
    this.changed("scene")
    this.redraw(true)
    this.tell()
  }

  // -- movement -----------------------------------------------------------------------------------

  /** Call `update` with 0 to 1 while time passes; at once with 1 where nothing may move. */
  animate(update, done = () => {}) {
    const own = ++this.movement
    if (still()) {
      update(1)
      done()
      return
    }
    const began = performance.now()
    const frame = (now) => {
      if (own !== this.movement) return
      const share = Math.min(1, Math.max(0, (now - began) / MOVING))
      update(share * share * (3 - 2 * share))
      if (share < 1) requestAnimationFrame(frame)
      else done()
    }
    requestAnimationFrame(frame)
  }

  /** End a movement where it is. */
  halt() {
    this.movement++
  }

  // -- words --------------------------------------------------------------------------------------

  /** Announce the position, once nothing has changed for a moment; `first`: the event before it. */
  tell(first = "") {
    clearTimeout(this.speaking)
    this.speaking = setTimeout(() => say(`${first} ${this.where()}`.trim()), first ? 0 : MOMENT)
  }

  where() {
    const { model } = this
    const said = []
    if (this.many > 1) said.push(`Solution ${model.number + 1} of ${this.many}.`)
    const states = model.parts.filter((part) => part.whole).map((part) => model.stateOf(part))
    for (const state of ["hidden", "outlined"]) {
      const number = states.filter((each) => each === state).length
      if (number) said.push(`${count(number, "piece")} ${state}.`)
    }
    if (model.step < model.moves.length) {
      const steps = model.scene.order?.level
        ? `${count(model.moves.length, "move")} done`
        : `${count(model.moves.length, "piece")} in place`
      said.push(`${model.step} of ${steps}.`)
    }
    said.push(`Seen from ${this.stage.direction()}.`)
    return said.join(" ")
  }
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`
}
