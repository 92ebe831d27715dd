// A turning model on a canvas: beside a drawing, and as the base of the model of Play.

import { element } from "exactcover/page.js"
import { WAYS } from "exactcover/geometry.js"

const TURN = Math.PI / 18
const ZOOM = 1.15
const ABOVE = [0.12, -0.62, 1] // the direction from which cells in the plane are seen at first

export class Solid {
  constructor(look, label) {
    this.canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": label, onkeydown: (event) => this.#key(event) })
    this.element = element("div", { class: look }, this.canvas)
  }

  /**
   * Draw what `exactcover.show.viewing` makes, or a promise of it; where there is no WebGL, nothing is shown.
   *
   * turning  whether four dimensions turn
   */
  async load(data, turning = false) {
    const [view, { Model }, { stageOn }] = await Promise.all([data, import("exactcover/model.js"), import("exactcover/scene.js")])
    if (this.closed) return
    this.stage ??= stageOn(this.canvas, view.board.dimension > 2 ? undefined : ABOVE)
    if (!this.stage) {
      this.element.hidden = this.closed = true
      return
    }
    const first = !this.model
    if (!first) this.stage.scene.remove(this.model.object)
    this.model?.dispose()
    this.model = new Model(view, turning)
    this.bare = this.model.scene
    this.stage.scene.add(this.model.object)
    this.repaint()
    this.stage.fit(this.model.points(), first)
  }

  /**
   * Lay pieces on the board that was loaded. owners[cell] is the number of a piece, or -1; a piece is {name,
   * tone, clear}: the tone its colours on a light and on a dark page, clear whether one sees through it.
   */
  lay(owners, pieces) {
    if (!this.model || this.closed) return
    const parts = pieces.map(({ name, tone, clear }, number) =>
      ({ key: `piece ${number}`, name, tone, whole: true, state: clear ? "outlined" : "shown" }))
    const all = Array.from(this.bare.owners, (still, cell) =>
      owners[cell] >= 0 ? owners[cell] : still < 0 ? still : parts.length + still)
    this.model.scenes[0] = { ...this.bare, owners: all, parts: [...parts, ...this.bare.parts] }
    this.model.show(0)
    this.repaint()
  }

  /** Draw all again. */
  repaint() {
    if (!this.model || this.closed) return
    this.model.choose()
    this.stage.changed()
  }

  /** What keys do on the model. */
  get keys() {
    const ways = Object.entries(WAYS).map(([key, way]) => [key, () => this.stage?.turn(...way.map((x) => x * TURN))])
    const zoom = (factor) => () => this.stage?.zoom(factor)
    return { ...Object.fromEntries(ways), "+": zoom(ZOOM), "=": zoom(ZOOM), "-": zoom(1 / ZOOM) }
  }

  #key(event) {
    const action = this.keys[event.key]
    if (!action || event.altKey || event.ctrlKey || event.metaKey) return
    action()
    event.preventDefault()
    event.stopPropagation()
  }

  close() {
    this.closed = true
    this.stage?.renderer.dispose()
    this.stage?.renderer.forceContextLoss()
  }
}
