import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Static, TObject, TProperties } from 'typebox'
import { atMost } from '../collections/at-most.ts'
import type { Opened } from './content.ts'
import type { Purpose, Subkey } from './keyring.ts'
import type { Kind, UnsealReason, Workshop } from './kind.ts'
import { Sealed } from './sealed.ts'

/** Most values in the cache: a few megabytes if all tokens have the usual length. */
const MAX_VALUES = 4096

/** How the content of a value is represented in this process. */
export interface Form<F extends TProperties, T extends object> {
  read(opened: Opened<F>): T
  write(made: T): Static<TObject<F>>
}

interface Known<T> {
  readonly made: T
  /** When the value was made, in milliseconds. */
  readonly iat: number
  /** Whether it was made with the previous secret. */
  readonly isOld: boolean
}

/**
 * A cache for sealed values that come back with every request. The content of values that this process has recently
 * opened or made is found by a digest; a lookup costs a tenth of opening a value. Each answer has a value of its own
 * (specification, sessions, 8). Values that would no longer open, because they have expired or their secret is gone,
 * are removed, and values that never opened are not cached. Whether the content is still valid is checked by the code
 * that opens it, each time.
 */
export class Remembered<F extends TProperties, T extends object> {
  readonly #sealed: Sealed<F>
  readonly #form: Form<F, T>
  readonly #now: () => number
  readonly #secrets: () => readonly Subkey[]
  readonly #onRefused: (reason: UnsealReason, requestId: string | undefined) => void
  readonly #onPrevious: () => void
  readonly #known = new LRUCache<string, Known<T>>(atMost(MAX_VALUES))
  /** The keys with which all cached values were opened or made. */
  #under: readonly Subkey[]

  constructor(kind: Kind<Exclude<Purpose, 'cid'>, F>, workshop: Workshop, form: Form<F, T>) {
    this.#sealed = new Sealed(kind, workshop)
    this.#form = form
    this.#now = workshop.now
    this.#secrets = () => workshop.keyring.all(kind.purpose)
    this.#under = this.#secrets()
    this.#onRefused = (reason, requestId) => workshop.onRefused(kind.purpose, reason, requestId)
    this.#onPrevious = () => workshop.onPrevious(kind.purpose)
  }

  /**
   * The content of a value, the same object while it is cached; undefined in the same cases as for Sealed.
   * @param requestId of the request that carries the value, for the log
   */
  open(value: string, requestId?: string): Known<T> | undefined {
    const known = this.#find(value, requestId)
    if (known?.isOld) this.#onPrevious()
    return known
  }

  #find(value: string, requestId: string | undefined): Known<T> | undefined {
    this.#forgetOldSecrets()
    const name = digestOf(value)
    const known = this.#known.get(name)
    if (known !== undefined && this.#sealed.isTimely(known.iat)) return known
    let isOld = false
    const onPrevious = () => {
      isOld = true
    }
    const opened = this.#sealed.open(value, { onPrevious, requestId })
    if (opened === undefined) {
      this.#known.delete(name)
      return undefined
    }
    return this.#remember(name, { made: this.#form.read(opened), iat: opened.iat, isOld })
  }

  /** Reports why a value that has opened is not accepted. */
  refuse(reason: UnsealReason, requestId?: string): undefined {
    this.#onRefused(reason, requestId)
  }

  /**
   * Makes a value.
   * @param made must not be changed afterwards
   * @throws OverlongValueError as Sealed does
   */
  seal(made: T): string {
    this.#forgetOldSecrets()
    const value = this.#sealed.seal(this.#form.write(made))
    this.#remember(digestOf(value), { made, iat: this.#now(), isOld: false })
    return value
  }

  #remember(name: string, known: Known<T>): Known<T> {
    this.#known.set(name, known)
    return known
  }

  /** Forgets the cached values if the secrets have changed: some may no longer open. */
  #forgetOldSecrets(): void {
    const secrets = this.#secrets()
    if (secrets === this.#under) return
    this.#under = secrets
    this.#known.clear()
  }
}

const digestOf = (value: string): string => hash('sha256', value, 'base64url')
