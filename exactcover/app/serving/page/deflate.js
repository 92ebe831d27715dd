// Text and bytes that are compressed with deflate, as letters of base64.

const MOST = 64 * 2 ** 20 // bytes that anything may unpack to

/** Bytes as letters that an address can hold. */
export async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text), MOST)
  let letters = ""
  for (const byte of bytes) letters += String.fromCharCode(byte)
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** The bytes of such letters, or of plain base64; an error if there are more than `most`. */
export async function unpacked(letters, most = MOST) {
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"))
  return through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (one) => one.charCodeAt(0)), most)
}

async function through(stream, bytes, most) {
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
    if (size > most) throw new Error("too large")
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
