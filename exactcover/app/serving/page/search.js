// The search of the shelf: which puzzles fit some words, and which of them fit best.

const SIZE = /\d+(?:\s*[x×*]\s*\d+)+/g

/** The words of a text as they are compared: small letters, singular, the sides of a box by size. */
export function plain(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}×*]+/gu, " ")
    .replaceAll(SIZE, (size) => size.split(/\s*[x×*]\s*/).sort((a, b) => a - b).join("x"))
    .replace(/(\d)\s*[x×*]\s*$/, "$1") // someone is typing a size
    .trim()
    .split(/\s+/)
    .map(singular)
    .join(" ")
}

/** What an entry of the shelf is found by. */
export const indexOf = ({ name, title, lattice, size, set }) => plain([name, title, lattice, size, set].join(" "))

/** How well plain words fit an index: 0 the whole phrase, 1 each word, 2 each as a beginning, 3 inside; -1 not. */
export function rank(index, words) {
  if (` ${index} `.includes(` ${words} `)) return 0
  const each = words.split(" ")
  if (!each.every((word) => index.includes(word))) return -1
  if (each.every((word) => ` ${index} `.includes(` ${word} `))) return 1
  return each.every((word) => ` ${index}`.includes(` ${word}`)) ? 2 : 3
}

function singular(word) {
  if (word.length < 4) return word
  if (/(?:o|x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}
