// Text and bytes that are compressed with deflate, as letters of base64.

const MOST = 64 * 2 ** 20 // bytes that anything may unpack to

/** Bytes as letters of base64. */
export function base64(bytes) {
  let letters = ""
  for (const byte of bytes) letters += String.fromCharCode(byte)
  return btoa(letters)
}

/** A text as letters that an address can hold. */
export async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), text, MOST)
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** The bytes of such letters, or of plain base64; an error if there are more than `most`. */
export async function unpacked(letters, most = MOST) {
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"))
  return through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (one) => one.charCodeAt(0)), most)
}

async function through(stream, content, most) {
  const reader = new Blob([content]).stream().pipeThrough(stream).getReader()
  const parts = []
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer())
    size += value.length
    if (size > most) throw new Error("too large")
    parts.push(value)
  }
}
