// The questions that the page asks its own server.

const GONE = "The server does not answer. If it was stopped, start it again with “exactcover serve”."

/** A question that was refused, with the server's own sentence. `status` is 0 if nothing came back. */
export class Refused extends Error {
  constructor(message, status) {
    super(message)
    this.status = status
  }
}

async function send(path, body, signal) {
  const how = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }
  const answer = await fetch(`/api/${path}`, { ...how, signal }).catch((error) => {
    throw error.name === "AbortError" ? error : new Refused(GONE, 0)
  })
  if (answer.ok) return answer
  const { error } = await answer.json().catch(() => ({}))
  throw new Refused(error ?? `The server refused this (${answer.status}).`, answer.status)
}

/** The answer to a question; without a body it is only looked up. */
export const ask = async (path, body, signal) => (await send(path, body, signal)).json()

/** A file that the server makes. */
export const fileOf = async (body) => (await send("file", body)).blob()

/** The messages of a search, one by one; it ends when the signal does. */
export async function* search(text, signal) {
  const answer = await send("solve", { text }, signal)
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split("\n")
    rest = lines.pop()
    for (const line of lines) {
      const message = JSON.parse(line)
      if (message.error) throw new Refused(message.error, 422)
      yield message
    }
  }
}
