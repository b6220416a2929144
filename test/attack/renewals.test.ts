import t, { type Test } from 'tap'
import { Agent, request as send } from 'undici'
import { loginLimits } from '../../src/oauth/rules/limits.ts'
import { listen } from '../support/listen.ts'
import { CLIENT_REDIRECT, pkce } from '../support/oauth.ts'
import { startServer } from '../support/process.ts'
import { inParallel } from '../support/tenants.ts'

/* Whoever has an account at the forge has logins, as many as they like, and may leave them to a page in somebody's office. */

const LOGINS = 100
const OFFICE = '127.0.0.9'
const ELSEWHERE = '127.0.0.50'

/** A forge that takes each refresh token until its login has ended. */
async function forge(t: Test) {
  const ended = new Set<string>()
  let given = 0
  const origin = await listen(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const old = new URLSearchParams(body).get('refresh_token')
    const dead = old !== null && ended.has(old)
    const refresh_token = old ?? `refresh-${given++}`.padEnd(64, 'x')
    const answer = dead
      ? { error: 'invalid_grant' }
      : { access_token: 'a'.repeat(64), token_type: 'bearer', refresh_token }
    response.writeHead(dead ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  return { origin, ended }
}

/** Sends to steps of a login, from any address of loopback as if it were another machine. */
function stepsOf(t: Test, url: string) {
  const agents = new Map<string, Agent>()
  t.teardown(() => Promise.all([...agents.values()].map(agent => agent.destroy())))
  return async (
    path: string,
    from: string,
    type: string,
    body: string,
    more: Record<string, string> = {}
  ) => {
    const dispatcher = agents.get(from) ?? new Agent({ localAddress: from })
    agents.set(from, dispatcher)
    const headers = { 'content-type': type, ...more }
    const answer = await send(url + path, { dispatcher, method: 'POST', headers, body })
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, string> }
  }
}

const page = {
  origin: 'https://evil.example',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'empty'
}

for (const [who, headers, dead] of [
  ['a page in an office', page, true],
  ['a page that has living logins', page, false],
  ['somebody in an office who has logins that have ended', {}, true],
  ['somebody in an office who has living logins', {}, false]
] as const)
  t.test(`${who} uses up no renewal of another login there`, async t => {
    const { origin, ended } = await forge(t)
    const server = await startServer(t, {
      FORGE_API_URL: origin,
      FORGE_MCP_OAUTH: 'true',
      FORGE_OAUTH_APP_ID: 'app',
      MAX_REQUESTS_PER_MINUTE: '0'
    })
    const step = stepsOf(t, server.url)
    const register = async (from: string) => {
      const metadata = JSON.stringify({ redirect_uris: [CLIENT_REDIRECT] })
      return (await step('/register', from, 'application/json', metadata)).body.client_id!
    }
    const token = (from: string, form: Record<string, string>, more = {}) =>
      step('/token', from, 'application/x-www-form-urlencoded', new URLSearchParams(form).toString(), more)
    const logIn = async (client_id: string, from: string) => {
      const code = { code: 'code', redirect_uri: CLIENT_REDIRECT, code_verifier: pkce().verifier }
      const answer = await token(from, { grant_type: 'authorization_code', client_id, ...code })
      return { grant_type: 'refresh_token', client_id, refresh_token: answer.body.refresh_token! }
    }
    const [own, evil] = [await register(OFFICE), await register(ELSEWHERE)]
    const victims = [await logIn(own, OFFICE), await logIn(own, OFFICE)]
    const logins: Record<string, string>[] = []
    for (let at = 0; at < LOGINS; at++) logins.push(await logIn(evil, ELSEWHERE))
    if (dead) for (const { refresh_token } of logins) ended.add(refresh_token!)
    const statuses: Record<number, number> = {}
    await inParallel(loginLimits.renewalsOfHolder, 50, async at => {
      const { status } = await token(OFFICE, logins[at % LOGINS]!, headers)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    t.comment(JSON.stringify(statuses))
    t.equal(statuses[dead ? 400 : 200]! > 0, true, 'they are logins')
    for (const victim of victims) t.equal((await token(OFFICE, victim)).status, 200)
  })
