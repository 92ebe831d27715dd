// The aid of a player, as the server gives it. `play-listed.js` is the aid of a page without a server.

/**
 * left    (placed, seconds, signal): what is left in a position: AidJson
 * hint    (placed): the next step: HintJson
 * finish  (placed): the placements that complete it: FinishJson
 * places  (piece name): where the piece can lie on the empty board
 */
export function serverAid(app) {
  const post = (where, asked, signal) =>
    app.withPuzzle((puzzle) => app.api.post(where, { puzzle, ...asked }, signal))
  return {
    left: (placed, seconds, signal) => post("/aid", { placed, seconds }, signal),
    hint: (placed) => post("/aid/hint", { placed }),
    finish: (placed) => post("/aid/finish", { placed }),
    places: (piece) => app.withPuzzle((id) => app.api.get(`/puzzles/${id}/places`, { piece })),
  }
}
