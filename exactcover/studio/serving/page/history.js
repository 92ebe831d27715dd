// The states of something that changes in steps, with the way back and forth. No state is ever changed.

const MOST = 300 // states that are kept

export class History {
  constructor(states, changed, at = states.length - 1) {
    Object.assign(this, { states, changed, at })
  }

  get state() {
    return this.states[this.at]
  }

  /** Go to a new state; `joined`: it belongs to the step before, as in a stroke. */
  go(state, joined = false) {
    this.states.length = this.at + 1
    if (joined && this.at > 0) this.states.pop()
    this.states.push(state)
    if (this.states.length > MOST) this.states.shift()
    this.at = this.states.length - 1
    this.changed()
  }

  /** Go to a new state with these parts changed. */
  change(parts, joined = false) {
    this.go({ ...this.state, ...parts }, joined)
  }

  get canUndo() {
    return this.at > 0
  }

  get canRedo() {
    return this.at < this.states.length - 1
  }

  get steps() {
    const { states, at } = this
    return { states, at }
  }

  /** Go back (less than 0) or forth; whether there are so many states. */
  step(by) {
    if (!this.states[this.at + by]) return false
    this.at += by
    this.changed()
    return true
  }
}
