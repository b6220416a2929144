import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Program, start } from './bench/processes.ts'
import { FORGE } from './bench/programs/index.ts'

/*
 * npm run soak [-- --seconds=600]: callers of every kind at one server, good and bad, and its heap after garbage
 * collection meanwhile. Ends with 1 when the heap grows or a good call fails.
 */

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } as const })
const seconds = Number(values.seconds)
const SAMPLES = 10

/** Growth that is noise: code that is compiled, buffers of the moment. */
const ALLOWED_BYTES = 3 * 1024 * 1024

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const forge = await start([process.execPath, FORGE])
const probe = ['--expose-gc', '--import', here('./bench/heap-probe.ts')]
const server = await start([process.execPath, ...probe, here('../src/cli.ts')], {
  stderr: 'pipe',
  env: {
    FORGE_API_URL: forge.url,
    DRAIN_SECONDS: '0',
    // Small, so that both fill up and every bounded map reaches its bound early in the run.
    MAX_SESSIONS: '500',
    SESSION_TIMEOUT_SECONDS: '2',
    MAX_REQUESTS_PER_MINUTE: '100000'
  }
})
const port = Number(new URL(server.url).port)
const end = performance.now() + seconds * 1000
const running = () => performance.now() < end
const counts = new Map<string, number>()
const faults: string[] = []
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

const rpc = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const initialize = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'soak', version: '1' }
})
const getIssue = rpc('tools/call', {
  name: 'get_issue',
  arguments: { project_id: 'acme/rocket', issue_iid: '1' }
})

const post = (body: string, headers: Record<string, string>) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body
  })

/** A client as it should be: begins, calls, ends. */
async function goodClient(name: string): Promise<void> {
  while (running()) {
    const headers = { 'private-token': `glpat-${name}-${randomBytes(12).toString('hex')}` }
    const begun = await post(initialize, headers)
    await begun.text()
    const sid = begun.headers.get('mcp-session-id')
    if (begun.status === 503) {
      count('full')
      await sleep(100)
      continue
    }
    if (sid === null) {
      faults.push(`initialize: ${begun.status}`)
      return
    }
    for (let calls = 0; calls < 20 && running(); calls++) {
      const answer = await post(getIssue, { ...headers, 'mcp-session-id': sid })
      const text = await answer.text()
      // Its session had to make room for another, or ended by its short time-out: then it begins again.
      if (answer.status === 404) {
        count('begun again')
        break
      }
      // A machine that is busy with other things sheds load.
      if (answer.status === 503) {
        count('shed')
        await sleep(100)
        continue
      }
      if (answer.status !== 200 || text.includes('"isError"')) faults.push(`${answer.status} ${text}`)
      count('calls')
    }
    await fetch(`${server.url}/mcp`, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': sid } })
  }
}

/** A client that never ends what it begins. */
async function forgetfulClient(): Promise<void> {
  while (running()) {
    const answer = await post(initialize, { 'private-token': `glpat-${randomBytes(16).toString('hex')}` })
    await answer.text()
    count(answer.status === 503 ? 'full' : 'left behind')
    await sleep(5)
  }
}

/** A caller with nothing good to say. */
async function badClient(): Promise<void> {
  const token = { 'private-token': 'glpat-bad-bad-bad-bad-bad' }
  const unknown = rpc(`made/up/${randomBytes(4).toString('hex')}`, {})
  const bodies = [
    '{',
    '[]',
    '{"jsonrpc":"1.0"}',
    unknown,
    rpc('tools/call', { name: randomBytes(8).toString('hex') })
  ]
  while (running()) {
    for (const body of bodies) await (await post(body, token)).text()
    await (await post(getIssue, { 'private-token': 'short' })).text()
    await (await post(getIssue, { ...token, 'mcp-session-id': randomBytes(32).toString('base64url') })).text()
    await (await fetch(`${server.url}/${randomBytes(4).toString('hex')}`)).text()
    count('bad rounds')
    await sleep(10)
  }
}

/** A caller that hangs up in the middle: of its request, or before its answer. */
async function brokenClient(): Promise<void> {
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nPrivate-Token: glpat-broken-broken-broken\r\nContent-Type: application/json\r\nContent-Length: ${getIssue.length}\r\n\r\n`
  while (running()) {
    for (const text of [`${head}${getIssue.slice(0, 10)}`, `${head}${getIssue}`]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      await sleep(2)
      socket.destroy()
      count('hung up')
    }
  }
}

async function scraper(): Promise<void> {
  while (running()) {
    await (await fetch(`${server.url}/metrics?format=prometheus`)).text()
    await sleep(500)
  }
}

/** Bytes of heap in use after the next garbage collection. */
const nextHeap = ({ child }: Program): Promise<number> =>
  new Promise(resolve => {
    const read = (chunk: Buffer) => {
      const bytes = /heap after collection: (\d+)/.exec(String(chunk))?.[1]
      if (bytes === undefined) return
      child.stderr!.off('data', read)
      resolve(Number(bytes))
    }
    child.stderr!.on('data', read)
  })

const heaps: number[] = []
async function watcher(): Promise<void> {
  for (let at = 1; at <= SAMPLES; at++) {
    await sleep(Math.max(0, (seconds * 1000) / SAMPLES - 1000))
    const heap = await nextHeap(server)
    heaps.push(heap)
    console.log(
      `${String(Math.round((at * seconds) / SAMPLES)).padStart(4)} s  heap ${(heap / 1e6).toFixed(2)} MB`
    )
  }
}

const clients = [
  ...Array.from({ length: 8 }, (_, at) => goodClient(`good${at}`)),
  forgetfulClient(),
  badClient(),
  brokenClient(),
  scraper(),
  watcher()
]
await Promise.all(clients)

// The first fifth of the run fills caches and compiles; the ends of what follows are compared.
const third = Math.floor((SAMPLES - 2) / 3)
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const growth = mean(heaps.slice(-third)) - mean(heaps.slice(2, 2 + third))
console.log([...counts].map(([what, times]) => `${what} ${times}`).join(', '))
console.log(`growth ${(growth / 1e6).toFixed(2)} MB, failed calls ${faults.length}`)
for (const fault of faults.slice(0, 5)) console.log(`  ${fault.slice(0, 300)}`)
process.exit(growth > ALLOWED_BYTES || faults.length > 0 || !counts.has('calls') ? 1 : 0)
