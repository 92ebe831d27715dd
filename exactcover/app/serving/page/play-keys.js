// The keys of Play.

import { shortcuts } from "exactcover/page.js"

/** Take the keys for a game until the signal. */
export function takeKeys(play, signal) {
  const remove = () => play.removeAt(play.board.cellOf(document.activeElement))
  shortcuts({
    r: ({ shiftKey }) => play.turn(shiftKey ? -1 : 1),
    f: () => play.flip(),
    u: () => play.undo(),
    "Ctrl+z": ({ shiftKey }) => (shiftKey ? play.redo() : play.undo()),
    y: () => play.redo(),
    "Ctrl+y": () => play.redo(),
    h: () => play.tip.ask(),
    b: () => play.back(),
    p: () => play.tray.focus(play.hand.piece?.name),
    Escape: () => play.drop(),
    Delete: remove,
    Backspace: remove,
  }, signal)
}
