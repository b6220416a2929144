/** An item of a list, which carries the links of the list; other code must not change them. */
export interface Linked<T> {
  previous: T | undefined
  next: T | undefined
}

/**
 * A list in order of arrival, for objects that come and go with each request and can be removed anywhere. A Set does
 * this too, but V8 gives it a new table whenever it becomes empty or full, and links the old table to it. Once one of
 * these tables is in the old generation, everything in the later ones outlives its request, and is copied from one
 * space to the next.
 */
export class InOrder<T extends Linked<T>> {
  #first: T | undefined
  #last: T | undefined

  get first(): T | undefined {
    return this.#first
  }

  /**
   * Adds an item at the end.
   * @param one an item that is in no list
   */
  append(one: T): void {
    one.previous = this.#last
    if (this.#last === undefined) this.#first = one
    else this.#last.next = one
    this.#last = one
  }

  /**
   * Removes an item.
   * @param one an item that is in this list
   */
  remove(one: T): void {
    const { next, previous } = one
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    // Otherwise code that still holds a removed item would keep all later items alive, one through the other.
    one.next = undefined
    one.previous = undefined
  }
}
