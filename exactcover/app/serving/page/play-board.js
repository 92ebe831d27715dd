// The look of the board of Play: pieces placed and fixed, forced and dead cells, the hint, the piece in hand.

import { inkOn } from "exactcover/page.js"
import { colourOf } from "./parts.js"
import { BAD } from "./play-model.js"
import { pictureOf } from "./play-tray.js"

const LOOK = ["#0b5fa5", "#7fbcf5"] // of a cell of a hint in the model, light and dark

/** Cell -> the stationary piece that lies there, with its number from 1. */
export function fixedCells(puzzle) {
  const numbers = new Map(puzzle.board.cells.map((cell, number) => [String(cell), number]))
  const fixed = new Map()
  stationary(puzzle).forEach((piece, number) => {
    for (const cell of piece.cells) fixed.set(numbers.get(String(cell)), { piece, number: number + 1 })
  })
  return fixed
}

export function paint(play) {
  const { game, board, fixed, hand, tip } = play
  const { placed } = game
  const answer = play.left.answer
  const owners = game.owners()
  const looks = placed.map(({ piece }, number) => ({ ...colours(play, piece), state: `covered by ${piece}`, number }))
  for (const [cell, piece] of fixed) owners[cell] = looks.length - 1 + piece.number
  looks.push(...stationary(play.puzzle).map(({ name }) => ({ ...colours(play, name), state: `${name}, fixed` })))
  for (const number of tip.back()) Object.assign(looks[number], { mark: "stripes", state: `take ${placed[number].piece} back` })
  const add = (cells, look) => {
    for (const cell of cells) owners[cell] = looks.length
    looks.push(look)
  }
  if (hand.from >= 0) placed[hand.from].cells.forEach((cell) => (owners[cell] = -1))
  const dead = new Set()
  if (play.wished.marks && play.wished.counter && answer) {
    for (const { piece, cells } of answer.forced) {
      if (cells.every((cell) => owners[cell] < 0)) add(cells, { mark: "dots", text: piece, state: `forced: ${piece}` })
    }
    if (!play.solved) answer.dead.forEach((cell) => dead.add(cell))
  }
  if (tip.step === 2) {
    const { piece, cells } = tip.hint
    add(cells, { ...colours(play, piece), mark: "stripes", state: `hint: ${piece}` })
  } else if (tip.step === 1 && tip.hint.look?.length) {
    add(tip.hint.look, { mark: "ring", state: "hint: look here", name: "look", tone: LOOK, solid: false })
  }
  const preview = hand.empty ? null : play.preview(play.hovered)
  if (preview) {
    const { name } = hand.piece
    add(preview.cells, preview.fits
      ? { ...colours(play, name), mark: "ring", text: "", state: `${name} fits here` }
      : { mark: "cross", state: `${name} does not fit here`, tone: BAD, solid: false })
  }
  play.model?.show(owners, looks)
  board.paintOwners(owners, (owner) => looks[owner], owners, (cell) =>
    dead.has(cell) ? { mark: "cross", state: "nothing can cover it" } : { state: "empty" })
  const stuck = play.wished.counter ? answer?.stuck ?? [] : []
  play.tray.show({ held: hand.piece?.name ?? null, stuck, meant: tip.meant })
  paintTools(play)
}

function paintTools(play) {
  const { hand, game } = play
  for (const one of [play.turnButton, play.flipButton, play.backButton]) one.disabled = hand.empty
  play.undoButton.disabled = !game.canUndo
  play.redoButton.disabled = !game.canRedo
  play.clearButton.disabled = !game.placed.length
  const shown = hand.orientation?.places[0]
  play.inHand.classList.toggle("nothing", !shown)
  play.inHand.replaceChildren(...(shown
    ? [pictureOf(shown.cells, play.puzzle.board, colourOf(hand.piece), 15), `${hand.piece.name} in hand`]
    : [play.solved ? "" : "Drag a piece to the board, or choose one and press a cell."]))
  play.pointer?.showGhost()
}

function colours(play, name) {
  const piece = play.pieceCalled(name)
  const fill = colourOf(piece)
  const tone = [piece.colour, piece.dark ?? piece.colour]
  return { fill, ink: inkOn(fill), text: name, name, tone, solid: true }
}

const stationary = (puzzle) => puzzle.pieces.filter((piece) => piece.stationary)
