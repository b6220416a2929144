import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** What a sealed or signed value is for; part of its prefix and of its keys. */
export type Purpose = 'cid' | 'ps' | 'pc' | 'rt' | 'sid'

const use: Readonly<Record<Purpose, 'mac' | 'aead'>> = {
  cid: 'mac',
  ps: 'aead',
  pc: 'aead',
  rt: 'aead',
  sid: 'aead'
}

export const KEY_ID_BYTES = 4
export const MIN_SECRET_BYTES = 32

/** The key of one secret for one purpose, with the id by which a value names it. */
export interface Subkey {
  readonly id: Buffer
  /** A KeyObject makes each use in node:crypto four times cheaper than a Buffer. */
  readonly key: KeyObject
}

/**
 * Reads a secret (OAUTH_STATELESS_SECRET): base64url, or base64, with or without padding. Anything that a
 * tolerant decoder would drop or round is refused, so that two replicas never read two secrets in one text.
 * @returns undefined unless it is at least 32 bytes that are not all equal
 */
export function decodeSecret(text: string): Buffer | undefined {
  const bare = text.replace(/={1,2}$/, '')
  const bytes = Buffer.from(bare, 'base64')
  const spelling = /[+/]/.test(bare)
    ? bytes.toString('base64').replaceAll('=', '')
    : bytes.toString('base64url')
  if (spelling !== bare || bytes.length < MIN_SECRET_BYTES) return undefined
  return bytes.every(byte => byte === bytes[0]) ? undefined : bytes
}

/**
 * The subkeys of the current secret and of the previous one. They are derived once, here; the secrets are
 * not kept.
 */
export class Keyring {
  readonly #keys: Readonly<Record<Purpose, readonly Subkey[]>>

  /** @param previous opens values, never makes them */
  constructor(current: Buffer, previous?: Buffer) {
    const secrets = previous === undefined ? [current] : [current, previous]
    const derive = (purpose: Purpose) => secrets.map(secret => subkeyOf(secret, purpose))
    this.#keys = {
      cid: derive('cid'),
      ps: derive('ps'),
      pc: derive('pc'),
      rt: derive('rt'),
      sid: derive('sid')
    }
  }

  /** The keys of a purpose: the first makes values, all of them open values. */
  all(purpose: Purpose): readonly Subkey[] {
    return this.#keys[purpose]
  }
}

function subkeyOf(secret: Buffer, purpose: Purpose): Subkey {
  const info = `forge-mcp|v1|${purpose}|${use[purpose]}`
  return {
    id: Buffer.from(expand(secret, `${info}|kid`, KEY_ID_BYTES)),
    key: createSecretKey(Buffer.from(expand(secret, info, 32)))
  }
}

/** The key of one day under a subkey: what keeps random nonces far from running out (see sealed.ts). */
export const dayKey = ({ key }: Subkey, day: number): KeyObject =>
  createSecretKey(Buffer.from(expand(key, `forge-mcp|v1|day|${day}`, 32)))

const expand = (key: Buffer | KeyObject, info: string, length: number): ArrayBuffer =>
  hkdfSync('sha256', key, 'forge-mcp/v1', info, length)
