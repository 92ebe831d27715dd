// Play: place pieces by mouse, touch or keyboard, and see how many solutions are left after each move.

import { element } from "exactcover/page.js"
import { Board } from "./board.js"
import { fixedCells, paint } from "./play-board.js"
import { Game } from "./play-game.js"
import { Hand, drawnOne, orientationsOf } from "./play-hand.js"
import { keep, kept } from "./play-kept.js"
import { pressKey } from "./play-keys.js"
import { layOut } from "./play-layout.js"
import { Left } from "./play-left.js"
import { Pointer } from "./play-pointer.js"
import { Tip } from "./play-tip.js"
import { Tray } from "./play-tray.js"

let view = null

export function mount(box, app) {
  view = new Play(box, app)
}

export function unmount() {
  view?.end()
  view = null
}

class Play {
  constructor(box, app) {
    this.app = app
    this.puzzle = app.puzzle
    this.game = new Game(app.puzzle, kept(app.puzzle))
    this.hand = new Hand()
    this.hovered = -1
    this.marks = true
    this.orientations = new Map()
    this.ending = new AbortController()
    this.fixed = fixedCells(app.puzzle)
    this.game.fixed = new Set(this.fixed.keys())
    this.board = new Board(app.puzzle.board, {
      label: "Board",
      onpress: (cell) => this.press(cell),
      onhover: (cell) => this.hover(cell),
      describe: (cell) => `cell (${app.puzzle.board.cells[cell].join(", ")})`, // as hints name it
      width: Math.min(760, innerWidth - 40),
    })
    this.left = new Left(this.game, app, (answer, first) => this.answered(answer, first))
    this.tray = new Tray(this.game, {
      ontake: (piece, event) => this.pointer.isClick(event) && this.choose(piece, event.detail === 0),
      ongrab: (piece, event) => this.pointer.grab(event, () => this.takeFromTray(piece)),
    })
    this.tip = new Tip(this.game, app, {
      onchange: () => this.paint(),
      onplace: (piece, cells) => {
        this.#said = `${piece} placed. `
        this.game.place(piece, cells)
      },
    })
    this.pointer = new Pointer(this, this.ending.signal)
    layOut(this, box)
    this.#listen(box)
    this.moved(false)
  }

  end() {
    this.left.stop()
    this.pointer.end()
    this.ending.abort()
  }

  // -- what it listens to ---------------------------------------------------------------------

  #listen(box) {
    const { signal } = this.ending
    this.game.addEventListener("move", () => {
      keep(this.puzzle, this.game.steps)
      this.moved()
    }, { signal })
    this.app.addEventListener("theme", () => this.paint(), { signal })
    document.addEventListener("keydown", (event) => pressKey(this, event), { signal })
    document.addEventListener("wheel", (event) => {
      if (this.hand.empty || !(this.pointer.dragging || this.board.element.contains(event.target))) return
      event.preventDefault()
      this.turn(event.deltaY > 0 ? 1 : -1)
    }, { signal, passive: false })
    box.classList.add("play")
  }

  // -- the hand -------------------------------------------------------------------------------

  /** Take a piece from the tray, and go to the board if it was chosen by a key. */
  async choose(piece, byKey) {
    if (this.hand.piece === piece && this.hand.from < 0) {
      this.drop()
      return
    }
    if (!(await this.takeFromTray(piece))) return
    this.app.say(`${piece.name} in hand. Arrows move over the board, R turns, F turns over, Enter places.`)
    if (byKey) this.board.focus(this.#startCell())
  }

  async takeFromTray(piece) {
    if (this.game.left(piece) <= 0) {
      this.app.say(`${piece.name} is placed already.`)
      return false
    }
    const orientations = await this.#orientationsOf(piece)
    if (!orientations) return false
    this.hand.take(piece, orientations, { at: drawnOne(piece, orientations, this.puzzle.dimension) })
    this.paint()
    return true
  }

  /** Pick up the placed piece with this number; it leaves the board when it is put elsewhere. */
  async pickUp(number) {
    const { piece: name, cells } = this.game.placed[number]
    const piece = this.pieceCalled(name)
    const orientations = await this.#orientationsOf(piece)
    if (!orientations) return false
    this.hand.take(piece, orientations, { like: cells, from: number })
    this.paint()
    return true
  }

  drop() {
    if (this.hand.empty) {
      this.tip.clear()
    } else {
      this.app.say(`${this.hand.piece.name} put back.`)
      this.hand.drop()
    }
    this.paint()
  }

  turn(way) {
    if (this.hand.empty) return
    this.hand.turn(way)
    this.paint()
  }

  flip() {
    if (this.hand.empty) return
    this.hand.flip()
    this.paint()
  }

  /** Where the piece in hand would lie over a cell. */
  preview(cell) {
    const owners = this.game.owners()
    const isFree = (one) => (owners[one] < 0 || owners[one] === this.hand.from) && !this.fixed.has(one)
    return this.hand.over(cell, isFree, this.board.shapes)
  }

  // -- moves ----------------------------------------------------------------------------------

  press(cell) {
    if (this.pointer.wasDrag) return
    if (!this.hand.empty) {
      this.placeAt(cell)
      return
    }
    const number = this.game.owners()[cell]
    if (number >= 0) {
      this.app.say(`${this.game.placed[number].piece} picked up.`)
      this.pickUp(number)
    } else if (this.tip.hint?.cells?.includes(cell)) {
      this.tip.place()
    } else {
      this.app.say("Choose a piece first: press P to go to the pieces.")
    }
  }

  /** Place the piece in hand over a cell; returns whether it fits there. */
  placeAt(cell) {
    const place = this.preview(cell)
    if (!place?.fits) {
      this.app.say(`${this.hand.piece.name} does not fit there.`)
      return false
    }
    const { piece, from } = this.hand
    this.hand.drop()
    this.#said = `${piece.name} placed. `
    if (from >= 0) this.game.shift(from, place.cells)
    else this.game.place(piece.name, place.cells)
    return true
  }

  /** Put the piece in hand back into the tray. */
  discard() {
    const { from, piece } = this.hand
    this.hand.drop()
    this.#said = `${piece.name} taken away. `
    if (from >= 0) this.game.remove(from)
    else this.paint()
  }

  removeAt(cell) {
    const number = cell < 0 ? -1 : this.game.owners()[cell]
    if (number < 0) return
    this.#said = `${this.game.placed[number].piece} taken away. `
    this.game.remove(number)
  }

  undo() {
    this.#said = "Undone. "
    this.game.undo()
  }

  redo() {
    this.#said = "Done again. "
    this.game.redo()
  }

  clear() {
    this.#said = "The board is empty. "
    this.game.clear()
  }

  moved(speak = true) {
    this.hand.drop()
    this.tip.clear()
    this.hintButton.disabled = false
    this.speak = speak
    this.left.ask()
    this.paint()
  }

  answered(answer, first) {
    this.solved = answer.exact && answer.left > 0 && this.game.full
    if (this.solved) {
      this.tip.solved()
      this.left.celebrate()
    }
    this.hintButton.disabled = this.solved
    if ((first || answer.exact) && this.speak) {
      this.app.say(`${this.#said}${this.solved ? "Solved. " : ""}${this.left.sentence}`)
      this.#said = ""
    }
    this.paint()
  }

  #said = ""

  // -- drawing --------------------------------------------------------------------------------

  hover(cell) {
    if (cell === this.hovered) return
    this.hovered = cell
    if (!this.hand.empty) this.paint()
  }

  paint() {
    paint(this)
  }

  // -- pieces ---------------------------------------------------------------------------------

  pieceCalled(name) {
    return this.puzzle.pieces.find((piece) => piece.name === name)
  }

  async #orientationsOf(piece) {
    if (!this.orientations.has(piece.name)) {
      try {
        const places = await this.app.withPuzzle((id) => this.app.api.get(`/puzzles/${id}/places`, { piece: piece.name }))
        this.orientations.set(piece.name, orientationsOf(places, this.puzzle, this.board.shapes))
      } catch (error) {
        this.app.fail(error)
        return null
      }
    }
    const found = this.orientations.get(piece.name)
    if (!found.length) this.app.notice(`${piece.name} has no place on this board.`)
    return found.length ? found : null
  }

  /** Where the focus goes when a piece is chosen by a key: a free cell. */
  #startCell() {
    const owners = this.game.owners()
    const { entered } = this.board
    if (entered !== undefined && owners[entered] < 0) return entered
    return Math.max(0, owners.findIndex((owner, cell) => owner < 0 && !this.fixed.has(cell)))
  }
}

/** Begin a game with these pieces on the board, as a link has them; returns whether they may lie there. */
export function begin(puzzle, placed) {
  const game = new Game(puzzle, kept(puzzle))
  if (!game.allows(placed)) return false
  game.arrange(placed)
  keep(puzzle, game.steps)
  return true
}
