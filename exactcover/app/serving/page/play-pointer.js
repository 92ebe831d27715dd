// Dragging pieces by mouse or finger: from the tray to the board, over the board, and off it.

import { element } from "exactcover/page.js"
import { colourOf } from "./parts.js"
import { pictureOf } from "./play-tray.js"

const FAR = 6 // pixels from which on a press is a drag
const ABOVE = 46 // a dragged piece lies this far above a finger, which would hide it

export class Pointer {
  wasDrag = false // whether the click that comes now is the end of a drag
  #grabbed = null // {x, y, id, take, ready, dragging}

  constructor(play, signal) {
    this.play = play
    this.ghost = element("div", { class: "ghost", hidden: "", "aria-hidden": "true" })
    document.body.append(this.ghost)
    play.board.element.addEventListener("pointerdown", (event) => this.#down(event), { signal })
    document.addEventListener("pointermove", (event) => this.#move(event), { signal })
    document.addEventListener("pointerup", (event) => this.#up(event), { signal })
    document.addEventListener("pointercancel", () => this.#giveUp(), { signal })
    signal.addEventListener("abort", () => {
      this.#cancel()
      this.ghost.remove()
    })
  }

  get dragging() {
    return Boolean(this.#grabbed?.dragging)
  }

  /** The pointer went down on a piece; `take` takes it in hand if this becomes a drag. */
  grab(event, take) {
    if (event.button > 0 || this.#grabbed) return
    event.target.releasePointerCapture?.(event.pointerId)
    this.#grabbed = { x: event.clientX, y: event.clientY, id: event.pointerId, take, dragging: false }
  }

  #down(event) {
    const { play } = this
    const cell = play.board.cellOf(event.target)
    if (cell < 0 || !play.hand.empty) return
    const number = play.game.owners()[cell]
    if (number >= 0) this.grab(event, () => play.pickUp(number))
  }

  #move(event) {
    const grabbed = this.#grabbed
    if (!grabbed || event.pointerId !== grabbed.id) return
    if (!grabbed.dragging) {
      if (Math.hypot(event.clientX - grabbed.x, event.clientY - grabbed.y) < FAR) return
      this.at = [event.clientX, event.clientY]
      grabbed.dragging = true
      grabbed.taken = grabbed.take()
      document.body.classList.add("dragging")
    }
    this.#follow(event)
  }

  #follow(event) {
    const { play } = this
    const raised = event.pointerType === "touch" ? ABOVE : 0
    this.at = [event.clientX, event.clientY - raised]
    play.hover(play.cellAt(...this.at))
    this.showGhost()
  }

  /** Show the piece at the pointer while it is dragged and lies nowhere on the board. */
  showGhost() {
    const { hand, hovered, puzzle, board } = this.play
    const shown = Boolean(this.#grabbed?.dragging && !hand.empty && hovered < 0)
    this.ghost.hidden = !shown
    if (!shown) return
    this.ghost.replaceChildren(pictureOf(hand.orientation.places[0].cells, puzzle.board, colourOf(hand.piece), board.scale))
    this.ghost.style.left = `${this.at[0]}px`
    this.ghost.style.top = `${this.at[1]}px`
  }

  #up(event) {
    const grabbed = this.#grabbed
    if (!grabbed || event.pointerId !== grabbed.id) return
    if (grabbed.dragging) {
      this.wasDrag = true
      setTimeout(() => (this.wasDrag = false), 0)
      this.#follow(event)
      const cell = this.play.hovered
      this.#cancel()
      if (!grabbed.taken) return
      if (cell < 0) this.play.discard()
      else if (!this.play.placeAt(cell)) this.play.drop("does not fit there and is put back")
      return
    }
    this.#cancel()
  }

  /** The browser took the pointer, to scroll: nothing is dragged. */
  #giveUp() {
    const taken = this.#grabbed?.taken
    this.#cancel()
    if (taken) this.play.drop()
  }

  #cancel() {
    this.#grabbed = null
    this.ghost.hidden = true
    document.body.classList.remove("dragging")
  }
}
