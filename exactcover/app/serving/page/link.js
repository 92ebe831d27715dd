// A link that holds a puzzle, and pieces on its board, in its fragment: the text behind # never reaches a server.

import { Refused } from "./api.js"

const HEAD = "#puzzle="
const PLACED = "&placed="

/** The fragment for a puzzle written as TOML, with the pieces placed so far: [{piece, cells}]. */
export async function fragment(toml, placed = []) {
  const puzzle = HEAD + (await packed(toml))
  return placed.length ? puzzle + PLACED + (await packed(JSON.stringify(placed))) : puzzle
}

/** The puzzle that a fragment holds and its pieces, as {toml, placed}; null if it holds none. */
export async function puzzleIn(hash) {
  if (!hash.startsWith(HEAD)) return null
  const [puzzle, placed] = hash.slice(HEAD.length).split(PLACED)
  try {
    return { toml: await unpacked(puzzle), placed: placed ? JSON.parse(await unpacked(placed)) : [] }
  } catch {
    throw new Refused("The link is damaged: its puzzle cannot be read. Ask for the link again, or for the puzzle’s file.", 422)
  }
}

async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text))
  let letters = ""
  for (const byte of bytes) letters += String.fromCharCode(byte)
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

async function unpacked(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  return new TextDecoder("utf-8", { fatal: true }).decode(
    await through(new DecompressionStream("deflate-raw"), bytes),
  )
}

const MOST = 8 * 2 ** 20 // bytes that a link may unpack to

async function through(stream, bytes) {
  const writer = stream.writable.getWriter()
  // The reader below reports an error; the writer would report it a second time.
  const written = writer.write(bytes).then(() => writer.close())
  written.catch(() => {})
  const parts = []
  let size = 0
  for (const reader = stream.readable.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MOST) throw new Error("too large")
    parts.push(value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
