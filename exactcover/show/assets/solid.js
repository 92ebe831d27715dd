// A turning model on a canvas: beside a drawing, and as the base of the model of Play.

import { element } from "exactcover/page.js"
import { WAYS } from "exactcover/geometry.js"

export class Solid {
  constructor(look, label) {
    this.canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": label, onkeydown: (event) => this.#key(event) })
    this.element = element("div", { class: look }, this.canvas)
  }

  /** Draw what a view.json has, or a promise of it; where there is no WebGL, nothing is shown. */
  async load(data) {
    const [view, { Model }, { stageOn }] = await Promise.all([data, import("exactcover/model.js"), import("exactcover/scene.js")])
    if (this.closed) return
    const model = new Model(view)
    this.stage ??= stageOn(this.canvas, 2 * model.surface.count)
    if (!this.stage) {
      this.element.hidden = this.closed = true
      return
    }
    for (const object of this.model?.objects ?? []) {
      this.stage.model.remove(object)
      object.geometry?.dispose()
      object.material?.dispose?.()
    }
    const first = !this.model
    this.model = model
    this.stage.model.add(...model.objects)
    this.repaint()
    this.stage.fit(model.points(), first)
  }

  repaint() {
    if (!this.model || this.closed) return
    this.model.choose()
    this.model.place()
    this.stage.changed()
  }

  #key(event) {
    const turn = WAYS[event.key]
    if (!turn || !this.stage) return
    this.stage.turn(...turn.map((x) => (x * Math.PI) / 18))
    event.preventDefault()
  }

  close() {
    this.closed = true
    this.stage?.renderer.dispose()
    this.stage?.renderer.forceContextLoss()
  }
}
