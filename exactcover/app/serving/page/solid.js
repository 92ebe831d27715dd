// A small turning model beside a drawing.

import { element, onTheme } from "exactcover/page.js"

const FROM = [0.62, -1, 0.72]

export class Solid {
  constructor() {
    this.canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": "Model of the puzzle: drag it, or turn it with the arrow keys" })
    this.element = element("div", { class: "solid" }, this.canvas)
    this.canvas.addEventListener("keydown", (event) => this.#key(event))
    onTheme(() => this.#repaint())
  }

  /** Show the data of a view.json. */
  async show(data) {
    const [{ Model }, { Stage }] = await Promise.all([import("exactcover/model.js"), import("exactcover/scene.js")])
    if (this.closed) return
    const model = new Model(data)
    if (!this.stage) {
      try {
        this.stage = new Stage(this.canvas, FROM, 2 * model.surface.count)
      } catch (error) {
        if (!/webgl/i.test(error.message)) throw error
        this.element.hidden = true
        this.closed = true
        return
      }
    }
    for (const object of this.model?.objects ?? []) {
      this.stage.model.remove(object)
      object.geometry?.dispose()
      object.material?.dispose?.()
    }
    const first = !this.model
    this.model = model
    this.stage.model.add(...model.objects)
    model.choose()
    model.place()
    this.stage.fit(model.points(), first)
  }

  #repaint() {
    if (!this.model || this.closed) return
    this.model.choose()
    this.model.place()
    this.stage.changed()
  }

  #key(event) {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
    const turn = turns[event.key]
    if (turn && this.stage) {
      this.stage.turn(...turn.map((x) => (x * Math.PI) / 18))
      event.preventDefault()
    }
  }

  close() {
    this.closed = true
    this.stage?.renderer.dispose()
    this.stage?.renderer.forceContextLoss()
  }
}
