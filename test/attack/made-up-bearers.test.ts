import t, { type Test } from 'tap'
import { listen } from '../support/listen.ts'
import { CLIENT_REDIRECT, pkce } from '../support/oauth.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { branch, caller, inParallel, meanwhile } from '../support/tenants.ts'
import { until } from '../support/until.ts'

/* Anybody makes up bearers, of which each is a question to the forge until it has said no. */

/** Of which all but some are told to wait. */
const ENOUGH = 500
const REAL = 'r'.repeat(64)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A forge that says what it is asked of credentials. @param no says no, or nothing */
async function forge(t: Test, no: (refuse: () => void) => void) {
  const asked = { real: 0, made: 0, hanging: 0, mostHanging: 0 }
  const origin = await listen(t, ({ url, headers }, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url === '/oauth/token')
      return answer(200, { access_token: 'n'.repeat(64), token_type: 'bearer', expires_in: 7200 })
    if (url !== '/oauth/token/info') return answer(200, { name: 'main' })
    if (headers.authorization === `Bearer ${REAL}`) {
      asked.real++
      // It has to be asked about each second.
      return answer(200, { application: { uid: 'app' }, expires_in: 1 })
    }
    asked.made++
    asked.mostHanging = Math.max(asked.mostHanging, ++asked.hanging)
    response.once('close', () => asked.hanging--)
    return no(() => answer(401, { error: 'invalid_token' }))
  })
  return { origin, asked }
}

const start = (t: Test, origin: string) =>
  startServer(t, {
    FORGE_MCP_OAUTH: 'true',
    FORGE_OAUTH_APP_ID: 'app',
    FORGE_API_URL: origin,
    MAX_REQUESTS_PER_MINUTE: '0'
  })

/** Made-up bearers until somebody has had enough. */
function attack(t: Test, server: ServerProcess, width: number) {
  const state = { going: true, sent: 0, statuses: new Map<number, number>() }
  const noisy = caller(t, server, '')
  const over = inParallel(width, width, async () => {
    while (state.going) {
      const answer = await noisy(branch(), bearer(`made-up-made-up-made-up-${state.sent++}`)).catch(
        () => undefined
      )
      if (answer !== undefined)
        state.statuses.set(answer.status, (state.statuses.get(answer.status) ?? 0) + 1)
    }
  })
  return { state, over }
}

/** A login as a client makes it, from its registration on. */
async function logIn({ url }: ServerProcess) {
  const registered = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CLIENT_REDIRECT] })
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id,
    code: 'code',
    redirect_uri: CLIENT_REDIRECT,
    code_verifier: pkce().verifier
  })
  const answer = await fetch(`${url}/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token?: string }).access_token
}

t.test(
  'made-up bearers of one address become a few questions to the forge, and delay no good one',
  async t => {
    const { origin, asked } = await forge(t, refuse => setTimeout(refuse, 20))
    const server = await start(t, origin)
    const tenant = caller(t, server, '')
    const work = () => tenant(branch(), bearer(REAL))
    await work()
    const calm = await meanwhile(work, pause(2000))
    const started = performance.now()
    const { state, over } = attack(t, server, 16)
    const { failures, calls, p99 } = await meanwhile(
      work,
      Promise.all([pause(4000), until(() => state.sent > ENOUGH)])
    )
    state.going = false
    await over
    t.same(failures, [])
    t.comment(`${state.sent} made-up bearers, ${asked.made} questions; answered ${[...state.statuses]}`)
    t.comment(`p99 ${calm.p99} ms in calm, ${p99} ms of ${calls} calls in the attack`)
    const minutes = Math.ceil((performance.now() - started) / 60_000)
    t.ok(asked.made < 100 * minutes, `${asked.made} questions`)
    t.ok(state.statuses.has(429), 'and are told to wait')
  }
)

t.test(
  'a forge that does not answer about made-up bearers answers about others, and logins go on',
  async t => {
    const { origin, asked } = await forge(t, () => {})
    const server = await start(t, origin)
    const tenant = caller(t, server, '')
    const work = () => tenant(branch(), bearer(REAL))
    await work()
    const { state, over } = attack(t, server, 400)
    await pause(500)
    const before = asked.real
    const { failures, p99 } = await meanwhile(
      work,
      // The good one is asked about meanwhile.
      Promise.all([pause(3000), until(() => asked.real > before + 1)])
    )
    t.same(failures, [])
    t.comment(`p99 ${p99} ms; ${asked.made} questions`)
    t.ok(asked.mostHanging <= 32, `${asked.mostHanging} questions hang at once`)
    t.equal(await logIn(server), 'n'.repeat(64))
    state.going = false
    await server.stop('SIGKILL')
    await over
  }
)
