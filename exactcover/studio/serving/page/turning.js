// A turning model with its few controls: explode, assemble, hide a piece by a click, reset; four
// dimensions turn as balls, with one slider.

import { element, still } from "exactcover/page.js"
import { Solid } from "exactcover/solid.js"
import { button, plural } from "./parts.js"

const EXPLODED = 0.8
const FAR = 2.4 // where a piece comes from, in radii of the model
const PAUSE = 120 // milliseconds between two moves
const STILL_PAUSE = 700 // the same where nothing may move by itself
const LONG = 16 // moves from which on they go faster
const SPEED = 29 // degrees of the fourth dimension in a second

export class Turning extends Solid {
  /** label: what it shows, for readers who listen */
  constructor(label) {
    super("turning", `${label}: drag it, or turn it with the arrow keys; a click hides a piece`)
    this.caption = element("p", { class: "caption", role: "status" })
    this.explodeButton = button("Explode", () => this.explode(), { "aria-pressed": "false" })
    this.assembleButton = button("Assemble", () => this.assemble())
    this.resetButton = button("Reset", () => this.reset())
    this.slider = element("input", { type: "range", min: 0, max: 360, value: 0, "aria-label": "Turn in the fourth dimension", oninput: () => this.#turnTo(Number(this.slider.value), true) })
    this.fourth = element("label", { class: "fourth" }, element("span", {}, "4th dimension"), this.slider)
    this.controls = element("div", { class: "row controls" }, this.explodeButton, this.assembleButton, this.resetButton, this.fourth)
    this.run = 0 // the movement that goes on; any other ends
  }

  /** Show data of the server; `assemble`: the pieces come one by one. */
  async turn(data, { assemble = false } = {}) {
    this.run++
    const hadStage = this.stage
    await this.load(data)
    if (this.closed) return
    const { Viewer } = await import("exactcover/viewer.js")
    this.viewer = new Viewer(this.model, this.stage)
    if (!hadStage) this.stage.onPointer((event) => this.#click(event), () => {})
    window.exactcover = { told: (await import("exactcover/scene.js")).told, model: this.model, stage: this.stage }
    this.explodeButton.setAttribute("aria-pressed", "false")
    this.assembleButton.hidden = !this.model.moves.length
    this.fourth.hidden = !this.model.fourth
    this.#say()
    if (this.model.fourth) this.#keepTurning()
    this.viewer.fit()
    if (assemble && this.model.moves.length) this.assemble()
  }

  explode() {
    this.#finish()
    const { model, viewer } = this
    const from = model.apart
    const to = from > 0.01 ? 0 : EXPLODED
    this.explodeButton.setAttribute("aria-pressed", String(to > 0))
    viewer.animate((share) => {
      const again = (model.apart > 0) !== (share > 0 || from > 0)
      model.apart = from + share * (to - from)
      viewer.redraw(again || share === 1)
    })
  }

  /** The pieces go, and come one by one. */
  async assemble() {
    this.#finish()
    const { model, viewer, stage } = this
    const run = ++this.run
    if (model.turning) {
      model.turning = false
      viewer.fit()
    }
    model.apart = 0
    this.explodeButton.setAttribute("aria-pressed", "false")
    model.step = 0
    const moves = model.moves.length
    for (const [place, move] of model.moves.entries()) {
      const { parts, vector, joins } = move
      const distance = joins ? (FAR * stage.radius) / Math.hypot(...vector) : 1
      const at = (left) => (model.sliding = { parts, vector: vector.map((x) => -x * distance * left) })
      model.step = place + 1
      at(1)
      viewer.redraw(true)
      this.#say(`${place + 1} of ${plural(moves, this.#isBurr ? "move" : "piece")}`)
      await new Promise((done) => {
        viewer.animate((share) => {
          at(1 - share)
          viewer.redraw(false)
        }, done)
        if (moves > LONG) setTimeout(done, 350)
      })
      if (run !== this.run || this.closed) return
      model.sliding = null
      viewer.redraw(true)
      await new Promise((done) => setTimeout(done, still() ? STILL_PAUSE : PAUSE))
      if (run !== this.run || this.closed) return
    }
    this.#say()
  }

  /** All pieces in their places, seen from the first direction. */
  reset() {
    this.#finish()
    const { model, viewer } = this
    model.states.clear()
    model.apart = 0
    this.explodeButton.setAttribute("aria-pressed", "false")
    if (model.fourth) this.#keepTurning()
    viewer.fit()
  }

  /** End what moves; all pieces are in their places. */
  #finish() {
    this.run++
    this.viewer.halt()
    this.model.sliding = null
    this.model.step = this.model.moves.length
    this.#say()
    this.viewer.redraw(true)
  }

  get #isBurr() {
    return Boolean(this.model.scene.order?.level)
  }

  #say(sentence = "") {
    const level = this.model.scene.order?.level
    const first = level ? Number(level.split(".")[0]) : 0
    this.caption.textContent = sentence || (level ? `Level ${level}: ${plural(first, "move")} until a piece comes off` : "")
  }

  #click(event) {
    const { model, viewer, stage } = this
    const hit = stage.hit(event, model.targets)
    const part = hit && model.parts[model.partOf(hit)]
    if (!part?.whole) return
    model.states.set(part.key, "hidden")
    viewer.redraw(true)
    viewer.tell(`${part.name} is hidden. Reset shows it again.`)
  }

  #keepTurning() {
    const run = ++this.run
    this.#turnTo(Number(this.slider.value))
    if (still()) return
    let before = performance.now()
    const frame = (now) => {
      if (run !== this.run || this.closed || !this.canvas.isConnected) return
      const passed = Math.min(100, now - before)
      before = now
      if (!document.hidden) this.#turnTo((Number(this.slider.value) + (passed * SPEED) / 1000) % 360)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }

  #turnTo(degrees, byHand = false) {
    const { model, viewer } = this
    if (byHand) this.run++
    this.slider.step = "any"
    this.slider.value = degrees
    const angle = (degrees * Math.PI) / 180
    const was = model.turning
    model.turning = true
    model.angles = [angle, 0, 2 * angle]
    if (was) viewer.redraw(false)
    else viewer.fit()
  }
}
