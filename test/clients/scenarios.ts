import { setTimeout as sleep } from 'node:timers/promises'
import { CLIENT_REDIRECT, TestBrowser } from '../support/oauth.ts'
import type { Asking } from './asking.ts'
import type { Relay } from './relay.ts'

/** What a scenario has to work with. */
interface Stage {
  readonly client: Asking
  /** Between the client and the service. */
  readonly wire: Relay
  /** Between the service and the forge. */
  readonly front: Relay
  /** A branch that is nobody else's, and of which the forge says nothing. */
  readonly silent: string
  /** What the client connects with. */
  readonly connecting: { readonly mode: string; readonly token: string }
  /** Another process of the service, that knows nothing of the first one's sessions. */
  readonly restarted: () => Promise<string>
  /** The forge's access tokens last this many milliseconds. */
  readonly tokenMs: number
}

/** @returns what is worth saying of how it went @throws Error saying what went wrong */
type Scenario = (stage: Stage) => Promise<unknown>

/** Longest that the end of a call may take to reach the forge, in milliseconds: less than the service waits for it. */
const LONGEST_END_MS = 10_000
/** After the end of a token, in milliseconds. */
const LEEWAY_MS = 300

const project_id = 'acme/rocket'
const branch = (branch_name: string) => ['get_branch', { project_id, branch_name }] as const
/** A toolset that is off, and a tool of it. */
const more = { category: 'pipelines', tool: 'list_pipelines' }

export const scenarios = {
  async list({ client, wire, connecting }) {
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    expect((await client.list()).includes('list_merge_requests'), 'the list lacks list_merge_requests')
    await client.close()
    nothingRefused(wire)
  },

  async call({ client, wire, connecting }) {
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    await works(client)
    await works(client)
    await client.close()
    nothingRefused(wire)
  },

  async 'tool error'({ client, wire, connecting }) {
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    const { text, isError } = await client.call('get_issue', { project_id, issue_iid: '9999' })
    expect(isError && text.includes('404 Not Found'), `a call that fails gave ${isError} ${text}`)
    await works(client)
    await client.close()
  },

  async refused({ client, wire, connecting }) {
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    const { code, message } = await client.failing('call', 'no_such_tool', {})
    expect(code === -32602 && message.includes('no_such_tool'), `an unknown tool gave ${code} ${message}`)
    await works(client)
    await client.close()
  },

  /** A toolset that is switched on lengthens the list before 2026-07-28; its tools can be called in any case. */
  async activate({ client, wire, connecting }) {
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    const { isError } = await client.call('discover_tools', { category: more.category })
    expect(!isError, 'discover_tools failed')
    const called = await client.call(more.tool, { project_id })
    expect(!called.isError, `${more.tool} gave ${called.text}`)
    const isListed = (await client.list()).includes(more.tool)
    const isModern = (revisionOf(wire) ?? '') >= '2026'
    expect(isListed || isModern, 'what was switched on is not in the next list')
    await client.close()
  },

  async cancel({ client, wire, front, silent, connecting }) {
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    const held = front.held(silent)
    await client.start(...branch(silent))
    await until(() => held.arrived > 0, 'the call did not reach the forge')
    const cancelled = client.cancel()
    await until(() => held.waiting === 0, 'the service still waited for the forge')
    await cancelled
    await works(client)
    await client.close()
  },

  /** The session is gone with the process, or the secret, that knew it. */
  async restart(stage) {
    const { client, wire, connecting, restarted } = stage
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    await works(client)
    wire.to(await restarted())
    return goesOn(stage)
  },

  /** Somebody ends the session by DELETE. */
  async ended(stage) {
    const { client, wire, connecting } = stage
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    await works(client)
    const sid = wire.passed.findLast(({ sid }) => sid !== undefined)?.sid
    if (sid === undefined) return goesOn(stage)
    const headers = { 'mcp-session-id': sid, 'private-token': connecting.token }
    const { status } = await fetch(`${wire.url}/mcp`, { method: 'DELETE', headers })
    // Who ends a session after each call has ended it before.
    expect(status === 204 || status === 404, `DELETE gave ${status}`)
    return goesOn(stage)
  },

  async login(stage) {
    await logIn(stage)
    await works(stage.client)
    await stage.client.close()
  },

  async renew(stage) {
    await renew(stage)
    await stage.client.close().catch(() => undefined)
  },

  /** Who ends a session with another token than it began with is not told that there was none. */
  async leave(stage) {
    await renew(stage)
    await stage.client.close()
  }
} satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

export const sessionScenarios = [
  'list',
  'call',
  'tool error',
  'refused',
  'activate',
  'cancel',
  'restart',
  'ended'
] as const satisfies readonly ScenarioName[]

export const goesOnByItself = 'goes on'
export const connectsAnew = 'new connection'

/** After its session is lost a client begins another one, or says so and can be connected anew. */
async function goesOn({ client, wire, connecting }: Stage): Promise<string> {
  // To end a session that is gone may be told as a failure.
  const leave = () => client.close().catch(() => undefined)
  try {
    await works(client)
    await leave()
    return goesOnByItself
  } catch {
    await leave()
    await client.connect({ url: `${wire.url}/mcp`, ...connecting })
    await works(client)
    await client.close()
    return connectsAnew
  }
}

async function logIn({ client, wire, connecting: { mode } }: Stage): Promise<TestBrowser> {
  const browser = new TestBrowser()
  await client.connect({ url: `${wire.url}/mcp`, mode, redirect: CLIENT_REDIRECT }, async opened => {
    const back = new URL(opened).searchParams.get('redirect_uri')!
    return `${back}?${await browser.logIn(opened, back)}`
  })
  return browser
}

/** A token that has run out is replaced without a person. */
async function renew(stage: Stage): Promise<void> {
  const { visited } = await logIn(stage)
  await works(stage.client)
  await sleep(stage.tokenMs + LEEWAY_MS)
  const logins = visited.length
  await works(stage.client)
  expect(visited.length === logins, 'it asked for another login')
}

async function works(client: Asking): Promise<void> {
  const { text, isError } = await client.call(...branch('main'))
  expect(!isError && JSON.parse(text).name === 'main', `get_branch gave ${text}`)
}

/** A client that meets a refusal on its usual way was told something wrong; GET is an offer that may be declined. */
function nothingRefused({ passed }: Relay): void {
  const refused = passed.filter(
    ({ method, status = 0 }) => status >= 400 && !(method === 'GET' && status === 405)
  )
  expect(
    refused.length === 0,
    `refused: ${refused.map(({ status, body }) => `${status} ${body}`).join(', ')}`
  )
}

/** The revision of a client's latest request, as it stood on the wire. */
export const revisionOf = ({ passed }: Pick<Relay, 'passed'>): string | undefined =>
  passed
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['mcp-protocol-version'] as string | undefined)
    .findLast(version => version !== undefined)

async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  for (const end = Date.now() + LONGEST_END_MS; !isSo(); await sleep(10))
    expect(Date.now() < end, `${otherwise} after ${LONGEST_END_MS} ms`)
}

function expect(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Error(otherwise)
}
