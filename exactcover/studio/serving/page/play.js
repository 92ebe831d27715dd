// Play: place pieces by mouse, touch or keyboard. The page says how many solutions are left, and gives hints.

import { Board, svg } from "exactcover/board.js"
import { scaleIn } from "exactcover/geometry.js"
import { element, inkOn, shortcuts } from "exactcover/page.js"
import { aidOf } from "./aid.js"
import { Game } from "./game.js"
import { Hand, orientationsOf } from "./hand.js"
import { button, checkbox, colourOf, download, fail, fileName, keep, kept, menu, notice, number, openDialog, plural } from "./parts.js"
import { PlayModel } from "./play-model.js"
import { ask } from "./server.js"

const FAR = 6 // pixels from which on a press is a drag
const ABOVE = 46 // a dragged piece lies this far above a finger, which would hide it
const [SMALLEST, LARGEST, BESIDE_MODEL] = [15, 92, 40] // pixels of a cell
const KEYS = "Arrows and Enter: board · R, F: turn, turn over · U, Y: undo, redo · H: hint · B: back to where it can be solved · P: pieces · Delete: take away"

let last = {} // {text, aid} of the puzzle that was played last

export async function showPlay(box, app, signal) {
  box.append(element("p", { class: "wait", role: "status" }, "The solutions are being searched for …"))
  const { puzzle } = app
  if (last.text !== puzzle.text) {
    const count = async (placed) => (await ask("left", { text: puzzle.text, placed })).left
    last = { text: puzzle.text, aid: await aidOf(puzzle, await ask("play", { text: puzzle.text }, signal), count) }
  }
  if (signal.aborted) return
  box.replaceChildren(app.heading(element("a", { class: "button", href: "#solve" }, "Solve")))
  const solid = puzzle.dimension > 2 ? ask("model", { text: puzzle.text }, signal) : null
  window.play = new Play(box, app, { aid: last.aid, solid, next: () => nextPuzzle(app) }, signal)
}

/** The next puzzle of the shelf on the same lattice, as hard as this one or harder: {title, open}. */
async function nextPuzzle(app) {
  const rows = (await ask("shelf")).filter(({ lattice, solutions }) => lattice === app.puzzle.lattice && solutions !== 0)
  rows.sort((a, b) => (a.difficulty ?? 9) - (b.difficulty ?? 9))
  const next = rows[(rows.findIndex(({ name }) => name === app.name) + 1) % rows.length]
  return next && next.name !== app.name ? { title: next.title, open: () => app.openShipped(next.name, "play") } : null
}

export class Play {
  /**
   * app    {puzzle, say} and the event "theme"
   * aid    of `aid.js`
   * solid  the data of the turning board, or a promise of them; null in the plane
   * next   () -> a promise of {title, open} of another puzzle, or null
   * signal  ends it
   */
  constructor(box, app, { aid, solid, next }, signal) {
    Object.assign(this, { app, aid, next, puzzle: app.puzzle, signal, hovered: -1, hint: null, step: 0, hints: 0, moves: 0 })
    this.marks = kept("marks") ?? false
    this.hand = new Hand()
    this.game = new Game(app.puzzle, () => this.moved())
    this.orientations = new Map()
    const optional = new Set(app.puzzle.secondary)
    this.board = new Board(app.puzzle.board, {
      label: "Board", optional, onpress: (cell) => this.press(cell), onhover: (cell) => this.hover(cell),
      describe: (cell) => `cell (${app.puzzle.board.cells[cell].join(", ")})${optional.has(cell) ? ", which may stay empty" : ""}`,
    })
    this.landing = this.board.layers.map(({ seams }) => {
      const path = svg("path", { class: "drop", "aria-hidden": "true" })
      seams.after(path)
      return path
    })
    this.model = solid ? new PlayModel(this, solid) : null
    this.ghost = element("div", { class: "ghost", hidden: "", "aria-hidden": "true" })
    document.body.append(this.ghost)
    this.#layOut(box)
    this.#listen(signal)
    this.fit()
    this.moved(false)
  }

  // -- the page -----------------------------------------------------------------------------------

  #layOut(box) {
    const tool = (name, sign, text, key, act) => (this[name] = button(sign, act, { title: `${text} (${key})`, "aria-label": text, class: "tool" }))
    this.count = element("p", { class: "count", "aria-live": "off" })
    this.line = element("p", { class: "line" })
    this.hintButton = button("Hint", () => this.askHint(), { class: "main", title: "Hint (H)" })
    this.tray = element("ul", { class: "tray" }, ...this.game.movable.map((piece) => element("li", {}, this.#tile(piece))))
    const rest = menu(
      this.redoButton = button("Redo", () => this.game.step(1)),
      this.clearButton = button("Clear the board", () => this.clear()),
      button("Back to where it can be solved", () => this.back()),
      button("Show a solution", () => this.finish()),
      checkbox("Mark forced and dead cells", this.marks, (on) => {
        this.marks = on
        keep("marks", on)
        this.paint()
      }),
      element("p", { class: "hint" }, KEYS))
    this.boards = element("div", { class: `boards${this.model ? " modelled" : ""}` }, ...(this.model ? [this.model.element] : []), this.board.element)
    const isWrapped = this.puzzle.board.layers.some(({ joints }) => joints.length)
    box.classList.add("play")
    box.append(element("div", { class: "table" },
      element("section", { class: "place", "aria-label": "The board" }, this.boards,
        ...(isWrapped ? [element("p", { class: "hint" }, "Sides with the same letter are joined: pieces go on there.")] : [])),
      element("div", { class: "side" },
        element("section", { class: "rest", "aria-label": "Solutions left" }, this.count, this.line,
          element("div", { class: "row tools" }, this.hintButton,
            tool("turnButton", "⟳", "Turn", "R", () => this.turn(1)),
            tool("flipButton", "⇋", "Turn over", "F", () => this.flip()),
            tool("undoButton", "↶", "Undo", "U", () => this.undo()), rest)),
        element("section", { class: "pieces", "aria-label": "Pieces" }, this.tray))))
  }

  #tile(piece) {
    return element("button", { "data-piece": piece.name,
      onclick: (event) => this.wasDrag || this.choose(piece, event.detail === 0),
      onpointerdown: (event) => this.#grab(event, () => this.takeFromTray(piece)) },
    element("span", { class: "shape" }), element("span", { class: "name" }, piece.name), element("span", { class: "note" }))
  }

  #listen(signal) {
    const on = (target, name, hear, how = {}) => target.addEventListener(name, hear, { signal, ...how })
    signal.addEventListener("abort", () => {
      this.game.save()
      this.model?.close()
      this.ghost.remove()
      document.body.classList.remove("dragging")
    })
    on(this.app, "theme", () => this.paint())
    on(window, "pagehide", () => this.game.save())
    on(window, "resize", () => this.fit())
    on(this.board.element, "pointerdown", (event) => {
      const number = this.#ownerAt(this.board.cellOf(event.target))
      if (this.hand.empty && number >= 0) this.#grab(event, () => this.pickUp(number))
    })
    on(document, "pointermove", (event) => this.#pointed(event))
    on(document, "pointerup", (event) => this.#released(event))
    on(document, "pointercancel", () => {
      this.grabbed = null
      this.drop()
    })
    on(document, "wheel", (event) => {
      if (this.hand.empty || !this.board.element.contains(event.target)) return
      event.preventDefault()
      this.turn(event.deltaY > 0 ? 1 : -1)
    }, { passive: false })
    const remove = () => this.removeAt(this.board.cellOf(document.activeElement))
    shortcuts({
      r: ({ shiftKey }) => this.turn(shiftKey ? -1 : 1), f: () => this.flip(), h: () => this.askHint(), b: () => this.back(),
      u: () => this.undo(), "Ctrl+z": ({ shiftKey }) => (shiftKey ? this.game.step(1) : this.undo()), y: () => this.game.step(1), "Ctrl+y": () => this.game.step(1),
      p: () => (this.tray.querySelector("[aria-pressed=true]") ?? this.tray.querySelector("button"))?.focus(),
      Escape: () => this.drop(), Delete: remove, Backspace: remove,
    }, signal)
  }

  /** Make the board as large as its place and the window allow. */
  fit() {
    const narrow = matchMedia("(max-width: 56rem)").matches
    const top = this.boards.getBoundingClientRect().top + scrollY
    const height = Math.max(180, (innerHeight - top) * (narrow ? 0.6 : 0.94)) * (this.model ? 0.45 : 1)
    const scale = scaleIn(this.board.data.layers, [this.boards.clientWidth, height], { room: 2 * this.board.room })
    this.board.resize(Math.max(SMALLEST, Math.min(this.model ? BESIDE_MODEL : LARGEST, scale)))
  }

  // -- the hand -----------------------------------------------------------------------------------

  /** Take a piece from the tray, and go to the board if it was chosen by a key. */
  choose(piece, byKey) {
    if (this.hand.piece === piece && this.hand.from < 0) {
      this.drop()
      return
    }
    if (!this.takeFromTray(piece)) return
    this.app.say(`${piece.name} in hand. Arrows move over the board, R turns, F turns over, Enter places.`)
    if (byKey) this.board.focus(Math.max(0, this.game.owners().findIndex((owner, cell) => owner < 0 && !this.game.fixed.has(cell))))
  }

  takeFromTray(piece) {
    return this.game.left(piece) > 0 && this.#take(piece, {})
  }

  /** Pick up the placed piece with this number; it leaves the board when it is put elsewhere. */
  pickUp(number) {
    const { piece, cells } = this.game.placed[number]
    return this.#take(this.pieceCalled(piece), { like: cells, from: number })
  }

  #take(piece, how) {
    if (!this.orientations.has(piece.name)) {
      this.orientations.set(piece.name, orientationsOf(this.aid.places(piece.name), this.puzzle, this.board.shapes))
    }
    const found = this.orientations.get(piece.name)
    if (!found.length) {
      notice(`${piece.name} has no place on this board.`)
      return false
    }
    this.hand.take(piece, found, this.puzzle.dimension, how)
    this.paint()
    return true
  }

  /** Put the piece in hand back where it was, and forget the hint. */
  drop() {
    this.grabbed = null
    document.body.classList.remove("dragging")
    this.hand.drop()
    if (this.step) this.#tell()
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

  #grab(event, take) {
    if (event.button > 0 || this.grabbed) return
    event.target.releasePointerCapture?.(event.pointerId)
    this.grabbed = { x: event.clientX, y: event.clientY, id: event.pointerId, take, dragging: false }
  }

  /** The pointer moved: a piece in hand follows it. */
  #pointed(event) {
    const { grabbed } = this
    if (grabbed && event.pointerId !== grabbed.id) return
    if (grabbed && !grabbed.dragging) {
      if (Math.hypot(event.clientX - grabbed.x, event.clientY - grabbed.y) < FAR) return
      grabbed.dragging = true
      if (!grabbed.take()) {
        this.grabbed = null
        return
      }
      document.body.classList.add("dragging")
    }
    if (this.hand.empty || (event.pointerType === "touch" && !grabbed)) return
    this.pointer = [event.clientX, event.clientY - (event.pointerType === "touch" ? ABOVE : 0)]
    this.hover(this.cellAt(...this.pointer))
    this.#showGhost()
  }

  #released(event) {
    const { grabbed } = this
    if (!grabbed || event.pointerId !== grabbed.id) return
    this.grabbed = null
    document.body.classList.remove("dragging")
    if (!grabbed.dragging) return
    this.wasDrag = true
    setTimeout(() => (this.wasDrag = false), 0)
    if (this.hovered >= 0) {
      if (!this.placeAt(this.hovered)) this.drop()
    } else if (this.hand.from >= 0) this.#move(() => this.game.remove(this.hand.from))
    else this.drop()
  }

  /** The whole piece at the pointer. */
  #showGhost() {
    const { hand, ghost } = this
    ghost.hidden = hand.empty || !this.pointer
    if (ghost.hidden) return
    const key = `${hand.piece.name} ${hand.at} ${this.board.scale} ${colourOf(hand.piece)}`
    if (ghost.dataset.key !== key) ghost.replaceChildren(pictureOf(hand.orientation.places[0].cells, this.puzzle.board, colourOf(hand.piece), this.board.scale))
    ghost.dataset.key = key
    ghost.style.left = `${this.pointer[0]}px`
    ghost.style.top = `${this.pointer[1]}px`
  }

  /** The cell of the layers or of the model at a point of the screen; -1: none. */
  cellAt(x, y) {
    const there = document.elementFromPoint(x, y)
    return this.model && there === this.model.canvas ? this.model.cellAt(x, y) : this.board.cellOf(there)
  }

  hover(cell) {
    if (cell === this.hovered) return
    this.hovered = cell
    if (!this.hand.empty) this.#showLanding()
  }

  /** cell -> whether the piece in hand may cover it. */
  openCells() {
    const owners = this.game.owners()
    return (cell) => (owners[cell] < 0 || owners[cell] === this.hand.from) && !this.game.fixed.has(cell)
  }

  preview() {
    return this.hand.over(this.hovered, this.openCells(), this.board.shapes)
  }

  /** Where the piece in hand would lie: green where it fits, else red. Nothing under it goes. */
  #showLanding() {
    const place = this.hand.empty ? null : this.preview()
    const cells = new Set(place?.cells)
    this.puzzle.board.layers.forEach((layer, at) => {
      const shown = layer.polygons.filter((_, n) => cells.has(layer.cells[n]))
      this.landing[at].setAttribute("d", shown.map((points) => `M${points.map((point) => point.join(" ")).join("L")}Z`).join(""))
      this.landing[at].classList.toggle("bad", Boolean(place) && !place.fits)
    })
    this.model?.preview(place)
    this.board.element.classList.toggle("holding", !this.hand.empty)
  }

  // -- moves --------------------------------------------------------------------------------------

  press(cell) {
    if (this.wasDrag) return
    this.hovered = cell
    const number = this.#ownerAt(cell)
    if (!this.hand.empty) {
      if (this.placeAt(cell)) return
      this.app.say(`${this.hand.piece.name} does not fit there.`)
      this.#showLanding()
    } else if (number >= 0) {
      this.app.say(`${this.game.placed[number].piece} picked up.`)
      this.pickUp(number)
    } else if (this.step === 2 && this.hint.cells.includes(cell)) this.askHint()
    else this.app.say("Choose a piece first: press P to go to the pieces.")
  }

  #ownerAt(cell) {
    return cell < 0 ? -1 : this.game.owners()[cell]
  }

  /** Place the piece in hand over a cell; returns whether it fits there. */
  placeAt(cell) {
    this.hovered = cell
    const place = this.preview()
    if (!place?.fits) return false
    const { piece, from } = this.hand
    this.#move(() => (from >= 0 ? this.game.shift(from, place.cells) : this.game.place(piece.name, place.cells)))
    return true
  }

  removeAt(cell) {
    const number = this.#ownerAt(cell)
    if (number >= 0) this.#move(() => this.game.remove(number))
  }

  /** Do what counts as a move of the player. */
  #move(action) {
    this.moves++
    action()
  }

  undo() {
    if (this.hand.empty) this.game.step(-1)
    else this.drop()
  }

  clear() {
    this.#move(() => this.game.arrange([]))
  }

  /** Go back, step by step, to the last position that has a solution. */
  back() {
    const earlier = this.game.states.slice(0, this.game.at + 1).reverse()
    const steps = earlier.findIndex((position) => this.aid.left(position).left)
    if (steps > 0) this.game.step(-steps)
    else this.#tell(steps ? "No earlier position is known to have a solution." : "This position can be solved.")
  }

  /** Place all that is missing, as one step. */
  finish() {
    const rest = this.aid.finish(this.game.placed)
    if (!rest) {
      this.#tell("No solution is known that goes on from here.")
      return
    }
    this.finished = true
    this.game.arrange([...this.game.placed, ...rest])
    this.finished = false
  }

  moved(speak = true) {
    this.hand.drop()
    this.hint = null
    this.step = 0
    this.answer = this.aid.left(this.game.placed)
    const { left, why } = this.answer
    this.solved = this.game.full && left !== 0
    this.#showCount(left)
    if (left === null && this.aid.count && !this.solved) this.#countLater()
    this.#tell(this.solved ? (this.finished ? "One of the solutions." : "Solved!") : why ?? (this.game.placed.length || this.moves ? "" : "Drag a piece to the board, or tap it and then a cell."))
    if (this.solved && speak && !this.finished) this.#showEnd()
  }

  #showCount(left) {
    this.count.replaceChildren(element("strong", { class: "number" }, left === null ? "?" : number(left)), left === 1 ? " solution" : " solutions")
    this.count.classList.toggle("none", left === 0)
    this.count.title = left === null ? "Too many to list: this page counts them where it can." : "With these pieces where they are; rotated ones are counted, too."
  }

  /** Let the server count, where the list is not complete. */
  async #countLater() {
    const { placed } = this.game
    const left = await this.aid.count(placed).catch(fail)
    if (placed !== this.game.placed || typeof left !== "number") return
    this.#showCount(left)
    if (!left) this.#tell("No solution has these pieces where they are.")
  }

  /** Say a sentence in the line that is always there, so that nothing jumps. */
  #tell(text = "") {
    if (!this.hint) this.step = 0
    this.line.textContent = text
    this.line.classList.toggle("solved", this.solved)
    this.hintButton.textContent = this.step === 0 || this.solved ? "Hint" : this.hint.cells ? (this.step === 1 ? "Which piece?" : `Place ${this.hint.piece}`) : this.hint.undo.length ? "Take back" : "Hint"
    this.hintButton.disabled = this.solved
    if (text) this.app.say(text)
    this.paint()
  }

  /** The next step of the hint: where to look, which piece, place it. */
  askHint() {
    if (this.solved) return
    if (this.step === 0) {
      this.hand.drop()
      this.hint = this.aid.hint(this.game.placed)
      this.step = 1
      this.hints++
      this.#tell(this.hint.cells ? this.hint.first : this.hint.why)
    } else if (this.hint.undo) {
      const keys = new Set(this.hint.undo.map(({ cells }) => String(cells)))
      const numbers = this.game.placed.flatMap(({ cells }, at) => (keys.has(String(cells)) ? [at] : []))
      if (numbers.length) this.#move(() => this.game.remove(...numbers))
      else this.drop()
    } else if (this.step === 1) {
      this.step = 2
      this.#tell(this.hint.why)
    } else this.#move(() => this.game.place(this.hint.piece, this.hint.cells))
  }

  // -- drawing ------------------------------------------------------------------------------------

  paint() {
    const { game, hand, hint, step } = this
    const { forced, dead, look } = this.answer
    const owners = game.owners()
    const looks = game.placed.map(({ piece }) => this.#look(piece, { state: `covered by ${piece}` }))
    const add = (cells, one) => {
      for (const cell of cells) owners[cell] = looks.length
      looks.push(one)
    }
    for (const piece of this.puzzle.pieces) {
      const cells = [...game.fixed.keys()].filter((cell) => game.fixed.get(cell) === piece)
      if (cells.length) add(cells, this.#look(piece.name, { state: `${piece.name}, fixed` }))
    }
    for (const { cells } of step ? hint.undo ?? [] : []) Object.assign(looks[owners[cells[0]]], { mark: "stripes", state: "take this back" })
    if (hand.from >= 0) Object.assign(looks[hand.from], { mark: "dots", state: "in hand" })
    if (step === 2) add(hint.cells, this.#look(hint.piece, { mark: "stripes", state: `hint: ${hint.piece}` }))
    const marked = new Set(step === 1 ? hint.look : this.marks && look ? look : [])
    const crossed = new Set(this.marks && !this.solved ? dead : [])
    const dotted = new Map(this.marks && !this.solved ? forced.flatMap(({ piece, cells }) => cells.map((cell) => [cell, piece])) : [])
    this.board.paintOwners(owners, (owner) => looks[owner], owners, (cell) =>
      crossed.has(cell) ? { mark: "cross", state: "nothing can cover it" }
        : marked.has(cell) ? { fill: "var(--look)", owner: "look", state: "look here" }
          : dotted.has(cell) ? { mark: "dots", state: `forced: ${dotted.get(cell)}` } : { state: "empty" })
    this.model?.show(owners, looks, marked)
    this.#paintTray()
    this.#showLanding()
    this.#showGhost()
    this.turnButton.disabled = this.flipButton.disabled = hand.empty
    this.undoButton.disabled = !game.canUndo && hand.empty
    this.redoButton.disabled = !game.canRedo
    this.clearButton.disabled = !game.placed.length
  }

  #look(name, more) {
    const piece = this.pieceCalled(name)
    const fill = colourOf(piece)
    return { fill, ink: inkOn(fill), text: name, name, tone: [piece.colour, piece.dark ?? piece.colour], ...more }
  }

  #paintTray() {
    const stuck = new Set(this.marks ? this.answer.stuck : [])
    const meant = this.step && this.hint.cells && (this.step === 2 || !this.hint.look.length) ? this.hint.piece : null
    for (const tile of this.tray.querySelectorAll("button")) {
      const piece = this.pieceCalled(tile.dataset.piece)
      const [shape, , note] = tile.children
      const left = this.game.left(piece)
      const colour = colourOf(piece)
      if (shape.dataset.colour !== colour) {
        const size = Math.max(...piece.outline.layers.map(({ width, height }) => Math.max(width, height)))
        shape.replaceChildren(pictureOf([...piece.outline.cells.keys()], piece.outline, colour, Math.min(17, 90 / (size * Math.min(piece.outline.layers.length, 2)))))
        shape.dataset.colour = colour
      }
      note.textContent = left <= 0 ? "" : left === Infinity ? "any number" : left > 1 || piece.low === 0 ? `${left} left` : stuck.has(piece.name) ? "fits nowhere" : ""
      tile.setAttribute("aria-disabled", left <= 0)
      tile.setAttribute("aria-pressed", this.hand.piece === piece)
      tile.classList.toggle("meant", piece.name === meant && left > 0)
      tile.classList.toggle("stuck", stuck.has(piece.name) && left > 0)
    }
  }

  pieceCalled(name) {
    return this.puzzle.pieces.find((piece) => piece.name === name)
  }

  /** The end of a game: what it took, a picture of it, and what to play next. */
  async #showEnd() {
    const next = await this.next().catch(() => null)
    if (!this.solved || document.querySelector("dialog[open]") || this.signal.aborted) return
    const words = `${plural(this.moves, "move")}, ${this.hints ? plural(this.hints, "hint") : "no hint"}`
    const close = (then) => () => {
      dialog.close()
      then?.()
    }
    const again = () => {
      Object.assign(this, { moves: 0, hints: 0 })
      this.game.begin()
    }
    const dialog = openDialog("Solved!", "end", element("p", {}, words), element("div", { class: "row" },
      ...(next ? [button(`Next: ${next.title}`, close(next.open), { class: "main" })] : []),
      button("Save picture", () => download(fileName(this.puzzle.title, "svg"), new Blob([this.picture()], { type: "image/svg+xml" }))),
      button("Play again", close(again)), button("Look at the board", close())))
  }

  /** The first layers of the board as a picture of its own. */
  picture() {
    const { layers } = this.puzzle.board
    const [wide, high] = [Math.max(...layers.map(({ width }) => width)) + 0.5, Math.max(...layers.map(({ height }) => height))]
    const drawn = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `-0.2 -0.2 ${wide * layers.length} ${high + 0.4}`, width: Math.round(40 * wide * layers.length) })
    const owners = this.game.owners()
    layers.forEach((layer, at) => {
      const group = svg("g", { transform: `translate(${at * wide} 0)`, stroke: "#1b1f24", "stroke-width": 0.02 })
      layer.polygons.forEach((points, n) => {
        const owner = owners[layer.cells[n]]
        const piece = owner < 0 ? this.game.fixed.get(layer.cells[n]) : this.pieceCalled(this.game.placed[owner].piece)
        group.append(svg("polygon", { points: points.join(" "), fill: piece?.colour ?? "#e9ecf0" }))
      })
      const { seams } = this.board.layers[at]
      group.append(svg("path", { d: seams.getAttribute("d"), fill: "none", "stroke-width": 0.07, "stroke-linecap": "round" }))
      drawn.append(group)
    })
    return drawn.outerHTML
  }
}

/** A picture of some cells of a board in a colour: layer by layer, with the shadow of the other layers. */
export function pictureOf(cells, board, colour, scale) {
  const wanted = new Set(cells)
  const layers = board.layers.map((layer) => layer.polygons.filter((_, place) => wanted.has(layer.cells[place]))).filter((own) => own.length)
  const [xs, ys] = [0, 1].map((axis) => layers.flat(2).map((point) => point[axis]))
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left || 0.1, Math.max(...ys) - top || 0.1]
  const room = 0.06
  const draw = (some, fill) => some.map((points) => {
    const made = svg("polygon", { points: points.join(" "), class: fill ? "own" : "shadow" })
    if (fill) made.style.fill = fill // an attribute `style` is not allowed here
    return made
  })
  return element("span", { class: "ghost-layers" }, ...layers.map((own) => svg("svg", {
    viewBox: `${left - room} ${top - room} ${width + 2 * room} ${height + 2 * room}`, width: Math.round(width * scale), "aria-hidden": "true",
  }, ...draw(layers.filter((one) => one !== own).flat()), ...draw(own, colour))))
}
