import t from 'tap'
import { Clients } from '../../../src/oauth/clients/clients.ts'
import type { OAuthProxy } from '../../../src/oauth/endpoints/proxy.ts'
import { Renewals } from '../../../src/oauth/endpoints/renewals.ts'
import { revoke, token } from '../../../src/oauth/endpoints/token.ts'
import { invalidGrant, invalidScope, unavailable } from '../../../src/oauth/rules/error.ts'
import { loginLimits } from '../../../src/oauth/rules/limits.ts'
import { digest } from '../../../src/oauth/rules/pkce.ts'
import { MemoryOAuthStorage } from '../../../src/oauth/storage/memory-storage.ts'
import { pooledRandom } from '../../../src/seal/random.ts'

const { renewals, renewalsOfHolder, refused, first, firstOfHolder, givenBack, windowMs } = loginLimits

/** Logins that are renewed at a forge, which does as `forge.answer` says. */
function setup() {
  const clock = { now: 1 }
  const forge = { asked: 0, answer: (): object => ({ access: 'a'.repeat(20) }) }
  /** Redirect URIs with which codes were redeemed at the forge. */
  const passedOn: string[] = []
  const storage = new MemoryOAuthStorage({ client: 60_000, pending: 60, grant: 60 }, () => clock.now)
  const id = storage.addClient({ redirectUris: ['https://app.example/callback'] }, 'here').id
  const proxy = {
    storage,
    clients: new Clients(storage, () => t.fail('nothing is fetched') as never),
    forge: {
      async refresh() {
        forge.asked++
        return forge.answer()
      },
      async redeem({ redirectUri }: { redirectUri: string }) {
        passedOn.push(redirectUri)
        return forge.answer()
      }
    },
    facts: () => ({ publicUrl: 'https://mcp.example', scopes: ['api'] }),
    random: pooledRandom(),
    renewals: new Renewals(() => clock.now)
  } as unknown as OAuthProxy
  /** @returns the status that it is answered with */
  const renew = async (login: string, holder = '192.0.2.1', client = id, sent = login) => {
    storage.addRefresh({ client: digest(client), login, token: sent }, holder, 'access')
    const form = { grant_type: 'refresh_token', client_id: client, refresh_token: sent }
    return token(new Map(Object.entries(form)), { holder, ip: holder, requestId: 'r-1' }, proxy).then(
      () => 200,
      ({ status }) => status as number
    )
  }
  /** Renews logins one after another, so often. @returns how often each status came */
  const renewMany = async (times: number, loginAt: (at: number) => string, holder?: string) => {
    const statuses: Record<number, number> = {}
    for (let at = 0; at < times; at++) {
      const status = await renew(loginAt(at), holder)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return statuses
  }
  return { clock, forge, id, passedOn, proxy, renew, renewMany }
}

const inTurn =
  (logins: number, name = 'login') =>
  (at: number) =>
    `${name} ${at % logins}`

t.test('a login is renewed so often in a time, wherever it is asked for', async t => {
  const { clock, forge, renew, renewMany } = setup()
  t.same(await renewMany(renewals, () => 'one'), { 200: renewals })
  t.equal(await renew('one'), 429)
  t.equal(await renew('one', '192.0.2.2'), 429)
  t.equal(forge.asked, renewals, 'the forge is not asked')
  t.equal(await renew('other'), 200)
  clock.now += windowMs
  t.equal(await renew('one'), 200)
})

t.test('an address renews so many logins in a time, and another meanwhile', async t => {
  const { renew, renewMany } = setup()
  t.same(await renewMany(renewalsOfHolder, inTurn(150)), { 200: renewalsOfHolder })
  t.equal(await renew('login 0'), 429)
  t.equal(await renew('of another', '192.0.2.2'), 200)
})

t.test('where an address has used up its renewals, those go on that are a login’s first', async t => {
  const { renew, renewMany } = setup()
  await renewMany(renewalsOfHolder, inTurn(150))
  t.same(await renewMany(first + 1, () => 'quiet'), { 200: first, 429: 1 })
  const left = firstOfHolder - first
  t.same(await renewMany(left, inTurn(left / first, 'new')), { 200: left })
  t.equal(await renew('one too many'), 429, 'and so many of these')
})

t.test('a login whose tokens the forge refuses soon costs it nothing, nor its address', async t => {
  const { forge, renew, renewMany } = setup()
  forge.answer = () => {
    throw invalidGrant('dead')
  }
  const tries = refused
  t.same(await renewMany(renewalsOfHolder, inTurn(100, 'dead')), {
    400: 100 * tries,
    429: renewalsOfHolder - 100 * tries
  })
  t.equal(forge.asked, 100 * tries)
  forge.answer = () => ({ access: 'a'.repeat(20) })
  t.same(await renewMany(renewals, () => 'alive'), { 200: renewals })
  t.equal(await renew('dead 0'), 429)
})

t.test('a used token of a login, however often it is sent, leaves the live one its renewals', async t => {
  const { forge, renew, renewMany } = setup()
  forge.answer = () => {
    throw invalidGrant('used')
  }
  for (let at = 0; at < renewals; at++) await renew('one', '192.0.2.1', undefined, 'used')
  t.equal(forge.asked, refused)
  forge.answer = () => ({ access: 'a'.repeat(20) })
  t.same(await renewMany(renewals + 1, () => 'one'), { 200: renewals, 429: 1 })
})

t.test('renewals that fail by an outage of the forge do not count, up to a storm of them', async t => {
  const { forge, renew, renewMany } = setup()
  forge.answer = () => {
    throw unavailable('down')
  }
  t.same(await renewMany(givenBack, inTurn(100)), { 503: givenBack })
  forge.answer = () => ({ access: 'a'.repeat(20) })
  t.same(await renewMany(renewals, () => 'login 0'), { 200: renewals })
  forge.answer = () => {
    throw unavailable('down again')
  }
  t.same(await renewMany(renewals + 1, () => 'login 1'), { 503: renewals, 429: 1 })
  t.equal(await renew('login 1', '192.0.2.2'), 429)
})

t.test('renewals with a scope that the login does not have count as any that the forge answers', async t => {
  const { forge, renewMany } = setup()
  forge.answer = () => {
    throw invalidScope('wider')
  }
  t.same(await renewMany(renewals + 1, () => 'one'), { 400: renewals, 429: 1 })
})

t.test('a client by URL renews its login whether its document is there or not', async t => {
  t.equal(await setup().renew('one', undefined, 'https://app.example/client.json'), 200)
})

t.test('a client that leaves its id out of the form is told that it belongs there', async t => {
  const { proxy } = setup()
  const form = new Map([['grant_type', 'refresh_token']])
  const caller = { holder: '192.0.2.1', ip: '192.0.2.1', requestId: 'r-1' }
  const told = {
    code: 'invalid_request',
    message: /^client_id is missing from the form\..*leave Authorization out/
  }
  await t.rejects(token(form, caller, proxy), told)
  await t.rejects(revoke(form, caller, proxy), told)
})

t.test('a code of the forge is passed on with a redirect URI of the client only', async t => {
  const { id, proxy, passedOn } = setup()
  const redeem = (redirect_uri?: string) => {
    const form = {
      grant_type: 'authorization_code',
      client_id: id,
      code: 'code',
      code_verifier: 'v'.repeat(43)
    }
    const sent = { ...form, ...(redirect_uri !== undefined && { redirect_uri }) }
    const caller = { holder: '192.0.2.1', ip: '192.0.2.1', requestId: 'r-1' }
    return token(new Map(Object.entries(sent)), caller, proxy)
  }
  await t.rejects(redeem('https://evil.example/callback'), { code: 'invalid_grant' })
  t.same(passedOn, [])
  t.match(await redeem('https://app.example/callback'), { to: 'app.example' })
  await redeem()
  t.same(passedOn, ['https://app.example/callback', 'https://app.example/callback'])
})
