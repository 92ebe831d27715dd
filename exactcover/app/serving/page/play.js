// Play: place pieces by mouse, touch or keyboard, and see how many solutions are left after each move.

import { element } from "exactcover/page.js"
import { Board } from "exactcover/board.js"
import { plural } from "./parts.js"
import { fixedCells, paint } from "./play-board.js"
import { Game } from "./play-game.js"
import { Hand, drawnOne, orientationsOf } from "./play-hand.js"
import { keep, keepWishes, kept, wishes } from "./play-kept.js"
import { takeKeys } from "./play-keys.js"
import { fit, layOut } from "./play-layout.js"
import { Left } from "./play-left.js"
import { PlayModel } from "./play-model.js"
import { Pointer } from "./play-pointer.js"
import { aidOf, nextPuzzle } from "./play-server.js"
import { Tally } from "./play-tally.js"
import { Tip } from "./play-tip.js"
import { Tray } from "./play-tray.js"
import { showEnd } from "./play-win.js"

export async function play(box, app, signal) {
  box.append(element("p", { class: "wait", role: "status" }, "The solutions are being searched for …"))
  const aid = await aidOf(app, signal).catch((error) => {
    if (!signal.aborted) throw error
  })
  if (signal.aborted) return
  box.replaceChildren()
  new Play(box, app, {
    aid,
    solid: () => app.withPuzzle((id) => app.api.get(`/puzzles/${id}/board.json`)),
    next: () => nextPuzzle(app),
  }, signal)
}

export class Play {
  /**
   * app    {puzzle, say, fail, notice} and the event "theme"
   * aid    where answers come from, see `play-listed.js`
   * solid  () -> the data of the turning board, or a promise of them
   * next   () -> a promise of {title, open} of another puzzle, or null
   * signal  ends it
   */
  constructor(box, app, { aid, solid, next }, signal) {
    Object.assign(this, { app, aid, next, puzzle: app.puzzle })
    const steps = kept(app.puzzle)
    this.game = new Game(app.puzzle, steps, () => {
      if (signal.aborted) return
      this.#keep()
      this.moved()
    })
    this.tally = new Tally(steps?.tally, () => this.showTally())
    this.hand = new Hand()
    this.hovered = -1
    this.wished = { ...wishes(), ...(aid.partial ? { counter: true } : {}) } // it says why it does not count
    this.orientations = new Map()
    this.fixed = fixedCells(app.puzzle)
    this.game.fixed = new Set(this.fixed.keys())
    this.board = new Board(app.puzzle.board, {
      label: "Board",
      onpress: (cell) => this.press(cell),
      onhover: (cell) => this.hover(cell),
      describe: (cell) => `cell (${app.puzzle.board.cells[cell].join(", ")})`, // as hints name it
    })
    this.left = new Left(this.game, aid)
    this.tray = new Tray(this.game, {
      ontake: (piece, event) => this.pointer.wasDrag || this.choose(piece, event.detail === 0),
      ongrab: (piece, event) => this.pointer.grab(event, () => this.takeFromTray(piece)),
    })
    this.tip = new Tip(this.game, app, aid, {
      onchange: () => this.paint(),
      onhint: () => {
        this.tally.hints++
        this.tally.changed()
      },
      onplace: (piece, cells) => {
        this.#said = `${piece} placed. `
        this.#move(() => this.game.place(piece, cells))
      },
    })
    this.pointer = new Pointer(this, signal)
    this.model = app.puzzle.dimension > 2 ? new PlayModel(this, solid()) : null
    layOut(this, box)
    this.#listen(box, signal)
    this.tally.start(() => this.solved, signal)
    this.moved(false)
  }

  // -- what it listens to ---------------------------------------------------------------------

  #listen(box, signal) {
    signal.addEventListener("abort", () => {
      this.#keep()
      this.model?.close()
    })
    this.app.addEventListener("theme", () => this.paint(), { signal })
    addEventListener("pagehide", () => this.#keep(), { signal })
    addEventListener("resize", () => fit(this), { signal })
    takeKeys(this, signal)
    document.addEventListener("wheel", (event) => {
      if (this.hand.empty || !(this.pointer.dragging || this.board.element.contains(event.target))) return
      event.preventDefault()
      this.turn(event.deltaY > 0 ? 1 : -1)
    }, { signal, passive: false })
    box.classList.add("play")
    fit(this)
  }

  #keep() {
    keep(this.puzzle, { ...this.game.steps, tally: this.tally.now })
  }

  /** Do what counts as a move of the player. */
  #move(action) {
    this.tally.moves++
    action()
    this.tally.changed()
  }

  showTally() {
    const { seconds, moves, hints } = this.tally
    this.tallyLine.textContent = seconds || moves || hints ? this.tally.words : ""
  }

  // -- the hand -------------------------------------------------------------------------------

  /** Take a piece from the tray, and go to the board if it was chosen by a key. */
  choose(piece, byKey) {
    if (this.hand.piece === piece && this.hand.from < 0) {
      this.drop()
      return
    }
    if (!this.takeFromTray(piece)) return
    this.app.say(`${piece.name} in hand. Arrows move over the board, R turns, F turns over, Enter places.`)
    if (byKey) this.board.focus(this.#startCell())
  }

  takeFromTray(piece) {
    if (this.game.left(piece) <= 0) {
      this.app.say(`${piece.name} is placed already.`)
      return false
    }
    const orientations = this.#orientationsOf(piece)
    if (!orientations) return false
    this.hand.take(piece, orientations, { at: drawnOne(piece, orientations, this.puzzle.dimension) })
    this.paint()
    return true
  }

  /** Pick up the placed piece with this number; it leaves the board when it is put elsewhere. */
  pickUp(number) {
    const { piece: name, cells } = this.game.placed[number]
    const piece = this.pieceCalled(name)
    const orientations = this.#orientationsOf(piece)
    if (!orientations) return false
    this.hand.take(piece, orientations, { like: cells, from: number })
    this.paint()
    return true
  }

  /** Put the piece in hand back; `said`: what is said of it. */
  drop(said = "put back") {
    if (this.hand.empty) {
      this.tip.clear()
    } else {
      this.app.say(`${this.hand.piece.name} ${said}.`)
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
    return this.hand.over(cell, this.openCells(), this.board.shapes)
  }

  /** cell -> whether the piece in hand may cover it. */
  openCells() {
    const owners = this.game.owners()
    return (cell) => (owners[cell] < 0 || owners[cell] === this.hand.from) && !this.fixed.has(cell)
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
    } else if (this.tip.shows(cell)) {
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
    this.#move(() => (from >= 0 ? this.game.shift(from, place.cells) : this.game.place(piece.name, place.cells)))
    return true
  }

  /** Put the piece in hand back into the tray. */
  discard() {
    const { from, piece } = this.hand
    this.hand.drop()
    this.#said = `${piece.name} taken away. `
    if (from >= 0) this.#move(() => this.game.remove(from))
    else this.paint()
  }

  removeAt(cell) {
    const number = cell < 0 ? -1 : this.game.owners()[cell]
    if (number < 0) return
    this.#said = `${this.game.placed[number].piece} taken away. `
    this.#move(() => this.game.remove(number))
  }

  undo() {
    this.#said = "Undone. "
    this.game.step(-1)
  }

  redo() {
    this.#said = "Done again. "
    this.game.step(1)
  }

  clear() {
    this.#said = "The board is empty. "
    this.#move(() => this.game.arrange([]))
  }

  /** A new game: with these pieces on the board, and nothing to undo. */
  again(placed = []) {
    this.#said = "A new game. "
    Object.assign(this.tally, { seconds: 0, moves: 0, hints: 0, finished: false })
    if (placed.length) {
      this.wished.marks = false // forced cells would show the one solution
      this.marks.querySelector("input").checked = false
    }
    this.game.begin(placed)
    this.tally.changed()
  }

  /** Go back, step by step, to the last position that has a solution. */
  back() {
    const steps = [...this.game.earlier].findIndex((position) => this.aid.left(position).left)
    if (steps < 0) {
      this.tip.tell("No earlier position of this game is known to have a solution. Ask for a hint: it says what to take back.")
    } else if (!steps) {
      this.tip.tell("This position can be solved.")
    } else {
      this.#said = `${plural(steps, "step")} back. `
      this.game.step(-steps)
    }
  }

  /** Place all that is missing, as one step. */
  finish() {
    const rest = this.aid.finish(this.game.placed)
    if (!rest) {
      this.tip.tell("No solution is known that goes on from here. Go back to the last position that can be solved, or ask for a hint.")
      return
    }
    this.#said = "The page has placed the rest. "
    this.tally.finished = true
    this.game.arrange([...this.game.placed, ...rest])
  }

  moved(speak = true) {
    this.hand.drop()
    this.tip.clear()
    this.solved = false
    this.speak = speak
    this.enableHelp()
    this.showTally()
    this.answered(this.left.ask())
  }

  /** Which of the buttons for help can be pressed. */
  enableHelp() {
    this.hintButton.disabled = this.solved
    this.finishButton.disabled = this.solved
    this.backAgain.disabled = this.solved || !this.game.placed.length
  }

  answered(answer) {
    this.solved = this.game.full && (answer.exact ? answer.left > 0 : Boolean(answer.partial) && !answer.why)
    if (this.solved) {
      this.tip.solved(this.tally, () => this.#showEnd())
      this.left.celebrate(this.tally.finished)
    } else if (this.tally.finished) {
      this.tally.finished = false
    }
    this.enableHelp()
    if (this.speak) {
      const left = this.wished.counter ? this.left.sentence : ""
      this.app.say(`${this.#said}${this.solved ? `Solved. ${this.tally.words}.` : left}`)
      this.#said = ""
    }
    this.paint()
    if (this.solved && this.speak) this.#showEnd()
  }

  async #showEnd() {
    this.paint()
    const next = await this.next().catch(this.app.fail)
    if (this.solved && !document.querySelector("dialog[open]")) showEnd(this, next)
  }

  /** Take a wish of the player, and remember it: {counter} or {marks}. */
  wish(wished) {
    Object.assign(this.wished, wished)
    keepWishes({ ...wishes(), ...wished })
    this.left.hide(!this.wished.counter)
    this.paint()
  }

  #said = ""

  /** The cell of the layers or of the model at a point of the screen; -1: none. */
  cellAt(x, y) {
    const there = document.elementFromPoint(x, y)
    return this.model && there === this.model.canvas ? this.model.cellAt(x, y) : this.board.cellOf(there)
  }

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

  #orientationsOf(piece) {
    if (!this.orientations.has(piece.name)) {
      const places = this.aid.places(piece.name)
      this.orientations.set(piece.name, orientationsOf(places, this.puzzle, this.board.shapes))
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
