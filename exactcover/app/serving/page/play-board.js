// The look of the board of Play: pieces placed and fixed, forced and dead cells, the hint, the piece in hand.

import { colourOf, inkOn } from "./colours.js"
import { pictureOf } from "./play-tray.js"

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
  if (play.marks && answer) {
    for (const { piece, cells } of answer.forced) {
      if (cells.every((cell) => owners[cell] < 0)) add(cells, { mark: "dots", text: piece, state: `forced: ${piece}` })
    }
    answer.dead.forEach((cell) => dead.add(cell))
  }
  if (tip.hint?.cells) {
    const { piece, cells } = tip.hint
    add(cells, { ...colours(play, piece), mark: "stripes", state: `hint: ${piece}` })
  }
  const preview = hand.empty ? null : play.preview(play.hovered)
  if (preview) {
    const { name } = hand.piece
    add(preview.cells, preview.fits
      ? { ...colours(play, name), mark: "ring", text: "", state: `${name} fits here` }
      : { mark: "cross", state: `${name} does not fit here` })
  }
  board.paintOwners(owners, (owner) => looks[owner], owners, (cell) =>
    dead.has(cell) ? { mark: "cross", state: "nothing can cover it" } : { state: "empty" })
  play.tray.show({ held: hand.piece?.name ?? null, stuck: answer?.stuck ?? [] })
  paintTools(play)
}

function paintTools(play) {
  const { hand, game } = play
  for (const one of [play.turnButton, play.flipButton, play.backButton]) one.disabled = hand.empty
  play.undoButton.disabled = !game.canUndo
  play.redoButton.disabled = !game.canRedo
  play.clearButton.disabled = !game.placed.length
  const shown = hand.orientation?.places[0]
  play.inHand.replaceChildren(...(shown
    ? [pictureOf(shown.cells, play.puzzle.board, colourOf(hand.piece), 15), `${hand.piece.name} in hand`]
    : ["Drag a piece to the board, or choose one and press a cell."]))
  play.pointer?.showGhost()
}

function colours(play, name) {
  const fill = colourOf(play.pieceCalled(name))
  return { fill, ink: inkOn(fill), text: name }
}

const stationary = (puzzle) => puzzle.pieces.filter((piece) => piece.stationary)
