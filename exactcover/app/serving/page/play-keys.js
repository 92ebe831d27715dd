// The keys of Play.

const PLAIN = {
  r: (play, { shiftKey }) => play.turn(shiftKey ? -1 : 1),
  f: (play) => play.flip(),
  u: (play) => play.undo(),
  y: (play) => play.redo(),
  h: (play) => play.tip.ask(play.hintButton),
  b: (play) => play.back(),
  p: (play) => play.tray.focus(play.hand.piece?.name),
  escape: (play) => play.drop(),
  delete: removeFocused,
  backspace: removeFocused,
}
const WITH_CONTROL = {
  z: (play, { shiftKey }) => (shiftKey ? play.redo() : play.undo()),
  y: (play) => play.redo(),
}

function removeFocused(play) {
  play.removeAt(play.board.cellOf(document.activeElement))
}

/** Do what a key is for, unless it belongs to a field or a dialog. */
export function pressKey(play, event) {
  const { key, target } = event
  if (target.matches("input, textarea, select") && target.type !== "checkbox") return
  if (document.querySelector("dialog[open]")) return
  const keys = event.ctrlKey || event.metaKey || event.altKey ? WITH_CONTROL : PLAIN
  const action = keys[key.toLowerCase()]
  if (!action) return
  event.preventDefault()
  action(play, event)
}
