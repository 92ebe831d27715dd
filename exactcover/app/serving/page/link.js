// A link that holds a puzzle, and pieces on its board, in its fragment: the text behind # never reaches a server.

import { Refused } from "./api.js"
import { packed, unpacked } from "./deflate.js"

const HEAD = "#puzzle="
const PLACED = "&placed="
const MOST = 8 * 2 ** 20 // bytes that a link may unpack to

/** The fragment for the text of a puzzle, with the pieces placed so far: [{piece, cells}]. */
export async function fragment(text, placed = []) {
  const puzzle = HEAD + (await packed(text))
  return placed.length ? puzzle + PLACED + (await packed(JSON.stringify(placed))) : puzzle
}

/** The puzzle that a fragment holds and its pieces, as {text, placed}; null if it holds none. */
export async function puzzleIn(hash) {
  if (!hash.startsWith(HEAD)) return null
  const [puzzle, placed] = hash.slice(HEAD.length).split(PLACED)
  try {
    return { text: await textIn(puzzle), placed: placed ? JSON.parse(await textIn(placed)) : [] }
  } catch {
    throw new Refused("The link is damaged: its puzzle cannot be read. Ask for the link again, or for the puzzle’s file.", 422)
  }
}

const textIn = async (letters) => new TextDecoder("utf-8", { fatal: true }).decode(await unpacked(letters, MOST))
