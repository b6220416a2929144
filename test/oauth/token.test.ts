import t from 'tap'
import { MemoryOAuthStorage } from '../../src/oauth/memory-storage.ts'
import { digest } from '../../src/oauth/pkce.ts'
import type { OAuthProxy } from '../../src/oauth/proxy.ts'
import { token } from '../../src/oauth/token.ts'
import { RequestBudget } from '../../src/session/request-budget.ts'

t.test('an address renews so many logins in a time, and another meanwhile', async t => {
  const clock = { now: 1 }
  const storage = new MemoryOAuthStorage({ client: 60, pending: 60, grant: 60 })
  const id = storage.addClient({ redirectUris: ['https://app.example/callback'] }).id
  let asked = 0
  const proxy = {
    storage,
    clients: { find: async () => storage.client(id) },
    forge: { refresh: async () => ({ access: `access-${asked++}` }) },
    facts: () => ({ publicUrl: 'https://mcp.example', scopes: ['api'] }),
    renewals: new RequestBudget(3, 60_000, 10, () => clock.now)
  } as unknown as OAuthProxy
  const renew = (login: string, address = '192.0.2.1') => {
    storage.addRefresh({ client: digest(id), login, token: login }, address)
    const form = { grant_type: 'refresh_token', client_id: id, refresh_token: login }
    return token(new Map(Object.entries(form)), { holder: address, requestId: 'r-1' }, proxy)
  }
  for (const login of ['a', 'b', 'c']) t.ok(await renew(login))
  t.match(await renew('d').catch(error => error), { status: 429, retryAfter: 60 })
  t.equal(asked, 3, 'the forge is not asked')
  t.ok(await renew('e', '192.0.2.2'))
  clock.now += 60_000
  t.ok(await renew('d'))
})
