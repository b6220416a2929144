import { Type } from 'typebox'
import { LEEWAY_MS, type Opened } from '../../seal/content.ts'
import { prefixOf } from '../../seal/kind.ts'
import type { Random } from '../../seal/random.ts'
import type { Sealed } from '../../seal/sealed.ts'
import type { Sealer } from '../../seal/sealer.ts'
import type { Signed } from '../../seal/signed.ts'
import { SpentIds } from '../../session/spent-ids.ts'
import { digest } from '../rules/pkce.ts'
import type { Client, ClientDetails } from '../rules/registration.ts'
import {
  type Grant,
  type Lifetimes,
  type OAuthStorage,
  type Pending,
  REFRESH_SECONDS,
  type RefreshToken,
  type TakenGrant
} from './storage.ts'

/*
 * The content of the sealed values. The names have one letter because the values travel in URLs. Even if every field
 * has its full length, a redirect stays below 8 KB, the header buffer of common proxies.
 */
const uri = Type.String({ maxLength: 512 })
const hash = Type.String({ pattern: '^[\\w-]{43}$' })

const clientFields = {
  r: Type.Array(uri, { minItems: 1, maxItems: 10, description: 'redirect URIs' }),
  c: Type.Optional(Type.String({ description: 'name' })),
  n: Type.String({ description: 'makes two like registrations different' })
}
const pendingFields = {
  c: hash,
  r: uri,
  s: Type.Optional(Type.String({ maxLength: 1024, description: 'state of the client' })),
  h: hash,
  v: hash,
  o: Type.String({ description: 'scope' }),
  b: Type.Optional(hash),
  a: Type.Boolean({ description: 'approved' })
}
const grantFields = {
  c: hash,
  r: uri,
  h: hash,
  t: Type.String({ description: 'access token' }),
  f: Type.Optional(Type.String({ description: 'refresh token' })),
  x: Type.Optional(Type.Number({ description: 'seconds the access token lives' })),
  o: Type.Optional(Type.String({ description: 'scope' }))
}
const refreshFields = {
  c: hash,
  l: Type.String({ maxLength: 12, description: 'login' }),
  f: Type.String({ description: 'refresh token of the forge' })
}

const given = <K extends string, V>(name: K, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in K]?: V }

/**
 * Keeps logins in the sealed values themselves, so that each step may reach another replica. A state works until it
 * expires. A code works once on each replica, and only with the verifier.
 */
export class SealedOAuthStorage implements OAuthStorage {
  readonly #clients: Signed<typeof clientFields>
  readonly #pending: Sealed<typeof pendingFields>
  readonly #grants: Sealed<typeof grantFields>
  readonly #refresh: Sealed<typeof refreshFields>
  readonly #redeemed: SpentIds
  readonly #random: Random
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(sealer: Sealer, lifetimes: Lifetimes, random: Random, now: () => number = Date.now) {
    this.#clients = sealer.signed({
      purpose: 'cid',
      fields: clientFields,
      maxChars: 2048,
      ttlSeconds: lifetimes.client
    })
    this.#pending = sealer.sealed({
      purpose: 'ps',
      fields: pendingFields,
      maxChars: 4096,
      ttlSeconds: lifetimes.pending
    })
    this.#grants = sealer.sealed({
      purpose: 'pc',
      fields: grantFields,
      maxChars: 6144,
      ttlSeconds: lifetimes.grant
    })
    this.#refresh = sealer.sealed({
      purpose: 'rt',
      fields: refreshFields,
      maxChars: 4096,
      ttlSeconds: REFRESH_SECONDS
    })
    this.#redeemed = new SpentIds(lifetimes.grant * 1000 + LEEWAY_MS, now)
    this.#random = random
    this.#now = now
  }

  addClient(details: ClientDetails): Client {
    const { redirectUris, name } = details
    const id = this.#clients.sign({
      r: [...redirectUris],
      ...given('c', name),
      n: this.#random(9).toString('base64url')
    })
    return { ...details, id }
  }

  client(id: string): Client | undefined {
    const opened = this.#clients.verify(id)
    return opened && { id, redirectUris: opened.r, ...given('name', opened.c) }
  }

  countClient(id: string): void {
    this.#clients.countUse(id)
  }

  knowsForm(id: string): boolean {
    return id.startsWith(prefixOf('cid'))
  }

  addPending(pending: Pending): string {
    const { client, redirectUri, state, challenge, verifier, scope, browser, approved } = pending
    return this.#pending.seal({
      c: client,
      r: redirectUri,
      ...given('s', state),
      h: challenge,
      v: verifier,
      o: scope,
      ...given('b', browser),
      a: approved
    })
  }

  pending(state: string): Pending | undefined {
    return pendingIn(this.#pending.peek(state))
  }

  takePending(state: string, fits: (pending: Pending) => boolean): Pending | undefined {
    const pending = pendingIn(this.#pending.open(state))
    return pending !== undefined && fits(pending) ? pending : undefined
  }

  addGrant({ client, redirectUri, challenge, tokens }: Grant): string {
    return this.#grants.seal({
      c: client,
      r: redirectUri,
      h: challenge,
      t: tokens.access,
      ...given('f', tokens.refresh),
      ...given('x', tokens.expiresIn),
      ...given('o', tokens.scope)
    })
  }

  takeGrant(code: string, fits: (grant: Grant) => boolean, from: string): TakenGrant | undefined {
    const opened = this.#grants.open(code)
    if (opened === undefined) return undefined
    const tokens = {
      access: opened.t,
      ...given('refresh', opened.f),
      ...given('expiresIn', opened.x),
      ...given('scope', opened.o)
    }
    const grant: Grant = { client: opened.c, redirectUri: opened.r, challenge: opened.h, tokens }
    // A sealed value has only one spelling, so its digest can stand for it.
    if (!fits(grant) || !this.#redeemed.add(digest(code), from)) return undefined
    return { ...grant, ageMs: Math.max(0, this.#now() - opened.iat) }
  }

  addRefresh({ client, login, token }: RefreshToken): string {
    return this.#refresh.seal({ c: client, l: login, f: token })
  }

  nameUser(): void {}

  peekRefresh(value: string): RefreshToken | undefined {
    return refreshIn(this.#refresh.peek(value))
  }

  openRefresh(value: string): RefreshToken | undefined {
    // A token to revoke may be the forge's own. It must not count as a sealed value that was refused.
    return this.sealsRefresh(value) ? refreshIn(this.#refresh.open(value)) : undefined
  }

  sealsRefresh(value: string): boolean {
    return value.startsWith(prefixOf('rt'))
  }
}

const refreshIn = (opened: Opened<typeof refreshFields> | undefined): RefreshToken | undefined =>
  opened && { client: opened.c, login: opened.l, token: opened.f }

const pendingIn = (opened: Opened<typeof pendingFields> | undefined): Pending | undefined =>
  opened && {
    client: opened.c,
    redirectUri: opened.r,
    ...given('state', opened.s),
    challenge: opened.h,
    verifier: opened.v,
    scope: opened.o,
    ...given('browser', opened.b),
    approved: opened.a
  }
