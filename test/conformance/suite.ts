import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unavailable } from '../support/program.ts'
import { fromNpm } from '../support/registries.ts'

const NAME = '@modelcontextprotocol/conformance'

/** Longest that one run of the suite may take. */
const LONGEST_MS = 180_000

/** A released version of the official suite. */
interface Suite {
  readonly version: string
  readonly program: string
}

/** Installs a version beside the project, whose own lock file need not know it. @returns undefined where it cannot be had */
export async function install(version: string): Promise<Suite | undefined> {
  try {
    return { version, program: join(await fromNpm(NAME, version), 'node_modules', NAME, 'dist', 'index.js') }
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}

/** One check of a scenario that failed. */
export interface Failure {
  readonly id: string
  readonly why: string
}

/**
 * Runs all scenarios of a revision.
 * @returns the failures of each scenario
 * @throws Error when the suite itself does not run
 */
export async function runSuite(
  { program }: Suite,
  url: string,
  revision: string
): Promise<ReadonlyMap<string, readonly Failure[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const options = ['--url', url, '--suite', 'all', '--spec-version', revision, '-o', folder]
    const { text } = await run(process.execPath, [program, 'server', ...options])
    const scenarios = new Map(readdirSync(folder).map(name => [nameOf(name), failuresIn(join(folder, name))]))
    if (scenarios.size === 0) throw new Error(`The suite ran no scenario:\n${text}`)
    return scenarios
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Folders are named server-<scenario>-<time>. */
const nameOf = (folder: string): string => folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')

interface Check {
  readonly id: string
  readonly status: string
  readonly description: string
  readonly errorMessage?: string
}

function failuresIn(folder: string): Failure[] {
  const checks = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as Check[]
  return checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, description, errorMessage }) => ({ id, why: errorMessage ?? description }))
}

async function run(program: string, args: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text }
}
