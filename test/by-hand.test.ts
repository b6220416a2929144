import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startForge } from './forge/index.ts'
import { messages } from './support/events.ts'
import { modernHeaders, modernRequest } from './support/modern.ts'
import { oauthSettings } from './support/oauth.ts'
import { request, testServer } from './support/server.ts'

/* docs/by-hand.md, played: each command of it in its order, and what is said to come of it. */

const page = readFileSync(new URL('../docs/by-hand.md', import.meta.url), 'utf8')
const SECRET = Buffer.alloc(32, 7).toString('base64url')
/** Where the page has the service. */
const ORIGIN = 'http://127.0.0.1:3000'

interface Block {
  readonly kind: string
  readonly text: string
  /** Words between it and the block before. */
  readonly before: string
}

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/([\s\S]*?)```(\w+)\n([\s\S]*?)```\n/g)].map(([, before, kind, text]) => ({
    kind: kind!,
    text: text!,
    before: before!
  }))

/** The words of a line of a shell: quotes, and variables outside of single ones. */
function wordsOf(line: string, variables: ReadonlyMap<string, string>): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (word.startsWith('#')) break
    words.push(
      word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single, double, bare) =>
        single !== undefined
          ? single
          : (double ?? bare).replaceAll(/\$(\w+)/g, (_: string, name: string) => variables.get(name) ?? '')
      )
    )
  }
  return words
}

/** Does what curl would with these words. */
function curl(words: string[], signal: AbortSignal): Promise<Response> {
  const headers = new Headers()
  let [url, method, body]: (string | undefined)[] = []
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift()
    else if (word === '-d') body = words.shift()
    else if (word === '-H')
      headers.set(
        ...(words
          .shift()!
          .split(/: (.*)/s)
          .slice(0, 2) as [string, string])
      )
    else if (!/^-[iN]$/.test(word)) url = word
  }
  method ??= body === undefined ? 'GET' : 'POST'
  return fetch(url!, { method, headers, body: body ?? null, signal })
}

const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** What is said to come, as tap matches it: `…` stands for anything. */
const pattern = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('…')
    ? new RegExp(`^${value.split('…').map(literal).join('[\\s\\S]*')}$`)
    : Array.isArray(value)
      ? value.map(pattern)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pattern(inner)]))
        : value

/** Plays the shell's blocks of some text against a server. @returns the last answer, by its status and headers */
async function play(t: Test, text: string, origin: string, variables: Map<string, string>) {
  const here = (text: string) => text.replaceAll(ORIGIN, origin)
  const left = new AbortController()
  t.teardown(() => left.abort())
  const answers: Response[] = []
  for (const { kind, text: block } of blocksOf(text)) {
    if (kind === 'json') {
      const first = (await firstOf(answers.at(-1)!)) as object
      t.match(first, pattern(JSON.parse(here(block))) as object, block)
    }
    if (kind !== 'sh') continue
    for (const line of here(block).replaceAll('\\\n', '').trim().split('\n')) {
      const assigned = /^([A-Z]+)=(.*)$/.exec(line)
      if (assigned !== null) {
        if (assigned[1] !== 'SESSION' && assigned[1] !== 'TOKEN')
          variables.set(assigned[1]!, wordsOf(assigned[2]!, variables)[0]!)
        continue
      }
      const [program, ...words] = wordsOf(line, variables)
      t.equal(program, 'curl')
      const answer = await curl(words, left.signal)
      answers.push(answer)
      const session = answer.headers.get('mcp-session-id')
      if (session !== null) variables.set('SESSION', session)
    }
  }
  return answers
}

/** The first message of an answer. */
const firstOf = async (response: Response): Promise<unknown> =>
  response.headers.get('content-type')?.startsWith('text/event-stream')
    ? (await messages(response).next()).value
    : response.json()

async function served(
  t: Test,
  settings: (forge: Awaited<ReturnType<typeof startForge>>) => Record<string, string>
) {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await testServer(t, { ...settings(forge), PORT: '0' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { forge, origin: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

const [calls, login] = page.split('## Logging in') as [string, string]

t.test('each command of the page does what stands below it', async t => {
  const { forge, origin } = await served(t, ({ apiUrl }) => ({ FORGE_API_URL: apiUrl }))
  const answers = await play(t, calls, origin, new Map([['TOKEN', forge.tokens.ada!]]))
  t.same(
    answers.map(({ status }) => status),
    [200, 202, 200, 200, 204, 404, 200, 200, 200, 400, 200]
  )
})

t.test('the way to a login is found as the page says', async t => {
  const { origin } = await served(t, forge => oauthSettings(forge))
  const variables = new Map([['URL', `${origin}/mcp`]])
  const [refused, ...found] = await play(t, login, origin, variables)
  t.equal(refused!.status, 401)
  const says = /`WWW-Authenticate: (.*)`/.exec(login)![1]!
  t.equal(refused!.headers.get('www-authenticate'), says.replaceAll(ORIGIN, origin))
  t.same(
    found.map(({ status }) => status),
    [200, 200, 201]
  )
})

/** What the client of the page prints. */
async function clientOfPage(t: Test, url: string, token: string): Promise<string[]> {
  const { text } = blocksOf(calls).find(({ kind }) => kind === 'js')!
  const { env } = process
  t.teardown(() => {
    process.env = env
  })
  process.env = { ...env, URL: url, TOKEN: token }
  const lines: string[] = []
  t.intercept(console, 'log', { value: (line: string) => void lines.push(line) })
  await import(`data:text/javascript,${encodeURIComponent(`${text}// ${url}`)}`)
  return lines
}

t.test('the client of the page is asked on both eras, agrees, and has it done', async t => {
  const { forge, origin } = await served(t, ({ apiUrl }) => ({
    FORGE_API_URL: apiUrl,
    FORGE_CONFIRM: 'writes'
  }))
  const lines = await clientOfPage(t, `${origin}/mcp`, forge.tokens.ada!)
  t.match(lines, [/By callLegacy\./, /By callModern\./])
  const metrics = await (await fetch(`${origin}/metrics?format=prometheus`)).text()
  t.match(metrics, 'forge_mcp_confirmations_total{outcome="confirmed"} 2\n')
})

t.test('in stateless mode it brings the latest id, in which a yes that another replica got is', async t => {
  const { forge, origin } = await served(t, ({ apiUrl }) => ({
    FORGE_API_URL: apiUrl,
    FORGE_CONFIRM: 'writes',
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: SECRET
  }))
  const ids: { brought: string | null; answered: string | null }[] = []
  const { fetch: really } = globalThis
  t.intercept(globalThis, 'fetch', {
    value: async (url: string, init: RequestInit) => {
      const response = await really(url, init)
      const brought = new Headers(init.headers).get('mcp-session-id')
      ids.push({ brought, answered: response.headers.get('mcp-session-id') })
      return response
    }
  })
  t.match(await clientOfPage(t, `${origin}/mcp`, forge.tokens.ada!), [/By callLegacy\./, /By callModern\./])
  const withSession = ids.filter(({ answered }) => answered !== null)
  t.equal(withSession.length, 4)
  for (const [index, { brought }] of withSession.entries())
    t.equal(brought, index === 0 ? null : withSession[index - 1]!.answered)
  t.equal(new Set(withSession.map(({ answered }) => answered)).size > 1, true)
})

t.test('each code of its table of errors comes with a status that stands beside it', async t => {
  const { forge, origin } = await served(t, ({ apiUrl }) => ({
    FORGE_API_URL: apiUrl,
    MCP_ALLOWED_HOSTS: 'x'
  }))
  const said = new Map(
    [...page.matchAll(/^\| ((?:-32\d{3}(?:, )?)+) \| ([^|]+) \|/gm)].flatMap(([, codes, statuses]) =>
      codes!.split(', ').map(code => [Number(code), statuses!.match(/\d{3}/g)!.map(Number)] as const)
    )
  )
  const modern = (method: string, params: object = {}, headers: Record<string, string> = {}, meta = {}) =>
    ({
      body: modernRequest(method, params, meta),
      headers: { ...modernHeaders(method), ...headers }
    }) as const
  const long = 'x'.repeat(5 * 1024 * 1024)
  const seen = new Set<number>()
  for (const { body, headers } of [
    { body: '{' },
    { body: { id: 1, method: 'ping' } },
    { body: request('ping'), headers: { 'content-type': 'text/plain' } },
    { body: request('ping'), headers: { accept: 'text/html' } },
    { body: long },
    { body: request('nothing') },
    modern('nothing'),
    { body: request('tools/call', { name: 'nothing' }) },
    modern('tools/call', { name: 'nothing' }, { 'mcp-name': 'nothing' }),
    { body: request('prompts/get', {}) },
    modern('tools/list', {}, {}, { 'io.modelcontextprotocol/clientCapabilities': 7 }),
    modern('tools/list', {}, { 'mcp-method': 'ping' }),
    modern(
      'tools/list',
      {},
      { 'mcp-protocol-version': '2031-01-01' },
      { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    ),
    { body: request('ping'), headers: { 'private-token': 'short' } },
    { body: request('ping'), headers: { origin: 'https://evil.example' } },
    { body: request('ping'), headers: { 'mcp-session-id': 'gone' } },
    { body: request('resources/read', { uri: 'forge://nowhere' }) }
  ] as readonly { body: unknown; headers?: Record<string, string> }[]) {
    const answer = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': forge.tokens.ada!, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body)
    })
    const { error } = (await answer.json()) as { error: { code: number; message: string } }
    seen.add(error.code)
    t.ok(said.get(error.code)?.includes(answer.status), `${error.code}, ${answer.status}: ${error.message}`)
  }
  // Those of defects, and of questions to clients that cannot be asked, are held to elsewhere.
  t.same(
    [...said.keys()].filter(code => !seen.has(code)),
    [-32603, -32021]
  )
})
