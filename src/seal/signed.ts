import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Static, TObject, TProperties } from 'typebox'
import { Content, type Opened } from './content.ts'
import { KEY_ID_BYTES, type Purpose, type Subkey } from './keyring.ts'
import {
  attempt,
  bodyOf,
  fromBase64url,
  type Kind,
  OverlongValueError,
  prefixOf,
  Unacceptable,
  type Workshop
} from './kind.ts'

const MAC_BYTES = 32

/**
 * Values, as text, that anybody can read and only this service can make:
 * `v1.<purpose>.` + base64url(content) + `.` + base64url( key id 4 | mac 32 ). The HMAC-SHA256 covers all text before
 * the last dot.
 */
export class Signed<F extends TProperties> {
  readonly #purpose: Purpose
  readonly #prefix: string
  readonly #maxChars: number
  readonly #content: Content<F>
  readonly #workshop: Workshop

  constructor({ purpose, fields, maxChars, ttlSeconds }: Kind<'cid', F>, workshop: Workshop) {
    this.#purpose = purpose
    this.#prefix = prefixOf(purpose)
    this.#maxChars = maxChars
    this.#content = new Content(fields, ttlSeconds)
    this.#workshop = workshop
  }

  /** Makes a value. @throws OverlongValueError if the value would exceed maxChars */
  sign(fields: Static<TObject<F>>): string {
    const text = this.#content.write(fields, this.#workshop.now())
    const signed = this.#prefix + Buffer.from(text, 'utf8').toString('base64url')
    const key = this.#workshop.keyring.all(this.#purpose)[0]!
    const value = `${signed}.${Buffer.concat([key.id, mac(key, signed)]).toString('base64url')}`
    if (value.length > this.#maxChars) throw new OverlongValueError(this.#purpose, this.#maxChars)
    return value
  }

  /**
   * The content of a value; undefined if this service did not make the value, or if it has expired. Uses are not
   * counted here, because anybody who has seen the value can send it.
   */
  verify(value: unknown): Opened<F> | undefined {
    return attempt(this.#purpose, this.#workshop, () => this.#read(value, () => {}))
  }

  /** Counts a use of a value by its owner, if the value was made with the previous secret. */
  countUse(value: unknown): void {
    attempt(this.#purpose, { onRefused() {} }, () => this.#read(value, this.#workshop.onPrevious))
  }

  /** @throws Unacceptable */
  #read(value: unknown, onPrevious: Workshop['onPrevious']): Opened<F> {
    const parts = bodyOf(value, this.#prefix, this.#maxChars).split('.')
    if (parts.length !== 2) throw new Unacceptable('spelling')
    const [content, signature] = parts as [string, string]
    const bytes = fromBase64url(signature)
    if (bytes.length !== KEY_ID_BYTES + MAC_BYTES) throw new Unacceptable('length')
    const found = this.#workshop.keyring.find(this.#purpose, bytes.subarray(0, KEY_ID_BYTES))
    if (found === undefined) throw new Unacceptable('key')
    if (!timingSafeEqual(bytes.subarray(KEY_ID_BYTES), mac(found.key, this.#prefix + content)))
      throw new Unacceptable('seal')
    const opened = this.#content.read(fromBase64url(content).toString('utf8'), this.#workshop.now())
    if (found.isPrevious) onPrevious(this.#purpose)
    return opened
  }
}

const mac = ({ key }: Subkey, text: string): Buffer =>
  createHmac('sha256', key).update(text, 'latin1').digest()
