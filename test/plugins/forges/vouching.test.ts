import t, { type Test } from 'tap'
import { failureLimits } from '../../../src/fairness/credential-failures.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, post, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

/** A forge whose user of any token has that name; undefined if it takes none. */
async function forgeOf(t: Test, username: string | undefined): Promise<string> {
  const body = JSON.stringify({ username, id: 7, path_with_namespace: 'acme/rocket' })
  return listen(t, (_request, response) =>
    response.writeHead(username === undefined ? 401 : 200, { 'content-type': 'application/json' }).end(body)
  )
}

/** A server at `home` whose callers may also name `listed`, and a function that calls with a token. */
async function between(t: Test, home: string, listed: string, settings: Record<string, string> = {}) {
  const log = captureLog()
  const server = await testServer(
    t,
    {
      FORGE_API_URL: home,
      ENABLE_DYNAMIC_API_URL: 'true',
      FORGE_ALLOWED_HOSTS: new URL(listed).host,
      LOG_LEVEL: 'info',
      ...settings
    },
    log.stream
  )
  const get = (token: string, apiUrl?: string, project = 'acme/rocket') =>
    post(server, {
      token,
      headers: apiUrl === undefined ? {} : { 'x-forge-api-url': apiUrl },
      body: call('get_project', { project_id: project })
    })
  return { get, log }
}

for (const [mode, settings] of Object.entries({
  'in memory': {},
  stateless: { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }
}) as [string, Record<string, string>][])
  t.test(`a forge that takes any token vouches for none at another, sessions ${mode}`, async t => {
    const [home, listed] = [await forgeOf(t, undefined), await forgeOf(t, 'anybody')]

    t.test('so that an address can guess no more of them there', async t => {
      const { get } = await between(t, home, listed, settings)
      const statusOf = async (at: number) => {
        await get(`glpat-made-up-made-up-${at}`, listed)
        return (await get(`glpat-made-up-made-up-${at}`)).statusCode
      }
      for (let at = 0; at < failureLimits.failures; at++) t.equal(await statusOf(at), 200)
      t.equal(await statusOf(failureLimits.failures), 429)
      t.equal((await get('glpat-made-up-made-up-1', listed)).statusCode, 200, 'where it is known')
      const named = `${listed}?x`
      t.equal((await get('glpat-made-up-made-up-1', named)).statusCode, 400)
    })

    t.test('which tells it no project that is served', async t => {
      const limit = { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket,top/secret' }
      const { get } = await between(t, home, listed, { ...settings, ...limit })
      t.equal((await get(TOKEN, listed)).statusCode, 200)
      t.notMatch((await get(TOKEN, undefined, 'acme/other')).body, 'top/secret')
    })
  })

t.test('a user is named as the forge of the call names it', async t => {
  const [home, listed] = [await forgeOf(t, 'ada'), await forgeOf(t, 'grace')]
  const { get, log } = await between(t, home, listed, { FORGE_AUDIT_USERS: 'true' })
  const named = () => log.lines('caller named').map(({ user, upstream }) => [user, upstream])
  await get(TOKEN)
  await until(() => named().length === 1)
  await get(TOKEN, listed)
  await until(() => named().length === 2)
  t.same(named(), [
    ['ada', new URL(home).host],
    ['grace', new URL(listed).host]
  ])
  await get(TOKEN)
  await get(TOKEN, listed)
  t.same(
    log.lines('tool call').map(({ user }) => user),
    [undefined, undefined, 'ada', 'grace']
  )
})
