import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { PEER_PROGRAM } from '../../eval/peer.ts'
import { secretOf } from '../../support/sealing.ts'

/* The programs that take turns, each as somebody would run it: this server and the peer as they are built. */

const pathOf = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const OURS = pathOf('dist/src/cli.js')
const FLOOR = pathOf('dist/bench/floor.js')
const LISTING = pathOf('dist/bench/listing.json')

/** The forge, from its text: nobody measures it. */
export const FORGE = fileURLToPath(new URL('./forge.ts', import.meta.url))

const IDLE = fileURLToPath(new URL('./idle-sessions.ts', import.meta.url))

/** Builds this server and the floor, so that what is measured is what stands in the tree. */
export function build(): void {
  execFileSync(process.execPath, [pathOf('esbuild.config.ts')], { stdio: ['ignore', 'ignore', 'inherit'] })
  const text = readFileSync(new URL('./floor.ts', import.meta.url), 'utf8')
  mkdirSync(pathOf('dist/bench'), { recursive: true })
  writeFileSync(FLOOR, transformSync(text, { loader: 'ts', target: 'node20' }).code)
}

/** Gives the floor what it says to tools/list. @param result as this server has it */
export const list = (result: unknown): void => writeFileSync(LISTING, JSON.stringify(result))

export interface ProgramRow {
  /** What Node is to run. */
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** How many of them stand behind a proxy; default one, and none. */
  readonly replicas?: number
  /** Calls bring no token, as their session's id has it. */
  readonly sidOnly?: boolean
  /** Its own limits are by address and cannot be lifted, so its callers come from many, through a proxy. */
  readonly forwarded?: boolean
}

export type ProgramName = keyof typeof table

/** @param forge its origin */
export const programOf = (name: ProgramName, forge: string): ProgramRow => table[name](forge)

const ours = (forge: string, more: Readonly<Record<string, string>> = {}): ProgramRow => ({
  file: OURS,
  args: [],
  env: {
    FORGE_API_URL: forge,
    DRAIN_SECONDS: '0',
    MAX_REQUESTS_PER_MINUTE: '1000000',
    // A machine that is busy with something else is no reason to refuse a call here.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    ...more
  }
})
const stateless = (forge: string): ProgramRow =>
  ours(forge, { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('bench') })
const replicas =
  (count: number) =>
  (forge: string): ProgramRow => ({ ...stateless(forge), replicas: count })

const peer = (forge: string, more: Readonly<Record<string, string>> = {}): ProgramRow => ({
  file: PEER_PROGRAM,
  args: [],
  env: {
    GITLAB_API_URL: `${forge}/api/v4`,
    GITLAB_DISABLE_VERSION_CHECK: 'true',
    USE_PIPELINE: 'true',
    STREAMABLE_HTTP: 'true',
    REMOTE_AUTHORIZATION: 'true',
    MCP_TRUST_PROXY: 'true',
    MAX_SESSIONS: '10000',
    MAX_REQUESTS_PER_MINUTE: '1000',
    ...more
  },
  forwarded: true
})
const peerStateless = (forge: string): ProgramRow =>
  peer(forge, { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('bench') })

const nothing = (file: string, ...args: string[]): ProgramRow => ({ file, args, env: {} })

const table = {
  floor: (forge: string): ProgramRow => ({ file: FLOOR, args: [forge, LISTING], env: {} }),
  ours,
  everything: (forge: string) => ours(forge, { FORGE_TOOLSETS: 'all' }),
  stateless,
  'stateless, by id alone': (forge: string) => ({ ...stateless(forge), sidOnly: true }),
  peer,
  'peer, by id alone': (forge: string) => ({ ...peerStateless(forge), sidOnly: true }),
  'one replica': replicas(1),
  'two replicas': replicas(2),
  'four replicas': replicas(4),
  'an empty program': () => nothing('-e', '0'),
  '--version': () => nothing(OURS, '--version'),
  'idle sessions': () => nothing(IDLE)
}

/** The release that `npm ci` brought of a package. */
export const releaseOf = (name: string): string =>
  createRequire(import.meta.url)(`${name}/package.json`).version
