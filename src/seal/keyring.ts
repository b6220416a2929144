import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** The purpose of a sealed or signed value; part of its prefix and of its keys. */
export type Purpose = 'cid' | 'ps' | 'pc' | 'rt' | 'sid' | 'ask'

const use: Readonly<Record<Purpose, 'mac' | 'aead'>> = {
  cid: 'mac',
  ps: 'aead',
  pc: 'aead',
  rt: 'aead',
  sid: 'aead',
  ask: 'aead'
}

export const purposes = Object.keys(use) as readonly Purpose[]

export const KEY_ID_BYTES = 4
export const MIN_SECRET_BYTES = 32

/** Random secrets have at least this many different bytes, even those that consist of hexadecimal digits. */
const MIN_DIFFERENT_BYTES = 16

/** Days whose keys are kept: today, its neighbours, and one more. */
const KEPT_DAYS = 4

/** The key of one secret for one purpose, with the id by which a value refers to it. */
export class Subkey {
  readonly id: Buffer
  /** A KeyObject makes each use in node:crypto four times cheaper than a Buffer. */
  readonly key: KeyObject
  readonly #days = new Map<number, KeyObject>()

  constructor(secret: Buffer, purpose: Purpose) {
    const info = `forge-mcp|v1|${purpose}|${use[purpose]}`
    this.id = Buffer.from(expand(secret, `${info}|kid`, KEY_ID_BYTES))
    this.key = createSecretKey(Buffer.from(expand(secret, info, 32)))
  }

  /**
   * The key for one day, derived when it is first needed. Daily keys keep the number of random nonces of one key low
   * (sealed.ts).
   */
  on(day: number): KeyObject {
    let key = this.#days.get(day)
    if (key === undefined) {
      key = createSecretKey(Buffer.from(expand(this.key, `forge-mcp|v1|day|${day}`, 32)))
      if (this.#days.size === KEPT_DAYS) this.#days.delete(this.#days.keys().next().value!)
      this.#days.set(day, key)
    }
    return key
  }
}

/**
 * Reads a secret (OAUTH_STATELESS_SECRET): base64url, or base64, with or without padding. A text with any character
 * that a tolerant decoder would drop is refused, so that two replicas never read different secrets from one text. In
 * the last character, bits beyond the last full byte are ignored, because whoever types a secret cannot see them.
 * @returns undefined unless it is at least 32 bytes
 */
export function decodeSecret(text: string): Buffer | undefined {
  const bare = text.replace(/={1,2}$/, '')
  const bytes = Buffer.from(bare, 'base64')
  const spelling = /[+/]/.test(bare)
    ? bytes.toString('base64').replaceAll('=', '')
    : bytes.toString('base64url')
  const whole = bare.length % 4 === 0 ? bare.length : bare.length - 1
  if (spelling.length !== bare.length || !bare.startsWith(spelling.slice(0, whole))) return undefined
  return bytes.length < MIN_SECRET_BYTES ? undefined : bytes
}

/** Whether a secret has too few different bytes to be random, so that it can be guessed. */
export const isGuessed = (secret: Buffer): boolean => new Set(secret).size < MIN_DIFFERENT_BYTES

type Subkeys = Readonly<Record<Purpose, readonly Subkey[]>>

/**
 * The subkeys of the current secret and of the previous one. They are derived once, when the secrets are given; the
 * secrets are not kept.
 */
export class Keyring {
  #keys: Subkeys

  /** @param previous opens values, and never makes them */
  constructor(current: Buffer, previous?: Buffer) {
    this.#keys = subkeysOf(current, previous)
  }

  /**
   * Replaces all secrets at once: a value is made and opened either with the old ones or with the new ones.
   * @returns whether values that the former current secret has made can still be opened
   */
  replace(current: Buffer, previous?: Buffer): boolean {
    const [former] = this.all('sid')
    this.#keys = subkeysOf(current, previous)
    return this.find('sid', former!.id) !== undefined
  }

  /**
   * The keys of a purpose. The first makes values; all of them open values. To be read for each use, because `replace`
   * makes a new list.
   */
  all(purpose: Purpose): readonly Subkey[] {
    return this.#keys[purpose]
  }

  /** The key with that id, and whether it belongs to the previous secret; undefined if there is none. */
  find(purpose: Purpose, id: Buffer): { readonly key: Subkey; readonly isPrevious: boolean } | undefined {
    const at = this.all(purpose).findIndex(key => key.id.equals(id))
    return at < 0 ? undefined : { key: this.all(purpose)[at]!, isPrevious: at > 0 }
  }
}

function subkeysOf(current: Buffer, previous: Buffer | undefined): Subkeys {
  const secrets = previous === undefined ? [current] : [current, previous]
  const derive = (purpose: Purpose) => secrets.map(secret => new Subkey(secret, purpose))
  return {
    cid: derive('cid'),
    ps: derive('ps'),
    pc: derive('pc'),
    rt: derive('rt'),
    sid: derive('sid'),
    ask: derive('ask')
  }
}

const expand = (key: Buffer | KeyObject, info: string, length: number): ArrayBuffer =>
  hkdfSync('sha256', key, 'forge-mcp/v1', info, length)
