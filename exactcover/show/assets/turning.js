// A turning model with its few controls: explode, assemble, the moves one by one, hide a piece by a
// click, reset; four dimensions turn as balls, with one slider.

import { element, still } from "exactcover/page.js"
import { Solid } from "exactcover/solid.js"

const EXPLODED = 0.8 // how far pieces go from the middle
const FAR = 2.4 // where a piece comes from, in radii of the model
const MOVING = 550 // milliseconds that a movement takes
const PAUSE = 120 // milliseconds between two moves
const STILL_PAUSE = 700 // the same where nothing may move by itself
const LONG = 16 // moves from which on they go faster
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
    await this.load(data)
    if (this.closed) return
    if (!hadStage) this.stage.onPointer((event) => this.#click(event), () => {})
    window.exactcover = { told: (await import("exactcover/scene.js")).told, model: this.model, stage: this.stage }
    this.fourth.hidden = !this.model.fourth
    this.show(0)
    if (this.model.fourth) this.#keepTurning()
    this.#fit()
    if (assemble && this.model.moves.length) this.assemble()
  }

  /** Show one of the scenes, such as another solution. */
  show(number) {
    this.#begin()
    this.model.show(number)
    this.assembleButton.hidden = this.moves.hidden = !this.model.moves.length
    this.moves.max = this.model.moves.length
    this.#explodeTo(this.model.apart)
    this.#say(this.#about())
    this.#redraw(true)
    this.changed()
  }

  async explode() {
    this.goTo(this.model.moves.length)
    const run = this.#begin()
    const from = this.model.apart
    const to = from > 0.01 ? 0 : EXPLODED
    await this.#move(run, (share) => this.#explodeTo(from + share * (to - from)))
  }

  /** The pieces go, and come one by one. */
  async assemble() {
    const run = this.#begin()
    const { model } = this
    if (model.turning) {
      model.turning = false
      this.#fit()
    }
    this.#explodeTo(0)
    if (model.step === model.moves.length) model.step = 0
    while (model.step < model.moves.length) {
      if (!(await this.#slide(run, true))) return
      await new Promise((done) => setTimeout(done, still() ? STILL_PAUSE : PAUSE))
      if (run !== this.run) return
    }
    this.#say(this.#about())
  }

  /** Put in what comes next, or take it out again. */
  step(forward) {
    const run = this.#begin()
    const { step, moves } = this.model
    if (forward ? step < moves.length : step > 0) this.#slide(run, forward)
  }

  /** Show what there is after a number of moves. */
  goTo(step) {
    this.#begin()
    this.model.step = step
    this.#say(this.#steps())
    this.#redraw(true)
  }

  /** All pieces in their places, seen from the first direction. */
  reset() {
    this.goTo(this.model.moves.length)
    this.model.states.clear()
    this.#explodeTo(0)
    if (this.model.fourth) this.#keepTurning()
    this.#fit()
    this.#say(this.#about())
    this.changed()
  }

  /** Hide a piece, or show it again. */
  toggle(part) {
    const hidden = this.model.stateOf(part) === "hidden"
    this.model.states.set(part.key, hidden ? (part.state === "hidden" ? "shown" : part.state) : "hidden")
    this.#redraw(true)
    this.#say(hidden ? `${part.name} is shown.` : `${part.name} is hidden. Reset shows it again.`)
    this.changed()
  }

  repaint() {
    this.#redraw(true)
  }

  // -- movement -----------------------------------------------------------------------------------

  /** End what moves: a piece on its way is where it was going. Returns the number of the next movement. */
  #begin() {
    if (this.model?.sliding) {
      this.model.sliding = null
      this.model.step = this.arriving
    }
    return ++this.run
  }

  /** Call `update` with 0 to 1 while time passes, at once with 1 where nothing may move; returns whether it came to its end. */
  async #move(run, update, milliseconds = MOVING) {
    const began = performance.now()
    for (let share = 0; share < 1;) {
      share = still() ? 1 : Math.min(1, (performance.now() - began) / milliseconds)
      update(share * share * (3 - 2 * share))
      await new Promise(requestAnimationFrame)
      if (run !== this.run || this.closed) return false
    }
    return true
  }

  async #slide(run, forward) {
    const { model } = this
    const place = forward ? model.step : model.step - 1
    const move = model.moves[place]
    const distance = move.joins ? (FAR * this.stage.radius) / Math.hypot(...move.vector) : 1
    model.step = place + 1
    this.arriving = forward ? place + 1 : place
    let first = true
    const done = await this.#move(run, (share) => {
      const left = distance * (forward ? 1 - share : share)
      model.sliding = { parts: move.parts, vector: move.vector.map((x) => -x * left) }
      this.#redraw(first)
      first = false
    }, model.moves.length > LONG ? MOVING / 2 : MOVING)
    if (!done) return false
    model.sliding = null
    model.step = this.arriving
    this.#redraw(true)
    this.#say(`${this.#steps()} ${sentence(model, move, forward)}`)
    return true
  }

  #explodeTo(apart) {
    const { model } = this
    const again = apart > 0 !== model.apart > 0
    model.apart = apart
    this.explodeButton.setAttribute("aria-pressed", apart > 0)
    this.#redraw(again)
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
    const { model } = this
    if (byHand) this.#begin()
    this.angle.value = degrees
    const angle = (degrees * Math.PI) / 180
    const was = model.turning
    model.turning = true
    model.angles = [angle, 0, 2 * angle]
    if (was) this.#redraw(false)
    else this.#fit()
  }

  // -- drawing ------------------------------------------------------------------------------------

  /** Draw again; `again`: other faces than before, not the same ones elsewhere. */
  #redraw(again) {
    const { model, stage } = this
    if (!model || this.closed) return
    this.choosing ||= again
    stage.before = () => {
      stage.before = null
      if (this.choosing) model.choose()
      this.choosing = false
      const reach = model.place()
      if (model.sliding) return
      if (this.reach && Math.abs(reach - this.reach) > 1e-6) stage.scaled((stage.radius * reach) / this.reach)
      this.reach = reach
    }
    stage.changed()
  }

  /** See the whole model from the first direction. */
  #fit() {
    this.model.choose()
    this.reach = this.model.place()
    this.stage.fit(this.model.points())
  }

  #click(event) {
    const hit = this.stage.hit(event, this.model.targets)
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
    const { order, dimension } = { ...this.model.scene, ...this.model.data.board }
    if (dimension > 3 && !this.model.fourth) return "Blocks of three dimensions stand side by side."
    if (order?.reason) return order.reason
    if (!this.#isBurr) return ""
    const [first] = order.level.split(".")
    return `Level ${order.level}: ${first} ${first === "1" ? "move" : "moves"} until a piece comes off`
  }

  /** Whether pieces move together, or more than once. */
  get #isBurr() {
    return this.model.moves.some(({ parts, joins }) => parts.length > 1 || !joins)
  }
}

/** A step in words: forward it puts pieces in, backward it takes them out. */
function sentence({ parts }, { parts: moving, vector, count, joins }, forward) {
  const names = moving.map((part) => parts[part].name).join(", ")
  const move = moving.length === 1 ? "moves" : "move"
  if (joins) return `${names} ${move} ${forward ? "in from" : "out to"} ${sideOf(vector)}.`
  const to = sideOf(forward ? vector.map((x) => -x) : vector)
  return `${names} ${move} ${count} step${count === 1 ? "" : "s"} to ${to}.`
}

/** The side from which a piece comes that moves in this direction. */
function sideOf([x, y, z]) {
  const words = []
  if (Math.abs(z) > 0.3) words.push(z < 0 ? "above" : "below")
  if (Math.abs(y) > 0.3) words.push(y < 0 ? "the back" : "the front")
  if (Math.abs(x) > 0.3) words.push(x < 0 ? "the right" : "the left")
  return words.join(" and ")
}
