import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startForge } from '../forge/index.ts'
import { Unavailable } from '../support/program.ts'
import { Asking } from './asking.ts'
import { type Client, clients } from './clients.ts'
import { expected } from './expected.ts'
import { isKnown, judge, type Line, nameOf, type Result, unknownIn } from './judge.ts'
import { print } from './page.ts'
import { startRelay, unwatched } from './relay.ts'
import { revisionOf, type ScenarioName, scenarios } from './scenarios.ts'
import { type Form, type FormName, forms, Servers } from './servers.ts'

/*
 * Others' clients against the built service (npm run build first) in front of the sandbox forge: every client in every
 * mode it has, at every form of the service, in every scenario. What fails and is not expected to, and what works and
 * is expected not to, fails the run.
 */

/** Longest that a scenario may take, in milliseconds: a client that hangs is told from a slow machine. */
const LONGEST_MS = 60_000
/** Of the forge's access tokens. */
const TOKEN_SECONDS = 3
/** Clients at once: each waits more than it works. */
const WIDTH = 3

if (!existsSync(fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url)))) {
  console.log('There is no build: npm run build')
  process.exit(1)
}

const wanted = process.argv.slice(2)
const forge = await startForge({ sample: true })
forge.state.oauth.accessSeconds = TOKEN_SECONDS
const front = await startRelay(forge.url, path => /\/branches\/(silent-\d+)/.exec(path)?.[1])
const servers = new Servers(forge, front)
const lines: Line[] = []
const skipped: string[] = []
const complaints: string[] = []
let stages = 0

async function tryClient(client: Client): Promise<void> {
  const { name, version, modes, bring } = client
  try {
    const asking = new Asking(await bring())
    for (const mode of modes) lines.push(await tryMode(client, mode, asking))
    await asking.end()
  } catch (error) {
    const why = `${name} ${version}: ${(error as Error).message}`
    if (error instanceof Unavailable) skipped.push(why)
    else complaints.push(why)
  }
}

/** What fails unexpectedly is tried once more: the machine may have been busy. */
async function tryMode({ name, version, cannot = {} }: Client, mode: string, asking: Asking): Promise<Line> {
  const results: Result[] = []
  const revisions = new Set<string>()
  for (const [form, { scenarios }] of Object.entries(forms) as [FormName, Form][])
    for (const scenario of scenarios) {
      const why = cannot[scenario]
      let came: Played = why === undefined ? await play(asking, mode, form, scenario) : {}
      if (came.failure !== undefined && !isKnown(expected, { name, version, mode }, { form, scenario })) {
        console.log(`once more: ${nameOf({ name, version, mode })}, ${form}, ${scenario}: ${came.failure}`)
        came = await play(asking, mode, form, scenario)
      }
      const { revision, ...result } = came
      if (revision !== undefined) revisions.add(revision)
      results.push({ form, scenario, cannot: why, ...result })
    }
  return { name, version, mode, revisions: [...revisions].sort(), results }
}

interface Played {
  readonly note?: string | undefined
  readonly failure?: string
  readonly revision?: string | undefined
}

async function play(client: Asking, mode: string, form: FormName, scenario: ScenarioName): Promise<Played> {
  const origin = await servers.urlOf(form)
  // Who logs in knows the service by its own address.
  const wire = 'isOAuth' in forms[form] ? unwatched(origin) : await startRelay(origin)
  const stage = {
    client,
    wire,
    front,
    silent: `silent-${++stages}`,
    connecting: { mode, token: forge.tokens.ada! },
    restarted: () => servers.urlOf(form, 'second'),
    tokenMs: TOKEN_SECONDS * 1000
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${LONGEST_MS} ms`)), LONGEST_MS)
  })
  try {
    const note = await Promise.race([scenarios[scenario](stage), late])
    return { note: note ?? undefined, revision: revisionOf(wire) }
  } catch (error) {
    // Whatever state it is in, the next scenario begins with a client that has done nothing.
    client.abandon()
    return { failure: (error as Error).message }
  } finally {
    clearTimeout(timer)
    wire.close()
  }
}

const waiting = clients.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
const worker = async () => {
  for (let client = waiting.shift(); client !== undefined; client = waiting.shift()) await tryClient(client)
}
try {
  await Promise.all(Array.from({ length: WIDTH }, worker))
} finally {
  servers.close()
  front.close()
  await forge.close()
}
lines.sort((a, b) => order(a) - order(b))

const { passed, known, unexpected } = judge(lines, expected)
const isWhole = wanted.length === 0 && skipped.length === 0
complaints.push(...unexpected)
complaints.push(...forge.violations.map(sentence => `the forge's contract was broken: ${sentence}`))
if (isWhole)
  complaints.push(...unknownIn(expected, lines).map(name => `${name} is expected to fail, and is not tried`))
if (isWhole && complaints.length === 0) settle(print(lines, expected))
for (const line of [...complaints, ...skipped.map(why => `skipped: ${why}`)]) console.log(line)
console.log(`${passed} passed, ${known} expected to fail, ${unexpected.length} unexpected`)
process.exit(complaints.length === 0 ? 0 : 1)

/** A machine without a toolchain knows less than the page says. */
function settle(text: string): void {
  const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url))
  if (process.env.CI !== 'true') writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text)
    complaints.push('docs/clients.md says something else: npm run test:clients writes it')
}

function order({ name, version }: Line): number {
  return clients.findIndex(client => client.name === name && client.version === version)
}
