import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { compiled } from './compiled.ts'
import { type LoadResult, load, percentile } from './load.ts'
import { canPin, type Program, pinSelf, type StartOptions, start } from './processes.ts'

/*
 * npm run bench: tools/call of this server beside two bare programs of Fastify and undici, all doing one GET of the
 * same record for each call: one hands the record through as it came, the other answers the call with it. They take
 * turns under the same load, and the ratios are of their medians, so that a machine that is busy in between troubles
 * all alike.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    stateless: { type: 'boolean', default: false },
    'one-core': { type: 'boolean', default: false },
    // The Node of the three; for another than this one the server must be built.
    node: { type: 'string', default: process.execPath },
    profile: { type: 'string', default: '' }
  } as const
})
const WARM_UP_SECONDS = 6
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = Number(values.connections)
const nodeVersion = execFileSync(values.node, ['--version'], { encoding: 'utf8' }).trim()

// The load and the forge share a core; the server under test has another, or with --one-core the same.
const serverCore = values['one-core'] ? 0 : 1
pinSelf(0)
const forge = await start('./forge.ts', { core: 0 })
const env: Record<string, string> = {
  FORGE_API_URL: forge.url,
  PORT: '0',
  DRAIN_SECONDS: '0',
  MAX_REQUESTS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'info'
}
if (values.stateless)
  Object.assign(env, {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: randomBytes(48).toString('base64url')
  })
const nodeArgs = (name: string) =>
  values.profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}/${name}`]

const headers = {
  'private-token': 'glpat-bench-bench-bench-1',
  accept: 'application/json, text/event-stream'
}
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_issue', arguments: { project_id: '8', issue_iid: '6' } }
})

interface Subject {
  readonly name: string
  readonly program: Program
  readonly headers: Record<string, string>
  readonly rates: number[]
  readonly cpu: number[]
  readonly p99: number[]
}

const subject = (name: string, program: Program, headers: Record<string, string>): Subject => ({
  name,
  program,
  headers,
  rates: [],
  cpu: [],
  p99: []
})

const startHere = (name: string, file: string, more: StartOptions) =>
  start(values.node === process.execPath ? file : compiled(file), {
    node: values.node,
    nodeArgs: nodeArgs(name),
    core: serverCore,
    ...more
  })
const server = await startHere('server', '../../src/cli.ts', { env })
const ours = subject('server', server, { ...headers, 'mcp-session-id': await openSession(server.url) })
const bare: Subject[] = []
for (const name of ['bare-proxy', 'bare-call'])
  bare.push(subject(name, await startHere(name, `./${name}.ts`, { args: [forge.url] }), headers))
const all = [...bare, ours]
for (const one of all) await checkAnswer(one)

// Until the code is compiled: what a server does in its first seconds is no measure of it.
for (const { program, headers } of all)
  await load({ url: program.url, headers, body, connections, seconds: WARM_UP_SECONDS })
for (let round = 0; round < rounds; round++)
  for (const one of round % 2 === 0 ? all : all.toReversed()) await measure(one)

for (const { name, rates, cpu, p99 } of all)
  console.log(
    `${name.padEnd(12)} ${median(rates).toFixed(0).padStart(7)} calls/s   ${median(cpu).toFixed(1).padStart(6)} µs CPU a call   p99 ${median(p99).toFixed(2)} ms`
  )
for (const { name, rates, cpu } of bare)
  console.log(
    `server / ${name.padEnd(12)} ${(median(ours.rates) / median(rates)).toFixed(3)} by calls/s   ${(median(cpu) / median(ours.cpu)).toFixed(3)} by CPU`
  )
console.log(
  `${rounds} rounds of ${seconds} s, ${connections} connections, ${canPin ? (serverCore === 0 ? 'one core for all' : 'a core for the server') : 'not pinned'}${values.stateless ? ', stateless' : ''}, Node ${nodeVersion}`
)
// Ended rather than killed, so that a profile is written.
for (const { program } of all) {
  program.child.kill('SIGTERM')
  await new Promise(resolve => program.child.once('exit', resolve))
}
process.exit()

async function measure({ program, headers, rates, cpu, p99 }: Subject): Promise<void> {
  const before = program.cpuSeconds()
  const result: LoadResult = await load({ url: program.url, headers, body, connections, seconds })
  if (result.failures > 0) throw new Error(`${result.failures} calls failed`)
  rates.push(result.calls / result.seconds)
  p99.push(percentile(result.latencies, 0.99))
  if (before !== undefined) cpu.push(((program.cpuSeconds()! - before) * 1e6) / result.calls)
}

async function post(url: string, more: Record<string, string>, text: string): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...more },
    body: text
  })
}

async function openSession(url: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' }
  }
  const answer = await post(url, {}, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }))
  const sid = answer.headers.get('mcp-session-id')
  if (sid === null) throw new Error(`no session: ${await answer.text()}`)
  return sid
}

/** A server that refuses quickly would look fast. */
async function checkAnswer({ program, headers }: Subject): Promise<void> {
  const text = await (await post(program.url, headers, body)).text()
  if (!text.includes('Consequatur vero maxime')) throw new Error(`not the record: ${text}`)
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
