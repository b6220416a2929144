import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { startForge } from '../forge/index.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { secretOf } from '../support/sealing.ts'
import { call, initialize, request } from '../support/server.ts'
import { until } from '../support/until.ts'

/* Real processes that share nothing but a secret, every call of a client on another one. */

const SID = 'mcp-session-id'
const [OLD, NEW] = [secretOf('old'), secretOf('new')]
const stateless = (secret: string, previous?: string) => ({
  OAUTH_STATELESS_MODE: 'true',
  MAX_REQUESTS_PER_MINUTE: '0',
  OAUTH_STATELESS_SECRET: secret,
  ...(previous !== undefined && { OAUTH_STATELESS_SECRET_PREVIOUS: previous })
})

/** Replicas behind round robin without stickiness. */
class Fleet {
  readonly all: ServerProcess[] = []
  replicas: ServerProcess[] = []
  #turn = 0
  /** Requests that are not answered yet. */
  readonly #sent = new Set<Promise<unknown>>()
  readonly #t: Test
  readonly #env: Record<string, string>

  constructor(t: Test, env: Record<string, string>) {
    this.#t = t
    this.#env = env
  }

  async start(count: number, env: Record<string, string>): Promise<void> {
    const started = await Promise.all(
      Array.from({ length: count }, () => startServer(this.#t, { ...this.#env, ...env }))
    )
    this.all.push(...started)
    this.replicas.push(...started)
  }

  /** A rolling update: the new replicas serve beside the old ones before those go. */
  async roll(env: Record<string, string>): Promise<void> {
    const old = [...this.replicas]
    await this.start(old.length, env)
    await new Promise(resolve => setTimeout(resolve, 300))
    this.replicas = this.replicas.filter(replica => !old.includes(replica))
    // What was sent to them before they left the rotation is still on its way.
    await Promise.allSettled(this.#sent)
    for (const replica of old) this.#t.equal(await replica.stop(), 0)
  }

  next(): string {
    return `${this.replicas[this.#turn++ % this.replicas.length]!.url}/mcp`
  }

  async post(body: unknown, headers: Record<string, string>): Promise<Response> {
    const sent = fetch(this.next(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body)
    })
    this.#sent.add(sent)
    try {
      return await sent
    } finally {
      this.#sent.delete(sent)
    }
  }

  async open(token: string): Promise<string> {
    const response = await this.post(initialize(), { authorization: `Bearer ${token}` })
    return response.headers.get(SID)!
  }
}

const info = { name: 'flow', version: '1' }
const anywhere = new URL('http://fleet.example/mcp')

/** What makes an SDK client's every request go to another replica, and the sids it sent. */
function spread(fleet: Fleet, token: string) {
  const used: string[] = []
  const options = {
    requestInit: { headers: { 'private-token': token } },
    fetch: (_url: string | URL, init?: RequestInit) => {
      const sid = new Headers(init?.headers).get(SID)
      if (sid !== null) used.push(sid)
      return fetch(fleet.next(), init)
    }
  }
  return { used, options }
}

async function work(t: Test, client: Client | ModernClient): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    t.ok((await client.listTools()).tools.length > 10)
    const result = await client.callTool({ name: 'list_issues', arguments: { project_id: 'acme/rocket' } })
    t.notOk(result.isError)
  }
}

t.test('one client, three replicas, every call on another one', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const token = forge.tokens.ada!
  const fleet = new Fleet(t, { FORGE_API_URL: forge.apiUrl, LOG_LEVEL: 'trace' })
  await fleet.start(3, stateless(OLD))
  const sids = new Set<string>()

  await t.test('goes on with the sid alone, whichever replica gives the next one', async t => {
    let sid = await fleet.open(token)
    for (let turn = 0; turn < 12; turn++) {
      const response = await fleet.post(call('list_issues', { project_id: 'acme/rocket' }), { [SID]: sid })
      const body = (await response.json()) as { result: { isError?: boolean } }
      t.equal(response.status, 200)
      t.notOk(body.result.isError)
      sid = response.headers.get(SID)!
      t.notOk(sids.has(sid))
      sids.add(sid)
    }
    t.equal(forge.requests.length, 12)
  })

  await t.test('goes on when a replica is killed between two calls', async t => {
    const sid = await fleet.open(token)
    const [victim] = fleet.replicas.splice(0, 1)
    await victim!.stop('SIGKILL')
    for (let turn = 0; turn < 4; turn++)
      t.equal((await fleet.post(request('ping'), { [SID]: sid })).status, 200)
    await fleet.start(1, stateless(OLD))
    for (let turn = 0; turn < 3; turn++)
      t.equal((await fleet.post(request('ping'), { [SID]: sid })).status, 200)
  })

  await t.test('works with the SDK’s v1 client, which takes up each new sid', async t => {
    const { used, options } = spread(fleet, token)
    const transport = new StreamableHTTPClientTransport(anywhere, options)
    const client = new Client(info)
    await client.connect(transport)
    await work(t, client)
    await transport.terminateSession()
    await client.close()
    t.ok(new Set(used).size >= 8, 'the sids rotate')
    for (const sid of used) sids.add(sid)
  })

  await t.test('works with the SDK’s v2 client, which keeps its first sid, or uses none', async t => {
    for (const [mode, count] of [
      ['legacy', 1],
      ['auto', 0]
    ] as const) {
      const { used, options } = spread(fleet, token)
      const client = new ModernClient(info, { versionNegotiation: { mode } })
      await client.connect(new ModernTransport(anywhere, options))
      await work(t, client)
      await client.close()
      t.equal(new Set(used).size, count, mode)
      for (const sid of used) sids.add(sid)
    }
  })

  await t.test(
    'is refused with a dead sid on every replica alike, and that is logged without the sid',
    async t => {
      const sid = `${await fleet.open(token)}A`
      for (let turn = 0; turn < 3; turn++)
        t.equal((await fleet.post(request('ping'), { [SID]: sid })).status, 404)
      sids.add(sid)
    }
  )

  await t.test('leaves no token, sid or secret in any log, at the most talkative level', async t => {
    let log = ''
    await until(async () => {
      log = (await Promise.all(fleet.all.map(replica => replica.output()))).join('\n')
      return /"msg":"tool call"/.test(log) && /"purpose":"sid","reason":"(seal|spelling)"/.test(log)
    })
    for (const hidden of [token, OLD, 'v1.sid.', ...sids]) t.notOk(log.includes(hidden))
  })
  t.same(forge.violations, [])
})

/** Clients that call all the time, each with nothing but its last sid. */
function load(fleet: Fleet, sids: string[]) {
  const failed: string[] = []
  const calls = sids.map(() => 0)
  let on = true
  const workers = sids.map(async (first, worker) => {
    let sid = first
    while (on) {
      const response = await fleet.post(request('ping'), { [SID]: sid })
      await response.arrayBuffer()
      calls[worker]!++
      if (response.status !== 200) failed.push(`${response.status} after ${calls[worker]} calls`)
      sid = response.headers.get(SID) ?? sid
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return sid
  })
  return {
    failed,
    /** Waits until every client has called again. */
    async pass(): Promise<void> {
      const before = [...calls]
      while (calls.some((count, worker) => count < before[worker]! + 2))
        await new Promise(resolve => setTimeout(resolve, 10))
    },
    /** @returns the last sid of every client */
    async stop(): Promise<string[]> {
      on = false
      return Promise.all(workers)
    }
  }
}

t.test('the three steps of a rotation lose no call of clients that have only their sid', async t => {
  const fleet = new Fleet(t, {})
  await fleet.start(2, stateless(OLD))
  const token = 'oauth-token-of-some-caller'
  const clients = load(fleet, await Promise.all(Array.from({ length: 8 }, () => fleet.open(token))))
  await clients.pass()

  await fleet.roll(stateless(OLD, NEW))
  await clients.pass()
  await fleet.roll(stateless(NEW, OLD))
  await clients.pass()
  await fleet.roll(stateless(NEW))
  await clients.pass()

  const sids = await clients.stop()
  t.same(clients.failed, [])

  await t.test('and a new secret without the previous one then ends them all', async t => {
    fleet.replicas = []
    await fleet.start(1, stateless(secretOf('after a leak')))
    for (const sid of sids) {
      const refused = await fleet.post(request('ping'), { [SID]: sid })
      t.equal(refused.status, 404)
      const served = await fleet.post(request('ping'), { [SID]: sid, authorization: `Bearer ${token}` })
      t.equal(served.status, 200, 'who still has a credential starts afresh')
    }
  })
})

t.test('a rotation in one step loses calls while old and new replicas stand side by side', async t => {
  const fleet = new Fleet(t, {})
  await fleet.start(1, stateless(NEW, OLD))
  const sid = await fleet.open('oauth-token-of-some-caller')
  await fleet.start(1, stateless(OLD))
  const statuses: number[] = []
  for (let turn = 0; turn < 4; turn++)
    statuses.push((await fleet.post(request('ping'), { [SID]: sid })).status)
  t.same(statuses.toSorted(), [200, 200, 404, 404])
})

t.test('a person’s yes that reaches another replica lets the call through when it is repeated', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const fleet = new Fleet(t, { FORGE_API_URL: forge.apiUrl, FORGE_CONFIRM: 'destructive' })
  await fleet.start(3, stateless(OLD))
  const client = new Client(info, { capabilities: { elicitation: {} } })
  let asked = 0
  client.setRequestHandler(ElicitRequestSchema, () => {
    asked++
    return { action: 'accept', content: { agree: true } }
  })
  const { options } = spread(fleet, forge.tokens.margaret!)
  let hasAgreed = false
  const tells = async (url: string | URL, init?: RequestInit) => {
    const response = await options.fetch(url, init)
    hasAgreed ||= String(init?.body).includes('"agree":true')
    return response
  }
  await client.connect(new StreamableHTTPClientTransport(anywhere, { ...options, fetch: tells }))
  t.teardown(() => client.close())
  const remove = { name: 'delete_issue', arguments: { project_id: 'acme/rocket', issue_iid: '2' } }
  const gone = new AbortController()
  const first = t.rejects(client.callTool(remove, undefined, { signal: gone.signal }), /enough/)
  await until(() => hasAgreed)
  await new Promise(resolve => setTimeout(resolve, 500))
  gone.abort('waited enough')
  await first
  t.notOk((await client.callTool(remove)).isError)
  t.equal(asked, 1)
  t.equal(forge.requests.filter(({ method }) => method === 'DELETE').length, 1)
})
