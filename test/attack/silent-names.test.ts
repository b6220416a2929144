import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, inParallel, meanwhile } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Anybody names hosts, and their name servers do not answer. The home forge has to be found none the less. */

const illResolver = pathToFileURL(fileURLToPath(new URL('../support/ill-resolver.ts', import.meta.url))).href
const settings = { MAX_REQUESTS_PER_MINUTE: '1000000', NODE_OPTIONS: `--import=${illResolver}` }

/** Were they behind look-ups that nobody answers, each would fail at the time that a forge has. */
const CALLS = 20
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A home forge under a name; it keeps no connection, so that each call needs the name. */
async function homeByName(t: Test, answer: (path: string) => string = () => '{"name":"main"}') {
  const origin = await listen(t, ({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(answer(url!))
  })
  return {
    FORGE_API_URL: `http://home.example:${new URL(origin).port}`,
    NAMES: JSON.stringify({ 'home.example': '127.0.0.1' })
  }
}

/** A tenant's calls are answered, for three seconds and as many calls. */
async function servesOn(t: Test, tenant: Parameters<typeof meanwhile>[0]): Promise<void> {
  let made = 0
  const { failures, calls, p99 } = await meanwhile(
    async () => {
      made++
      return tenant()
    },
    Promise.all([pause(3000), until(() => made > CALLS)])
  )
  t.same(failures, [])
  t.comment(`p99 of ${calls} calls: ${p99} ms`)
}

t.test('300 callers’ forges under a silent name server do not hold up the home forge', async t => {
  const server = await startServer(t, {
    ...settings,
    ...(await homeByName(t)),
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_POOL_MAX_SIZE: '1000'
  })
  const noisy = caller(t, server, 'unused')
  const attack = inParallel(300, 300, at =>
    noisy(
      branch(),
      { 'x-forge-api-url': `http://f${at}.silent.example` },
      `glpat-made-up-made-up-${at}`
    ).catch(() => undefined)
  )
  await pause(500)
  const tenant = caller(t, server, TOKEN)
  const first = performance.now()
  t.match((await tenant(branch())).text, /main/)
  t.comment(`the first call of the home forge took ${Math.round(performance.now() - first)} ms`)
  await servesOn(t, () => tenant(branch()))
  await server.stop('SIGKILL')
  await attack
})

/** OAuth mode, where a client id may be a URL. */
const withDocuments = async (t: Test) => ({
  ...settings,
  ...(await homeByName(t, path =>
    path.endsWith('/oauth/token/info') ? '{"expires_in":60,"application":{"uid":"app"}}' : '{"name":"main"}'
  )),
  FORGE_MCP_OAUTH: 'true',
  FORGE_OAUTH_APP_ID: 'app',
  FORGE_OAUTH_CALLBACK_PROXY: 'true',
  FORGE_OAUTH_CLIENT_DOCUMENTS: 'true'
})

t.test('290 client ids under a silent name server do not hold up the home forge', async t => {
  const server = await startServer(t, await withDocuments(t))
  const statuses: Record<number, number> = {}
  const attack = inParallel(290, 290, async at => {
    const id = encodeURIComponent(`https://c${at}.silent.example/client.json`)
    const { status } = await fetch(`${server.url}/authorize?client_id=${id}`)
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  await pause(500)
  const tenant = caller(t, server, 'unused')
  const bearer = { authorization: `Bearer ${'a'.repeat(64)}` }
  await servesOn(t, () => tenant(branch(), bearer, ''))
  await attack
  t.ok(statuses[503]! > 200, 'one address has a few documents fetched at once')
  t.ok(statuses[400]! > 0, 'and is told that they cannot be')
})

t.test(
  'client ids of one silent site hold up no other site’s at their address, nor what was given to them',
  async t => {
    const server = await startServer(t, await withDocuments(t))
    let sent = 0
    const silent = () => `https://c${sent++}.silent.example/client.json`
    const authorize = (id: string) => fetch(`${server.url}/authorize?client_id=${encodeURIComponent(id)}`)
    const statuses = async (answers: Promise<Response>[]) =>
      [...new Set((await Promise.all(answers)).map(({ status }) => status))].sort()
    const attack = Array.from({ length: 20 }, () => authorize(silent()))
    const steps = ['/token', '/revoke'].flatMap(step =>
      Array.from({ length: 20 }, () => {
        const form = { client_id: silent(), grant_type: 'refresh_token', refresh_token: 'x', token: 'x' }
        return fetch(server.url + step, { method: 'POST', body: new URLSearchParams(form) })
      })
    )
    t.equal((await Promise.race(attack)).status, 503, 'more wait than may')
    t.equal((await authorize('https://nowhere.example/client.json')).status, 400, 'it is looked for')
    t.same(await statuses(steps.slice(0, 20)), [400], 'no refresh token of theirs, whoever they are')
    await Promise.allSettled([...attack, ...steps])
  }
)
