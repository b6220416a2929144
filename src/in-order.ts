/** What stands in a list carries the list's links; who made it leaves them alone. */
export interface Linked<T> {
  previous: T | undefined
  next: T | undefined
}

/**
 * What comes and goes with each request, in order of arrival, and can be taken out wherever it stands. A Set does this
 * too, but V8 gives it a new table whenever it empties or has run full, and links the former one to it: once one of
 * them is old, all that stood in those after it outlives its request, and is copied from one space to the next.
 */
export class InOrder<T extends Linked<T>> {
  #first: T | undefined
  #last: T | undefined

  get first(): T | undefined {
    return this.#first
  }

  /** @param one that stands in no list */
  append(one: T): void {
    one.previous = this.#last
    if (this.#last === undefined) this.#first = one
    else this.#last.next = one
    this.#last = one
  }

  /** @param one that stands in this list */
  remove(one: T): void {
    const { next, previous } = one
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    // Whoever still has one that is gone would keep all that went after it, one by the other.
    one.next = undefined
    one.previous = undefined
  }
}
