// A turning model with its few controls: explode, assemble, the moves one by one, hide a piece by a
// click, reset; four dimensions turn as balls, with one slider.

import { element, still } from "exactcover/page.js"
import { Solid } from "exactcover/solid.js"

const EXPLODED = 0.8 // how far pieces go from the middle
const GROWTH = 0.7 // how much larger the model is then, as a share of that
const FAR = 2.4 // where a piece comes from, in radii of the model
const MOVING = 500 // milliseconds that a movement takes
const PAUSE = 300 // milliseconds between two moves
const SPEED = 29 // degrees of the fourth dimension in a second

export class Turning extends Solid {
  /** label: what it shows, for readers who listen */
  constructor(label) {
    super("turning", `${label}: drag it, or turn it with the arrow keys; a click hides a piece`)
    const press = (text, onclick, more = {}) => element("button", { onclick, ...more }, text)
    this.caption = element("p", { class: "caption", role: "status" })
    this.explodeButton = press("Explode", () => this.explode(), { "aria-pressed": "false" })
    this.assembleButton = press("Assemble", () => this.assemble(), { hidden: true })
    this.moves = element("input", { type: "range", min: 0, hidden: true, "aria-label": "Moves that are done", oninput: () => this.goTo(Number(this.moves.value)) })
    this.angle = element("input", { type: "range", min: 0, max: 360, step: "any", value: 25, "aria-label": "Turn in the fourth dimension", oninput: () => this.#turnTo(Number(this.angle.value), true) })
    this.fourth = element("label", { class: "fourth", hidden: true }, element("span", {}, "4th dimension"), this.angle)
    this.controls = element("div", { class: "row controls" }, this.explodeButton, this.assembleButton,
      press("Reset", () => this.reset()), this.moves, this.fourth)
    this.run = 0 // the movement that goes on; any other ends
    this.arriving = 0 // the step at which a piece on its way arrives
    this.changed = () => {} // called when another scene is shown, or other pieces are
  }

  /** Show data of `exactcover.show.viewing`; `assemble`: the pieces come one by one. */
  async turn(data, { assemble = false } = {}) {
    this.run++
    const hadStage = this.stage
    await this.load(data, true)
    if (this.closed) return
    if (!hadStage) this.stage.onPointer((event) => this.#click(event))
    window.exactcover = { model: this.model, stage: this.stage }
    this.fourth.hidden = !this.model.turning
    this.explodeButton.setAttribute("aria-pressed", "false")
    this.show(0)
    if (this.model.turning) this.#keepTurning()
    if (assemble && this.model.moves.length) this.assemble()
  }

  /** Show one of the scenes, such as another solution. */
  show(number) {
    this.#begin()
    this.model.show(number)
    this.assembleButton.hidden = this.moves.hidden = !this.model.moves.length
    this.moves.max = this.model.moves.length
    this.#say(this.#about())
    this.repaint()
    this.changed()
  }

  async explode() {
    this.goTo(this.model.moves.length)
    const from = this.model.apart
    const to = from > 0.01 ? 0 : EXPLODED
    await this.#move((share) => this.#explodeTo(from + share * (to - from)))
  }

  /** The pieces go, and come one by one. */
  async assemble() {
    const { model } = this
    this.#begin()
    this.#explodeTo(0)
    if (model.step === model.moves.length) this.goTo(0)
    while (model.step < model.moves.length) {
      const done = await this.#slide(true)
      const { run } = this
      await new Promise((then) => setTimeout(then, PAUSE))
      if (!done || run !== this.run) return
    }
    this.#say(this.#about())
  }

  /** Put in what comes next, or take it out again. */
  step(forward) {
    this.#begin()
    const { step, moves } = this.model
    if (forward ? step < moves.length : step > 0) this.#slide(forward)
  }

  /** Show what there is after a number of moves. */
  goTo(step) {
    this.#begin()
    this.model.step = step
    this.#say(this.#steps())
    this.repaint()
  }

  /** All pieces in their places, seen from the first direction. */
  reset() {
    this.model.states.clear()
    this.#explodeTo(0)
    this.goTo(this.model.moves.length)
    if (this.model.turning) this.#keepTurning()
    this.stage.fit(this.model.points())
    this.#say(this.#about())
    this.changed()
  }

  /** Hide a piece, or show it again. */
  toggle(part) {
    const hidden = this.model.stateOf(part) === "hidden"
    this.model.states.set(part.key, hidden ? (part.state === "hidden" ? "shown" : part.state) : "hidden")
    this.repaint()
    this.#say(hidden ? `${part.name} is shown.` : `${part.name} is hidden. Reset shows it again.`)
    this.changed()
  }

  // -- movement -----------------------------------------------------------------------------------

  /** End what moves: a piece on its way is where it was going. Returns the number of the next movement. */
  #begin() {
    if (this.model.sliding) {
      this.model.sliding = null
      this.model.step = this.arriving
    }
    return ++this.run
  }

  /** Call `update` with 0 to 1 while time passes, at once with 1 where nothing may move; returns whether it came to its end. */
  async #move(update) {
    const run = this.#begin()
    const began = performance.now()
    for (let share = 0; share < 1;) {
      share = still() ? 1 : Math.min(1, (performance.now() - began) / MOVING)
      update(share * share * (3 - 2 * share))
      await new Promise(requestAnimationFrame)
      if (run !== this.run || this.closed) return false
    }
    return true
  }

  async #slide(forward) {
    const { model } = this
    const place = forward ? model.step : model.step - 1
    const { parts, vector, joins } = model.moves[place]
    const distance = joins ? (FAR * this.stage.radius) / Math.hypot(...vector) : 1
    const done = await this.#move((share) => {
      const first = !model.sliding
      const left = distance * (forward ? 1 - share : share)
      model.sliding = { parts, vector: vector.map((x) => -x * left) }
      model.step = place + 1
      this.arriving = forward ? place + 1 : place
      if (first) model.choose()
      this.#place()
    })
    if (!done) return false
    this.goTo(this.arriving)
    this.#say(`${this.#steps()} Moved: ${parts.map((part) => model.parts[part].name).join(", ")}`)
    return true
  }

  #explodeTo(apart) {
    const { model, stage } = this
    const again = apart > 0 !== model.apart > 0
    stage.scaled((1 + GROWTH * apart) / (1 + GROWTH * model.apart))
    model.apart = apart
    this.explodeButton.setAttribute("aria-pressed", apart > 0)
    if (again) model.choose()
    this.#place()
  }

  #place() {
    this.model.place()
    this.stage.changed()
  }

  #keepTurning() {
    const run = this.#begin()
    this.#turnTo(Number(this.angle.value))
    if (still()) return
    let before = performance.now()
    const frame = (now) => {
      if (run !== this.run || this.closed || !this.canvas.isConnected) return
      const passed = Math.min(100, now - before)
      before = now
      if (!document.hidden) this.#turnTo((Number(this.angle.value) + (passed * SPEED) / 1000) % 360)
      // Where frames take long, as without a graphics card, others have their turn in between.
      setTimeout(() => requestAnimationFrame(frame), passed < 100 ? 0 : 300)
    }
    requestAnimationFrame(frame)
  }

  #turnTo(degrees, byHand = false) {
    if (byHand) this.#begin()
    this.angle.value = degrees
    const angle = (degrees * Math.PI) / 180
    this.model.angles = [angle, 0, 2 * angle]
    this.#place()
  }

  #click(event) {
    const hit = this.stage.hit(event)
    const part = hit && this.model.parts[this.model.partOf(hit)]
    if (part?.whole) this.toggle(part)
  }

  // -- words --------------------------------------------------------------------------------------

  #say(text) {
    this.caption.textContent = text
    this.moves.value = this.model.step
    this.moves.setAttribute("aria-valuetext", this.#steps())
  }

  #steps() {
    const { step, moves } = this.model
    return step < moves.length ? `${step} of ${moves.length} moves.` : ""
  }

  #about() {
    const { model } = this
    const { order } = model.scene
    if (model.data.board.dimension > 3 && !model.turning) return "Blocks of three dimensions stand side by side."
    if (order?.reason) return order.reason
    // Pieces of a burr move together, or more than once.
    if (model.moves.every(({ parts, joins }) => parts.length === 1 && joins)) return ""
    const [first] = order.level.split(".")
    return `Level ${order.level}: ${first} ${first === "1" ? "move" : "moves"} until a piece comes off`
  }
}
