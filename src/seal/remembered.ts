import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Static, TObject, TProperties } from 'typebox'
import { atMost } from '../at-most.ts'
import type { Opened } from './content.ts'
import type { Purpose, Subkey } from './keyring.ts'
import type { Kind, Reason, Workshop } from './kind.ts'
import { Sealed } from './sealed.ts'

/** Values that are remembered: a few megabytes, where all tokens are of the usual length. */
const MOST = 4096

/** How what is in a value stands in this process. */
export interface Form<F extends TProperties, T extends object> {
  read(opened: Opened<F>): T
  write(made: T): Static<TObject<F>>
}

interface Known<T> {
  readonly made: T
  /** When the value was made, in milliseconds. */
  readonly iat: number
}

/**
 * Sealed values that come back with every request. What is in those that were opened or made here lately is known by
 * a digest, and a look-up costs a tenth of opening one. Each answer has a value of its own (specification, sessions, 8).
 * A value is forgotten that would not open any more, its time being up or its secret gone, and one that never opened
 * is not remembered. Whether its content is still good for anything is for whoever opens it to say, each time.
 */
export class Remembered<F extends TProperties, T extends object> {
  readonly #sealed: Sealed<F>
  readonly #form: Form<F, T>
  readonly #now: () => number
  readonly #secrets: () => readonly Subkey[]
  readonly #onRefused: (reason: Reason) => void
  readonly #known = new LRUCache<string, Known<T>>(atMost(MOST))
  /** Under which all of them were opened or made. */
  #under: readonly Subkey[]

  constructor(kind: Kind<Exclude<Purpose, 'cid'>, F>, workshop: Workshop, form: Form<F, T>) {
    this.#sealed = new Sealed(kind, workshop)
    this.#form = form
    this.#now = workshop.now
    this.#secrets = () => workshop.keyring.all(kind.purpose)
    this.#under = this.#secrets()
    this.#onRefused = reason => workshop.onRefused(kind.purpose, reason)
  }

  /** What is in a value, the same object while it is remembered; undefined as of Sealed. */
  open(value: string): Known<T> | undefined {
    this.#forgetOldSecrets()
    const name = digestOf(value)
    const known = this.#known.get(name)
    if (known !== undefined && this.#sealed.isTimely(known.iat)) return known
    const opened = this.#sealed.open(value)
    if (opened === undefined) {
      this.#known.delete(name)
      return undefined
    }
    return this.#remember(name, { made: this.#form.read(opened), iat: opened.iat })
  }

  /** Says of a value that did open why it is good for nothing. */
  refuse(reason: Reason): undefined {
    this.#onRefused(reason)
  }

  /** @param made is not changed afterwards @throws OverlongValueError as Sealed */
  seal(made: T): string {
    this.#forgetOldSecrets()
    const value = this.#sealed.seal(this.#form.write(made))
    this.#remember(digestOf(value), { made, iat: this.#now() })
    return value
  }

  #remember(name: string, known: Known<T>): Known<T> {
    this.#known.set(name, known)
    return known
  }

  /** A value of a secret that is gone opens no more, and none is made under it. */
  #forgetOldSecrets(): void {
    const secrets = this.#secrets()
    if (secrets === this.#under) return
    this.#under = secrets
    this.#known.clear()
  }
}

const digestOf = (value: string): string => hash('sha256', value, 'base64url')
