import { createCipheriv, createDecipheriv, hash, type KeyObject } from 'node:crypto'
import type { Static, TObject, TProperties } from 'typebox'
import { DAY_MS } from '../base/units.ts'
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

const CIPHER = 'aes-256-gcm'
const DAY_BYTES = 2
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = KEY_ID_BYTES + DAY_BYTES

/** The options of opening a value. */
interface OpenedFor {
  readonly onPrevious?: Workshop['onPrevious']
  readonly requestId?: string | undefined
}

/**
 * Values, as text, whose content only this service can read: `v1.<purpose>.` + base64url( key id 4 | day 2 | nonce 12 |
 * ciphertext | tag 16 ). The prefix, the key id, the day, and what the value is valid for are authenticated as well.
 *
 * Random 96-bit nonces are safe for 2^32 values with one key. A busy service makes that many within days, because every
 * answer has a new session id. So each day has its own key, and the day is part of the value.
 */
export class Sealed<F extends TProperties> {
  readonly #purpose: Purpose
  readonly #prefix: string
  /** Authenticated with each value, before its head. */
  readonly #context: Buffer
  readonly #maxChars: number
  readonly #content: Content<F>
  readonly #workshop: Workshop

  constructor(
    { purpose, fields, maxChars, ttlSeconds }: Kind<Exclude<Purpose, 'cid'>, F>,
    workshop: Workshop
  ) {
    this.#purpose = purpose
    this.#prefix = prefixOf(purpose)
    const prefix = Buffer.from(this.#prefix, 'latin1')
    this.#context = Buffer.concat([prefix, hash('sha256', workshop.goodFor, 'buffer')])
    this.#maxChars = maxChars
    this.#content = new Content(fields, ttlSeconds)
    this.#workshop = workshop
  }

  /** Makes a value. @throws OverlongValueError if the value would exceed maxChars */
  seal(fields: Static<TObject<F>>): string {
    const now = this.#workshop.now()
    const day = Math.floor(now / DAY_MS)
    const key = this.#workshop.keyring.all(this.#purpose)[0]!
    const head = Buffer.allocUnsafe(HEAD_BYTES)
    key.id.copy(head)
    head.writeUInt16BE(day, KEY_ID_BYTES)
    const nonce = this.#workshop.random(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, key.on(day), nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(this.#bound(head))
    const sealed = cipher.update(this.#content.write(fields, now), 'utf8')
    cipher.final()
    const value =
      this.#prefix + Buffer.concat([head, nonce, sealed, cipher.getAuthTag()]).toString('base64url')
    if (value.length > this.#maxChars) throw new OverlongValueError(this.#purpose, this.#maxChars)
    return value
  }

  /**
   * The content of a value; undefined if this service did not make the value, or if it has expired.
   * @param for.onPrevious called in place of the workshop's
   * @param for.requestId of the request that carries the value, for the log
   */
  open(
    value: unknown,
    { onPrevious = this.#workshop.onPrevious, requestId }: OpenedFor = {}
  ): Opened<F> | undefined {
    return attempt(this.#purpose, this.#workshop, () => this.#read(value, onPrevious), requestId)
  }

  /** The same for a first check of a value that is opened afterwards: this check is not logged, and not counted. */
  peek(value: unknown): Opened<F> | undefined {
    return attempt(this.#purpose, { onRefused() {} }, () => this.#read(value, () => {}))
  }

  /** @throws Unacceptable */
  #read(value: unknown, onPrevious: Workshop['onPrevious']): Opened<F> {
    const now = this.#workshop.now()
    const bytes = fromBase64url(bodyOf(value, this.#prefix, this.#maxChars))
    if (bytes.length <= HEAD_BYTES + NONCE_BYTES + TAG_BYTES) throw new Unacceptable('length')
    const found = this.#workshop.keyring.find(this.#purpose, bytes.subarray(0, KEY_ID_BYTES))
    if (found === undefined) throw new Unacceptable('key')
    const opened = this.#content.read(this.#decrypt(bytes, this.#dayKey(found.key, bytes, now)), now)
    if (found.isPrevious) onPrevious(this.#purpose)
    return opened
  }

  /** Whether a value that was made at that time is neither too old nor from the future. */
  isTimely(iat: number): boolean {
    return this.#content.untimely(iat, iat, this.#workshop.now()) === undefined
  }

  #dayKey(key: Subkey, bytes: Buffer, now: number): KeyObject {
    const day = bytes.readUInt16BE(KEY_ID_BYTES)
    // Otherwise callers could make this service derive keys of days for which no value can be accepted.
    this.#content.checkTime(day * DAY_MS, (day + 1) * DAY_MS, now)
    return key.on(day)
  }

  #decrypt(bytes: Buffer, key: KeyObject): string {
    const nonce = bytes.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES)
    // Without authTagLength Node would accept a tag truncated to four bytes.
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(this.#bound(bytes.subarray(0, HEAD_BYTES)))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES))
    try {
      decipher.final()
    } catch {
      throw new Unacceptable('seal')
    }
    return text.toString('utf8')
  }

  #bound(head: Buffer): Buffer {
    return Buffer.concat([this.#context, head])
  }
}
