import { createHash } from 'node:crypto'
import { type GoodFor, goodFor } from '../../src/seal/good-for.ts'
import { decodeSecret, Keyring } from '../../src/seal/keyring.ts'
import { pooledRandom, type Random } from '../../src/seal/random.ts'
import { Sealer } from '../../src/seal/sealer.ts'

/** A valid OAUTH_STATELESS_SECRET, different for each name. */
export const secretOf = (name: string): string => createHash('sha512').update(name).digest('base64url')

export interface TestSealer {
  sealer: Sealer
  /** Gives the sealer other secrets, by name. */
  replace: (secret: string, previous?: string) => void
  /** Purpose and reason for each value that was refused. */
  refused: string[]
  /** Purpose of each use of a value that the previous secret sealed. */
  old: string[]
}

export interface TestSealerOptions {
  secret?: string
  previous?: string
  now?: () => number
  random?: Random
  /** Settings that differ from those of a server that testServer starts. */
  good?: Partial<GoodFor>
}

/** A sealer with named secrets. It records what it refused. */
export function testSealer({
  secret = 'one',
  previous,
  now = () => Date.UTC(2026, 10, 21, 12),
  random = pooledRandom(),
  good = {}
}: TestSealerOptions = {}): TestSealer {
  const refused: string[] = []
  const old: string[] = []
  const bytes = (name: string) => decodeSecret(secretOf(name))!
  const both = (secret: string, previous?: string) =>
    [bytes(secret), previous === undefined ? undefined : bytes(previous)] as const
  const keyring = new Keyring(...both(secret, previous))
  const onRefused = (purpose: string, reason: string) => void refused.push(`${purpose} ${reason}`)
  const words = goodFor({ home: 'http://127.0.0.1:9/api/v4', mode: 'remote', appId: '', ...good })
  return {
    sealer: new Sealer({
      keyring,
      now,
      random,
      goodFor: words,
      onRefused,
      onPrevious: purpose => old.push(purpose)
    }),
    replace: (...secrets) => keyring.replace(...both(...secrets)),
    refused,
    old
  }
}
