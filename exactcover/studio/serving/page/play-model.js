// The turning model of the board and of the pieces on it, before the layers of a puzzle in space.
//
// A press on the model does what a press on a cell of the layers does. Where the pointer is over several
// open cells, the farthest one before a piece is meant: a piece goes as deep as it can.

import { isDark } from "exactcover/page.js"
import { Solid } from "exactcover/solid.js"

const REACH = 0.52 // of the distance of neighbours: how near to a ray the middle of a cell is hit
const GOOD = ["#1a7f37", "#3fb950"] // of a piece where it fits, in a light and in a dark page
const BAD = ["#d1242f", "#ff7b72"]
const LOOK = ["#0b5fa5", "#7fbcf5"] // of a cell to look at

export class PlayModel extends Solid {
  /** data: of the board, or a promise of them. */
  constructor(play, data) {
    super("turning", "Model of the board: drag it, or turn it with the arrow keys; press a cell to place the piece in hand")
    Object.assign(this, { play, place: null, shownKey: "" })
    this.#start(data).catch((error) => error?.name === "AbortError" || console.error(error))
  }

  async #start(data) {
    await this.load(data)
    if (!this.model || this.closed) return
    this.stage.onPointer((event) => this.#press(event), (event) => this.#hover(event))
    this.play.paint()
  }

  /** Show the pieces of these looks: owners[cell] is the number of a look, with -1 for none. */
  show(owners, looks, marked) {
    this.shown = { owners, looks, marked }
    this.#draw()
  }

  /** Show where the piece in hand would lie: {cells, fits}, or null. */
  preview(place) {
    this.place = place
    this.#draw()
  }

  #draw() {
    if (!this.model || !this.shown) return
    const owners = [...this.shown.owners]
    const looks = [...this.shown.looks]
    const add = (cells, name, tone) => {
      for (const cell of cells) if (owners[cell] < 0) owners[cell] = looks.length
      looks.push({ name, tone, clear: true })
    }
    add(this.shown.marked, "look", LOOK)
    if (this.place) add(this.place.cells, "landing", this.place.fits ? GOOD : BAD)
    const key = JSON.stringify([owners, looks, isDark()])
    if (key === this.shownKey) return
    this.shownKey = key
    this.lay(owners, looks)
  }

  /** The cell that is meant at a point of the screen; -1: none. */
  cellAt(x, y) {
    if (!this.model) return -1
    const event = { clientX: x, clientY: y }
    const hit = this.stage.hit(event)
    const part = hit ? this.model.partOf(hit) : -1
    const inFront = hit ? this.stage.camera.position.distanceTo(hit.point) : Infinity
    const { origin, direction } = this.stage.ray(event)
    const { cells, pitch, places } = this.model
    const { owners } = this.model.scene
    const isOpen = this.play.openCells()
    let [best, far] = [-1, -Infinity]
    let [own, near] = [-1, Infinity]
    for (let cell = 0; cell < cells; cell++) {
      const to = origin.map((start, axis) => places[cell][axis] - start)
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
    if (!this.play.hand.empty) this.play.hover(this.cellAt(event.clientX, event.clientY))
  }
}
