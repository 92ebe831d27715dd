// The turning model of the board and of the pieces on it, beside the layers of a puzzle in space.
//
// A press on the model does what a press on a cell of the layers does. Where the pointer is over several
// open cells, the farthest one before a piece is meant: a piece goes as deep as it can.

import { array, isDark } from "exactcover/page.js"
import { Solid } from "exactcover/solid.js"

const REACH = 0.52 // of the distance of neighbours: how near to a ray the middle of a cell is hit

/** The colours of a piece that does not fit, in a light and in a dark page. */
export const BAD = ["#d1242f", "#ff7b72"]

export class PlayModel extends Solid {
  /** data: a promise of what `data_of_board` makes. */
  constructor(play, data) {
    super("turning", "Model of the board: drag it, or turn it with the arrow keys; press a cell to place the piece in hand")
    this.play = play
    this.#start(data).catch(play.app.fail)
  }

  async #start(data) {
    await this.load(data)
    if (!this.model) return
    this.board = this.model.scenes[0]
    this.still = array(this.model.data.scenes[0].owners) // the part of each cell without pieces
    this.stage.onPointer((event) => this.#press(event), (event) => this.#hover(event))
    this.play.paint()
  }

  /** Show the pieces of these looks: owners[cell] is the number of a look, with -1 for none. */
  show(owners, looks) {
    if (!this.board) return
    const key = JSON.stringify([owners, looks, isDark()])
    if (key === this.shown) return
    this.shown = key
    const used = [...new Set(owners.filter((owner) => owner >= 0 && looks[owner].tone))]
    const parts = used.map((owner) => ({
      name: looks[owner].name, text: looks[owner].name, copy: owner, key: `piece ${owner}`, tone: looks[owner].tone,
      whole: true, state: looks[owner].solid ? "shown" : "outlined",
    }))
    const places = new Map(used.map((owner, place) => [owner, place]))
    const all = this.still.map((part, cell) => places.get(owners[cell]) ?? (part < 0 ? part : used.length + part))
    this.numbers = used
    this.model.scenes[0] = { ...this.board, owners: all, parts: [...parts, ...this.board.parts] }
    this.model.show(0)
    this.model.chosen = null
    this.repaint()
  }

  /** The picture of the model as it stands; null where there is none. */
  snapshot() {
    if (!this.stage) return null
    this.stage.draw() // a browser forgets what was drawn once it has shown it
    return this.canvas
  }

  /** The cell that is meant at a point of the screen; -1: none. */
  cellAt(x, y) {
    if (!this.model) return -1
    const event = { clientX: x, clientY: y }
    const hit = this.stage.hit(event, this.model.targets)
    const part = hit ? this.model.partOf(hit) : -1
    const inFront = hit ? this.stage.camera.position.distanceTo(hit.point) : Infinity
    const { origin, direction } = this.stage.ray(event)
    const { cells, pitch, places } = this.model
    const owners = this.model.scene.owners
    const isOpen = this.play.openCells()
    let [best, far] = [-1, -Infinity]
    let [own, near] = [-1, Infinity]
    for (let cell = 0; cell < cells; cell++) {
      const to = origin.map((x, axis) => places[3 * cell + axis] - x)
      const along = to[0] * direction[0] + to[1] * direction[1] + to[2] * direction[2]
      const aside = Math.sqrt(Math.max(0, Math.hypot(...to) ** 2 - along ** 2))
      if (aside > REACH * pitch) continue
      if (isOpen(cell) && along < inFront && along > far) [best, far] = [cell, along]
      if (hit && owners[cell] === part && along < near) [own, near] = [cell, along]
    }
    return this.play.hand.empty || best < 0 ? own : best
  }

  #press(event) {
    const cell = this.cellAt(event.clientX, event.clientY)
    if (cell >= 0) this.play.press(cell)
  }

  #hover(event) {
    if (!event) this.play.hover(-1)
    else if (!this.play.hand.empty) this.play.hover(this.cellAt(event.clientX, event.clientY))
  }
}
